// Ask newtondotcom/coinche: the server's packages/api and the browser's card rules of a work tree whose folder is the first
// argument. Its database, its log and its server's environment are left out.
import { pathToFileURL } from "node:url";
import { alias, serve } from "./serve.mjs";

const tree = process.argv[2];
const nothing = (names) => `data:text/javascript,${encodeURIComponent(`const none = new Proxy(function none() {}, { get: () => none, apply: () => none, construct: () => none });
  export default none; ${names.map((name) => `export const ${name} = none;`).join(" ")}`)}`;
globalThis.players = [];
alias({
  "@coinche-reborn/api": `${tree}/packages/api/src/others/index.ts`,
  "@coinche-reborn/db": nothing(["db"]),
  "@coinche-reborn/db/schema/index": nothing(["events", "game", "playerStats"]),
  "@coinche-reborn/env/server": nothing(["env"]),
  "drizzle-orm": nothing(["eq", "or"]),
  "winston": nothing(["createLogger", "format", "transports"]),
  "@/stores/state": "data:text/javascript,export const useStateStore = () => ({ players: globalThis.players });",
});
const from = (name) => import(pathToFileURL(`${tree}/${name}.ts`).href);
const { default: controller } = await from("packages/api/src/lib/game");
const { findWinner } = await from("packages/api/src/lib/actions/closeTrick");
const { emitEndRound } = await from("packages/api/src/lib/actions/endRound");
const { setValueAccordingToTrump } = await from("packages/api/src/lib/utils/cardValues");
const { getPlayableCards } = await from("apps/web/app/lib/game/cardRules");

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const MODES = { ...SUITS, N: "sans-atout", A: "tout-atout" };
const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, suit]) => [suit, letter]));
const SEATS = ["0", "1", "2", "3"];
const game = controller.getInstance("asked");
game.sendState = () => undefined;
game.state.players = SEATS.map((id, position) => ({ id, position, hands: [] }));
globalThis.players = game.state.players;

const cards = (texts, trump) =>
  setValueAccordingToTrump(texts.map((one) => ({ suite: SUITS[one.at(-1)], value: one.slice(0, -1), valueNum: 0 })), MODES[trump]);
const laid = (leader, texts, trump) => cards(texts, trump).map((card, i) => ({ playerId: SEATS[(leader + i) % 4], card }));
const points = (texts, trump) => cards(texts, trump).reduce((sum, one) => sum + one.valueNum, 0);

const winner = (leader, texts, trump) => {
  game.state.currentRound.biddingElected = { suite: MODES[trump], bidding: 80, playerId: "0" };
  return Number(findWinner(laid(leader, texts, trump), "asked"));
};

serve(
  {
    name: "newtondotcom/coinche", version: "1b65810", language: "TypeScript", profiles: ["contree+contract-alone+exact-points"],
    fields: { "settle-tricks": ["tricks", "score"] }, knows: { calls: ["double", "redouble"] },
  },
  {
    "card-points": ({ trump, cards: asked, last_trick }) => ({ points: points(asked, trump) + (last_trick ? 10 : 0) }),
    "trick-winner": ({ trump, leader, cards: asked }) => ({ winner: winner(leader, asked, trump) }),
    "legal-cards": ({ trump, hand, trick }) => {
      const me = SEATS[trick.length];
      const found = getPlayableCards({
        currentPlayerId: me, myId: me, currentTrick: { plays: laid(0, trick, trump) }, trump: MODES[trump], hand: cards(hand, trump),
        colorAsked: trick.length ? SUITS[trick[0].at(-1)] : undefined,
      });
      return { cards: found.map(({ suite, value }) => value + LETTER[suite]) };
    },
    "settle-tricks": ({ trump, taker, bid, raised = 1, tricks: asked }) => {
      const tricks = asked.map(({ leader, cards: texts }, i) => {
        const seat = winner(leader, texts, trump);
        const worth = points(texts, trump) + (i === 7 ? 10 : 0);
        return { plays: laid(leader, texts, trump), seat, team1Score: seat % 2 ? 0 : worth, team2Score: seat % 2 ? worth : 0 };
      });
      Object.assign(game.state, { team1PointsCurrentGame: 0, team2PointsCurrentGame: 0 });
      Object.assign(game.state.currentRound, {
        tricks, coinched: raised === 2, surcoinched: raised > 2,
        biddingElected: { suite: MODES[trump], bidding: bid, playerId: SEATS[taker] },
      });
      emitEndRound("asked");
      return {
        tricks: tricks.map((one, i) => ({ winner: one.seat, points: one.team1Score + one.team2Score - (i === 7 ? 10 : 0) })),
        score: [game.state.team1PointsCurrentGame, game.state.team2PointsCurrentGame],
      };
    },
  },
);
