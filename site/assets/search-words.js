// People ask in whole sentences: the places that are about what was asked come first, whichever words were used for it.
(function () {
  "use strict";
  const post = Worker.prototype.postMessage;
  const listen = Worker.prototype.addEventListener;
  const MOST = 6, SHORTEST = 4, LONG = 7, PAGES = 20, MARK = /^qq\d+qq$/;
  let searching = null;
  let table = null;
  let wanted = "";

  // Before the theme hears of it: the best pages, without marks and without the spellings by which they are found.
  function cleaned({ data: { data } }) {
    if (!data?.items) return;
    // First a case by its id; last what only programmers look for, unless that was asked for.
    const place = (pages) => {
      if (wanted && pages.some(({ location }) => location.endsWith(wanted))) return 0;
      const isNamed = pages.some(({ terms }) => Object.entries(terms || {}).some(([term, isFound]) => isFound && MARK.test(term)));
      return pages[0].location.startsWith("programmers/") && !isNamed ? 2 : 1;
    };
    // That a rule uses a word is no answer to whoever asks for it.
    for (const pages of data.items) {
      const telling = pages.filter(({ location }) => !location.endsWith("#words"));
      if (telling.length) pages.splice(0, pages.length, ...telling);
    }
    data.items.sort((one, other) => place(one) - place(other)).splice(PAGES);
    for (const found of data.items.flat()) {
      found.text = window.belotVariant.found(found).replace(/ ?<p hidden>.*?<\/p>/gs, "");
      for (const term of Object.keys(found.terms || {})) if (MARK.test(term)) delete found.terms[term];
    }
  }

  Worker.prototype.addEventListener = function (type, ...rest) {
    if (type === "message") listen.call(this, type, cleaned);
    listen.call(this, type, ...rest);
  };

  Worker.prototype.postMessage = function (message, ...rest) {
    if (message && message.type === 0 && message.data?.docs) {
      searching = this;
      const root = new URL(JSON.parse(document.getElementById("__config").textContent).base + "/", location.href);
      table ||= fetch(new URL("search-words.json", root)).then((found) => found.json()).then(prepared).catch(() => null);
    }
    if (this !== searching || message.type !== 2) return post.call(this, message, ...rest);
    table.then((words) => post.call(this, words ? { ...message, data: meant(message.data, words) } : message, ...rest));
  };

  function prepared(words) {
    const idle = new Set(words.idle);
    const article = /^(?:to|the|a|an|de|het|een|le|la|les) /;
    const know = (text) => concepts(text, idle, words);
    const pages = Object.entries(words.pages).map(([mark, ways]) => ({ mark, title: know(ways[0]), ways: ways.map(know), others: know(ways.slice(1).join(" ")), whole: new Set(ways.map(bare).flatMap((way) => [way, way.replace(article, "")])) }));
    const every = new Set([...Object.keys(words.alike), ...pages.flatMap(({ ways }) => ways.flat())].filter((word) => word.length >= SHORTEST));
    return { ...words, idle, pages, every };
  }

  // In how many letters two words differ: one too many, one missing, another one, or two that changed places.
  function apart(one, other, most) {
    if (Math.abs(one.length - other.length) > most) return most + 1;
    let before = [], last = Array.from({ length: other.length + 1 }, (_, place) => place);
    for (let row = 1; row <= one.length; row += 1) {
      const next = [row];
      for (let place = 1; place <= other.length; place += 1) {
        const differs = one[row - 1] === other[place - 1] ? 0 : 1;
        next[place] = Math.min(last[place] + 1, next[place - 1] + 1, last[place - 1] + differs);
        if (row > 1 && place > 1 && one[row - 1] === other[place - 2] && one[row - 2] === other[place - 1]) next[place] = Math.min(next[place], before[place - 2] + 1);
      }
      before = last;
      last = next;
    }
    return last[other.length];
  }

  // The word that was meant, where nobody says the one that was written.
  function mended(word, { every, pages, alike, idle }) {
    const written = plain(word);
    if (written.length < SHORTEST || /\d/.test(written) || idle.has(written) || alike[written] || pages.some((page) => holds(page.title, written) || holds(page.others, written))) return word;
    const most = written.length >= LONG ? 2 : 1;
    const near = Array.from(every, (one) => [apart(written, one, most), one]).filter(([far]) => far <= most);
    return near.length ? near.reduce((best, one) => (one[0] < best[0] ? one : best))[1] : word;
  }

  // What a text is about: its telling words, each by the word that stands for all that mean the same.
  function concepts(text, idle, { before, alike }) {
    const said = plain(text).match(/[\p{L}\p{N}'-]+/gu) || [];
    const parts = said.filter((word) => !idle.has(word)).flatMap((word) => {
      const first = before.find((one) => word.startsWith(one) && alike[word.slice(one.length)]);
      return first ? [first, word.slice(first.length)] : [word];
    });
    return [...new Set(parts.map((word) => alike[word] || word))];
  }

  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/g, "d");

  const bare = (text) => plain(text).replace(/[^\p{L}\p{N}]+/gu, " ").trim();

  // Two forms of one word begin alike.
  function same(one, other) {
    if (one === other) return true;
    const length = Math.min(one.length, other.length);
    return length >= 4 && Math.abs(one.length - other.length) <= 3 && one.slice(0, length) === other.slice(0, length);
  }

  const holds = (list, word) => list.some((one) => same(one, word));

  // How much one way to say it has of what was asked, and how little else.
  function likeness(way, known, whole, rare) {
    const of = (list, words) => list.reduce((sum, [word, weight]) => sum + weight * (holds(words, word) ? 1 : 0), 0);
    const own = way.map((word) => [word, rare(word)]);
    const all = own.reduce((sum, [, weight]) => sum + weight, 0);
    return all ? (of(known, way) / whole) * (of(own, known.map(([word]) => word)) / all) : 0;
  }

  function meant(said, words) {
    if (/["*+^~:]/.test(said)) return said;
    // A case by its id.
    const number = /^\s*bc[- ]?(\d{1,4})\s*$/i.exec(said);
    wanted = number ? "#bc-" + number[1].padStart(4, "0") : "";
    if (number) return wanted.slice("#bc-".length);
    const query = said.replace(/[\p{L}\p{N}'-]+/gu, (word) => mended(word, words));
    const asked = concepts(query, words.idle, words);
    const rare = (word) => Math.log((words.pages.length + 1) / (1 + words.pages.filter((page) => holds(page.title, word) || holds(page.others, word)).length));
    const known = asked.map((word) => [word, rare(word)]).filter(([word]) => words.pages.some((page) => holds(page.title, word) || holds(page.others, word)));
    const whole = known.reduce((sum, [, weight]) => sum + weight, 0);
    const phrase = bare(query);
    // One way to say it, word for word or in its telling words.
    const says = (page) => page.whole.has(phrase) ? 1 : page.ways.some((way) => asked.length && way.length === asked.length && asked.every((word) => way.includes(word))) ? 0.5 : 0;
    if (!whole && !words.pages.some(says)) return query;
    const scored = words.pages.map((page) => {
      const found = !whole ? 0 : known.reduce((sum, [word, weight]) => sum + weight * (holds(page.title, word) ? 1 : holds(page.others, word) ? 0.85 : 0), 0);
      return { mark: page.mark, score: says(page) + (whole ? found / whole + 0.5 * Math.max(...page.ways.map((way) => likeness(way, known, whole, rare))) : 0) };
    });
    const best = scored.filter((page) => page.score >= 0.4).sort((one, other) => other.score - one.score).slice(0, MOST);
    const telling = (query.match(/\S+/g) || []).filter((word) => !words.idle.has(plain(word).replace(/[?!.,]/g, "")));
    return [...(telling.length ? telling : [query]), ...best.map((page) => page.mark + "^" + Math.round(1000 * page.score ** 3))].join(" ");
  }
})();
