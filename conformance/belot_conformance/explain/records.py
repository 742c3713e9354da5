"""Which rules were played by whoever made a log: searched for in some of its records, then held against all of them.

Nothing more can be asked of whoever made a log. But all that it holds can be looked at: some records of each kind that
is wrong by the rules found are searched too. A rule that only a single record speaks for, of a log that is longer than
what was searched, is no rule: that record is wrong.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

from belot_conformance.explain.answers import Answered, distance, fields_wrong
from belot_conformance.explain.budget import BUDGET, Budget, Clock
from belot_conformance.explain.explanation import Example, Explanation, RuleFinding, Unexplained, explain
from belot_conformance.explain.lab import Changes
from belot_conformance.house_suite.planning import is_known
from belot_conformance.logs.audit import RecordVerdict, judged_records, reason_of
from belot_conformance.logs.records import STDIN, LogLine, Record, lines_of, record_of
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.progress import Advance, counting_bar, waiting
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.settlements import settling_of
from belot_conformance.suite.judge import OTHER_KIND
from belot_conformance.suite.verdicts import Verdict
from belot_reference.action import action_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.deal import open_deal
from belot_reference.replay import apply_all, apply_all_automatically
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile

# So many records are searched at first, and so many of them tell which variant is played where nobody says it.
_DRAWN: Final = 300
_PROBES: Final = 24
_SEED: Final = 55
# How often wrong records are looked at again, so many of each kind and of all; so many of each kind are named.
_ROUNDS: Final = 3
_AGAIN: Final = 6
_ADDED: Final = 60
_NAMED: Final = 10
# Where so many kinds are wrong the rules are not those, and the rest is only counted.
_MOST_KINDS: Final = 500
# The first search leaves time for those of the records that it does not explain.
_FIRST: Final = 0.6
# Of these seconds so large a share is for how deals were settled. So many variants are tried where nobody names one.
_SETTLED: Final = 0.3
# By the first of them no more than so large a share of the records are wrong in the end, or the others are tried too.
_BASES: Final = 3
_FAR: Final = 0.3
# Wrong answers whose values are tried in one step: whole deals read many rules.
_AT_ONCE: Final = 3
# What cannot be asked by the rules at all is not wrong in a field.
UNCLEAR: Final = "input"
# A profile that a record names, before it is read.
_PROFILE: Final = re.compile(rb'"profile"\s*:\s*"([^"\\]*)"')

Lines = Callable[[], Iterable[LogLine]]
_Kind = tuple[str, tuple[str, ...]]


class NoAnswersError(BelotError):
    """A log of which no record holds an answer."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was found in a log of so many ``records``, of which all were judged and ``looked_at`` were searched.

    The groups of ``found`` are of all records, of which so many are ``wrong``. ``operations`` are those of the records
    searched, ``reason`` is why all are wrong, if it is one for them all, and ``named`` the profile that they name.
    """

    found: Explanation
    records: int
    wrong: int
    looked_at: int
    operations: frozenset[str]
    reason: str | None
    named: ProfileName | None

    def as_json(self, name: str) -> dict[str, Any]:
        """Return what is said of the records of a log of this name."""
        told = {"file": name, "judged": self.records, "wrong": self.wrong, "searched": self.looked_at}
        return told if self.reason is None else {**told, "reason": self.reason}


def explain_records(
    paths: Sequence[Path],
    profile: str | None,
    reference: Reference,
    budget: Budget = BUDGET,
    most: int | None = None,
    only: Collection[ProfileName] = (),
) -> list[Recorded]:
    """Search for the rules of a log, by one profile or for each that its records name, and judge every record by them.

    Where records name none and nobody does, it is searched around the likeliest variant. The searches share the
    seconds; reading and judging are not counted. Of the log no more than so many records are read, and where they name
    several profiles, those of ``only`` some are looked at, if any are given. Raises ``SpecError`` for a faulty line,
    ``NoAnswersError`` if no record holds an answer.
    """
    for path in paths:
        if not is_read_again(path):
            raise BelotError(f"{path}: the records are read more than once here; give an ordinary file that holds them")

    def lines() -> Iterator[LogLine]:
        return islice(chain.from_iterable(lines_of(path, profile) for path in paths), most)

    size = sum(path.stat().st_size for path in paths if path.is_file())
    with counting_bar("reading the log", size) as advance:
        drawn = _drawn(lines(), advance, by_name=profile is None)
    if not drawn:
        raise NoAnswersError(f"{paths[0]}: no record holds a result, so that nothing says what was played")
    if is_one := len(drawn) == 1:
        pass
    elif only:
        drawn = {name: some for name, some in drawn.items() if name in only}
    each = replace(budget, seconds=budget.seconds / len(drawn))
    found: list[Recorded] = []
    for name, some in drawn.items():
        # One name is that of the records that name none too.
        of_name: Lines = lines if is_one else lambda name=name: (one for one in lines() if _named(one) == name)  # type: ignore[misc]
        named = name if name is not None and is_known(name, reference.spec) else None
        search = _Search(reference, each, of_name, [*map(_answered, map(record_of, some))], len(some) == _DRAWN)
        with waiting("searching for the rules that were played"):
            search.begin(None if profile is None else reference.profile(profile), named)
        with counting_bar("judging every record", size) as advance:
            found.append(search.settled(advance))
    return found


def is_read_again(path: Path) -> bool:
    """Say whether the records of a file can be read more than once."""
    return str(path) != STDIN and not path.is_fifo()


def _named(line: LogLine) -> ProfileName | None:
    found = _PROFILE.search(line.text)
    return None if found is None else ProfileName(found[1].decode(errors="replace"))


def _drawn(lines: Iterable[LogLine], told: Advance, *, by_name: bool) -> dict[ProfileName | None, list[LogLine]]:
    """Return some lines that hold an answer by lot, for each profile that they name; nothing of them is read yet.

    Where all that name one name the same one, those that name none are of it too.
    """
    random, kept, counts = Random(_SEED), dict[ProfileName | None, list[LogLine]](), dict[ProfileName | None, int]()
    for line in lines:
        told(len(line.text))
        if b'"result"' not in line.text and b'"rejected"' not in line.text:
            continue
        name = _named(line) if by_name else None
        some, counts[name] = kept.setdefault(name, []), counts.get(name, 0) + 1
        if len(some) < _DRAWN:
            some.append(line)
        elif (place := random.randrange(counts[name])) < _DRAWN:
            some[place] = line
    if None in kept and len(kept) == 2:
        name = next(filter(None, kept))
        kept = {name: [*kept[name], *kept[None]]}
    for some in kept.values():
        random.shuffle(some)
        del some[_DRAWN:]
    return kept


def _answered(of: Record | Verdict) -> Answered:
    """Return a record, or one that was judged wrong, as evidence; one without an answer says that it was played so."""
    one = of if isinstance(of, Record) else of.planned.case
    came = of.came.message() if isinstance(of.came, Reply) else of.came
    return Answered(one.id, one.operation, one.input, came or {"result": {}}, is_partial=True)


def _settled(rules: Ruleset, one: Answered) -> Iterator[Answered]:
    """Yield what a record says of how a deal that was played out was counted, trick by trick and as a whole."""
    result = put(one.operation, rules, one.input).message().get("result", {})
    if (
        one.operation != "replay"
        or one.kind != "result"
        or result.get("ended") != "played"
        or "actions" not in one.input
    ):
        return
    automatic = one.input.get("announcing") == "automatic"
    actions = [action_of(action) for action in one.input["actions"]]
    state = (apply_all_automatically if automatic else apply_all)(rules, open_deal(rules, one.input), actions)
    asked, said = settling_of(rules, state), one.value
    tricks, told = asked["tricks"], said.get("tricks")
    trump, is_told = {"trump": asked["trump"]}, isinstance(told, list) and len(told) == len(tricks)
    for trick, came in zip(tricks, told, strict=True) if is_told else ():
        # What the last trick adds is not told with it.
        yield _part(one, "card-points", {**trump, "cards": trick["cards"], "last_trick": False}, came)
        yield _part(one, "trick-winner", {**trump, **trick}, came)
    yield _part(one, "settle-tricks", asked, said)


def _part(one: Answered, operation: str, asked: Mapping[str, Any], said: Mapping[str, Any]) -> Answered:
    came = {name: said[name] for name in OPERATIONS[operation].result_fields if name in said}
    return Answered(one.id, operation, asked, {"result": came}, is_partial=True)


# All records


@dataclass
class _Wrong:
    """The wrong records of one kind: how many, where the first stand, the smallest, and some to look at again."""

    smallest: Verdict
    size: int
    count: int = 0
    places: list[str] = field(default_factory=list)
    again: list[Answered] = field(default_factory=list)


@dataclass
class _Judged:
    """What all records are by some rules; ``shown`` are some that read rules which were watched for."""

    records: int = 0
    wrong: int = 0
    kinds: dict[_Kind, _Wrong] = field(default_factory=dict)
    shown: list[Record] = field(default_factory=list)
    _reasons: set[str | None] = field(default_factory=set)

    def enter(self, judged: RecordVerdict) -> None:
        """Count one record."""
        self.records += 1
        if judged.shown is not None:
            self.shown.append(judged.shown)
        if (wrong := judged.wrong) is None:
            return
        self.wrong += 1
        if len(self._reasons) < 2:
            self._reasons.add(reason_of(wrong))
        key = judged.operation, tuple(one.field for one in wrong.differences) or (UNCLEAR,)
        if key not in self.kinds and len(self.kinds) >= _MOST_KINDS:
            return
        kind = self.kinds.setdefault(key, _Wrong(wrong, judged.size))
        kind.count += 1
        if judged.size < kind.size:
            kind.smallest, kind.size = wrong, judged.size
        if len(kind.places) < _NAMED:
            kind.places.append(wrong.planned.case.id)
        if len(kind.again) < _AGAIN:
            kind.again.append(_answered(wrong))

    @property
    def sole_reason(self) -> str | None:
        """Why all records are wrong, where it is one reason for several of them."""
        return next(iter(self._reasons)) if self.records == self.wrong > len(self._reasons) == 1 else None

    def again(self, of_sample: Sequence[Unexplained]) -> Iterator[Answered]:
        """Yield a few wrong records of each kind, one of each first, those of which most are wrong before others.

        Of kinds of which the sample holds as many nothing more is found.
        """
        many = {(one.operation, one.fields) for one in of_sample if one.count >= _AGAIN}
        kinds = sorted((one for key, one in self.kinds.items() if key not in many), key=lambda kind: -kind.count)
        for turn in range(_AGAIN):
            yield from (kind.again[turn] for kind in kinds if turn < len(kind.again))

    def groups(self, of_sample: Sequence[Unexplained]) -> list[Unexplained]:
        """Return what is wrong by operation and fields, with what the wrong ones of the sample have in common."""
        sample = {(one.operation, one.fields): one for one in of_sample}
        found = [
            Unexplained(
                *key,
                kind.count,
                _example(kind.smallest),
                sample[key].shared if key in sample else None,
                tuple(kind.places),
                tried=key in sample and sample[key].tried and sample[key].count == kind.count,
                known=sample[key].known if key in sample else (),
            )
            for key, kind in self.kinds.items()
        ]
        return sorted(found, key=lambda one: (-one.count, one.operation, one.fields))


def _example(wrong: Verdict) -> Example:
    """Return a wrong record with what differs in it alone: what stands there, and what the rules say."""
    case, differing = wrong.planned.case, {one.field: one for one in wrong.differences}
    if OTHER_KIND in differing:
        came, said = differing[OTHER_KIND].came, differing[OTHER_KIND].expected
    elif differing:
        came = {"result": {name: one.came for name, one in differing.items()}}
        said = {"result": {name: one.expected for name, one in differing.items()}}
    else:
        came, said = dict(wrong.came or {}), {"error": wrong.detail}
    return Example(case.id, case.operation, case.input, came, said, case.note)


# The search


@dataclass
class _Search:
    """One search of the records that name one profile, or of all.

    It ``is_part`` of a log that holds more than was drawn. ``odd`` are records that alone spoke for a rule of a log
    that holds others.
    """

    reference: Reference
    budget: Budget
    lines: Lines
    drawn: Sequence[Answered]
    is_part: bool
    seen: dict[str, Answered] = field(init=False)
    odd: set[str] = field(default_factory=set)
    named: ProfileName | None = field(init=False)
    base: Profile = field(init=False)
    found: Explanation = field(init=False)
    _declared: Sequence[ProfileName] | None = field(init=False)
    _left: float = field(init=False)

    def begin(self, wanted: Profile | None, named: ProfileName | None) -> None:
        """Search what was drawn around the rules that are wanted, those that the records name, or the likeliest."""
        spec = self.reference.spec
        self.seen, self.named, self._left = {one.id: one for one in self.drawn}, named, self.budget.seconds
        own = wanted or (None if named is None else spec.profile(named))
        bases = [own] if own is not None and (wanted or self._is_of(own)) else self._likeliest()
        names = [*map(ProfileName, spec.playable())] if named is None else [named]
        self._declared = None if wanted is not None else names
        each = self._left * (_FIRST if self.is_part else 1) / len(bases)
        best: tuple[float, ...] = ()
        for self.base in bases:
            found = self._begun({}, each)
            words = len(found.wrong), sum(map(partial(self._words, found.base), found.findings))
            if not best or words < best:
                self.found, best = found, words
            if len(found.wrong) <= _FAR * len(self.seen):
                break
        self.base = self.found.base if own not in bases else own

    def settled(self, told: Advance) -> Recorded:
        """Judge all records, and search on with wrong ones of each kind as long as fewer are wrong by what is found."""
        judged = self._judged(told)
        for _ in range(_ROUNDS):
            known, again = self.seen.keys() | self.odd, judged.again(self.found.groups)
            further = [*islice((one for one in again if one.id not in known), _ADDED)]
            if self._left <= 0 or not (further or self.found.is_cut):
                break
            before = self.found, dict(self.seen)
            self.seen |= {one.id: one for one in further}
            self.found = self._begun(self._changes(), self._left, is_more=judged.records > len(self.seen))
            if self._changes() == self._changes(before[0]):
                break
            after = self._judged(lambda _: None)
            if after.wrong >= judged.wrong:
                self.found, self.seen = before
                break
            judged = after
        return self._told(self._without_lonely(judged))

    def _without_lonely(self, judged: _Judged) -> _Judged:
        """Leave out what a single record of those searched speaks for, unless others of the log do."""
        lonely = {one.right[0]: one.rule for one in self.found.findings if self.is_part and len(one.right) == 1}
        if not lonely:
            return judged
        before = self.found, self.seen
        begin = {slot: value for slot, value in self._changes().items() if slot[0] not in lonely.values()}
        self.seen = {name: one for name, one in self.seen.items() if name not in lonely}
        self.found = self._search([*self.seen.values()], begin, 0, self._declared)
        after = self._judged(lambda _: None)
        if after.wrong <= judged.wrong + len(lonely):
            return after
        self.found, self.seen = before
        return judged

    def _is_of(self, own: Profile) -> bool:
        """Say whether some records can be of a game: most of their deals can be played by its rules."""
        rules, few = compile_profile(own), self.drawn[:_PROBES]
        return 2 * sum(one.kind in put(one.operation, rules, one.input).message() for one in few) >= len(few)

    def _likeliest(self) -> list[Profile]:
        """Return the variants by which the fewest records are wrong; of equals those to which they are the nearest."""
        few = self.drawn[:_PROBES]

        def far(variant: str) -> tuple[int, int]:
            rules = self.reference.ruleset(variant)
            said = [(one, put(one.operation, rules, one.input).message()) for one in few]
            return sum(bool(fields_wrong(*pair, ())) for pair in said), sum(distance(*pair) for pair in said)

        return [self.reference.profile(one) for one in sorted(self.reference.spec.playable(), key=far)[:_BASES]]

    def _words(self, base: Profile, one: RuleFinding) -> float:
        """Return how much a rule tells against a variant: what it has as an option less than what it has not."""
        options = self.reference.spec.options_of(base.id.variant).values()
        values = [each.settings[one.rule].value for each in options if one.rule in each.settings]
        return 0.5 if canonical(one.value) in map(canonical, values) else 1

    def _begun(self, begin: Changes, seconds: float, *, is_more: bool = False) -> Explanation:
        """Search for what explains how the deals were settled, which is worked out sooner, then the whole deals."""
        played = changed_profile(self.base, {slot[0]: value for slot, value in begin.items()}, self.reference.spec)
        rules = compile_profile(played)
        settled = [part for one in self.seen.values() for part in _settled(rules, one) if part.value]
        if settled:
            begin = {**begin, **self._changes(self._search(settled, begin, seconds * _SETTLED, None))}
        return self._explained(begin, seconds * (1 - _SETTLED), is_more=is_more)

    def _explained(self, begin: Changes, seconds: float, *, is_more: bool) -> Explanation:
        """Search all records looked at, leaving out those that alone speak for a rule, if the log holds others."""
        while True:
            found = self._search([*self.seen.values()], begin, seconds, self._declared)
            lonely = {one.right[0]: one for one in found.findings if is_more and len(one.right) == 1}
            if not lonely:
                return found
            self.odd |= lonely.keys()
            self.seen = {name: one for name, one in self.seen.items() if name not in lonely}
            rules = {one.rule for one in lonely.values()}
            begin = {slot: value for slot, value in self._changes(found).items() if slot[0] not in rules}

    def _search(
        self, answers: Sequence[Answered], begin: Changes, seconds: float, declared: Sequence[ProfileName] | None
    ) -> Explanation:
        began, spec = process_time(), self.reference.spec
        clock, budget = Clock(min(seconds, self._left)), replace(self.budget, at_once=_AT_ONCE)
        found = explain([self.base], answers, spec, budget=budget, clock=clock, begin=begin, declared=declared)
        self._left -= process_time() - began
        return found

    def _changes(self, found: Explanation | None = None) -> Changes:
        """Return what is played otherwise than by the rules searched around."""
        own = self.base.settings
        played = (found or self.found).played[0]
        return {
            (rule, canonical(own[rule].value) if rule in own else ""): one.value
            for rule, one in played.settings.items()
            if rule not in own or not self.base.plays(rule, one.value)
        }

    def _judged(self, told: Advance) -> _Judged:
        found = _Judged()
        watched = frozenset(self._unseen([*self.seen.values()]))
        with closing(judged_records(self.lines(), self.found.played[0], watched=watched)) as every:
            for one in every:
                found.enter(one)
                told(one.size)
        return found

    def _unseen(self, records: Sequence[Answered | Record]) -> tuple[str, ...]:
        """Return the rules of what is played that none of some records reads."""
        played = self.found.played[0]
        rules = compile_profile(played)
        read = frozenset[str]().union(*(put(one.operation, rules, one.input).rests_on for one in records))
        return tuple(one for one in self.reference.spec.rules if one in played.settings and one not in read)

    def _told(self, judged: _Judged) -> Recorded:
        """Return what was found, with all records that it does not explain."""
        found = replace(
            self.found,
            groups=judged.groups(self.found.groups),
            unsupported=(),
            seconds=min(self.budget.seconds, self.budget.seconds - self._left),
            spoiled={},
            unseen=self._unseen([*self.seen.values(), *judged.shown]),
        )
        operations = frozenset(one.operation for one in self.seen.values())
        searched, reason = len(self.seen), judged.sole_reason
        return Recorded(found, judged.records, judged.wrong, searched, operations, reason, self.named)
