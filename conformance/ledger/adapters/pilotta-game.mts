// Ask JellyNash/pilotta-game: src/core of a work tree whose folder is the first argument.
// Its deal is settled for a bid of 80 to 250, which no question here has, so settling is not asked.
import { pathToFileURL } from "node:url";
import { serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/src/core/${name}.ts`).href);
const rules = await from("gameRules");
const utils = await from("cardUtils");

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const card = (text) => ({ rank: text.slice(0, -1), suit: SUITS[text.at(-1)], id: text });
const text = ({ rank, suit }) => rank + LETTER[suit];
const player = (seat) => ({ id: String(seat), teamId: seat % 2 ? "B" : "A" });
const trickOf = (leader, cards) =>
  cards.map((one, order) => ({ player: player((leader + order) % 4), card: card(one), order }));

serve(
  {
    name: "JellyNash/pilotta-game", version: "e6b6398", language: "TypeScript",
    profiles: ["belote+rise-over-partner"],
    fields: { "compare-hands": ["points"] },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: utils.countCardPoints(cards.map(card), SUITS[trump]) + (last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: Number(rules.determineTrickWinner(trickOf(leader, cards), SUITS[trump]).id),
    }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: rules.getLegalPlays(hand.map(card), trickOf(0, trick), SUITS[trump]).map(text),
    }),
    declarations: ({ hand }) => {
      const found = rules.findAllDeclarations(hand.map(card), player(0));
      const points = found.reduce((sum, one) => sum + one.points, 0);
      const sets = found.length ? [{ declarations: found.map((one) => one.cards.map(text)), points }] : [];
      return { sets, best_points: points };
    },
    "compare-hands": ({ trump, hands }) => {
      const found = hands.map((hand, seat) => rules.findAllDeclarations(hand.map(card), player(seat)));
      const of = (team) => found.filter((_, seat) => seat % 2 === team).flat();
      const winner = rules.determineDeclarationWinner(of(0), of(1), SUITS[trump]);
      const points = found.map((own, seat) =>
        player(seat).teamId === winner ? own.reduce((sum, one) => sum + one.points, 0) : 0);
      return { points };
    },
  },
);
