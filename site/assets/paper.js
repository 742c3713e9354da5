// A sheet of rules on one page of A4: the letter grows until the page is full. If the least letter is still too large,
// the longest sentences are put in fewer words, but never one that is marked.
const PAGE = { width: 190, height: 276 }; // millimetres: print.css leaves 279, and on paper columns break a line otherwise
const LEAST = 8, MOST = 12, STEP = 0.1; // points
const perMillimetre = 96 / 25.4;

export function fit(main) {
  const copy = main.cloneNode(true);
  const trial = document.createElement("div");
  trial.className = "trial";
  trial.setAttribute("aria-hidden", "true");
  trial.style.width = PAGE.width + "mm";
  trial.append(copy);
  document.body.append(trial);
  const fits = (letter) => {
    copy.style.setProperty("--letter", letter + "pt");
    return copy.offsetHeight <= PAGE.height * perMillimetre;
  };
  const lines = Array.from(main.querySelectorAll("[data-short]"));
  const copies = Array.from(copy.querySelectorAll("[data-short]"));
  const saved = (index) => lines[index].textContent.length - lines[index].dataset.short.length;
  const longest = lines.map((_, index) => index).filter((index) => saved(index) > 0).sort((one, other) => saved(other) - saved(one));
  while (!fits(LEAST) && longest.length) {
    const index = longest.shift();
    for (const line of [lines[index], copies[index]]) line.textContent = line.dataset.short;
  }
  let letter = LEAST;
  while (letter < MOST && fits(letter + STEP)) letter += STEP;
  trial.remove();
  main.style.setProperty("--letter", letter.toFixed(1) + "pt");
}

// The other language has the same sheet: what the address says of it is kept.
for (const link of document.querySelectorAll(".bar .other-language")) link.href += location.search;
for (const button of document.querySelectorAll(".bar button")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
