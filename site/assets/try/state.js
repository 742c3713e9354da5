// What is on the table, and how the address says it: ?tab=may&v=belotten&t=H&trick=AS.10S&hand=7H.9H
import { isEmpty, readCount, writeCount } from "./count.js";
import { readable, readRules, writeRules } from "./own-rules.js";
import { lastMatch } from "./sheet.js";

const TABS = ["may", "best", "sheet", "deal", "ask"];
const LONGEST_LINE = 4000; // of a deal with all that was said

export function readState(query, data, start) {
  const state = { ...start };
  const listed = (key) => (query.get(key) || "").split(".").filter((card) => data.cards[card]);
  const variant = query.get("v");
  if (data.variants[variant]) state.variant = variant;
  const told = data.variants[state.variant];
  state.match = Number(/^[1-9]\d?$/.exec(query.get("m"))) || lastMatch(state.variant);
  if (query.has("v")) Object.assign(state, { options: (query.get("o") || "").split(","), changes: readRules(query), name: query.get("name") || "" });
  state.options = state.options.filter((name) => told.options[name]);
  state.changes = Object.fromEntries(Object.entries(state.changes).filter(([rule]) => data.known.includes(rule)));
  state.name = state.name.slice(0, 60);
  if (told.modes.includes(query.get("t"))) state.trump = query.get("t");
  // Counting a deal had a tab of its own.
  const tab = query.get("tab") === "count" ? "sheet" : query.get("tab");
  if (TABS.includes(tab)) state.tab = tab;
  if (query.has("hand") || query.has("trick")) {
    state.hand = listed("hand");
    state.trick = listed("trick").filter((card) => !state.hand.includes(card));
  }
  state.hands = Array.from({ length: told.players }, (_, seat) => listed("h" + seat));
  state.led = /^[0-3]$/.test(query.get("led") || "") ? Math.min(Number(query.get("led")), told.players - 1) : null;
  state.leader = Math.min(Math.max(Number.parseInt(query.get("lead"), 10) || 0, 0), told.players - 1);
  state.took = Math.min(Math.max(Number.parseInt(query.get("took"), 10) || 0, 0), told.players - 1);
  state.count = readCount(query, told);
  state.seed = Math.min(Math.max(Number.parseInt(query.get("seed"), 10) || start.seed, 1), 999999);
  state.dealer = /^[0-3]$/.test(query.get("dealer") || "") ? Math.min(Number(query.get("dealer")), told.players - 1) : null;
  state.chosen = (query.get("done") || "").split(".").filter(Boolean);
  state.line = (query.get("line") || "").slice(0, LONGEST_LINE);
  state.op = query.get("op") || "";
  state.question = readQuestion(query.get("question"));
  state.case = /^bc-\d{4,}$/.test(query.get("case") || "") ? query.get("case") : "";
  return state;
}

function readQuestion(text) {
  try {
    const told = JSON.parse(text);
    return typeof told === "object" && !Array.isArray(told) ? told : null;
  } catch {
    return null;
  }
}

export function writeState(state, data) {
  const query = new URLSearchParams({ tab: state.tab, v: state.variant });
  if (state.options.length) query.set("o", state.options.join(","));
  if (state.name) query.set("name", state.name);
  writeRules(query, state.changes);
  if (["may", "best"].includes(state.tab)) query.set("t", state.trump);
  if (state.tab === "may") {
    query.set("trick", state.trick.join("."));
    query.set("hand", state.hand.join("."));
    if (state.led !== null) query.set("led", String(state.led));
  } else if (state.tab === "best") {
    query.set("lead", String(state.leader));
    query.set("took", String(state.took));
    state.hands.forEach((hand, seat) => query.set("h" + seat, hand.join(".")));
  } else if (state.tab === "deal") {
    query.set("seed", String(state.seed));
    if (state.dealer !== null) query.set("dealer", String(state.dealer));
    if (state.line) query.set("line", state.line);
    query.set("done", state.chosen.join("."));
  } else if (state.tab === "sheet") {
    query.set("m", String(state.match));
    writeCount(query, state.count, data.variants[state.variant]);
  }
  if (state.tab === "ask" && !state.case && state.op) {
    query.set("op", state.op);
    // Not q: by that the theme opens its search.
    if (state.question) query.set("question", JSON.stringify(state.question));
  }
  if (state.case) query.set("case", state.case);
  return readable(query);
}

// What the engine is asked: by the table's own profile first, and by every variant where they are compared.
export function questionOf(state, data) {
  const table = { base: [state.variant, ...state.options].join("+"), changes: state.changes };
  const every = ["own", ...Object.keys(data.variants)];
  if (state.tab === "may") {
    return { ask: "may", profiles: every, table, input: { trump: state.trump, trick: state.trick, hand: state.hand } };
  }
  if (state.tab === "ask") return { ask: "question", profiles: every, table, input: { op: state.op, input: state.question } };
  if (state.tab === "deal") return { ask: "deal", profiles: ["own"], table, input: { seed: state.seed, dealer: state.dealer ?? data.variants[state.variant].players - 1, chosen: state.chosen, line: state.line, own: Object.keys(state.changes).length > 0 } };
  if (state.tab === "sheet") return { ask: "sheet", profiles: ["own"], table, input: sheetInput(state) };
  const input = { op: "compare-hands", input: { trump: state.trump, leader: state.leader, taker: state.took, hands: state.hands } };
  const alike = every.filter((name) => name === "own" || data.variants[name].players === data.variants[state.variant].players);
  return { ask: "operation", profiles: alike, table, input };
}

function sheetInput({ sheet, count }) {
  return { dealer: sheet.dealer, deals: sheet.deals.map(({ deal }) => deal), form: isEmpty(count) ? null : count };
}

// What a program is asked over the protocol for the same; a deal that is being played is no question yet.
export function requestOf(state, data, answer) {
  const question = questionOf(state, data);
  const profile = Object.keys(state.changes).length ? "house-rules.yaml" : question.table.base;
  const request = (op, input) => ({ id: "1", op, profile, input });
  if (state.tab === "deal") return null;
  if (state.tab === "may") return request("legal-cards", question.input);
  if (state.tab !== "sheet") return request(question.input.op, question.input.input);
  if (answer?.counting?.asked) return request("score-deal", answer.counting.asked);
  return answer?.asked ? request("match", answer.asked) : null;
}

// What `belot answer` says to that: nothing where the page knows more than a program is asked.
export function replyOf(state, answer) {
  if (!answer) return answer;
  if (answer.error || answer.fault) return { ...answer, said: undefined };
  if (state.tab === "may") return answer.cards && { id: "1", result: { cards: answer.cards, illegal: answer.refused } };
  const { result, rejected } = (state.tab === "sheet" ? answer.counting : answer) || {};
  if (rejected) return { id: "1", rejected };
  return result && { id: "1", result };
}
