// The score sheet of a match: kept on this device, one for each way of playing.
const key = (state) => "belot-sheet " + [state.variant, ...state.options].join("+") + (Object.keys(state.changes).length ? JSON.stringify(state.changes) : "");

export function readSheet(state) {
  try {
    const found = JSON.parse(localStorage.getItem(key(state)) || "[]");
    return Array.isArray(found) ? found.filter((deal) => deal && (deal.passed || deal.scored)) : [];
  } catch {
    return [];
  }
}

export function keepSheet(state) {
  try { localStorage.setItem(key(state), JSON.stringify(state.sheet)); } catch { /* it lasts as long as the page */ }
}
