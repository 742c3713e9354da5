// The playground: a position is put together by tapping cards, and the rules' own engine says what may be played.
import { askView } from "./ask.js";
import { emptyCount } from "./count.js";
import { capital, fill, make, sentence, set } from "./elements.js";
import { ask, wake } from "./engine.js";
import { linePanel } from "./line.js";
import { fetchRules, inWords, keptTable } from "./own-rules.js";
import { scoreView } from "./score.js";
import { lastMatch, nameOf, readSheet } from "./sheet.js";
import { questionOf, readState, replyOf, requestOf, writeState } from "./state.js";
import { isOwn, tablePanel } from "./table.js";

const WAITING = 250; // milliseconds until it is said that an answer is being worked out
const page = document.getElementById("try");
const root = new URL(page.dataset.root, location.href);
const data = await (await fetch(page.dataset.data)).json();
data.basis = {};
for (const told of Object.values(data.variants)) for (const one of [told, ...Object.values(told.options)]) Object.assign(one, { rules: {}, rests: {} });
// Those of the chosen variant, where its players say it otherwise, in the place of the common ones.
const words = { ...data.words };
const commonBids = { ...data.bids };
const find = (name) => document.getElementById("try-" + name);

// Who remembers a table plays by it, unless the address says otherwise.
function startingTable(variant) {
  const kept = keptTable();
  return kept?.base === variant && variant === window.belotVariant?.get() ? { options: kept.options, changes: kept.changes, name: kept.name } : {};
}

function firstState() {
  const mine = window.belotVariant?.get();
  const variant = data.variants[mine] ? mine : Object.keys(data.variants)[0];
  const example = data.examples[variant][0] ?? Object.values(data.examples).flat()[0];
  const told = data.variants[variant];
  return {
    tab: "may", variant, options: [], changes: {}, name: "", ...startingTable(variant), zone: "hand", leader: 0, took: 0, led: null, case: "",
    seed: 1 + Math.floor(Math.random() * 999998), dealer: null, chosen: [], line: "",
    op: "", question: null,
    trump: example.input.trump, trick: example.input.trick, hand: example.input.hand,
    hands: Array.from({ length: told.players }, () => []), count: emptyCount(told.sides.length),
  };
}

// What the rules of a variant say, and what they rest on, comes when it is first chosen.
const spoken = new Set();
async function speak(name, then) {
  const told = data.variants[name];
  if (!spoken.has(name)) {
    const found = await fetch("rules/" + name + ".json").then((one) => one.json()).catch(() => null);
    if (found) {
      spoken.add(name);
      for (const [into, from] of [[told, found], ...Object.entries(found.options).map(([option, one]) => [told.options[option], one])]) {
        into.title = from.title;
        Object.assign(into.rules, from.rules);
        Object.assign(into.rests, from.rests);
      }
      told.titles = found.titles;
      Object.assign(data.basis, found.basis);
    }
  }
  then();
}

let state = readState(new URLSearchParams(location.search), data, firstState());
state.sheet = readSheet(nameOf(state));
let latest = 0;
let last = null;

const own = () => data.variants[state.variant];
const title = () => [own().name, state.name].filter(Boolean).join(set(": "));
const seats = () => own().seats;

// The words of every value of every rule: only a table with rules of its own needs them.
let allRules = null;
let ruleWords = null;
function rules() {
  allRules ||= fetchRules("../house-rules/data.json").then((found) => { ruleWords = found; return found; }).catch(() => null);
  return allRules;
}

// A picture of a card, with a mark: the grid holds one of each.
function picture(card, mark) {
  const svg = document.querySelector('.pick[data-card="' + card + '"] svg').cloneNode(true);
  if (mark) {
    svg.dataset.mark = mark;
    svg.setAttribute("aria-label", data.cards[card].name + ", " + words[mark === "legal" ? "may" : "may-not"]);
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", "#mark-" + mark);
    svg.append(use);
  }
  return svg;
}

function sentenceOf(rule, { variant, options, changes } = state) {
  if (rule in changes && ruleWords) {
    const { title, short, sentence } = inWords(ruleWords, variant, rule, changes[rule]);
    return sentence || title + ": " + short;
  }
  const told = data.variants[variant];
  const changed = options.map((name) => told.options[name].rules[rule]).find(Boolean);
  return changed || told.rules[rule] || "";
}

// What this table plays otherwise than its variant, in short.
async function otherwise({ variant, options, changes } = state) {
  const told = Object.keys(changes).length ? await rules() : null;
  const own = Object.entries(told ? changes : {}).map(([rule, value]) => inWords(told, variant, rule, value)).map(({ title, short }) => set(title + ": " + short));
  return [...options.map((name) => data.variants[variant].options[name].title || name), ...own].join(" · ");
}

// What a rule rests on at this table: an option may bring its own, a house rule has none.
function restsOf(rule) {
  if (rule in state.changes) return [];
  const told = state.options.map((name) => own().options[name].rests[rule]).find(Boolean) || own().rests[rule] || "";
  return told.split(" ").filter(Boolean);
}

// What a rule says, with a link to it and to the sources on which it rests.
function ruleLine(rule, basis = restsOf(rule)) {
  const link = make("a", { href: "../rules/" + rule + "/" }, own().titles?.[rule] || data.rules[rule] || rule);
  const rests = basis.flatMap((id) => [" · ", make("a", { class: "ref", href: "../" + data.basis[id] }, id.replace("..", "–"))]);
  return make("span", {}, sentenceOf(rule) + " ", make("span", { class: "from" }, "(", link, ...rests, ")"));
}

// Whoever led plays before me by as many turns as there are cards, or are to be, in the trick.
const ledBy = () => (state.led === null ? state.trick.length : state.led);
const whose = (index) => seats()[(own().players - ledBy() + index) % own().players];

function showControls() {
  page.dataset.tab = state.tab;
  Object.assign(words, data.words, own().words);
  Object.assign(data.bids, commonBids, own().bids);
  showOwn();
  for (const radio of page.querySelectorAll("input[name=trump]")) {
    radio.checked = radio.value === state.trump;
    radio.parentElement.hidden = !own().modes.includes(radio.value);
  }
  find("trump").hidden = !["may", "best"].includes(state.tab);
  const box = find("options");
  // Made once for a variant: what is ticked keeps the focus.
  if (box.dataset.of !== state.variant) {
    box.dataset.of = state.variant;
    box.replaceChildren(...Object.entries(own().options).map(([name, option]) => make("label", {}, make("input", { type: "checkbox", value: name }), " ", option.title || name)));
  }
  for (const input of box.querySelectorAll("input")) input.checked = state.options.includes(input.value);
  score.controls();
  find("tab-ask").hidden = state.tab !== "ask";
  box.parentElement.hidden = !box.childElementCount;
  for (const tab of page.querySelectorAll("[role=tab]")) {
    const chosen = tab.dataset.tab === state.tab;
    if (tab.dataset.tab === "best") tab.hidden = !own().declares;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
  for (const panel of page.querySelectorAll("[data-panel]")) panel.hidden = !panel.dataset.panel.split(" ").includes(state.tab);
  find("body").setAttribute("aria-labelledby", "try-tab-" + state.tab);
  document.querySelector("h1").firstChild.nodeValue = page.querySelector("#try-tab-" + state.tab + " .long").textContent + " · " + title();
}

function zones() {
  if (state.tab === "may") return [["hand", words["zone-hand"]], ["trick", words["zone-trick"]]];
  return state.hands.map((_, seat) => [String(seat), seats()[seat]]);
}

const zoneCards = (zone) => (state.tab === "may" ? state[zone] : state.hands[Number(zone)]);

function showPicker() {
  const names = zones();
  if (!names.some(([zone]) => zone === state.zone)) state.zone = names[0][0];
  find("zones").replaceChildren(make("legend", {}, words.tap), ...names.map(([zone, name]) => {
    const input = make("input", { type: "radio", name: "zone", value: zone });
    input.checked = zone === state.zone;
    return make("label", {}, input, " ", name);
  }));
  for (const button of page.querySelectorAll(".pick")) {
    const zone = names.find(([one]) => zoneCards(one).includes(button.dataset.card));
    button.setAttribute("aria-pressed", String(Boolean(zone)));
    const tag = button.querySelector(".where");
    tag.textContent = zone ? words["tag-" + zone[0]] || zone[1] : "";
  }
}

function showTable(found) {
  const answer = found && found.own;
  const cards = state.trick.map((card, index) => {
    const wins = answer && answer.winning === index ? ", " + words.wins : "";
    return make("span", { class: "placed" }, picture(card), make("span", { class: "below" }, whose(index) + wins));
  });
  const empty = Array.from({ length: Math.max(0, ledBy() - cards.length) }, (_, place) =>
    make("span", { class: "placed empty" }, make("span", { class: "slot" }), make("span", { class: "below" }, whose(cards.length + place))));
  find("trick").replaceChildren(...cards, ...empty);
  if (!ledBy()) find("trick").textContent = words["you-lead"];
  showLeader();
  const marks = (card) => (!answer || !answer.cards ? undefined : answer.cards.includes(card) ? "legal" : "illegal");
  find("hand").replaceChildren(...state.hand.map((card) => {
    const mark = marks(card);
    const button = make("button", { type: "button", class: "played " + (mark || ""), "data-ask": card }, picture(card, mark));
    button.addEventListener("click", () => tellWhy(card, answer));
    return button;
  }));
  if (!state.hand.length) find("hand").textContent = words["empty-hand"];
}

function showLeader() {
  const names = seats();
  const turns = names.map((name, seat) => [(own().players - seat) % own().players, name]).sort(([one], [other]) => one - other);
  find("leader").replaceChildren(make("legend", {}, words["who-led"]), ...turns.map(([turn, name]) => {
    const input = make("input", { type: "radio", name: "led", value: String(turn) });
    input.checked = turn === ledBy();
    return make("label", {}, input, " ", name);
  }));
}

function tellWhy(card, answer) {
  if (!answer || !answer.cards) return;
  const may = answer.cards.includes(card);
  const rule = may ? answer.rule : answer.refused[card];
  find("why").replaceChildren(make("strong", {}, capital(fill(words[may ? "why-may" : "why-may-not"], { card: data.cards[card].name }))), " ", ruleLine(rule));
  find("why").scrollIntoView({ block: "nearest" });
}

function problem(answer) {
  if (!answer) return words.nothing;
  if (answer.full) return words["trick-full"];
  if (answer.outside?.length) return fill(words["not-in-deck"], { cards: answer.outside.map((card) => data.cards[card].short).join(" ") });
  return answer.error ? wrongQuestion(answer) : "";
}

function missing() {
  return Array.from({ length: Math.max(0, ledBy() - state.trick.length) }, (_, place) => whose(state.trick.length + place));
}

// The panel in which a deal is written has its own.
const verdictBox = () => find(state.tab === "sheet" ? "counted" : "verdict");

function say(text) {
  verdictBox().textContent = text;
  find("why").replaceChildren();
  find("chips").replaceChildren();
}

function showMay(found) {
  const answer = found.own;
  const wrong = state.hand.length ? problem(answer) : words["empty-hand"];
  if (wrong) {
    say(wrong);
    return;
  }
  find("why").replaceChildren();
  const names = answer.cards.map((card) => data.cards[card].short).join(" ");
  const free = answer.cards.length === state.hand.length;
  find("verdict").replaceChildren(make("strong", {}, free ? words["all-free"] : fill(words["you-may"], { cards: names })), " ", ruleLine(answer.rule));
  const refused = new Set(Object.values(answer.refused).filter((rule) => rule !== answer.rule));
  for (const rule of refused) find("verdict").append(" ", ruleLine(rule));
  showChips(found, (one) => (one.cards ? one.cards.map((card) => data.cards[card].short).join(" ") : ""));
}

// What each of the eight variants says: those that differ first, then those that agree, then those that cannot have the position.
function showChips(found, told, key = told) {
  const mine = key(found.own);
  const names = Object.keys(data.variants);
  const away = names.filter((name) => whyNotThere(name, found[name]));
  const here = names.filter((name) => !away.includes(name));
  const differing = here.filter((name) => key(found[name]) !== mine);
  const agree = here.filter((name) => !differing.includes(name));
  const item = (kind, sign, name, said) => {
    const yours = name === state.variant && !isOwn(state) ? " (" + words.yours + ")" : "";
    const button = make("button", { type: "button", class: "chip " + kind }, sign, " ", data.variants[name].name, yours, said ? ": " + said : "");
    button.addEventListener("click", () => change({ variant: name, options: [], changes: {}, name: "" }));
    return make("li", {}, button);
  };
  const line = [[agree, "agree"], [differing, "differ"], [away, "away"]].filter(([some], index) => some.length || !index)
    .map(([some, word]) => fill(words[some.length === 1 ? word + "-one" : word], { n: some.length, all: names.length }));
  find("chips").replaceChildren(make("li", { class: "line" }, line.join(" ")), ...differing.map((name) => item("other", "≠", name, told(found[name]))),
    ...agree.map((name) => item("alike", "=", name)), ...away.map((name) => item("away", "–", name, whyNotThere(name, found[name]))));
}

// Why a variant cannot have what is on the table: nothing where it can.
function whyNotThere(name, answer) {
  if (!answer || answer.full) return fill(words["only-players"], { n: data.variants[name].players });
  if (answer.outside?.length) return fill(words["without-cards"], { cards: answer.outside.map((card) => data.cards[card].short).join(" ") });
  if (answer.error && data.variants[name].players !== own().players) return fill(words["only-players"], { n: data.variants[name].players });
  return answer.error ? words["not-there"] : "";
}

// An error is told as what it is; what has no name among the sentences the engine says in English.
const wrongQuestion = (answer) => fill(words["wrong-question"], { why: sentence(data.notation, answer.said || answer.error) });

function showSeats(found) {
  const answer = found && found.own?.result;
  find("seats").replaceChildren(...state.hands.map((hand, seat) => {
    const radio = (name, chosen) => {
      const input = make("input", { type: "radio", name, value: String(seat) });
      input.checked = seat === chosen;
      return make("label", {}, input, " ", words[name === "took" ? "took" : "leads"]);
    };
    const points = answer && answer.points[seat] ? fill(words.points, { n: answer.points[seat] }) : "";
    const best = answer && answer.winner === seat ? words.best : "";
    const cards = hand.length ? hand.map((card) => picture(card)) : [make("span", { class: "none" }, words["no-cards"])];
    return make("div", { class: "row" }, make("span", { class: "label" }, seats()[seat], make("br"), radio("leader", state.leader), " ", radio("took", state.took)),
      make("span", { class: "cards" }, ...cards), make("span", { class: "note" }, [best, points].filter(Boolean).join(", ")));
  }));
}

function showBest(found) {
  const reply = found.own;
  const scored = (one) => one.result.points.map((n, seat) => (n ? seats()[seat] + " " + n : "")).filter(Boolean).join(", ");
  const inShort = (one) => {
    if (!one.result) return one.impossible ? impossible(one.impossible) : wrongQuestion(one);
    if (one.result.wins_match) return fill(words["wins-match"], { who: seats()[one.result.winner] });
    return scored(one) || words["nobody-scores"];
  };
  const points = reply.result && !reply.result.wins_match && scored(reply);
  const rules = (reply.rules || []).filter((rule) => rule.startsWith("declarations.") && sentenceOf(rule));
  find("verdict").replaceChildren(make("strong", {}, points ? fill(words.scores, { points }) : inShort(reply)));
  find("why").replaceChildren(reply.result ? ruleList(rules) : "");
  showChips(found, inShort);
}

function ruleList(rules) {
  const list = make("ul", { class: "why" }, ...rules.map((rule) => make("li", {}, ruleLine(rule))));
  return make("details", {}, make("summary", {}, words["the-rules"]), list);
}

function impossible({ kind, side, sides, ...about }, names = own().sides) {
  // Where cards are left over, these have the rest; of some contracts no declaration counts.
  const said = about.left ? kind + "-left" : about.each?.length === 0 ? kind + "-not" : kind;
  return fill(words["sums-" + said], { ...about, rest: about.wanted - about.n, who: names[side], both: (sides || []).map((one) => names[one]).join(", "), each: (about.each || []).join(", ") });
}

// Every card is a step back in the browser: Back takes it back.
function choose(one) {
  // A second tap on a card before the others have played is none.
  if (page.classList.contains("waiting")) return;
  history.pushState({ chosen: true }, "", location.href);
  change({ chosen: [...state.chosen, one] });
}

function takeBack() {
  playing?.goOn();
  if (history.state?.chosen) history.back();
  else change({ chosen: state.chosen.slice(0, -1) });
}

function dealToSheet(deal, isBeside) {
  const { variant } = state, match = isBeside ? score.matchBeside() : state.match;
  change({ tab: "sheet", match, sheet: readSheet(nameOf({ variant, match })), count: emptyCount(own().sides.length) });
  score.add(deal);
}

// The picture of a suit: the choice of trumps has one of each.
const suit = (mode) => find("trump").querySelector(`input[value="${mode}"]`)?.parentElement.querySelector("svg")?.cloneNode(true);
const score = scoreView({ find, make, suit, fill, words, data, own, wake: () => { if (data.engine) wake(root, tell); }, impossible, wrongQuestion, ruleList, sentenceOf, otherwise, title, state: () => state, changed });
// The table comes when somebody sits down to play.
let playing = null;
async function sitDown() {
  const { dealView } = await import("./deal.js");
  playing ||= dealView({ find, make, fill, words, data, own, picture, suit, ruleLine, choose, written: score.nextDeal, toSheet: dealToSheet });
}

const asking = askView({ find, make, fill, words, data, own, ruleLine, sentenceOf, ruleList, showChips, say, impossible, state: () => state, change });
const lines = linePanel({ find, make, fill, words, data, root, ask, tell, rules, reasons: asking.reasons, sentenceOf, missing, written: () => last?.own?.line, state: () => state, change });
const SHOW = { may: showMay, best: showBest, sheet: score.show, deal: (found) => playing.show(found), ask: asking.show };

function known() {
  if (state.tab === "ask") return asking.found();
  if (state.tab === "sheet") return score.known();
  if (state.tab !== "may" || state.options.length || isOwn(state)) return null;
  const text = JSON.stringify([state.trump, state.trick, state.hand]);
  const example = Object.values(data.examples).flat().find((one) => JSON.stringify([one.input.trump, one.input.trick, one.input.hand]) === text);
  if (!example) return null;
  const found = Object.fromEntries(Object.keys(data.variants).map((name, place) => [name, example.answers[example.of[place]]]));
  return { own: found[state.variant], ...found };
}

function tell({ step, failed }) {
  for (const line of page.querySelectorAll(".progress")) {
    line.hidden = step === 4;
    const bar = make("progress", { max: "4", value: String(step || 0), "aria-label": words.loading });
    line.replaceChildren(failed ? words.failed : words.loading, ...(failed ? [] : [" ", bar]));
  }
}

function show(found) {
  if (state.tab === "may") showTable(found);
  if (state.tab === "best") showSeats(found);
  if (found) SHOW[state.tab](found);
  const request = requestOf(state, data, found?.own);
  find("request").textContent = request ? JSON.stringify(request) : "";
  const reply = request && replyOf(state, found?.own);
  find("reply").textContent = reply ? JSON.stringify(reply) : "";
  find("check").textContent = state.case ? "belot check --case " + state.case + " -- " + words.program : "";
  find("check").hidden = !state.case;
}

async function changed(whole = true) {
  if (state.tab === "best" && !own().declares) state.tab = "deal";
  history.replaceState(history.state, "", writeState(state, data));
  if (whole) {
    showControls();
    if (state.tab === "sheet") score.showForm();
    else if (["may", "best"].includes(state.tab)) showPicker();
  }
  if (state.tab === "sheet") score.paper();
  latest += 1;
  const turn = latest;
  page.classList.remove("waiting");
  if (state.tab === "ask") {
    const ready = await asking.ready();
    if (turn !== latest || !ready) return;
    history.replaceState(history.state, "", writeState(state, data));
    asking.showForm(whole);
  }
  if (state.tab === "deal" && !playing) {
    await sitDown();
    if (turn !== latest) return;
  }
  const ready = known();
  show(ready);
  if (isOwn(state)) rules().then(() => { if (turn === latest && last) show(last); });
  last = ready;
  if (ready) return;
  if (state.tab === "may" && missing().length) {
    say(fill(words["still-missing"], { who: missing().join(", ") }));
    return;
  }
  if (state.tab === "may" && !state.hand.length) {
    say(words["empty-hand"]);
    return;
  }
  if (!data.engine) {
    say(words["not-included"]);
    return;
  }
  if (whole && state.tab !== "deal") for (const part of ["verdict", "why", "chips"]) find(part).replaceChildren();
  if (state.tab === "sheet") score.waiting();
  setTimeout(() => { if (turn === latest && !last && page.matches(".waiting")) verdictBox().textContent = words.waiting; }, WAITING);
  page.classList.add("waiting");
  try {
    const found = await ask(root, questionOf(state, data), tell);
    if (turn !== latest) return;
    page.classList.remove("waiting");
    last = found;
    show(found);
  } catch {
    tell({ failed: true });
    if (turn !== latest) return;
    page.classList.remove("waiting");
    verdictBox().replaceChildren();
  }
}

function change(part, whole = true) {
  const before = state.variant;
  state = { ...state, case: "", ...part };
  if (state.variant !== before || part.options || part.changes) Object.assign(state, { chosen: [], line: part.line || "" });
  if (state.variant !== before) {
    const told = own();
    state.hands = Array.from({ length: told.players }, (_, seat) => state.hands[seat] || []);
    state.leader = Math.min(state.leader, told.players - 1);
    state.took = Math.min(state.took, told.players - 1);
    if (!told.modes.includes(state.trump)) state.trump = told.modes[0];
    state.count = emptyCount(told.sides.length);
    state.match = lastMatch(state.variant);
    state.sheet = readSheet(nameOf(state));
    score.forget();
    state.led = state.dealer = null;
    state.trick = state.trick.slice(-(told.players - 1));
  }
  if (state.tab === "sheet" && (state.variant !== before || part.tab)) score.arrive();
  if (spoken.has(state.variant)) changed(whole);
  else speak(state.variant, () => changed(whole));
}

function tap(card) {
  const place = zoneCards(state.zone);
  const was = place.includes(card);
  const without = (cards) => cards.filter((one) => one !== card);
  if (state.tab === "may") {
    const part = { hand: without(state.hand), trick: without(state.trick) };
    const full = state.zone === "trick" ? part.trick.length >= own().players - 1 : part.hand.length >= 12;
    if (!was && !full) part[state.zone] = [...part[state.zone], card];
    if (state.led !== null && part.trick.length > state.led) part.led = null;
    change(part);
    return;
  }
  const hands = state.hands.map(without);
  if (!was && hands[Number(state.zone)].length < own().hand) hands[Number(state.zone)].push(card);
  change({ hands });
}

function listen() {
  find("variant").addEventListener("change", (event) => {
    const kept = event.target.value === "own" ? keptTable() : null;
    if (kept) change({ variant: kept.base, options: kept.options, changes: kept.changes, name: kept.name });
    else change({ variant: event.target.value, options: [], changes: {}, name: "" });
  });
  page.addEventListener("change", (event) => {
    const { name, value } = event.target;
    if (name === "trump") change({ trump: value });
    if (name === "zone") state.zone = value;
    if (name === "leader") change({ leader: Number(value) });
    if (name === "took") change({ took: Number(value) });
    if (name === "led") change({ led: Number(value), trick: state.trick.slice(0, Number(value)), zone: Number(value) > state.trick.length ? "trick" : state.zone });
    if (event.target.closest("#try-options")) {
      const picked = find("options").querySelectorAll("input:checked");
      change({ options: Array.from(picked, (input) => input.value) });
    }
  });
  for (const button of page.querySelectorAll(".pick")) button.addEventListener("click", () => tap(button.dataset.card));
  find("clear").addEventListener("click", () => change({ trick: [], hand: [], led: null, hands: state.hands.map(() => []) }));
  // The next deals, as at a table.
  find("new-deal").addEventListener("click", () => { playing?.goOn(); change({ dealer: ((last?.own?.dealer ?? own().players - 1) + 1) % own().players, seed: 1 + Math.floor(Math.random() * 999998), chosen: [], line: "" }); });
  find("take-back").addEventListener("click", takeBack);
  find("hint").addEventListener("click", () => { if (last) playing?.hint(); });
  addEventListener("popstate", () => {
    state = { ...readState(new URLSearchParams(location.search), data, state), zone: state.zone };
    state.sheet = readSheet(nameOf(state));
    if (state.tab === "sheet") score.arrive();
    speak(state.variant, changed);
  });
  find("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    find("copied").textContent = words.copied;
  });
  page.querySelector(".pack").addEventListener("keydown", moveInPack);
  const tabs = Array.from(page.querySelectorAll("[role=tab]"));
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => change({ tab: tab.dataset.tab }));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  });
}

// One stop of the Tab key for all cards; the arrows go from card to card.
function moveInPack(event) {
  const picks = Array.from(page.querySelectorAll(".pick"));
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8, Home: -picks.length, End: picks.length }[event.key];
  if (!step) return;
  event.preventDefault();
  const place = Math.min(Math.max(picks.indexOf(document.activeElement) + step, 0), picks.length - 1);
  for (const pick of picks) pick.tabIndex = -1;
  picks[place].tabIndex = 0;
  picks[place].focus();
}

// Positions to begin with.
function showExamples() {
  const items = data.examples[state.variant].map((one) => {
    const query = new URLSearchParams({ tab: "may", v: state.variant, t: one.input.trump, trick: one.input.trick.join("."), hand: one.input.hand.join("."), case: one.case });
    return make("li", {}, make("a", { href: "?" + query }, one.ask));
  });
  find("examples").replaceChildren(...items);
}

const showOwn = tablePanel({ find, make, fill, words, data, root, ask, tell, rules, own, change, state: () => state });
listen();
for (const pick of Array.from(page.querySelectorAll(".pick")).slice(1)) pick.tabIndex = -1;
showExamples();
// A deal is played from its line; of any other the form has it all.
const given = state.tab === "deal" ? "" : state.line;
state.line = given ? "" : state.line;
if (state.tab === "sheet") score.arrive();
await speak(state.variant, () => { page.hidden = false; changed(); });
if (state.tab === "sheet") score.open();
if (given) lines.read(given);
