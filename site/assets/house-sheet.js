// The house rules of a table as a sheet to hang up: all rules, with those that are played otherwise in their place and marked.
import { fill, make } from "./try/elements.js";
import { inWords, matters, readable, readTable, sameValue, writeRules } from "./try/own-rules.js";
import { fit } from "./paper.js";

const page = document.getElementById("house-sheet");
const words = JSON.parse(page.dataset.words);
const data = await (await fetch(page.dataset.data)).json();
const table = readTable(new URLSearchParams(location.search), data);
const told = data.variants[table.base];
const rules = new Map(data.rules.map((rule) => [rule.id, rule]));
const valuesOf = (plays) => Object.fromEntries(Object.entries(plays).map(([rule, place]) => [rule, rules.get(rule).values[place]]));

const plain = valuesOf(told.plays);
const played = { ...plain, ...Object.assign({}, ...table.options.map((name) => valuesOf(told.options[name].plays))), ...table.changes };

// What a value rests on, of those that the variant or one of its options has.
function mark(rule) {
  const place = rules.get(rule).values.findIndex((value) => sameValue(value, played[rule]));
  const found = told.marks[rule]?.[place];
  return found ? ["\u2060", make("sup", {}, found)] : [];
}

function line(rule) {
  const { title, short, sentence } = inWords(data, table.base, rule, played[rule]);
  const brief = title + ": " + short;
  if (rule in plain && sameValue(plain[rule], played[rule])) return make("li", {}, make("span", { "data-short": brief }, sentence || brief), ...mark(rule));
  return make("li", { class: "changed" }, make("strong", {}, "▸ " + title + ": "), sentence || short, ...mark(rule));
}

const sections = Object.entries(data.topics).map(([topic, title]) => {
  const lines = data.rules.filter((rule) => rule.topic === topic && rule.id in played && matters(data, rule.id, played)).map((rule) => line(rule.id));
  return lines.length ? make("section", {}, make("h2", {}, title), make("ul", {}, ...lines)) : "";
});
document.title = table.name || words.title;
const ticked = table.options.map((name) => told.options[name].title);
page.replaceChildren(
  make("header", {}, make("h1", {}, table.name || words.title),
    make("p", {}, fill(words.based, { name: told.name }), ticked.length ? " " + fill(words.ticked, { options: ticked.join("; ") }) : "")),
  make("div", { class: "columns" }, ...sections),
  make("footer", {}, fill(words.mark, { name: told.name }), " · ", words.basis),
);
const query = new URLSearchParams({ base: table.base });
if (table.options.length) query.set("o", table.options.join(","));
if (table.name) query.set("name", table.name);
document.querySelector(".bar a").href = "../" + readable(writeRules(query, table.changes));
fit(document.querySelector("main"));
