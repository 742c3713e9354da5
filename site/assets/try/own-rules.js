// A table's own rules: how an address tells them, and in which words; the playground and the builder of house rules share it.
import { fill } from "./elements.js";

// ?v=belotten&o=half-points&name=The+Swan&match.target=51: what has a dot in its name is a rule with its own value.
const isRule = (key) => /^[a-z]+(\.[a-z-]+)+$/.test(key);

function parsed(text) {
  try { return JSON.parse(text); } catch { return text; }
}

const told = (value) => (typeof value === "string" && parsed(value) === value ? value : JSON.stringify(value));

export function readRules(query) {
  return Object.fromEntries(Array.from(query).filter(([key]) => isRule(key)).map(([key, text]) => [key, parsed(text)]));
}

export function writeRules(query, changes) {
  for (const [rule, value] of Object.entries(changes)) query.set(rule, told(value));
  return query;
}

// The address of a page is easier to read with these as they are.
export const readable = (query) => "?" + query.toString().replace(/%2C/g, ",").replace(/%5B/g, "[").replace(/%5D/g, "]");

export const sameValue = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const placeOf = (data, rule, value) => data.byId[rule].values.findIndex((one) => sameValue(one, value));

// The words of all rules, as Python told them, with each rule by its id.
export async function fetchRules(address) {
  const data = await (await fetch(address)).json();
  return { ...data, byId: Object.fromEntries(data.rules.map((rule) => [rule.id, rule])) };
}

// A rule as players of a variant tell it.
export const toldBy = (data, variant, rule) => ({ ...data.byId[rule], ...data.variants[variant].words[rule] });

// In short words, and as a sentence beside the other rules of the variant; a value that nobody listed is shown as it stands.
export function inWords(data, variant, rule, value) {
  if (!data.byId[rule]) return { title: rule, short: told(value), sentence: "" };
  const known = toldBy(data, variant, rule);
  const places = data.variants[variant].told[rule];
  const place = placeOf(data, rule, value);
  if (place >= 0) return { title: known.title, short: known.short[place] || told(value), sentence: data.sentences[places[place]] };
  const sentence = known.free && typeof value === "number" ? fill(data.sentences[places[places.length - 1]], { n: value }) : "";
  return { title: known.title, short: told(value), sentence };
}

// As a table tells it: a sentence that hangs on other rules, beside those that the table plays otherwise than its variant.
export function besideOthers(data, variant, played, rule, value) {
  const found = inWords(data, variant, rule, value);
  const place = placeOf(data, rule, value);
  const ways = Object.entries(data.variants[variant].beside).map(([other, told]) => told[placeOf(data, other, played[other])]?.[rule]?.[place]);
  const sentence = data.sentences[ways.find((way) => way !== undefined)];
  return sentence ? { ...found, sentence } : found;
}

// The mark of a value that no source says, or what it is worth: whatever is kept by rule and place.
export const ofValue = (data, kept, rule, value) => kept[rule]?.[placeOf(data, rule, value)];

// Of places of values the values.
export const valuesOf = (data, plays) => Object.fromEntries(Object.entries(plays).map(([rule, place]) => [rule, data.byId[rule].values[place]]));

// What is played before a table changes anything: the values of its variant, and of its options.
export function playsBefore(data, { base, options }) {
  const told = data.variants[base];
  return Object.assign({}, ...[told, ...options.map((name) => told.options[name]).filter(Boolean)].map(({ plays }) => valuesOf(data, plays)));
}

// What is wrong with a table's rules, as one sentence.
export function faultInWords(fault, words, data) {
  const title = (rule) => data?.byId[rule]?.title || rule;
  const hint = fault.nearest ? " " + words["fault-nearest"].replace("{name}", fault.nearest) : "";
  const limits = fault.limits || [];
  const wanted = limits[0] !== null && limits[0] !== undefined
    ? words[limits[1] === null || limits[1] === undefined ? "fault-least" : "fault-between"].replace("{least}", limits[0]).replace("{most}", limits[1])
    : fault.listed?.length ? words["fault-listed"].replace("{values}", [...new Set(fault.listed)].join(", ")) : "";
  const values = {
    ...fault, hint, wanted, value: fault.value === undefined ? "" : told(fault.value), title: title(fault.rule || fault.key),
    titles: (fault.rules || []).map((rule) => "“" + title(rule) + "”").join(", "),
    needs: (fault.needs || []).map((rule) => "“" + title(rule) + "”").join(", "),
  };
  return words["fault-" + fault.kind].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").replace(/\s+/g, " ").trim();
}

// A value with all that stands in it, as JSON: rules that need another one name what must be among these.
function partsOf(value) {
  if (Array.isArray(value)) return [JSON.stringify(value), ...value.flatMap(partsOf)];
  const entries = value && typeof value === "object" ? Object.entries(value).map(([key, one]) => JSON.stringify({ [key]: one })) : [];
  return [JSON.stringify(value), ...entries];
}

export const applies = (condition, values) => Object.entries(condition).every(([needed, wanted]) =>
  needed in values && partsOf(values[needed]).some((part) => wanted.includes(part)));

export const matters = (data, id, values) => applies(data.byId[id]?.needs || {}, values);

// The table that an address of the builder tells, as far as its rules are known: ?base=belotten&o=half-points&match.target=51
export function readTable(query, data) {
  const base = [query.get("base"), window.belotVariant?.get(), Object.keys(data.variants)[0]].find((name) => data.variants[name]);
  return {
    base, name: (query.get("name") || "").slice(0, 60),
    options: (query.get("o") || "").split(",").filter((name) => data.variants[base].options[name]),
    changes: Object.fromEntries(Object.entries(readRules(query)).filter(([rule]) => rule in data.byId)),
  };
}

// The table that this device remembers.
const KEY = "belot-table";

export function keptTable() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "null");
    return found && found.base && found.changes ? found : null;
  } catch {
    return null;
  }
}

// The table that the address tells; without one, that which is remembered.
export function tableHere(data) {
  const address = new URLSearchParams(location.search);
  const mine = address.size ? null : keptTable();
  if (!mine || !data.variants[mine.base]) return readTable(address, data);
  return { ...readTable(writeRules(new URLSearchParams({ base: mine.base, o: (mine.options || []).join(",") }), mine.changes), data), name: mine.name || "" };
}

// Says whether the device keeps it; where it does not, it lasts as long as the page.
export function keepTable(table) {
  try {
    if (table) localStorage.setItem(KEY, JSON.stringify(table));
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
