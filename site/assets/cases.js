// Finds behaviours by the number of a case or by a word; the address keeps it: ?find=bc-0072
(function () {
  "use strict";
  const form = document.getElementById("find-case");
  const field = document.getElementById("case-words");
  const count = document.getElementById("case-count");
  const items = Array.from(document.querySelectorAll(".behaviours > li"));
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const texts = items.map((item) => plain(item.textContent));

  function show() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let found = 0;
    items.forEach((item, index) => {
      item.hidden = !words.every((word) => texts[index].includes(word));
      found += item.hidden ? 0 : 1;
    });
    count.textContent = words.length ? count.dataset.shown.replace("{n}", found).replace("{all}", items.length) : "";
    const query = words.length ? "?find=" + encodeURIComponent(field.value.trim()) : "";
    history.replaceState(null, "", location.pathname + query + location.hash);
  }

  // A number in the address leads on to its case; recorded ones have no page of their own, but that of their kind.
  const number = location.hash.slice(1);
  const led = /^bc-\d+$/.test(number) && (document.querySelector('.behaviours a[href$="#' + number + '"]') || document.querySelector('[data-cases~="' + number + '"]'));
  if (led) location.replace((led.matches("a") ? led : led.closest("li").querySelector("a")).href);

  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  field.value = new URLSearchParams(location.search).get("find") || "";
  if (field.value) show();
})();
