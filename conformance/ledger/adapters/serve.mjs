// The loop that all adapters in JavaScript and TypeScript share: questions on stdin, answers on stdout, by the protocol.
import { createInterface } from "node:readline";

export class Rejected extends Error {
  constructor(reason, at) {
    super(reason);
    this.reply = at === undefined ? { reason } : { reason, at };
  }
}

export class Unsupported extends Error {}

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
