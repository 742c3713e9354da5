// The theme asks for the whole search index with every page. This lets it wait until somebody is about to search.
(function () {
  "use strict";
  const open = XMLHttpRequest.prototype.open;
  const send = XMLHttpRequest.prototype.send;
  const waiting = [];
  const query = new URLSearchParams(location.search);
  const field = "[data-md-component=search-query]";
  // Somebody may have begun before this came.
  let wanted = query.has("h") || query.has("q")
    || document.getElementById("__search")?.checked || document.activeElement.matches(field);

  function go() {
    wanted = true;
    while (waiting.length) waiting.shift()();
  }
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    this.isSearchIndex = String(url).endsWith("search/search_index.json");
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (!this.isSearchIndex || wanted) return send.call(this, body);
    waiting.push(() => send.call(this, body));
  };
  // The theme reads the field when a key comes up; what is dictated or pasted comes without one.
  document.addEventListener("input", (event) => {
    if (event.target.matches(field)) event.target.dispatchEvent(new KeyboardEvent("keyup"));
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches(field)) go(); });
  document.addEventListener("change", (event) => { if (event.target.id === "__search") go(); });
  document.addEventListener("pointerover", (event) => { if (event.target.closest(".md-search, [for=__search]")) go(); });
})();
