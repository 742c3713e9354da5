// Ask matteogaribaldi/belote-contree2: backend/game of a work tree whose folder is the first argument.
// A room is asked without its sockets, clock and files; what waits three seconds to be seen is done at once.
import { createRequire } from "node:module";
import { Unsupported, atTable, numbered, serve, tens } from "./serve.mjs";

const require = createRequire(`${process.argv[2]}/backend/game/`);
const GameLogic = require("./GameLogic.js");
const logic = new GameLogic();
const Module = require("node:module");
const quiet = () => new Proxy({}, { get: () => () => undefined });
const load = Module._load;
// The rooms write games to a database, of which nothing is asked.
Module._load = (name, ...rest) =>
  /PersistenceManager|database|sqlite|firebase/.test(name) ? class { constructor() { return quiet(); } } : load(name, ...rest);
globalThis.setTimeout = (work) => void work();
globalThis.setInterval = () => 0;
const RoomManager = require("./RoomManager.js");
const manager = new RoomManager(quiet());
for (const name of ["broadcastGameState", "saveGameState", "startTurnTimer", "clearTurnTimer", "logGameStart", "saveGameToDatabase"]) {
  manager[name] = () => undefined;
}
manager.persistenceManager = quiet();

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const SEATS = ["north", "east", "south", "west"];
const SIDES = ["northSouth", "eastWest"];
const card = (text) => ({ rank: text.slice(0, -1), suit: SUITS[text.at(-1)] });
const text = ({ rank, suit }) => rank + LETTER[suit];
const laid = (leader, cards) => Object.fromEntries(cards.map((one, i) => [SEATS[(leader + i) % 4], card(one)]));

const suited = (mode) => {
  if (!(mode in SUITS)) throw new Unsupported("no trumps and all trumps are not bid");
  return SUITS[mode];
};

const winner = (leader, cards, trump) => SEATS.indexOf(logic.determineWinner(laid(leader, cards), trump, SUITS[cards[0].at(-1)]));
const points = (cards, trump) => logic.calculateTrickPoints(laid(0, cards.slice(0, 4)), trump) +
  (cards.length > 4 ? points(cards.slice(4), trump) : 0);
const legal = (hand, trick, trump, seat) => hand.filter((one) => logic.isValidPlay(one, hand, trick, trump, SEATS[seat]));
const bidOf = (bid) => {
  if (bid === "pass") return { type: "pass" };
  if (bid.endsWith("double")) return { type: bid === "double" ? "contro" : "surcontre" };
  const suit = SUITS[bid.at(-1)];
  return bid.startsWith("capot") ? { type: "cappotto", suit } : { type: "bid", points: Number(bid.slice(0, -1)), suit };
};

// One room; what is asked is put into it, and what came of it is copied.
const room = { code: "ROOM", state: "playing", players: {}, bots: {}, gameScore: {}, handHistory: [] };
manager.rooms.set(room.code, room);
const put = (state) => Object.assign(room, structuredClone(state));
const taken = () => structuredClone({ game: room.game, gameScore: room.gameScore, handHistory: room.handHistory });
const seatOf = ({ game }) => SEATS.indexOf(game.currentPlayer);
const told = (tricks) => tricks.map((one) => ({ winner: SEATS.indexOf(one.winner), points: one.points }));

const ended = ({ game }) => {
  const { player, announced } = game.beloteRebelote ?? {};
  const side = SEATS.indexOf(player) % 2;
  return {
    tricks: told(game.tricks), cards: SIDES.map((one, i) => game.score[one] - (announced && side === i ? 20 : 0)),
    belote: [0, 1].map((one) => (announced && side === one ? 20 : 0)), score: SIDES.map((one) => game.finalScore[one]),
  };
};

serve(
  {
    name: "matteogaribaldi/belote-contree2", version: "7eb40e6", language: "JavaScript", profiles: ["contree+points-alone+exact-points"],
    deals: "hands", announcing: "automatic", knows: { modes: ["S", "H", "D", "C"], calls: ["capot", "double", "redouble"] },
    fields: {
      "settle-tricks": ["tricks", "cards", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "cards", "belote", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({ points: points(cards, suited(trump)) + (last_trick ? 10 : 0) }),
    "trick-winner": ({ trump, leader, cards }) => ({ winner: winner(leader, cards, suited(trump)) }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: legal(hand.map(card), laid(0, trick), suited(trump), trick.length).map(text),
    }),
    "settle-tricks": ({ trump, taker, bid, raised = 1, tricks: asked, sides = [] }) => {
      const tricks = asked.map(({ leader, cards }) => ({
        winner: SEATS[winner(leader, cards, suited(trump))], points: points(cards, SUITS[trump]), trick: laid(leader, cards),
      }));
      const score = { northSouth: 0, eastWest: 0 };
      for (const one of tricks) score[SIDES[SEATS.indexOf(one.winner) % 2]] += one.points;
      const belote = sides.findIndex((side) => side.belote);
      put({
        game: {
          tricks, score, trump: SUITS[trump], contro: raised > 1, surcontre: raised > 2,
          contract: { player: SEATS[taker], bid: bidOf(`${bid}${trump}`) },
          beloteRebelote: belote < 0 ? null : { player: SEATS[belote], announced: true },
        },
        gameScore: { northSouth: 0, eastWest: 0 }, handHistory: [],
      });
      manager.endHand(room);
      return ended(room);
    },
    ...atTable({
      bids: ["pass", ...numbered([...tens(80, 160), "capot"], "SHDC"), "double", "redouble"],
      begin: (dealer, hands) => {
        put({ game: null, gameScore: { northSouth: 0, eastWest: 0 }, handHistory: [] });
        manager.initializeGame(room);
        const first = SEATS[(dealer + 1) % 4];
        Object.assign(room.game, { dealer: SEATS[dealer], currentPlayer: first, firstPlayer: first });
        hands?.forEach((hand, seat) => (room.game.hands[SEATS[seat]] = hand.map(card)));
        return { ...taken(), said: 0 };
      },
      say: (state, bid) => {
        put(state);
        if (!manager.isValidBid(room.game, bidOf(bid), room.game.currentPlayer)) return undefined;
        manager.placeBid({}, room.code, bidOf(bid), room.game.currentPlayer);
        return { ...taken(), said: state.said + 1 };
      },
      turn: seatOf,
      contract: ({ game, said }) => {
        if (game.biddingPhase) return said && !game.bids.length ? null : undefined;
        const { player, bid } = game.contract;
        return {
          taker: SEATS.indexOf(player), trump: LETTER[bid.suit], bid: bid.points ?? "capot",
          raised: game.surcontre ? 4 : game.contro ? 2 : 1,
        };
      },
      held: (state) => state.game.hands[state.game.currentPlayer].map(text),
      legal: ({ game }) => legal(game.hands[game.currentPlayer], game.currentTrick, game.trump, SEATS.indexOf(game.currentPlayer)).map(text),
      play: (state, one) => {
        put(state);
        const { game } = room;
        const hand = game.hands[game.currentPlayer];
        // Who holds king and queen of trump says so.
        const pair = ["K", "Q"].every((rank) => hand.some((held) => held.rank === rank && held.suit === game.trump));
        if (pair) game.beloteDeclared[game.currentPlayer] = true;
        manager.playCard({}, room.code, card(one), game.currentPlayer);
        return taken();
      },
      result: (state) => (state.game.handComplete ? ended(state) : undefined),
    }),
  },
);
