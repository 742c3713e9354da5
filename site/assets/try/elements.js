// How the playground and the builder of house rules put a page together: elements, and words with values filled in.
// A sentence of the engine, by its name among all; what it is filled in with may be another. A text is one already.
export const sentence = (all, said) => {
  if (typeof said !== "object") return said;
  const values = Object.entries(said.values).map(([key, value]) => [key, sentence(all, value)]);
  return (said.of ? said.of + ": " : "") + fill(all[said.name], Object.fromEntries(values));
};

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// French sets a space that no line breaks at before a colon and a semicolon.
const apart = document.documentElement.lang === "fr";
export const set = (text) => (apart && typeof text === "string" ? text.replace(/(^|[^\s\u00a0])([:;])(?=\s|$)/g, "$1\u00a0$2") : text);

export function make(tag, attributes = {}, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) found.setAttribute(name, "");
    else if (value !== false && value !== undefined) found.setAttribute(name, value);
  }
  found.append(...inside.map(set));
  return found;
}

// The steps by which a deal is settled, one column a side. A deal is multiplied for the side that scores it.
export function stepsTable(steps, sides, words, held) {
  const waits = held ? { points: "points-now", written: "written-held" } : {};
  const label = (name, [figure]) => fill(words[name === "raised" ? "raised-" + figure.slice(2) : "step-" + (waits[name] || name)], { n: held });
  const scores = (side) => steps.points[side] && (!steps.bid || steps.bid[side]);
  const cell = (name, figure, side) => make("td", {}, name === "raised" && !scores(side) ? "" : String(figure));
  const row = ([name, figures]) => make("tr", {}, make("th", { scope: "row" }, label(name, figures)), ...figures.map((figure, side) => cell(name, figure, side)));
  const head = make("tr", {}, make("td"), ...sides.map((name) => make("th", { scope: "col" }, name)));
  return make("table", { class: "count" }, make("thead", {}, head), make("tbody", {}, ...Object.entries(steps).map(row)));
}

// What is said in the bidding: a number with what is trump, or a word.
export const bidName = ({ bid, amount, mode }, data) => (amount ? amount + " " + data.modes[mode] : data.bids[bid]);
