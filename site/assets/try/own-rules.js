// A table's own rules: how an address tells them, and in which words; the playground and the builder of house rules share it.
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

// Short words in a list that has no column of signs.
export const unsigned = (short) => short.replace(/^[✓✗] (?=.)/, "");

// In short words, and as a sentence beside the other rules of the variant; a value that nobody listed is shown as it stands.
export function inWords(data, variant, rule, value) {
  const known = data.rules.find((one) => one.id === rule);
  if (!known) return { title: rule, short: told(value), sentence: "" };
  const places = data.variants[variant].told[rule];
  const place = known.values.findIndex((one) => sameValue(one, value));
  if (place >= 0) return { title: known.title, short: known.short[place] || told(value), sentence: data.sentences[places[place]] };
  const plain = known.free && typeof value === "number";
  const sentence = plain ? data.sentences[places[places.length - 1]].replaceAll(String(data.number), String(value)) : "";
  return { title: known.title, short: told(value), sentence };
}

// What is wrong with a table's rules, as one sentence.
export function faultInWords(fault, words, data) {
  const title = (rule) => data?.rules.find((one) => one.id === rule)?.title || rule;
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

function isOrContains(value, wanted) {
  if (sameValue(value, wanted)) return true;
  if (Array.isArray(value)) return value.some((item) => item === wanted || (Array.isArray(item) && item.includes(wanted)));
  return value && wanted && typeof value === "object" && typeof wanted === "object" &&
    Object.entries(wanted).every(([key, one]) => value[key] === one);
}

// A rule that does not matter itself makes none matter that depends on it.
export function matters(data, id, values) {
  const rule = data.rules.find((one) => one.id === id);
  return Object.entries(rule?.needs || {}).every(([needed, wanted]) =>
    needed in values && matters(data, needed, values) && wanted.some((one) => isOrContains(values[needed], one)));
}

// The table that an address of the builder tells, as far as its rules are known: ?base=belotten&o=half-points&match.target=51
export function readTable(query, data) {
  const base = [query.get("base"), window.belotVariant?.get(), Object.keys(data.variants)[0]].find((name) => data.variants[name]);
  const known = new Set(data.rules.map((rule) => rule.id));
  return {
    base, name: (query.get("name") || "").slice(0, 60),
    options: (query.get("o") || "").split(",").filter((name) => data.variants[base].options[name]),
    changes: Object.fromEntries(Object.entries(readRules(query)).filter(([rule]) => known.has(rule))),
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

export function keepTable(table) {
  try {
    if (table) localStorage.setItem(KEY, JSON.stringify(table));
    else localStorage.removeItem(KEY);
  } catch { /* it lasts as long as the page */ }
}
