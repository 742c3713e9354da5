// The score sheet of a match, kept on this device: one for each variant, whatever is ticked. Every change can be taken back.

const MOST_UNDONE = 50;
const BLANK_ROWS = 18;
const key = (variant) => "belot-sheet " + variant;

export const emptySheet = () => ({ dealer: null, deals: [], begun: "", names: [], past: [], seen: null });

export function readSheet(variant) {
  try {
    const found = JSON.parse(localStorage.getItem(key(variant)) || "null");
    if (Array.isArray(found)) return { ...emptySheet(), deals: found.filter((deal) => deal && (deal.passed || deal.scored)).map((deal, index) => ({ id: "0-" + index, deal })) };
    return found?.deals ? { ...emptySheet(), ...found } : emptySheet();
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
  const { dealer, deals, begun, names } = sheet;
  const before = { dealer, deals, begun, names };
  return keep(variant, { ...sheet, ...change(before), past: [...sheet.past, before].slice(-MOST_UNDONE), seen: null });
}

export function undoSheet(variant) {
  const sheet = readSheet(variant);
  const past = [...sheet.past];
  return keep(variant, { ...sheet, ...(past.pop() || {}), past, seen: null });
}

const newRow = (deal) => ({ id: Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 8), deal });

// With its first deal a sheet gets the date of the day.
export const addRow = (deal) => ({ deals, begun }) => ({ deals: [...deals, newRow(deal)], begun: begun || new Date().toLocaleDateString("sv") });

// What was kept before rows held their forms is asked again.
const stands = ({ dealer, deals }, table) => JSON.stringify(["forms", table, dealer, deals]);

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
  const head = [words.deal, ...(knowsDealer ? [words["dealt-by"]] : []), ...own().sides, ""].map((name) => (name ? make("th", { scope: "col" }, name) : make("td", { class: "tools" })));
  const width = own().sides.length + Number(knowsDealer);
  const body = rows.map((row, index) => {
    const button = make("button", { type: "button", class: "correct", "aria-label": fill(words.correct, { n: index + 1 }), "aria-pressed": String(sheet.deals[index].id === editing) }, "✎");
    button.addEventListener("click", () => correct(sheet.deals[index], answer.rows[index].form));
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

// When it was played and by whom; what is not known gets a line to write it on, or is left out where nobody can write.
function headParts({ words, seats, names, sides, sideOf, sheet }) {
  const date = sheet.begun && new Date(sheet.begun + "T12:00").toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const players = sides.map((name, side) => [name, seats.filter((_, seat) => sideOf[seat] === side && names[seat]).join(", ")]);
  return [[words.date, date], ...players];
}

export function sheetHead(find, make, told) {
  find("sheet-head").replaceChildren(...headParts(told).map(([name, text]) => make("span", {}, name + ": ", text || make("span", { class: "line" }))));
}

// An empty sheet to keep on paper.
export function blankSheet({ find, make, words, own, sheet }) {
  const names = [words.deal, words["dealt-by"], ...own().sides];
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
  const rows = Array.from({ length: BLANK_ROWS }, (_, index) => make("tr", {}, make("th", { scope: "row" }, String(index + 1)), ...names.slice(1).map(() => make("td"))));
  find("blank").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  find("blank").hidden = sheet.deals.length > 0;
}

export function sheetText(answer, title, told) {
  const rows = sheetRows(answer, told).map((row, index) => (row.cells ? (index + 1) + ". " + told.sides.map((name, side) => name + " " + row.totals[side] + " (" + row.cells[side] + ")").join(", ") : (index + 1) + ".") + (row.note ? " · " + row.note : ""));
  const head = headParts(told).filter(([, text]) => text).map(([name, text]) => name + ": " + text).join(" · ");
  return [title, ...(head ? [head] : []), ...rows, standing(answer, told)].join("\n");
}
