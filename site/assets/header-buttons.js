// The theme opens its menu and, on phones, its search with labels, which the Tab key does not reach. These become buttons.
(function () {
  "use strict";
  const names = { __drawer: ".md-nav--primary", __search: "[data-md-component=search-query]" };
  for (const [id, named] of Object.entries(names)) {
    const label = document.querySelector(".md-header__button[for=" + id + "]");
    const toggle = document.getElementById(id);
    if (!label || !toggle) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = label.className;
    button.setAttribute("for", id);  // the theme's styles and scripts know it by this
    button.setAttribute("aria-label", document.querySelector(named).getAttribute("aria-label"));
    button.setAttribute("aria-expanded", "false");
    button.append(...label.childNodes);
    button.addEventListener("click", () => toggle.click());
    toggle.addEventListener("change", () => button.setAttribute("aria-expanded", String(toggle.checked)));
    label.replaceWith(button);
  }
})();

// The theme's script and those that go with it are loaded as soon as somebody does anything; what the first tap is to do
// is done here till then.
(function () {
  "use strict";
  const signs = ["pointerdown", "pointermove", "keydown", "focusin", "wheel", "scroll"];
  const load = () => {
    for (const sign of signs) removeEventListener(sign, load, true);
    for (const { dataset } of document.querySelectorAll("script[data-later]")) document.body.append(Object.assign(document.createElement("script"), { src: dataset.later, async: false }));
  };
  for (const sign of signs) addEventListener(sign, load, { capture: true, passive: true });
  const query = new URLSearchParams(location.search);
  if (query.has("q") || query.has("h")) load();

  // Light or dark, as the theme keeps it.
  const choices = Array.from(document.querySelectorAll("[name=__palette]"));
  const show = (index) => choices.forEach((one, own) => { one.checked = own === index; one.nextElementSibling.hidden = own !== index; });
  const kept = __md_get("__palette");
  show(kept ? kept.index : Math.max(0, choices.findIndex((one) => matchMedia(one.dataset.mdColorMedia).matches)));
  choices.forEach((one, index) => one.addEventListener("change", () => {
    const { mdColorMedia: media, mdColorScheme: scheme, mdColorPrimary: primary, mdColorAccent: accent } = one.dataset;
    Object.assign(document.body.dataset, { mdColorScheme: scheme });
    __md_set("__palette", { index, color: { media, scheme, primary, accent } });
    show(index);
  }));
  const search = document.getElementById("__search");
  search.addEventListener("change", () => search.checked && document.querySelector("[data-md-component=search-query]").focus());
})();
