// Ask konstantini1980/belot-react: src/game of a work tree whose folder is the first argument.
// Its seats go round the other way (0, 3, 2, 1), so seat n of a question is seat (4 - n) % 4 of the program.
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/src/game/${name}.js`).href);
const { Card } = await from("cards");
const { getAllCombinations } = await from("combinations");
const { BelotGame } = await from("gameLogic");

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const CONTRACTS = { ...SUITS, N: "no-trump", A: "all-trump" };
const LETTER = Object.fromEntries(Object.entries(CONTRACTS).map(([letter, contract]) => [contract, letter]));
const BIDS = ["pass", "C", "D", "H", "S", "N", "A", "double", "redouble"];
const card = (text) => new Card(SUITS[text.at(-1)], text.slice(0, -1));
const text = ({ rank, suit }) => rank + LETTER[suit];
const turned = (seat) => (4 - seat) % 4;
const DOUBLES = { double: 2, redouble: 4 };
const sides = (two) => [two[0], two[1]];

const table = (trump, taker, first, raised = 1) => {
  const game = new BelotGame();
  Object.assign(game, {
    phase: "playing", contract: CONTRACTS[trump], trumpSuit: SUITS[trump] ?? null, currentPlayer: turned(first),
    bids: [{ playerId: turned(taker), bid: CONTRACTS[trump] }], double: raised > 1, redouble: raised > 2,
  });
  return game;
};

const raisedOf = (game) => (game.redouble ? 4 : game.double ? 2 : 1);

// The bidding after these bids; a game that is dealt anew begins without bids.
const bidding = (dealer, bids) => {
  const game = new BelotGame();
  game.dealer = turned(dealer);
  game.deal();
  bids.forEach((bid, at) => {
    if (game.phase !== "bidding" || (at > 0 && game.bids.length === 0)) throw new Rejected("bidding-over", at);
    if (!BIDS.includes(bid) || !game.makeBid(game.currentBidder, CONTRACTS[bid] ?? bid)) {
      throw new Rejected(bid in DOUBLES ? "may-not-double" : "bid-too-low", at);
    }
  });
  return game;
};

// Play these tricks; whoever is asked for a card has it.
const play = (game, tricks) => {
  for (const { leader, cards } of tricks) {
    cards.forEach((one, i) => game.players[turned((leader + i) % 4)].hand.push(card(one)));
  }
  let at = 0;
  const told = [];
  for (const { cards } of tricks) {
    for (const one of cards) {
      if (!game.playCard(game.currentPlayer, card(one).id)) throw new Rejected("illegal-card", at);
      at += 1;
    }
    const { winner, cards: played } = game.currentTrick;
    const points = played.reduce((sum, play) => sum + play.card.getValue(game.contract), 0);
    game.completeTrick();
    told.push({ winner: turned(winner), points });
  }
  return told;
};

const oneTrick = (trump, leader, cards) => {
  const game = table(trump, 0, leader);
  cards.forEach((one, i) => game.currentTrick.cards.push({ playerId: turned((leader + i) % 4), card: card(one) }));
  return game;
};

// What the program makes of a deal in numbers: all has been counted but what the end of a round adds.
const settle = (asked, held = 0, totals = [0, 0]) => {
  const game = table(asked.trump ?? "S", asked.taker, 0, asked.raised);
  const last = asked.last_trick;
  if (last === undefined) throw new Unsupported("who won the last trick");
  const left = asked.sides.map((side) => side.tricks ?? 0);
  const winners = [];
  for (const team of [1 - last, last]) for (; left[team] > 0; left[team] -= 1) winners.push(team);
  game.tricks = winners.map((team) => ({ cards: [], winner: team, team }));
  game.currentRoundScore = asked.sides.map((side) => side.cards ?? 0);
  game.hangingPoints = held;
  game.totalScores = [...totals];
  asked.sides.forEach((side, team) => {
    if (side.declarations) game.announcedCombinations[team].push({ type: "counted", cards: [], points: side.declarations });
    if (side.belote) game.announcedCombinations[team].push({ type: "belot", cards: [], points: side.belote });
  });
  game.endRound();
  return game;
};

const outcome = (game, taker) => {
  const points = game.currentRoundScore;
  const mine = points[taker % 2];
  const theirs = points[1 - (taker % 2)];
  return { counted: sides(points), outcome: mine > theirs ? "made" : mine < theirs ? "fell" : "tied" };
};

serve(
  {
    name: "konstantini1980/belot-react", version: "8e306f5", language: "JavaScript",
    profiles: ["bulgarian-belot"], deals: "tricks", last_trick: "apart",
    fields: {
      declarations: ["best_points"],
      "score-deal": ["counted", "outcome", "score", "held"],
      replay: ["raised", "tricks", "cards", "counted", "outcome", "score", "belote", "declarations"],
      match: ["deals", "winner"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: cards.reduce((sum, one) => sum + card(one).getValue(CONTRACTS[trump]), last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: turned(oneTrick(trump, leader, cards).determineTrickWinner().playerId),
    }),
    "legal-cards": ({ trump, hand, trick }) => {
      const game = oneTrick(trump, 0, trick);
      game.currentPlayer = turned(trick.length);
      const player = game.players[game.currentPlayer];
      player.hand = hand.map(card);
      return { cards: player.hand.filter((one) => game.isValidCardPlay(player, one)).map(text) };
    },
    declarations: ({ hand, trump }) => {
      const found = trump === "N" ? [] : getAllCombinations(hand.map(card), "spades");
      return { best_points: found.reduce((sum, one) => sum + one.points, 0) };
    },
    "score-deal": (asked) => {
      const game = settle(asked);
      return { ...outcome(game, asked.taker), score: sides(game.lastRoundRoundedPoints), held: game.hangingPoints };
    },
    bidding: ({ dealer, bids }) => {
      const game = bidding(dealer, bids);
      if (bids.length && game.bids.length === 0) return { state: "failed" };
      if (game.phase !== "bidding") {
        const { playerId } = game.bids.findLast((one) => one.bid === game.contract);
        return { state: "taken", taker: turned(playerId), trump: LETTER[game.contract], raised: raisedOf(game) };
      }
      const choices = BIDS.filter((bid) => bidding(dealer, bids).makeBid(game.currentBidder, CONTRACTS[bid] ?? bid));
      return { state: "open", turn: turned(game.currentBidder), choices };
    },
    replay: ({ taker, trump, raised = 1, tricks }) => {
      const game = table(trump, taker, tricks[0].leader, raised);
      const told = play(game, tricks);
      const of = (wanted) => [0, 1].map((team) =>
        game.announcedCombinations[team].filter((one) => one.valid && wanted(one)).reduce((sum, one) => sum + one.points, 0));
      return {
        ended: "played", taker, trump, raised, tricks: told,
        // It doubles the cards at no trumps before it keeps them.
        cards: game.lastRoundBreakdown.map((one) => one.cardPoints / (trump === "N" ? 2 : 1)),
        declarations: of((one) => one.type !== "belot"), belote: of((one) => one.type === "belot"),
        ...outcome(game, taker), score: sides(game.lastRoundRoundedPoints),
      };
    },
    match: ({ dealer, totals = [0, 0], held = 0, deals }) => {
      let winner = null;
      let seat = dealer;
      let now = [...totals];
      // Whether a match is over the program says when it has scored a deal; one of no points changes nothing else.
      const nothing = { taker: 0, last_trick: 0, sides: [{ cards: -10, tricks: 4 }, { tricks: 4 }] };
      if (settle(nothing, 0, totals).winner !== null) throw new Rejected("match-over", 0);
      let kept = held;
      const told = deals.map((deal, at) => {
        if (winner !== null) throw new Rejected("match-over", at);
        if (deal.accusation) throw new Rejected("no-penalty", at);
        const row = { dealer: seat, score: [0, 0], freed: [0, 0] };
        seat = turned((turned(seat) + 3) % 4);
        if (deal.scored) {
          const game = settle(deal.scored, kept, now);
          row.score = sides(settle(deal.scored).lastRoundRoundedPoints);
          row.freed = row.score.map((score, team) => game.lastRoundRoundedPoints[team] - score);
          kept = game.hangingPoints;
          now = game.totalScores;
          winner = game.winner;
        }
        return { ...row, held: kept, totals: now };
      });
      return { deals: told, winner };
    },
  },
);
