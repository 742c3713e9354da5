// A sheet of rules on one page of A4: the letter grows until the page is full. What the least letter leaves no room for
// stands on a second page with a head of its own; no rule loses a word.
const PAGE = { width: 194, height: 279 }; // millimetres: print.css leaves 283, and on paper columns break a line otherwise
const LEAST = 8, MOST = 12, STEP = 0.1; // points
const perMillimetre = 96 / 25.4;

export function fit(main) {
  const trial = document.createElement("div");
  trial.className = "trial";
  trial.setAttribute("aria-hidden", "true");
  trial.style.width = PAGE.width + "mm";
  document.body.append(trial);
  const fits = (pages, letter) => pages.every((page) => {
    const copy = document.createElement("main");
    copy.style.setProperty("--letter", letter + "pt");
    copy.append(...page.map((part) => part.cloneNode(true)));
    trial.replaceChildren(copy);
    return copy.offsetHeight <= PAGE.height * perMillimetre;
  });
  const pages = [Array.from(main.children)];
  const columns = main.querySelector(".columns");
  let rest = null;
  if (!fits(pages, LEAST)) {
    const head = main.querySelector("header").cloneNode(true);
    head.querySelector("h1").append(" (2)");
    rest = columns.cloneNode();
    const foot = main.querySelector("footer");
    pages.splice(0, 1, pages[0].filter((part) => part !== foot), [head, rest, foot]);
    do rest.prepend(columns.lastElementChild); while (columns.childElementCount > 1 && !fits(pages.slice(0, 1), LEAST));
    const second = document.createElement("div");
    second.className = "second";
    second.append(head, rest, foot);
    main.append(second);
  }
  let letter = LEAST;
  // Of two pages the second takes more, as long as that lets the letter grow.
  const grows = () => {
    let moved = 0;
    for (; rest && columns.childElementCount > 1 && !fits(pages.slice(0, 1), letter + STEP); moved += 1) rest.prepend(columns.lastElementChild);
    if (fits(pages, letter + STEP)) return true;
    for (; moved; moved -= 1) columns.append(rest.firstElementChild);
    return false;
  };
  while (letter < MOST && grows()) letter += STEP;
  trial.remove();
  main.style.setProperty("--letter", letter.toFixed(1) + "pt");
}

// The other language has the same sheet: what the address says of it is kept.
for (const link of document.querySelectorAll(".bar .other-language")) link.href += location.search;
for (const button of document.querySelectorAll(".bar button")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
