// Ask fireflo/coinchounet: server/src/rules of a work tree whose folder is the first argument.
import { pathToFileURL } from "node:url";
import { atTable, numbered, serve, tens } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/server/src/rules/${name}.ts`).href);
const bidding = await from("bidding");
const rules = await from("coinche");
const scoring = await from("scoring");

const TYPES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", N: "no_trump", A: "all_trump" };
const LETTER = Object.fromEntries(Object.entries(TYPES).map(([letter, type]) => [type, letter]));
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));
const SEATS = ["0", "1", "2", "3"];
const TEAMS = ["teamA", "teamB"];
const card = (text) => text.slice(0, -1) + SIGNS[text.at(-1)];
const text = (one) => one.slice(0, -1) + SUIT[one.at(-1)];
const laid = (leader, cards) => cards.map((one, i) => ({ playerId: SEATS[(leader + i) % 4], card: card(one) }));
const contractOf = (type, more = {}) => ({ team: "teamA", type, value: 80, coinched: false, surcoinched: false, ...more });
const context = (type, currentTrick = [], hands = {}) => ({ contract: contractOf(type), currentTrick, turnOrder: SEATS, hands });

const legal = (type, seat, hand, trick) =>
  hand.filter((one) => rules.validateMove(SEATS[seat], one, context(type, trick, { [SEATS[seat]]: hand })).valid);

const complete = (type, cards) => ({
  winnerId: rules.determineTrickWinner(cards, context(type)), cards, points: scoring.calculateTrickPoints(cards, type),
});

// It finds belote by itself; where the question tells it, that is put in its place.
const settled = (tricks, { taker, trump, bid, raised = 1 }, told) => {
  const round = scoring.calculateRoundScore(tricks, TYPES[trump], SEATS);
  if (told) [round.teamABelote, round.teamBBelote] = [0, 1].map((side) => Boolean(told[side]?.belote));
  const found = scoring.calculateContractResult(round, TEAMS[taker % 2], bid, TYPES[trump], raised > 1, raised > 2);
  return {
    tricks: tricks.map((one) => ({ winner: Number(one.winnerId), points: one.points })),
    belote: [round.teamABelote ? 20 : 0, round.teamBBelote ? 20 : 0],
    outcome: found.fulfilled ? "made" : "fell", score: [found.teamAScore, found.teamBScore],
  };
};

serve(
  {
    name: "fireflo/coinchounet", version: "9fb106b", language: "TypeScript", profiles: ["coinche+points-alone"],
    deals: "hands", announcing: "automatic", knows: { calls: ["double", "redouble"] },
    fields: {
      "settle-tricks": ["tricks", "outcome", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "belote", "outcome", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: scoring.calculateTrickPoints(laid(0, cards), TYPES[trump]) + (last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: Number(rules.determineTrickWinner(laid(leader, cards), context(TYPES[trump]))),
    }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: legal(TYPES[trump], trick.length, hand.map(card), laid(0, trick)).map(text),
    }),
    "settle-tricks": ({ tricks, sides = [], ...told }) =>
      settled(tricks.map(({ leader, cards }) => complete(TYPES[told.trump], laid(leader, cards))), told, sides),
    ...atTable({
      bids: ["pass", ...numbered(tens(80, 250), "CDHSNA"), "double", "redouble"],
      begin: (dealer, hands) => ({
        state: bidding.createInitialBiddingState(), turn: (dealer + 1) % 4, eldest: (dealer + 1) % 4,
        hands: hands?.map((hand) => hand.map(card)), trick: [], tricks: [],
      }),
      say: (game, bid) => {
        const playerId = SEATS[game.turn];
        const turn = (game.turn + 1) % 4;
        try {
          if (bid === "pass") return { ...game, turn, state: bidding.processPass(playerId, game.state) };
          if (bid === "double") return { ...game, state: bidding.processCoinche(playerId, game.state, SEATS) };
          if (bid === "redouble") return { ...game, state: bidding.processSurcoinche(playerId, game.state, SEATS) };
          const given = { playerId, contractType: TYPES[bid.at(-1)], value: Number(bid.slice(0, -1)), timestamp: "" };
          return { ...game, turn, state: bidding.processBid(given, game.state) };
        } catch {
          return undefined;
        }
      },
      turn: (game) => (game.state.status === "active" ? game.turn : (game.next ?? game.eldest)),
      contract: ({ state }) => {
        if (state.status === "redeal") return null;
        if (state.status === "active") return undefined;
        const { playerId, contractType, value } = state.winningBid;
        const raised = state.surcoinched ? 4 : state.coinched ? 2 : 1;
        return { taker: Number(playerId), trump: LETTER[contractType], bid: value, raised };
      },
      held: (game) => game.hands[game.next ?? game.eldest].map(text),
      legal: (game) => {
        const seat = game.next ?? game.eldest;
        return legal(game.state.winningBid.contractType, seat, game.hands[seat], game.trick).map(text);
      },
      play: (game, one) => {
        const seat = game.next ?? game.eldest;
        const hands = game.hands.map((hand, i) => (i === seat ? hand.filter((held) => held !== card(one)) : hand));
        const trick = [...game.trick, ...laid(seat, [one])];
        if (trick.length < 4) return { ...game, hands, trick, next: (seat + 1) % 4 };
        const done = complete(game.state.winningBid.contractType, trick);
        return { ...game, hands, trick: [], tricks: [...game.tricks, done], next: Number(done.winnerId) };
      },
      result: ({ state, tricks }) => {
        if (tricks.length < 8) return undefined;
        const { playerId, contractType, value } = state.winningBid;
        const raised = state.surcoinched ? 4 : state.coinched ? 2 : 1;
        return settled(tricks, { taker: Number(playerId), trump: LETTER[contractType], bid: value, raised });
      },
    }),
  },
);
