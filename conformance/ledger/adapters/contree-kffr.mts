// Ask AntoninKFFR/Contree-KFFR: the functions of engine/ in a work tree whose folder is the first argument.
// Belote and capot are not there. Its second way to score ("announced-points") is asked by a second argument, announced.
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/engine/${name}.ts`).href);
const bidding = await from("bidding");
const cards = await from("cards");
const game = await from("game");
const rules = await from("rules");
const scoring = await from("scoring");

const scoringMode = process.argv[3] === "announced" ? "announced-points" : "made-points";
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const DOUBLES = { double: "coinche", redouble: "surcoinche" };
const STATUS = { 1: "normal", 2: "coinched", 4: "surcoinched" };
const NEVER = { look: "may-not-look", claim: "claim-not-allowed" };

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

const bidNow = (now, bid, at) => {
  if (now.phase !== "bidding") throw new Rejected("bidding-over", at);
  const isWord = bid === "pass" || bid in DOUBLES;
  const value = Number(bid.slice(0, -1));
  if (!isWord && !(bidding.BID_VALUES.includes(value) && bid.at(-1) in SUITS)) throw new Rejected("bid-too-low", at);
  const given = isWord ? { action: DOUBLES[bid] ?? bid } : { action: "bid", value, trump: SUITS[bid.at(-1)] };
  try {
    return game.makeBid(now, now.currentPlayerId, given);
  } catch {
    throw new Rejected(bid in DOUBLES ? "may-not-double" : "bid-too-low", at);
  }
};

const taken = ({ playerId, trump, value, ...contract }) => ({
  taker: playerId, trump: LETTER[trump], bid: value, raised: scoring.contractMultiplier(contract),
});

const scored = ({ contractSucceeded, roundScore }) => ({
  outcome: contractSucceeded ? "made" : "fell", score: [roundScore[0], roundScore[1]],
});

const withoutMore = (sides = []) => {
  for (const side of sides) {
    for (const more of ["belote", "declarations", "outranked"]) {
      if (side[more]) throw new Unsupported("belote, sequences and squares are not there");
    }
  }
};

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
    bidding: ({ dealer, bids }) => {
      let now = table(dealer);
      bids.forEach((bid, at) => {
        now = bidNow(now, bid, at);
      });
      if (now.phase === "playing") return { state: "taken", ...taken(now.contract) };
      if (now.phase !== "bidding") return { state: "failed" };
      const contract = game.getCurrentContract(now);
      const numbers = bidding.getAvailableBidValues(contract);
      return {
        state: "open", turn: now.currentPlayerId,
        choices: [
          "pass", ...numbers.flatMap((number) => cards.SUITS.map((suit) => `${number}${LETTER[suit]}`)),
          ...(bidding.canCoinche(now.currentPlayerId, contract) ? ["double"] : []),
          ...(bidding.canSurcoinche(now.currentPlayerId, contract) ? ["redouble"] : []),
        ],
      };
    },
    "score-deal": ({ sides, ...asked }) => {
      withoutMore(sides);
      const trickPointsByTeam = { 0: sides[0].cards, 1: sides[1].cards };
      return scored(scoring.scoreRound({ contract: contractOf(asked), settings, trickPointsByTeam }));
    },
    replay: ({ dealer, hands, actions }) => {
      let now = table(dealer, hands);
      actions.forEach((action, at) => {
        if (now.phase === "finished" || now.phase === "game-over") throw new Rejected("deal-over", at);
        if ("bid" in action !== (now.phase === "bidding")) throw new Rejected("wrong-phase", at);
        // There is nothing by which a player could look back or claim.
        for (const what of Object.keys(NEVER)) if (what in action) throw new Rejected(NEVER[what], at);
        if (action.seat !== now.currentPlayerId) throw new Rejected("not-your-turn", at);
        if ("bid" in action) {
          now = bidNow(now, action.bid, at);
          return;
        }
        const one = card(action.play);
        if (!now.hands[action.seat].some((held) => cards.sameCard(held, one))) throw new Rejected("card-not-held", at);
        if (!game.playableCardsForCurrentPlayer(now).some((may) => cards.sameCard(may, one))) {
          throw new Rejected("illegal-card", at);
        }
        now = game.playCard(now, action.seat, one);
      });
      if (now.phase === "bidding" || now.phase === "playing") throw new Rejected("unfinished", actions.length);
      if (now.result.kind === "all-pass") return { ended: "passed" };
      const { bid: _bid, ...contract } = taken(now.contract);
      return { ended: "played", ...contract, ...counted(now.completedTricks, now.trickPoints), ...scored(now.result) };
    },
  },
);
