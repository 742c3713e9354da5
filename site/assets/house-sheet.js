// The house rules of a table as a sheet to hang up: all rules, with those that are played otherwise in their place and marked.
import { fill, make } from "./try/elements.js";
import { matters, ofValue, sameValue } from "./try/own-rules.js";
import { data, plain, played, said, show, table, told, words } from "./house-table.js";

// What a value rests on, of those that the variant or one of its options has.
function mark(rule) {
  const found = ofValue(data, told.marks, rule, played[rule]);
  return found ? ["\u2060", make("sup", {}, found)] : [];
}

function line(rule) {
  const { title, short, sentence } = said(rule, played[rule]);
  if (rule in plain && sameValue(plain[rule], played[rule])) return make("li", {}, sentence || title + ": " + short, ...mark(rule));
  return make("li", { class: "changed" }, make("strong", {}, "▸ " + title + ": "), sentence || short, ...mark(rule));
}

const sections = Object.entries({ ...data.topics, ...told.topics }).map(([topic, title]) => {
  const lines = data.rules.filter((rule) => rule.topic === topic && rule.id in played && matters(data, rule.id, played)).map((rule) => line(rule.id));
  return lines.length ? make("section", {}, make("h2", {}, title), make("ul", {}, ...lines)) : "";
});
const ticked = table.options.map((name) => told.options[name].title);
// What the table changed itself is said beside what it ticked.
const own = Object.keys(table.changes).filter((rule) => rule in played && !sameValue(plain[rule], played[rule]) && matters(data, rule, played)).map((rule) => said(rule, played[rule])).map(({ title, short, sentence }) => sentence || title + ": " + short);
const differently = [...ticked, ...own];
const lead = words.based + (differently.length ? " " + fill(words.ticked, { options: differently.map((one) => one.replace(/\.$/, "")).join("; ") }) : "");
show(lead, sections, [fill(words.mark, { name: told.name }), " · ", words.basis]);
