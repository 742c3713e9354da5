// The switch to the other language keeps the place on the page and the choices in the address.
(function () {
  "use strict";
  const link = document.querySelector(".other-language");
  if (!link) return;
  const plain = link.getAttribute("href");
  function keepPlace() {
    link.setAttribute("href", plain + location.search + location.hash);
  }
  // The theme and the comparison rewrite the address without an event, so it is read when the link is about to be used.
  for (const event of ["pointerdown", "focus", "click", "mouseenter"]) link.addEventListener(event, keepPlace);
  window.addEventListener("hashchange", keepPlace);
  keepPlace();
})();
