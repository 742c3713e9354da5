"""The big comparison: every rule beside every variant, in few words, as one table that can be narrowed down."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from belot_conformance.rules.reading import value_text
from belot_site.edition import Edition
from belot_site.pages import Page
from belot_site.rules import options_about
from belot_spec.catalogue import Rule

MARKS: Final[Mapping[str, str]] = {"stated": "", "ruled": "°", "filled": "*"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one variant plays in few words; cells of a row with the same number play the same.

    Where the rule does not come up the number is 0, and ``instead`` is the rule that decides there.
    """

    variant: str
    number: int
    short: str
    mark: str
    notes: tuple[int, ...]
    instead: str


@dataclass(frozen=True, slots=True)
class Row:
    """A rule in all variants."""

    rule: Rule
    cells: tuple[Cell, ...]

    @property
    def weight(self) -> tuple[int, bool]:
        """How much the variants differ: the number of answers, then whether some do without the rule."""
        numbers = {cell.number for cell in self.cells}
        return len(numbers - {0}), 0 in numbers


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: what some variants play with an option."""

    number: int
    option: str
    title: str
    variants: tuple[str, ...]
    rule: str
    short: str


def comparison_pages(edition: Edition) -> Iterator[Page]:
    """Yield the page that compares all variants."""
    library = edition.library
    notes = list(_notes(edition))
    topics = {
        topic: sorted(
            (_row(edition, rule, notes) for rule in library.rules_of(topic)), key=lambda row: row.weight, reverse=True
        )
        for topic in library.topics
    }
    starts = {variant: library.neighbours(variant) for variant in library.variants}
    context = {"topics": topics, "notes": notes, "starts": starts}
    front = {"hide": ["navigation", "toc"]}
    yield Page("compare", "compare.md", edition.word("compare"), context, edition.word("compare-lead-short"), front)


def _notes(edition: Edition) -> Iterator[Note]:
    """Yield what options change, rule by rule; variants that share an option share its note."""
    number = 0
    for rule in edition.library.rules:
        found: dict[tuple[str, str], list[str]] = {}
        titles: dict[str, str] = {}
        for changed in options_about(edition, rule.id):
            key = changed.option.id, edition.short(rule.id, changed.setting.value)
            found.setdefault(key, []).append(changed.variant)
            titles[changed.option.id] = edition.text(changed.option.title)
        for (option, short), variants in found.items():
            number += 1
            yield Note(number, option, titles[option], tuple(variants), rule.id, short)


def _row(edition: Edition, rule: Rule, notes: list[Note]) -> Row:
    library = edition.library
    settings = library.settings(rule.id)
    numbers: dict[str, int] = {}
    cells = []
    for variant in library.variants:
        own = tuple(note.number for note in notes if note.rule == rule.id and variant in note.variants)
        if variant not in settings:
            cells.append(Cell(variant, 0, "–", "", own, library.decided_by(rule.id, variant)))
            continue
        setting = settings[variant]
        number = numbers.setdefault(value_text(setting.value), len(numbers) + 1)
        cells.append(Cell(variant, number, edition.short(rule.id, setting.value), MARKS[setting.status], own, ""))
    return Row(rule, tuple(cells))
