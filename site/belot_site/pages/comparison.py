"""The big comparison: every rule beside every variant, in few words, as one table that can be narrowed down."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from belot_conformance.rules.reading import value_text
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library, grouped
from belot_site.pages.page import SitePage
from belot_site.pages.readings import MARKS
from belot_site.pages.rules import options_about
from belot_site.pages.worth import shares
from belot_spec.catalogue import Rule


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
class RuleRow:
    """A rule in all variants."""

    rule: Rule
    cells: tuple[Cell, ...]
    worth: float

    @property
    def weight(self) -> tuple[float, int, bool]:
        """How much the rule matters: what the variants' values are worth beside each other, then how many there are."""
        numbers = {cell.number for cell in self.cells}
        return self.worth, len(numbers - {0}), 0 in numbers


@dataclass(frozen=True, slots=True)
class Distance:
    """How far two variants are from each other.

    ``otherwise`` is in how many of a hundred deals at least one of the differing rules decides otherwise, reckoned from
    what each is worth by itself; ``None`` where none of them was measured. ``measured`` is of how many that is known.
    """

    rules: int
    measured: int
    otherwise: int | None


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: what some variants play with an option, and the mark of what no source says of them."""

    number: int
    option: str
    title: str
    variants: tuple[str, ...]
    rule: str
    short: str
    mark: str


def comparison_pages(edition: SiteEdition) -> Iterator[SitePage]:
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
    topics = dict(sorted(topics.items(), key=lambda item: max(row.worth for row in item[1]), reverse=True))
    names = _by_family(library)
    distances = {(one, other): _distance(library, one, other) for one in names for other in names if one != other}
    context = {"names": names, "topics": topics, "notes": notes, "starts": starts, "distances": distances}
    front = {"hide": ["navigation", "toc"]}
    yield SitePage("compare", "compare.md", edition.word("compare"), context, edition.word("compare-lead-short"), front)


def _by_family(library: Library) -> list[str]:
    return [name for names in library.families.values() for name in names]


def _notes(edition: SiteEdition) -> Iterator[Note]:
    """Yield what options change, rule by rule; variants that share an option share its note."""
    number = 0
    for rule in edition.library.rules:
        changes = options_about(edition, rule.id)
        titles = {one.option.id: edition.text(one.option.title) for one in changes}
        found = grouped(
            ((one.option.id, edition.short(rule.id, one.setting.value), MARKS[one.setting.status]), one.variant)
            for one in changes
        )
        for (option, short, mark), variants in found.items():
            number += 1
            yield Note(number, option, titles[option], tuple(variants), rule.id, short, mark)


def _row(edition: SiteEdition, rule: Rule, notes: list[Note]) -> RuleRow:
    library = edition.library
    settings = library.settings(rule.id)
    numbers: dict[str, int] = {}
    cells = []
    for variant in _by_family(library):
        own = tuple(note.number for note in notes if note.rule == rule.id and variant in note.variants)
        if variant not in settings:
            cells.append(Cell(variant, 0, "–", "", own, library.decided_by(rule.id, variant)))
            continue
        setting = settings[variant]
        number = numbers.setdefault(value_text(setting.value), len(numbers) + 1)
        cells.append(Cell(variant, number, edition.short(rule.id, setting.value), MARKS[setting.status], own, ""))
    pairs = ((one, other) for one in settings for other in settings if one < other)
    worth = max((_worth_between(library, rule.id, one, other) or 0.0 for one, other in pairs), default=0.0)
    return RuleRow(rule, tuple(cells), worth)


def _worth_between(library: Library, rule: str, one: str, other: str) -> float | None:
    """Return in which share of deals it decides otherwise that two variants play a rule differently, if measured."""
    values = [value_text(library.settings(rule)[name].value) for name in (one, other)]
    if values[0] == values[1]:
        return 0.0
    tried = (shares(library.spec, one).get((rule, values[1])), shares(library.spec, other).get((rule, values[0])))
    found = [share for share in tried if share is not None]
    return sum(found) / len(found) if found else None


def _distance(library: Library, one: str, other: str) -> Distance:
    settings = [library.profile(name).settings for name in (one, other)]
    both = [
        rule
        for rule, setting in settings[0].items()
        if rule in settings[1] and setting.value != settings[1][rule].value
    ]
    # The figures of one game alone say too little of the rules in which the other differs.
    if not (shares(library.spec, one) and shares(library.spec, other)):
        both = []
    found = [share for rule in both if (share := _worth_between(library, rule, one, other)) is not None]
    alike = prod(1 - share for share in found)
    return Distance(library.distances[one, other], len(found), round(100 * (1 - alike)) if found else None)
