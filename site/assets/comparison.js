// Narrows the comparison down; the address keeps the choice: ?v=belote,bela-4&topic=play&differs=0; v=all, v=none
(async function () {
  "use strict";
  const form = document.getElementById("choose");
  const table = document.getElementById("comparison");
  const isKept = () => { try { return Boolean(localStorage.getItem("belot-table")); } catch { return false; } };
  const own = isKept() ? await addOwnTable() : null;

  // The table that this device remembers, as one column more: its base with what is played otherwise.
  async function addOwnTable() {
    const { fetchRules, inWords, keptTable, matters, playsBefore, sameValue, valuesOf } = await import("./try/own-rules.js");
    const own = keptTable();
    const data = own && await fetchRules(form.dataset.rules).catch(() => null);
    const told = data?.variants[own.base];
    if (!told) return null;
    const plain = valuesOf(data, told.plays);
    const values = { ...playsBefore(data, own), ...own.changes };
    const name = form.dataset.own.replace("{name}", own.name || told.name);
    const box = document.createElement("label");
    box.innerHTML = '<input type="checkbox" name="v" value="own"> ';
    box.append(name);
    form.querySelector("fieldset").insertBefore(box, form.querySelector("#all"));
    const head = document.createElement("th");
    Object.assign(head, { scope: "col", textContent: name }).dataset.v = "own";
    table.tHead.rows[0].append(head);
    const rules = new Map(data.rules.map((rule) => [rule.id.replaceAll(".", "-"), rule.id]));
    for (const row of table.querySelectorAll("tbody tr:not(.topic)")) {
      const rule = rules.get(row.id);
      const cell = row.querySelector('[data-v="' + own.base + '"]').cloneNode(true);
      if (rule && !(rule in values && matters(data, rule, values))) Object.assign(cell, { textContent: "–" }).dataset.n = "0";
      else if (rule && (!sameValue(values[rule], plain[rule]) || cell.dataset.n === "0")) {
        const { short } = inWords(data, own.base, rule, values[rule]);
        const same = Array.from(row.querySelectorAll("td")).find((one) => one.firstChild?.textContent === short);
        Object.assign(cell, { textContent: short }).dataset.n = same?.dataset.n || "own";
      }
      Object.assign(cell.dataset, { v: "own", name });
      row.append(cell);
    }
    return own;
  }

  // My game stands first: the others are measured by it.
  const mine = window.belotVariant.get();
  for (const cell of mine ? table.querySelectorAll('[data-v="' + mine + '"]') : []) cell.parentElement.firstElementChild.after(cell);

  const shown = document.getElementById("shown");
  const boxes = Array.from(form.querySelectorAll("input[name=v]"));
  const rows = Array.from(table.querySelectorAll("tbody tr:not(.topic)"));
  const groupOf = new Map(rows.map((row) => [row, row.parentElement]));
  // Without topics there are three groups: what differs, what only some of the games have, and what is the same.
  const [apart, some, alike] = [table.dataset.apart, table.dataset.partly, table.dataset.alike].map((title) => {
    const group = table.tBodies[0].cloneNode();
    const head = table.querySelector(".topic").cloneNode(true);
    head.querySelector("span").textContent = title;
    head.firstElementChild.removeAttribute("id");
    group.append(head);
    return group;
  });
  table.tHead.after(apart, some, alike);
  // Beside one other game, what only one of the two asks is folded.
  let unfolded = false;
  const fold = document.createElement("button");
  fold.type = "button";
  some.querySelector(".topic span").replaceChildren(fold);
  fold.addEventListener("click", () => { unfolded = !unfolded; show(); });
  const columns = Array.from(table.querySelectorAll("[data-v]"));
  const notes = Array.from(document.querySelectorAll(".notes > li"));
  // Who keeps a table wants to see first what it plays otherwise.
  const near = JSON.parse(form.dataset.starts);
  const start = own ? [own.base, "own"] : near[mine]?.slice(0, 2) || form.dataset.start.split(",");

  function chosen() {
    return boxes.filter((box) => box.checked).map((box) => box.value);
  }

  function read() {
    const query = new URLSearchParams(location.search);
    const asked = query.get("v");
    const known = (asked || "").split(",").filter((name) => boxes.some((box) => box.value === name));
    const wanted = known.length || asked === "none" ? known : start;
    for (const box of boxes) box.checked = asked === "all" || wanted.includes(box.value);
    const topic = query.get("topic") || "";
    form.topic.value = Array.from(form.topic.options).some((one) => one.value === topic) ? topic : "";
    form.differs.checked = query.get("differs") !== "0";
    form.order.value = query.get("order") === "topic" ? "topic" : "";
  }

  function write() {
    const query = new URLSearchParams();
    const names = chosen();
    const all = names.length === boxes.length ? "all" : names.join(",") || "none";
    if (names.slice().sort().join() !== start.slice().sort().join()) query.set("v", all);
    if (form.topic.value) query.set("topic", form.topic.value);
    if (!form.differs.checked) query.set("differs", "0");
    if (form.order.value) query.set("order", form.order.value);
    const text = query.toString().replace(/%2C/g, ",");
    history.replaceState(null, "", location.pathname + (text ? "?" + text : "") + location.hash);
  }

  // The next nearest games are one tap away.
  function offerMore(names) {
    const first = names.has(mine) ? mine : [...names].find((name) => name in near);
    form.querySelector("#more").replaceChildren(...(near[first] || []).filter((name) => !names.has(name)).map((name) => {
      const box = boxes.find((one) => one.value === name);
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: "+ " + box.parentElement.textContent.trim() });
      button.addEventListener("click", () => { box.checked = true; write(); show(); });
      return button;
    }));
  }

  function show() {
    const names = new Set(chosen());
    offerMore(names);
    for (const cell of columns) cell.hidden = !names.has(cell.dataset.v);
    const found = { n: 0, differs: 0, partly: 0 };
    const differing = new Map();
    for (const row of rows) {
      const cells = Array.from(row.querySelectorAll("td")).filter((cell) => !cell.hidden);
      // 0 stands where the rule does not come up, or two of the values that are shown make no difference; one value beside it is no difference between those who play it.
      const numbers = cells.map((cell) => cell.dataset.n);
      const same = (cell) => (cell.dataset.same || "").split(" ").some((number) => numbers.includes(number));
      const kinds = new Set(cells.map((cell) => (same(cell) ? "0" : cell.dataset.n)));
      for (const cell of cells) cell.querySelector("span.see")?.toggleAttribute("hidden", !same(cell));
      const differs = kinds.size > 1;
      const partly = kinds.size === 2 && kinds.has("0");
      if (differs) differing.set(row, partly ? some : apart);
      for (const cell of cells) cell.classList.toggle("other", differs && cell.dataset.n !== cells[0].dataset.n);
      const wanted = !form.topic.value || groupOf.get(row).dataset.topic === form.topic.value;
      // A rule that none of those shown has is about games that nobody asked for.
      const nobodys = kinds.size === 1 && kinds.has("0");
      row.hidden = !wanted || nobodys || (form.differs.checked && !differs);
      if (row.hidden) continue;
      found.n += 1;
      if (differs) found[partly ? "partly" : "differs"] += 1;
    }
    // What those that are shown play differently comes before what they play alike; in either, what matters most.
    const inOrder = [...rows].sort((one, other) => one.dataset.rank - other.dataset.rank);
    for (const row of [...inOrder.filter((row) => differing.has(row)), ...inOrder.filter((row) => !differing.has(row))]) {
      (form.order.value ? groupOf.get(row) : differing.get(row) || alike).append(row);
    }
    const folds = names.size === 2, folded = folds && !unfolded;
    if (folds) fold.setAttribute("aria-expanded", String(unfolded));
    else fold.removeAttribute("aria-expanded");
    fold.textContent = table.dataset.partly + " (" + found.partly + ")";
    fold.disabled = !folds;
    for (const group of table.tBodies) {
      group.hidden = Array.from(group.querySelectorAll("tr:not(.topic)")).every((row) => row.hidden);
      group.querySelector(".topic th").colSpan = names.size + 1;
    }
    for (const row of folded ? some.querySelectorAll("tr:not(.topic):not([hidden])") : []) {
      row.hidden = true;
      found.n -= 1;
    }
    const kept = new Set(rows.filter((row) => !row.hidden).map((row) => row.id));
    for (const note of notes) {
      note.hidden = !kept.has(note.dataset.rule) || !note.dataset.for.split(" ").some((name) => names.has(name));
    }
    table.hidden = names.size === 0;
    const told = names.size ? shown.dataset.shown : shown.dataset.none;
    shown.textContent = told.replace(/\{(\w+)\}/g, (_, name) => ({ ...found, all: rows.length })[name]);
  }

  form.addEventListener("change", () => { write(); show(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("all").addEventListener("click", () => {
    for (const box of boxes) box.checked = true;
    write();
    show();
  });
  form.addEventListener("reset", () => setTimeout(() => {
    for (const box of boxes) box.checked = start.includes(box.value);
    write();
    show();
  }));
  form.hidden = false;
  // On a phone the table is what is looked for.
  form.querySelector("details").open = innerWidth > 720;
  read();
  const row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  show();
  if (row) {
    // Who is led to a rule sees it, though all play it alike.
    if (row.hidden) {
      form.differs.checked = false;
      unfolded = true;
    }
    show();
    row.scrollIntoView({ block: "center" });
  }
})();
