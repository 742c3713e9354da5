// A deal against sensible players: which card may you play, and why not that one; counted at the end.
export function dealView({ find, make, fill, words, data, own, seats, sides, picture, ruleLine, choose }) {
  const who = (seat) => seats()[seat];
  const short = (cards) => cards.map((card) => data.cards[card].short).join(" ");

  function event(one) {
    const said = [];
    if (one.bid) said.push(one.bid === "pass" ? words.passes : fill(words.takes, { suit: data.suits[one.bid] }));
    if (one.play) said.push(fill(words.plays, { card: data.cards[one.play].short }));
    if (one.discard) said.push(fill(words["lays-away"], { n: one.discard.length }));
    if (one.exchange) said.push(words.exchanges);
    for (const [seat, sets] of Object.entries(one.announced)) {
      const word = Number(seat) === one.seat ? "announces" : "announces-there";
      said.push(fill(words[word], { who: who(Number(seat)), cards: sets.map(short).join(", ") }));
    }
    if (one.calls) said.push(words[one.calls > 1 ? "says-rebelote" : "says-belote"]);
    const line = make("li", {}, make("strong", {}, who(one.seat), ":"), " ", said.join("; "));
    if (one.won !== undefined) line.append(" – ", fill(words["trick-to"], { who: who(one.won) }));
    return line;
  }

  function trick(answer) {
    return (answer.trick || []).map((card, index) =>
      make("span", { class: "placed" }, picture(card), make("span", { class: "below" }, who((answer.leader + index) % own().players))));
  }

  // The trick that has just been taken up: its cards are gone from the table. Before there is one: what was said.
  function before(answer) {
    const told = answer.told || [];
    const last = told.filter((one) => one.trick).pop();
    if (!last && answer.bids) return told.filter((one) => one.bid).map((one) => event(one).textContent).join(" · ") || words["you-speak-first"];
    return last ? fill(words["trick-before"], { cards: short(last.trick), who: who(last.won) }) : "";
  }

  function bids(answer) {
    return answer.bids.map((bid) => {
      const button = make("button", { type: "button", class: "choice" }, bid === "pass" ? words.pass : data.suits[bid]);
      button.addEventListener("click", () => choose(bid));
      return button;
    });
  }

  function count(answer) {
    const row = ([name, figures]) => make("tr", {}, make("th", { scope: "row" }, words["row-" + name]), ...figures.map((figure) => make("td", {}, String(figure))));
    const head = make("tr", {}, make("td"), ...sides().map((name) => make("th", { scope: "col" }, name)));
    return make("table", { class: "count" }, make("thead", {}, head), make("tbody", {}, ...Object.entries(answer.rows).map(row)));
  }

  function verdict(answer) {
    if (answer.error) return [fill(words["wrong-question"], { why: answer.error })];
    if (answer.rows) return [make("strong", {}, words["outcome-" + answer.outcome]), answer.held ? " " + fill(words.held, { n: answer.held }) : "", count(answer)];
    if (answer.ended === "passed") return [words["nobody-took"]];
    if (answer.ended) return [fill(words["wins-match"], { who: who(answer.winner) })];
    if (answer.bids) return [make("strong", {}, words["your-bid"]), " ", ...bids(answer)];
    return [make("strong", {}, words["your-card"]), " ", ruleLine(answer.rule)];
  }

  return function show(found) {
    const answer = Object.values(found)[0];
    find("verdict").replaceChildren(...verdict(answer));
    find("why").replaceChildren();
    find("chips").replaceChildren();
    const trump = answer.trump ? fill(words["trump-is"], { suit: data.suits[answer.trump], who: who(answer.taker) }) : "";
    find("deal-trump").textContent = answer.turn_up ? fill(words["turned-up"], { card: data.cards[answer.turn_up].name }) : trump;
    find("deal-trick").replaceChildren(...trick(answer));
    find("deal-before").textContent = before(answer);
    find("told").replaceChildren(...(answer.told || []).map(event));
    return answer;
  };
}
