// A lesson: what is tapped gets the verdict that came with the page, and the way on to the next step.
const steps = [...document.querySelectorAll(".lesson .step")];
for (const [place, step] of steps.entries()) {
  const taps = [...step.querySelectorAll(".taps button")];
  if (!taps.length) continue;
  const on = step.querySelector(".on");
  step.querySelector(".answer").remove();
  for (const tap of taps) {
    tap.disabled = false;
    tap.addEventListener("click", () => {
      step.classList.add("done");
      for (const one of taps) one.setAttribute("aria-pressed", String(one === tap));
      const verdict = Object.assign(document.createElement("div"), { className: "right" in tap.dataset ? "verdict" : "verdict wrong" });
      verdict.append(step.querySelector(`template[data-verdict="${tap.dataset.verdict}"]`).content.cloneNode(true));
      step.querySelector(".said").replaceChildren(verdict);
      on.hidden = false;
    });
  }
  on.addEventListener("click", () => {
    const next = steps[place + 1];
    step.open = false;
    next.open = true;
    next.querySelector("summary").focus({ preventScroll: true });
    next.scrollIntoView();
  });
}
