// Ask Oliboy50/coinche: client/src/shared/coinche of a work tree whose folder is the first argument.
import { pathToFileURL } from "node:url";
import { Unsupported, atTable, numbered, serve } from "./serve.mjs";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/client/src/shared/coinche/${name}.ts`).href);
const shared = await from("index");
const move = {};
for (const name of ["playCard", "sayAnnounce", "sayBelotOrNot", "saySkip", "sayTake", "sayCoinche"]) {
  move[name] = (await from(`move/${name}`)).default;
}
const counter = await from("service/pointsCounter");
const { getTurnWinner, getWinningAnnounces, getWinningCard } = await from("service/winnerResolver");

const { Talk, PlayCards, CountPoints } = shared.coincheGame.phases;
const COLORS = { S: "Spade", H: "Heart", D: "Diamond", C: "Club" };
const MODES = { S: "TrumpSpade", H: "TrumpHeart", D: "TrumpDiamond", C: "TrumpClub", N: "NoTrump" };
const NAMES = { A: "Ace", 7: "Seven", 8: "Eight", 9: "Nine", 10: "Ten", J: "Jack", Q: "Queen", K: "King" };
const turned = (map) => Object.fromEntries(Object.entries(map).map(([key, value]) => [value, key]));
const [LETTER, MODE, RANK] = [COLORS, MODES, NAMES].map(turned);
const SEATS = shared.getTurnOrder(shared.PlayerID.North);
const TEAMS = SEATS.slice(0, 2).map(shared.getPlayerTeam);
const card = (text) => ({ color: COLORS[text.at(-1)], name: NAMES[text.slice(0, -1)] });
const text = ({ color, name }) => RANK[name] + LETTER[color];

const modeOf = (mode) => {
  if (!(mode in MODES)) throw new Unsupported("all trumps is not bid");
  return MODES[mode];
};

const points = (cards, mode) => cards.reduce((sum, one) => sum + counter.getPointsForCard(one, mode), 0);
const worth = (announces, mode) => announces.reduce((sum, one) => sum + counter.getPointsForAnnounce(one.id, mode), 0);

const winner = (leader, cards, mode) => {
  const played = cards.map(card);
  const won = getWinningCard(played, mode, played[0].color);
  return (leader + played.findIndex((one) => shared.isSameCard(one, won))) % 4;
};

const legal = (hand, trick, mode, first, seat) => hand.filter((one) =>
  shared.isPlayableCard(one, hand, mode, trick, SEATS[first], shared.getPlayerPartner(SEATS[seat])));

// What each player says of some groups of cards.
const said = (groups) => SEATS.map((player, seat) => groups[seat].flatMap((cards) =>
  shared.getAnnouncesForCards(cards.map(card), MODES.S).map((announce) => ({ player, announce, isSaid: true }))));

// What counts of that, per player: all of the team that has the best.
const counting = (announces, mode) => {
  const teams = getWinningAnnounces(announces.flat(), mode).map((one) => shared.getPlayerTeam(one.player));
  const counts = (seat) => teams.length && teams.every((one) => one === shared.getPlayerTeam(SEATS[seat]));
  return announces.map((own, seat) => (counts(seat) ? own.map((one) => one.announce) : []));
};

const scored = (team, attack, defence, attackers) => ({
  outcome: team === attackers ? "made" : "fell", score: TEAMS.map((one) => (one === attackers ? attack : defence)),
});

const other = (team) => TEAMS[1 - TEAMS.indexOf(team)];
const ctx = (seat) => ({ currentPlayer: SEATS[seat], random: { Shuffle: (cards) => cards }, events: { endGame: () => {} } });

const done = (game, what, ...given) => {
  const next = structuredClone(game);
  try {
    move[what](next.G, ctx(next.turn), ...given);
  } catch {
    return undefined;
  }
  next.turn = (next.turn + 1) % 4;
  next.G.__canMoveToNextPhase = true;
  const goes = Talk.endIf(next.G);
  next.over = goes ? goes.next : undefined;
  if (next.over === "PlayCards") {
    Talk.onEnd(next.G);
    next.turn = SEATS.indexOf(next.G.nextDealer);
  }
  return next;
};

serve(
  {
    name: "Oliboy50/coinche", version: "7eb1906", language: "TypeScript", profiles: ["coinche+exact-points"], deals: "hands",
    announcing: "automatic", declared: "announced", knows: { modes: Object.keys(MODES), calls: ["double", "redouble"] },
    fields: {
      declarations: ["best_points"], "compare-hands": ["points"], "settle-tricks": ["tricks", "outcome", "score"],
      replay: ["ended", "taker", "trump", "raised", "tricks", "declarations", "belote", "outcome", "score"],
    },
  },
  {
    "card-points": ({ trump, cards, last_trick }) => ({ points: points(cards.map(card), modeOf(trump)) + (last_trick ? 10 : 0) }),
    "trick-winner": ({ trump, leader, cards }) => ({ winner: winner(leader, cards, modeOf(trump)) }),
    "legal-cards": ({ trump, hand, trick }) => {
      const played = Object.fromEntries(SEATS.map((seat, i) => [seat, trick[i] && card(trick[i])]));
      return { cards: legal(hand.map(card), played, modeOf(trump), 0, trick.length).map(text) };
    },
    declarations: ({ hand, trump = "S" }) => ({
      best_points: worth(shared.getAnnouncesForCards(hand.map(card), modeOf(trump)), modeOf(trump)),
    }),
    "compare-hands": ({ trump, hands }) => ({
      points: counting(said(hands.map((hand) => [hand])), modeOf(trump)).map((own) => worth(own, modeOf(trump))),
    }),
    "settle-tricks": ({ trump, taker, bid, raised = 1, tricks: asked, announced = [[], [], [], []], sides = [] }) => {
      const mode = modeOf(trump);
      const tricks = asked.map(({ leader, cards }) => ({ winner: winner(leader, cards, mode), cards: cards.map(card) }));
      const team = shared.getPlayerTeam(SEATS[taker]);
      const wonBy = (one) => tricks.filter((trick) => shared.getPlayerTeam(SEATS[trick.winner]) === one).flatMap((trick) => trick.cards);
      const count = counting(said(announced), mode);
      const belote = sides.findIndex((side) => side.belote);
      const sayTake = { expectedPoints: bid, trumpMode: mode, sayCoincheLevel: { 2: "coinche", 4: "surcoinche" }[raised] };
      const [north, east] = ["NorthSouth", "EastWest"].map((one) =>
        count.flatMap((own, seat) => (shared.getPlayerTeam(SEATS[seat]) === one ? own : [])));
      const found = counter.getWinningTeamAndNewAttackingTeamPointsAndDefensingTeamPointsAfterEndOfRound(
        0, team, wonBy(team), 0, other(team), wonBy(other(team)), sayTake, shared.getPlayerTeam(SEATS[tricks.at(-1).winner]),
        north, east, belote < 0 ? undefined : { id: "Belot", owner: SEATS[belote], isSaid: true });
      return { tricks: tricks.map((one) => ({ winner: one.winner, points: points(one.cards, mode) })), ...scored(...found, team) };
    },
    ...atTable({
      bids: ["pass", ...numbered(shared.validExpectedPoints, "SHDCN"), "double", "redouble"],
      begin: (dealer, hands = [[], [], [], []]) => {
        const G = shared.getSetupGameState(ctx(0));
        const first = SEATS[(dealer + 1) % 4];
        Object.assign(G, { dealer: SEATS[dealer], nextDealer: first, firstPlayerInCurrentTurn: first, howManyCardsToDealToEachPlayerAfterTalking: 0 });
        hands.forEach((hand, seat) => (G.playersCards[SEATS[seat]] = hand.map(card)));
        return { G, turn: (dealer + 1) % 4 };
      },
      say: (game, bid) => {
        if (bid === "pass") return done(game, "saySkip");
        const level = game.G.currentSayTake?.sayCoincheLevel;
        if (bid.endsWith("double")) return (bid === "redouble") === (level === "coinche") ? done(game, "sayCoinche") : undefined;
        return done(game, "sayTake", Number(bid.slice(0, -1)), MODES[bid.at(-1)]);
      },
      turn: (game) => game.turn,
      contract: ({ G, over }) => {
        if (over === "Deal") return null;
        if (!over) return undefined;
        const { playerID, trumpMode, expectedPoints, sayCoincheLevel } = G.currentSayTake;
        const raised = { coinche: 2, surcoinche: 4 }[sayCoincheLevel] ?? 1;
        return { taker: SEATS.indexOf(playerID), trump: MODE[trumpMode], bid: expectedPoints, raised };
      },
      held: ({ G, turn }) => G.playersCards[SEATS[turn]].map(text),
      legal: ({ G, turn }) =>
        legal(G.playersCards[SEATS[turn]], G.playersCardPlayedInCurrentTurn, G.currentSayTake.trumpMode, SEATS.indexOf(G.firstPlayerInCurrentTurn), turn)
          .map(text),
      play: (game, one) => {
        const { G } = structuredClone(game);
        const player = SEATS[game.turn];
        if (G.playersCards[player].length === 8) {
          for (const { announce } of G.playersAnnounces[player]) move.sayAnnounce(G, ctx(game.turn), announce);
        }
        if (G.belotAnnounce?.owner === player && !G.belotAnnounce.ownerHasChosen) move.sayBelotOrNot(G, ctx(game.turn), true);
        move.playCard(G, ctx(game.turn), card(one));
        PlayCards.turn.onEnd(G);
        if (Object.values(G.playersCardPlayedInCurrentTurn).some((played) => played === undefined)) {
          return { ...game, G, turn: (game.turn + 1) % 4 };
        }
        CountPoints.onBegin(G, ctx(game.turn));
        return { ...game, G, turn: SEATS.indexOf(G.firstPlayerInCurrentTurn) };
      },
      result: ({ G }) => {
        const round = G.history.rounds.at(-1);
        if (!round?.winningTeam) return undefined;
        const mode = G.currentSayTake.trumpMode;
        const of = (belote) => TEAMS.map((team) =>
          worth(round.displayableAnnounces.filter((one) => one.ownerTeam === team && (one.id === "Belot") === belote), mode));
        return {
          tricks: round.turns.map((one) => ({ winner: SEATS.indexOf(one.winningPlayer), points: points(one.playedCards, mode) })),
          declarations: of(false), belote: of(true),
          ...scored(round.winningTeam, G.teamsPoints[G.attackingTeam], G.teamsPoints[G.defensingTeam], G.attackingTeam),
        };
      },
    }),
  },
);
