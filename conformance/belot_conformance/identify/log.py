"""Which rules were played by whoever made a log: searched for in some of its records, then held against all of them.

Nothing more can be asked of whoever made a log. But all that it holds can be looked at: what is wrong by the rules
found, and what shows a rule that nothing else showed, is searched too, until that changes nothing. A rule that only a
single record speaks for, of a log that is longer than what was searched, is no rule: that record is wrong.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final

import orjson

from belot_conformance.house_suite.planning import is_known
from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.identification import Example, Identification, Identified, RuleFinding, Unexplained
from belot_conformance.logs.audit import RecordVerdict, judged_records, reason_of
from belot_conformance.logs.records import STDIN, LogLine, Record, lines_of, record_of
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.progress import counting_bar, waiting
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, put
from belot_conformance.suite.judge import OTHER_KIND
from belot_conformance.suite.verdicts import Verdict
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import BelotError, UnplayableError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

# Of each kind of wrong records so many are named, and so many looked at again.
_NAMED: Final = 10
_AGAIN: Final = 6
# Where so many kinds are wrong the rules are not those, and the rest is only counted.
_MOST_KINDS: Final = 500
# From so many reasons on there is not one for all.
_SEVERAL: Final = 2
# What cannot be asked by the rules at all is not wrong in a field.
UNCLEAR: Final = "input"

Told = Callable[[int], None] | None


@dataclass
class _Kind:
    operation: str
    fields: tuple[str, ...]
    smallest: Verdict
    size: int
    count: int = 0
    places: list[str] = field(default_factory=list)
    again: list[Observation] = field(default_factory=list)

    def enter(self, wrong: Verdict, size: int) -> None:
        self.count += 1
        if size < self.size:
            self.smallest, self.size = wrong, size
        if len(self.places) < _NAMED:
            self.places.append(wrong.planned.case.id)
        if len(self.again) < _AGAIN and (seen := observation_of(wrong)) is not None:
            self.again.append(seen)


@dataclass
class WholeLog:
    """What all records are by some rules: how many there are, how many wrong, and those worth another look.

    ``shown`` read rules that were watched for. ``reasons`` are some of those why records are wrong.
    """

    records: int = 0
    wrong: int = 0
    shown: list[Observation] = field(default_factory=list)
    reasons: set[str | None] = field(default_factory=set)
    _kinds: dict[tuple[str, tuple[str, ...]], _Kind] = field(default_factory=dict)

    def enter(self, judged: RecordVerdict) -> None:
        """Count one record."""
        self.records += 1
        if judged.shown is not None and (seen := observation_of(judged.shown)) is not None:
            self.shown.append(seen)
        if (wrong := judged.wrong) is None:
            return
        self.wrong += 1
        if len(self.reasons) < _SEVERAL:
            self.reasons.add(reason_of(wrong))
        key = judged.operation, tuple(one.field for one in wrong.differences) or (UNCLEAR,)
        if key not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            return
        self._kinds.setdefault(key, _Kind(*key, wrong, judged.size)).enter(wrong, judged.size)

    @property
    def sole_reason(self) -> str | None:
        """Why all records are wrong, where it is one reason for several of them."""
        return next(iter(self.reasons)) if self.records == self.wrong > len(self.reasons) == 1 else None

    def groups(self) -> list[Unexplained]:
        """Return what is wrong by operation and fields, most records first, each with its lines and smallest deal."""
        found = [
            Unexplained(kind.operation, kind.fields, kind.count, _example(kind.smallest), tuple(kind.places))
            for kind in self._kinds.values()
        ]
        return sorted(found, key=lambda one: (-one.count, one.operation, one.fields))

    def again(self) -> Iterator[tuple[tuple[str, ...], Observation]]:
        """Yield a few wrong records of each kind, one of each first, with the operation and the fields of the kind."""
        kinds = sorted(self._kinds.values(), key=lambda kind: -kind.count)
        for turn in range(_AGAIN):
            for kind in kinds:
                if turn < len(kind.again):
                    yield (kind.operation, *kind.fields), kind.again[turn]

    def repeated(self) -> set[tuple[str, ...]]:
        """Return the kinds of which several records are wrong: hardly slips."""
        return {(kind.operation, *kind.fields) for kind in self._kinds.values() if kind.count > 1}


def judged_by(rules: Profile, lines: Iterable[LogLine], watched: frozenset[str], jobs: int, told: Told) -> WholeLog:
    """Judge all records of a log by some rules as ``belot audit`` does; raises ``SpecError`` at a faulty line."""
    found = WholeLog()
    with closing(judged_records(lines, rules, jobs, watched)) as judged:
        for one in judged:
            found.enter(one)
            if told is not None:
                told(one.size)
    return found


def observation_of(of: Record | Verdict) -> Observation | None:
    """Return the answer that a record holds, or one that was judged wrong; ``None`` if it holds none."""
    one = of if isinstance(of, Record) else of.planned.case
    came: Mapping[str, Any] = of.came.message() if isinstance(of.came, Reply) else of.came or {}
    for kind, value in came.items():
        return Observation(one.id, one.operation, one.input, kind, value, is_partial=True)
    return None


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


_SEED: Final = 7


class NoAnswersError(BelotError):
    """A log of which no record holds an answer."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was found in a log of so many ``records``, of which all were judged and ``looked_at`` were searched.

    The groups of ``found`` are of all records, of which so many are ``wrong``. ``operations`` are those of the records
    searched, ``unseen`` the rules that none of them shows. ``reason`` is why all are wrong, if it is one for them all.
    ``named`` is the profile that the records name, ``None`` where they name none, or not all the same one.
    """

    found: Identified
    records: int
    wrong: int
    looked_at: int
    operations: frozenset[str]
    unseen: tuple[str, ...]
    reason: str | None
    named: str | None


def identify_records(
    path: Path, profile: str | None, reference: Reference, jobs: int = 1, seconds: float = inf
) -> Recorded:
    """Search for the rules of a log, around a profile or among all variants, and judge every record by those found.

    Each of the few searches, of more and more records, may take so many seconds; reading and judging are not counted.
    Raises ``SpecError`` for a faulty line, ``NoAnswersError`` if no record holds an answer.
    """
    if str(path) == STDIN or path.is_fifo():
        raise BelotError(f"{path}: the records are read more than once here; give an ordinary file that holds them")
    size, budget = path.stat().st_size if path.is_file() else 0, replace(BUDGET, seconds=seconds)
    with counting_bar(_READING, size) as advance:
        drawn = _drawn(lines_of(path), budget.drawn, advance)
    search = _LogSearch(reference, None if profile is None else reference.profile(profile), jobs, budget)
    with waiting(_SEARCHING):
        if not search.begin(drawn):
            raise NoAnswersError(f"{path}: no record holds a result, so that nothing says what was played")
        search.tell_apart(drawn)
    with counting_bar(_HOLDING, sum(len(line.text) for line in drawn)) as advance:
        search.settle(lambda: sorted(drawn, key=lambda line: line.number), advance)
    with counting_bar(_JUDGING, size) as advance:
        whole = search.settle(lambda: lines_of(path), advance)
    return search.told(whole)


_READING: Final = "reading the log"
_SEARCHING: Final = "searching for the rules that were played"
_HOLDING: Final = "holding them against other records"
_JUDGING: Final = "judging every record"


def _drawn(lines: Iterable[LogLine], most: int, told: Told) -> list[LogLine]:
    """Return some lines that hold an answer, by lot and in the order of the lot; what they hold is not read yet."""
    random, kept, number = Random(_SEED), list[LogLine](), 0
    for line in lines:
        if told is not None:
            told(len(line.text))
        if b'"result"' not in line.text and b'"rejected"' not in line.text:
            continue
        number += 1
        if len(kept) < most:
            kept.append(line)
        elif (place := random.randrange(number)) < most:
            kept[place] = line
    random.shuffle(kept)
    return kept


@dataclass
class _LogSearch:
    """One search of a log; ``named`` are the rules to search around, ``by_lines`` the profile that the records name.

    ``odd`` are records that speak for no rule, ``tried`` the kinds of wrong records for which no rule was found, and
    ``idle`` is how often nothing was found.
    """

    reference: Reference
    named: Profile | None
    jobs: int
    budget: IdentifyBudget
    seen: dict[str, Observation] = field(default_factory=dict)
    odd: set[str] = field(default_factory=set)
    tried: set[tuple[str, ...]] = field(default_factory=set)
    idle: int = 0
    searching: Identification = field(init=False)
    found: Identified = field(init=False)
    unseen: frozenset[str] = field(init=False)
    by_lines: ProfileName | None = field(init=False)

    @property
    def _patient(self) -> IdentifyBudget:
        return replace(self.budget, patience=self.budget.log_patience)

    def begin(self, drawn: Sequence[LogLine]) -> bool:
        """Search the first records that were drawn; say whether there are any that hold an answer."""
        spec = self.reference.spec
        self.by_lines = _sole_profile(drawn, spec)
        for record in map(record_of, islice(drawn, self.budget.searched)):
            if (one := observation_of(record)) is not None:
                self.seen[one.id] = one
        if not self.seen:
            return False
        self.searching = self._search(None)
        named = self.named or (None if self.by_lines is None else spec.profile(self.by_lines))
        self.found = self.searching.around([named or self.searching.likeliest()])
        if self.named is None and len(self.found.wrong) > self.budget.log_far * len(self.seen):
            self.found = self.searching.anywhere([] if self.by_lines is None else [spec.profile(self.by_lines)])
        if self.named is None:
            # The same rules, told from the nearest game.
            self._search_on(is_more=False)
        self.unseen = frozenset(self.searching.unseen().rules)
        return True

    def _search(self, before: Identification | None) -> Identification:
        declared = [] if self.by_lines is None else [self.by_lines]
        seen = list(self.seen.values())
        return Identification(seen, self.reference.spec, before, budget=self._patient, declared=declared)

    def tell_apart(self, drawn: Sequence[LogLine]) -> None:
        """Look for records that tell the rules found from what fits equally, and search on with them."""
        others = list(islice(_fitting_equally(self.found, self.reference.spec), self.budget.log_others))
        further = [
            one
            for one in map(observation_of, map(record_of, drawn[self.budget.searched : self.budget.log_telling]))
            if one is not None
        ]
        rules, before = compile_profile(self.found.played[0]), len(self.seen)
        for other in others:
            telling = (one for one in further if _wrong_by(one, other) != _wrong_by(one, rules))
            self.seen |= {one.id: one for one in islice(telling, 1)}
        if len(self.seen) > before:
            self._search_on(is_more=True)

    def settle(self, lines: Callable[[], Iterable[LogLine]], told: Told) -> WholeLog:
        """Judge records by the rules found, and search on with those worth another look until nothing changes."""
        judged = self._judged(lines, told)
        for _ in range(self.budget.log_rounds):
            self._see(judged.shown)
            before = self.searching, self.found, self.unseen, dict(self.seen)
            if not (kinds := self._untried(judged)):
                break
            self.tried |= kinds
            self._search_on(is_more=judged.records > len(self.seen))
            if not (steps := _differing(before[1].played[0], self.found.played[0])):
                self.idle += 1
                continue
            after = self._judged(lines, None)
            if judged.wrong - after.wrong < self.budget.log_fewest * steps:
                self.searching, self.found, self.unseen, self.seen = before
                continue
            judged, self.tried = after, set()
        return judged

    def told(self, whole: WholeLog) -> Recorded:
        """Return what was found, with all records that it does not explain."""
        operations = frozenset(one.operation for one in self.seen.values())
        found = replace(self.found, groups=whole.groups())
        unseen = tuple(rule for rule in self.reference.spec.rules if rule in self.unseen)
        wrong, reason = whole.wrong, whole.sole_reason
        return Recorded(found, whole.records, wrong, len(self.seen), operations, unseen, reason, self.by_lines)

    def _judged(self, lines: Callable[[], Iterable[LogLine]], told: Told) -> WholeLog:
        return judged_by(self.found.played[0], lines(), self.unseen, self.jobs, told)

    def _see(self, shown: Sequence[Observation]) -> None:
        """Look at right records that read rules which nothing showed before."""
        further = [one for one in shown if one.id not in self.seen and one.id not in self.odd]
        if further:
            self.unseen = frozenset(self.searching.unseen_in(further, self.unseen))
            self.seen |= {one.id: one for one in further}

    def _untried(self, judged: WholeLog) -> set[tuple[str, ...]]:
        """Look at wrong records of the kinds for which no rule was searched yet; return these kinds.

        A kind of which there are several is searched again: what was worked out is not worked out once more.
        """
        kinds, added = set[tuple[str, ...]](), dict[str, Observation]()
        for kind, one in judged.again():
            if len(added) < self.budget.added and kind not in self.tried and one.id not in self.odd:
                kinds.add(kind)
                added[one.id] = one
        if added.keys() <= self.seen.keys():
            return judged.repeated() if self.idle < self.budget.idle else set()
        self.seen |= added
        return kinds

    def _search_on(self, *, is_more: bool) -> None:
        """Search all records looked at, leaving out those that alone speak for a rule, if the log holds others."""
        known = {finding.rule for finding in self.found.findings}
        while True:
            searching = self._search(self.searching)
            found = searching.onwards(is_named=self.named is not None)
            new = [finding for finding in found.findings if finding.rule not in known]
            lonely = {_only_record(finding, found) for finding in new if len(finding.right) == 1}
            if not is_more or not lonely:
                self.searching, self.found, self.unseen = searching, found, frozenset(searching.unseen().rules)
                return
            self.odd |= lonely
            self.seen = {name: one for name, one in self.seen.items() if name not in lonely}


def _sole_profile(lines: Iterable[LogLine], spec: Spec) -> ProfileName | None:
    """Return the profile that all records name which name one; ``None`` if none does, or they do not agree."""
    named = set[ProfileName]()
    for line in lines:
        with suppress(orjson.JSONDecodeError):
            data = orjson.loads(line.text)
            if isinstance(data, Mapping) and isinstance(name := data.get("profile"), str):
                named.add(ProfileName(name))
    sole = next(iter(named)) if len(named) == 1 else None
    return None if sole is None or not is_known(sole, spec) else ProfileName(spec.profile(sole).id)


def _fitting_equally(found: Identified, spec: Spec) -> Iterator[Ruleset]:
    """Yield the rules that explain the same records: another value of a rule that was found, or another rule."""
    played, base = found.played[0], found.bases[0].settings
    for finding in found.findings:
        steps = [{finding.rule: value} for value in finding.values]
        own = {finding.rule: base[finding.rule].value} if finding.rule in base else {}
        steps += [{**own, one.rule: one.value} for one in finding.alike]
        for step in steps:
            with suppress(UnplayableError):
                yield compile_profile(changed_profile(played, step, spec))


def _wrong_by(one: Observation, rules: Ruleset) -> tuple[str, ...]:
    return one.wrong_fields(put(one.operation, rules, one.input).message())


def _only_record(finding: RuleFinding, found: Identified) -> str:
    return found.observations[finding.right[0]].id


def _differing(one: Profile, other: Profile) -> int:
    """Return in how many rules two profiles differ."""
    texts = [{rule: canonical(setting.value) for rule, setting in each.settings.items()} for each in (one, other)]
    return sum(texts[0].get(rule) != texts[1].get(rule) for rule in texts[0].keys() | texts[1].keys())
