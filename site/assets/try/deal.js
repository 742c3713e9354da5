// A deal against sensible players: a table with the trick in its middle and what was said at the seats, the hand as a fan,
// and one line for what is to be done. What the rules say is shown after a mistake, or to whoever asks. What the others do
// is shown one thing after the other, and a full trick until it is swept: after a while, or at a tap on the table.
import { bidName, capital, sentence, set, stepsTable } from "./elements.js";

const STEP = 350, FULL = 1200; // milliseconds that a card and a full trick are looked at
const RAISES = ["double", "redouble"];
const ANNOUNCES = "*", BELOTE = "!", SILENT = "-", CALLS = "roem"; // as playground/deal.py reads them

export function dealView({ find, make, fill, words, data, own, picture, suit, ruleLine, choose, written, toSheet }) {
  const who = (seat) => own().seats[seat];
  const short = (cards) => cards.map((card) => data.cards[card].short).join(" ");
  const roemOf = (points) => points + " " + words["step-declarations"];
  // Of what was announced: the cards, or what it is as long as these are not shown.
  const declared = (sets) => sets.map(({ kind, length, cards }) => (cards ? short(cards) : fill(words[`kind-${kind}-${length}`] || words["kind-" + kind], { n: length }))).join(", ");
  const setsOf = (sets) => sets.map(({ cards, points }) => short(cards) + " (" + points + ")").join(", ");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let hinted = false;
  let pending = null; // a card that was tapped, what is said with it, and what is still to be asked
  let missed = ""; // what was not said with the last one
  let shown = null; // how many things had been done when something was chosen
  let running = 0; // which showing of what the others do is the last
  let goOn = null; // ends the wait at a full trick
  let asked = false; // whether it is shown which cards may be played
  let peeks = false; // whether a trick is looked at that may not be
  let refused = null; // the card that may not be
  let last = null;
  let focusNext = false;

  function said(one) {
    const found = [];
    if (one.bid) found.push(bidName(one.bid, data) + (one.bid.must ? words.must : ""));
    if (one.play) found.push(fill(words.plays, { card: data.cards[one.play].short }));
    if (one.discard) found.push(fill(words["lays-away"], { n: one.discard.length }));
    if (one.roem && !one.play) found.push(roemOf(one.roem));
    if (one.exchange) found.push(words.exchanges);
    for (const [seat, sets] of Object.entries(one.announced)) {
      const word = Number(seat) === one.seat ? "announces" : "announces-there";
      found.push(fill(words[word], { who: who(Number(seat)), cards: declared(sets) }));
    }
    if (one.showing) found.push(fill(words.shows, { cards: declared(one.showing) }));
    if (one.calls) found.push(words[one.calls > 1 ? "says-rebelote" : "says-belote"]);
    return found.join("; ");
  }

  function event(one) {
    const line = make("li", {}, make("strong", {}, who(one.seat), ":"), " ", said(one));
    if (one.won !== undefined) line.append(" – ", fill(words["trick-to"], { who: who(one.won) }), one.roem ? ", " + roemOf(one.roem) : "");
    return line;
  }

  // What was done since the trick that lies was led, and whether it is full: it lies until the next card.
  function trickOf(told) {
    let from = 0, full = false;
    told.forEach((one, index) => {
      if (!one.play) return;
      if (full) from = index;
      full = one.won !== undefined;
    });
    return { done: told.slice(from), full };
  }

  // Of each who announced or called something: what it was, and in the few words for which there is room at a seat.
  const announced = (one) => [...Object.entries(one.announced).map(([seat, sets]) => { const cards = declared(sets); return [seat, cards, fill(words.announces, { cards })]; }), ...(one.showing ? [[one.seat, declared(one.showing), fill(words.shows, { cards: declared(one.showing) })]] : []), ...(one.calls ? [[one.seat, words[one.calls > 1 ? "says-rebelote" : "says-belote"]]] : []), ...(one.roem && !one.play ? [[one.seat, roemOf(one.roem)]] : [])];

  // What each seat has said: its bid until there is trump, then what it announced or called in the trick that lies.
  function lastSaid(answer, done) {
    if (answer.bids) return Object.fromEntries(done.filter(({ bid }) => bid).map((one) => [one.seat, said(one)]));
    const found = {};
    for (const [seat, brief] of done.flatMap(announced)) found[seat] = found[seat] ? found[seat] + ", " + brief : brief;
    return found;
  }

  // What each announced before that trick, and whether it said belote: it stays at the seat until the deal ends.
  function saidEarlier(told) {
    const found = {};
    const of = (seat) => (found[seat] ||= { sets: [] });
    for (const one of told) {
      for (const [seat, sets] of Object.entries(one.announced)) of(seat).sets.push(...sets);
      if (one.showing) of(one.seat).sets = one.showing;
      if (one.calls) of(one.seat).belote = words[one.calls > 1 ? "says-rebelote" : "says-belote"];
    }
    return Object.fromEntries(Object.entries(found).map(([seat, { sets, belote }]) => [seat, [declared(sets), belote].filter(Boolean).join(", ")]));
  }

  // The bid that stands, and who doubled it.
  function standing(told) {
    const bids = told.filter(({ bid }) => bid && bid.bid !== "pass");
    const at = bids.findLastIndex(({ bid }) => !RAISES.includes(bid.bid));
    return at < 0 ? null : { ...bids[at], all: bids.slice(at) };
  }

  // What is played for, at the seat of whoever took.
  function contract(answer) {
    const { trump, bid, raised } = answer;
    return make("span", { class: "badge contract" }, (bid ? bid + " " : ""), suit(trump) || data.modes[trump], make("span", { class: "unseen" }, data.modes[trump]), (raised > 1 ? " ×" + raised : "") + " " + words.taker);
  }

  function table(answer, swept) {
    const { done, full } = trickOf(answer.told);
    const now = full && swept ? [] : done;
    const spoken = lastSaid(answer, now);
    const kept = answer.bids ? {} : saidEarlier(answer.told.slice(0, answer.told.length - now.length));
    const bid = answer.bids && standing(answer.told);
    const cards = new Map(now.filter(({ play }) => play).map((one) => [one.seat, one]));
    const latest = [...cards.values()].at(-1);
    const best = latest && (latest.won ?? latest.best);
    const seats = own().places.map((place, seat) => {
      const badges = [...(seat === answer.dealer ? [make("span", { class: "badge" }, words.dealer)] : []), ...(answer.trump && seat === answer.taker ? [contract(answer)] : []), ...(bid?.seat === seat && bid.all.length > 1 ? [make("span", { class: "badge contract" }, bidName(bid.bid, data))] : []), ...(answer.closed?.includes(seat) ? [make("span", { class: "badge" }, words.closed)] : [])];
      return make("div", { class: "seat " + place }, make("strong", {}, who(seat)), ...badges, ...(kept[seat] ? [make("span", { class: "badge" }, kept[seat])] : []), ...(spoken[seat] ? [make("span", { class: "spoken" }, spoken[seat])] : []));
    });
    const lies = own().places.map((place, seat) => {
      const card = cards.get(seat);
      const wins = seat === best ? [make("span", { class: "wins", role: "img", "aria-label": words.wins }, "✓")] : [];
      return make("div", { class: "lies " + place + (card === latest ? " latest" : "") }, ...(card ? [picture(card.play), ...wins] : [make("span", { class: "slot" })]));
    });
    const turned = answer.turn_up ? [picture(answer.turn_up), make("span", { class: "below" }, words["turned-short"])] : [];
    return [...seats, answer.bids ? make("div", { class: "middle turned" }, ...turned) : make("div", { class: "middle" }, ...lies)];
  }

  const wonBy = (word, seat) => (seat ? fill(words[word], { who: who(seat) }) : words[word + "-you"]);

  function before(answer) {
    const { last } = answer;
    if (!last) return [];
    const cards = last.cards.map((card, index) => {
      const seat = (last.leader + index) % own().players;
      return make("span", { class: "placed" + (seat === last.winner ? " winner" : "") }, picture(card), make("span", { class: "below" }, who(seat) + (seat === last.winner ? " ✓" : "")));
    });
    const peek = button(words.peek, () => { peeks = true; find("deal-before").replaceChildren(...before(answer)); });
    const inside = last.open || peeks ? [make("div", { class: "cards" }, ...cards)] : [make("p", {}, ruleLine("play.review-tricks", []), " ", peek)];
    const found = make("details", {}, make("summary", {}, wonBy(answer.ended ? "trick-last" : "trick-before", last.winner), last.roem ? make("strong", { class: "roem" }, " " + roemOf(last.roem)) : ""), ...inside);
    found.open = Boolean(find("deal-before").querySelector("details")?.open);
    return [found];
  }

  const anew = () => {
    hinted = asked = peeks = false;
    refused = pending = shown = null;
    missed = "";
    focusNext = true;
    running += 1;
  };
  const pick = (chosen) => { anew(); shown = last.told.length; choose(chosen); };

  function refuse(card) {
    asked = true;
    refused = card;
    pending = null;
    explain();
    find("hand").querySelector(`[data-ask="${card}"]`).focus({ preventScroll: true });
  }

  // What was asked for is not to stand behind the hand, which is fixed at the bottom of a phone.
  function explain() {
    show(last);
    find("verdict").scrollIntoView({ block: "nearest" });
  }

  function button(text, act) {
    const found = make("button", { type: "button", class: "choice" }, ...[text].flat());
    found.addEventListener("click", act);
    return found;
  }

  const toChoose = (text, chosen) => button(text, () => pick(chosen));
  // On a phone the sign of a suit is enough here as well.
  const toBid = (bid) => toChoose([suit(bid.bid) || "", " ", make("span", { class: suit(bid.bid) ? "name" : "" }, bidName(bid, data)), own().aloud[bid.bid] ? ` (${own().aloud[bid.bid]})` : ""], bid.bid);
  // Beside a number the sign of a suit is enough.
  const toBidNumber = ({ bid, amount, mode }) => toChoose([amount + " ", ...(suit(mode) ? [suit(mode), make("span", { class: "unseen" }, data.modes[mode])] : [data.modes[mode]])], bid);

  // What must be said along with a card to count is asked before it is played, one thing after the other.
  function play(card, answer) {
    const asks = [...(answer.sets.length ? [{ mark: ANNOUNCES, ask: fill(words["say-sets"], { sets: setsOf(answer.sets) }), yes: words["announce-it"], unsaid: words["unsaid-sets"] }] : []), ...(answer.belote.includes(card) ? [{ mark: BELOTE, ask: fill(words["say-belote"], { card: data.cards[card].name }), yes: words["say-it"], unsaid: words["unsaid-belote"] }] : [])];
    refused = null;
    pending = { card, asks, said: "", unsaid: [] };
    goOnAsking();
  }

  function goOnAsking() {
    const { card, asks, said, unsaid } = pending;
    if (asks.length) {
      focusNext = true;
      explain();
    } else {
      pick(card + said);
      missed = unsaid.join(" ");
    }
  }

  function reply(isSaid) {
    const { mark, unsaid } = pending.asks.shift();
    if (isSaid) pending.said += mark;
    else pending.unsaid.push(unsaid);
    goOnAsking();
  }

  function silent(text) {
    pick(SILENT);
    missed = text;
  }

  // Of a hand that lies as a fan each card lets the next one cover it.
  function hand(answer, waits) {
    const open = !waits && answer.cards && !answer.announcing && !answer.calling && !answer.ended;
    const cards = answer.hand || [];
    return cards.map((card, index) => {
      const may = open && answer.cards.includes(card);
      const mark = !open ? "" : may ? "legal" : "illegal";
      const found = make("button", { type: "button", class: "played " + mark, "data-ask": card, "data-hint": hinted && answer.hint === card, "aria-pressed": pending?.card === card ? "true" : undefined }, picture(card, asked && mark ? mark : undefined));
      found.style.setProperty("--turn", index - (cards.length - 1) / 2);
      found.addEventListener("click", () => { if (open) may ? play(card, answer) : refuse(card); });
      return found;
    });
  }

  function verdict(answer) {
    if (answer.error) return [fill(words["wrong-question"], { why: sentence(data.notation, answer.said || answer.error) })];
    if (answer.steps) return [make("strong", {}, words["outcome-" + answer.outcome]), answer.held ? " " + fill(words.held, { n: answer.held }) : "", ...Object.entries(answer.declared).map(([seat, sets]) => set(" " + who(seat) + ": " + fill(words.announces, { cards: declared(sets) }) + ".")), stepsTable(answer.steps, own().sides, words, answer.held)];
    if (answer.ended === "passed") return [words["nobody-took"]];
    if (answer.ended) return [fill(words["wins-match"], { who: who(answer.winner) })];
    const line = hinted && answer.hint ? [...(answer.bids && standing(answer.told) ? [stands(answer.told)] : []), hintText(answer)].join(" ") : todo(answer);
    const rule = refused ? answer.refused[refused] : (asked || hinted) && answer.cards && !answer.announcing ? answer.rule : null;
    const spoken = answer.bids ? [] : trickOf(answer.told).done.flatMap(announced);
    return [...(missed ? [missed + " "] : []), make("strong", {}, line), ...(rule ? [" ", ruleLine(rule, [])] : []), ...(pending || rule || !spoken.length || swept(answer) ? [] : [" ", set(spoken.map(([seat, brief, whole]) => who(seat) + ": " + (whole || brief)).join("; ") + ".")])];
  }

  function todo(answer) {
    if (answer.announcing) return fill(words["may-announce"], { sets: setsOf(answer.announcing) });
    if (answer.calling) return fill(words["may-call"], { n: answer.calling });
    if (answer.bids) return yourBid(answer);
    if (pending) return pending.asks[0].ask;
    return refused ? capital(fill(words["why-may-not"], { card: data.cards[refused].name })) : words["your-card"];
  }

  const stands = (told) => fill(words.stands, { what: standing(told).all.map((one) => bidName(one.bid, data) + " (" + who(one.seat) + ")").join(", ") });

  // What stands and who doubled it, and what may be said now.
  function yourBid({ bids, told, dealer }) {
    if (!standing(told)) return words[bids.some(({ bid }) => bid === "pass") ? "your-bid" : dealer ? "must-bid" : "must-bid-dealer"];
    const plain = bids.filter(({ bid }) => bid === "pass" || RAISES.includes(bid));
    const may = [...plain.map((bid) => bidName(bid, data)), ...(plain.length < bids.length ? [words["bid-more"]] : [])].join(", ");
    return stands(told) + " " + fill(words["may-say"], { may });
  }

  function actions(answer) {
    if (answer.deal) return [toPaper(answer.deal)];
    if (answer.announcing) return [toChoose(words["announce-it"], ANNOUNCES), button(words["keep-silent"], () => silent(words["unsaid-sets"]))];
    if (answer.calling) return [toChoose(words["call-it"], CALLS), button(words["keep-silent"], () => silent(words["unsaid-roem"]))];
    if (pending) return [button(pending.asks[0].yes, () => reply(true)), button(words["keep-silent"], () => reply(false))];
    const bids = answer.bids || [];
    return [...bids.filter(({ amount }) => !amount).map(toBid), ...withNumbers(bids.filter(({ amount }) => amount))];
  }

  // A sheet that people play on gets no deal of practice without being asked, and none that was played by other rules.
  function toPaper(deal) {
    const found = button(words["to-sheet"], async () => {
      const next = await written();
      if (next.n === 1) { toSheet(deal); return; }
      const yes = next.rules ? button(words["others-new"], () => toSheet(deal, true)) : button(capital(words.yes), () => toSheet(deal));
      const no = button(capital(words.no), () => find("actions").replaceChildren(found));
      found.replaceWith(make("strong", {}, set(fill(words[next.rules ? "practice-otherwise" : "practice"], next))), yes, no);
      no.focus({ preventScroll: true });
    });
    found.classList.add("main");
    return found;
  }

  // Bids with a number: the number from a list, and a button for each suit that can go with it.
  function withNumbers(bids) {
    const amounts = [...new Set(bids.map(({ amount }) => amount))];
    if (!amounts.length) return [];
    const list = make("select", { id: "try-number" }, ...amounts.map((amount) => make("option", { value: amount }, amount)));
    const suits = make("span", { class: "suits" });
    const show = () => suits.replaceChildren(...bids.filter(({ amount }) => amount === list.value).map(toBidNumber));
    list.addEventListener("change", show);
    show();
    return [make("label", {}, words["number-to-bid"] + " ", list), suits];
  }

  function hintText({ hint, why }) {
    if (hint === ANNOUNCES) return words["hint-announce"];
    if (hint === CALLS) return words["hint-call"];
    return fill(words["hint-is"], { what: hint.bid ? bidName(hint, data) : data.cards[hint].name, why: fill(words["why-" + why.name], why) });
  }

  const swept = (answer) => !answer.calling && trickOf(answer.told).full;

  function showTable(answer, isSwept, moves = false) {
    find("deal-table").replaceChildren(...table(answer, isSwept));
    find("deal-table").hidden = false;
    find("deal-table").classList.toggle("laying", moves);
    find("deal-table").classList.toggle("bidding", Boolean(answer.bids));
  }

  function showTaken(answer) {
    const points = answer.taken ? fill(words["so-far"], { points: own().sides.map((name, side) => name + " " + answer.taken[side] + (answer.roem?.[side] ? " + " + roemOf(answer.roem[side]) : "") + " (" + answer.won[side] + ")").join(" – ") }) : "";
    find("deal-trump").textContent = answer.turn_up ? fill(words["turned-up"], { card: data.cards[answer.turn_up].name }) : points;
    find("deal-before").replaceChildren(...before(answer));
  }

  function show(answer) {
    last = answer;
    showTaken(answer);
    if (answer.told) showTable(answer, swept(answer));
    find("deal-table").hidden = Boolean(answer.ended || !answer.told);
    find("verdict").replaceChildren(...verdict(answer));
    find("actions").replaceChildren(...actions(answer));
    find("hand").replaceChildren(...hand(answer));
    find("hand").classList.toggle("asked", asked);
    find("what-may").disabled = !answer.cards || Boolean(answer.ended);
    find("hint").disabled = !answer.hint;
    find("why").replaceChildren();
    find("chips").replaceChildren();
    find("told").replaceChildren(...(answer.told || []).map(event));
    find("look-back").replaceChildren(...(answer.last && !answer.ended ? [ruleLine("play.review-tricks", []), " ", words["look-back"]] : []));
    if (answer.steps) find("verdict").scrollIntoView({ block: "nearest" });
    if (!focusNext) return;
    // Whoever plays by keys goes on where he is: at the hand, or at what there is to be said.
    focusNext = false;
    const next = find("actions").querySelector("button") || find("hand").querySelector("button.legal") || find("new-deal");
    next.focus({ preventScroll: true });
  }

  // Shows what was done since something was chosen, one thing after the other, before it is one's turn again.
  async function playOn(answer, from) {
    const earlier = last, mine = running;
    const told = answer.told;
    const wait = (time) => new Promise((resolve) => { setTimeout(resolve, time); goOn = time === FULL ? resolve : null; });
    const isOver = () => mine !== running || find("tools").hidden;
    last = answer;
    for (const part of ["actions", "why", "chips"]) find(part).replaceChildren();
    find("hand").replaceChildren(...hand(answer, true));
    find("hand").classList.remove("asked");
    for (const part of ["what-may", "hint"]) find(part).disabled = true;
    for (let index = from; index < told.length; index += 1) {
      const one = told[index], next = told[index + 1];
      // Until there is trump the table is that of the bidding.
      const now = { ...(one.bid ? earlier : answer), told: told.slice(0, index + 1) };
      const { done, full } = trickOf(now.told);
      showTable(now, false, true);
      if (one.won !== undefined) showTaken(answer);
      find("verdict").replaceChildren(...(missed ? [missed + " "] : []), ...(one.won === undefined ? [] : [make("strong", {}, wonBy("trick-to-seat", one.won), one.roem ? " " + roemOf(one.roem) + "." : ""), " "]), done.filter((some) => (one.bid ? some.bid : !some.bid) && said(some)).map((some) => set(who(some.seat) + ": " + said(some))).join(" · "));
      const goes = full && (next ? next.play : !answer.calling);
      if (goes || !still.matches) await wait(goes ? FULL : STEP);
      if (isOver()) return;
      if (goes && !still.matches) {
        find("deal-table").dataset.to = own().places[done.findLast(({ won }) => won !== undefined).won];
        await wait(STEP / 2);
        delete find("deal-table").dataset.to;
        if (isOver()) return;
      }
    }
    show(answer);
  }

  function begin(answer) {
    const from = shown;
    shown = null;
    if (from === null || !answer.told || document.documentElement.dataset.pause === "0") {
      running += 1;
      show(answer);
    } else playOn(answer, from);
  }

  find("deal-table").parentElement.addEventListener("click", () => goOn?.());
  find("what-may").addEventListener("click", () => { asked = true; refused = pending = null; explain(); });

  return {
    show: (found) => begin(Object.values(found)[0]),
    hint: () => { hinted = true; refused = pending = null; explain(); },
    goOn: anew,
  };
}
