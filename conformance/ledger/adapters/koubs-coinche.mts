// Ask Koubs934/coinche-game: the server's rooms and game/ in a work tree whose folder is the first argument.
import { createRequire } from "node:module";
import { Unsupported, atTable, numbered, serve } from "./serve.mjs";

const require = createRequire(`${process.argv[2]}/backend/src/`);
const rooms = require("./roomManager.js");
const { createDeck } = require("./game/deck.js");
const rules = require("./game/rules.js");
const { calculateRoundScore } = require("./game/scoring.js");
const { VALID_BID_VALUES } = require("./game/constants.js");

const card = (text) => ({ suit: text.at(-1), value: text.slice(0, -1) });
const text = ({ suit, value }) => value + suit;
const laid = (leader, cards) => cards.map((one, i) => ({ card: card(one), playerIndex: (leader + i) % 4 }));
const points = (cards, trump) => cards.reduce((sum, one) => sum + rules.cardPoints(one, trump), 0);

const suited = (mode) => {
  if (!"SHDC".includes(mode)) throw new Unsupported("no trumps and all trumps are not bid");
  return mode;
};

// One room with four players; what is asked is put into it, and what came of it is copied.
const { code } = rooms.createRoom({ userId: 0 });
for (const userId of [1, 2, 3]) rooms.joinRoom(code, { userId });
const { room: live } = rooms.startGame(code, 0);

const begin = (dealer, hands) => {
  Object.assign(live, { phase: "SHUFFLE", nextDealer: dealer, shuffleDealer: dealer, deck: createDeck(), history: [] });
  rooms.skipShuffle(code, dealer);
  rooms.skipCut(code, live.cutPlayer);
  if (hands) live.game.hands = hands.map((hand) => hand.map(card));
  return structuredClone(live);
};

const DOES = { pass: "passBid", double: "coinche", redouble: "surcoinche" };
const next = ({ game }) => (game.phase === "BIDDING" ? game.biddingTurn : game.currentPlayer);

const done = (room, what, ...given) => {
  Object.assign(live, structuredClone(room), { history: [] });
  return rooms[what](code, next(room), ...given).error ? undefined : structuredClone(live);
};

const amount = (bid) => (bid.startsWith("capot") ? "capot" : Number(bid.slice(0, -1)));
const raisedOf = (bid) => (bid.surcoinched ? 4 : bid.coinched ? 2 : 1);

const scored = ({ contractMade, scores }) => ({ outcome: contractMade ? "made" : "fell", score: [...scores] });
const told = (tricks, trump) => tricks.map((one) => ({ winner: one.winner, points: points(one.cards.map((each) => each.card), trump) }));

serve(
  {
    name: "Koubs934/coinche-game", version: "0568d67", language: "JavaScript", profiles: ["contree"],
    deals: "hands", announcing: "automatic", knows: { modes: ["S", "H", "D", "C"], calls: ["capot", "double", "redouble"] },
    fields: {
      "settle-tricks": ["tricks", "cards", "outcome", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "cards", "belote", "outcome", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({ points: points(cards.map(card), suited(trump)) + (last_trick ? 10 : 0) }),
    "trick-winner": ({ trump, leader, cards }) => ({ winner: rules.getTrickWinner(laid(leader, cards), suited(trump)) }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: rules.getValidCards(hand.map(card), laid(0, trick), suited(trump), trick.length).map(text),
    }),
    "settle-tricks": ({ trump, taker, bid, raised = 1, tricks: asked, sides = [] }) => {
      if (!VALID_BID_VALUES.includes(bid)) throw new Unsupported("numbers from 80 to 160 are bid, or capot");
      const tricks = asked.map(({ leader, cards }) => {
        const one = laid(leader, cards);
        return { cards: one, winner: rules.getTrickWinner(one, suited(trump)) };
      });
      const belote = sides.findIndex((side) => side.belote);
      const found = calculateRoundScore({
        tricks, trumpSuit: trump, beloteTeam: belote < 0 ? null : belote,
        contract: { team: taker % 2, value: bid, coinched: raised > 1, surcoinched: raised > 2 },
      });
      return { tricks: told(tricks, trump), cards: found.trickPoints, ...scored(found) };
    },
    ...atTable({
      bids: ["pass", ...numbered(VALID_BID_VALUES, "SHDC"), "double", "redouble"],
      begin,
      say: (room, bid) => done(room, ...(bid in DOES ? [DOES[bid]] : ["placeBid", amount(bid), bid.at(-1)])),
      turn: next,
      contract: ({ phase, game }) => {
        if (phase === "SHUFFLE") return null;
        if (game.phase === "BIDDING") return undefined;
        const { playerIndex, suit, value } = game.currentBid;
        return { taker: playerIndex, trump: suit, bid: value, raised: raisedOf(game.currentBid) };
      },
      held: ({ game }) => game.hands[game.currentPlayer].map(text),
      legal: ({ game }) =>
        rules.getValidCards(game.hands[game.currentPlayer], game.currentTrick, game.trumpSuit, game.currentPlayer).map(text),
      play: (room, one) => done(room, "playCard", card(one), true),
      result: ({ game }) => {
        if (game.phase !== "ROUND_OVER") return undefined;
        const { complete, playerIndex } = game.beloteInfo;
        return {
          tricks: told(game.tricks, game.trumpSuit), cards: game.trickPoints,
          belote: [0, 1].map((side) => (complete && playerIndex % 2 === side ? 20 : 0)),
          ...scored({ contractMade: game.contractMade, scores: game.roundScores }),
        };
      },
    }),
  },
);
