// The score sheet as people at a table see it: where both sides stand, a row for each deal, and a panel to write one in.
import { countForm, countOf, emptyCount, isEmpty, numberKeys, showFilled } from "./count.js";
import { set, stepsTable } from "./elements.js";
import { headParts, sendFile, sheetPicture, sheetTable, sheetText, saveFile, spreadsheet } from "./send.js";
import { addRow, changeSheet, emptySheet, isAtRisk, isBegun, keepSeen, lookAt, matchesOf, nameOf, onOtherTab, readSheet, sameDeal, seenBefore, undoSheet, whyUnkept } from "./sheet.js";

const BLANK_ROWS = 18;
const toBlanks = location.hash === "#try-tables";

// What of the form hangs on the rules of the table.
const shapeOf = (answer) => JSON.stringify([answer.kinds, answer.outranked, answer.declares, answer.belotes, answer.raises, answer.amounts, answer.fault_brings_all]);

export function scoreView({ find, make, suit, fill, words, data, own, wake, impossible, wrongQuestion, ruleList, sentenceOf, otherwise, title, state, changed }) {
  let answer = null; // what the engine last said of the sheet
  let ready = null; // the deal that can be written
  let form = { kind: "", shape: "" };
  let edited = null; // the row that is being corrected, as it was
  let counted = ""; // how the last deal was counted
  let latest = null; // which was just written
  let others = null; // the rules that somebody came with, where the match on the sheet has its own
  const begun = new Set(); // the matches that somebody began here, with nothing in them yet
  const opened = new Set();
  const sheet = () => state().sheet;
  const here = () => nameOf(state());
  const table = () => JSON.stringify([state().options, state().changes]);
  const seats = () => own().seats.map((name, seat) => sheet().names[seat] || name);
  // Sides that have no name of their own are called by their players, as far as these have one.
  const sides = (of = sheet()) => own().sides.map((name, side) => of.sides[side] || own().side_of.flatMap((one, seat) => (one === side && of.names[seat] ? [of.names[seat]] : [])).join(" & ") || name);
  const each = (figures) => sides().map((name, side) => name + " " + figures[side]).join(" – ");

  const trumpOf = ({ trump }, index) => (trump && (sheet().deals[index]?.named || !data.suits.includes(trump)) ? trump : null);

  // Points and the sign of what befell a side: of one that has only the sign, that.
  const pointsApart = ({ points, sign }) => [points, sign && words["sign-" + sign]].filter(Boolean).join(" ");

  const withFreed = (written, freed) => (freed ? written + " + " + freed : written);

  // A row in words: for the table, for paper, and to be sent.
  function rowText(row, index) {
    if (!row.totals) return { note: words["row-" + row.is], said: words["row-" + row.is], bid: "", taker: "", cells: null };
    const mode = trumpOf(row, index);
    const doubled = row.raised > 1 ? words["raised-" + row.raised] : "";
    const taker = row.taker === undefined ? "" : sides()[row.taker];
    const bid = [row.bid === undefined ? "" : String(row.bid), mode ? data.modes[mode] : "", doubled].filter(Boolean).join(", ");
    const freed = row.freed.some(Boolean) ? words.freed : "";
    const held = row.held ? fill(words["held-now"], { n: row.held }) : "";
    const is = words["row-" + row.is] + (row.is === "accusation" ? ": " + sides()[row.form.guilty] : "");
    const said = [is, freed, held].filter(Boolean).join("; ");
    const cells = row.written.map((written, side) => (row.apart ? [pointsApart(row.apart[side]), row.apart[side].roem].filter(Boolean).join(" + ") : withFreed(written, row.freed[side])));
    return { said, note: [taker && fill(words["took-by"], { who: taker }), bid, said].filter(Boolean).join("; "), bid, taker, cells };
  }

  // How a deal came to what stands on the sheet.
  function howCounted({ parts, steps, freed = [] }) {
    const part = ([name, figure]) => [name && words["part-" + name], figure].filter(Boolean).join(" ");
    const of = (side) => (parts[side].length > 1 || parts[side][0]?.[0] ? " (" + parts[side].map(part).join(" + ") + ")" : "");
    const points = sides().map((name, side) => name + " " + steps.counted[side] + of(side)).join(", ");
    return fill(words["line-counted"], { points, written: each(steps.written.map((written, side) => withFreed(written, freed[side]))) });
  }

  function board() {
    const { totals, stands, gone, winner } = answer || own().sheet;
    find("board").replaceChildren(...sides().map((name, side) => {
      const has = winner === side;
      const bar = make("span", { class: "bar", "aria-hidden": "true" }, make("span"));
      bar.firstChild.style.width = gone[side] * 100 + "%";
      return make("div", { class: has ? "side winner" : "side" }, make("span", { class: "name" }, name), make("strong", { class: "total" }, totals[side]), bar, make("span", { class: "go" }, has ? words["won-it"] : fill(words[stands[side].say], stands[side])));
    }));
  }

  function bidCell(row, index) {
    const mode = trumpOf(row, index);
    const picture = mode && (suit(mode) || data.modes[mode]);
    return [row.bid === undefined ? "" : String(row.bid), " ", picture || "", row.raised > 1 ? " ×" + row.raised : ""];
  }

  function more(row, index) {
    const { note } = rowText(row, index);
    const id = sheet().deals[index].id;
    const button = (word, act, name) => {
      const found = make("button", { type: "button", class: "choice", "aria-label": fill(words[name], { n: index + 1 }) }, words[word]);
      found.addEventListener("click", act);
      return found;
    };
    const dealt = row.totals && sheet().dealer !== null ? [make("span", {}, words["dealt-by"] + ": " + seats()[row.dealer])] : [];
    const stand = row.totals ? [make("span", {}, words["after-deal"] + ": ", ...sides().flatMap((name, side) => [side ? " – " : "", name + " ", make("strong", {}, row.totals[side])]))] : [];
    return [
      make("span", {}, note), ...(row.steps ? [make("span", {}, howCounted(row))] : []), ...stand, ...dealt,
      make("span", { class: "tools" }, button("correct-short", () => correct(id), "correct"), " ", button("drop-short", () => drop(id), "drop-deal")),
    ];
  }

  const columns = () => [words["column-points"], words["step-declarations"]];
  const points = ({ points: figures, sign }) => [figures, ...(sign ? [make("abbr", { title: words["sign-" + sign + "-means"] }, words["sign-" + sign])] : [])];

  function rows() {
    const hasBids = answer.rows.some((row) => row.bid !== undefined || row.trump);
    const wide = answer.apart ? 2 : 1;
    const width = sides().length * wide + 2 + Number(hasBids);
    const head = make("tr", {}, make("th", { scope: "col" }, make("span", { class: "unseen" }, words.deal)), ...(hasBids ? [make("th", { scope: "col", class: "bid" }, words["column-bid"])] : []), ...sides().map((name) => make("th", { scope: wide > 1 ? "colgroup" : "col", colspan: String(wide), class: "side" }, name)), make("td", { class: "end" }));
    const below = wide > 1 ? [make("tr", { class: "apart" }, make("td", { colspan: String(1 + Number(hasBids)) }), ...sides().flatMap(() => columns().map((name) => make("th", { scope: "col" }, name))), make("td", { class: "end" }))] : [];
    const bodies = answer.rows.map((row, index) => {
      const { id } = sheet().deals[index];
      const { cells, note } = rowText(row, index);
      const panel = make("tr", { class: "more" }, make("td", { colspan: String(width - 1) }, ...more(row, index)), make("td", { class: "end" }));
      panel.hidden = !opened.has(id);
      const button = make("button", { type: "button", class: "open", "aria-expanded": String(opened.has(id)), "aria-label": fill(words["open-deal"], { n: index + 1 }) });
      const toggle = () => {
        opened[opened.has(id) ? "delete" : "add"](id);
        panel.hidden = !opened.has(id);
        button.setAttribute("aria-expanded", String(opened.has(id)));
      };
      const marks = (side) => (row.taker === side ? [make("span", { class: "took " + row.is, role: "img", "aria-label": words.took + ", " + words["row-" + row.is] })] : []);
      const hangs = (side) => (row.held && row.taker === side ? [make("span", { class: "by" }, fill(words["held-now"], { n: row.held }))] : []);
      const faults = (side) => (row.is === "accusation" && row.form.guilty === side ? [make("span", { class: "by" }, words["row-accusation"])] : []);
      const comes = (side) => (row.freed[side] ? [make("span", { class: "by" }, " + " + row.freed[side])] : []);
      const sums = cells
        ? [...(hasBids ? [make("td", { class: "bid" }, ...bidCell(row, index))] : []), ...cells.flatMap((_, side) => (row.apart ? [make("td", {}, ...marks(side), ...points(row.apart[side])), make("td", { class: "roem" }, row.apart[side].roem || (row.apart[side].points && "/"))] : [make("td", { colspan: String(wide) }, ...marks(side), String(row.written[side]), ...comes(side), ...hangs(side), ...faults(side))]))]
        : [make("td", { class: "note", colspan: String(width - 2) }, note)];
      const by = answer.dealers && row.totals && sheet().dealer !== null ? [make("span", { class: "by" }, make("span", { class: "unseen" }, words["dealt-by"] + ": "), seats()[row.dealer])] : [];
      const line = make("tr", { class: "deal" }, make("th", { scope: "row" }, String(index + 1), ...by), ...sums, make("td", { class: "end" }, button));
      line.addEventListener("click", toggle);
      return make("tbody", {}, line, panel);
    });
    const signs = [...new Set(answer.rows.flatMap(({ apart = [] }) => apart.map(({ sign }) => sign)).filter(Boolean))];
    const ways = ["made", "fell", ...(answer.rows.some((row) => row.is === "tied") ? ["tied"] : [])];
    const meanings = [...signs.map((sign) => words["sign-" + sign] + " = " + words["sign-" + sign + "-means"]), ...(wide > 1 ? ["/ = " + words["sign-none-means"]] : [])];
    const legend = make("caption", {}, ...ways.flatMap((way) => [make("span", { class: "took " + way }), " " + words["took-" + way] + " "]), ...(meanings.length ? [make("br"), meanings.join(" · ")] : []));
    // Points need more room than roem.
    const cols = wide > 1 ? [make("colgroup", {}, make("col", { class: "number" }), ...(hasBids ? [make("col", { class: "bid" })] : []), ...sides().flatMap(() => [make("col", { class: "points" }), make("col")]), make("col", { class: "end" }))] : [];
    find("sheet").classList.toggle("apart", wide > 1);
    find("sheet").replaceChildren(...(answer.rows.some((row) => row.taker !== undefined) ? [legend] : []), ...cols, make("thead", {}, head, ...below), ...bodies);
    find("sheet").hidden = !bodies.length;
  }

  // How the match stands, beside its totals.
  function standing() {
    if (!answer?.rows.length) return words["sheet-empty"];
    if (answer.over) return fill(words[answer.winner === null ? "sheet-drawn" : "sheet-won"], { who: sides()[answer.winner], stand: each(answer.totals) });
    const next = sheet().dealer === null ? "" : " " + fill(words["next-dealer"], { who: seats()[answer.next_dealer] });
    const why = answer.goes_on_by ? " " + sentenceOf(answer.goes_on_by) : "";
    return fill(words[answer.say], answer) + why + next;
  }

  // Nothing is said to be kept that is not.
  function sayWhetherKept() {
    const why = whyUnkept(here());
    find("unkept").textContent = why && words["unkept-" + why];
    find("unkept").hidden = !why;
    if (why && !answer?.rows.length) find("standing").textContent = "";
  }

  // The row of a deal that was just written is not to stand behind what is said of it.
  function showLatest() {
    const row = find("sheet").querySelectorAll("tr.deal")[sheet().deals.findIndex(({ id }) => id === latest)];
    if (!row) return;
    latest = null;
    row.style.scrollMarginBottom = find("add").parentElement.offsetHeight + "px";
    row.scrollIntoView({ block: "nearest" });
  }

  // Why the deal cannot be written yet, or nothing; and what it is as a match is told it.
  function entry({ over, counting }) {
    if (!edited && over) return { why: words["sheet-over"] };
    if (!counting) return { why: words["count-empty"] };
    if (counting.bad !== undefined) return { why: fill(words["no-number"], { text: counting.bad }) };
    if (counting.missing) return { why: words["missing-" + counting.missing[0]] || words[counting.missing[0]] };
    if (counting.impossible) return { why: impossible(counting.impossible, sides()), wrong: true };
    return { why: counting.steps || !counting.written ? "" : fill(words["line-written"], { written: each(counting.written) }), deal: counting.deal, settled: counting.steps && counting };
  }

  function verdictOn(settled) {
    const { outcome: is, held } = settled.result;
    const asked = settled.pointless === null ? "" : " " + fill(words["no-points"], { who: sides()[settled.pointless] });
    counted = [words["outcome-" + is], howCounted(settled), held ? fill(words.held, { n: held }) : ""].filter(Boolean).join(" ");
    const rules = ruleList(settled.rules.filter((rule) => rule.startsWith("scoring.") && sentenceOf(rule)));
    rules.querySelector("summary").textContent = words["how-counted"];
    rules.querySelector("summary").after(stepsTable(settled.steps, sides(), words, held));
    return [make("strong", {}, words["outcome-" + is]), " " + howCounted(settled), held ? " " + fill(words.held, { n: held }) : "", asked, rules];
  }

  function show(found) {
    const told = found.own;
    if (!told.rows) {
      ready = null;
      find("write").disabled = true;
      find("counted").textContent = told.impossible ? impossible(told.impossible, sides()) : wrongQuestion(told);
      return;
    }
    answer = told;
    keepSeen(here(), sheet(), table(), answer, rulesOf(state()));
    if (form.shape !== shapeOf(answer)) showForm();
    board();
    rows();
    matches();
    find("standing").textContent = standing();
    sayWhetherKept();
    showLatest();
    find("undo").disabled = !sheet().past.length;
    find("new-sheet").disabled = !sheet().deals.length;
    find("send").hidden = !sheet().deals.length;
    find("add").disabled = answer.over;
    find("add").hidden = answer.over;
    const { why, wrong, deal, settled } = entry(answer);
    showFilled(find, answer.counting);
    ready = deal || null;
    find("write").disabled = !deal;
    find("counted").classList.toggle("wrong", Boolean(wrong));
    counted = "";
    if (settled) find("counted").replaceChildren(...verdictOn(settled));
    else find("counted").textContent = why || words.ready;
  }

  function showForm() {
    const said = answer || own().sheet;
    countForm({ find, make, fill, words, data, own, names: sides(), count: state().count, table: said, suit, changed: () => changed(state().count.kind !== form.kind), formChanged: () => { form.kind = ""; } });
    form = { kind: state().count.kind, shape: shapeOf(said) };
    const place = sheet().deals.findIndex(({ id }) => id === edited?.id);
    find("entry-title").textContent = fill(words[place < 0 ? "next-deal" : "correcting"], { n: place < 0 ? sheet().deals.length + 1 : place + 1 });
    find("write").textContent = words[place < 0 ? "note" : "keep"];
    find("add").textContent = fill(words.add, { n: sheet().deals.length + 1 });
  }

  // On paper: who played, and an empty sheet where nothing is written.
  const headLine = (number, of) => [[words["at-table"], number], ...headParts({ words, own, sheet: of })].map(([name, text]) => make("span", {}, name + ": ", text || make("span", { class: "line" })));

  function emptyRows(of) {
    const { apart, dealers = Array(BLANK_ROWS) } = answer || own().sheet;
    const names = [words.deal, words["dealt-by"], words["column-took"], ...own().sides.flatMap((name) => (apart ? columns().map((column) => name + ", " + column) : [name]))];
    const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
    const dealer = (index) => (of.dealer === null || dealers[index] === undefined ? "" : seats()[dealers[index]]);
    const lines = Array.from(dealers, (_, index) => make("tr", {}, make("th", { scope: "row" }, String(index + 1)), make("td", {}, dealer(index)), ...names.slice(2).map(() => make("td"))));
    const sum = make("tr", {}, make("th", { scope: "row", colspan: "3" }, words["column-total"]), ...names.slice(3).map(() => make("td")));
    return [make("thead", {}, head), make("tbody", {}, ...lines), make("tfoot", {}, sum)];
  }

  // Empty sheets for tables that have begun nothing, by the rules that somebody came with: of several each has its number.
  async function printBlanks() {
    const by = rulesOf(state());
    playBy(others);
    const [name, told] = [title(), otherwise()];
    playBy(by);
    const rules = await told;
    const many = Number(find("tables").value);
    find("blanks").replaceChildren(...Array.from({ length: many }, (_, place) => make("div", {},
      make("p", {}, name), ...(rules ? [make("p", { class: "rules" }, rules)] : []), make("p", { class: "head" }, ...headLine(many > 1 ? String(place + 1) : "", emptySheet())),
      make("table", { class: "sheet paper" }, ...emptyRows(emptySheet())))));
    addEventListener("afterprint", () => find("blanks").replaceChildren(), { once: true });
    print();
  }

  function paper() {
    find("sheet-title").textContent = title();
    otherwise().then((rules) => { find("sheet-rules").replaceChildren(rules); find("sheet-rules").hidden = !rules; });
    // A sheet on which nothing is known yet may be for any table.
    const number = matchesOf(state().variant).length > 1 && isBegun(sheet()) ? String(state().match) : "";
    find("sheet-head").replaceChildren(...headLine(number, sheet()));
    find("blank").replaceChildren(...emptyRows(sheet()));
    find("blank").hidden = sheet().deals.length > 0;
  }

  // Made once for a variant: whoever types a name goes on to the next field while the first is being kept.
  function names() {
    const field = (label) => make("label", {}, label + " ", make("input", { type: "text", maxlength: "20", autocomplete: "off" }));
    if (find("who").dataset.of !== state().variant) {
      find("who").dataset.of = state().variant;
      find("sides").replaceChildren(...(own().sides.length < own().seats.length ? own().sides.map(field) : []));
      find("names").replaceChildren(...own().seats.map(field));
    }
    for (const box of ["sides", "names"]) find(box).querySelectorAll("input").forEach((input, index) => { input.value = sheet()[box][index] || ""; });
    find("date").value = sheet().begun;
  }

  function dealers() {
    find("dealer").replaceChildren(make("option", { value: "" }, words["not-said"]), ...seats().map((name, seat) => make("option", { value: String(seat) }, name)));
    find("dealer").value = String(sheet().dealer ?? "");
  }

  // The settings of the game stand first where a sheet begins, and after it from then on; after a table that is played at.
  function place() {
    const settings = find("settings");
    const page = find("body");
    const after = { sheet: sheet().deals.length ? page.querySelector(".score") : null, deal: find("tools") }[state().tab];
    if (!after && page.firstElementChild !== settings) page.prepend(settings);
    if (after && after.nextElementSibling !== settings) after.after(settings);
  }

  // Several matches at once: each has a sheet of its own, and says in the list who plays and how it stands.
  function everyMatch() {
    const { variant, match } = state();
    return [...new Set([...matchesOf(variant), ...begun, match])].sort((one, other) => one - other).map((number) => {
      const one = number === match ? sheet() : readSheet(nameOf({ variant, match: number }));
      const { totals, winner } = (number === match && answer) || one.seen?.answer || {};
      return { number, one, winner: one.deals.length ? sides(one)[winner] || "" : "", stands: sides(one).map((name, side) => [name, (one.deals.length && totals?.[side]) ?? ""]) };
    });
  }

  function matches() {
    const every = everyMatch();
    for (const name of ["matches", "sure-drop", "as-all"]) find(name).hidden = every.length < 2;
    find("match").replaceChildren(...every.map(({ number, one, stands }) => make("option", { value: String(number) }, number + ". " + stands.map((stand) => stand.slice(0, one.deals.length ? 2 : 1).join(" ").trim()).join(" – "))));
    find("match").value = String(state().match);
  }

  function turnTo(match, said) {
    state().match = match;
    lookAt(state());
    answer = null;
    others = null;
    opened.clear();
    const now = readSheet(here());
    if (isBegun(now)) playBy(now.by);
    emptied(now, said);
  }

  // A match is counted by the rules that it was begun with. Whoever comes with others is asked which are to hold.
  const rulesOf = ({ options, changes, name }) => ({ options, changes, name });
  const sameRules = (one, other) => JSON.stringify([one.options, one.changes]) === JSON.stringify([other.options, other.changes]);

  function playBy(rules) {
    if (rules) Object.assign(state(), rules, { options: rules.options.filter((name) => own().options[name]) });
  }

  function arrive() {
    const { by, deals } = sheet();
    const came = rulesOf(state());
    others = null;
    if (!by || !deals.length || sameRules(by, came)) return;
    if (came.options.length || Object.keys(came.changes).length) others = came;
    playBy(by);
  }

  async function askWhichRules() {
    find("others").hidden = !others;
    if (!others) return;
    const told = await otherwise({ ...state(), ...others });
    find("others-said").textContent = set(fill(words["other-rules"], { rules: [others?.name, told].filter(Boolean).join(": ") }));
  }

  function takeOthers(take) {
    const came = others;
    others = null;
    take(came);
    changed(true);
  }

  function matchBeside() {
    const every = everyMatch().map(({ number }) => number);
    const match = every.findIndex((_, place) => !every.includes(place + 1)) + 1 || every.length + 1;
    begun.add(state().match).add(match);
    lookAt({ ...state(), match });
    answer = null;
    return match;
  }

  function beginMatch() {
    const match = matchBeside();
    turnTo(match, fill(words["match-begun"], { n: match }));
  }

  // Which deal would be written next and on whose sheet; and where that has rules of its own, these and those of the table.
  async function nextDeal() {
    const { deals, by, ...kept } = readSheet(here());
    const named = [...kept.sides, ...kept.names].some(Boolean) ? sides(kept).join(" & ") : "";
    const match = matchesOf(state().variant).length > 1 ? words.match + " " + state().match : "";
    const who = [own().name + (by?.name ? ": " + by.name : ""), match, named].filter(Boolean).join(", ");
    const told = async (rules) => [rules.name, await otherwise({ ...state(), ...rules })].filter(Boolean).join(": ") || own().name;
    const differ = by && !sameRules(by, rulesOf(state()));
    return { n: deals.length + 1, who, ...(differ ? { rules: await told(by), own: await told(rulesOf(state())) } : {}) };
  }

  function controls() {
    if (state().tab !== "sheet") find("panel").close();
    place();
    names();
    dealers();
    matches();
    askWhichRules();
  }

  function open() {
    if (!find("panel").open) find("panel").showModal();
    find("entry").querySelector("input")?.focus();
  }

  // The form is empty after every deal: whatever stood there was of that deal.
  function emptied(now, said) {
    edited = null;
    Object.assign(state(), { case: "", count: emptyCount(own().sides.length), sheet: now });
    find("panel").close();
    find("entry").replaceChildren();
    changed(true);
    find("sheet-said").textContent = said;
  }

  function correct(id) {
    const index = sheet().deals.findIndex((row) => row.id === id);
    edited = sheet().deals[index];
    state().count = { ...countOf(answer.rows[index].form, own(), trumpOf(answer.rows[index], index)), at: index };
    changed(true);
    open();
  }

  function drop(id) {
    emptied(changeSheet(here(), ({ deals }) => ({ deals: deals.filter((row) => row.id !== id) })), words.dropped);
  }

  // What another tab did to the deal that is corrected here is said first, not written over.
  function wasChangedElsewhere() {
    const now = readSheet(here()).deals.find(({ id }) => id === edited?.id);
    if (!edited || sameDeal(now, edited)) return false;
    edited = now || null;
    state().sheet = readSheet(here());
    showForm();
    find("counted").textContent = words[now ? "changed-elsewhere" : "struck-elsewhere"];
    return true;
  }

  function write() {
    if (!ready || wasChangedElsewhere()) return;
    const deal = ready;
    const named = Boolean(state().count.trump);
    const at = edited?.id;
    const number = edited ? sheet().deals.findIndex(({ id }) => id === at) + 1 : readSheet(here()).deals.length + 1;
    const correctRow = ({ deals }) => ({ deals: deals.map((one) => (one.id === at ? { ...one, deal, named } : one)) });
    const said = fill(words[edited ? "corrected" : "written-down"], { n: number }) + " " + counted;
    const now = changeSheet(here(), edited ? correctRow : addRow(deal, named));
    latest = at || now.deals[now.deals.length - 1].id;
    emptied(now, said);
    find("add").focus({ preventScroll: true });
  }

  const told = () => ({ words, own, sides: sides(), seats: seats(), sheet: sheet(), rowText, standing: standing() });
  const fileName = (ending) => [own().name, sheet().begun, ...(sheet().sides.some(Boolean) || sheet().names.some(Boolean) ? sides() : []), state().match > 1 ? state().match : ""].filter(Boolean).join(" ").toLowerCase().replace(/[^\p{L}\d]+/gu, "-") + ending;
  const said = (word) => { find("sheet-said").textContent = words[word]; };

  const SEND = {
    text: async () => {
      const text = sheetText(answer, title(), told());
      if (!navigator.share) {
        await navigator.clipboard.writeText(text);
        said("sheet-copied");
        return;
      }
      try { await navigator.share({ text }); } catch { /* nobody was chosen to send it to */ }
    },
    picture: async () => { if (await sendFile(await sheetPicture(answer, title(), told()), fileName(".png"))) said("sheet-saved"); },
    csv: () => {
      saveFile(new Blob([sheetTable(answer, told())], { type: "text/csv" }), fileName(".csv"));
      said("sheet-saved");
    },
    all: () => {
      const head = [words.match, words.date, words.deals, ...own().sides.flatMap((name) => [name, words["column-total"] + " " + name]), words["won-it"]];
      const rows = everyMatch().map(({ number, one, stands, winner }) => [number, one.begun, one.deals.length, ...stands.flat(), winner]);
      saveFile(new Blob([spreadsheet([head, ...rows])], { type: "text/csv" }), [own().name, words.match, new Date().toLocaleDateString("sv")].join("-").toLowerCase() + ".csv");
      said("sheet-saved");
    },
  };

  find("entry-form").addEventListener("focusin", wake, { once: true });
  find("entry-form").addEventListener("submit", (event) => { event.preventDefault(); write(); });
  find("add").addEventListener("click", open);
  find("leave").addEventListener("click", () => find("panel").close());
  // A correction that is left is none; what was filled in of a new deal stays.
  find("panel").addEventListener("close", () => { if (edited) emptied(sheet(), ""); });
  find("undo").addEventListener("click", () => emptied(undoSheet(here()), words.undone));
  find("new-sheet").addEventListener("click", () => { find("sure").hidden = false; find("sure-yes").focus(); });
  find("sure-no").addEventListener("click", () => { find("sure").hidden = true; find("new-sheet").focus(); });
  find("sure-yes").addEventListener("click", () => {
    find("sure").hidden = true;
    emptied(changeSheet(here(), () => ({ deals: [], dealer: null, begun: "" })), words["new-begun"]);
    scrollTo(0, 0);
  });
  find("more-match").addEventListener("click", () => {
    beginMatch();
    find("who").open = true;
  });
  find("others-new").addEventListener("click", () => takeOthers((came) => { beginMatch(); playBy(came); }));
  find("others-count").addEventListener("click", () => takeOthers(playBy));
  find("others-none").addEventListener("click", () => takeOthers(() => {}));
  find("match").addEventListener("change", (event) => turnTo(Number(event.target.value), ""));
  find("sure-drop").addEventListener("click", () => {
    find("sure").hidden = true;
    changeSheet(here(), emptySheet);
    begun.delete(state().match);
    turnTo(matchesOf(state().variant)[0] || 1, words["match-dropped"]);
  });
  find("print-sheet").addEventListener("click", () => print());
  find("print-blanks").addEventListener("click", printBlanks);
  for (const button of find("send").querySelectorAll("[data-as]")) button.addEventListener("click", () => { if (answer) SEND[button.dataset.as](); });
  find("dealer").addEventListener("change", (event) => {
    const dealer = event.target.value === "" ? null : Number(event.target.value);
    state().sheet = changeSheet(here(), () => ({ dealer }));
    changed(false);
  });
  find("who").addEventListener("change", (event) => {
    if (event.target === find("dealer")) return;
    const texts = (box) => Array.from(find(box).querySelectorAll("input"), (input) => input.value.trim());
    state().sheet = changeSheet(here(), () => ({ begun: find("date").value, names: texts("names"), sides: texts("sides") }));
    changed(true);
  });
  numberKeys({ find, make, words });
  onOtherTab(here, () => {
    state().sheet = readSheet(here());
    if (state().tab === "sheet") changed(false);
  });
  addEventListener("beforeunload", (event) => { if (isAtRisk()) event.preventDefault(); });

  return {
    show, showForm, paper, controls, emptied, arrive, matchBeside, nextDeal,
    // What is written in the address is there to be looked at.
    open: () => {
      if (toBlanks) {
        find("tables").focus();
        find("tables").scrollIntoView({ block: "center" });
      }
      else if (!isEmpty(state().count)) open();
    },
    waiting: () => { find("write").disabled = true; },
    forget: () => { answer = null; edited = null; others = null; opened.clear(); begun.clear(); },
    add: (deal) => emptied(changeSheet(here(), addRow(deal, true)), fill(words["written-down"], { n: sheet().deals.length + 1 })),
    known: () => {
      if (!isEmpty(state().count)) return null;
      const plain = !sheet().deals.length && !state().options.length && !Object.keys(state().changes).length;
      const seen = plain ? own().sheet : seenBefore(sheet(), table());
      return seen && { own: seen };
    },
  };
}

