// "I play …": chosen once in the header and kept on this device. Pages put that variant first, and so does the search.
(function () {
  "use strict";
  const VARIANT = "belot-variant", DECK = "belot-deck";
  const kept = {
    get(key) { try { return localStorage.getItem(key) || ""; } catch { return ""; } },
    set(key, name) { try { localStorage.setItem(key, name); } catch { /* asked again on the next page */ } },
  };
  let mine = kept.get(VARIANT);
  let said = { answers: {}, weights: {} };
  window.belotVariant = { get: () => mine, playTable, found };

  function keptTable() {
    try { return JSON.parse(kept.get("belot-table") || "null"); } catch { return null; }
  }

  // What a remembered table is called: by its own name first, of which there is always room for a part.
  const tableName = (table, game) => (table.name || document.getElementById("my-variant").dataset.table) + " (" + game + ")";

  // The table that this device remembers stands in the place of its game.
  function nameTable() {
    const table = keptTable();
    for (const option of table ? document.querySelectorAll(".my-variant option, select[data-play] option") : []) {
      option.dataset.plain ||= option.textContent;
      const isTable = option.value && option.value === table.base;
      option.textContent = isTable ? tableName(table, option.dataset.plain) : option.dataset.plain;
    }
  }

  // Whoever keeps a table plays its game.
  function playTable() {
    mine = keptTable()?.base || mine;
    kept.set(VARIANT, mine);
    nameTable();
    document.getElementById("my-variant").value = mine;
  }

  function choose(name) {
    kept.set(VARIANT, name);
    location.reload();
  }

  // What a list, a table or a run of headings tells of several variants: mine comes first.
  function first(of) {
    const isMine = (one) => one.dataset.for.split(" ").includes(mine);
    const groups = new Map();
    for (const one of of) {
      if (!groups.has(one.parentElement)) groups.set(one.parentElement, []);
      groups.get(one.parentElement).push(one);
    }
    for (const ones of groups.values()) {
      if (!ones.some(isMine)) continue;
      const parts = ones.map(together);
      const place = document.createComment("");
      ones[0].before(place);
      const sorted = [...parts.filter((part) => isMine(part[0])), ...parts.filter((part) => !isMine(part[0]))];
      place.after(...sorted.flat());
      place.remove();
      for (const one of ones.filter(isMine)) one.classList.add("mine");
    }
  }

  // A heading with all that follows it up to the next one; anything else is by itself.
  function together(one) {
    const found = [one];
    if (!/^H\d$/.test(one.tagName)) return found;
    for (let next = one.nextElementSibling; next && !/^H[1-3]$/.test(next.tagName); next = next.nextElementSibling) {
      if (next.matches(".words, script, .card-symbols")) break;
      found.push(next);
    }
    return found;
  }

  // The deck in which cards are drawn, on every page: before the first of them is.
  const deck = () => kept.get(DECK) || "two";
  document.documentElement.dataset.deck = deck();

  function chooseDeck(select) {
    select.value = deck();
    select.addEventListener("change", () => {
      kept.set(DECK, select.value);
      document.documentElement.dataset.deck = select.value;
    });
    select.parentElement.hidden = false;
  }

  function apply() {
    chooseDeck(document.getElementById("my-deck"));
    const select = document.getElementById("my-variant");
    if (!select) return;
    const names = new Map(Array.from(select.options, (option) => [option.value, option.textContent]));
    if (!names.get(mine)) mine = "";
    nameTable();
    const table = keptTable();
    const hasTable = mine && table?.base === mine;
    select.value = mine;
    select.hidden = false;
    select.addEventListener("change", () => choose(select.value));
    if (mine) first(Array.from(document.querySelectorAll(".md-content [data-for]:not(.notes > li)")));
    if (mine) document.documentElement.dataset.my = mine;
    // What a page about all games tells in words that my game has others for.
    for (const one of mine ? document.querySelectorAll("[data-told]") : []) one.textContent = JSON.parse(one.dataset.told)[mine] || one.textContent;
    for (const link of mine ? document.querySelectorAll("[data-mine-href]") : []) {
      // Without the name of a game the page opens with the table.
      const { mineHref, tableHref, table: tableWords } = link.dataset;
      link.setAttribute("href", hasTable && tableHref ? tableHref : mineHref.replace(hasTable ? /&v={v}$/ : "", "").replace("{v}", mine));
      if (!link.textContent) link.textContent = hasTable ? tableName(table, names.get(mine)) : names.get(mine);
      if (hasTable && tableWords) link.textContent = tableWords;
    }
    // data-mine: "any" shows when a variant is chosen, "none" while none is, "other" on the pages of another one.
    for (const one of document.querySelectorAll("[data-mine]")) {
      const own = one.dataset.page;
      const other = Boolean(mine) && mine !== own;
      one.hidden = !{ any: Boolean(mine), none: !mine, other }[one.dataset.mine];
    }
    for (const list of document.querySelectorAll("select[data-play]")) list.addEventListener("change", () => choose(list.value));
    for (const button of document.querySelectorAll("button[data-play]")) {
      button.addEventListener("click", () => choose(button.dataset.play));
    }
  }

  // The search gets the answers of my variant, and puts what only other variants have after it.
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!mine || !message || message.type !== 0 || !message.data || !message.data.docs) {
      return post.call(this, message, ...rest);
    }
    const root = JSON.parse(document.getElementById("__config").textContent).base;
    fetch(new URL(root + "/mine/" + mine + ".json", location.href))
      .then((found) => found.json())
      .then((own) => { said = own; message.data.docs = message.data.docs.map((doc) => personal(doc, own)); })
      .catch(() => { /* the search of everybody is better than none */ })
      .finally(() => post.call(this, message, ...rest));
  };

  // Of a page that is found the theme shows what was asked for: what others say of it is not my answer, nor any of mine.
  function found({ location, text }) {
    const isMine = said.answers[location] && !text.startsWith("<p>");
    return isMine ? "<p>" + said.answers[location] + "</p>" : said.weights[location.split("#")[0]] && /^(questions|rules)\//.test(location) ? "" : text;
  }

  function personal(doc, own) {
    const page = doc.location.split("#")[0];
    const factor = own.weights[doc.location] || own.weights[page] || own.weights[page.replace(/^(variants\/[^/]+\/).+/, "$1")] || 1;
    const said = own.answers[doc.location];
    return { ...doc, title: own.titles[doc.location] || doc.title, text: said ? "<p>" + said + "</p><div>" + doc.text + "</div>" : doc.text, boost: (doc.boost || 1) * factor };
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", apply);
  else apply();
})();
