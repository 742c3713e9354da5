"""Sorting what went wrong by its cause, and showing each cause by the smallest question that can be found for it.

A cause is a rule that the program plays otherwise, where one is found; what no rule explains is told apart by operation
and by the fields that differ.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, count
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from belot_conformance.explain.answers import Answered
from belot_conformance.explain.asking import explain_asked
from belot_conformance.explain.budget import BUDGET, FUZZ_BUDGET, Now, Pace
from belot_conformance.explain.explanation import Explanation, RuleFinding
from belot_conformance.explain.lab import State
from belot_conformance.fuzz.fuzzing import Limit, Outcome, Seen
from belot_conformance.fuzz.shrinker import Shows, Shrinker, anything, by_size, parts_of
from belot_conformance.programs.target import Target
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.case_text import flow, quoted
from belot_spec.catalogue import Text
from belot_spec.files import canonical, read_text
from belot_spec.languages import IN_PLACE
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole
from belot_spec.words import Words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of wrong answers: the smallest question that shows it, and how it was found.

    ``first`` is the number of the question that showed it first, ``kept`` how many of the answers that were kept have
    this cause, asked by which ``variants``. It was ``cut_short`` if there was more to try for a smaller question, but
    no time, or nobody who answered. A ``finding`` is a rule of what is ``played``, which explains the answers without
    one where it is an option of several rules. Of other answers ``shared`` says what they have in common, and ``tried``
    whether every value of the rules that they read was tried; it is ``None`` where no rule was looked for.
    """

    smallest: Seen
    first: int
    kept: int
    variants: tuple[str, ...]
    cut_short: bool = False
    finding: RuleFinding | None = None
    played: Profile | None = None
    shared: str = ""
    tried: bool | None = None
    seconds: float = 0.0

    @property
    def rule(self) -> str:
        """The rule that is played otherwise, "" if none is known."""
        return "" if self.finding is None else self.finding.rule

    @property
    def value(self) -> Any:
        """The value with which it is played."""
        return None if self.finding is None else self.finding.value


class _Wrong(NamedTuple):
    """Wrong answers of one cause, and what says whether another answer has it, what is wrong of its parts too."""

    cause: Cause
    seen: Sequence[Seen]
    shows: Shows = anything
    with_parts: bool = False


def causes_of(
    outcome: Outcome,
    target: Target,
    spec: Spec,
    against: Target | None = None,
    seconds: float | None = None,
    clock: Now = time.monotonic,
) -> list[Cause]:
    """Return the causes of what went wrong, the one that was found first at the top; each is shrunk by asking on.

    That lasts no longer than so many seconds, shared out among the causes, or until there is nothing left to try. Of
    two programs nobody knows which is wrong, and no rules are looked for.
    """
    until = None if seconds is None else clock() + seconds
    found = [*_alike(outcome.all_wrong())] if against is not None else _explained(outcome, target, spec, seconds, clock)
    alike, shown = _grouped(found, lambda one: _told(one.cause)), list[Cause]()
    for number, some in enumerate(alike.values()):
        one = min(some, key=lambda each: _plainness(each.cause.smallest))
        share = None if until is None else (until - clock()) / (len(alike) - number)
        # Of those that a program hangs on, one at a time is long enough to wait for.
        hangs = any(seen.came.kind == "timed_out" for seen in one.seen)
        shrinker = Shrinker(target, against, Pace(1 if hangs else FUZZ_BUDGET.at_once, share, clock))
        smallest = shrinker.smallest(one.seen, one.shows, with_parts=one.with_parts)
        cause = _together([each.cause for each in some])
        shown.append(replace(cause, smallest=smallest, cut_short=shrinker.was_cut_short))
    return sorted(map(_together, _grouped(shown, _told).values()), key=lambda one: one.first)


def _explained(outcome: Outcome, target: Target, spec: Spec, seconds: float | None, clock: Now) -> list[_Wrong]:
    """Return what explains the wrong answers of each variant, in half of the time."""
    half, wrong = inf if seconds is None else seconds / 2, outcome.all_wrong()
    pace = Pace(FUZZ_BUDGET.at_once, None if seconds is None else half, clock)
    seen = (*wrong, *outcome.all_right())
    asked = [(one.table.rules.profile, one.table.asked_as, _answered(one)) for one in seen]
    budget, ids = replace(BUDGET, seconds=min(half, BUDGET.seconds)), {str(one.number) for one in wrong}
    found = explain_asked(asked, ids, spec, target, budget, is_over=lambda: pace.is_over)
    by_variant = _grouped(wrong, variant_of)
    return [cause for one in found for cause in _causes(one, by_variant[one.asked[0].id.variant])]


def _answered(one: Seen, place: int = 0) -> Answered:
    return Answered(one.operation, one.input, str(one.number), one.came.message(), place, (one.expected,))


def _causes(found: Explanation, wrong: Sequence[Seen]) -> Iterator[_Wrong]:
    """Yield the rules that were found, an option that several of them are, and what none explains."""
    names = [one.id for one in found.asked]
    left, explained = {str(one.number) for one in wrong}, found.asked_wrong - found.wrong

    def seen_of(ids: Iterable[str]) -> list[Seen]:
        return [one for one in wrong if str(one.number) in {*ids}]

    def is_right(came: Seen, state: State = found.state) -> bool:
        return found.is_right(_answered(came, names.index(came.table.rules.profile.id)), state)

    def parting(without: State) -> Shows:
        return lambda came: is_right(came) and not is_right(came, without)

    for finding in found.findings:
        if seen := seen_of(finding.right):
            played = next(one for one in found.played if one.id in {each.id for each in finding.profiles})
            cause = replace(_cause(seen), finding=finding, played=played)
            yield _Wrong(cause, seen, parting(found.without(finding)), with_parts=True)
    together = explained - {*chain.from_iterable(one.right for one in found.findings)}
    if found.base.id != names[0] and (seen := seen_of(together)):
        cause = replace(_cause(seen), played=found.base)
        yield _Wrong(cause, seen, lambda came: is_right(came, found.lab.base), with_parts=True)
    left -= explained
    for group in (*found.groups, *found.unsupported):
        if seen := seen_of(left & {*group.ids}):
            left -= {*group.ids}
            shared = "; ".join(group.said)
            tried = group.tried if seen[0].came.kind in ("result", "rejected") else None
            cause = replace(_cause(seen), shared=shared, tried=tried, seconds=found.seconds)
            yield _Wrong(cause, seen, lambda came: not is_right(came))
    yield from _alike(seen_of(left), lambda came: not is_right(came))


def time_for_causes(limit: Limit) -> float | None:
    """Return how long may be looked for small questions after a run: as long as that lasted; ``None`` is for ever."""
    return None if limit.seconds is None else max(limit.seconds, FUZZ_BUDGET.least_seconds)


def variant_of(seen: Seen) -> str:
    """Return the variant that a question was asked by, whatever the options."""
    return seen.table.rules.profile.id.variant


def _grouped(some: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    found: dict[Any, list[T]] = {}
    for one in some:
        found.setdefault(key(one), []).append(one)
    return found


def _cause(seen: Sequence[Seen]) -> Cause:
    variants = tuple(dict.fromkeys(map(variant_of, seen)))
    return Cause(min(seen, key=_plainness), min(one.number for one in seen), len(seen), variants)


def _alike(some: Sequence[Seen], shows: Shows = anything) -> Iterator[_Wrong]:
    """Yield answers that are told apart by nothing but what is wrong."""
    kinds = _grouped(some, lambda one: (one.operation, one.fields, one.came.kind))
    yield from (_Wrong(_cause(seen), seen, shows) for seen in kinds.values())


def _told(cause: Cause) -> tuple[object, ...]:
    """Return what tells causes apart: a rule with its value, or what is wrong."""
    seen = cause.smallest
    if cause.played is not None:
        return (cause.rule, canonical(cause.value)) if cause.rule else (cause.played.id,)
    return seen.operation, parts_of(seen), seen.came.kind


def _plainness(seen: Seen) -> tuple[int, int, str]:
    return OPERATIONS[seen.operation].rank, *by_size(seen)


def _together(some: Sequence[Cause]) -> Cause:
    """Return causes that are told in the same words as one, shown by the plainest question."""
    shown = min(some, key=lambda one: _plainness(one.smallest))
    return replace(
        shown,
        first=min(one.first for one in some),
        kept=sum(one.kept for one in some),
        variants=tuple(dict.fromkeys(variant for one in some for variant in one.variants)),
        tried=None if shown.tried is None else all(one.tried for one in some),
    )


_WORDS: Final = Words(__name__, "fuzz-cases")
# Ids of what is found, far from those of the suite; whoever adds a case to it takes the next free one there.
_FIRST_ID: Final = 9001
_ID: Final = re.compile(r"^  - id: bc-(\d+)$", re.MULTILINE)


def write_cases(folder: Path, causes: Iterable[Cause]) -> list[Path]:
    """Write a file of cases for each cause, below a folder with the name of its operation; return the files.

    What another run wrote there stays, under ids of its own.
    """
    taken = {path: _ID.findall(read_text(path)) for path in sorted(folder.glob("*/fuzz-*.yaml"))}
    last = max((int(number) for numbers in taken.values() for number in numbers), default=_FIRST_ID - 1)
    free = count(last + 1)
    written = []
    for cause in causes:
        seen = cause.smallest
        asked = [seen.operation, seen.table.rules.profile.id, seen.input]
        digest = sha256(canonical(asked).encode()).hexdigest()[:8]
        path = folder / seen.operation / f"fuzz-{digest}.yaml"
        number = next(chain(taken.get(path, ()), free))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, case_text(cause, f"bc-{number}"))
        written.append(path)
    return written


def case_text(cause: Cause, case_id: str) -> str:
    """Return a cause as the text of a file of cases, the expectation being the answer of the rules."""
    seen = cause.smallest
    expected: dict[str, Any] = {seen.expected.kind: dict(seen.expected.fields)}
    if seen.expected.rule is not None:
        expected["rejected"]["rule"] = seen.expected.rule
    title = _title(cause)
    rules = [cause.rule] if cause.rule in seen.rules else []
    lines = [
        f"operation: {seen.operation}",
        f"profile: {quoted(seen.table.rules.profile.id)}",
        *_bilingual("behaviour", _WORDS.filled("behaviour", operation=seen.operation), ""),
        *_bilingual("why", _WORDS["why"], ""),
        "cases:",
        f"  - id: {case_id}",
        *_bilingual("title", title, "    "),
        f"    input: {flow(_plain(seen.input))}",
        f"    expect: {flow(_plain(expected))}",
        f"    rules: {flow(rules)}",
        "    statements: []",
        "    origin: derived",
    ]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    """Return a value in which every list and mapping is of the plainest kind."""
    return json.loads(json.dumps(value))


def _title(cause: Cause) -> Text:
    seen = cause.smallest
    return _WORDS.filled("title", operation=seen.operation, fields=", ".join(seen.fields))


def _bilingual(key: str, text: Text, indent: str) -> list[str]:
    return [f"{indent}{key}:", *(f"{indent}  {lang}: {quoted(text.only(lang))}" for lang in IN_PLACE)]
