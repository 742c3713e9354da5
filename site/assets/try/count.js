// The deal that is being counted: the form for it, and how it is told to the engine and in the address.
import { amountOf } from "./bids.js";
import { sideNames } from "./seats.js";

const FIGURES = ["cards", "declarations"];

export function emptyCount(sides) {
  const each = (value) => Array.from({ length: sides }, () => value);
  return { kind: "scored", taker: null, cards: each(""), trickless: each(false), declarations: each(""), outranked: each(""), belote: each(0), trump: null, bid: null, raised: 1, last: null, guilty: null, by: null, declared: "" };
}

export const isEmpty = (count) => JSON.stringify(count) === JSON.stringify(emptyCount(count.cards.length));

// A figure as people write it: nothing, a whole number, or what is none (NaN).
function figure(text) {
  if (!text.trim()) return null;
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN;
}

// Whether one side has every trick: only then what others announced and what was beaten can be somebody's.
const oneHasAll = ({ trickless }) => trickless.filter((without) => !without).length === 1;

// The first field that holds no number.
export function badFigure(count) {
  return [...count.cards, ...count.declarations, ...(oneHasAll(count) ? count.outranked : []), count.declared].find((text) => Number.isNaN(figure(text)));
}

// What is bid for goes with the count where there are contracts; in which suit makes no difference. Where nothing but suits can be bid it is one.
function contractOf({ trump, bid, raised }, told) {
  if (!told.auction) return {};
  const modes = ofContract(told);
  return { trump: trump ?? (modes.length === 1 ? modes[0] : null), bid, raised };
}

const seatOf = (told, side) => (side === null ? null : told.side_of.indexOf(side));

// What the engine is to count; nothing while there is nothing that it could.
export function counting(count, told) {
  if (count.kind !== "scored" || isEmpty(count) || badFigure(count) !== undefined) return null;
  return {
    taker: seatOf(told, count.taker), cards: count.cards.map(figure), trickless: count.trickless, belote: count.belote, ...contractOf(count, told),
    declarations: count.declarations.map((text) => figure(text) || 0), outranked: count.outranked.map((text) => figure(text) || 0), last: count.last,
  };
}

// A deal that nobody took, or that a fault ended, as a match is told it; nothing until it is all said.
export function endedDeal(count, told) {
  if (count.kind === "passed") return { passed: true };
  if (count.kind !== "accusation" || count.guilty === null || badFigure(count) !== undefined) return null;
  const by = told.sides === 2 ? 1 - count.guilty : count.by;
  if (by === null || by === count.guilty) return null;
  const declared = figure(count.declared);
  return { accusation: { by: seatOf(told, by), of: seatOf(told, count.guilty), proved: true, ...(declared ? { declared } : {}) } };
}

// A deal that stands on the sheet, to be corrected.
export function countOf(deal, told) {
  const count = emptyCount(told.sides);
  const text = (number) => (number ? String(number) : "");
  if (deal.passed) return { ...count, kind: "passed" };
  if (deal.accusation) {
    const { by, of, declared } = deal.accusation;
    return { ...count, kind: "accusation", guilty: told.side_of[of], by: told.side_of[by], declared: text(declared) };
  }
  const { taker, sides, last_trick: last, trump, bid, raised } = deal.scored;
  return {
    ...count, taker: told.side_of[taker], cards: sides.map((side) => String(side.cards)), trickless: sides.map((side) => !side.tricks),
    declarations: sides.map((side) => text(side.declarations)), outranked: sides.map((side) => text(side.outranked)), belote: sides.map((side) => (side.belote || 0) / told.belote),
    trump: trump ? kindOf(trump, told) : null, bid: bid ?? null, raised: raised || 1, last: last ?? null, written: true,
  };
}

// Any suit counts as another.
const kindOf = (mode, told) => (mode.length === 1 && "NA".includes(mode) ? mode : told.modes[0]);
const ofContract = (told) => [...new Set(told.modes.map((mode) => kindOf(mode, told)))];

// In the address: ?taker=0&s0=95.1.20.0&s1=67.1.0.1: card points, tricks (0 for none), declarations, belote; beaten declarations if there are any.
export function readCount(query, told) {
  const count = emptyCount(told.sides);
  const side = (text) => (/^\d$/.test(text || "") && Number(text) < told.sides ? Number(text) : null);
  const seat = /^\d$/.test(query.get("taker") || "") ? Number(query.get("taker")) : -1;
  if (seat in told.side_of) count.taker = told.side_of[seat];
  count.last = side(query.get("last"));
  if (told.auction && told.modes.includes(query.get("t"))) count.trump = kindOf(query.get("t"), told);
  if (told.auction && /^[2-9]$/.test(query.get("raised") || "")) count.raised = Number(query.get("raised"));
  if (told.auction) count.bid = amountOf(query.get("bid"));
  const parts = Array.from({ length: told.sides }, (_, index) => (query.get("s" + index) || "").split("."));
  if (!parts.some(([, tricks]) => Number(tricks))) return count;
  parts.forEach(([cards, tricks, declarations, belote, outranked], index) => {
    count.cards[index] = cards || "";
    count.trickless[index] = tricks === "0";
    count.declarations[index] = Number(declarations) ? declarations : "";
    count.outranked[index] = Number(outranked) ? outranked : "";
    // So many, or as it stands in a question: the points of all of them.
    const n = /^\d+$/.test(belote || "") ? Number(belote) : 0;
    count.belote[index] = n > 4 ? Math.floor(n / told.belote) : n;
  });
  return count;
}

export function writeCount(query, count, told) {
  if (count.kind !== "scored") return;
  if (count.taker !== null) query.set("taker", String(seatOf(told, count.taker)));
  if (count.last !== null) query.set("last", String(count.last));
  if (count.trump !== null) query.set("t", count.trump);
  if (count.bid !== null) query.set("bid", String(count.bid));
  if (count.raised > 1) query.set("raised", String(count.raised));
  if (isEmpty({ ...count, taker: null, last: null, trump: null, bid: null, raised: 1 })) return;
  count.cards.forEach((cards, side) => query.set("s" + side, [cards, Number(!count.trickless[side]), count.declarations[side] || 0, count.belote[side], ...(count.outranked[side] ? [count.outranked[side]] : [])].join(".")));
}

// The number of a bid, from a list: nothing is said until one is chosen.
function amountChoice({ make, legend, amounts, value, take }) {
  const list = make("select", { id: "try-bid" }, ...["", ...amounts].map((amount) => make("option", { value: String(amount) }, String(amount))));
  list.value = value === null ? "" : String(value);
  list.addEventListener("change", () => take(amountOf(list.value)));
  return make("p", { class: "zones" }, make("label", {}, legend + " ", list));
}

// What the form is made of is made once for a count; what is typed changes only what hangs on it.
export function countForm({ find, make, words, own, modeName, count, kinds, table, changed, formChanged }) {
  const names = sideNames(own(), words);
  const choice = (name, legend, choices, value, take) => make("fieldset", { class: "zones" }, make("legend", {}, legend), ...choices.map(([key, text]) => {
    const input = make("input", { type: "radio", name, value: String(key) });
    input.checked = key === value;
    input.addEventListener("change", () => { take(key); changed(); });
    return make("label", {}, input, " ", text);
  }));
  const ofSides = names.map((name, side) => [side, name]);
  const number = (value, label, take) => {
    const input = make("input", { type: "text", inputmode: "numeric", autocomplete: "off", maxlength: "9", "aria-label": label });
    input.value = value;
    input.addEventListener("input", () => { take(input.value); changed(); });
    return input;
  };
  const tick = (on, label, take) => {
    const input = make("input", { type: "checkbox", "aria-label": label });
    input.checked = on;
    input.addEventListener("change", () => { take(input.checked); changed(); });
    return input;
  };
  const row = (key, cell) => make("tr", {}, make("th", { scope: "row" }, words["count-" + key]), ...names.map((name, side) => make("td", {}, cell(side, words["count-" + key] + ", " + name))));
  // Of two sides that stand on the sheet the other one gets again what the corrected one leaves.
  const leaveRest = (side) => {
    if (!count.written || names.length > 2) return;
    delete count.written;
    count.cards[1 - side] = "";
    find("entry").querySelector(`input[data-side="${1 - side}"]`).value = "";
  };
  const figures = (key) => row(key, (side, label) => {
    const input = number(count[key][side], label, (text) => {
      count[key][side] = text;
      if (key === "cards") leaveRest(side);
    });
    if (key === "cards") input.dataset.side = String(side);
    return input;
  });
  const parts = [];
  if (count.kind === "scored") {
    const label = (side) => words["count-belote"] + ", " + names[side];
    const belote = count.trump === "A" ? names.map((_, side) => number(count.belote[side] ? String(count.belote[side]) : "", label(side), (text) => { count.belote[side] = /^[0-4]$/.test(text.trim()) ? Number(text) : 0; })) : names.map((_, side) => tick(count.belote[side] > 0, label(side), (on) => {
      count.belote = names.map((_name, other) => Number(on && other === side));
      belote.forEach((input, other) => { input.checked = count.belote[other] > 0; });
    }));
    // A side with every trick gets what others beat as well, at tables that play so.
    const beaten = table.outranked ? figures("outranked") : null;
    if (beaten) beaten.hidden = !oneHasAll(count);
    if (own().auction) {
      const modes = ofContract(own()).map((mode) => [mode, modeName(mode)]);
      if (modes.length > 1) parts.push(choice("contract", words["which-contract"], modes, count.trump, (mode) => { count.trump = mode; count.belote = names.map(() => 0); formChanged(); }));
      if (table.amounts.length) parts.push(amountChoice({ make, legend: words["what-bid"], amounts: table.amounts, value: count.bid, take: (bid) => { count.bid = bid; changed(); } }));
      if (table.raises.length) parts.push(choice("raised", words["how-doubled"], [1, ...table.raises].map((times) => [times, words["raised-" + times]]), count.raised, (times) => { count.raised = times; }));
    }
    parts.push(
      choice("taker", words["who-took"], ofSides, count.taker, (side) => { count.taker = side; }),
      make("table", { class: "count" }, make("thead", {}, make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {},
        figures(FIGURES[0]), row("trickless", (side, label) => tick(count.trickless[side], label, (on) => { count.trickless[side] = on; if (beaten) beaten.hidden = !oneHasAll(count); })),
        ...(table.declares ? [figures(FIGURES[1])] : []), ...(beaten ? [beaten] : []), row("belote", (side) => belote[side]))),
    );
  } else if (count.kind === "accusation") {
    parts.push(choice("guilty", words["who-pays"], ofSides, count.guilty, (side) => { count.guilty = side; }));
    if (own().sides > 2) parts.push(choice("by", words["who-saw"], ofSides, count.by, (side) => { count.by = side; }));
    if (table.declares) parts.push(make("p", {}, make("label", {}, words["declared-till-then"] + " ", number(count.declared, words["declared-till-then"], (text) => { count.declared = text; }))));
  }
  const seldom = make("details", {}, make("summary", {}, words["something-else"]));
  seldom.open = count.kind !== "scored" || count.last !== null || Boolean(find("entry").querySelector("details")?.open);
  if (kinds.length > 1) seldom.append(choice("kind", words["deal-was"], kinds.map((kind) => [kind, words["kind-" + kind]]), count.kind, (kind) => { count.kind = kind; }));
  if (count.kind === "scored") seldom.append(choice("last", words["last-apart"], [[null, words["last-included"]], ...ofSides], count.last, (side) => { count.last = side; }));
  find("entry").replaceChildren(...parts, seldom);
}

// What the other sides leave stands in the empty field.
export function showFilled(find, filled) {
  for (const input of find("entry").querySelectorAll("input[data-side]")) {
    const points = filled?.[Number(input.dataset.side)];
    input.placeholder = points === null || points === undefined ? "" : String(points);
  }
}
