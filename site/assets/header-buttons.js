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
