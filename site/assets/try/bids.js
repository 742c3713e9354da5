// What can be said in the bidding, as the protocol names it: a word, a mode, or a number and a mode.
const NUMBER = "capot|[1-9]\\d{1,2}";
const AMOUNT = new RegExp(`^(?:${NUMBER})$`);
const WITH_MODE = new RegExp(`^(${NUMBER})([SHDCNA])$`);

// The number of a bid as it stands in a question: of capot its name, and nothing of any other text.
export const amountOf = (text) => (!AMOUNT.test(text || "") ? null : text === "capot" ? text : Number(text));
export const amountIn = (bid) => WITH_MODE.exec(bid)?.[1];
export const isBid = (name, data) => Boolean(data.bids[name]) || WITH_MODE.test(name);

export function bidName(bid, data) {
  const [, amount, mode] = WITH_MODE.exec(bid) || [];
  return amount ? amount + " " + data.modes[mode] : data.bids[bid];
}
