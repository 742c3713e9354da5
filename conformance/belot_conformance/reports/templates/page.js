"use strict";
(() => {
  const form = document.getElementById("filters");
  const fields = ["operation", "rule", "outcome", "profile", "q"];
  const failures = [...document.querySelectorAll(".failure")];
  const rows = [...document.querySelectorAll("#all tbody tr")];
  const groups = [...document.querySelectorAll("#all details")];
  const placeOf = (name) => form.elements[name].selectedIndex - 1;
  const texts = new Map();

  function textOf(element) {
    if (!texts.has(element)) texts.set(element, (element.id + " " + element.textContent).toLowerCase());
    return texts.get(element);
  }

  function fits(element, wanted, words) {
    const { o, p, r, x } = element.dataset;
    return (wanted.operation < 0 || Number(o) === wanted.operation)
      && (wanted.profile < 0 || Number(p) === wanted.profile)
      && (wanted.rule < 0 || ` ${r} `.includes(` ${wanted.rule} `))
      && (!wanted.outcome || x === wanted.outcome)
      && words.every((word) => textOf(element).includes(word));
  }

  function filter() {
    const wanted = { operation: placeOf("operation"), profile: placeOf("profile"), rule: placeOf("rule"), outcome: form.elements.outcome.value };
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const active = fields.some((name) => form.elements[name].value);
    const show = (element) => { element.hidden = !fits(element, wanted, words); return !element.hidden; };
    const failed = failures.filter(show).length;
    const shown = rows.filter(show).length;
    for (const group of groups) {
      const left = [...group.querySelectorAll("tbody tr")].filter((row) => !row.hidden).length;
      group.hidden = left === 0;
      group.querySelector(".number").textContent = left;
      if (active && left <= 50) group.open = true;
    }
    const counts = { failures: [failed, failures.length], all: [shown, rows.length] };
    for (const [section, [left, every]] of Object.entries(counts)) {
      const number = document.querySelector(`#${section} h2 .number`);
      if (left !== every) number.textContent = `${left} / ${number.dataset.every}`;
      else number.textContent = number.dataset.every;
    }
    document.querySelector("#failures .none").hidden = failed > 0 || failures.length === 0;
    document.getElementById("shown").textContent = active ? `${shown} of ${rows.length} cases, ${failed} of them drawn` : "";
  }

  function remember() {
    const state = new URLSearchParams();
    for (const name of fields) if (form.elements[name].value) state.set(name, form.elements[name].value);
    history.replaceState(null, "", "#" + state);
  }

  function restore() {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) {
      const aim = document.getElementById(hash);
      if (aim?.hidden) { form.reset(); filter(); aim.scrollIntoView(); }
      return;
    }
    const state = new URLSearchParams(hash);
    for (const name of fields) form.elements[name].value = state.get(name) ?? "";
    filter();
  }

  async function copy(button) {
    const code = button.parentElement.querySelector("pre");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  }

  for (const element of [form, ...document.querySelectorAll(".copy")]) element.hidden = false;
  form.addEventListener("input", () => { filter(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); if (!document.querySelector(":target")) remember(); }));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.classList.contains("copy")) copy(button);
  });
  addEventListener("hashchange", restore);
  restore();
})();
