// The deal that is being counted: the form for it, which the engine reads as it is, and how the address tells it.

const HIGH_BID = 180;

export function emptyCount(sides) {
  const each = (value) => Array.from({ length: sides }, () => value);
  return { kind: "scored", taker: null, cards: each(""), trickless: each(false), declarations: each(""), outranked: each(""), belote: each(0), trump: null, bid: "", raised: 1, last: null, guilty: null, by: null, declared: "" };
}

export const isEmpty = (count) => JSON.stringify(count) === JSON.stringify(emptyCount(count.cards.length));

// A deal that stands on the sheet, to be corrected; one in which no suit was named has that of another.
export const countOf = (form, told, isNamed) => ({ ...emptyCount(told.sides.length), ...form, ...(isNamed ? {} : { trump: null }), written: true });

const seatOf = (told, side) => told.side_of.indexOf(side);

// In the address: ?taker=0&s0=95.1.20.0&s1=67.1.0.1: card points, tricks (0 for none), declarations, belote; beaten declarations if there are any.
export function readCount(query, told) {
  const count = emptyCount(told.sides.length);
  const side = (text) => (/^\d$/.test(text || "") && Number(text) < told.sides.length ? Number(text) : null);
  const seat = /^\d$/.test(query.get("taker") || "") ? Number(query.get("taker")) : -1;
  if (seat in told.side_of) count.taker = told.side_of[seat];
  count.last = side(query.get("last"));
  if (told.auction && told.modes.includes(query.get("t"))) count.trump = query.get("t");
  if (told.auction && /^[2-9]$/.test(query.get("raised") || "")) count.raised = Number(query.get("raised"));
  if (told.auction) count.bid = query.get("bid") || "";
  const parts = Array.from(told.sides, (_, index) => (query.get("s" + index) || "").split("."));
  if (!parts.some(([, tricks]) => Number(tricks))) return count;
  parts.forEach(([cards, tricks, declarations, belote, outranked], index) => {
    count.cards[index] = cards || "";
    count.trickless[index] = tricks === "0";
    count.declarations[index] = Number(declarations) ? declarations : "";
    count.outranked[index] = Number(outranked) ? outranked : "";
    count.belote[index] = /^\d+$/.test(belote || "") ? Number(belote) : 0;
  });
  return count;
}

export function writeCount(query, count, told) {
  if (count.kind !== "scored") return;
  if (count.taker !== null) query.set("taker", String(seatOf(told, count.taker)));
  if (count.last !== null) query.set("last", String(count.last));
  if (count.trump !== null) query.set("t", count.trump);
  if (count.bid) query.set("bid", count.bid);
  if (count.raised > 1) query.set("raised", String(count.raised));
  if (isEmpty({ ...count, taker: null, last: null, trump: null, bid: "", raised: 1 })) return;
  count.cards.forEach((cards, side) => query.set("s" + side, [cards, Number(!count.trickless[side]), count.declarations[side] || 0, count.belote[side], ...(count.outranked[side] ? [count.outranked[side]] : [])].join(".")));
}

// What the form is made of is made once for a count; what is typed changes only what hangs on it.
export function countForm({ find, make, fill, words, data, own, names, count, table, suit, changed, formChanged }) {
  const choice = (name, legend, choices, value, take) => make("fieldset", { class: "taps" }, make("legend", {}, legend), ...choices.map(([key, text, picture]) => {
    const input = make("input", { type: "radio", name, value: String(key), "aria-label": picture && text });
    input.checked = key === value;
    input.addEventListener("change", () => { take(key); changed(); });
    return make("label", {}, input, picture || make("span", {}, text));
  }));
  // Numbers that are seldom bid are shown to whoever asks for them.
  const withoutHigh = (field) => {
    const high = Array.from(field.querySelectorAll("input")).filter(({ value, checked }) => Number(value) > HIGH_BID && !checked).map((input) => input.parentElement);
    if (high.length < 2) return field;
    const more = make("button", { type: "button", class: "choice" }, words["more-bids"]);
    const show = (shown) => { for (const one of high) one.hidden = !shown; more.hidden = shown; };
    more.addEventListener("click", () => { show(true); high[0].querySelector("input").focus(); });
    show(false);
    field.append(more);
    return field;
  };
  const ofSides = names.map((name, side) => [side, name]);
  // Keys of the page write here, and those of a keyboard: that of a phone would cover half of the form.
  const number = (value, label, take) => {
    const input = make("input", { type: "text", inputmode: "none", autocomplete: "off", maxlength: "9", "aria-label": label });
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
  const row = (key, cell) => make("tr", {}, make("th", { scope: "row" }, words["row-head-" + key] || words["count-" + key]), ...names.map((name, side) => make("td", {}, cell(side, words["count-" + key] + ", " + name))));
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
  // No declaration counts in some contracts, and the card points of some are other ones.
  const declared = table.declares ? figures("declarations") : null;
  const there = make("p", { class: "remark" });
  const fitMode = () => {
    const told = table.to_fill_in[count.trump];
    there.textContent = told ? fill(words[told.say], told) : "";
    there.hidden = !told;
    if (!declared) return;
    declared.hidden = table.undeclared.includes(count.trump);
    if (!declared.hidden) return;
    count.declarations = names.map(() => "");
    for (const input of declared.querySelectorAll("input")) input.value = "";
  };
  if (count.kind === "scored") {
    const belotes = () => table.belotes?.[count.trump] ?? 1;
    const most = belotes();
    const ticks = [];
    const belote = most > 1 ? row("belotes", (side, text) => number(count.belote[side] || "", text, (typed) => { count.belote[side] = typed.trim() || 0; })) : row("belote", (side, text) => {
      ticks[side] = tick(count.belote[side] > 0, text, (on) => {
        count.belote = names.map((_name, other) => Number(on && other === side));
        ticks.forEach((input, other) => { input.checked = count.belote[other] > 0; });
      });
      return ticks[side];
    });
    // One that an address tells is shown, to be struck.
    belote.hidden = !table.belotes || (!most && !count.belote.some(Boolean));
    // At some tables declarations that others beat may count: the engine says when.
    const beaten = table.outranked ? figures("outranked") : null;
    if (beaten) Object.assign(beaten, { id: "try-beaten", hidden: true });
    parts.push(choice("taker", words["who-took"], ofSides, count.taker, (side) => { count.taker = side; }));
    if (own().auction) {
      if (table.amounts.length) parts.push(withoutHigh(choice("bid", words["what-bid"], table.amounts.map((amount) => [String(amount), String(amount)]), count.bid, (bid) => { count.bid = bid; })));
      parts.push(choice("contract", words["which-contract"], own().modes.map((mode) => [mode, data.modes[mode], suit(mode)]), count.trump, (mode) => {
        count.trump = mode;
        fitMode();
        if (belotes() === most) return;
        count.belote = names.map(() => 0);
        formChanged();
      }));
      if (table.raises.length) parts.push(choice("raised", words["how-doubled"], [1, ...table.raises].map((times) => [times, words["raised-" + times]]), count.raised, (times) => { count.raised = times; }));
    }
    fitMode();
    parts.push(
      there,
      make("table", { class: "figures" }, make("thead", {}, make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {},
        figures("cards"), row("trickless", (side, text) => tick(count.trickless[side], text, (on) => { count.trickless[side] = on; })),
        ...(declared ? [declared] : []), ...(beaten ? [beaten] : []), belote)),
    );
  } else if (count.kind === "accusation") {
    parts.push(choice("guilty", words["who-pays"], ofSides, count.guilty, (side) => { count.guilty = side; }));
    if (names.length > 2 && table.fault_brings_all) parts.push(choice("by", words["who-saw"], ofSides, count.by, (side) => { count.by = side; }));
    if (table.fault_brings_all) parts.push(make("p", {}, make("label", {}, words["declared-till-then"] + " ", number(count.declared, words["declared-till-then"], (text) => { count.declared = text; }))));
  }
  const kinds = table.kinds.slice(1).map((kind) => words["kind-" + kind]).join(", ");
  const seldom = make("details", {}, make("summary", {}, kinds ? fill(words["something-else"], { kinds: kinds[0].toUpperCase() + kinds.slice(1) }) : words["something-else-last"]));
  seldom.open = count.kind !== "scored" || count.last !== null || Boolean(find("entry").querySelector("details")?.open);
  if (table.kinds.length > 1) seldom.append(choice("kind", words["deal-was"], table.kinds.map((kind) => [kind, words["kind-" + kind]]), count.kind, (kind) => { count.kind = kind; }));
  if (count.kind === "scored") seldom.append(choice("last", words["last-apart"], [[null, words["last-included"]], ...ofSides], count.last, (side) => { count.last = side; }));
  find("entry").replaceChildren(...parts, seldom);
}

const BACK = "back", NEXT = "next";

// Large keys under the form: what they write goes where one was last, or into the first number.
export function numberKeys({ find, make, words }) {
  let at = null;
  const numbers = () => Array.from(find("entry").querySelectorAll("input[type=text]")).filter((input) => input.offsetParent);
  find("entry").addEventListener("focusin", ({ target }) => { if (target.type === "text") at = target; });
  const press = (key) => {
    const all = numbers();
    const input = all.includes(at) ? at : all[0];
    if (!input) return;
    if (key === NEXT) {
      all[(all.indexOf(input) + 1) % all.length].focus();
      return;
    }
    input.focus();
    input.value = key === BACK ? input.value.slice(0, -1) : (input.value + key).slice(0, input.maxLength);
    input.dispatchEvent(new Event("input"));
  };
  const signs = { [BACK]: "⌫", [NEXT]: "→" };
  find("keys").replaceChildren(...["1", "2", "3", "4", "5", "6", "7", "8", "9", BACK, "0", NEXT].map((key) => {
    const button = make("button", { type: "button", tabindex: "-1", "aria-label": signs[key] ? words["key-" + key] : key }, signs[key] || key);
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => press(key));
    return button;
  }));
}

// What the other sides leave stands in the empty field.
export function showFilled(find, counting) {
  const beaten = find("beaten");
  if (beaten) beaten.hidden = !counting?.outranked;
  for (const input of find("entry").querySelectorAll("input[data-side]")) {
    const points = counting?.filled?.[Number(input.dataset.side)];
    input.placeholder = points === null || points === undefined ? "" : String(points);
  }
}
