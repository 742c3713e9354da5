// A deal or a position as a line of text: pasted, it fills the form; what stands in the form can be copied as one.
import { bidName, sentence } from "./elements.js";
import { faultInWords } from "./own-rules.js";
import { isOwn } from "./table.js";

export function linePanel({ find, make, fill, words, data, root, ask, tell, rules, reasons, sentenceOf, missing, written, state, change }) {
  const field = find("line");
  const said = (...parts) => find("line-said").replaceChildren(...parts);
  const table = () => ({ base: [state().variant, ...state().options].join("+"), changes: state().changes });

  // What is wrong, and what would be right; what has no name is in English.
  async function why(fault, named) {
    if (fault.table) return [faultInWords(fault.table, words, await rules())];
    if (fault.said) return [sentence(data.notation, fault.said)];
    if (!fault.reason) return [make("span", { lang: "en" }, fault.why)];
    const told = [fill(words["ask-refused"], { reason: (await reasons())[fault.reason] || fault.reason })];
    const may = (fault.cards || []).map((card) => data.cards[card].short).join(" ") || (fault.bids || []).map((bid) => bidName(bid, data)).join(", ");
    if (may) told.push(" ", fill(words["line-may"], { what: may }));
    if (fault.turn !== undefined) told.push(" ", fill(words["line-turn"], { n: fault.turn }));
    const stated = fault.rule && sentenceOf(fault.rule, named.variant ? { ...named, changes: {} } : state());
    return stated ? [...told, " ", stated] : told;
  }

  function showPlace({ line, column }) {
    const lines = field.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    const word = /^\S*/.exec(field.value.slice(start))[0];
    field.focus();
    field.setSelectionRange(start, start + word.length);
  }

  async function read(text) {
    find("line-box").open = true;
    field.value = text;
    field.removeAttribute("aria-invalid");
    if (!text.trim()) { said(words["own-empty"]); return; }
    if (!data.engine) { said(words["not-included"]); return; }
    said(words.waiting);
    let found;
    try {
      found = await ask(root, { ask: "line", input: { text, tab: state().tab, table: table() } }, tell);
    } catch {
      said(words.failed);
      return;
    }
    const { fault, variant, options, ...part } = found;
    if (fault) {
      field.setAttribute("aria-invalid", "true");
      showPlace(fault);
      said(make("strong", {}, fill(words["line-at"], fault)), " ", ...(await why(fault, { variant, options })));
      return;
    }
    change({ ...(variant ? { variant, options, changes: {}, name: "" } : {}), led: null, chosen: [], ...part });
    said(words["line-taken"]);
  }

  // What stands on the page, as the engine writes it.
  async function asLine() {
    const { tab, trump, trick, hand, leader, hands, op, question } = state();
    const asked = {
      may: { op: "legal-cards", input: { trump, trick, hand } },
      best: { op: "compare-hands", input: { trump, leader, hands } },
      ask: { op, input: question },
    }[tab];
    if (!asked) return written();
    const found = await ask(root, { ask: "as-line", profiles: ["own"], table: table(), input: { ...asked, own: isOwn(state()) } }, tell);
    return found.own.line;
  }

  async function copy() {
    field.removeAttribute("aria-invalid");
    const lacking = state().tab === "may" ? missing() : [];
    if (lacking.length) { said(fill(words["still-missing"], { who: lacking.join(", ") })); return; }
    if (!data.engine) { said(words["not-included"]); return; }
    let line;
    try { line = await asLine(); } catch { said(words.failed); return; }
    if (!line) { said(words["line-none"]); return; }
    field.value = line;
    try {
      await navigator.clipboard.writeText(line);
      said(words.copied);
    } catch {
      field.select();
    }
  }

  find("line-use").addEventListener("click", () => read(field.value));
  find("line-copy").addEventListener("click", copy);
  return { read };
}
