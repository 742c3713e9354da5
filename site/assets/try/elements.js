// How the playground and the builder of house rules put a page together: elements, and words with values filled in.
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export function make(tag, attributes = {}, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) found.setAttribute(name, "");
    else if (value !== false && value !== undefined) found.setAttribute(name, value);
  }
  found.append(...inside);
  return found;
}
