// Ask Martin-Atanasov123/belot: packages/engine of a work tree whose folder is the first argument.
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, alias, atTable, serve } from "./serve.mjs";

const packages = `${process.argv[2]}/packages`;
alias({ "@belot/shared": `${packages}/shared/src/index.ts` });
const from = (name) => import(pathToFileURL(`${packages}/engine/src/${name}.ts`).href);
const announcements = await from("announcements");
const moves = await from("legalMoves");
const match = await from("match");
const { cardPoints } = await from("ranking");

const CONTRACTS = { S: "S", H: "H", D: "D", C: "C", N: "NT", A: "AT" };
const LETTER = Object.fromEntries(Object.entries(CONTRACTS).map(([letter, contract]) => [contract, letter]));
const SUITS = "SHDC";
const SIDES = ["NS", "EW"];
const OUTCOMES = { made: "made", inside: "fell", suspended: "tied" };
const card = (text) => ({ suit: text.at(-1), rank: text.slice(0, -1) });
const text = ({ suit, rank }) => rank + suit;
const mode = (letter) => [CONTRACTS[letter], SUITS.includes(letter) ? letter : null];
const sum = (found) => found.reduce((total, one) => total + one.points, 0);
const laid = (leader, cards) => ({ leader, cards: cards.map((one, i) => ({ seat: (leader + i) % 4, card: card(one) })) });
const bySide = (score) => SIDES.map((side) => score[side]);
const points = (cards, trump) => cards.reduce((total, one) => total + cardPoints(card(one), ...mode(trump)), 0);

// A deal whose last trick lies on the table; it is of sevens, which are worth nothing, and led by its winner.
const settle = ({ trump = "S", taker, raised = 1, last_trick: last, sides }, held = 0, totals = [0, 0], dealer = 3) => {
  if (last === undefined) throw new Unsupported("who won the last trick");
  if (sides.some(({ belote = 0 }) => belote > 20) || sides.every(({ belote }) => belote)) {
    throw new Unsupported("belote is counted once");
  }
  const [contract, suit] = mode(trump);
  const winners = sides.every(({ tricks }) => tricks) ? [1 - last, ...Array(6).fill(last)] : Array(7).fill(last);
  const completedTricks = winners.map((winner, i) => ({
    leader: winner, cards: [], winner, points: winners.indexOf(winner) === i ? (sides[winner].cards ?? 0) : 0,
  }));
  const sevens = [...SUITS].sort((a, b) => (b === suit) - (a === suit)).map((one) => `7${one}`);
  const belote = sides.findIndex((side) => side.belote);
  return match.resolveTrick({
    ...match.newMatch({ seed: 1, dealer }), phase: "PLAYING", contract, trump: suit, bidder: taker, multiplier: raised,
    completedTricks, currentTrick: laid(last, sevens), turn: last,
    announcements: sides.flatMap(({ declarations }, seat) => (declarations ? [{ kind: "sequence", seat, points: declarations }] : [])),
    belotIntent: belote < 0 ? null : { seat: belote, played: 2 },
    matchScore: { NS: totals[0], EW: totals[1] }, hungPool: held ? { points: held } : null,
  });
};

const settled = ({ lastHandResult: last, hungPool }) => ({
  outcome: OUTCOMES[last.outcome], points: bySide(last.awardedRaw), score: bySide(last.awardedTens), held: hungPool?.points ?? 0,
});

const BIDS = { pass: { type: "PASS" }, double: { type: "CONTRA" }, redouble: { type: "RECONTRA" } };
for (const letter of "CDHSNA") BIDS[letter] = { type: "BID", contract: CONTRACTS[letter] };

const done = (snap, action) => {
  const next = match.apply(snap, { seat: snap.turn, ...action });
  if (match.isError(next)) return undefined;
  return match.hasPendingTrick(next) ? match.resolveTrick(next) : next;
};

serve(
  {
    name: "Martin-Atanasov123/belot", version: "dabb256", language: "TypeScript", profiles: ["bulgarian-belot"],
    deals: "hands", announcing: "automatic", last_trick: "apart",
    fields: {
      declarations: ["best_points"], "compare-hands": ["points"],
      "score-deal": ["outcome", "points", "score", "held"],
      match: ["deals", "winner", "next_dealer"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "cards", "declarations", "belote", "outcome", "points", "score", "held"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({ points: points(cards, trump) + (last_trick ? 10 : 0) }),
    "trick-winner": ({ trump, leader, cards }) => ({ winner: moves.trickWinner(laid(leader, cards), ...mode(trump)) }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: moves.legalMoves(hand.map(card), laid(0, trick), ...mode(trump)).map(text),
    }),
    declarations: ({ hand, trump }) => {
      const { sequences, carres } = announcements.scanHand(trump === "N" ? [] : hand.map(card), 0);
      return { best_points: [...sequences, ...carres].reduce((sum, one) => sum + one.points, 0) };
    },
    "compare-hands": ({ trump, hands }) => {
      const scanned = hands.map((hand, seat) => announcements.scanHand(trump === "N" ? [] : hand.map(card), seat));
      const found = announcements.resolveAnnouncements(scanned, ...mode(trump)).announcements;
      return { points: hands.map((_, seat) => sum(found.filter((one) => one.seat === seat))) };
    },
    "score-deal": (asked) => settled(settle(asked)),
    match: ({ dealer, totals = [0, 0], held = 0, deals }) => {
      let [seat, kept, now, winner] = [dealer, held, totals, null];
      // Whether a match is over the program says when it has scored a deal; this one is of no points.
      const nothing = { taker: 0, last_trick: 0, sides: [{ cards: -10, tricks: 4 }, { tricks: 4 }] };
      if (settle(nothing, 0, totals).phase === "GAME_OVER") throw new Rejected("match-over", 0);
      const told = deals.map((deal, at) => {
        if (winner !== null) throw new Rejected("match-over", at);
        if (deal.accusation) throw new Rejected("no-penalty", at);
        const row = { dealer: seat, score: [0, 0], freed: [0, 0] };
        seat = (seat + 1) % 4;
        if (deal.scored) {
          const snap = settle(deal.scored, kept, now, row.dealer);
          row.score = bySide(settle(deal.scored).lastHandResult.awardedTens);
          row.freed = bySide(snap.lastHandResult.awardedTens).map((score, side) => score - row.score[side]);
          kept = snap.hungPool?.points ?? 0;
          now = bySide(snap.matchScore);
          if (snap.phase === "GAME_OVER") winner = now[0] > now[1] ? 0 : 1;
          else seat = match.advanceHand(snap).dealer;
        }
        return { ...row, held: kept, totals: now };
      });
      return { deals: told, winner, next_dealer: winner === null ? seat : null };
    },
    ...atTable({
      bids: Object.keys(BIDS),
      begin: (dealer, hands) => ({ ...match.newMatch({ seed: 1, dealer }), asked: hands }),
      say: (snap, bid) => {
        const next = done(snap, BIDS[bid]);
        if (next?.phase === "PLAYING" && snap.asked) next.hands = Object.fromEntries(snap.asked.map((hand, seat) => [seat, hand.map(card)]));
        return next;
      },
      turn: (snap) => snap.turn,
      contract: (snap) => {
        // A deal that all passed is followed by the next, of which nothing was asked.
        if (!("asked" in snap)) return null;
        if (snap.phase === "BIDDING") return undefined;
        return { taker: snap.bidder, trump: LETTER[snap.contract], raised: snap.multiplier };
      },
      held: (snap) => snap.hands[snap.turn].map(text),
      legal: (snap) => moves.legalMoves(snap.hands[snap.turn], snap.currentTrick, snap.contract, snap.trump).map(text),
      play: (snap, one) => done(snap, { type: "PLAY", card: card(one) }),
      result: (snap) => {
        const last = snap.lastHandResult;
        if (last === null) return undefined;
        const of = (side) => sum(snap.announcements.filter((one) => one.seat % 2 === side));
        return {
          tricks: snap.completedTricks.map(({ winner, points: worth }) => ({ winner, points: worth })),
          // It doubles the cards at no trumps before it keeps them.
          cards: bySide(last.cardPoints).map((worth) => (last.contract === "NT" ? worth / 2 : worth)),
          declarations: [of(0), of(1)], belote: bySide(last.belotPoints), ...settled(snap),
        };
      },
    }),
  },
);
