// A rule, a case or a ruling as Markdown for an issue or a message: its words, its cards by name, and its address.
(function () {
  "use strict";
  const words = document.getElementById("my-variant")?.dataset;
  if (!navigator.clipboard) return;
  const LEFT_OUT = "script, button, .headerlink, .card-symbols, details.again, [data-mine]";
  const HEADING = /^H[1-6]$/;

  const tidy = (text) => text.replace(/\s+/g, " ").replace(/ (?=,)/g, "").trim();

  // A card whose picture has words below it that say what its mark does needs its name alone.
  function picture(node) {
    const said = node.getAttribute("aria-label");
    return said ? " " + (node.matches("[data-mark]:has(+ .below)") ? said.split(", ")[0] : said) + " " : "";
  }

  // Text in a line: links as such, code as such, and a card by the name that a screen reader says.
  function inline(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT) || node.hidden) return "";
    if (node.matches("svg")) return picture(node);
    const inside = Array.from(node.childNodes, inline).join("");
    if (!tidy(inside)) return "";
    if (node.matches("a[href]")) return "[" + tidy(inside) + "](" + node.href + ")";
    if (node.matches("strong")) return "**" + tidy(inside) + "**";
    if (node.matches("code")) return "`" + tidy(inside) + "`";
    if (node.matches(".placed")) return inside + ", ";
    if (node.matches(".below")) return "(" + tidy(inside) + ")";
    if (node.matches(".row > .label, dt, summary")) return tidy(inside) + ": ";
    if (node.matches("li + li")) return "; " + tidy(inside);
    return node.matches("br, .label") ? inside + " " : inside;
  }

  const cells = (row) => Array.from(row.cells, (cell) => tidy(inline(cell)).replaceAll("|", "\\|") || " ");

  function table(node) {
    const rows = Array.from(node.rows, cells);
    if (!rows.length) return [];
    const line = (row) => "| " + row.join(" | ") + " |";
    return [[line(rows[0]), line(rows[0].map(() => "---")), ...rows.slice(1).map(line)].join("\n")];
  }

  function blocks(node) {
    if (node.nodeType === Node.TEXT_NODE) return tidy(node.textContent) ? [tidy(node.textContent)] : [];
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT) || node.hidden) return [];
    if (HEADING.test(node.tagName)) return ["#".repeat(Number(node.tagName[1]) + 1) + " " + tidy(inline(node))];
    if (node.matches("pre")) return ["```\n" + node.textContent.trim() + "\n```"];
    if (node.matches("table")) return table(node);
    if (node.matches("ul, ol")) return [Array.from(node.children, (item) => "- " + tidy(inline(item)).replace(/^; /, "")).join("\n")];
    if (node.matches("p, li, summary, .row, dl > div, svg")) {
      const text = tidy(inline(node)).replace(/[,:;](?= *$)|^; /g, "");
      return text ? [node.matches(".row, dl > div") ? "- " + text : text] : [];
    }
    return Array.from(node.childNodes).flatMap(blocks);
  }

  // A heading with all that follows it up to the next of its rank; without one, the whole page.
  function section(button) {
    const page = document.querySelector(".md-content__inner");
    const heading = button.dataset.markdown && document.getElementById(button.dataset.markdown);
    if (!heading) return Array.from(page.children);
    const found = [heading];
    for (let next = heading.nextElementSibling; next && !(HEADING.test(next.tagName) && next.tagName <= heading.tagName); next = next.nextElementSibling) found.push(next);
    return found;
  }

  function markdown(button) {
    const here = location.origin + location.pathname + (button.dataset.markdown ? "#" + button.dataset.markdown : "");
    return [...section(button).flatMap(blocks), here].join("\n\n").replace(/\n\n(- [^\n]+)(?=\n\n- )/g, "\n\n$1").replace(/^(- .*)\n\n(?=- )/gm, "$1\n") + "\n";
  }

  for (const button of document.querySelectorAll("button[data-markdown]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const said = button.textContent;
      await navigator.clipboard.writeText(markdown(button));
      button.textContent = words?.copied || "✓";
      setTimeout(() => { button.textContent = said; }, 2000);
    });
  }
})();
