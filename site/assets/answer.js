// A table that this device remembers plays by its own rules: the answer card of its game then says what these say.
import { set } from "./try/elements.js";
import { applies, fetchRules, inWords, keptTable, matters, playsBefore, readable, sameValue, writeRules } from "./try/own-rules.js";

const page = document.querySelector(".answer-cards");
const mine = window.belotVariant.get();
const card = page.querySelector(':scope > [data-for~="' + mine + '"]:not(.absent)');
const table = keptTable();
const data = card && table?.base === mine ? await fetchRules(page.dataset.data).catch(() => null) : null;
if (data) {
  const ways = JSON.parse(page.dataset.ways);
  const wayOf = (values) => ways.find((way) => way.rules[0] in values && matters(data, way.rules[0], values) && applies(way.when, values));
  const plain = playsBefore(data, { ...table, options: [] });
  const played = { ...playsBefore(data, table), ...table.changes };
  const way = wayOf(played);
  const rules = way ? way.rules.filter((rule) => rule in played && matters(data, rule, played)) : [];
  const isOther = way !== wayOf(plain) || rules.some((rule) => !sameValue(plain[rule], played[rule]));
  if (isOther) {
    const [said, ...more] = !way ? [page.dataset.absent] : rules.map((rule) => inWords(data, table.base, rule, played[rule]).sentence);
    const verdict = way?.verdicts[JSON.stringify(played[rules[0]])];
    const answer = card.querySelector(".said");
    answer.textContent = verdict ? set(": ") + said.charAt(0).toLowerCase() + said.slice(1) : said;
    if (verdict) answer.prepend(Object.assign(document.createElement("strong"), { className: "yes-or-no", textContent: verdict }));
    answer.append(" ", more.join(" "));
    card.querySelector(".for").textContent = page.dataset.own.replace("{name}", table.name || data.variants[table.base].name);
    // What stands below it is of the game as it is elsewhere.
    for (const other of card.querySelectorAll(".more, figure, .sources")) other.hidden = true;
  }
  const query = new URLSearchParams({ base: table.base, ...(table.options.length ? { o: table.options.join(",") } : {}), ...(table.name ? { name: table.name } : {}) });
  const line = Object.assign(document.createElement("p"), { className: "remark", textContent: isOther ? "" : page.dataset.alike + " " });
  line.append(Object.assign(document.createElement("a"), { href: page.dataset.house + readable(writeRules(query, table.changes)), textContent: page.dataset.changes }));
  card.append(line);
}
