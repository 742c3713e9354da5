// Ask brissaur/card-game-coinche: api/src/common of a work tree whose folder is the first argument.
// Of a deal it keeps the tricks and counts nothing, and it takes any announcement.
import { pathToFileURL } from "node:url";
import { Unsupported, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/api/src/${name}.ts`).href);
const { deckOfThirtyTwoCards } = await from("common/constant");
const { getHighestCard, possibleCards } = await from("common/index");
const { Card } = await from("cardsPlayed/model");

const card = (text) => new Card(text);
const suited = (mode) => {
  if (!"SHDC".includes(mode)) throw new Unsupported("no trumps and all trumps are not there");
  return mode;
};

serve(
  {
    name: "brissaur/card-game-coinche", version: "e458283", language: "TypeScript", profiles: ["contree"],
    knows: { modes: ["S", "H", "D", "C"] },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: cards.reduce((sum, one) => {
        const { value } = deckOfThirtyTwoCards.find(({ id }) => id === one);
        return sum + (one.at(-1) === suited(trump) ? value.trump : value.notrump);
      }, last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => {
      const laid = cards.map(card);
      return { winner: (leader + laid.indexOf(getHighestCard(laid, suited(trump), laid[0].getCardColor()))) % 4 };
    },
    "legal-cards": ({ trump, hand, trick }) => {
      const player = { getCards: () => hand.map(card) };
      return { cards: possibleCards(suited(trump), player, trick.map(card)).map((one) => one.getCardId()) };
    },
  },
);
