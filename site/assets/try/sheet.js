// The score sheet of a match, kept on this device: one for each variant, whatever is ticked. Every change can be taken back.
import { sideNames } from "./seats.js";

const MOST_UNDONE = 50;
const key = (variant) => "belot-sheet " + variant;

export const emptySheet = () => ({ dealer: null, deals: [], past: [], seen: null });

export function readSheet(variant) {
  try {
    const found = JSON.parse(localStorage.getItem(key(variant)) || "null");
    if (Array.isArray(found)) return { ...emptySheet(), deals: found.filter((deal) => deal && (deal.passed || deal.scored)).map((deal, index) => ({ id: "0-" + index, deal })) };
    return found?.deals ? found : emptySheet();
  } catch {
    return emptySheet();
  }
}

function keep(variant, sheet) {
  try { localStorage.setItem(key(variant), JSON.stringify(sheet)); } catch { /* it lasts as long as the page */ }
  return sheet;
}

// What another tab has written meanwhile is read first, so that no row of either is lost.
export function changeSheet(variant, change) {
  const sheet = readSheet(variant);
  const { dealer, deals } = sheet;
  const after = change({ dealer, deals });
  return keep(variant, { ...sheet, ...after, past: [...sheet.past, { dealer, deals }].slice(-MOST_UNDONE), seen: null });
}

export function undoSheet(variant) {
  const sheet = readSheet(variant);
  const past = [...sheet.past];
  return keep(variant, { ...sheet, ...(past.pop() || {}), past, seen: null });
}

export const newRow = (deal) => ({ id: Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 8), deal });

const stands = ({ dealer, deals }, table) => JSON.stringify([table, dealer, deals]);

// What the engine said of this sheet is kept with it: it stands there before the engine does.
export function keepSeen(variant, sheet, table, answer) {
  const now = readSheet(variant);
  if (stands(now, table) === stands(sheet, table)) keep(variant, { ...now, seen: { of: stands(sheet, table), answer: { ...answer, counting: null } } });
}

export const seenBefore = (sheet, table) => (sheet.seen?.of === stands(sheet, table) ? sheet.seen.answer : null);

export function onOtherTab(variant, changed) {
  addEventListener("storage", (event) => { if (event.key === key(variant())) changed(); });
}

// The rows of the sheet as words: for the table, for paper, and to be sent.
export function sheetRows(answer, { words, fill, seats, contract }) {
  return answer.rows.map((row) => {
    if (!row.totals) return { note: words["row-" + row.is], cells: null };
    const freed = row.freed.some(Boolean) ? words.freed : "";
    const held = row.held ? fill(words["held-now"], { n: row.held }) : "";
    return {
      dealer: seats[row.dealer], totals: row.totals, note: [contract(row), words["row-" + row.is], freed, held].filter(Boolean).join("; "),
      cells: row.written.map((written, side) => [written, row.freed[side]].filter(Boolean).join(" + ")),
    };
  });
}

export function sheetTable({ find, make, words, fill, own, seats, sheet, answer, correct, editing, contract }) {
  const rows = sheetRows(answer, { words, fill, seats, contract });
  const knowsDealer = sheet.dealer !== null;
  const head = [words.deal, ...(knowsDealer ? [words["dealt-by"]] : []), ...sideNames(own(), words), ""].map((name) => (name ? make("th", { scope: "col" }, name) : make("td")));
  const width = own().sides + Number(knowsDealer);
  const body = rows.map((row, index) => {
    const button = make("button", { type: "button", class: "correct", "aria-label": fill(words.correct, { n: index + 1 }), "aria-pressed": String(sheet.deals[index].id === editing) }, "✎");
    button.addEventListener("click", () => correct(sheet.deals[index]));
    const cells = row.cells
      ? [...(knowsDealer ? [make("td", {}, row.dealer)] : []), ...row.cells.map((cell, side) => make("td", {}, make("span", { class: "plus" }, cell), " ", make("strong", {}, row.totals[side])))]
      : [make("td", { colspan: String(width) }, row.note)];
    const note = row.cells && row.note ? [make("span", { class: "below" }, row.note)] : [];
    return make("tr", {}, make("th", { scope: "row" }, String(index + 1), ...note), ...cells, make("td", { class: "tools" }, button));
  });
  find("sheet").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  find("sheet").hidden = !rows.length;
}

// How the match stands, in a sentence or two.
export function standing(answer, { words, fill, sides, seats, sheet }) {
  const last = answer.rows.filter((row) => row.totals).pop();
  if (!answer.rows.length) return words["sheet-empty"];
  const stand = last ? sides.map((name, side) => name + " " + last.totals[side]).join(" – ") : "";
  if (answer.winner !== null) return fill(words["sheet-won"], { who: sides[answer.winner], stand });
  const next = sheet.dealer === null ? "" : " " + fill(words["next-dealer"], { who: seats[answer.next_dealer] });
  return fill(words["sheet-on"], { stand, target: answer.target }) + next;
}

export function sheetText(answer, title, told) {
  const rows = sheetRows(answer, told).map((row, index) => (row.cells ? (index + 1) + ". " + told.sides.map((name, side) => name + " " + row.totals[side] + " (" + row.cells[side] + ")").join(", ") : (index + 1) + ".") + (row.note ? " · " + row.note : ""));
  return [title, ...rows, standing(answer, told)].join("\n");
}
