// House rules in words: what a table plays otherwise than its variant, as a list, a file, a sheet and an address.
import { fill, make } from "./try/elements.js";
import { ask } from "./try/engine.js";
import { applies, besideOthers, faultInWords, fetchRules, inWords, keepTable, keptTable, matters, ofValue, playsBefore, readable, sameValue, tableHere, toldBy, valuesOf, writeRules } from "./try/own-rules.js";

const page = document.getElementById("house");
const root = new URL(page.dataset.root, location.href);
const PAUSE = 500; // milliseconds without a change, after which the engine is asked
const MOST_FOUND = 8;
const words = JSON.parse(page.dataset.words);
const data = await fetchRules(page.dataset.data);
const find = (name) => document.getElementById("house-" + name);
let state = { base: "", name: "", options: [], changes: {} };

const before = () => playsBefore(data, state);
const played = () => ({ ...before(), ...state.changes });

// What was played before stands as its variant tells it, all else beside the rules that are played now.
function sentence(rule, value, isBefore) {
  const told = isBefore ? inWords(data, state.base, rule, value) : besideOthers(data, state.base, played(), rule, value);
  return told.sentence || told.short;
}

function changed() {
  const plain = before();
  return Object.entries(state.changes).filter(([rule, value]) => !sameValue(plain[rule], value));
}

// What does not come up beside the other rules is shown here, and goes nowhere from here.
const changedHere = () => changed().filter(([rule]) => matters(data, rule, played()));
const changedValues = () => Object.fromEntries(changedHere());

function addressWith(base, more = {}) {
  const query = new URLSearchParams({ ...more, [base]: state.base });
  if (state.options.length) query.set("o", state.options.join(","));
  if (state.name) query.set("name", state.name);
  return readable(writeRules(query, changedValues()));
}

const valuesOfOption = (name) => Object.entries(valuesOf(data, data.variants[state.base].options[name].plays));

// An option is ticked if all is played that it says, and is no longer where one of its values is played otherwise.
function fitOptions() {
  const { options } = data.variants[state.base];
  for (const name of state.options) {
    const own = valuesOfOption(name);
    if (own.every(([rule, value]) => !(rule in state.changes) || sameValue(state.changes[rule], value))) continue;
    state.options = state.options.filter((one) => one !== name);
    state.changes = { ...Object.fromEntries(own), ...state.changes };
  }
  const most = (one, other) => Object.keys(options[other].plays).length - Object.keys(options[one].plays).length;
  for (const name of Object.keys(options).filter((one) => !state.options.includes(one)).sort(most)) {
    const own = valuesOfOption(name);
    const values = played();
    const isDecided = state.options.some((one) => own.some(([rule]) => rule in options[one].plays));
    if (!isDecided && own.every(([rule, value]) => sameValue(values[rule], value)) && own.some(([rule]) => rule in state.changes)) state.options = [...state.options, name];
  }
  state.changes = Object.fromEntries(changed());
  for (const box of find("options").querySelectorAll("input")) box.checked = state.options.includes(box.value);
}

function writeAddress() {
  history.replaceState(null, "", addressWith("base"));
}

// What a change decides otherwise, where that was measured.
function worthOf(worth, name, share) {
  if (share === undefined) return worth.unnoticed.includes(name) ? words["worth-unseen"] : words["worth-unknown"];
  const which = worth.matches.includes(name) ? "worth-match" : "worth";
  return share < 1 ? words[which + "-little"] : fill(words[which], { n: Math.round(share) });
}

const worthLine = (worth, name, share) => make("span", { class: "from worth" }, worthOf(worth, name, share));

// What was proved to change nothing by itself.
const isAlike = (rule, value) => data.variants[state.base].alike[rule]?.includes(data.byId[rule].values.findIndex((one) => sameValue(one, value)));
// What does not come up here, and by which other choice it would.
function idleLine({ id, needs }) {
  const missing = Object.entries(needs).filter(([needed, wanted]) => !applies({ [needed]: wanted }, played())).map(([needed]) => toldBy(data, state.base, needed).title);
  return make("span", { class: "wrong" }, fill(words.idle, { titles: missing.join(", ") }));
}
const alikeLine = () => make("span", { class: "wrong" }, words["no-effect"]);

// The engine says whether these rules go together; asked when nothing has changed for a moment.
let pause = 0;
let asking = 0;
function check() {
  clearTimeout(pause);
  const line = find("check");
  const table = { base: state.base, options: state.options, changes: changedValues() };
  line.hidden = page.dataset.engine !== "yes" || !(state.options.length || changedHere().length);
  if (line.hidden) return;
  line.textContent = words.checking;
  asking += 1;
  const turn = asking;
  pause = setTimeout(async () => {
    let said;
    try {
      const { fault } = await ask(root, { ask: "table", input: table }, ({ failed }) => { if (failed) line.textContent = words.unchecked; });
      said = fault ? faultInWords(fault, words, data) : words.fits;
      line.classList.toggle("wrong", Boolean(fault));
    } catch {
      said = words.unchecked;
    }
    if (turn === asking) line.textContent = said;
  }, PAUSE);
}

function tableId() {
  const id = state.name.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return /^[a-z]/.test(id) && !data.variants[id] ? id : "our-table";
}

function yaml() {
  const options = [state.base, ...state.options].join("+");
  const name = state.name ? ["name: {" + page.dataset.languages.split(" ").map((one) => one + ": " + JSON.stringify(state.name)).join(", ") + "}"] : [];
  const lines = changedHere().map(([rule, value]) => "  " + rule + ": {value: " + JSON.stringify(value) + "}");
  return ["id: " + tableId(), ...name, "base: " + options, "rules:", ...lines, ""].join("\n");
}

function showChanges() {
  const told = data.variants[state.base];
  const values = played();
  const plain = before();
  const parts = [];
  const { worth } = told;
  const named = (rule) => make("strong", {}, toldBy(data, state.base, rule).title + ": ");
  for (const name of state.options) {
    const { title, plays } = told.options[name];
    const lines = Object.entries(valuesOf(data, plays)).map(([rule, value]) => make("li", {}, named(rule), sentence(rule, value)));
    parts.push(make("li", {}, make("strong", {}, title), make("ul", {}, ...lines), valuesOfOption(name).every(([rule, value]) => isAlike(rule, value)) ? alikeLine() : worthLine(worth, "+" + name, worth.options[name])));
  }
  for (const [rule, value] of changed()) {
    if (!matters(data, rule, values)) {
      parts.push(make("li", {}, named(rule), sentence(rule, value), idleLine(data.byId[rule])));
      continue;
    }
    const was = rule in plain ? make("span", { class: "from" }, " " + fill(words.otherwise, { name: told.name }) + " " + sentence(rule, plain[rule], true)) : "";
    parts.push(make("li", {}, named(rule), sentence(rule, value), was, isAlike(rule, value) ? alikeLine() : worthLine(worth, rule, ofValue(data, worth.values, rule, value))));
  }
  find("note").hidden = !parts.length;
  find("try").href = "../try/" + addressWith("v", { tab: "deal" });
  find("keep").href = "../try/" + addressWith("v", { tab: "sheet" });
  find("blanks").href = find("keep").href + "#try-tables";
  find("print").href = "print/" + addressWith("base");
  find("agree").href = "agreement/" + addressWith("base");
  check();
  const missing = data.rules.map(({ id }) => toldBy(data, state.base, id)).filter((rule) => Object.keys(rule.needs).length && !(rule.id in values) && matters(data, rule.id, values));
  for (const rule of missing) parts.push(make("li", { class: "missing" }, make("strong", {}, rule.title + ": "), words.missing + " ", make("a", { href: "#rule-" + rule.id.replaceAll(".", "-") }, rule.ask)));
  find("changes").replaceChildren(parts.length ? make("ul", { class: "told" }, ...parts) : make("p", {}, fill(words.nothing, { name: told.name })));
  const file = changedHere().length ? yaml() : "";
  find("yaml").textContent = file || "belot check --profile " + [state.base, ...state.options].join("+");
  const link = find("file");
  link.hidden = !file;
  link.download = tableId() + ".yaml";
  find("command").textContent = "belot check --profile " + link.download + " -- " + page.dataset.program;
  if (link.href) URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([file], { type: "application/yaml" }));
}

function picker(rule, plain) {
  const told = data.variants[state.base];
  const id = "rule-" + rule.id.replaceAll(".", "-");
  const value = rule.id in state.changes ? state.changes[rule.id] : plain[rule.id];
  const place = rule.values.findIndex((one) => sameValue(one, value));
  const isListed = value === undefined || place >= 0;
  const select = make("select", { id });
  if (plain[rule.id] === undefined) select.append(make("option", { value: "" }, words["not-here"]));
  rule.short.forEach((short, index) => {
    const own = sameValue(plain[rule.id], rule.values[index]) ? " (" + told.name + ")" : "";
    select.append(make("option", { value: String(index) }, (short || String(rule.values[index])) + (told.marks[rule.id]?.[index] || "") + own));
  });
  if (!isListed && !rule.free) select.append(make("option", { value: "other" }, JSON.stringify(value)));
  if (rule.free) select.append(make("option", { value: "free" }, words.number));
  select.value = value === undefined ? "" : isListed ? String(place) : rule.free ? "free" : "other";
  const number = make("input", { type: "number", min: rule.free?.[0], max: rule.free?.[1], "aria-label": rule.title });
  number.hidden = select.value !== "free";
  number.value = isListed ? "" : String(value);
  const take = (chosen) => {
    if (chosen === undefined || sameValue(chosen, before()[rule.id])) delete state.changes[rule.id];
    else state.changes[rule.id] = chosen;
    fitOptions();
    show(false);
  };
  select.addEventListener("change", () => {
    number.hidden = select.value !== "free";
    if (select.value === "other") return;
    if (select.value === "free") number.focus();
    else take(rule.values[select.value]);
  });
  number.addEventListener("input", () => {
    const typed = Number.parseInt(number.value, 10);
    take(typed >= rule.free[0] && typed <= rule.free[1] ? typed : undefined);
  });
  const idle = matters(data, rule.id, played()) ? [] : [idleLine(rule)];
  return make("div", { class: "rule" }, make("label", { for: id }, rule.title), make("span", { class: "from" }, rule.ask), make("span", {}, select, " ", number), ...idle);
}

// The words of a text, as they are looked up: without accents, and without what may be their plural.
const wordsOf = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").split(/[^\p{L}\d]+/u).filter(Boolean);
const stem = (word) => (word.length > 4 ? word.slice(0, -1) : word);

const isNumber = (word) => /^\d+$/.test(word);
const idle = new Set(data.search.idle);

// What is sought, without the words that say nothing.
function soughtIn(text) {
  const every = wordsOf(text);
  const telling = every.filter((word) => !idle.has(word));
  return telling.length ? telling : every;
}

// How near a number is to those that a rule is known to have: 1 is one of them.
const near = (rule, number) => Math.max(0, ...rule.values.filter((value) => value > 0).map((value) => Math.min(value, number) / Math.max(value, number)));

// A rule is found by what it asks, by all that may be said of it and by what people call it: how many of the words that are sought,
// where what stands for a word counts half of it, and in its title too. Any number may be that of a rule that takes any.
function hits(rule, sought) {
  const { told, options } = data.variants[state.base];
  const has = (text, stemmed) => {
    const all = wordsOf(text);
    const isSaid = (word) => all.some((one) => one.startsWith(stem(word)));
    const weigh = (word) => (all.includes(word) ? 1 : isSaid(word) ? stemmed : rule.free && isNumber(word) ? near(rule, Number(word)) : data.search.alike.some((group) => group.includes(word) && group.some((one) => all.includes(one))) ? 0.5 : 0);
    return sought.reduce((sum, word) => sum + weigh(word), 0);
  };
  const titles = Object.values(options).filter(({ plays }) => rule.id in plays).map(({ title }) => title);
  const all = [rule.title, rule.ask, ...rule.short, ...titles, data.search.said[rule.id] || "", ...told[rule.id].map((place) => data.sentences[place])].join(" ");
  return [has(all, 1), has(rule.title, 0.9)];
}

function showRules() {
  const plain = before();
  const values = played();
  const isThere = (rule) => (rule.id in plain || matters(data, rule.id, values)) && (rule.values.length > 1 || rule.free);
  const sought = soughtIn(find("find").value);
  const all = data.rules.map(({ id }) => toldBy(data, state.base, id)).filter(isThere);
  const ranked = all.map((rule) => [rule, ...hits(rule, sought)]).sort(([, some, title], [, other, another]) => other - some || another - title);
  const most = Math.ceil(ranked[0][1]);
  const found = ranked.filter(([, some]) => some && Math.ceil(some) === most).map(([rule]) => rule).slice(0, MOST_FOUND);
  find("found").replaceChildren(...found.map((rule) => picker(rule, plain)), sought.length && !found.length ? words["none-found"] : "");
  const open = new Set(Array.from(page.querySelectorAll("details[data-topic][open]"), (one) => one.dataset.topic));
  const fold = (topic, title, inside) => {
    const details = make("details", { "data-topic": topic }, make("summary", {}, title), ...inside);
    details.open = open.has(topic);
    return details;
  };
  find("rules").replaceChildren(...Object.entries({ ...data.topics, ...data.variants[state.base].topics }).map(([topic, title]) => {
    const own = all.filter((rule) => rule.topic === topic && !found.includes(rule));
    const [live, idle] = [true, false].map((is) => own.filter((rule) => matters(data, rule.id, values) === is).map((rule) => picker(rule, plain)));
    // What does not come up with what is chosen is out of the way, and can still be found.
    return own.length ? fold(topic, title, [...live, ...(idle.length ? [fold(topic + " idle", fill(words["idle-fold"], { n: idle.length }), idle)] : [])]) : "";
  }));
}

function show(whole = true) {
  writeAddress();
  const told = data.variants[state.base];
  find("base").value = state.base;
  if (whole) {
    find("name").value = state.name;
    find("options").replaceChildren(...Object.entries(told.options).map(([name, option]) => {
      const input = make("input", { type: "checkbox", value: name });
      input.checked = state.options.includes(name);
      return make("label", {}, input, " ", option.title + option.mark);
    }));
    showRules();
  }
  showChanges();
}

function listen() {
  find("base").addEventListener("change", (event) => { state = { ...state, base: event.target.value, options: [] }; show(); });
  find("name").addEventListener("input", (event) => { state.name = event.target.value; show(false); });
  find("options").addEventListener("change", () => {
    const ticked = Array.from(find("options").querySelectorAll("input:checked"), (input) => input.value);
    for (const name of ticked.filter((one) => !state.options.includes(one))) for (const [rule] of valuesOfOption(name)) delete state.changes[rule];
    state.options = ticked;
    show();
  });
  for (const box of ["rules", "found"]) find(box).addEventListener("change", (event) => { if (event.target.matches("select") && event.target.value !== "free") showRules(); });
  find("find").addEventListener("input", showRules);
  find("choose").addEventListener("submit", (event) => event.preventDefault());
  find("choose").addEventListener("reset", (event) => {
    event.preventDefault();
    state = { base: state.base, name: "", options: [], changes: {} };
    find("find").value = "";
    show();
  });
  find("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    find("said").textContent = words.copied;
  });
  find("remember").addEventListener("click", () => {
    const other = keptTable();
    if (other?.name && other.name !== state.name && !confirm(fill(words.replace, { name: other.name }))) return;
    const isKept = keepTable({ name: state.name, base: state.base, options: state.options, changes: changedValues() });
    if (isKept) window.belotVariant.playTable();
    find("said").textContent = words[isKept ? "remembered" : "not-remembered"];
  });
}

// Whoever comes back finds the table that is remembered, and not an empty one that would take its place.
state = tableHere(data);
fitOptions();
listen();
show();
page.hidden = false;
