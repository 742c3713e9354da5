// Any question of any operation: an example with its picture and its answer, then whatever somebody makes of it.
import { sentence } from "./elements.js";
import { isOwn } from "./table.js";

const PATIENCE = 400; // milliseconds after the last key

// JSON as people read it: what fits on a line stands on one.
export function readableJson(value, indent = "") {
  const flat = JSON.stringify(value).replace(/([,:])(?=["\d[{tfn-])/g, "$1 ");
  const inside = typeof value === "object" && value !== null ? Object.values(value) : [];
  if (inside.every((one) => typeof one !== "object") || flat.length + indent.length <= 64) return flat;
  const inner = indent + "  ";
  const parts = Array.isArray(value)
    ? value.map((one) => inner + readableJson(one, inner))
    : Object.entries(value).map(([key, one]) => inner + JSON.stringify(key) + ": " + readableJson(one, inner));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return open + "\n" + parts.join(",\n") + "\n" + indent + close;
}

export function askView({ find, make, fill, words, data, own, ruleLine, sentenceOf, ruleList, showChips, say, impossible, state, change }) {
  let known = null;
  let origin = null;
  let wrong = "";
  let waiting = 0;
  const files = new Map();
  const profile = () => [state().variant, ...state().options].join("+");

  function fetched(name) {
    if (!files.has(name)) files.set(name, fetch(name).then((found) => (found.ok ? found.json() : null)).catch(() => null));
    return files.get(name);
  }

  async function questions() {
    if (known) return known;
    known = await fetched("questions.json");
    if (!known) return null;
    Object.assign(data.rules, known.rules);
    Object.assign(data.basis, known.basis);
    for (const [name, told] of Object.entries(known.variants)) {
      Object.assign(data.variants[name].rules, told.rules);
      Object.assign(data.variants[name].rests, told.rests);
    }
    const choices = Object.entries(known.operations).map(([op, title]) => make("option", { value: op }, title));
    find("operation").replaceChildren(...choices);
    return known;
  }

  // What is asked: what the address says, or a case; says whether there is anything to ask.
  async function ready() {
    if (!find("verdict").textContent) say(words["ask-loading"]);
    if (!(await questions())) { say(words["ask-no-case"]); return false; }
    const now = state();
    if (!now.question || now.case) {
      const op = known.operations[now.op] ? now.op : Object.keys(known.operations)[0];
      const id = now.case || known.examples[now.variant][op] || known.any[op];
      const told = (await fetched("cases/" + id.slice(0, -1) + ".json"))?.[id];
      if (!told) { say(words["ask-no-case"]); return false; }
      if (now !== state()) return false;
      const fits = told.profile === profile() && !isOwn(now);
      Object.assign(now, { op: told.op, question: told.input, case: fits ? id : "" });
      origin = { id, told };
      wrong = "";
    }
    return true;
  }

  const told = () => (state().case && origin?.id === state().case ? origin.told : null);

  function showForm(whole) {
    const shown = told();
    find("operation").value = state().op;
    // What is being typed stays: an example that comes late does not replace it.
    if (whole && !waiting) find("question").value = readableJson(state().question);
    find("question").setAttribute("aria-invalid", String(Boolean(wrong)));
    find("question-said").textContent = wrong;
    find("figure").innerHTML = shown?.figure || "";
    find("case").replaceChildren(...(shown ? [words["from-case"] + ": ", make("a", { href: "../" + shown.path }, state().case + " · " + shown.title)] : []));
    find("as-it-was").hidden = Boolean(shown);
  }

  // What was worked out when the site was made, as the engine would say it; nothing of what was recorded.
  function found() {
    const shown = told();
    if (!shown?.reply) return null;
    return { own: shown.reply, ...Object.fromEntries(Object.entries(shown.found).map(([name, reply]) => [name, reply || shown.reply])) };
  }

  function whyWrong(reply) {
    if (reply.impossible) return impossible(reply.impossible);
    if (reply.error) return fill(words["wrong-question"], { why: sentence(data.notation, reply.said || reply.error) });
    const { kind, place, key, nearest, value, wanted, listed } = reply.fault;
    const hint = nearest ? fill(words["fault-nearest"], { name: nearest }) : "";
    return fill(words["wrong-" + kind] || words["wrong-form"], {
      place: place || words["wrong-in-question"], key, hint, value: JSON.stringify(value), wanted: listed ? listed.join(", ") : wanted,
    }).trim();
  }

  function shown(value) {
    if (value === null) return "–";
    if (typeof value === "boolean") return words[value ? "yes" : "no"];
    if (Array.isArray(value) && value.length && value.every((one) => data.cards[one])) return value.map((one) => data.cards[one].short).join(" ");
    if (Array.isArray(value) && value.some(Array.isArray)) return value.map(shown).join("\n");
    if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(", ") || "–";
    return words["outcome-" + value] || data.cards[value]?.short || (typeof value === "object" ? readableJson(value) : String(value));
  }

  function refused({ reason, at, rule }) {
    const step = at === undefined ? "" : " " + fill(words["ask-at"], { n: at + 1 });
    return [make("strong", {}, fill(words["ask-refused"], { reason: known.reasons[reason] || reason }) + step), ...(rule && sentenceOf(rule) ? [" ", ruleLine(rule)] : [])];
  }

  function inFields(result) {
    const rows = Object.entries(result).map(([key, value]) => make("div", {}, make("dt", {}, known.fields[key] || key), make("dd", {}, shown(value))));
    return [make("strong", {}, words["ask-answer"]), make("dl", { class: "fields" }, ...rows)];
  }

  const kept = ({ result, rejected }) => JSON.stringify({ result, rejected });

  // What a variant answers otherwise, in a few words.
  function inShort(reply, mine) {
    if (reply.rejected) return known.reasons[reply.rejected.reason] || reply.rejected.reason;
    const other = Object.entries(reply.result || {}).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(mine.result?.[key]));
    const text = other.map(([key, value]) => (known.fields[key] || key) + " " + shown(value)).join("; ");
    return text.length > 60 ? text.slice(0, 57) + "…" : text;
  }

  function show(all) {
    const reply = all.own;
    wrong = reply.fault || reply.error ? whyWrong(reply) : "";
    showForm(false);
    if (wrong) { say(""); return; }
    const case_ = told()?.reply === reply ? told() : null;
    const rules = case_ ? case_.why.map(([rule]) => rule) : reply.rules;
    const sentences = case_ ? case_.answers.flatMap((one, index) => [...(index ? [" " + words["ask-or"] + " "] : []), make("strong", {}, one)]) : [];
    if (case_) find("verdict").replaceChildren(...(sentences.length ? sentences : [make("strong", {}, words["ask-drawn"])]));
    else find("verdict").replaceChildren(...(reply.rejected ? refused(reply.rejected) : inFields(reply.result)));
    const stated = rules.filter((rule) => sentenceOf(rule));
    const list = make("ul", { class: "why" }, ...stated.map((rule) => make("li", {}, ruleLine(rule))));
    find("why").replaceChildren(...(stated.length ? [case_ ? list : ruleList(stated)] : []));
    showChips(Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.fault ? { error: "form" } : one])), (one) => inShort(one, reply), kept);
  }

  function edited(text) {
    try {
      const question = JSON.parse(text);
      if (typeof question !== "object" || question === null || Array.isArray(question)) throw new SyntaxError("{ … }");
      wrong = "";
      change({ question }, false);
    } catch (error) {
      state().case = "";
      wrong = fill(words["wrong-json"], { hint: "(" + error.message + ")" });
      say("");
      showForm(false);
    }
  }

  function forgetTyped() {
    clearTimeout(waiting);
    waiting = 0;
  }

  find("question").addEventListener("input", (event) => {
    forgetTyped();
    waiting = setTimeout(() => {
      waiting = 0;
      edited(event.target.value);
    }, PATIENCE);
  });
  find("operation").addEventListener("change", (event) => {
    forgetTyped();
    change({ op: event.target.value, question: null });
  });
  find("as-it-was").addEventListener("click", () => {
    forgetTyped();
    const example = origin?.told.op === state().op ? origin : null;
    if (!example) { change({ question: null }); return; }
    const [variant, ...options] = example.told.profile.split("+");
    change({ case: example.id, variant, options, changes: {}, name: "", question: null });
  });

  return { ready, showForm, found, show, reasons: async () => (await questions())?.reasons || {} };
}
