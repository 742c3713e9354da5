// The loop that all adapters in JavaScript and TypeScript share: questions on stdin, answers on stdout, by the protocol.
import Module from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export class Rejected extends Error {
  constructor(reason, at) {
    super(reason);
    this.reply = at === undefined ? { reason } : { reason, at };
  }
}

export class Unsupported extends Error {}

// Import what a program imports by a name of its own: a file each, an address, or a folder of TypeScript for a name that
// ends in "/".
export function alias(places) {
  const found = (name, of) => {
    const [start, place] = of.find(([one]) => one === name || (one.endsWith("/") && name.startsWith(one))) ?? [];
    return place === undefined ? name : start === name ? place : `${place}${name.slice(start.length)}.ts`;
  };
  const urls = Object.entries(places).map(([name, place]) => [name, place.includes(":") ? place : pathToFileURL(place).href]);
  const hook = `const urls = ${JSON.stringify(urls)}, found = ${found};
    export const resolve = (name, context, next) => next(found(name, urls), context);`;
  Module.register(`data:text/javascript,${encodeURIComponent(hook)}`);
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => resolve(found(name, Object.entries(places)), ...rest);
}

// What a player never may where there is nothing by which he could look back or claim.
const NEVER = { look: "may-not-look", claim: "claim-not-allowed" };

export function refuseEarly(action, at, bids, turn) {
  if ("bid" in action !== bids) throw new Rejected("wrong-phase", at);
  for (const what of Object.keys(NEVER)) if (what in action) throw new Rejected(NEVER[what], at);
  if (action.seat !== turn) throw new Rejected("not-your-turn", at);
}

export const tens = (from, to) => Array.from({ length: (to - from) / 10 + 1 }, (_, i) => from + 10 * i);
export const numbered = (amounts, modes) => amounts.flatMap((amount) => [...modes].map((mode) => `${amount}${mode}`));

// The questions of whole deals, to a program whose table is told by functions: begin(dealer, hands), say(game, bid) with
// the game after it, or nothing if it is refused, turn(game), contract(game): null where all passed, nothing while
// there is bidding; held and legal(game): cards of the next player, play(game, card), and result(game) at the end.
export function atTable({ bids, begin, say, turn, contract, held, legal, play, result }) {
  const bidNow = (game, bid, at) => {
    const after = bids.includes(bid) && say(game, bid);
    if (!after) throw new Rejected(bid.endsWith("double") ? "may-not-double" : "bid-too-low", at);
    return after;
  };
  return {
    bidding: ({ dealer, bids: said }) => {
      let game = begin(dealer);
      said.forEach((bid, at) => {
        if (contract(game) !== undefined) throw new Rejected("bidding-over", at);
        game = bidNow(game, bid, at);
      });
      const taken = contract(game);
      if (taken === null) return { state: "failed" };
      if (taken) return { state: "taken", ...taken };
      return { state: "open", turn: turn(game), choices: bids.filter((bid) => say(game, bid)) };
    },
    replay: ({ dealer, hands, actions, ...told }) => {
      let game = begin(dealer, hands);
      const { taker: seat, trump, bid = "", raised = 1 } = told;
      // Where the question tells the contract, it is bid at once, doubled by the next player, redoubled by the partner.
      const words = seat === undefined ? [] : [...Array((seat - dealer + 3) % 4).fill("pass"), `${bid}${trump}`];
      if (raised > 1) words.push("double");
      if (raised > 2) words.push("pass", "redouble");
      while (seat !== undefined && !contract(game)) game = bidNow(game, words.shift() ?? "pass", 0);
      actions.forEach((action, at) => {
        const taken = contract(game);
        if (taken === null || (taken && result(game))) throw new Rejected("deal-over", at);
        refuseEarly(action, at, !taken, turn(game));
        if (!taken) {
          game = bidNow(game, action.bid, at);
          return;
        }
        if (!held(game).includes(action.play)) throw new Rejected("card-not-held", at);
        if (!legal(game).includes(action.play)) throw new Rejected("illegal-card", at);
        game = play(game, action.play);
      });
      const taken = contract(game);
      if (taken === null) return { ended: "passed" };
      const end = taken && result(game);
      if (!end) throw new Rejected("unfinished", actions.length);
      return { ended: "played", ...taken, ...end };
    },
  };
}

export function serve(hello, answers) {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  console.log = console.error;
  lines.on("line", (line) => {
    const { id, op, profile, input } = JSON.parse(line);
    let reply;
    try {
      const result =
        op === "hello" ? { protocol: 1, operations: Object.keys(answers), window: 16, ...hello } : answers[op](input, profile);
      reply = { id, result };
    } catch (error) {
      if (error instanceof Rejected) reply = { id, rejected: error.reply };
      else if (error instanceof Unsupported) reply = { id, unsupported: error.message };
      else reply = { id, error: `${error.name}: ${error.message}` };
    }
    process.stdout.write(JSON.stringify(reply) + "\n");
  });
}
