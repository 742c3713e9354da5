// A log judged in the page: the suite works in a worker, and what it found is shown, and kept as a file if wanted.
import { make } from "./elements.js";
import { saveFile } from "./send.js";

const SECONDS = 20; // of searching for rules: a browser is slower than a machine
const MOST_SHOWN = 100; // wrong records in the table; all are in the file
const MOST_BYTES = 300e6;
const page = document.getElementById("log");
const find = (name) => document.getElementById("log-" + name);
const root = new URL(page.dataset.root, location.href);
const number = (n) => n.toLocaleString("en");
const several = (n, one) => number(n) + " " + one + (n === 1 ? "" : "s");

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

let worker = null;
let isBusy = false;
let found = null;

// One that has judged its file stands ready for the next.
function stop() {
  if (isBusy) {
    worker.terminate();
    worker = null;
  }
  isBusy = false;
  find("work").hidden = true;
}

function wrong(text) {
  stop();
  find("wrong").textContent = text;
  find("wrong").hidden = false;
}

function doing(text, done = 0, all = 0) {
  find("doing").textContent = text;
  if (all) Object.assign(find("bar"), { max: all, value: done });
  else find("bar").removeAttribute("value");
}

async function judge(file) {
  stop();
  found = null;
  for (const id of ["wrong", "keep"]) find(id).hidden = true;
  find("found").replaceChildren();
  if (!page.dataset.engine) return wrong("This copy of the site comes without the engine: judge the log with belot audit.");
  if (!file.size) return wrong(`${file.name} is empty.`);
  if (file.size > MOST_BYTES) return wrong(`${file.name} is larger than 300 MB, which is too much for a page: judge it with belot audit.`);
  find("work").hidden = false;
  doing(worker ? "Reading …" : "Fetching the suite (about 7 MB, only once) …");
  worker ||= new Worker(new URL("playground/log-worker.js", root), { type: "module" });
  const own = worker;
  isBusy = true;
  find("work").scrollIntoView({ block: "nearest" });
  own.onerror = () => { if (worker === own) wrong("The suite could not be loaded. Try again when you are online."); };
  own.onmessage = ({ data }) => {
    if (worker !== own) return;
    if (data.failed) wrong("The suite could not judge this file: " + data.failed.trim().split("\n").pop());
    else if (data.doing) doing(data.doing[0].toUpperCase() + data.doing.slice(1) + " …", data.done, data.all);
    else if (data.ready) doing("Reading …");
    else {
      isBusy = false;
      stop();
      show(JSON.parse(data.found));
    }
  };
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return wrong(`${file.name} cannot be read.`);
  }
  // The worker keeps a name of its own for the file: one of a user may be any text.
  own.postMessage({ name: "log" + (/\.\w{1,8}$/.exec(file.name)?.[0] || ""), bytes, profile: find("profile").value, seconds: SECONDS }, [bytes]);
  page.dataset.file = file.name;
}

const picture = (card) => find("cards").querySelector(`svg[data-card="${card}"]`)?.cloneNode(true) || document.createTextNode(card);
const cards = (some) => make("span", { class: "cards" }, ...some.map((card) => (/^(10|[789JQKA])[SHDC]$/.test(card) ? picture(card) : make("code", {}, card))));
const link = (path, text) => make("a", { href: page.dataset.here + path }, text);

function ruleCell({ rule, steps }) {
  if (!rule) return steps?.length ? ["By the rules, side by side:", ...steps.map(({ step, figures }) => make("div", { class: "part" }, make("span", { class: "label" }, step), figures.join(" · ")))] : [];
  return [rule.sentence + " ", make("span", { class: "from" }, link(rule.path, rule.id), ...rule.rests.flatMap(([name, path]) => [" · ", link(path, name.replace("..", "–"))]))];
}

function movePart(label, some) {
  if (typeof some === "string") return [make("div", { class: "part" }, make("span", { class: "label" }, label), SUITS[some] || some)];
  return some?.length ? [make("div", { class: "part" }, make("span", { class: "label" }, label), cards(some))] : [];
}

function moveCell({ move, asked, fields, more }) {
  if (move) {
    const { action, hand, trick, may, turn } = move;
    const said = action && (action.play || action.bid || (action.announce && "announces") || Object.keys(action).find((key) => key !== "seat"));
    return [
      ...(action ? [make("div", { class: "part" }, make("span", { class: "label" }, "seat " + action.seat + ":"), action.play ? cards([action.play]) : String(said))] : []),
      ...movePart("trick", trick), ...movePart("hand", hand), ...movePart("may", may),
      ...(turn === undefined ? [] : [make("div", { class: "part" }, make("span", { class: "label" }, "turn"), "seat " + turn)]),
    ];
  }
  return [...Object.entries(asked || {}).flatMap(([name, some]) => movePart(name, some)), ...(fields || []).map(([field, came, wanted]) => make("div", { class: "part" }, make("code", {}, field), " " + came + ", by the rules " + wanted)), ...(more ? ["and " + more + " more"] : [])];
}

function verdict({ records, wrong: bad, profiles, gave_up: gaveUp }) {
  if (!records) return [];
  const names = profiles.map(({ name, id }) => `${name} (${id})`).join(", ");
  const all = `${several(records, "record")} by the rules of ${names}`;
  if (!bad) return [make("p", { class: "verdict" }, make("strong", {}, "✓ All is right: "), all + ".")];
  return [make("p", { class: "verdict wrong" }, make("strong", {}, `✗ ${number(bad)} of ${all} ${bad === 1 ? "is" : "are"} wrong.`), gaveUp ? " After so many it was given up." : "")];
}

function ruleItem({ sentence, own, equal, path, rule, right, wrong: spoilt, looks_like_a_mistake: isOdd }) {
  const speaks = ` · makes ${several(right, "wrong answer")} right${spoilt ? `, ${number(spoilt)} wrong` : ""}${isOdd ? " · looks like a mistake: no source plays so" : ""}`;
  const others = [...(own ? ["The rules say: " + own] : []), ...(equal.length ? ["Fits as well: " + equal.join(" / ")] : [])];
  return make("li", {}, make("strong", {}, sentence), " ", make("span", { class: "from" }, link(path, rule), speaks), ...others.map((text) => make("div", {}, text)));
}

function played(one, showName) {
  const { base, rules, judged, wrong: left, groups, held_to: heldTo, cut_short: isCut } = one;
  const parts = [];
  const named = `${base.name} (${base.id})`;
  parts.push(make("p", {}, make("strong", {}, rules.length ? `It plays ${named}, but by ${rules.length === 1 ? "this rule" : "these rules"}:` : `It plays ${named}${heldTo && heldTo !== base.id ? ", not " + heldTo : ""}.`)));
  if (rules.length) {
    parts.push(make("ul", {}, ...rules.map(ruleItem)));
  }
  parts.push(make("p", {}, left ? `By these rules ${number(left)} of ${several(judged, "record")} ${left === 1 ? "is" : "are"} wrong:` : `By these rules all ${several(judged, "record")} ${judged === 1 ? "is" : "are"} right.`));
  const told = groups.filter(({ count }) => count);
  if (told.length) parts.push(make("ul", {}, ...told.map(({ count, said, records }) => make("li", {}, `${number(count)}: ${said.join("; ") || (count > 1 ? "nothing that they have in common was found" : "one by itself")} `, make("span", { class: "from" }, (records.length > 1 ? "lines " : "line ") + records.map((place) => place.split(":").pop()).join(", ") + (count > records.length ? ` and ${number(count - records.length)} more` : ""))))));
  if (isCut && left) parts.push(make("p", { class: "remark" }, "The search ended by the clock: belot identify --records --seconds 60 searches longer."));
  return [make("h2", {}, showName ? `Which rules it plays by: ${base.name}` : "Which rules it plays by"), ...parts];
}

function table(rows) {
  const body = rows.slice(0, MOST_SHOWN).map((row) => make("tr", {}, make("th", { scope: "row" }, String(row.line)), make("td", {}, row.reason), make("td", { class: "move" }, ...moveCell(row)), make("td", {}, ...ruleCell(row))));
  const head = make("tr", {}, ...["line", "what is wrong", "cards", "rule and source"].map((name) => make("th", { scope: "col" }, name)));
  const more = rows.length > MOST_SHOWN ? [make("p", { class: "remark" }, `The first ${MOST_SHOWN} of ${number(rows.length)}; all are in the file that is kept.`)] : [];
  return [make("h2", {}, "What is wrong, one by one"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What is wrong" }, make("table", { class: "moves" }, make("thead", {}, head), make("tbody", {}, ...body))), ...more];
}

function show(told) {
  if (told.error) return wrong(told.error);
  found = { ...told, file: page.dataset.file };
  const { rows, found: every, no_records: none } = told;
  find("found").replaceChildren(
    ...verdict(told), ...every.flatMap((one) => played(one, every.length > 1)), ...(rows.length ? table(rows) : []),
    ...(none.length ? [make("h2", {}, `${several(none.length, "line")} that ${none.length === 1 ? "is no record" : "are no records"}`), make("ul", {}, ...none.slice(0, MOST_SHOWN).map(({ line, why }) => make("li", {}, `line ${line}: ${why}`)))] : []),
  );
  find("keep").hidden = false;
}

// The page that is kept stands by itself: its cards are drawn by signs.
function asPage() {
  const copy = find("found").cloneNode(true);
  for (const svg of copy.querySelectorAll("svg")) svg.replaceWith(" " + svg.getAttribute("aria-label"));
  for (const one of copy.querySelectorAll("a")) one.href = new URL(one.getAttribute("href"), location.href).href;
  const style = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}td,th{border:1px solid #bbb;padding:.3rem .6rem;text-align:left;vertical-align:top}table{border-collapse:collapse}";
  const title = make("title", {}, found.file).outerHTML;
  return `<!doctype html><html lang="en"><meta charset="utf-8">${title}<style>${style}</style><h1>${make("span", {}, found.file).innerHTML}</h1>${copy.innerHTML}</html>`;
}

for (const button of find("keep").querySelectorAll("[data-as]")) {
  button.addEventListener("click", () => {
    const isPage = button.dataset.as === "html";
    saveFile(new Blob([isPage ? asPage() : JSON.stringify(found, null, 1)], { type: isPage ? "text/html" : "application/json" }), found.file + (isPage ? ".html" : ".json"));
  });
}
find("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) judge(file);
});
find("example").addEventListener("click", async ({ target }) => {
  const found = await fetch(target.dataset.of).catch(() => null);
  if (found?.ok) judge(new File([await found.blob()], "deals.jsonl"));
  else wrong("The example could not be fetched. Try again when you are online.");
});
find("stop").addEventListener("click", () => { stop(); find("file").focus(); });
for (const name of ["dragover", "dragleave", "drop"]) {
  find("drop").addEventListener(name, (event) => {
    event.preventDefault();
    find("drop").classList.toggle("over", name === "dragover");
    const [file] = name === "drop" ? event.dataTransfer.files : [];
    if (file) judge(file);
  });
}
page.hidden = false;
