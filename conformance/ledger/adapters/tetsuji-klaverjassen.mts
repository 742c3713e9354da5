// Ask tetsuji16/Klaverjassen: src/game of a work tree whose folder is the first argument. It plays the Amsterdam rules.
import { pathToFileURL } from "node:url";
import { Rejected, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/src/game/${name}.ts`).href);
const game = await from("engine");
const { SEATS, SUITS } = await from("types");

const LETTERS = "CDHS";
const suit = (letter) => SUITS[LETTERS.indexOf(letter)];
const card = (text) => {
  const [of, rank] = [suit(text.at(-1)), text.slice(0, -1)];
  return { suit: of, rank, id: `${of}-${rank}` };
};
const letter = (of) => LETTERS[SUITS.indexOf(of)];
const text = (one) => one.rank + letter(one.suit);
const laid = (leader, cards) => cards.map((one, at) => ({ seat: SEATS[(leader + at) % 4], card: card(one) }));
const number = (seat) => SEATS.indexOf(seat);

const begun = (dealer, hands = [[], [], [], []]) => ({
  ...game.createMatch({ mode: "pass-and-play", matchLength: 16, seed: 1 }),
  dealer: SEATS[dealer],
  currentPlayer: SEATS[(dealer + 1) % 4],
  hands: Object.fromEntries(SEATS.map((seat, at) => [seat, hands[at].map(card)])),
});

const choices = (state) => game.getLegalActions(state).map((one) => (one.kind === "pass" ? "pass" : letter(one.suit)));

const bid = (state, said, at) => {
  if (state.phase !== "bidding") throw new Rejected("bidding-over", at);
  if (!choices(state).includes(said)) throw new Rejected(said === "pass" ? "must-name" : "suit-not-offered", at);
  return game.applyAction(state, said === "pass" ? { kind: "pass" } : { kind: "bid", suit: suit(said) });
};

const scored = ({ nat, awarded }) => ({ outcome: nat ? "fell" : "made", points: awarded, score: awarded });

// What its table has no action for, in the order in which it is looked for.
const NEVER = { look: "may-not-look", claim: "claim-not-allowed", exchange: "no-exchange" };

const play = (state, action, at) => {
  const hand = state.hands[state.currentPlayer];
  if (action.announce) {
    const held = action.announce.flat().every((one) => hand.some((each) => text(each) === one));
    throw new Rejected(held ? "not-a-declaration" : "card-not-held", at);
  }
  if (action.belote) throw new Rejected("no-belote", at);
  const { id } = card(action.play);
  if (!hand.some((one) => one.id === id)) throw new Rejected("card-not-held", at);
  if (!game.getLegalActions(state).some((one) => one.cardId === id)) throw new Rejected("illegal-card", at);
  return game.applyAction(state, { kind: "play", cardId: id });
};

const act = (state, action, at) => {
  if (state.lastDealScore) throw new Rejected("deal-over", at);
  const bidding = state.phase === "bidding";
  if ("bid" in action !== bidding) throw new Rejected("wrong-phase", at);
  for (const [what, reason] of Object.entries(NEVER)) if (what in action) throw new Rejected(reason, at);
  if (!bidding && !("play" in action)) throw new Rejected("wrong-phase", at);
  if (action.seat !== number(state.currentPlayer)) throw new Rejected("not-your-turn", at);
  return bidding ? bid(state, action.bid, at) : play(state, action, at);
};

serve(
  {
    name: "tetsuji16/Klaverjassen", version: "310305a", language: "TypeScript", profiles: ["klaverjas-amsterdams"],
    deals: "hands",
    fields: {
      roem: ["points"],
      "score-deal": ["outcome", "points", "score"],
      replay: ["ended", "taker", "trump", "tricks", "cards", "declarations", "outcome", "points", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: cards.reduce((sum, one) => sum + game.cardPoints(card(one), suit(trump)), last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: number(game.currentTrickWinner(laid(leader, cards), suit(trump)).seat),
    }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: game.legalCards(hand.map(card), laid(0, trick), suit(trump), SEATS[trick.length]).map(text),
    }),
    roem: ({ trump, cards }) => ({ points: game.detectRoem(laid(0, cards), suit(trump)).points }),
    bidding: ({ dealer, bids }) => {
      const state = bids.reduce(bid, begun(dealer));
      const taken = { taker: number(state.contractor), trump: letter(state.trump), round: state.passes < 4 ? 1 : 2 };
      if (state.trump) return { state: "taken", ...taken };
      return { state: "open", turn: number(state.currentPlayer), choices: choices(state) };
    },
    "score-deal": ({ taker, sides }) =>
      scored(
        game.scoreDeal({
          contractor: SEATS[taker],
          dealCardPoints: sides.map((side) => side.cards),
          dealRoem: sides.map((side) => side.declarations ?? 0),
          completedTricks: sides.flatMap(({ tricks }, team) => Array(tricks).fill({ result: { team } })),
        }),
      ),
    replay: ({ dealer, hands, actions, taker, trump }) => {
      let state = begun(dealer, hands);
      while (trump && !state.trump) state = bid(state, number(state.currentPlayer) === taker ? trump : "pass", 0);
      state = actions.reduce(act, state);
      if (!state.lastDealScore) throw new Rejected("unfinished", actions.length);
      const tricks = state.completedTricks.map(({ result }) => ({
        winner: number(result.winner), points: result.cardPoints, roem: result.roem,
      }));
      const { cardPoints, roem } = state.lastDealScore;
      const taken = { taker: number(state.contractor), trump: letter(state.trump) };
      return { ended: "played", ...taken, tricks, cards: cardPoints, declarations: roem, ...scored(state.lastDealScore) };
    },
  },
);
