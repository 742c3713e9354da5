// A deal against sensible players: a table with the trick in its middle and what was said at the seats, the hand as a fan,
// and one line for what is to be done. What the rules say is shown after a mistake, or to whoever asks.
import { bidName, sentence, stepsTable } from "./elements.js";

const ANNOUNCES = "*", BELOTE = "!", SILENT = "-", CALLS = "roem"; // as playground/deal.py reads them

export function dealView({ find, make, fill, words, data, own, picture, suit, ruleLine, choose, toSheet }) {
  const who = (seat) => own().seats[seat];
  const short = (cards) => cards.map((card) => data.cards[card].short).join(" ");
  const roemOf = (points) => points + " " + words["step-declarations"];
  const setsOf = (sets) => sets.map(({ cards, points }) => short(cards) + " (" + points + ")").join(", ");
  let hinted = false;
  let asked = false; // whether it is shown which cards may be played
  let refused = null; // the card that may not be
  let last = null;
  let focusNext = false;

  function said(one) {
    const found = [];
    if (one.bid) found.push(bidName(one.bid, data));
    if (one.play) found.push(fill(words.plays, { card: data.cards[one.play].short }));
    if (one.discard) found.push(fill(words["lays-away"], { n: one.discard.length }));
    if (one.roem && !one.play) found.push(roemOf(one.roem));
    if (one.exchange) found.push(words.exchanges);
    for (const [seat, sets] of Object.entries(one.announced)) {
      const word = Number(seat) === one.seat ? "announces" : "announces-there";
      found.push(fill(words[word], { who: who(Number(seat)), cards: sets.map(short).join(", ") }));
    }
    if (one.calls) found.push(words[one.calls > 1 ? "says-rebelote" : "says-belote"]);
    return found.join("; ");
  }

  function event(one) {
    const line = make("li", {}, make("strong", {}, who(one.seat), ":"), " ", said(one));
    if (one.won !== undefined) line.append(" – ", fill(words["trick-to"], { who: who(one.won) }), one.roem ? ", " + roemOf(one.roem) : "");
    return line;
  }

  // What each seat has said: its bid until there is trump, then what it announced or called in the trick that lies.
  function lastSaid(answer) {
    const found = {};
    let open = [];
    for (const one of answer.told || []) {
      if (answer.bids && one.bid) found[one.seat] = said(one);
      open.push(one);
      if (one.won !== undefined) open = [];
    }
    if (!answer.bids) {
      for (const one of open) {
        for (const [seat, sets] of Object.entries(one.announced)) found[seat] = fill(words.announces, { cards: sets.map(short).join(", ") });
        if (one.calls) found[one.seat] = words[one.calls > 1 ? "says-rebelote" : "says-belote"];
      }
    }
    return found;
  }

  // What is played for, at the seat of whoever took.
  function contract(answer) {
    const { trump, bid, raised } = answer;
    return make("span", { class: "badge contract" }, (bid ? bid + " " : ""), suit(trump) || data.modes[trump], make("span", { class: "unseen" }, data.modes[trump]), (raised > 1 ? " ×" + raised : "") + " " + words.taker);
  }

  function table(answer) {
    const spoken = lastSaid(answer);
    const cards = new Map((answer.trick || []).map((card, index) => [(answer.leader + index) % own().players, card]));
    const seats = own().places.map((place, seat) => {
      const badges = [...(seat === answer.dealer ? [make("span", { class: "badge" }, words.dealer)] : []), ...(answer.trump && seat === answer.taker ? [contract(answer)] : []), ...(answer.closed?.includes(seat) ? [make("span", { class: "badge" }, words.closed)] : [])];
      return make("div", { class: "seat " + place }, make("strong", {}, who(seat)), ...badges, ...(spoken[seat] ? [make("span", { class: "spoken" }, spoken[seat])] : []));
    });
    const lies = own().places.map((place, seat) => make("div", { class: "lies " + place }, cards.has(seat) ? picture(cards.get(seat)) : make("span", { class: "slot" })));
    const turned = answer.turn_up ? [picture(answer.turn_up), make("span", { class: "below" }, words["turned-short"])] : [];
    return [...seats, answer.bids ? make("div", { class: "middle turned" }, ...turned) : make("div", { class: "middle" }, ...lies)];
  }

  function before({ last }) {
    if (!last) return [];
    const cards = last.cards.map((card, index) => {
      const seat = (last.leader + index) % own().players;
      return make("span", { class: "placed" + (seat === last.winner ? " winner" : "") }, picture(card), make("span", { class: "below" }, who(seat) + (seat === last.winner ? " ✓" : "")));
    });
    const found = make("details", {}, make("summary", {}, fill(words["trick-before"], { who: who(last.winner) }), last.roem ? make("strong", { class: "roem" }, " " + roemOf(last.roem)) : ""), make("div", { class: "cards" }, ...cards));
    found.open = Boolean(find("deal-before").querySelector("details")?.open);
    return [found];
  }

  const anew = () => { hinted = asked = false; refused = null; focusNext = true; };
  const pick = (chosen) => { anew(); choose(chosen); };

  function refuse(card) {
    asked = true;
    refused = card;
    show(last);
    find("hand").querySelector(`[data-ask="${card}"]`).focus({ preventScroll: true });
  }

  function button(text, chosen) {
    const found = make("button", { type: "button", class: "choice" }, text);
    found.addEventListener("click", () => pick(chosen));
    return found;
  }

  // What may be said along with a card, to be ticked before it is played.
  function along(answer) {
    const tick = (id, text) => make("label", {}, make("input", { type: "checkbox", id: "try-say-" + id }), " ", text);
    return [...(answer.sets?.length ? [tick("sets", fill(words["say-sets"], { sets: setsOf(answer.sets) }))] : []), ...(answer.belote?.length ? [tick("belote", fill(words["say-belote"], { cards: short(answer.belote) }))] : [])];
  }

  function said_with(card, answer) {
    const ticked = (id) => document.getElementById("try-say-" + id)?.checked;
    return card + (ticked("sets") ? ANNOUNCES : "") + (ticked("belote") && answer.belote.includes(card) ? BELOTE : "");
  }

  // Of a hand that lies as a fan each card lets the next one cover it.
  function hand(answer) {
    const open = answer.cards && !answer.announcing && !answer.calling && !answer.ended;
    const cards = answer.hand || [];
    return cards.map((card, index) => {
      const may = open && answer.cards.includes(card);
      const mark = !open ? "" : may ? "legal" : "illegal";
      const found = make("button", { type: "button", class: "played " + mark, "data-ask": card, "data-hint": hinted && answer.hint === card }, picture(card, asked && mark ? mark : undefined));
      found.style.setProperty("--turn", index - (cards.length - 1) / 2);
      found.addEventListener("click", () => { if (open) may ? pick(said_with(card, answer)) : refuse(card); });
      return found;
    });
  }

  function verdict(answer) {
    if (answer.error) return [fill(words["wrong-question"], { why: sentence(data.notation, answer.said || answer.error) })];
    if (answer.steps) return [make("strong", {}, words["outcome-" + answer.outcome]), answer.held ? " " + fill(words.held, { n: answer.held }) : "", stepsTable(answer.steps, own().sides, words)];
    if (answer.ended === "passed") return [words["nobody-took"]];
    if (answer.ended) return [fill(words["wins-match"], { who: who(answer.winner) })];
    if (answer.announcing) return [make("strong", {}, fill(words["may-announce"], { sets: setsOf(answer.announcing) }))];
    if (answer.calling) return [make("strong", {}, fill(words["may-call"], { n: answer.calling }))];
    if (answer.bids) return [make("strong", {}, words["your-bid"])];
    if (refused) return [make("strong", {}, fill(words["why-may-not"], { card: data.cards[refused].name })), " ", ruleLine(answer.refused[refused])];
    return [make("strong", {}, words["your-card"]), ...(asked || hinted ? [" ", ruleLine(answer.rule)] : [])];
  }

  function actions(answer) {
    if (answer.deal) {
      const found = make("button", { type: "button", class: "choice main" }, words["to-sheet"]);
      found.addEventListener("click", () => toSheet(answer.deal));
      return [found];
    }
    if (answer.announcing) return [button(words["announce-it"], ANNOUNCES), button(words["keep-silent"], SILENT)];
    if (answer.calling) return [button(words["call-it"], CALLS), button(words["keep-silent"], SILENT)];
    const bids = answer.bids || [];
    return [...bids.filter(({ amount }) => !amount).map((bid) => button(bidName(bid, data), bid.bid)), ...withNumbers(bids.filter(({ amount }) => amount))];
  }

  // Bids with a number: the number from a list, and a button for each suit that can go with it.
  function withNumbers(bids) {
    const amounts = [...new Set(bids.map(({ amount }) => amount))];
    if (!amounts.length) return [];
    const list = make("select", { id: "try-number" }, ...amounts.map((amount) => make("option", { value: amount }, amount)));
    const suits = make("span", { class: "suits" });
    const show = () => suits.replaceChildren(...bids.filter(({ amount }) => amount === list.value).map((bid) => button(bidName(bid, data), bid.bid)));
    list.addEventListener("change", show);
    show();
    return [make("label", {}, words["number-to-bid"] + " ", list), suits];
  }

  function hintText({ hint, ended }) {
    if (!hinted || !hint || ended) return "";
    if (hint === ANNOUNCES) return words["hint-announce"];
    if (hint === CALLS) return words["hint-call"];
    return fill(words["hint-is"], { what: hint.bid ? bidName(hint, data) : data.cards[hint].name });
  }

  function show(answer) {
    last = answer;
    const points = answer.taken ? fill(words["so-far"], { points: own().sides.map((name, side) => name + " " + answer.taken[side] + (answer.roem?.[side] ? " + " + roemOf(answer.roem[side]) : "") + " (" + answer.won[side] + ")").join(" – ") }) : "";
    find("deal-trump").textContent = answer.turn_up ? fill(words["turned-up"], { card: data.cards[answer.turn_up].name }) : points;
    find("deal-table").replaceChildren(...(answer.ended ? [] : table(answer)));
    find("deal-table").hidden = Boolean(answer.ended);
    find("deal-table").classList.toggle("bidding", Boolean(answer.bids));
    find("deal-before").replaceChildren(...before(answer));
    find("verdict").replaceChildren(...verdict(answer));
    find("actions").replaceChildren(...actions(answer));
    find("along").replaceChildren(...(answer.ended ? [] : along(answer)));
    find("hand").replaceChildren(...hand(answer));
    find("hand").classList.toggle("asked", asked);
    find("what-may").disabled = !answer.cards || Boolean(answer.ended);
    find("hint-said").textContent = hintText(answer);
    find("hint").disabled = !answer.hint;
    find("why").replaceChildren();
    find("chips").replaceChildren();
    find("told").replaceChildren(...(answer.told || []).map(event));
    if (!focusNext) return;
    // Whoever plays by keys goes on where he is: at the hand, or at what there is to be said.
    focusNext = false;
    const next = find("actions").querySelector("button") || find("hand").querySelector("button.legal") || find("new-deal");
    next.focus({ preventScroll: true });
  }

  find("what-may").addEventListener("click", () => { asked = true; refused = null; show(last); });

  return {
    show: (found) => show(Object.values(found)[0]),
    hint: (found) => { hinted = true; show(Object.values(found)[0]); },
    goOn: anew,
  };
}
