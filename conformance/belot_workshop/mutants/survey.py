"""A survey of mutants: chosen, put to the cases and judged; in figures, for people, and where the suite is thin."""

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Final

import click

from belot_conformance.changes.editions import EditionError, open_edition
from belot_conformance.cli.common import EXIT_FAILED, FORMAT, PROCESSES, SAMPLE_NOW, RenamingCommand, tell_page
from belot_conformance.mistakes.killing import (
    KeptAnswers,
    Row,
    Thin,
    changed_rows,
    hand_written,
    load_matrix,
    run_mutant,
    run_mutants,
    suite_for,
    the_reference,
    thin_places,
    write_matrix,
)
from belot_conformance.mistakes.mutations import Mutant, mutants_of, profiles_to_mutate
from belot_conformance.programs.progress import counting_bar
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.selection import differing_rules
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.data import refuse_installed
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_workshop.mutants.judging import Fate, Judged, idle_entries, judge_rows, load_equivalents

SURVEY_VERSION: Final = 1
FATES: Final[tuple[Fate, ...]] = ("killed", "survived", "equivalent")


@dataclass(frozen=True, slots=True)
class Survey:
    """The judged mutants, the thin places of the suite, what is wrong with the list of equivalents, and the time.

    ``stale`` counts the rows in which the kept kill matrix differs, ``None`` where it was not compared. ``unreviewed``
    are, by the ids of survivors, the cases that would notice them if they did not wait for review.
    """

    judged: Sequence[Judged]
    thin: Thin
    problems: Sequence[str]
    stale: int | None
    seconds: float
    unreviewed: Mapping[str, Sequence[str]]

    @property
    def passed(self) -> bool:
        """Whether every mutant is killed or proved equivalent, and all that is kept about them is up to date."""
        return not self.survivors and not self.problems and not self.stale

    @property
    def survivors(self) -> list[Judged]:
        """The mutants that no case kills and no check proves equivalent."""
        return [judged for judged in self.judged if judged.fate == "survived"]


def totals(judged: Sequence[Judged]) -> dict[str, int]:
    """Return how many mutants there are, and how many of each fate."""
    found = Counter(one.fate for one in judged)
    return {"total": len(judged), **{fate: found[fate] for fate in FATES}}


def grouped(judged: Sequence[Judged], part: str) -> dict[str, dict[str, int]]:
    """Return the totals by profile or by rule, in the order in which they first occur."""
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(getattr(one.row.mutant, part), []).append(one)
    return {name: totals(group) for name, group in groups.items()}


def as_json(survey: Survey) -> dict[str, Any]:
    """Return a survey as JSON values."""
    return {
        "mutants": SURVEY_VERSION,
        "passed": survey.passed,
        "seconds": round(survey.seconds, 1),
        "totals": totals(survey.judged),
        "profiles": grouped(survey.judged, "profile"),
        "rules": grouped(survey.judged, "rule"),
        "survivors": [
            {**_survivor(one), "unreviewed": list(survey.unreviewed.get(one.row.mutant.id, ()))}
            for one in survey.survivors
        ],
        "equivalents": [_equivalent(one) for one in survey.judged if one.fate == "equivalent"],
        "rules_of_one_case": [
            {"profile": profile, "rule": rule, "case": case} for profile, rule, case in survey.thin.single
        ],
        "cases_that_kill_nothing": list(survey.thin.idle),
        "cases_never_alone": list(survey.thin.never_alone),
        "problems": list(survey.problems),
        "stale_rows": survey.stale,
    }


def _survivor(one: Judged) -> dict[str, Any]:
    contrast = None if one.proof is None else one.proof.contrast
    found = {
        "operation": contrast.operation,
        "input": dict(contrast.input),
        "expected": dict(contrast.before),
        "came": dict(contrast.after),
    } if contrast else None  # fmt: skip
    mutant = one.row.mutant
    return {"id": mutant.id, **mutant.as_json(), "cases_asked": one.row.asked, "difference": found}


def _equivalent(one: Judged) -> dict[str, Any]:
    assert one.entry is not None
    assert one.proof is not None
    proved = {"reason": one.entry.reason.as_json(), "check": one.entry.check, "trials": one.proof.trials}
    return {"id": one.row.mutant.id, **one.row.mutant.as_json(), **proved}


def print_survey(page: Page, survey: Survey, show: int) -> None:
    """Print the survivors, the figures by profile, where the suite is thin, and the verdict."""
    facts = {name: getattr(survey, name) for name in ("survivors", "thin", "problems", "stale", "seconds", "passed")}
    unreviewed = {one.row.mutant.id: survey.unreviewed.get(one.row.mutant.id, ()) for one in survey.survivors}
    tell(
        page, "survey.j2", 9, "belot_workshop", show=show, fates=FATES, numbers=_numbers, unreviewed=unreviewed,
        as_json=partial(json.dumps, ensure_ascii=False), counts_of_all=totals(survey.judged),
        profiles=grouped(survey.judged, "profile"), **facts,
    )  # fmt: skip


def _numbers(counts: Mapping[str, int]) -> list[str]:
    return [str(counts[key]) if counts[key] else "·" for key in ("total", *FATES)]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The mutants of a survey, and whether they are all there are."""

    mutants: Sequence[Mutant]
    whole: bool


def chosen_mutants(
    profiles: Sequence[str], rules: Sequence[str], sample: int | None, seed: int, since: str | None = None
) -> Chosen:
    """Return the mutants of some profiles and rules (of all, if none is named), or a sample of them.

    With a git revision or a folder ``since`` which, only those of values that were not played so then. Raises
    ``UnknownNameError`` for a name that does not exist, and if nothing is left.
    """
    spec = default_spec()
    known = profiles_to_mutate(spec)
    for profile in profiles:
        if profile not in known:
            if (variant := spec.variants.get(ProfileName(profile).variant)) and variant.draft:
                raise UnknownNameError(f"there are no mutants of {profile} while it is a draft; take out draft: true")
            raise UnknownNameError(f"there are no mutants of {profile}{nearest(profile, known)}")
    for name in rules:
        if not any(f"{rule}.".startswith(f"{name}.") for rule in spec.rules):
            raise UnknownNameError(f"there is no rule or topic {name}{nearest(name, spec.rules)}")
    found = [
        mutant
        for profile in profiles or known
        for mutant in mutants_of(profile, spec)
        if not rules or any(f"{mutant.rule}.".startswith(f"{rule}.") for rule in rules)
    ]
    if since is not None:
        changed = _changed_since(since, spec)
        found = [mutant for mutant in found if changed.get(mutant.profile, spec.rules.keys()) & {mutant.rule}]
    if not found:
        why = (
            f"none of them changed since {since}"
            if since
            else "these rules have no other value that can be played there"
        )
        raise UnknownNameError(f"no mutant fits: {why}")
    if sample is not None and sample < len(found):
        kept = sorted(found, key=lambda mutant: sha256(f"{seed} {mutant.id}".encode()).digest())[:sample]
        ids = {mutant.id for mutant in kept}
        found = [mutant for mutant in found if mutant.id in ids]
    return Chosen(found, not (profiles or rules or sample or since))


def _changed_since(revision: str, spec: Spec) -> dict[str, frozenset[str]]:
    """Return the rules that a revision has not, or has with another value, by the profiles that it has as well."""
    with open_edition(revision, spec.folder) as before:
        if before.profile is not None:
            raise EditionError(f"{revision} is a profile; name a git revision or a folder with the old rules")
        known = set(profiles_to_mutate(before.spec))
        return {
            name: differing_rules(spec.profile(name), before.spec.profile(name))
            for name in profiles_to_mutate(spec)
            if name in known
        }


def survey_mutants(chosen: Chosen, *, jobs: int = 1, fresh: bool = False, write: bool = False) -> Survey:
    """Run the hand-written cases against mutants, judge them, and compare with the kept matrix or write it anew."""
    began = time.monotonic()
    with counting_bar("mutants", len(chosen.mutants)) as advance:
        rows = list(run_mutants(chosen.mutants, jobs=jobs, fresh=fresh, advance=advance))
    waiting = [row.mutant for row in rows if not row.killed_by]
    with counting_bar("equivalents", len(waiting)) as advance:
        judged = judge_rows(rows, jobs=jobs, advance=advance)
    problems = idle_entries(load_equivalents(), waiting, default_spec()) if chosen.whole else []
    if write:
        write_matrix(rows if chosen.whole else _with_the_others(rows))
        load_matrix.cache_clear()
    cases = [case.id for case in hand_written(load_cases())]
    return Survey(
        judged=judged,
        thin=thin_places(rows, cases if chosen.whole else ()),
        problems=[str(problem) for problem in problems],
        stale=_stale(rows, chosen.whole),
        seconds=time.monotonic() - began,
        unreviewed=_noticed_by_unreviewed([one.row.mutant for one in judged if one.fate == "survived"]),
    )


def _with_the_others(rows: Sequence[Row]) -> list[Row]:
    """Return rows among those that are kept of all other mutants there are, in their order."""
    known = {**load_matrix().rows, **{row.mutant.id: row for row in rows}}
    return [known[mutant.id] for mutant in chosen_mutants((), (), None, 0).mutants if mutant.id in known]


def _noticed_by_unreviewed(survivors: Sequence[Mutant]) -> dict[str, list[str]]:
    """Return by survivor the cases that would notice it, and do not count as long as they wait for review."""
    waiting = [case for case in load_cases() if case.review is not None]
    found: dict[str, list[str]] = {}
    for mutant in survivors if waiting else ():
        row = run_mutant(
            mutant, suite_for(mutant.profile, waiting, the_reference()), default_spec(), KeptAnswers.none()
        )
        if row.killed_by:
            found[mutant.id] = sorted(row.killed_by)
    return found


def _stale(rows: Sequence[Row], whole: bool) -> int:
    """Return how many rows the kept matrix lacks or has otherwise, and for a whole survey those it has too many."""
    kept = load_matrix()
    return len(changed_rows(rows, kept)) + (len(kept.rows.keys() - {row.mutant.id for row in rows}) if whole else 0)


@click.command(cls=RenamingCommand, renamed={**SAMPLE_NOW, "--write": "--in-place"})
@click.option("--profile", "profiles", multiple=True, help="Only mutants of this variant or option; may be repeated.")
@click.option("--rule", "rules", multiple=True, help="Only mutants of this rule or topic; may be repeated.")
@click.option("--since", metavar="REVISION", help="Only of rules that changed since this git revision or folder.")
@click.option("--sample", type=click.IntRange(min=1), help="Only so many of them, the same for the same seed.")
@click.option("--sample-seed", "seed", type=int, default=1, show_default=True, help="The same seed, the same sample.")
@PROCESSES
@click.option("--fresh", is_flag=True, help="Ask everything again, also what no change can have touched.")
@click.option("--in-place", is_flag=True, help="Bring the kept kill matrix up to date for them.")
@click.option("--show", type=click.IntRange(min=0), default=10, show_default=True, help="Survivors to print in full.")
@FORMAT
def mutants(show: int, form: str, *, seed: int, in_place: bool, **given: Any) -> None:
    """Change every rule value, and see which cases notice.

    In every way that its schema suggests. A mutant is a variant, or a variant with an option, in which one value is
    another. It has to be killed by a case whose expectation was worked out by hand or stands in a source, or be listed
    as equivalent with a reason that a check proves. Exit code: 0 if all are, 1 if any survived or what is kept about
    them is out of date, 2 wrong usage.
    """
    chosen = chosen_mutants(given["profiles"], given["rules"], given["sample"], seed, given["since"])
    if in_place:
        refuse_installed("the kill matrix")
    survey = survey_mutants(chosen, jobs=given["jobs"], fresh=given["fresh"], write=in_place)
    tell_page(form, lambda page: print_survey(page, survey, show), lambda: as_json(survey))
    sys.exit(0 if survey.passed else EXIT_FAILED)
