"""Published programs: what each plays beside its nearest game, as one table, and a page for each of them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.published import Measurement, PublishedProgram, load_programs
from belot_site.content.edition import SiteEdition
from belot_site.pages.page import SitePage
from belot_spec.spec import Profile


@dataclass(frozen=True, slots=True)
class ProgramCell:
    """What a program plays in few words; ``mark`` says how that is beside its nearest game, as a word of the legend.

    Nothing is shown of a rule that its answers do not tell.
    """

    program: str
    short: str
    mark: str


@dataclass(frozen=True, slots=True)
class ProgramRow:
    """A rule that some program plays otherwise than its nearest game."""

    rule: str
    cells: Sequence[ProgramCell]


@dataclass(frozen=True, slots=True)
class ProgramDifference:
    """A rule as a program plays it, as its nearest game has it, and whether that is a mistake of the program."""

    rule: str
    played: str
    instead: str
    is_bug: bool


@dataclass(frozen=True)
class MeasuredProgram:
    """A program with its rules as profiles: the nearest variant's, those with the options chosen, and its own."""

    program: PublishedProgram
    measured: Measurement
    nearest: Profile
    chosen: Profile
    played: Profile

    @property
    def variant(self) -> str:
        """The variant that is nearest."""
        return self.measured.base.variant

    @cached_property
    def differing(self) -> dict[str, Any]:
        """The values of rules that the nearest variant has otherwise, or not at all."""
        return {
            rule: setting.value
            for rule, setting in self.played.settings.items()
            if not self.nearest.plays(rule, setting.value)
        }

    @cached_property
    def by_option(self) -> set[str]:
        """The rules that the options of the nearest game change."""
        return {rule for rule, one in self.chosen.settings.items() if not self.nearest.plays(rule, one.value)}

    def tells(self, rule: str) -> bool:
        """Say whether its answers tell what it plays of a rule; after a search that was cut short, few do."""
        if rule in self.measured.rules or rule in self.by_option:
            return rule in self.played.settings
        return rule in self.played.settings and not self.measured.is_cut and rule not in self.measured.untold


def program_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the page of all published programs that were measured, and one for each."""
    measured = measured_programs(edition)
    title = edition.word("programs")
    context = {"measured": measured, "rows": _rows(edition, measured)}
    lead = edition.word("programs-lead-short")
    yield SitePage("programmers/programs", f"{edition.language}/programs.md", title, context, lead)
    for one in measured:
        context = {
            "one": one,
            "program": one.program,
            "differences": _differences(edition, one),
            "unexplained": [(group, _exchange(group.smallest)) for group in one.measured.unexplained],
        }
        lead = edition.text(one.program.about)
        yield SitePage(f"programmers/programs/{one.program.id}", "program.md", one.program.name, context, lead)


def measured_programs(edition: SiteEdition) -> list[MeasuredProgram]:
    """Return the programs that were measured, by their nearest game, with the rules that they play."""
    found = []
    for program in load_programs().values():
        if (measured := program.measured) is not None:
            nearest = edition.library.profile(measured.base.variant)
            chosen = edition.library.profile(measured.base)
            played = changed_profile(chosen, measured.rules, edition.library.spec)
            found.append(MeasuredProgram(program, measured, nearest, chosen, played))
    return sorted(found, key=lambda one: (one.variant, one.program.family.en, one.program.name.lower()))


def _rows(edition: SiteEdition, measured: Sequence[MeasuredProgram]) -> list[ProgramRow]:
    """Return the rules that any program plays otherwise, those that most do first."""
    count = {rule: sum(rule in one.differing for one in measured) for one in measured for rule in one.differing}
    order = sorted(count, key=lambda rule: (-count[rule], rule))
    return [ProgramRow(rule, [_cell(edition, one, rule) for one in measured]) for rule in order]


def _cell(edition: SiteEdition, one: MeasuredProgram, rule: str) -> ProgramCell:
    if not one.tells(rule):
        return ProgramCell(one.program.id, "–", "unknown")
    value = one.played.value(rule)
    mark = "alike" if rule not in one.differing else "mistake" if _is_bug(one, rule) else "other"
    return ProgramCell(one.program.id, edition.short(rule, value) or edition.value(rule, value), mark)


def _is_bug(one: MeasuredProgram, rule: str) -> bool:
    return any(bug.rule == rule for bug in one.program.bugs)


def _differences(edition: SiteEdition, one: MeasuredProgram) -> list[ProgramDifference]:
    return [
        ProgramDifference(
            rule,
            edition.sentence_with(rule, value, one.played),
            edition.sentence(rule, one.nearest) if rule in one.nearest.settings else "",
            _is_bug(one, rule),
        )
        for rule, value in one.differing.items()
        if one.tells(rule)
    ]


def _exchange(smallest: Mapping[str, Any]) -> dict[str, str]:
    return {part: json.dumps(value, ensure_ascii=False) for part, value in smallest.items()}
