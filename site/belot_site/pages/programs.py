"""Published programs: their mistakes, what each plays beside its nearest game, a table a game, and a page for each."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.published import Measurement, PublishedProgram, load_programs
from belot_site.content.edition import SiteEdition
from belot_site.content.library import grouped
from belot_site.pages.page import SitePage
from belot_spec.spec import Profile

# What a program plays of a rule beside its nearest game, and the sign that says it.
SIGNS: Final = {"alike": "=", "other": "≠", "mistake": "!", "unknown": "?"}


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

    @cached_property
    def otherwise(self) -> dict[str, Any]:
        """Of these values those that its answers tell."""
        return {rule: value for rule, value in self.differing.items() if self.tells(rule)}

    def tells(self, rule: str) -> bool:
        """Say whether its answers tell what it plays of a rule; after a search that was cut short, few do."""
        if rule in self.measured.rules or rule in self.by_option:
            return rule in self.played.settings
        return rule in self.played.settings and not self.measured.is_cut and rule not in self.measured.untold


def program_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the page of all published programs that were measured, and one for each."""
    measured = measured_programs(edition)
    path, lead = "programmers/programs", edition.word("programs-lead-short")
    games = grouped((one.variant, one) for one in measured)
    tables = {variant: (together, _rows(edition, together)) for variant, together in games.items()}
    context: dict[str, Any] = {"measured": measured, "tables": tables, "signs": SIGNS}
    front = {"hide": ["toc"]}
    yield SitePage(path, "programs.md", edition.word("programs"), context, lead, front)
    for one in measured:
        program, groups = one.program, one.measured.unexplained
        context = {
            "one": one,
            "program": program,
            "differences": _differences(edition, one),
            "unexplained": [
                (group, {part: _json(value) for part, value in group.smallest.items()}) for group in groups
            ],
        }
        about = edition.text(program.about)
        yield SitePage(f"{path}/{program.id}", "program.md", program.name, context, about)


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


def _rows(edition: SiteEdition, measured: Sequence[MeasuredProgram]) -> list[dict[str, Any]]:
    """Return the rules that any of these programs plays otherwise than their game, those that most do first."""
    count = Counter(rule for one in measured for rule in one.otherwise)
    order = sorted(count, key=lambda rule: (-count[rule], rule))
    return [{"rule": rule, "cells": [_cell(edition, one, rule) for one in measured]} for rule in order]


def _cell(edition: SiteEdition, one: MeasuredProgram, rule: str) -> dict[str, str]:
    """Return what a program plays in few words; ``mark`` says how that is beside its nearest game, if it is known."""
    if not one.tells(rule):
        return {"program": one.program.id, "short": SIGNS["unknown"], "mark": "unknown"}
    value = one.played.value(rule)
    mark = "alike" if rule not in one.differing else "mistake" if _is_bug(one, rule) else "other"
    return {"program": one.program.id, "short": edition.short(rule, value) or edition.value(rule, value), "mark": mark}


def _is_bug(one: MeasuredProgram, rule: str) -> bool:
    return any(bug.rule == rule for bug in one.program.bugs)


def _differences(edition: SiteEdition, one: MeasuredProgram) -> list[dict[str, Any]]:
    """Return the rules that a program plays otherwise, how its nearest game has them, and which are mistakes."""
    return [
        {
            "rule": rule,
            "played": edition.sentence_with(rule, value, one.played),
            "instead": edition.sentence(rule, one.nearest) if rule in one.nearest.settings else "",
            "is_bug": _is_bug(one, rule),
        }
        for rule, value in one.otherwise.items()
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
