// The score sheets of matches, kept on this device: of each variant one, and as many beside it as there are tables, whatever
// is ticked. Every change can be taken back. Where the device keeps nothing, or has no room left, a sheet lasts as long as
// the page, which says so.

const MOST_UNDONE = 50;
const ROOM = 2000; // characters: some deals more
const PROBE = "belot-room";
const key = (name) => "belot-sheet " + name;
const lookedAt = (variant) => "belot-match " + variant;

// A sheet is called by its variant: "belotten", and those beside it "belotten 2", "belotten 3".
export const nameOf = ({ variant, match }) => (match > 1 ? variant + " " + match : variant);

export const emptySheet = () => ({ dealer: null, deals: [], begun: "", names: [], sides: [], past: [], seen: null, by: null });

// What could not be kept: by name the sheet as it stands here, and what the device had of it then.
const unkept = new Map();
// What the device was last seen to have, for when it may no longer be asked.
const seen = new Map();

function stored(name) {
  try {
    seen.set(name, localStorage.getItem(key(name)));
  } catch { /* as it was */ }
  try {
    const found = JSON.parse(seen.get(name) || "null");
    if (Array.isArray(found)) return { ...emptySheet(), deals: found.filter((deal) => deal && (deal.passed || deal.scored)).map((deal, index) => ({ id: "0-" + index, deal })) };
    return found?.deals ? { ...emptySheet(), ...found } : emptySheet();
  } catch {
    return emptySheet();
  }
}

export const sameDeal = (one, other) => JSON.stringify(one?.deal) === JSON.stringify(other?.deal);

// With what stands here alone, where another tab has written since.
export function readSheet(name) {
  const now = stored(name);
  const held = unkept.get(name);
  if (!held) return now;
  if (JSON.stringify(now.deals) === JSON.stringify(held.before.deals)) return held.sheet;
  const before = new Map(held.before.deals.map((row) => [row.id, row]));
  const own = new Map(held.sheet.deals.filter((row) => !sameDeal(row, before.get(row.id))).map((row) => [row.id, row]));
  const there = now.deals.map((row) => own.get(row.id) || row);
  return { ...now, deals: [...there, ...[...own.values()].filter(({ id }) => !now.deals.some((row) => row.id === id))] };
}

// What can be taken back is given up before a deal is.
function keep(name, sheet) {
  for (const one of [sheet, { ...sheet, seen: null }, { ...sheet, seen: null, past: sheet.past.slice(-1) }, { ...sheet, seen: null, past: [] }]) {
    try {
      localStorage.setItem(key(name), JSON.stringify(one));
      unkept.delete(name);
      return one;
    } catch { /* with less beside it, then */ }
  }
  unkept.set(name, { sheet, before: stored(name) });
  return sheet;
}

// Why the device keeps nothing more, if it does not: "full" or "forbidden"; asked before anybody has written.
export function whyUnkept(name) {
  try {
    localStorage.getItem(PROBE);
  } catch {
    return "forbidden";
  }
  if (unkept.has(name)) return "full";
  try {
    localStorage.setItem(PROBE, "0".repeat(ROOM));
    localStorage.removeItem(PROBE);
    return "";
  } catch {
    return "full";
  }
}

// Whether closing the page would lose a deal.
export const isAtRisk = () => [...unkept.values()].some(({ sheet, before }) => sheet.deals.some((row) => !before.deals.some((one) => one.id === row.id && sameDeal(one, row))));

// What another tab has written meanwhile is read first, so that no row of either is lost.
export function changeSheet(name, change) {
  const sheet = readSheet(name);
  const { dealer, deals, begun, names, sides } = sheet;
  const before = { dealer, deals, begun, names, sides };
  return keep(name, { ...sheet, ...change(before), past: [...sheet.past, before].slice(-MOST_UNDONE), seen: null });
}

export function undoSheet(name) {
  const sheet = readSheet(name);
  const past = [...sheet.past];
  return keep(name, { ...sheet, ...(past.pop() || {}), past, seen: null });
}

// `named` says that the suit was: in older rows any suit stood for all.
const newRow = (deal, named) => ({ id: Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 8), deal, named });

// With its first deal a sheet gets the date of the day.
export const addRow = (deal, named) => ({ deals, begun }) => ({ deals: [...deals, newRow(deal, named)], begun: begun || new Date().toLocaleDateString("sv") });

// What was kept before answers said how many belotes a contract has is asked again.
const stands = ({ dealer, deals }, table) => JSON.stringify(["belotes", table, dealer, deals]);

// What the engine said of this sheet is kept with it: it stands there before the engine does. So are the rules that it was counted by.
export function keepSeen(name, sheet, table, answer, by) {
  const now = readSheet(name);
  if (!unkept.has(name) && stands(now, table) === stands(sheet, table)) keep(name, { ...now, by, seen: { of: stands(sheet, table), answer: { ...answer, counting: null } } });
}

export const seenBefore = (sheet, table) => (sheet.seen?.of === stands(sheet, table) ? sheet.seen.answer : null);

// Which of several was last looked at, for who comes back without an address that says so.
export function lastMatch(variant) {
  try {
    return Number(localStorage.getItem(lookedAt(variant))) || 1;
  } catch {
    return 1;
  }
}

export function lookAt({ variant, match }) {
  try { localStorage.setItem(lookedAt(variant), String(match)); } catch { /* then the first is, next time */ }
}

export const isBegun = ({ deals, names, sides }) => deals.length > 0 || [...names, ...sides].some(Boolean);

// The numbers of the matches that have a deal or a name.
export function matchesOf(variant) {
  const names = [...unkept.keys()];
  try { for (let at = 0; at < localStorage.length; at += 1) names.push(localStorage.key(at).replace(/^belot-sheet /, "")); } catch { /* those of the page, then */ }
  const numbers = names.flatMap((name) => (name === variant ? [1] : name.startsWith(variant + " ") ? [Number(name.slice(variant.length + 1))] : []));
  return [...new Set(numbers)].filter((match) => match > 0 && isBegun(readSheet(nameOf({ variant, match })))).sort((one, other) => one - other);
}

export function onOtherTab(name, changed) {
  addEventListener("storage", (event) => { if (event.key === key(name()) || event.key === null) changed(); });
}
