// Ask sbbb-git/coinche: src/engine of a work tree whose folder is the first argument, with its own settings, played clockwise.
import { pathToFileURL } from "node:url";
import { Unsupported, atTable, numbered, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/src/engine/${name}.ts`).href);
const cards = await from("cards");
const game = await from("game");
const rules = await from("rules");
const { scoreDeal } = await from("scoring");

const settings = { ...game.DEFAULT_SETTINGS, sensHoraire: true };
const card = (text) => cards.makeCard(text.at(-1), text.slice(0, -1));
const text = ({ rank, suit }) => rank + suit;
const laid = (leader, played) => played.map((one, i) => ({ card: card(one), player: (leader + i) % 4 }));

const suited = (mode) => {
  if (!game.availableModes(settings).includes(mode)) throw new Unsupported("no trumps and all trumps are not bid");
  return mode;
};

const contractOf = ({ taker, trump, bid, raised = 1 }) => ({
  value: bid === "capot" ? 250 : bid, mode: suited(trump), taker, capot: bid === "capot", generale: false, coinche: raised,
});

const scored = ({ made, scores, belote }) => ({ outcome: made ? "made" : "fell", score: scores, belote });
const won = (tricks, mode) => tricks.map((one) => ({ winner: one.winner, points: cards.totalPoints(one.cards, mode) }));

serve(
  {
    name: "sbbb-git/coinche", version: "d6cc269", language: "TypeScript", profiles: ["contree+belote-kept+double-the-bid-alone+exact-points+majority-needed"],
    deals: "hands", announcing: "automatic", knows: { modes: ["S", "H", "D", "C"], calls: ["capot", "double", "redouble"] },
    fields: {
      "settle-tricks": ["tricks", "outcome", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "belote", "outcome", "score"],
    },
  },
  {
    "card-points": ({ trump, cards: asked, last_trick }) => ({
      points: cards.totalPoints(asked.map(card), suited(trump)) + (last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards: asked }) => {
      const trick = laid(leader, asked);
      return { winner: trick[rules.winningIndex(trick, suited(trump))].player };
    },
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: rules.legalMoves(hand.map(card), laid(0, trick), trick.length, suited(trump), settings).map(text),
    }),
    "settle-tricks": ({ tricks: asked, sides = [], ...told }) => {
      const contract = contractOf(told);
      const tricks = asked.map(({ leader, cards: played }) => {
        const trick = laid(leader, played);
        return { cards: trick.map((one) => one.card), winner: trick[rules.winningIndex(trick, contract.mode)].player };
      });
      // It reads belote from the hands that were dealt.
      const hands = [0, 1, 2, 3].map((seat) =>
        sides[seat]?.belote ? [cards.makeCard(contract.mode, "K"), cards.makeCard(contract.mode, "Q")] : []);
      const found = scoreDeal(contract, {
        tricks: tricks.map((one) => one.cards), trickWinners: tricks.map((one) => one.winner % 2), hands,
      }, settings);
      return { tricks: won(tricks, contract.mode), ...scored(found) };
    },
    ...atTable({
      bids: ["pass", ...numbered([...game.BID_VALUES, "capot"], "SHDC"), "double", "redouble"],
      begin: (dealer, hands) => ({
        ...game.dealStateFrom(settings, dealer, hands?.map((hand) => hand.map(card)) ?? [[], [], [], []]), dealt: dealer,
      }),
      say: (state, bid) => {
        if (bid === "pass") return game.applyPass(state);
        const capot = bid.startsWith("capot");
        const next = bid === "double" ? game.applyCoinche(state) : bid === "redouble" ? game.applySurcoinche(state)
          : game.applyBid(state, capot ? 250 : Number(bid.slice(0, -1)), bid.at(-1), capot);
        return next === state ? undefined : next;
      },
      turn: (state) => state.current,
      contract: ({ phase, contract, dealer, dealt }) => {
        if (dealer !== dealt) return null;
        if (phase === "bidding") return undefined;
        const { taker, mode, value, capot, coinche } = contract;
        return { taker, trump: mode, bid: capot ? "capot" : value, raised: coinche };
      },
      held: (state) => state.hands[state.current].map(text),
      legal: (state) => game.legalForCurrent(state).map(text),
      play: (state, one) => game.applyPlay(state, card(one)),
      result: ({ lastResult, completedTricks, contract }) =>
        lastResult && { tricks: won(completedTricks, contract.mode), ...scored(lastResult) },
    }),
  },
);
