"""Which mistake a program's failures look like: the pattern of wrong answers is matched with the kill matrix."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from belot_conformance.diagnosis.kept_answers import KeptAnswers
from belot_conformance.diagnosis.killing import Row, Suite, run_mutant
from belot_conformance.diagnosis.matrix import load_matrix
from belot_conformance.diagnosis.mistakes import Mistake, load_mistakes
from belot_conformance.diagnosis.mutations import Mutant, mutants_of_rules
from belot_conformance.diagnosis.signatures import NO_ANSWER, RIGHT, signature
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.verdicts import Planned, Verdict
from belot_spec.spec import default_spec

SHOWN: Final = 3
TOGETHER: Final = 4
# From this likeness on one mistake is enough to explain what was seen.
SURE: Final = 0.75
# Below this share of what was seen and foretold together, a likeness says nothing.
LEAST_LIKENESS: Final = 0.2
# A wrong answer other than the one foretold still says that the rule is near.
_OTHER_WRONG_ANSWER: Final = 0.5

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A mistake that would explain failures: the mutants it is made of, and how well it fits.

    ``likeness`` is 1 if the program answers exactly as the mistake foretells, over all cases that either gets wrong.
    ``explained`` of ``failed`` wrong answers are foretold, ``contradicted`` cases were answered correctly against it;
    ``near`` counts the foretold ones, half where another wrong answer came. ``alike`` are other mutants that no case
    asked can tell from it. One of several mistakes that are made together explains what the ones before it leave.
    """

    mutants: tuple[Mutant, ...]
    mistake: Mistake | None
    likeness: float
    explained: int
    failed: int
    contradicted: int
    near: float
    alike: tuple[Mutant, ...] = ()
    one_of_several: bool = False

    @property
    def rule(self) -> str:
        """The rule that is played otherwise."""
        return self.mutants[0].rule


@dataclass(frozen=True, slots=True)
class Seen:
    """What a program answered to the hand-written cases: by case and profile asked, what its answer says wrong."""

    signatures: Mapping[Key, str]

    @property
    def wrong(self) -> dict[Key, str]:
        """The cases answered wrongly."""
        return {key: found for key, found in self.signatures.items() if found != RIGHT}


def seen_in(verdicts: Iterable[Verdict]) -> Seen:
    """Return what verdicts say about the rules that a program plays; faults and what was not asked say nothing.

    An answer that fails only because its reasons are asserted is right about the rules.
    """
    found: dict[Key, str] = {}
    for verdict in verdicts:
        case, profile = verdict.planned.case, verdict.planned.profile
        if case.origin == "derived":
            continue
        if verdict.outcome == "passed":
            found[case.id, profile] = RIGHT
        elif verdict.outcome == "errored":
            found[case.id, profile] = NO_ANSWER
        elif verdict.outcome == "failed" and verdict.came:
            kind, value = next(iter(verdict.came.items()))
            if kind in ("result", "rejected"):
                found[case.id, profile] = signature(case, Reply(case.id, kind, value))  # type: ignore[arg-type]
    return Seen(found)


def diagnose_verdicts(verdicts: Sequence[Verdict], house: Reference | None = None) -> list[Diagnosis]:
    """Return the few mistakes that a run's failures look like most: one of them, or if none fits, several together.

    The kept matrix does not know house rules: if all cases were asked for them, by the names that ``house`` knows, the
    mutants of the rules that failed are made and asked now.
    """
    seen = seen_in(verdicts)
    if not seen.wrong:
        return []
    planned = [one.planned for one in verdicts]
    rows = load_matrix().rows.values() if house is None else rows_now(planned, {case for case, _ in seen.wrong}, house)
    candidates = _candidates(seen, rows)
    likeliest = _ranked(candidates, seen)[:SHOWN]
    if likeliest and likeliest[0].likeness >= SURE:
        return likeliest
    together = _together_likeliest(candidates, seen)
    return together if len(together) > 1 else likeliest


def rows_now(planned: Sequence[Planned], failed: Container[str], reference: Reference) -> list[Row]:
    """Return the rows of the mutants of one profile, of the rules that its failed cases consult."""
    profile = planned[0].profile
    known = [one for one in planned if one.case.origin != "derived"]
    consulted = [reference.consulted(one.case.operation, one.profile, one.case.input) for one in known]
    suite = Suite(profile, known, consulted, reference)
    rules = {rule for one, found in zip(known, consulted, strict=True) if one.case.id in failed for rule in found}
    mutants = mutants_of_rules(reference.ruleset(profile).profile, rules, default_spec())
    kept = KeptAnswers.none()
    return [run_mutant(mutant, suite, default_spec(), kept) for mutant in mutants]


def diagnose(seen: Seen, rows: Iterable[Row]) -> list[Diagnosis]:
    """Return the mistakes that failures look like, the likeliest first; none if nothing failed or nothing fits.

    A mistake is a mutant of one profile, or one value played in several profiles. Of two that fit alike, the one
    that explains more, and then the one in more profiles, comes first.
    """
    return _ranked(_candidates(seen, rows), seen)


def _candidates(seen: Seen, rows: Iterable[Row]) -> "list[_Candidate]":
    wrong = seen.wrong
    asked = _by_profile(seen.signatures)
    near = [
        foretold for row in rows if (foretold := _foretold(row, asked)) and not wrong.keys().isdisjoint(foretold[1])
    ]
    candidates = [_Candidate((mutant,), keys, None) for mutant, keys in near]
    candidates += _played_everywhere(near)
    candidates += [made for mistake in load_mistakes().values() if (made := _made_everywhere(mistake, near))]
    return candidates


def _together_likeliest(candidates: "Sequence[_Candidate]", seen: Seen) -> list[Diagnosis]:
    """Return mistakes that together explain failures, each the one that explains most of what those before leave.

    Each has to be right about most of what it foretells, and the words say that it is one of several.
    """
    found: list[Diagnosis] = []
    left = seen.wrong
    while left and candidates and len(found) < TOGETHER:
        fitted = [_fit(candidate, left, seen) for candidate in candidates]
        best, chosen = min(zip(fitted, candidates, strict=True), key=lambda pair: _most_explained_first(pair[0]))
        if best.explained <= best.contradicted:
            break
        left = {key: said for key, said in left.items() if key not in chosen.foretold}
        found.append(replace(best, failed=len(seen.wrong), one_of_several=True))
    return found


def _most_explained_first(one: Diagnosis) -> tuple[float, float, bool, int, str]:
    return one.contradicted - one.near, -one.likeness, one.mistake is None, -len(one.mutants), one.mutants[0].id


def _ranked(candidates: "Sequence[_Candidate]", seen: Seen) -> list[Diagnosis]:
    fitted = [(_fit(candidate, seen.wrong, seen), candidate) for candidate in candidates]
    fitted.sort(key=lambda pair: _likeliest_first(pair[0]))
    return _told_apart([pair for pair in fitted if pair[0].likeness >= LEAST_LIKENESS])


def _told_apart(fitted: "Sequence[tuple[Diagnosis, _Candidate]]") -> list[Diagnosis]:
    """Return the first of all diagnoses that foretell the same answers, with the mutants of the others beside it."""
    groups: dict[frozenset[tuple[Key, str]], list[Diagnosis]] = {}
    for found, candidate in fitted:
        groups.setdefault(frozenset(candidate.foretold.items()), []).append(found)
    return [
        replace(first, alike=tuple(one for other in others for one in other.mutants if one not in first.mutants))
        for first, *others in groups.values()
    ]


def _likeliest_first(one: Diagnosis) -> tuple[float, int, bool, int, str]:
    return -one.likeness, -one.explained, one.mistake is None, -len(one.mutants), one.mutants[0].id


@dataclass(frozen=True, slots=True)
class _Candidate:
    mutants: tuple[Mutant, ...]
    foretold: "Foretold"
    mistake: Mistake | None


Foretold = Mapping[Key, str]


def _by_profile(signatures: Mapping[Key, str]) -> dict[str, set[str]]:
    asked: dict[str, set[str]] = {}
    for case, profile in signatures:
        asked.setdefault(profile, set()).add(case)
    return asked


def _foretold(row: Row, asked: Mapping[str, set[str]]) -> tuple[Mutant, Foretold] | None:
    """Return what a mutant answers wrongly of what was asked, if anything."""
    keys: dict[Key, str] = {}
    for profile in asked:
        if plays_when_asked(row.mutant.profile, profile):
            for case in row.killed_by.keys() & asked[profile]:
                keys[case, profile] = row.killed_by[case]
    return (row.mutant, keys) if keys else None


@cache
def plays_when_asked(own: str, asked: str) -> bool:
    """Say whether a mutant of one profile answers when another is asked for: the same variant, and all its options."""
    variant, *options = own.split("+")
    asked_variant, *asked_options = asked.split("+")
    return variant == asked_variant and set(options) <= set(asked_options)


def _played_everywhere(near: Sequence[tuple[Mutant, Foretold]]) -> list[_Candidate]:
    """Return, for each value that is a mutant of several profiles, what a program foretells that plays it in all."""
    groups: dict[tuple[str, str], list[tuple[Mutant, Foretold]]] = {}
    for mutant, keys in near:
        groups.setdefault((mutant.rule, mutant.playing), []).append((mutant, keys))
    return [_together(group, None) for group in groups.values() if len(group) > 1]


def _made_everywhere(mistake: Mistake, near: Sequence[tuple[Mutant, Foretold]]) -> _Candidate | None:
    """Return what a common mistake foretells: in each profile as many of its values as make a mutant there."""
    fullest: dict[str, tuple[Mutant, Foretold]] = {}
    for mutant, keys in near:
        played = mutant.values
        if all(rule in mistake.values and mistake.values[rule] == value for rule, value in played.items()):
            known = fullest.get(mutant.profile)
            if known is None or len(known[0].values) < len(played):
                fullest[mutant.profile] = (mutant, keys)
    return _together(list(fullest.values()), mistake) if fullest else None


def _together(group: Sequence[tuple[Mutant, Foretold]], mistake: Mistake | None) -> _Candidate:
    foretold: dict[Key, str] = {}
    for _, keys in group:
        foretold.update(keys)
    return _Candidate(tuple(mutant for mutant, _ in group), foretold, mistake)


def _fit(candidate: _Candidate, wrong: Mapping[Key, str], seen: Seen) -> Diagnosis:
    foretold = candidate.foretold
    both = wrong.keys() & foretold.keys()
    exact = sum(wrong[key] == foretold[key] for key in both)
    near = exact + _OTHER_WRONG_ANSWER * (len(both) - exact)
    likeness = near / len(wrong.keys() | foretold.keys())
    contradicted = sum(seen.signatures[key] == RIGHT for key in foretold)
    return Diagnosis(candidate.mutants, candidate.mistake, likeness, len(both), len(wrong), contradicted, near)
