// How the playground and the builder of house rules put a page together: elements, and words with values filled in.
// A sentence of the engine, by its name among all; what it is filled in with may be another. A text is one already.
export const sentence = (all, said) => {
  if (typeof said !== "object") return said;
  const values = Object.entries(said.values).map(([key, value]) => [key, sentence(all, value)]);
  return (said.of ? said.of + ": " : "") + fill(all[said.name], Object.fromEntries(values));
};

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function make(tag, attributes = {}, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) found.setAttribute(name, "");
    else if (value !== false && value !== undefined) found.setAttribute(name, value);
  }
  found.append(...inside);
  return found;
}

// The steps by which a deal is settled, one column a side.
export function stepsTable(steps, sides, words) {
  const row = ([name, figures]) => make("tr", {}, make("th", { scope: "row" }, words["step-" + name]), ...figures.map((figure) => make("td", {}, String(figure))));
  const head = make("tr", {}, make("td"), ...sides.map((name) => make("th", { scope: "col" }, name)));
  return make("table", { class: "count" }, make("thead", {}, head), make("tbody", {}, ...Object.entries(steps).map(row)));
}

// What is said in the bidding: a number with what is trump, or a word.
export const bidName = ({ bid, amount, mode }, data) => (amount ? amount + " " + data.modes[mode] : data.bids[bid]);
