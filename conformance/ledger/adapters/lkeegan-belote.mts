// Ask lkeegan/belote: the functions of worker/src/game in a work tree whose folder is the first argument.
// The program declares and counts everything by itself when a deal is over, and is given whole tricks.
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/worker/src/game/${name}.ts`).href);
const deck = await from("deck");
const rules = await from("rules");
const scoring = await from("scoring");
const state = await from("state");

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const card = (text) => ({ rank: text.slice(0, -1), suit: SUITS[text.at(-1)] });
const text = ({ rank, suit }) => rank + LETTER[suit];
const seatsFrom = (leader, cards) => cards.map((one, i) => ({ seat: (leader + i) % 4, card: card(one) }));

const handsOf = (tricks) => {
  const hands = [[], [], [], []];
  for (const { leader, cards } of tricks) cards.forEach((one, i) => hands[(leader + i) % 4].push(card(one)));
  return hands;
};

const table = (dealer, turnUp, hands, talon) => ({
  ...state.createGame((dealer + 1) % 4), hands, trumpCard: turnUp, talon, turn: (dealer + 1) % 4,
});

const settled = (result) => ({
  outcome: result.madeContract ? "made" : "fell",
  points: result.handPoints,
  score: result.handPoints,
});

// A deal of which all eight tricks are known; the last trick's winner and all else is the program's to find.
const scored = (tricks, trump, taker) =>
  scoring.scoreHand(
    tricks.map(({ leader, cards }) => {
      const plays = seatsFrom(leader, cards);
      return { winner: rules.trickWinner(plays, SUITS[trump]), cards: plays };
    }),
    SUITS[trump], taker,
  );

serve(
  {
    name: "lkeegan/belote", version: "861b6a4", language: "TypeScript",
    profiles: ["belote+partner-winning-free-discard+rise-over-partner+second-round-other-suit+automatic-belote+automatic-declarations"],
    deals: "tricks",
    fields: {
      "compare-hands": ["points"], deal: ["before", "turn_up", "hands"],
      replay: ["tricks", "cards", "declarations", "belote", "outcome", "points", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: cards.reduce((sum, one) => sum + rules.cardPoints(card(one), SUITS[trump]), last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({ winner: rules.trickWinner(seatsFrom(leader, cards), SUITS[trump]) }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: rules.legalMoves(hand.map(card), seatsFrom(0, trick), SUITS[trump], trick.length).map(text),
    }),
    declarations: ({ hand }) => {
      const found = scoring.handAnnonces(hand.map(card), 0, "spades");
      const points = found.reduce((sum, one) => sum + one.points, 0);
      const sets = found.length ? [{ declarations: found.map((one) => one.cards.map(text)), points }] : [];
      return { sets, best_points: points };
    },
    "compare-hands": ({ trump, leader, hands }) => {
      // The function that compares is inside scoreHand, so the hands are laid down as eight tricks.
      if (hands.some((hand) => hand.length !== 8)) throw new Unsupported("hands of eight cards");
      const tricks = hands[0].map((_, i) => ({ leader, cards: [0, 1, 2, 3].map((k) => hands[(leader + k) % 4][i]) }));
      const { annonces } = scored(tricks, trump, 0);
      const points = [0, 0, 0, 0];
      for (const one of annonces) {
        points[hands.findIndex((hand) => hand.includes(text(one.cards[0])))] += one.points;
      }
      return { points };
    },
    bidding: ({ dealer, turn_up, bids }) => {
      if (!turn_up) throw new Unsupported("a card is always turned up");
      const rest = deck.createDeck().filter((one) => text(one) !== turn_up);
      let now = table(dealer, card(turn_up), [0, 5, 10, 15].map((i) => rest.slice(i, i + 5)), rest.slice(20));
      let failed = false;
      bids.forEach((bid, at) => {
        if (failed || now.phase !== "bidding") throw new Rejected("bidding-over", at);
        const { opener } = now;
        const next = state.reduce(now, { type: "bid", seat: now.turn, suit: bid === "pass" ? null : SUITS[bid] });
        if (!next.ok) throw new Rejected("suit-not-offered", at);
        failed = next.state.opener !== opener;
        now = next.state;
      });
      if (failed) return { state: "failed" };
      if (now.phase === "playing") {
        return { state: "taken", taker: now.taker, trump: LETTER[now.trump], round: now.biddingRound };
      }
      const choices = ["pass", ..."SHDC"].filter(
        (bid) => state.reduce(now, { type: "bid", seat: now.turn, suit: bid === "pass" ? null : SUITS[bid] }).ok,
      );
      return { state: "open", turn: now.turn, choices };
    },
    deal: ({ deck: pack, cut, taker }) => {
      let cards = pack.map(card);
      if (cut !== undefined) {
        // The program cuts at a place drawn by lot, never at either end.
        if (cut < 1 || cut >= cards.length) throw new Rejected("bad-cut");
        cards = deck.cut(cards, () => (cut - 0.5) / (cards.length - 1));
      }
      const dealt = deck.dealBeloteFromDeck(cards);
      const hands = deck.completeDeal(dealt, taker);
      const told = (many) => many.map((hand) => hand.map(text));
      return { before: told(dealt.hands), turn_up: text(dealt.trumpCard), hands: told(hands) };
    },
    replay: ({ dealer, taker, trump, tricks }) => {
      let now = {
        ...table(dealer, card("7S"), handsOf(tricks), []), phase: "playing", trump: SUITS[trump], taker, turn: tricks[0].leader,
      };
      let at = 0;
      for (const { cards } of tricks) {
        for (const one of cards) {
          const next = state.reduce(now, { type: "play", seat: now.turn, card: card(one) });
          if (!next.ok) throw new Rejected("illegal-card", at);
          now = next.state;
          at += 1;
        }
      }
      const { result } = now;
      const side = (team, points) => [0, 1].map((one) => (one === team ? points : 0));
      const last = now.tricks.at(-1).winner % 2;
      return {
        ended: "played", taker, trump,
        tricks: now.tricks.map(({ winner, cards }) => ({
          winner, points: cards.reduce((sum, play) => sum + rules.cardPoints(play.card, now.trump), 0),
        })),
        cards: result.cardPoints.map((points, team) => points + (team === last ? 10 : 0)),
        declarations: side(result.annonceTeam, result.annoncePoints),
        belote: side(result.beloteTeam, 20),
        ...settled(result),
      };
    },
  },
);
