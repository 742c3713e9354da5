"""Which rules were played by whoever made a log: searched for in some of its records, then held against all of them.

Nothing more can be asked of whoever made a log. But all that it holds can be looked at: some records of each kind that
is wrong by the rules found are searched too. A rule that only a single record speaks for, of a log that is longer than
what was searched, is no rule: that record is wrong.
"""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count, islice, repeat
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final, NamedTuple, TypeVar

from belot_conformance.explain.answers import Answered
from belot_conformance.explain.budget import BUDGET, Budget, Clock
from belot_conformance.explain.explanation import Example, Explanation, Unexplained, example, explain
from belot_conformance.explain.lab import Changes
from belot_conformance.explain.nearest import nearest
from belot_conformance.house_suite.planning import is_known
from belot_conformance.logs.audit import Read, RecordVerdict, judged_on_cluster, judged_records, reason_of
from belot_conformance.logs.records import STDIN, LogLine, Record, lines_of, record_of
from belot_conformance.logs.shares import LogShare, ShareLines, answers_in, has_answer, named_in, shares_of
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.progress import Advance, counting_bar, waiting
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.dealt import settling_of
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import OTHER_KIND
from belot_conformance.suite.verdicts import Verdict
from belot_reference.action import action_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.deal import open_deal
from belot_reference.replay import apply_all
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile

_SEED: Final = 55
# So many records tell which variants are likely where nobody says it; by the first of so many that are tried no more
# than so large a share of them are wrong in the end.
_PROBES: Final = 24
_BASES: Final = 3
_FAR: Final = 0.3
# So many wrong records of each kind are named; of a log by other rules than these only so many kinds are told apart.
_NAMED: Final = 10
_MOST_KINDS: Final = 500
# Wrong answers whose values are tried in one step: whole deals read many rules.
_ABREAST: Final = 3
# What cannot be asked by the rules at all is not wrong in a field.
UNCLEAR: Final = "input"

Lines = Callable[[], Iterable[LogLine]]
# What does the work of shares, and what judges every record.
By = Callable[[Callable[[LogShare], Any], Iterable[LogShare]], Iterable[Any]]
Judging = Callable[..., Generator[RecordVerdict, None, None]]
_Kept = TypeVar("_Kept")
# A share by its number, and a record that holds an answer by its place in it.
_Place = tuple[int, int]
_Kind = tuple[str, tuple[str, ...]]


class NoAnswersError(BelotError):
    """A log of which no record holds an answer."""


# All records


@dataclass
class Recorded:
    """What the records of a log are by the rules ``found`` in ``looked_at`` of them, which name a profile.

    Of each kind that is wrong it holds how many are, the first, and the smallest; ``shown`` are some that read rules
    which were watched for.
    """

    found: Explanation
    looked_at: int
    named: ProfileName | None
    records: int = 0
    wrong: int = 0
    shown: list[Record] = field(default_factory=list)
    _kinds: Counter[_Kind] = field(default_factory=Counter)
    _first: dict[_Kind, list[Verdict]] = field(default_factory=dict)
    _smallest: dict[_Kind, tuple[int, Verdict]] = field(default_factory=dict)
    _reasons: set[str | None] = field(default_factory=set)

    def as_json(self, name: str) -> dict[str, Any]:
        """Return what is said of the records of a log of this name, also why all are wrong if it is one reason."""
        told = {"file": name, "judged": self.records, "wrong": self.wrong, "searched": self.looked_at}
        is_one = self.records == self.wrong > len(self._reasons) == 1
        return {**told, "reason": reason} if is_one and (reason := next(iter(self._reasons))) else told

    def enter(self, judged: RecordVerdict) -> None:
        """Count one record."""
        self.records += 1
        self.shown += [judged.shown] if judged.shown is not None else []
        if (wrong := judged.wrong) is None:
            return
        key = judged.operation, tuple(one.field for one in wrong.differences) or (UNCLEAR,)
        self.wrong += 1
        if len(self._reasons) < 2:
            self._reasons.add(reason_of(wrong))
        if key not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            return
        self._kinds[key] += 1
        if self._kinds[key] <= _NAMED:
            self._first.setdefault(key, []).append(wrong)
        self._smallest[key] = min(
            self._smallest.get(key, (judged.size, wrong)), (judged.size, wrong), key=lambda one: one[0]
        )

    def again(self, of_sample: Sequence[Unexplained], each: int) -> Iterator[Answered]:
        """Yield a few wrong records of each kind, one of each first, those of which most are wrong before others.

        Of kinds of which the sample holds as many nothing more is found.
        """
        many = {(one.operation, one.fields) for one in of_sample if one.count >= each}
        for turn in range(each):
            for kind, _ in self._kinds.most_common():
                yield from (_answered(one) for one in self._first[kind][turn : turn + 1] if kind not in many)

    def groups(self, of_sample: Sequence[Unexplained]) -> list[Unexplained]:
        """Return what is wrong by operation and fields, with what the wrong ones of the sample have in common."""
        sample = {(one.operation, one.fields): one for one in of_sample}
        return [
            Unexplained(
                *key,
                count,
                _example(self._smallest[key][1]),
                sample[key].shared if key in sample else None,
                tuple(one.planned.case.id for one in self._first[key]),
                tried=key in sample and sample[key].tried and sample[key].count == count,
                known=sample[key].known if key in sample else (),
            )
            for key, count in sorted(self._kinds.items(), key=lambda kind: (-kind[1], kind[0]))
        ]


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
    return example(Answered(case.operation, case.input, case.id, came), said, case.note)


class Audited(NamedTuple):
    """What an audit read of a log: how many records, the profiles of wrong ones, and the lines that are no records."""

    records: int | None = None
    wrong: Collection[ProfileName] = ()
    faulty: Collection[tuple[Path, int]] = ()


def explain_records(
    paths: Sequence[Path],
    profile: str | None,
    reference: Reference,
    budget: Budget = BUDGET,
    audited: Audited = Audited(),  # noqa: B008  a tuple, which nobody changes
    by: By | None = None,
) -> list[Recorded]:
    """Search for the rules of a log, by one profile or for each that its records name, and judge every record by them.

    Where records name none and nobody does, it is searched around the likeliest variant. The searches share the
    seconds; reading and judging are not counted. Of what was ``audited`` no other record is read, and where these name
    several profiles, those with wrong ones are looked at. Where a cluster does the work of shares (``by``), all records
    are read and judged there, and searched here. Raises ``SpecError`` for a faulty line that no audit named,
    ``NoAnswersError`` if no record holds an answer.
    """
    for path in paths:
        if not is_read_again(path):
            raise BelotError(f"{path}: the records are read more than once here; give an ordinary file that holds them")

    def lines() -> Iterator[LogLine]:
        every = chain.from_iterable(lines_of(path, profile) for path in paths)
        return islice((one for one in every if (one.path, one.number) not in audited.faulty), audited.records)

    size = sum(path.stat().st_size for path in paths if path.is_file())
    with counting_bar("reading the log", size) as advance:
        if by is None:
            drawn = _drawn(lines(), advance, budget.records, by_name=profile is None)
        else:
            drawn = _drawn_of_shares(paths, profile, by, budget.records)
    if not drawn:
        raise NoAnswersError(f"{paths[0]}: no record holds a result, so that nothing says what was played")
    is_one = len(drawn) == 1
    drawn = {name: some for name, some in drawn.items() if is_one or not audited.wrong or name in audited.wrong}
    each = replace(budget, seconds=budget.seconds / len(drawn), abreast=_ABREAST)
    found: list[Recorded] = []
    for name, some in drawn.items():
        # One name is that of the records that name none too.
        of_name: Lines = lines if is_one else lambda name=name: (one for one in lines() if named_in(one) == name)  # type: ignore[misc]
        named = name if name is not None and is_known(name, reference.spec) else None
        judging = None
        if by is not None:
            judging = partial(judged_on_cluster, paths, by=by, read=Read(profile, None if is_one else (name,)))
        with waiting("searching for the rules that were played"):
            answers = [*map(_answered, map(record_of, some))]
            search = _Search(
                reference, each, of_name, answers, None if profile is None else reference.profile(profile), named
            )
            search.judging = judging or search.judging
        with counting_bar("judging every record", size) as advance:
            found.append(search.settled(advance))
    return found


def is_read_again(path: Path) -> bool:
    """Say whether the records of a file can be read more than once."""
    return str(path) != STDIN and not path.is_fifo()


def _drawn(
    lines: Iterable[LogLine], told: Advance, most: int, *, by_name: bool
) -> dict[ProfileName | None, list[LogLine]]:
    """Return some lines that hold an answer by lot, for each profile that they name; nothing of them is read yet.

    Where all that name one name the same one, those that name none are of it too.
    """
    random, kept, counts = Random(_SEED), dict[ProfileName | None, list[LogLine]](), Counter[ProfileName | None]()
    for line in lines:
        told(len(line.text))
        if has_answer(line):
            name = named_in(line) if by_name else None
            some = kept.setdefault(name, [])
            counts[name] += 1
            if len(some) < most:
                some.append(line)
            elif (place := random.randrange(counts[name])) < most:
                some[place] = line
    return _of_one_name(kept, random, most)


def _of_one_name(
    kept: dict[ProfileName | None, list[_Kept]], random: Random, most: int
) -> dict[ProfileName | None, list[_Kept]]:
    if None in kept and len(kept) == 2:
        name = next(filter(None, kept))
        kept = {name: [*kept[name], *kept[None]]}
    return {name: random.sample(some, min(most, len(some))) for name, some in kept.items()}


def _drawn_of_shares(
    paths: Sequence[Path], profile: str | None, by: By, most: int
) -> dict[ProfileName | None, list[LogLine]]:
    """Return the lines that ``_drawn`` does: which ones hangs on how many there are, and these alone are read here."""
    random, kept, counts = Random(_SEED), dict[ProfileName | None, list[_Place]](), Counter[ProfileName | None]()
    shares, begins, before = [*shares_of(paths)], list[int](), 0
    for number, found in enumerate(by(partial(answers_in, profile, profile is None), shares)):
        before = before if number and shares[number].path == shares[number - 1].path else 0
        begins.append(before)
        before += found.lines
        at = count()
        for name in chain.from_iterable(repeat(name, times) for name, times in found.runs):
            some, place_in_share = kept.setdefault(name, []), next(at)
            counts[name] += 1
            if len(some) < most:
                some.append((number, place_in_share))
            elif (place := random.randrange(counts[name])) < most:
                some[place] = (number, place_in_share)
    chosen = _of_one_name(kept, random, most)
    wanted = {place for some in chosen.values() for place in some}
    lines: dict[_Place, LogLine] = {}
    for number in sorted({number for number, _ in wanted}):
        answers = filter(has_answer, ShareLines(shares[number], profile))
        for at_place, line in enumerate(answers):
            if (number, at_place) in wanted:
                lines[number, at_place] = replace(line, number=line.number + begins[number])
    return {name: [lines[place] for place in some] for name, some in chosen.items()}


def _answered(of: Record | Verdict) -> Answered:
    """Return a record, or one that was judged wrong, as evidence; one without an answer says that it was played so."""
    one = of if isinstance(of, Record) else of.planned.case
    came = of.came.message() if isinstance(of.came, Reply) else of.came
    return Answered(one.operation, one.input, one.id, came or {"result": {}}, is_partial=True)


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
    state = apply_all(rules, open_deal(rules, one.input), actions, automatic=automatic)
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
    return Answered(operation, asked, one.id, {"result": came}, is_partial=True)


# The search


class _Search:
    """One search of the records that name one profile, or of all: around the rules that are wanted or named.

    It is of a part of a log that holds more than was ``drawn``.
    """

    def __init__(
        self,
        reference: Reference,
        budget: Budget,
        lines: Lines,
        drawn: Sequence[Answered],
        wanted: Profile | None,
        named: ProfileName | None,
    ) -> None:
        self.reference, self.budget, self.drawn, self.named = reference, budget, drawn, named
        self.judging: Judging = lambda **how: judged_records(lines(), **how)
        self.seen, self.is_part, self.left = (
            {one.id: one for one in drawn},
            len(drawn) == budget.records,
            budget.seconds,
        )
        names = [*map(ProfileName, reference.spec.playable())] if named is None else [named]
        self.declared = None if wanted is not None else names
        own = wanted or (None if named is None else reference.profile(named))
        is_own = own is not None and (wanted is not None or self._is_of(own))
        bases = [own] if own is not None and is_own else nearest(drawn[:_PROBES], reference)[:_BASES]
        tried: list[tuple[int, int, Explanation]] = []
        for number, self.base in enumerate(bases):
            found = self._explained({}, 1 / (len(bases) - number))
            tried.append((len(found.wrong), len(found.findings), found))
            if len(found.wrong) <= _FAR * len(drawn):
                break
        self.found = min(tried, key=lambda one: one[:2])[2]
        self.base = bases[0] if is_own else self.found.base

    def _is_of(self, own: Profile) -> bool:
        """Say whether some records can be of a game: most of their deals can be played by its rules."""
        rules, few = compile_profile(own), self.drawn[:_PROBES]
        return 2 * sum(one.kind in put(one.operation, rules, one.input).message() for one in few) >= len(few)

    def settled(self, told: Advance) -> Recorded:
        """Judge all records, and search on with wrong ones of each kind as long as fewer are wrong by what is found."""
        judged = self._judged(told)
        for _ in range(self.budget.rounds):
            again = judged.again(self.found.groups, self.budget.confirming)
            further = islice((one for one in again if one.id not in self.seen), self.budget.records // 5)
            before, seen, more = self.found, self.seen, {one.id: one for one in further}
            if self.left <= 0 or not (more or before.is_cut):
                break
            self.seen = {**seen, **more}
            self.found = self._explained(self._changes(before), 1)
            after = judged if self._changes(self.found) == self._changes(before) else self._judged(lambda _: None)
            if after.wrong >= judged.wrong:
                self.found, self.seen = (before, seen) if after is not judged else (self.found, self.seen)
                break
            judged = after
        judged.found = replace(
            self.found,
            groups=judged.groups(self.found.groups),
            unsupported=(),
            seconds=min(self.budget.seconds, self.budget.seconds - self.left),
            spoiled={},
            unseen=self._unseen([*self.seen.values(), *judged.shown]),
        )
        judged.looked_at = len(self.seen)
        return judged

    def _explained(self, begin: Changes, share: float) -> Explanation:
        """Search for what explains how the deals were settled, which is worked out sooner, then the whole deals."""
        seconds, played = self.left * share, {slot[0]: value for slot, value in begin.items()}
        rules = compile_profile(changed_profile(self.base, played, self.reference.spec))
        settled = [part for one in self.seen.values() for part in _settled(rules, one) if part.value]
        if settled:
            begin = {**begin, **self._changes(self._search(settled, begin, seconds / 3, None))}
        return self._search([*self.seen.values()], begin, seconds * (1 / 2 if self.is_part else 1), self.declared)

    def _search(
        self, answers: Sequence[Answered], begin: Changes, seconds: float, declared: Sequence[ProfileName] | None
    ) -> Explanation:
        began, clock = process_time(), Clock(min(seconds, self.left))
        found = explain(
            [self.base], answers, self.reference.spec, budget=self.budget, clock=clock, begin=begin, declared=declared,
            alone=not self.is_part,
        )  # fmt: skip
        self.left -= process_time() - began
        return found

    def _changes(self, found: Explanation) -> Changes:
        """Return what is played otherwise than by the rules searched around."""
        own = self.base.settings
        return {
            (rule, canonical(own[rule].value) if rule in own else ""): one.value
            for rule, one in found.played[0].settings.items()
            if rule not in own or not self.base.plays(rule, one.value)
        }

    def _judged(self, told: Advance) -> Recorded:
        found, watched = (
            Recorded(self.found, len(self.seen), self.named),
            frozenset(self._unseen([*self.seen.values()])),
        )
        with closing(self.judging(profile=self.found.played[0], watched=watched)) as every:
            for one in every:
                found.enter(one)
                told(one.size)
        return found

    def _unseen(self, records: Sequence[Answered | Record]) -> tuple[str, ...]:
        """Return the rules of what is played that none of some records reads."""
        rules = compile_profile(self.found.played[0])
        read = frozenset[str]().union(*(put(one.operation, rules, one.input).rests_on for one in records))
        return tuple(one for one in self.reference.spec.rules if one in rules.profile.settings and one not in read)
