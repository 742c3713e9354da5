// Ask aleksandar-transformian/belote-backend: src/domain of a work tree whose folder is the first argument.
// A deal as a whole is not settled by it, and whose partner wins a trick it does not know.
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, alias, serve } from "./serve.mjs";

const domain = `${process.argv[2]}/src/domain/`;
alias({ "@domain/": domain });
const from = (name) => import(pathToFileURL(`${domain}${name}.ts`).href);
const { Card } = await from("entities/Card");
const { Suit } = await from("value-objects/Suit");
const { BiddingService } = await from("services/BiddingService");
const { DeclarationService } = await from("services/DeclarationService");
const { ScoringService } = await from("services/ScoringService");
const { TrickService } = await from("services/TrickService");

const SUITS = { S: "SPADES", H: "HEARTS", D: "DIAMONDS", C: "CLUBS" };
const CONTRACTS = { ...SUITS, N: "NO_TRUMPS", A: "ALL_TRUMPS" };
const LETTER = Object.fromEntries(Object.entries(CONTRACTS).map(([letter, contract]) => [contract, letter]));
const BIDS = { pass: { type: "PASS" }, double: { type: "DOUBLE" }, redouble: { type: "REDOUBLE" } };
for (const letter of "CDHSNA") BIDS[letter] = { type: "CONTRACT", contract: CONTRACTS[letter] };
const card = (text) => Card.create({ suit: SUITS[text.at(-1)], rank: text.slice(0, -1) });
const text = (one) => one.getRank().getValue() + LETTER[one.getSuit().getValue()];
const laid = (leader, cards) => cards.map((one, i) => ({ playerId: String((leader + i) % 4), card: card(one) }));
const sum = (found) => found.reduce((total, one) => total + one.points, 0);

const trump = (mode) => {
  if (mode === "A") throw new Unsupported("at all trumps no card is a trump");
  return mode in SUITS ? Suit.create(SUITS[mode]) : null;
};

serve(
  {
    name: "aleksandar-transformian/belote-backend", version: "00a95fb", language: "TypeScript", profiles: ["bulgarian-belot"],
    knows: { modes: ["S", "H", "D", "C", "N"] },
    fields: { declarations: ["best_points"], "score-deal": ["outcome", "score"] },
  },
  {
    "card-points": ({ trump: mode, cards, last_trick }) => ({
      points: TrickService.calculateTrickPoints(laid(0, cards), trump(mode)) + (last_trick ? 10 : 0),
    }),
    "trick-winner": ({ trump: mode, leader, cards }) => ({
      winner: Number(TrickService.getTrickWinner(laid(leader, cards), trump(mode)).playerId),
    }),
    "legal-cards": ({ trump: mode, hand, trick }) => {
      const held = hand.map(card);
      return { cards: held.filter((one) => TrickService.isValidPlay(one, held, laid(0, trick), trump(mode), 0, trick.length)).map(text) };
    },
    declarations: ({ hand, trump: mode = "S" }) => ({
      best_points: mode === "N" ? 0 : sum(DeclarationService.findDeclarations(hand.map(card), null)),
    }),
    bidding: ({ dealer, bids }) => {
      const said = [];
      const turn = () => (dealer + 1 + said.length) % 4;
      const may = (bid) => BiddingService.isValidBid(said, BIDS[bid], (turn() % 2) + 1);
      bids.forEach((bid, at) => {
        if (BiddingService.isBiddingComplete(said)) throw new Rejected("bidding-over", at);
        if (!(bid in BIDS && may(bid))) throw new Rejected(bid.endsWith("double") ? "may-not-double" : "bid-too-low", at);
        said.push({ ...BIDS[bid], playerId: String(turn()) });
      });
      if (!BiddingService.isBiddingComplete(said)) return { state: "open", turn: turn(), choices: Object.keys(BIDS).filter(may) };
      const { contract, isDoubled, isRedoubled, contractPlayerId } = BiddingService.getFinalContract(said);
      if (contract === null) return { state: "failed" };
      return { state: "taken", taker: Number(contractPlayerId), trump: LETTER[contract], raised: isRedoubled ? 4 : isDoubled ? 2 : 1 };
    },
    "score-deal": ({ trump: mode, taker, raised = 1, sides }) => {
      if (sides.some(({ tricks }) => tricks === undefined)) throw new Unsupported("who won which tricks");
      const declared = sides.map(({ declarations = 0, belote = 0 }) => [{ points: declarations }, { points: belote }]);
      const cards = sides.map((side) => side.cards ?? 0);
      const found = ScoringService.calculateRoundScore(...cards, ...declared, (taker % 2) + 1, CONTRACTS[mode], raised === 2, raised > 2);
      const { team1, team2 } = ScoringService.convertToMatchPoints(found, CONTRACTS[mode]);
      return { outcome: found.contractFulfilled ? "made" : "fell", score: [team1, team2] };
    },
  },
);
