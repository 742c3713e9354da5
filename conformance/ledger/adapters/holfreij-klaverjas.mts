// Ask holfreij/klaverjas: src/lib/game of a work tree whose folder is the first argument. It plays the Rotterdam rules.
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, alias, serve } from "./serve.mjs";

const lib = `${process.argv[2]}/src/lib`;
alias({ "$lib/": `${lib}/` });
const from = (name) => import(pathToFileURL(`${lib}/game/${name}.ts`).href);
const rules = await from("rules");
const { getRoemPoints } = await from("roem");
const { calculateTrickPoints } = await from("scoring");
const table = await from("game");

const SUITS = "♠♥♦♣";
const LETTERS = "SHDC";
const suit = (letter) => SUITS[LETTERS.indexOf(letter)];
const card = (text) => ({ suit: suit(text.at(-1)), rank: text.slice(0, -1) });
const text = (one) => one.rank + LETTERS[SUITS.indexOf(one.suit)];

// It lets every card be played, and says afterwards whether one was wrong, so its checks of cards are asked at once.
const played = (game, seat, one, hand, at) => {
  const trick = game.round.currentTrick.map((each) => each.card);
  if (!rules.isLegalMove(card(one), hand.map(card), trick, game.round.trump)) throw new Rejected("illegal-card", at);
  table.playCard(game, seat, card(one));
};

const begun = (dealer, hands) => {
  const game = { ...table.createGame(), dealer };
  game.round = table.startRound(game);
  hands.forEach((hand, seat) => (game.round.hands[seat] = hand.map(card)));
  return game;
};

const ended = (game, taker, won) => {
  const { points } = game.round;
  const before = { ...game.scores };
  table.completeRound(game);
  const score = [game.scores.ns - before.ns, game.scores.we - before.we];
  const outcome = score[taker % 2] ? "made" : "fell";
  return { tricks: won, cards: [points.ns, points.we], outcome, points: score, score };
};

const TEAMS = ["ns", "we"];

serve(
  {
    name: "holfreij/klaverjas", version: "e94b834", language: "TypeScript", profiles: ["klaverjas-rotterdams"], deals: "hands",
    fields: { roem: ["points"], replay: ["ended", "taker", "trump", "tricks", "cards", "outcome", "points", "score"] },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: calculateTrickPoints(cards.map(card), suit(trump)) + (last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: (leader + rules.determineTrickWinner(cards.map(card), suit(trump))) % 4,
    }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: rules.getLegalMoves(hand.map(card), trick.map(card), suit(trump)).map(text),
    }),
    roem: ({ trump, cards }) => ({ points: getRoemPoints(cards.map(card), suit(trump)) }),
    replay: ({ dealer, hands, actions, taker: told, trump: named }) => {
      if (told !== undefined && told !== (dealer + 1) % 4) throw new Unsupported("another taker than eldest");
      const game = begun(dealer, hands);
      const left = hands.map((hand) => [...hand]);
      const [won, round] = [[], game.round];
      if (named) table.chooseTrump(game, suit(named));
      // Roem is called while a trick lies; the team of who won it gets it, as rooms do (gameService.ts).
      let lying = 0;
      const taken = () => {
        const cards = round.currentTrick.map((one) => one.card);
        const at = rules.determineTrickWinner(cards, round.trump);
        const winner = round.currentTrick[at].player;
        round.roem[TEAMS[winner % 2]] += lying;
        won.push({ winner, points: calculateTrickPoints(cards, round.trump), roem: lying });
        lying = 0;
        table.completeTrick(game);
      };
      actions.forEach((action, at) => {
        if (left.every((hand) => !hand.length) && !("roem" in action)) throw new Rejected("deal-over", at);
        if ("look" in action) throw new Rejected("may-not-look", at);
        if ("claim" in action) throw new Rejected("claim-not-allowed", at);
        if ("bid" in action) {
          if (round.trump) throw new Rejected("wrong-phase", at);
          if (action.seat !== round.trumpChooser) throw new Rejected("not-your-turn", at);
          if (action.bid === "pass") throw new Rejected("must-name", at);
          table.chooseTrump(game, suit(action.bid));
          return;
        }
        if (!round.trump) throw new Rejected("wrong-phase", at);
        if ("roem" in action) {
          const cards = round.currentTrick.map((one) => one.card);
          if (cards.length < 4 || lying || !action.roem || getRoemPoints(cards, round.trump) !== action.roem) {
            throw new Rejected("no-roem", at);
          }
          lying = action.roem;
          return;
        }
        if (!("play" in action)) throw new Rejected("exchange" in action ? "no-exchange" : "wrong-phase", at);
        if (action.announce) {
          const held = action.announce.flat().every((one) => left[action.seat]?.includes(one));
          throw new Rejected(held ? "not-a-declaration" : "card-not-held", at);
        }
        if (action.belote) throw new Rejected("no-belote", at);
        if (round.currentTrick.length === 4) taken();
        if (action.seat !== round.currentPlayer) throw new Rejected("not-your-turn", at);
        if (!left[action.seat].includes(action.play)) throw new Rejected("card-not-held", at);
        played(game, action.seat, action.play, left[action.seat], at);
        left[action.seat] = left[action.seat].filter((one) => one !== action.play);
      });
      if (round.currentTrick.length === 4) taken();
      if (round.tricksPlayed < 8) throw new Rejected("unfinished", actions.length);
      const trump = LETTERS[SUITS.indexOf(round.trump)];
      return { ended: "played", taker: round.trumpChooser, trump, ...ended(game, round.trumpChooser, won) };
    },
  },
);
