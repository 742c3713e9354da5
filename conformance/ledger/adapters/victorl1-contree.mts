// Ask VictorL1/contree: the server's game engine and packages/shared of a work tree whose folder is the first argument.
import { pathToFileURL } from "node:url";
import { Unsupported, alias, atTable, numbered, serve } from "./serve.mjs";

const packages = `${process.argv[2]}/packages`;
alias({ "@contree/shared": `${packages}/shared/src/index.ts` });
const from = (name) => import(pathToFileURL(`${packages}/${name}.ts`).href);
const { GameEngine } = await from("server/src/game/engine");
const shared = await from("shared/src/index");

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const SEATS = ["south"];
while (SEATS.length < 4) SEATS.push(shared.nextPlayer(SEATS.at(-1)));
const TEAMS = [shared.getTeam(SEATS[0]), shared.getTeam(SEATS[1])];
const VALUES = shared.BID_VALUES.filter((value) => value !== "generale");
const card = (text) => ({ rank: text.slice(0, -1), suit: SUITS[text.at(-1)] });
const text = ({ rank, suit }) => rank + LETTER[suit];

const suited = (mode) => {
  if (!(mode in SUITS)) throw new Unsupported("no trumps and all trumps are not bid");
  return SUITS[mode];
};

const trickOf = (leader, cards) => {
  const played = cards.map((one, i) => ({ card: card(one), player: SEATS[(leader + i) % 4] }));
  return { cards: played, leadSuit: played[0]?.card.suit, winner: null };
};

const won = (tricks, trump) => tricks.map((one) => ({
  winner: SEATS.indexOf(one.winner), points: shared.calculateTrickPoints(one, trump),
}));

const scored = ({ contractMet, teamNorthSouthScore, teamEastWestScore }) => {
  const scores = { [shared.Team.NorthSouth]: teamNorthSouthScore, [shared.Team.EastWest]: teamEastWestScore };
  return { outcome: contractMet ? "made" : "fell", score: TEAMS.map((team) => scores[team]) };
};

const copied = ({ state }) => Object.assign(new GameEngine("asked", 2000), { state: structuredClone(state) });
const ACTS = { pass: "handlePass", double: "handleContre", redouble: "handleSurcontre" };

serve(
  {
    name: "VictorL1/contree", version: "be2678f", language: "TypeScript",
    profiles: ["contree+contract-alone+must-undertrump"], deals: "hands", announcing: "automatic",
    knows: { modes: ["S", "H", "D", "C"], calls: ["capot", "double", "redouble"] },
    fields: {
      "settle-tricks": ["tricks", "outcome", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "belote", "outcome", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({
      points: shared.calculateTrickPoints(trickOf(0, cards), suited(trump)) + (last_trick ? shared.DIX_DE_DER : 0),
    }),
    "trick-winner": ({ trump, leader, cards }) => ({
      winner: SEATS.indexOf(shared.determineTrickWinner(trickOf(leader, cards), suited(trump))),
    }),
    "legal-cards": ({ trump, hand, trick }) => ({
      cards: shared.getPlayableCards(hand.map(card), trickOf(0, trick), suited(trump), SEATS[trick.length]).map(text),
    }),
    "settle-tricks": ({ trump, taker, bid, raised = 1, tricks: asked, sides = [] }) => {
      const tricks = asked.map(({ leader, cards }) => {
        const trick = trickOf(leader, cards);
        return { ...trick, winner: shared.determineTrickWinner(trick, suited(trump)) };
      });
      const belote = TEAMS.find((_, side) => sides[side]?.belote) ?? null;
      const contract = { player: SEATS[taker], value: bid, suit: SUITS[trump] };
      const found = shared.calculateRoundScore(tricks, SUITS[trump], contract, TEAMS[taker % 2], belote, raised > 1, raised > 2);
      return { tricks: won(tricks, SUITS[trump]), ...scored(found) };
    },
    ...atTable({
      bids: ["pass", ...numbered(VALUES, "SHDC"), "double", "redouble"],
      begin: (dealer, hands) => {
        const engine = new GameEngine("asked", 2000);
        SEATS.forEach((seat) => engine.addPlayer(seat, seat, seat));
        engine.state.dealer = SEATS[dealer];
        engine.startRound();
        hands?.forEach((hand, seat) => (engine.state.players.get(SEATS[seat]).hand = hand.map(card)));
        return Object.assign(engine, { dealt: SEATS[dealer] });
      },
      say: (engine, bid) => {
        const next = Object.assign(copied(engine), { dealt: engine.dealt });
        const player = next.state.currentPlayer;
        const value = bid.startsWith("capot") ? "capot" : Number(bid.slice(0, -1));
        const events = bid in ACTS ? next[ACTS[bid]](player) : next.handleBid(player, value, SUITS[bid.at(-1)]);
        return events.length ? next : undefined;
      },
      turn: ({ state }) => SEATS.indexOf(state.currentPlayer),
      contract: ({ state, dealt }) => {
        if (state.phase === "bidding") return state.dealer === dealt ? undefined : null;
        const { player, suit, value } = state.contract;
        return { taker: SEATS.indexOf(player), trump: LETTER[suit], bid: value, raised: state.isSurcontred ? 4 : state.isContred ? 2 : 1 };
      },
      held: ({ state }) => state.players.get(state.currentPlayer).hand.map(text),
      legal: (engine) => engine.getPlayableCards(engine.state.currentPlayer).map(text),
      play: (engine, one) => {
        engine.handlePlayCard(engine.state.currentPlayer, card(one));
        return engine;
      },
      result: ({ state }) => {
        const found = state.roundHistory.at(-1);
        if (!found) return undefined;
        const said = [...state.players.values()].find((player) => player.rebeloteAnnounced);
        return {
          tricks: won(state.tricks, state.trumpSuit),
          belote: TEAMS.map((team) => (said && shared.getTeam(said.position) === team ? shared.BELOTE_BONUS : 0)), ...scored(found),
        };
      },
    }),
  },
);
