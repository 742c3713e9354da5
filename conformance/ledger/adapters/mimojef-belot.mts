// Ask mimojef/belot: src/core of a work tree whose folder is the first argument. It plays tricks and counts none of their points.
import { pathToFileURL } from "node:url";
import { serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/src/core/${name}.js`).href);
const { getPlayableCardsForPlayer } = await from("playRules");
const { getWinningTrickEntry } = await from("trickLogic");
const { PLAYER_ORDER } = await from("constants");

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const card = (text) => ({ rank: text.slice(0, -1), suit: SUITS[text.at(-1)], id: text });
const entries = (leader, cards) => cards.map((one, i) => ({ playerId: PLAYER_ORDER[(leader + i) % 4], card: card(one) }));
const table = (trump) => ({ phase: "playing", contract: "color", trumpSuit: SUITS[trump], hands: {} });

serve(
  {
    name: "mimojef/belot", version: "19e52e5", language: "JavaScript",
    profiles: ["belote+partner-winning-free-discard+rise-over-partner"],
  },
  {
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: PLAYER_ORDER.indexOf(getWinningTrickEntry(table(trump), entries(leader, cards)).playerId),
    }),
    "legal-cards": ({ trump, hand, trick }) => {
      const player = PLAYER_ORDER[trick.length];
      const state = {
        ...table(trump), currentTurn: player, currentTrick: entries(0, trick), hands: { [player]: hand.map(card) },
      };
      return { cards: getPlayableCardsForPlayer(state, player).map(({ id }) => id) };
    },
  },
);
