// What a table agrees on where others play otherwise: each way that the variant knows, the chosen one ticked, and room to sign.
import { fill, make } from "./try/elements.js";
import { matters, sameValue, valuesOf } from "./try/own-rules.js";
import { data, plain, played, said, show, table, told, words } from "./house-table.js";

const ways = Object.values(told.options).map((option) => valuesOf(data, option.plays));

function choices(rule) {
  const values = [plain, ...ways, table.changes].filter((way) => rule in way).map((way) => way[rule]);
  return values.filter((value, index) => values.findIndex((one) => sameValue(one, value)) === index);
}

// A number that hangs on the rule and nothing else asks about: how many deals, where a match is so many.
const numbersOf = (rule) => data.rules.filter(({ id, free, needs }) => free && rule in needs && id in played && choices(id).length === 1 && matters(data, id, played)).map(({ id }) => said(id, played[id])).map(({ title, short, sentence }) => sentence || title + ": " + short);

function line(rule, value) {
  const isChosen = sameValue(value, played[rule]);
  // What is not chosen is told as it would be played: 100 points, where half points go with 200 alone.
  const way = isChosen ? {} : [plain, ...ways].find((one) => rule in one && sameValue(one[rule], value));
  const { short, sentence } = said(rule, value, { ...played, ...way });
  return make("li", isChosen ? { class: "chosen" } : {}, isChosen ? make("span", { class: "unseen" }, words.chosen + " ") : "", [sentence || short, ...(isChosen ? numbersOf(rule) : [])].join(" "));
}

const agreed = data.rules.filter(({ id }) => id in played && choices(id).length > 1 && matters(data, id, played));
const sections = agreed.map(({ id }) => make("section", { class: "agreed" }, make("h2", {}, said(id, played[id]).title), make("ul", { class: "boxes" }, ...choices(id).map((value) => line(id, value)))));
const toSign = (texts) => make("p", { class: "signing", style: "--across: " + texts.length }, ...texts.map((text) => make("span", {}, text)));
const players = Array.from({ length: told.players }, (_, seat) => fill(words.player, { n: seat + 1 }));
show(words.lead, sections, [toSign([words.decides, words.date]), toSign(players)]);
