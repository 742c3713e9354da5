// Ask AntoninKFFR/Contree-KFFR: the functions of engine/ in a work tree whose folder is the first argument.
// Belote and capot are not there. Its second way to score ("announced-points") is asked by a second argument, announced.
import { pathToFileURL } from "node:url";
import { Unsupported, atTable, numbered, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/engine/${name}.ts`).href);
const bidding = await from("bidding");
const game = await from("game");
const rules = await from("rules");
const scoring = await from("scoring");

const scoringMode = process.argv[3] === "announced" ? "announced-points" : "made-points";
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const DOUBLES = { double: "coinche", redouble: "surcoinche" };
const STATUS = { 1: "normal", 2: "coinched", 4: "surcoinched" };

const card = (text) => ({ rank: text.slice(0, -1), suit: SUITS[text.at(-1)] });
const text = ({ rank, suit }) => rank + LETTER[suit];
const played = (leader, laid) => laid.map((one, i) => ({ playerId: (leader + i) % 4, card: card(one) }));
const trickOf = (leader, laid) => ({ leaderId: leader, cards: played(leader, laid) });
const settings = { scoringMode, targetScore: game.getDefaultTargetScore(scoringMode) };

const suited = (mode) => {
  if (!(mode in SUITS)) throw new Unsupported("no trumps and all trumps are not bid");
  return SUITS[mode];
};

const contractOf = ({ taker, trump, bid, raised = 1 }) => {
  if (!bidding.BID_VALUES.includes(bid)) throw new Unsupported("numbers from 80 to 160 are bid, and no capot");
  return { playerId: taker, teamId: rules.playerTeam(taker), value: bid, trump: suited(trump), status: STATUS[raised] };
};

const table = (dealer, hands) => {
  const starts = (dealer + 1) % 4;
  return {
    ...game.createInitialGame(() => 0.5, settings), startingPlayerId: starts, currentPlayerId: starts,
    ...(hands && { hands: Object.fromEntries(hands.map((hand, seat) => [seat, hand.map(card)])) }),
  };
};

const taken = ({ playerId, trump, value, ...contract }) => ({
  taker: playerId, trump: LETTER[trump], bid: value, raised: scoring.contractMultiplier(contract),
});

const scored = ({ contractSucceeded, roundScore }) => ({
  outcome: contractSucceeded ? "made" : "fell", score: [roundScore[0], roundScore[1]],
});

const counted = (tricks, points) => ({
  tricks: tricks.map((one, i) => ({ winner: one.winnerId, points: one.points - (i === 7 ? 10 : 0) })),
  cards: [points[0], points[1]],
});

serve(
  {
    name: "Contree-KFFR", version: "cb8e072", language: "TypeScript", profiles: ["contree+defence-keeps-points+exact-points"],
    deals: "hands", announcing: "automatic",
    fields: {
      "score-deal": ["outcome", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "cards", "outcome", "score"],
    },
  },
  {
    "card-points": ({ trump, cards: asked, last_trick }) => ({
      points: rules.trickPoints(played(0, asked), suited(trump), Boolean(last_trick)),
    }),
    "trick-winner": ({ trump, leader, cards: laid }) => ({
      winner: rules.getTrickWinner(trickOf(leader, laid), suited(trump)),
    }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: rules.getLegalCards(hand.map(card), trickOf(0, trick), trick.length, suited(trump)).map(text),
    }),
    "score-deal": ({ sides, ...asked }) => {
      if (sides.some(({ belote }) => belote)) throw new Unsupported("belote is not there");
      const trickPointsByTeam = { 0: sides[0].cards, 1: sides[1].cards };
      return scored(scoring.scoreRound({ contract: contractOf(asked), settings, trickPointsByTeam }));
    },
    ...atTable({
      bids: ["pass", ...numbered(bidding.BID_VALUES, "SHDC"), ...Object.keys(DOUBLES)],
      begin: table,
      say: (now, bid) => {
        const word = bid === "pass" ? bid : DOUBLES[bid];
        const given = word ? { action: word } : { action: "bid", value: Number(bid.slice(0, -1)), trump: SUITS[bid.at(-1)] };
        try {
          return game.makeBid(now, now.currentPlayerId, given);
        } catch {
          return undefined;
        }
      },
      turn: (now) => now.currentPlayerId,
      contract: (now) => {
        if (now.phase === "bidding") return undefined;
        return now.result?.kind === "all-pass" ? null : taken(now.contract);
      },
      held: (now) => now.hands[now.currentPlayerId].map(text),
      legal: (now) => game.playableCardsForCurrentPlayer(now).map(text),
      play: (now, one) => game.playCard(now, now.currentPlayerId, card(one)),
      result: (now) =>
        now.phase === "playing" ? undefined : { ...counted(now.completedTricks, now.trickPoints), ...scored(now.result) },
    }),
  },
);
