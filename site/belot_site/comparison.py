"""The big comparison: every rule beside every variant, as one table that can be narrowed down."""

from collections.abc import Iterator
from dataclasses import dataclass

from belot_conformance.rules.reading import value_text
from belot_site.edition import Edition
from belot_site.pages import Page
from belot_spec.catalogue import Rule


@dataclass(frozen=True, slots=True)
class Cell:
    """What one variant plays; cells of a row with the same number play the same, 0 where the rule does not matter."""

    variant: str
    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Row:
    """A rule in all variants."""

    rule: Rule
    cells: tuple[Cell, ...]


def comparison_pages(edition: Edition) -> Iterator[Page]:
    """Yield the page that compares all variants."""
    topics = {
        topic: [_row(edition, rule) for rule in edition.library.rules_of(topic)] for topic in edition.library.topics
    }
    front = {"hide": ["navigation", "toc"]}
    description = edition.word("compare-lead-short")
    yield Page("compare", "compare.md", edition.word("compare"), {"topics": topics}, description, front)


def _row(edition: Edition, rule: Rule) -> Row:
    settings = edition.library.settings(rule.id)
    numbers: dict[str, int] = {}
    cells = []
    for variant in edition.library.variants:
        if variant not in settings:
            cells.append(Cell(variant, 0, edition.word("does-not-matter")))
            continue
        key = value_text(settings[variant].value)
        number = numbers.setdefault(key, len(numbers) + 1)
        cells.append(Cell(variant, number, edition.stated(rule.id, variant)))
    return Row(rule, tuple(cells))
