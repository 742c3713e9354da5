"""Bars for `belot identify`: single values, house rules, settlements, faults, and programs with nothing wrong."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from belot_conformance.contrast.probe import Budget, Probe, Rival, answered
from belot_conformance.contrast.proofs import is_duty, tricks_played_alike
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.identify.asking import Inquiry, explain, identify_program
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.hypothesis import KnownAnswer
from belot_conformance.identify.identification import Identification, Identified, RuleFinding
from belot_conformance.mistakes.killing import the_reference
from belot_conformance.mistakes.mutations import Mutant, compile_mutant, mutants_of, profiles_to_mutate
from belot_conformance.programs.answer_book import AnswerBook, BookTarget
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.reference import Reference, put, reply_of
from belot_conformance.programs.target import Answer
from belot_conformance.questions.stream import EVERY_OPERATION, contrived_questions
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import without_reasons
from belot_conformance.suite.verdicts import Planned, judge, with_reasons
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile
from belot_workshop.identifying.programs import TrialProgram, draw_fault, now_and_then
from belot_workshop.tables.random_tables import random_table

Bar = Literal["mutants", "overlays", "settling", "mistaken", "faulty", "right"]
FEWEST: Final = 1
MOST: Final = 12
# Deals that nothing else draws, by either rules: those by which a program was found to play are no others.
_INDEPENDENT: Final = Budget(deals=12, seed=991)


@dataclass(frozen=True, slots=True)
class Trial:
    """One program: how it is called, and the seed or the mutant that makes it."""

    bar: Bar
    seed: str
    mutant: Mutant | None = None
    profile: str = ""
    variant: str | None = None


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What came of one program: ``good`` says for each part of its bar whether it was reached."""

    bar: Bar
    name: str
    good: dict[str, bool]
    seconds: float
    wrong: int
    told: str = ""


def trials(sizes: Mapping[str, int], seed: int, variant: str | None = None) -> list[Trial]:
    """Return the programs to try: so many of each kind, drawn by lot; right ones of every profile.

    They play any variant, unless one is named. Those of one kind and one profile stand together, since they share what
    is worked out for it.
    """
    spec, random = default_spec(), Random(f"bars {seed}")
    profiles = _profiles(variant)
    mutants = [mutant for name in profiles for mutant in mutants_of(name, spec)]
    chosen = random.sample(mutants, min(sizes["mutants"], len(mutants)))
    found = [Trial("mutants", mutant.id, mutant, mutant.profile) for mutant in chosen]
    lots: tuple[tuple[Bar, str], ...] = (
        ("overlays", "overlay"),
        ("settling", "settling"),
        ("mistaken", "settling"),
        ("faulty", "faulty"),
    )
    for bar, kind in lots:
        found += [Trial(bar, f"{seed} {kind} {number}", variant=variant) for number in range(sizes.get(bar, 0))]
    names = random.sample(profiles, min(sizes["right"], len(profiles)))
    found += [Trial("right", name, profile=name) for name in names]
    return sorted(found, key=lambda trial: (trial.bar, trial.profile))


def _profiles(variant: str | None) -> list[str]:
    """Return every profile that has mutants, or those of one variant."""
    known = profiles_to_mutate(default_spec())
    return [name for name in known if variant in (None, ProfileName(name).variant)]


def try_all(chosen: Sequence[Trial], jobs: int) -> Iterator[TrialResult]:
    """Yield what came of each program; mutants that no question of the suite notices are left out."""
    shares = [chosen[start : start + _SHARE] for start in range(0, len(chosen), _SHARE)]
    for share in in_processes(_try_share, shares, jobs):
        yield from share


_SHARE: Final = 4


def _try_share(share: Sequence[Trial]) -> list[TrialResult]:
    return [tried for trial in share if (tried := _TRIED[trial.bar](trial)) is not None]


def _try_mutant(trial: Trial) -> TrialResult | None:
    mutant, spec = trial.mutant, default_spec()
    assert mutant is not None
    profile = spec.profile(mutant.profile)
    known = _known(mutant.profile)
    seen = list(_answers(mutant, compile_mutant(mutant, profile, spec), known))
    began = time.process_time()
    found = Identification(seen, spec, known=known).around([profile])
    seconds = time.process_time() - began
    if not found.asked_wrong:
        return None
    # The values that are other ones in its profile.
    told = [(rule, value) for rule, value in mutant.values.items() if not profile.plays(rule, value)]
    named = all(any(_names(one, rule, value) for one in found.findings) for rule, value in told) or (
        {one.rule for one in found.findings} == {rule for rule, _ in told}
        and is_duty(mutant.values, spec)
        and bool(tricks_played_alike(compile_mutant(mutant, profile, spec), compile_profile(found.played[0])))
    )
    if not named and mutant.also and not found.wrong:
        # Of the rules of one mistake some may say nothing that the others do not.
        named = _plays_alike(compile_mutant(mutant, profile, spec), compile_profile(found.played[0]))
    good = {
        "named": named,
        "nothing else": len(found.findings) <= len(mutant.values),
        "no answer wrong": not found.wrong,
    }
    return TrialResult("mutants", mutant.id, good, seconds, len(found.asked_wrong), _told_of(found, mutant.values))


def _names(found: RuleFinding, rule: str, value: Any) -> bool:
    """Say whether a value is the one that was found, or one that fits equally."""
    if found.rule == rule:
        return canonical(value) in map(canonical, (found.value, *found.values))
    return any(one.rule == rule and canonical(one.value) == canonical(value) for one in found.alike)


def _try_overlay(trial: Trial) -> TrialResult:
    spec = default_spec()
    with TemporaryDirectory() as scratch:
        table = random_table(spec, Path(scratch) / "house.yaml", Random(trial.seed), (FEWEST, MOST), trial.variant)
    rules = compile_profile(table.profile)
    asked, seconds = _identified(TrialProgram("house", rules))
    found = asked.found
    base = spec.profile(table.base)
    # What another value leaves without meaning is changed no more.
    changed = {rule for rule, one in table.profile.settings.items() if not base.plays(rule, one.value)}
    played = compile_profile(found.played[0])
    strange = [one.rule for one in found.findings if not _is_changed(one, changed, found, table.profile)]
    good = {
        "all answers right": not found.groups,
        "equivalent elsewhere": _plays_alike(rules, played),
        "nothing unchanged named": not strange,
    }
    name = f"{table.base} with {len(changed)} other values"
    told = f"{_told_of(found, {rule: table.profile.value(rule) for rule in sorted(changed)})} strange: {strange}"
    return TrialResult("overlays", name, good, seconds, len(found.asked_wrong), told)


# Each operation that settles a deal, alone; the programs of a bar answer one or the other in turn.
_SETTLING: Final = ("score-deal", "settle-tricks")
# Of the answers of a program that makes mistakes so many are wrong.
_MISTAKES: Final = 0.02
# So many deals that nothing else draws show whether two tables settle alike.
_SETTLED: Final = replace(_INDEPENDENT, deals=300)


def _try_settling(trial: Trial) -> TrialResult:
    """Try a program that answers nothing but one operation that settles a deal, by rules of settling drawn by lot."""
    spec, random = default_spec(), Random(trial.seed)
    operation = random.choice(_SETTLING)
    variant = trial.variant or random.choice(sorted(spec.playable()))
    about = settling_rules(variant)
    with TemporaryDirectory() as scratch:
        sizes = (FEWEST, len(about))
        table = random_table(spec, Path(scratch) / "house.yaml", random, sizes, variant, about)
    rules = compile_profile(table.profile)
    fault = now_and_then(_MISTAKES) if trial.bar == "mistaken" else None
    asked, seconds = _identified(TrialProgram(variant, rules, fault, trial.seed, (operation,)))
    found, base = asked.found, spec.profile(variant)
    changed = {rule for rule, one in table.profile.settings.items() if not base.plays(rule, one.value)}
    strange = [one.rule for one in found.findings if not _is_changed(one, changed, found, table.profile)]
    played = compile_profile(found.played[0])
    good = {"nothing unchanged named": not strange}
    if fault is None:
        good["named, or alike"] = _plays_alike(rules, played, _SETTLED, frozenset((operation,)))
    told = f"{_told_of(found, {rule: table.profile.value(rule) for rule in sorted(changed)})} strange: {strange}"
    name = f"{variant}, {operation} alone, with {len(changed)} other values"
    return TrialResult(trial.bar, name, good, seconds, len(found.asked_wrong), told)


@cache
def settling_rules(variant: str) -> frozenset[str]:
    """Return the rules that some drawn deal is settled by, at a variant or at it with an option."""
    spec, found = default_spec(), set[str]()
    for name in (variant, *(ProfileName.of(variant, option) for option in spec.options_of(variant))):
        rules = the_reference().ruleset(name)
        for operation, question in contrived_questions(rules, _INDEPENDENT.deals, _INDEPENDENT.seed, _SETTLING):
            found |= {*put(operation, rules, question).rules}
    return frozenset(rule for rule in found if rule.startswith("scoring.") or rule == "bidding.raises")


def _is_changed(one: RuleFinding, changed: set[str], found: Identified, true: Profile) -> bool:
    """Say whether a rule that is named was changed, fits equally to one that was, or is as the true rules have it."""
    return one.rule in changed or any(other.rule in changed for other in one.alike) or true.plays(one.rule, one.value)


def _plays_alike(
    rules: Ruleset,
    played: Ruleset,
    drawn: Budget = _INDEPENDENT,
    operations: frozenset[str] = EVERY_OPERATION,
) -> bool:
    """Say whether no question, drawn from deals by either rules, is answered otherwise by the others."""
    pairs = ((rules, played), (played, rules))
    asked = ((answered(own, drawn.questions(own, operations)), Rival.of(own, other)) for own, other in pairs)
    probes = ((Probe(questions), rival) for questions, rival in asked)
    return all(probe.first(rival) is None for probe, rival in probes if rival.values)


def _try_faulty(trial: Trial) -> TrialResult:
    spec, random = default_spec(), Random(trial.seed)
    profile = random.choice(_profiles(trial.variant))
    name, fault = draw_fault(random)
    program = TrialProgram(profile, Reference(spec).ruleset(profile), fault, trial.seed)
    asked, seconds = _identified(program)
    named = [f"{one.rule}: {one.value}" for one in asked.found.findings]
    wrong = sum(group.count for group in asked.found.groups)
    return TrialResult("faulty", f"{profile}, {name}", {"nothing named": not named}, seconds, wrong, "; ".join(named))


def _try_right(trial: Trial) -> TrialResult:
    program = TrialProgram(trial.profile, Reference().ruleset(trial.profile))
    asked, seconds = _identified(program)
    named = [f"{one.rule}: {one.value}" for one in asked.found.findings]
    good = {"nothing named": not named, "nothing broken": not asked.found.groups}
    good["its name"] = asked.found.bases[0].id == trial.profile or not named
    good["nothing with reasons"] = not any(one.findings or one.groups for one in _explained_with_reasons(trial.profile))
    return TrialResult("right", trial.profile, good, seconds, len(asked.found.asked_wrong), "; ".join(named))


def _explained_with_reasons(profile: str) -> list[Identified]:
    """Return what explains the answers of a program that is right and gives no reasons, where reasons are asserted."""
    reference = the_reference()
    plan = with_reasons(_questions(profile), reference)
    rules = reference.ruleset(profile)
    answers: dict[str, Answer] = {}
    for case in (one.case for one in plan):
        message = put(case.operation, rules, case.input).message()
        answers[case.id] = reply_of(case.id, without_reasons(case.operation, message))
    verdicts = [judge(one, answers[one.case.id], reasons=True) for one in plan]
    return explain(verdicts, answers, reference)


def _identified(program: TrialProgram) -> tuple[Inquiry, float]:
    began = time.process_time()
    with BookTarget(program.target(), AnswerBook()) as target:
        asked = identify_program(target, None, the_reference())
    return asked, time.process_time() - began


@cache
def _questions(profile: str) -> Sequence[Planned]:
    return table_questions(load_cases(), the_reference().ruleset(profile), the_reference()).asked


@lru_cache(maxsize=2)
def _known(profile: str) -> Mapping[str, KnownAnswer]:
    """Return the right answers to the questions of a profile, which all of its mutants share."""
    rules = the_reference().ruleset(profile)
    asked = (question.case for question in _questions(profile))
    came = {case.id: put(case.operation, rules, case.input) for case in asked}
    return {name: KnownAnswer.of(one, rules.profile) for name, one in came.items()}


def _answers(mutant: Mutant, rules: Ruleset, known: Mapping[str, KnownAnswer]) -> Iterator[Observation]:
    """Yield what a mutant answers; where the right answer rests on none of its rules it gives that."""
    for question in _questions(mutant.profile):
        case = question.case
        right = known[case.id]
        changed = right.rests_on(mutant.values)
        message = put(case.operation, rules, case.input).message() if changed else right.message
        yield Observation.of_case(case, message)


def _told_of(found: Identified, true: dict[str, Any]) -> str:
    named = {one.rule: one.value for one in found.findings}
    return f"true {true}; base {found.bases[0].id}; named {named}; left {len(found.wrong)}"


_TRIED: Final = {
    "mutants": _try_mutant,
    "overlays": _try_overlay,
    "settling": _try_settling,
    "mistaken": _try_settling,
    "faulty": _try_faulty,
    "right": _try_right,
}
