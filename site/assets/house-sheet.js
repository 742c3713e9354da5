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

// What says only that something is not played stands last, unless the table changed it.
const isAbsent = ({ id }) => told.absent.includes(id) && sameValue(plain[id], played[id]);
const section = (title, rules) => (rules.length ? make("section", {}, make("h2", {}, title), make("ul", {}, ...rules.map(({ id }) => line(id)))) : "");
const live = data.rules.filter(({ id }) => id in played && matters(data, id, played));
const sections = [...Object.entries({ ...data.topics, ...told.topics }).map(([topic, title]) => section(title, live.filter((rule) => rule.topic === topic && !isAbsent(rule)))), section(words.absent, live.filter(isAbsent))];
const ticked = table.options.map((name) => told.options[name].title);
// What the table changed itself is said beside what it ticked.
const own = Object.keys(table.changes).filter((rule) => rule in played && !sameValue(plain[rule], played[rule]) && matters(data, rule, played)).map((rule) => said(rule, played[rule])).map(({ title, short, sentence }) => sentence || title + ": " + short);
const differently = [...ticked, ...own];
const lead = words.based + (differently.length ? " " + fill(words.ticked, { options: differently.map((one) => one.replace(/\.$/, "")).join("; ") }) : "");
show(lead, sections, [fill(words.mark, { name: told.name }), " · ", words.basis]);
