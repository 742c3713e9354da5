"""Wrong programs of which it is known what is wrong: after how many questions each is found, and by how small a one.

The programs are all mutants that a case notices, common mistakes among them: each plays one rule otherwise. Every
program of a profile is put the same questions, those of the stream of ``belot fuzz`` with one seed. A mutant that only
cases of an option notice is asked by that option.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from belot_conformance.contrast.probe import AnsweredQuestion, Probe
from belot_conformance.fuzz.fuzzing import Fuzz, Limit, Seen, Tabled
from belot_conformance.fuzz.shrinker import smallest_of
from belot_conformance.mistakes.killing import Row, load_matrix
from belot_conformance.mistakes.mutations import compile_mutant, load_mistakes, rival_of
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.reference import Reference, put, reply_of
from belot_conformance.programs.target import Limits
from belot_conformance.programs.targets import TargetName, open_target
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import Drawn, Stream
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import Expectation
from belot_reference.cards import CARD_BY_NAME
from belot_reference.compile import Ruleset
from belot_spec.files import canonical
from belot_spec.shipped import default_spec
from belot_workshop.explaining.programs import TrialProgram

MOST: Final = 20_000
FEW: Final = 2_000
# Questions that show a program's mistake are looked for among so many.
_LOOKED_AT: Final = 4_000


@dataclass(frozen=True, slots=True)
class BarResult:
    """One wrong program: the number of the question that found it, ``None`` if none did.

    ``pieces`` are the cards and actions of the smallest question shown for it, ``known`` those of the smallest case
    that notices it; ``None`` where nothing was made smaller.
    """

    profile: str
    rule: str
    change: str
    first: int | None
    operation: str = ""
    pieces: int | None = None
    known: int | None = None


@dataclass(frozen=True, slots=True)
class BarShare:
    """The wrong programs that one profile's questions are put to, and of which of them the example is made smaller."""

    profile: str
    mutants: tuple[str, ...]
    seed: int
    most: int
    shrunk: frozenset[str]


def shares(profiles: Sequence[str], seed: int, most: int, sample: int) -> list[BarShare]:
    """Return what is tried, profile by profile; of so many programs, drawn by lot, the example is made smaller."""
    rows = [row for row in load_matrix().rows.values() if row.killed_by]
    wanted = [row for row in rows if not profiles or row.mutant.profile in profiles or asked_by(row) in profiles]
    drawn = Random(f"fuzz bar {seed}").sample(wanted, min(sample, len(wanted)))
    shrunk = frozenset(row.mutant.id for row in drawn)
    shared: dict[str, list[str]] = {}
    for row in wanted:
        shared.setdefault(asked_by(row), []).append(row.mutant.id)
    return [BarShare(name, tuple(ids), seed, most, shrunk) for name, ids in shared.items()]


def asked_by(row: Row) -> str:
    """Return the profile by whose questions a mutant is looked for: its own if any case of that notices it."""
    profiles = sorted(_profiles_of_cases()[case] for case in row.killed_by)
    return row.mutant.profile if row.mutant.profile in profiles else profiles[0]


@cache
def _profiles_of_cases() -> Mapping[str, str]:
    return {case.id: case.profile for case in load_cases()}


def try_all(asked: Sequence[BarShare], jobs: int) -> Iterator[list[BarResult]]:
    """Yield what came of the programs of each profile."""
    yield from in_processes(_try_share, asked, jobs)


def _try_share(share: BarShare) -> list[BarResult]:
    rules = Reference().ruleset(share.profile)
    rows = [load_matrix().rows[name] for name in share.mutants]
    stream = Stream(rules, share.seed)
    drawn: list[Drawn] = []
    left, found = list(rows), list[BarResult]()
    for most in (FEW, share.most):
        before = len(drawn)
        while len(drawn) < most:
            drawn += stream.round()
        probe = Probe(
            AnsweredQuestion(one.operation, one.question, one.message, one.rules, place)
            for place, one in enumerate(drawn[before:], before + 1)
        )
        shown = [probe.first(rival_of(row.mutant, rules.profile, default_spec())) for row in left]
        tried = [(row, None if one is None else one.number) for row, one in zip(left, shown, strict=True)]
        found += [_told(row, first, rules, drawn, share) for row, first in tried if first is not None]
        left = [row for row, first in tried if first is None]
        if not left:
            break
    return found + [BarResult(share.profile, row.mutant.rule, row.mutant.change, None) for row in left]


def _seen(place: int, one: Drawn, rules: Ruleset, changed: Ruleset) -> Seen:
    came = reply_of("", put(one.operation, changed, one.question).message())
    expected = Expectation.of(one.operation, one.message)
    fields = expected.apart(one.operation, came.message())
    table = Tabled(rules, rules.profile.id)
    return Seen(place + 1, table, one.operation, one.question, one.message, expected, one.rules, came, fields)


def _told(row: Row, first: int, rules: Ruleset, drawn: Sequence[Drawn], share: BarShare) -> BarResult:
    mutant = row.mutant
    if mutant.id not in share.shrunk:
        return BarResult(share.profile, mutant.rule, mutant.change, first)
    changed = compile_mutant(mutant, rules.profile, default_spec())
    until = max(first, min(_LOOKED_AT, len(drawn)))
    readers = [place for place in range(until) if not drawn[place].rules.isdisjoint(mutant.values)]
    wrong = [seen for place in readers if (seen := _seen(place, drawn[place], rules, changed)).fields]
    smallest = smallest_of(TrialProgram(changed.profile.id, changed).target(), wrong)
    return BarResult(
        share.profile, mutant.rule, mutant.change, first, smallest.operation, pieces(smallest.question),
        _known(row, smallest.operation, rules),
    )  # fmt: skip


def _known(row: Row, operation: str, rules: Ruleset) -> int | None:
    """Return how large the smallest case is that notices a mutant, of the same operation if there is one.

    A case of another game that these rules could not ask is none: a trick of two cards says nothing of one of four.
    """
    killing = (case for case in load_cases() if case.id in row.killed_by)
    cases = [case for case in killing if OPERATIONS[case.operation].is_wellformed(rules, case.input)]
    alike = [case for case in cases if case.operation == operation] or cases
    return min((pieces(case.input) for case in alike), default=None)


def pieces(question: Any) -> int:
    """Return how many cards and actions there are in a question."""
    if isinstance(question, Mapping):
        return ("seat" in question) + sum(map(pieces, question.values()))
    if isinstance(question, list):
        return sum(map(pieces, question))
    return question in CARD_BY_NAME if isinstance(question, str) else 0


# It is looked after so many questions whether one was answered wrongly.
_AT_ONCE: Final = 500


def observable(profiles: Sequence[str]) -> list[tuple[str, str]]:
    """Return the mistakes that a case notices, each with the first of some variants (all if none) where one does."""
    rows = [row for row in load_matrix().rows.values() if row.killed_by]
    wanted = [*default_spec().playable(), *dict.fromkeys(row.mutant.profile for row in rows)]
    noticed: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: wanted.index(row.mutant.profile)):
        if not profiles or row.mutant.profile in profiles:
            noticed.setdefault(canonical(row.mutant.values), row.mutant.profile)
    found = ((name, noticed.get(canonical(mistake.values), "")) for name, mistake in load_mistakes().items())
    return [(name, profile) for name, profile in found if profile]


def serve_all(asked: Sequence[tuple[str, str]], seed: int, most: int) -> Iterator[list[BarResult]]:
    """Yield what came of each mistake, asked by a profile until it is found or so many questions were put."""
    reference = Reference()
    for name, profile in asked:
        yield [BarResult(profile, name, "served", _first_served(reference, name, profile, seed, most))]


def _first_served(reference: Reference, name: str, profile: str, seed: int, most: int) -> int | None:
    command = (sys.executable, "-m", "belot_conformance", "answer", "--mistake", name)
    with open_target(TargetName("command", command), Limits(start=60.0, answer=60.0)) as target:
        fuzz = Fuzz(target, [(Stream(reference.ruleset(profile), seed), profile)])
        while fuzz.outcome.asked < most and not fuzz.outcome.wrong and not fuzz.outcome.gave_up:
            fuzz.run(Limit(questions=min(most, fuzz.outcome.asked + _AT_ONCE)))
        return min((one.number for one in fuzz.outcome.all_wrong()), default=None)
