// The table that an address tells, for whatever is printed of it: its variant, and what it plays with its own rules.
import { fill, make } from "./try/elements.js";
import { besideOthers, fetchRules, playsBefore, readable, tableHere, valuesOf, writeRules } from "./try/own-rules.js";
import { fit } from "./paper.js";

const page = document.getElementById("house-sheet");
export const words = JSON.parse(page.dataset.words);
export const data = await fetchRules(page.dataset.data);
export const table = tableHere(data);
export const told = data.variants[table.base];

export const plain = valuesOf(data, told.plays);
export const played = { ...playsBefore(data, table), ...table.changes };
export const said = (rule, value, beside = played) => besideOthers(data, table.base, beside, rule, value);

export function show(lead, sections, foot) {
  document.title = table.name || words.title;
  page.replaceChildren(
    make("header", {}, make("h1", {}, table.name || words.title), make("p", {}, fill(lead, { name: told.name }))),
    make("div", { class: "columns" }, ...sections),
    make("footer", {}, ...foot),
  );
  const query = new URLSearchParams({ base: table.base });
  if (table.options.length) query.set("o", table.options.join(","));
  if (table.name) query.set("name", table.name);
  document.querySelector(".bar a").href = "../" + readable(writeRules(query, table.changes));
  fit(document.querySelector("main"));
}
