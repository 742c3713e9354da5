// Ask justitsi/js-belote: server/modules/gameObjects in a work tree whose folder is the first argument.
import { createRequire } from "node:module";
import { Rejected, atTable, serve } from "./serve.mjs";

const Game = createRequire(import.meta.url)(`${process.argv[2]}/server/modules/gameObjects/index.js`);
const SEATS = ["north", "east", "south", "west"];
const RANKED = ["C", "D", "H", "S", "N", "A"];
const [WAITING, , SELECTED, PLAYING, OVER] = ["waiting_for_split", "started_selecting_suit", "suit_selected", "in_progress", "over"];
const card = (text) => ({ suit: text.at(-1), rank: text.slice(0, -1) });
const text = ({ suit, rank }) => rank + suit;

// A game whose dealer sits here; the player before him cuts.
const table = (dealer) => {
  const game = new Game(SEATS);
  const { constructor: Round } = game.currentRound;
  const cutter = (dealer + 3) % 4;
  game.currentRound = new Round(game.deck, game.t1, game.t2, cutter);
  if (game.currentRound.status === WAITING) game.currentRound.splitDeck(SEATS[cutter], 16);
  return game;
};

const playing = (trump, seat, hand, trick = []) => {
  const round = table(0).currentRound;
  Object.assign(round, { suit: trump, status: PLAYING, playerTurn: seat });
  round.hands[seat].cards = hand.map(card);
  trick.forEach((one, i) => round.cardsOnTable.addCardToTop({ ...card(one), placedBy: SEATS[(seat + 4 - trick.length + i) % 4] }));
  return round;
};

const points = (cards, trump) => playing(trump, 0, []).calculatePilePoints({ cards: cards.map(card) });
const legal = (round) => {
  const player = SEATS[round.playerTurn];
  return round.hands[round.playerTurn].cards.filter(({ suit, rank }) => round.checkIfCardCanBePlaced(player, suit, rank)).map(text);
};

const options = (round) => {
  const { S, C } = round.getPlayerPremiumOptions(SEATS[round.playerTurn]);
  return [...S.filter((one) => one.length).map((one) => [one, "S"]), ...C.filter((one) => one.length).map((one) => [one, "C"])];
};

const announce = (round) => options(round).forEach(([cards, type]) => round.anouncePlayerPremium(SEATS[round.playerTurn], cards, type));
const worth = (premiums) => premiums.reduce((sum, one) => sum + one.points, 0);

// What a deal in numbers adds: all was counted but what the end of a round adds.
const settle = ({ trump = "S", taker, raised = 1, sides }, held = 0, totals = [0, 0], dealer = 0) => {
  const game = table(dealer);
  Object.assign(game, { hangingPoints: held, teamScores: [...totals] });
  Object.assign(game.currentRound, {
    status: OVER, suit: trump, modifier: raised, callerTeam: taker % 2, teamNumberOfHands: sides.map(({ tricks = 0 }) => tricks),
    teamCardScores: sides.map(({ cards = 0 }) => cards),
    teamPremiumScores: sides.map(({ declarations = 0, belote = 0 }) => declarations + belote),
  });
  game.endCurrentRound();
  return game;
};

const gained = (game, totals = [0, 0]) => game.teamScores.map((score, side) => score - totals[side]);

const said = (round, bid) => {
  const player = SEATS[round.playerTurn];
  if (bid === "pass") return round.callSuit(player, "P", 1);
  if (bid.endsWith("double")) return Boolean(round.suit) && round.callSuit(player, round.suit, bid === "double" ? 2 : 4);
  return round.callSuit(player, bid, 1);
};

const bidding = (dealer, bids) => {
  const game = table(dealer);
  return bids.every((bid) => said(game.currentRound, bid)) ? game : undefined;
};

serve(
  {
    name: "justitsi/js-belote", version: "8ce48a8", language: "JavaScript", profiles: ["bulgarian-belot"],
    deals: "hands", announcing: "automatic", last_trick: "apart",
    fields: {
      declarations: ["best_points"], "compare-hands": ["points"], "score-deal": ["score", "held"], match: ["deals", "winner", "next_dealer"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "declarations", "belote", "score", "held"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({ points: points(cards, trump) + (last_trick ? 10 : 0) }),
    "trick-winner": ({ trump, leader, cards }) => {
      const laid = cards.map((one, i) => ({ ...card(one), seat: (leader + i) % 4 }));
      return { winner: playing(trump, leader, []).getStrongestCard(laid).seat };
    },
    "legal-cards": ({ trump, hand, trick }) => ({ cards: legal(playing(trump, trick.length, hand, trick)) }),
    declarations: ({ hand, trump = "S" }) => {
      const round = playing(trump, 0, hand);
      announce(round);
      return { best_points: worth(round.premiums) };
    },
    "compare-hands": ({ trump, leader, hands }) => {
      const round = playing(trump, 0, []);
      for (const i of [0, 1, 2, 3]) {
        round.playerTurn = (leader + i) % 4;
        round.hands[round.playerTurn].cards = hands[round.playerTurn].map(card);
        announce(round);
      }
      const found = round.getValidPremiums();
      return { points: SEATS.map((seat) => worth(found.filter((one) => one.belongsTo === seat))) };
    },
    "score-deal": (asked) => {
      const game = settle(asked);
      return { score: gained(game), held: game.hangingPoints };
    },
    match: ({ dealer, totals = [0, 0], held = 0, deals }) => {
      let [seat, kept, now, winner] = [dealer, held, totals, null];
      if (settle({ taker: 0, sides: [{ tricks: 4, cards: -10 }, { tricks: 4, cards: -10 }] }, 0, totals).winningTeam !== null) {
        throw new Rejected("match-over", 0);
      }
      const told = deals.map((deal, at) => {
        if (winner !== null) throw new Rejected("match-over", at);
        if (deal.accusation) throw new Rejected("no-penalty", at);
        const row = { dealer: seat, score: [0, 0], freed: [0, 0] };
        if (deal.scored) {
          const game = settle(deal.scored, kept, now, seat);
          row.score = gained(settle(deal.scored));
          row.freed = gained(game, now).map((score, side) => score - row.score[side]);
          [kept, now, winner] = [game.hangingPoints, game.teamScores, game.winningTeam];
        }
        seat = (seat + 1) % 4;
        return { ...row, held: kept, totals: now };
      });
      return { deals: told, winner, next_dealer: winner === null ? seat : null };
    },
    ...atTable({
      bids: ["pass", ...RANKED, "double", "redouble"],
      begin: (dealer, hands) => ({ dealer, hands, bids: [], game: bidding(dealer, []) }),
      say: (state, bid) => {
        const bids = [...state.bids, bid];
        const game = bidding(state.dealer, bids);
        if (!game) return undefined;
        const round = game.currentRound;
        if (round.status === SELECTED) {
          round.initPlayStage();
          state.hands?.forEach((hand, seat) => (round.hands[seat].cards = hand.map(card)));
        }
        return { ...state, bids, game };
      },
      turn: ({ game }) => game.currentRound.playerTurn,
      contract: ({ game }) => {
        const { status, suit, caller, modifier } = game.currentRound;
        if (status === OVER && !suit) return null;
        return status === PLAYING || status === OVER ? { taker: SEATS.indexOf(caller), trump: suit, raised: modifier } : undefined;
      },
      held: ({ game }) => game.currentRound.hands[game.currentRound.playerTurn].cards.map(text),
      legal: ({ game }) => legal(game.currentRound),
      play: (state, one) => {
        const round = state.game.currentRound;
        announce(round);
        round.placeCard(SEATS[round.playerTurn], card(one).suit, card(one).rank);
        return state;
      },
      result: ({ game }) => {
        const round = game.currentRound;
        if (round.status !== OVER) return undefined;
        const of = (belote) => [0, 1].map((side) =>
          worth(round.valid_premiums.filter((one) => round.getPlayerTeam(one.belongsTo) === side && (one.premiumType === "B") === belote)));
        return {
          tricks: round.playedCardHistory.map(({ cards, strongest }) => ({
            winner: SEATS.indexOf(strongest.placedBy), points: round.calculatePilePoints({ cards }),
          })),
          declarations: of(false), belote: of(true), score: game.calculateGamePoints(), held: game.hangingPoints,
        };
      },
    }),
  },
);
