// The playground: a position is put together by tapping cards, and the rules' own engine says what may be played.
import { dealView } from "./deal.js";
import { ask } from "./engine.js";
import { keepSheet, readSheet } from "./sheet.js";
import { countInput, emptyCount, questionOf, readState, requestOf, writeState } from "./state.js";

const page = document.getElementById("try");
const root = new URL(page.dataset.root, location.href);
const data = await (await fetch(page.dataset.data)).json();
const words = data.words;
const find = (name) => document.getElementById("try-" + name);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function make(tag, attributes = {}, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) found.setAttribute(name, "");
    else if (value !== false && value !== undefined) found.setAttribute(name, value);
  }
  found.append(...inside);
  return found;
}

function firstState() {
  const mine = window.belotVariant?.get();
  const variant = data.variants[mine] ? mine : Object.keys(data.variants)[0];
  const example = data.examples[variant][0];
  const told = data.variants[variant];
  return {
    tab: "may", variant, options: [], zone: "hand", leader: 0, case: "",
    seed: 1 + Math.floor(Math.random() * 999998), chosen: [],
    trump: example.input.trump, trick: example.input.trick, hand: example.input.hand,
    hands: Array.from({ length: told.players }, () => []), count: emptyCount(told.sides.length),
  };
}

let state = readState(new URLSearchParams(location.search), data, firstState());
state.sheet = readSheet(state);
let latest = 0;

const own = () => data.variants[state.variant];

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

function sentenceOf(rule) {
  const changed = state.options.map((name) => own().options[name].rules[rule]).find(Boolean);
  return changed || own().rules[rule] || "";
}

function ruleLine(rule) {
  const link = make("a", { href: "../rules/" + rule + "/" }, data.rules[rule] || rule);
  return make("span", {}, sentenceOf(rule) + " ", make("span", { class: "from" }, "(", link, ")"));
}

// Where a card of the trick comes from, seen from who is to play: the one before me sits on my right.
function whose(index) {
  const back = state.trick.length - index;
  const players = own().players;
  if (players === 2) return words.opponent;
  if (players === 4 && back === 2) return words[own().side_of[0] === own().side_of[2] ? "partner" : "opposite"];
  return back === 1 ? words.right : words.left;
}

function showControls() {
  find("variant").value = state.variant;
  for (const radio of page.querySelectorAll("input[name=trump]")) radio.checked = radio.value === state.trump;
  find("trump").hidden = !["may", "best"].includes(state.tab);
  const box = find("options");
  box.replaceChildren(...Object.entries(own().options).map(([name, option]) => {
    const input = make("input", { type: "checkbox", value: name });
    input.checked = state.options.includes(name);
    return make("label", {}, input, " ", option.title);
  }));
  box.parentElement.hidden = !box.childElementCount;
  for (const tab of page.querySelectorAll("[role=tab]")) {
    const chosen = tab.dataset.tab === state.tab;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
  for (const panel of page.querySelectorAll("[data-panel]")) panel.hidden = !panel.dataset.panel.split(" ").includes(state.tab);
  find("body").setAttribute("aria-labelledby", "try-tab-" + state.tab);
}

function zones() {
  if (state.tab === "may") return [["hand", words["zone-hand"]], ["trick", words["zone-trick"]]];
  return state.hands.map((_, seat) => [String(seat), fill(words.seat, { n: "ABCD"[seat] })]);
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
    tag.textContent = zone ? words["tag-" + zone[0]] || "ABCD"[zone[0]] : "";
  }
}

function showTable(found) {
  const answer = found && found[questionOf(state, data).profiles[0]];
  find("trick").replaceChildren(...state.trick.map((card, index) => {
    const wins = answer && answer.winning === index ? ", " + words.wins : "";
    const leads = index === 0 ? " " + words.leads : "";
    return make("span", { class: "placed" }, picture(card), make("span", { class: "below" }, whose(index) + leads + wins));
  }));
  if (!state.trick.length) find("trick").textContent = words["you-lead"];
  const marks = (card) => (!answer || !answer.cards ? undefined : answer.cards.includes(card) ? "legal" : "illegal");
  find("hand").replaceChildren(...state.hand.map((card) => {
    const mark = marks(card);
    const button = make("button", { type: "button", class: "played " + (mark || ""), "data-ask": card }, picture(card, mark));
    button.addEventListener("click", () => tellWhy(card, answer));
    return button;
  }));
  if (!state.hand.length) find("hand").textContent = words["empty-hand"];
}

function tellWhy(card, answer) {
  if (!answer || !answer.cards) return;
  const may = answer.cards.includes(card);
  const rule = may ? answer.rule : answer.refused[card];
  find("why").replaceChildren(make("strong", {}, fill(words[may ? "why-may" : "why-may-not"], { card: data.cards[card].name })), " ", ruleLine(rule));
}

function problem(answer) {
  if (!answer) return words.nothing;
  if (answer.full) return words["trick-full"];
  if (answer.outside?.length) return fill(words["not-in-deck"], { cards: answer.outside.map((card) => data.cards[card].short).join(" ") });
  return answer.error ? words.impossible : "";
}

function showMay(found) {
  const profiles = questionOf(state, data).profiles;
  const answer = found[profiles[0]];
  const wrong = state.hand.length ? problem(answer) : words["empty-hand"];
  const verdict = find("verdict");
  find("why").replaceChildren();
  if (wrong) {
    verdict.textContent = wrong;
    find("chips").replaceChildren();
    return;
  }
  const names = answer.cards.map((card) => data.cards[card].short).join(" ");
  const free = answer.cards.length === state.hand.length;
  verdict.replaceChildren(make("strong", {}, free ? words["all-free"] : fill(words["you-may"], { cards: names })), " ", ruleLine(answer.rule));
  const refused = new Set(Object.values(answer.refused).filter((rule) => rule !== answer.rule));
  for (const rule of refused) verdict.append(" ", ruleLine(rule));
  showChips(found, profiles, (one) => (one.cards ? one.cards.map((card) => data.cards[card].short).join(" ") : ""));
}

// What the other variants say, those that differ first.
function showChips(found, profiles, told) {
  const mine = told(found[profiles[0]]);
  const others = profiles.slice(1).filter((name) => found[name] && !problem(found[name]));
  const differing = others.filter((name) => told(found[name]) !== mine);
  const agree = others.filter((name) => !differing.includes(name));
  const away = profiles.slice(1).filter((name) => found[name] && problem(found[name]));
  const chip = (name, differs) => {
    const button = make("button", { type: "button", class: differs ? "chip other" : "chip" }, differs ? "≠ " : "= ", data.variants[name].name, differs ? ": " + told(found[name]) : "");
    button.addEventListener("click", () => change({ variant: name, options: [] }));
    return make("li", {}, button);
  };
  const line = fill(words.agree, { n: agree.length + 1, all: others.length + 1 });
  find("chips").replaceChildren(make("li", { class: "line" }, line), ...differing.map((name) => chip(name, true)), ...agree.map((name) => chip(name, false)),
    ...away.map((name) => make("li", { class: "away" }, "– ", data.variants[name].name, ": ", words["not-there"])));
}

function showSeats(found) {
  const answer = found && found[questionOf(state, data).profiles[0]]?.result;
  find("seats").replaceChildren(...state.hands.map((hand, seat) => {
    const radio = make("input", { type: "radio", name: "leader", value: String(seat) });
    radio.checked = seat === state.leader;
    const name = fill(words.seat, { n: "ABCD"[seat] });
    const points = answer && answer.points[seat] ? fill(words.points, { n: answer.points[seat] }) : "";
    const best = answer && answer.winner === seat ? words.best : "";
    const cards = hand.length ? hand.map((card) => picture(card)) : [make("span", { class: "none" }, words["no-cards"])];
    return make("div", { class: "row" }, make("span", { class: "label" }, name, make("br"), make("label", {}, radio, " ", words.leads)),
      make("span", { class: "cards" }, ...cards), make("span", { class: "note" }, [best, points].filter(Boolean).join(", ")));
  }));
}

function showBest(found) {
  const profiles = questionOf(state, data).profiles;
  const reply = found[profiles[0]];
  const told = (one) => {
    if (!one.result) return words.impossible;
    if (one.result.wins_match) return fill(words["wins-match"], { n: "ABCD"[one.result.winner] });
    const points = one.result.points.map((n, seat) => (n ? "ABCD"[seat] + " " + n : "")).filter(Boolean).join(", ");
    return points ? fill(words.scores, { points }) : words["nobody-scores"];
  };
  const rules = (reply.rules || []).filter((rule) => rule.startsWith("declarations.") && sentenceOf(rule));
  find("verdict").replaceChildren(make("strong", {}, told(reply)));
  find("why").replaceChildren(reply.result ? ruleList(rules) : "");
  showChips(found, profiles, told);
}

function ruleList(rules) {
  const list = make("ul", { class: "why" }, ...rules.map((rule) => make("li", {}, ruleLine(rule))));
  return make("details", {}, make("summary", {}, words["the-rules"]), list);
}

function showCountForm() {
  const told = own();
  const count = state.count;
  const seats = Array.from({ length: told.players }, (_, seat) => make("option", { value: String(seat) }, fill(words.seat, { n: "ABCD"[seat] })));
  find("taker").replaceChildren(...seats);
  find("taker").value = String(count.taker);
  find("last").replaceChildren(make("option", { value: "" }, words["last-included"]), ...told.sides.map((name, side) => make("option", { value: String(side) }, name)));
  find("last").value = count.last;
  const names = ["cards", "tricks", "declarations", "belote"];
  const head = make("tr", {}, make("td"), ...told.sides.map((name) => make("th", { scope: "col" }, name)));
  const rows = names.map((name) => make("tr", {}, make("th", { scope: "row" }, words["count-" + name]), ...count.sides.map((side, index) => {
    const input = make("input", { type: "number", min: "0", max: "9999", inputmode: "numeric", "aria-label": words["count-" + name] + ", " + told.sides[index] });
    input.value = String(side[name]);
    input.addEventListener("input", () => { side[name] = Math.max(0, Number.parseInt(input.value, 10) || 0); changed(false); });
    return make("td", {}, input);
  })));
  find("count").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

function showCount(found) {
  const reply = Object.values(found)[0];
  if (!reply.result) {
    find("verdict").textContent = words["count-impossible"];
    find("why").replaceChildren();
    return;
  }
  const { outcome, points, written, held, counted } = reply.result;
  const sides = own().sides;
  const row = (name, figures) => make("tr", {}, make("th", { scope: "row" }, name), ...figures.map((figure) => make("td", {}, String(figure))));
  const table = make("table", { class: "count" },
    make("thead", {}, make("tr", {}, make("td"), ...sides.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, row(words["result-counted"], counted), row(words["result-points"], points), row(words["result-written"], written)));
  find("verdict").replaceChildren(make("strong", {}, words["outcome-" + outcome]), held ? " " + fill(words.held, { n: held }) : "", table);
  const rules = reply.rules.filter((rule) => rule.startsWith("scoring.") && sentenceOf(rule));
  find("why").replaceChildren(ruleList(rules));
  find("chips").replaceChildren();
}

function showSheet(found) {
  const reply = Object.values(found)[0];
  const sides = own().sides;
  const lines = reply.result?.deals || [];
  const cells = (figures) => figures.map((figure) => make("td", {}, String(figure)));
  const rows = lines.map((line, index) => make("tr", {}, make("th", { scope: "row" }, String(index + 1)),
    ...cells(line.score.map((points, side) => "+" + points + " = " + line.totals[side])), make("td", {}, String(line.held || ""))));
  const head = [make("th", { scope: "col" }, words.deal), ...sides.map((name) => make("th", { scope: "col" }, name)), make("th", { scope: "col" }, words["held-head"])];
  find("sheet").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  const winner = reply.result?.winner;
  let told = words["sheet-empty"];
  if (lines.length) told = winner === null ? words["sheet-on"] : fill(words["sheet-won"], { who: sides[winner] });
  if (!reply.result) told = words["sheet-over"];
  find("verdict").textContent = told;
  find("why").replaceChildren();
  find("chips").replaceChildren();
}

function write(deals) {
  state.sheet = deals;
  keepSheet(state);
  change({ tab: "sheet" });
}

const dealShown = dealView({ find, make, fill, words, data, own, picture, ruleLine, choose: (one) => change({ chosen: [...state.chosen, one] }) });

function showDeal(found) {
  const answer = dealShown(found);
  const cards = answer.hand || [];
  find("hand").replaceChildren(...cards.map((card) => {
    const mark = !answer.cards ? undefined : answer.cards.includes(card) ? "legal" : "illegal";
    const button = make("button", { type: "button", class: "played " + (mark || "") }, picture(card, mark));
    button.addEventListener("click", () => (mark === "legal" ? change({ chosen: [...state.chosen, card] }) : tellWhy(card, answer)));
    return button;
  }));
}

const SHOW = { may: showMay, best: showBest, count: showCount, sheet: showSheet, deal: showDeal };

function known() {
  if (state.tab !== "may" || state.options.length) return null;
  const text = JSON.stringify([state.trump, state.trick, state.hand]);
  const example = Object.values(data.examples).flat().find((one) => JSON.stringify([one.input.trump, one.input.trick, one.input.hand]) === text);
  return example ? example.found : null;
}

function tell({ step, failed }) {
  const line = find("progress");
  line.hidden = step === 4;
  const bar = make("progress", { max: "4", value: String(step || 0), "aria-label": words.loading });
  line.replaceChildren(failed ? words.failed : words.loading, ...(failed ? [] : [" ", bar]));
}

function show(found) {
  if (state.tab === "may") showTable(found);
  if (state.tab === "best") showSeats(found);
  if (found) SHOW[state.tab](found);
  const request = requestOf(state, data);
  find("request").textContent = request ? JSON.stringify(request) : "";
  find("reply").textContent = found && request ? JSON.stringify(Object.values(found)[0]) : "";
  find("check").textContent = state.case ? "belot check --case " + state.case + " -- " + words.program : "";
  find("check").hidden = !state.case;
}

async function changed(whole = true) {
  history.replaceState(null, "", writeState(state));
  if (whole) {
    showControls();
    if (state.tab === "count") showCountForm();
    else if (["may", "best"].includes(state.tab)) showPicker();
  }
  latest += 1;
  const turn = latest;
  const ready = known();
  show(ready);
  if (ready) return;
  if (!data.engine) {
    find("verdict").textContent = words["not-included"];
    find("why").replaceChildren();
    find("chips").replaceChildren();
    return;
  }
  for (const part of ["verdict", "why", "chips"]) find(part).replaceChildren();
  try {
    const found = await ask(root, questionOf(state, data), tell);
    if (turn === latest) show(found);
  } catch {
    tell({ failed: true });
  }
}

function change(part) {
  const before = state.variant;
  state = { ...state, case: "", ...part };
  state.sheet = readSheet(state);
  if (state.variant !== before || part.options) state.chosen = [];
  if (state.variant !== before) {
    const told = own();
    state.hands = Array.from({ length: told.players }, (_, seat) => state.hands[seat] || []);
    state.leader = Math.min(state.leader, told.players - 1);
    state.count = emptyCount(told.sides.length);
    state.trick = state.trick.slice(-(told.players - 1));
  }
  changed();
}

function tap(card) {
  const place = zoneCards(state.zone);
  const was = place.includes(card);
  const without = (cards) => cards.filter((one) => one !== card);
  if (state.tab === "may") {
    const part = { hand: without(state.hand), trick: without(state.trick) };
    const full = state.zone === "trick" ? part.trick.length >= own().players - 1 : part.hand.length >= 12;
    if (!was && !full) part[state.zone] = [...part[state.zone], card];
    change(part);
    return;
  }
  const hands = state.hands.map(without);
  if (!was && hands[Number(state.zone)].length < own().hand) hands[Number(state.zone)].push(card);
  change({ hands });
}

function listen() {
  find("variant").addEventListener("change", (event) => change({ variant: event.target.value, options: [] }));
  page.addEventListener("change", (event) => {
    const { name, value } = event.target;
    if (name === "trump") change({ trump: value });
    if (name === "zone") state.zone = value;
    if (name === "leader") change({ leader: Number(value) });
    if (event.target.closest("#try-options")) {
      const picked = find("options").querySelectorAll("input:checked");
      change({ options: Array.from(picked, (input) => input.value) });
    }
  });
  for (const button of page.querySelectorAll(".pick")) button.addEventListener("click", () => tap(button.dataset.card));
  find("clear").addEventListener("click", () => change({ trick: [], hand: [], hands: state.hands.map(() => []) }));
  find("taker").addEventListener("change", (event) => { state.count.taker = Number(event.target.value); changed(false); });
  find("last").addEventListener("change", (event) => { state.count.last = event.target.value; changed(false); });
  find("half").addEventListener("click", () => { setCount([81, 81], [4, 4]); });
  find("all").addEventListener("click", () => { setCount([162, 0], [8, 0]); });
  find("note").addEventListener("click", () => write([...state.sheet, { scored: countInput(state.count) }]));
  find("passed").addEventListener("click", () => write([...state.sheet, { passed: true }]));
  find("undo").addEventListener("click", () => write(state.sheet.slice(0, -1)));
  find("new-sheet").addEventListener("click", () => write([]));
  find("new-deal").addEventListener("click", () => change({ seed: 1 + Math.floor(Math.random() * 999998), chosen: [] }));
  find("take-back").addEventListener("click", () => change({ chosen: state.chosen.slice(0, -1) }));
  find("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    find("copied").textContent = words.copied;
  });
  find("colours").addEventListener("change", (event) => document.documentElement.classList.toggle("two-colours", event.target.checked));
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

function setCount(cards, tricks) {
  state.count.sides.forEach((side, index) => { side.cards = cards[index] || 0; side.tricks = tricks[index] || 0; });
  state.count.last = "";
  changed();
}

function showExamples() {
  const items = data.examples[state.variant].map((one) => {
    const query = new URLSearchParams({ tab: "may", v: state.variant, t: one.input.trump, trick: one.input.trick.join("."), hand: one.input.hand.join("."), case: one.case });
    return make("li", {}, make("a", { href: "?" + query }, one.ask));
  });
  find("examples").replaceChildren(...items);
}

listen();
showExamples();
page.hidden = false;
changed();
