// The switch to another language keeps the place on the page and the choices in the address.
for (const link of document.querySelectorAll(".other-language")) {
  const plain = link.getAttribute("href");
  const keepPlace = () => link.setAttribute("href", plain + location.search + location.hash);
  // The theme and the comparison rewrite the address without an event, so it is read when the link is about to be used.
  for (const event of ["pointerdown", "focus", "click", "mouseenter"]) link.addEventListener(event, keepPlace);
  window.addEventListener("hashchange", keepPlace);
  keepPlace();
}

// What is scrolled and has no link to be seen is reached by the keyboard, too.
for (const one of document.querySelectorAll(".md-typeset__scrollwrap, .md-sidebar__scrollwrap")) {
  const isLarger = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
  if (isLarger && ![...one.querySelectorAll("a[href]")].some((link) => link.checkVisibility({ visibilityProperty: true }))) one.tabIndex = 0;
}

// The contents of a long page, which stand at its top on a phone, fold when they have led somewhere.
for (const jump of document.querySelectorAll("details.jump")) {
  jump.addEventListener("click", (event) => { if (event.target.closest("a")) jump.open = false; });
}

// Commands and messages can be copied, without the sign before a command.
(function () {
  "use strict";
  const words = document.getElementById("my-variant")?.dataset;
  if (!words || !navigator.clipboard) return;
  for (const code of document.querySelectorAll(".md-content pre > code:not([id])")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = words.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent.replace(/^\$ /gm, "").trimEnd());
      button.textContent = words.copied;
    });
    code.parentElement.after(button);
  }
})();

// Pages that may be needed where there is no network are kept, once nothing else is loading; not for who saves data. The
// engine, which is much larger, is kept when somebody has used it.
(function () {
  "use strict";
  const service = navigator.serviceWorker;
  const told = document.getElementById("__config");
  if (!service || !told) return;
  const PAUSE = 3000; // milliseconds after the page
  const root = new URL(JSON.parse(told.textContent).base + "/../", location.href);
  const language = document.documentElement.lang;
  service.register(new URL("service-worker.js", root), { scope: root.pathname }).catch(() => { /* it works without, as long as there is a network */ });
  if (navigator.connection?.saveData) return;
  addEventListener("load", () => setTimeout(async () => (await service.ready).active.postMessage({ keep: language, mine: window.belotVariant.get() }), PAUSE));
})();
