// Finds behaviours by the number of a case or by a word; the address keeps it: ?find=bc-0072
(function () {
  "use strict";
  const form = document.getElementById("find-case");
  const field = document.getElementById("case-words");
  const count = document.getElementById("case-count");
  const lists = Array.from(document.querySelectorAll(".behaviours"));
  const items = lists.flatMap((list) => Array.from(list.children));
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  // The page has the runs of the cases' numbers: 0072–0075.
  const cases = items.map((item) => {
    const runs = item.querySelector("[data-cases]")?.dataset.cases ?? Array.from(item.querySelectorAll(".from a"), (one) => one.textContent).join(" ");
    return runs.match(/\d{4,}(–\d+)?/g).flatMap((run) => {
      const [first, last = first] = run.split("–").map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => "bc-" + String(first + at).padStart(4, "0"));
    });
  });
  const texts = items.map((item, index) => plain([item.textContent, ...cases[index]].join(" ")));
  const ids = cases.flat();
  const NUMBER = /^(?:bc-)?(\d+)$/;

  // A number is that number and no part of another one; in a case's its noughts may be left out.
  function pattern(word) {
    const parts = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").split(/(\d+)/);
    return new RegExp(parts.map((part, at) => (at % 2 ? "(?<!\\d)0*" + Number(part) + "(?!\\d)" : part)).join(""));
  }

  function place(id) {
    const item = items[cases.findIndex((own) => own.includes(id))];
    return item && item.querySelector("a").href + "#" + id;
  }

  const typed = () => plain(field.value).split(/\s+/).filter(Boolean).map((word) => word.replace(/^bc-?(?=\d)/, "bc-"));
  const named = (words) => (words.length === 1 && NUMBER.test(words[0]) ? "bc-" + words[0].match(NUMBER)[1].padStart(4, "0") : "");

  function show() {
    const words = typed(), patterns = words.map(pattern);
    let found = 0;
    items.forEach((item, index) => {
      item.hidden = !patterns.every((one) => one.test(texts[index]));
      found += item.hidden ? 0 : 1;
    });
    for (const list of lists) {
      const empty = Array.from(list.children).every((item) => item.hidden);
      const box = list.parentElement;
      box.open = words.length > 0 || box.open;
      const heading = box.firstElementChild;
      heading.dataset.all ||= heading.textContent;
      const kept = Array.from(list.children).filter((item) => !item.hidden).length;
      heading.textContent = words.length ? count.dataset.shown.replace("{n}", kept).replace("{all}", list.childElementCount) : heading.dataset.all;
      // With its heading, and what the operation asks.
      for (const one of [box, box.previousElementSibling, box.previousElementSibling.previousElementSibling]) one.hidden = empty;
    }
    count.textContent = words.length ? count.dataset.shown.replace("{n}", found).replace("{all}", items.length) : "";
    const id = named(words);
    if (id && !found) {
      const far = (other) => Math.abs(other.slice(3) - id.slice(3));
      const nearest = ids.reduce((best, other) => (far(other) < far(best) ? other : best));
      const link = Object.assign(document.createElement("a"), { href: place(nearest), textContent: nearest, className: "id" });
      count.replaceChildren(count.dataset.none.replace("{id}", id) + " ", link);
    }
    const query = words.length ? "?find=" + encodeURIComponent(field.value.trim()) : "";
    history.replaceState(null, "", location.pathname + query + location.hash);
  }

  // A number in the address leads on to its case; recorded ones have no page of their own, but that of their kind. The
  // name of an operation opens its cases.
  function follow() {
    const name = location.hash.slice(1);
    const led = /^bc-\d+$/.test(name) && place(name);
    if (led) location.replace(led);
    const heading = name && document.getElementById(name);
    const box = heading?.nextElementSibling?.nextElementSibling;
    if (box?.matches("details")) box.open = true;
  }

  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const shown = items.filter((item) => !item.hidden), id = named(typed());
    const only = shown.length === 1 ? shown[0].querySelector("a").href : "";
    const to = (id && (only || typed()[0] === id) && place(id)) || only;
    if (to) location.assign(to);
  });
  addEventListener("hashchange", follow);
  follow();
  form.hidden = false;
  field.value = new URLSearchParams(location.search).get("find") || "";
  if (field.value) show();
})();
