// The deal as people count it: card points of one side give those of the other, tricks only say whether somebody has them all.
import { sideNames } from "./seats.js";

const NUMBERS = ["cards", "declarations", "belote"];

export const isEmpty = (count) => count.sides.every((side) => !side.cards && !side.tricks);

export function setTricks(count, told, all) {
  const each = Math.floor(told.hand / told.sides);
  count.sides.forEach((side, index) => {
    if (all === "") side.tricks = index ? each : told.hand - each * (told.sides - 1);
    else side.tricks = index === Number(all) ? told.hand : 0;
  });
}

export function hasAll(count, told) {
  const place = count.sides.findIndex((side) => side.tricks === told.hand);
  return place < 0 ? "" : String(place);
}

export const inAll = (count, told) => told.all + (count.last === "" ? told.last : 0);

export function countForm({ find, make, words, own, count, changed }) {
  const told = own();
  const names = sideNames(told, words);
  const choices = (none) => [...(none ? [make("option", { value: "" }, none)] : []), ...names.map((name, side) => make("option", { value: String(side) }, name))];
  const choose = (id, none, value, take) => {
    find(id).replaceChildren(...choices(none));
    find(id).value = value;
    find(id).onchange = (event) => { take(event.target.value); changed(true); };
  };
  choose("taker", "", String(told.side_of[count.taker]), (side) => { count.taker = told.side_of.indexOf(Number(side)); });
  choose("last", words["last-included"], count.last, (side) => { count.last = side; });
  choose("every", words.nobody, hasAll(count, told), (side) => {
    setTricks(count, told, side);
    if (side !== "") count.sides.forEach((one, index) => { one.cards = index === Number(side) ? inAll(count, told) : 0; });
  });
  const inputs = [];
  const rows = NUMBERS.map((name) => make("tr", {}, make("th", { scope: "row" }, words["count-" + name]), ...count.sides.map((side, index) => {
    const input = make("input", { type: "number", min: "0", max: "9999", inputmode: "numeric", "aria-label": words["count-" + name] + ", " + names[index] });
    input.value = String(side[name]);
    inputs.push([input, side, name]);
    input.addEventListener("focus", () => input.select());
    input.addEventListener("input", () => {
      side[name] = Math.max(0, Number.parseInt(input.value, 10) || 0);
      if (name === "cards") fillOther(count, told, index);
      for (const [other, ofSide, kind] of inputs) if (other !== input) other.value = String(ofSide[kind]);
      changed(false);
    });
    return make("td", {}, input);
  })));
  const head = make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)));
  find("count").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

function fillOther(count, told, index) {
  if (isEmptyTricks(count)) setTricks(count, told, "");
  const left = inAll(count, told) - count.sides[index].cards;
  if (told.sides === 2 && left >= 0) count.sides[1 - index].cards = left;
}

const isEmptyTricks = (count) => count.sides.every((side) => !side.tricks);
