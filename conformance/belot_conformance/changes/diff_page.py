"""The differences between two editions of the rules for people, at a terminal or as Markdown."""

from collections.abc import Iterator
from typing import Final

from belot_conformance.changes.diff import SpecDiff, Stand
from belot_conformance.changes.version import NATURES, Step
from belot_conformance.rules.show import legend, marked
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.languages import FALLBACK, LANGUAGES, Language
from belot_spec.load.worth import PLAYERS, Worth
from belot_spec.words import English

KIND_WORDS: Final = English(__name__, "change-kinds")
STEP_WORDS: Final = English(__name__, "steps")
_WORDS: Final = English(__name__, "diff")
_WORTH: Final = English(__name__, "worth")


def print_diff(page: Page, diff: SpecDiff) -> None:
    """Tell what was removed first, then what changed, what was added, and what it rests on."""
    page.title(f"{diff.old} → {diff.new}")
    page.line(summary(diff))
    print_changes(page, diff)
    page.verdict(step_sentence(diff.step))


def print_changes(page: Page, diff: SpecDiff) -> None:
    """Tell the changes by their nature, what they rest on folded away."""
    sides = (side for change in diff.changes for stand in change.stands for side in (stand.before, stand.after))
    tell(
        page, "diff.j2", 7, "belot_conformance.changes",
        natures={nature: diff.of(nature) for nature in NATURES},
        legend=legend(any(side is not None and side.unsourced for side in sides), FALLBACK),
        lines=lambda change: [line for stand in change.stands for line in _lines(stand)],
        worths=lambda one: map(worth_sentence, diff.worth.get(one.id, ()) if one.kind == "value-changed" else ()),
    )  # fmt: skip


def summary(diff: SpecDiff) -> str:
    """Return how many changes there are of each nature, in a sentence."""
    if not diff.changes:
        return _WORDS["silent" if diff.silent else "same"]
    counts = {nature: len(diff.of(nature)) for nature in NATURES}
    return f"{_WORDS.say('sum', **counts)}."


def step_sentence(step: Step) -> str:
    """Say which step of the version is asked for."""
    return _WORDS.say("step", step=STEP_WORDS[step])


def _lines(stand: Stand) -> Iterator[tuple[str, str]]:
    """Yield the lines of a stand with their labels: where, before, now."""
    if stand.places:
        yield "in", ", ".join(stand.places)
    for name, side in (("before", stand.before), ("after", stand.after)):
        if side is not None:
            yield name, marked(side.text.in_language(_differing(stand)), side.unsourced)


def _differing(stand: Stand) -> Language:
    """Return English, or another language if only there the words differ."""
    if stand.before is None or stand.after is None:
        return FALLBACK
    before, after = stand.before.text, stand.after.text
    differing = (one for one in LANGUAGES if before.in_language(one) != after.in_language(one))
    return next(differing, FALLBACK)


def worth_sentence(worth: Worth) -> str:
    """Say how many of a hundred deals end otherwise by a change, with both kinds of players.

    Of what only decides when a match ends, how many of a hundred matches another side wins.
    """
    figures = [worth.players[player] for player in PLAYERS if player in worth.players]
    shares = [one.matches if worth.of_match else one.deals for one in figures]
    told = [share.in_percent() if share else "–" for share in shares]
    deals = next(iter(worth.players.values())).simulated
    said = dict(zip(PLAYERS, told, strict=False))
    line = "match-line" if worth.of_match else "line"
    return _WORTH.say(line, variant=worth.variant, deals=deals, **{"random": "–", "sensible": "–", **said})
