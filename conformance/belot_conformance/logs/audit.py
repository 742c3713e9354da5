"""Judging records of deals and matches: every deal by the rules, and every match by what follows from its deals."""

import pickle
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, Final, NamedTuple

from belot_conformance.logs.records import LogLine, Record, check_names, record_of
from belot_conformance.logs.shares import LogShare, ShareLines, named_in, shares_of
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.questions.dealt import bidding_of, with_hands
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import OTHER_KIND, Difference, Expectation, as_far_as_told, differences, same
from belot_conformance.suite.verdicts import Planned, Verdict
from belot_reference.compile import Ruleset
from belot_reference.counting import tricks_won
from belot_reference.errors import BadQuestionError, NotYourTurn
from belot_reference.match import Match, book_ended, start_match, with_totals
from belot_reference.operations import Answer, answer, result_of
from belot_reference.questions import contract_named
from belot_reference.replay import deal_of_tricks
from belot_reference.scoring import Settlement, Tally, settle
from belot_spec.catalogue import same_text
from belot_spec.errors import SpecError, UnknownNameError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile
from belot_spec.words import English

# In the place of a field, where the next lead says that somebody else won a trick.
TRICK_WINNER: Final = "trick winner"
# A log has no more matches under way at one time; of those that were given up the oldest are forgotten.
_MOST_MATCHES: Final = 10_000


@dataclass(frozen=True, slots=True)
class AuditedDeal:
    """One deal of a match: its record, the profile by which it is judged, and what the rules make of it."""

    record: Record
    profile: ProfileName
    result: Mapping[str, Any] | None


class Follower:
    """Keeps the matches that are under way."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference
        self._matches: OrderedDict[tuple[str, str | None], Match] = OrderedDict()

    def broken(self, deal: AuditedDeal) -> list[Difference]:
        """Return what does not follow from the deals before it, and go on from what this deal says itself."""
        rules, asked, said = self._reference.ruleset(deal.profile), deal.record.input, deal.record.totals
        key = (deal.profile, deal.record.match)
        known = self._matches.pop(key, None)
        match = known or replace(start_match(rules, asked["dealer"]), played=asked.get("played", 0))
        before = tuple(asked.get("totals", match.totals))
        found = []
        if known is not None and before != match.totals:
            found.append(Difference("totals before", list(match.totals), list(before)))
        if asked["dealer"] != match.dealer:
            found.append(Difference("dealer", match.dealer, asked["dealer"]))
        if (match.totals, match.dealer) != (before, asked["dealer"]):
            match = replace(match, totals=before, dealer=asked["dealer"])
        if deal.result is None or match.is_over:
            return found
        match = _booked(rules, match, deal.result)
        # What stood on the sheet when somebody won in mid-play is written in many ways.
        if said is not None and said != match.totals and deal.result["ended"] in ("played", "passed"):
            found.append(Difference("totals", list(match.totals), list(said)))
            match = with_totals(rules, match, said)
        if not match.is_over:
            self._matches[key] = match
            if len(self._matches) > _MOST_MATCHES:
                self._matches.popitem(last=False)
        return found


def _booked(rules: Ruleset, match: Match, result: Mapping[str, Any]) -> Match:
    settlement, contract, tallies = None, None, list[Tally]()
    if result["ended"] == "played":
        counted, points, score, written = (tuple(result[name]) for name in ("counted", "points", "score", "written"))
        contract, tallies = contract_named(rules, result), tallies_of(rules, result)
        # What a side had of each kind, which no answer tells, matters nowhere else.
        sums = settle(rules, contract, tallies).sums if _may_end_by_belote(rules, match, points, score) else ()
        settlement = Settlement(counted, result["outcome"], points, score, result["held"], written, sums)
    return book_ended(rules, match, settlement, contract, result.get("winner"), tallies)[0]


def tallies_of(rules: Ruleset, result: Mapping[str, Any]) -> list[Tally]:
    """Return what each side brought in, from the result of a deal that was played."""
    tricks = tricks_won(rules, [trick["winner"] for trick in result["tricks"]])
    kinds = (result[kind] for kind in ("cards", "declarations", "outranked", "belote"))
    return [Tally(cards, won, *others) for cards, won, *others in zip(next(kinds), tricks, *kinds, strict=True)]


def _may_end_by_belote(rules: Ruleset, match: Match, points: Sequence[int], score: Sequence[int]) -> bool:
    """Say whether a match may end by belote: a side reaches the target, whichever points of the deal are written."""
    if not rules.has_amounts:
        return False
    most = max(before + max(own) for before, *own in zip(match.totals, points, score, strict=True))
    return bool(most + match.held >= rules.given("match.target"))


SHARE: Final = 250
# Records shown of each rule that is watched for.
SHOWN: Final = 6
words: Final = English(__name__, "audit")


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """What became of one record: what is wrong with it, if anything, and what a match goes on from.

    ``size`` is the length of its line in bytes. ``shown`` is the record itself where it ``read`` rules that were
    watched for.
    """

    operation: str
    profile: ProfileName
    size: int
    wrong: Verdict | None
    deal: AuditedDeal | None
    shown: Record | None = None
    read: tuple[str, ...] = ()


def judged_records(
    lines: Iterable[LogLine],
    profile: Profile | str | None,
    jobs: int = 1,
    watched: frozenset[str] = frozenset(),
    faulty: Callable[[SpecError], object] | None = None,
) -> Generator[RecordVerdict, None, None]:
    """Yield what becomes of each record, in order, as they come.

    ``faulty`` is called with the error of a line that is no record, and says whether that is enough; without it that
    ``SpecError`` is raised.
    With a profile every record is judged by it, whatever it says. Of rules that are ``watched`` for, a few records that
    read each are shown. Only what is being judged, and the matches that are not over, are in memory.
    """
    coming = iter(lines)
    shares = iter(lambda: list(islice(coming, SHARE)), [])
    every = in_processes(Judge.judged_share, shares, jobs, partial(Judge, profile, watched))
    yield from _as_they_follow(chain.from_iterable(every), profile, faulty)


def judged_on_cluster(
    paths: Iterable[Path],
    profile: Profile | str | None,
    by: Callable[[Callable[["LogShare"], "ShareVerdicts"], Iterable["LogShare"]], Iterable["ShareVerdicts"]],
    watched: frozenset[str] = frozenset(),
    faulty: Callable[[SpecError], object] | None = None,
    read: "Read | None" = None,
) -> Generator[RecordVerdict, None, None]:
    """Yield what ``judged_records`` does of all lines of some files, each share of which a worker reads for itself.

    ``by`` gives what is returned for each share, in order: the cluster, or whoever else can do the work.
    """
    read = read or Read(profile if isinstance(profile, str) else None)
    every = by(partial(judge_share, profile, read, watched), shares_of(paths))
    yield from _as_they_follow(_of_shares(every, watched), profile, faulty)


def _as_they_follow(
    every: Iterable["RecordVerdict | SpecError"],
    profile: Profile | str | None,
    faulty: Callable[[SpecError], object] | None,
) -> Iterator["RecordVerdict"]:
    """Yield verdicts with what does not follow from the deals before; stop where ``faulty`` says that it is enough."""
    judge = Judge(profile)
    follower = Follower(judge.reference)
    for judged in every:
        if isinstance(judged, SpecError):
            if faulty is None:
                raise judged
            if faulty(judged):
                return
            continue
        followed = judged if judged.deal is None else _followed(follower, judged, judged.deal)
        if judge.own is not None and (wrong := followed.wrong) is not None:
            # Explained in the words of the tester's rules, which nobody else knows by name.
            followed = replace(followed, wrong=replace(wrong, planned=replace(wrong.planned, rules=judge.own)))
        yield followed


class Read(NamedTuple):
    """What is read: deals in the notation that name no rules by a ``profile``, records of these ``names`` or of any."""

    profile: str | None
    names: tuple[ProfileName | None, ...] | None = None


class Right(NamedTuple):
    """Records that are right, one after the other, of which nobody need know more: how many, and their bytes."""

    operation: str
    profile: ProfileName
    number: int
    size: int


class ShareVerdicts(NamedTuple):
    """What became of the records of a share: its file, how many lines of it were read, and the verdicts in order."""

    path: Path
    lines: int
    found: list["Right | RecordVerdict | SpecError"]


@lru_cache(maxsize=4)
def _judge_of(packed: bytes, watched: frozenset[str]) -> "Judge":
    """Return what judges by a profile: a worker makes it once."""
    return Judge(pickle.loads(packed), watched)


def judge_share(profile: Profile | str | None, read: Read, watched: frozenset[str], share: LogShare) -> ShareVerdicts:
    """Return what becomes of the records of a share, the lines of which are counted from its beginning."""
    judge, lines = _judge_of(pickle.dumps(profile), watched), ShareLines(share, read.profile)
    judge.watch(watched)
    found: list[Right | RecordVerdict | SpecError] = []
    for line in lines:
        if read.names is not None and named_in(line) not in read.names:
            continue
        (one,) = judge.judged_share([line])
        last = found[-1] if found else None
        if isinstance(one, SpecError) or one.wrong or one.deal or one.shown:
            found.append(one)
        elif isinstance(last, Right) and last[:2] == (one.operation, one.profile):
            found[-1] = last._replace(number=last.number + 1, size=last.size + one.size)
        else:
            found.append(Right(one.operation, one.profile, 1, one.size))
    return ShareVerdicts(share.path, lines.count, found)


def _of_shares(every: Iterable[ShareVerdicts], watched: frozenset[str]) -> "Iterator[RecordVerdict | SpecError]":
    """Yield the verdicts of shares in order, with the numbers that lines have in their files."""
    path, before, left = None, 0, dict.fromkeys(watched, SHOWN)
    for share in every:
        before = before if share.path == path else 0
        path = share.path
        for one in share.found:
            if isinstance(one, Right):
                each = RecordVerdict(one.operation, one.profile, one.size // one.number, None, None)
                yield from repeat(each, one.number)
            elif isinstance(one, SpecError):
                yield SpecError(replace(problem, line=problem.line + before) for problem in one.problems)
            else:
                yield _moved(_shown_of(one, left), before)
        before += share.lines


def _shown_of(judged: "RecordVerdict", left: dict[str, int]) -> "RecordVerdict":
    """Return a verdict that shows its record only if few before it, of all shares, read a rule that is watched for."""
    if judged.shown is None:
        return judged
    read = [rule for rule in judged.read if left[rule]]
    for rule in read:
        left[rule] -= 1
    return judged if read else replace(judged, shown=None)


def _moved(judged: "RecordVerdict", lines: int) -> "RecordVerdict":
    """Return a verdict on a record that stands so many lines further on."""
    if not lines:
        return judged
    if (wrong := judged.wrong) is not None:
        case = wrong.planned.case
        line = (case.line or 0) + lines
        case = replace(case, line=line, id=f"{case.path.name}:{line}")
        judged = replace(judged, wrong=replace(wrong, planned=replace(wrong.planned, case=case)))
    if (deal := judged.deal) is not None:
        judged = replace(judged, deal=replace(deal, record=replace(deal.record, line=deal.record.line + lines)))
    if (shown := judged.shown) is not None:
        judged = replace(judged, shown=replace(shown, line=shown.line + lines))
    return judged


class Judge:
    """Judges records by the rules of a profile, or each by its own."""

    def __init__(self, profile: Profile | str | None, watched: frozenset[str] = frozenset()) -> None:
        if isinstance(profile, Profile):
            self.reference = Reference().playing(profile)
        else:
            self.reference = reference_for(profile)
        self.own = profile if isinstance(profile, Profile | None) else self.reference.profile(profile)
        self.watch(watched)

    def watch(self, watched: frozenset[str]) -> None:
        """Show the next few records that read each of some rules."""
        self._watched = dict.fromkeys(watched, SHOWN)

    def judged_share(self, share: Sequence[LogLine]) -> list[RecordVerdict | SpecError]:
        """Return what becomes of some records, and of each line that is none its error."""
        return [self._read(line) for line in share]

    def _read(self, line: LogLine) -> RecordVerdict | SpecError:
        try:
            return self.judged(line)
        except SpecError as error:
            return error

    def judged(self, line: LogLine) -> RecordVerdict:
        """Return what becomes of one record; raises ``SpecError`` for a line that is none, or names no rules."""
        record = record_of(line, names_later=True)
        profile = record.profile if self.own is None else self.own.id
        if profile is None:
            check_names(line, record)
            raise line.fault("no profile stands here; add one, or name the rules with --profile")
        try:
            rules = self.reference.ruleset(profile)
        except UnknownNameError as error:
            raise line.fault(str(error)) from None
        is_deal = record.match is not None and record.operation == "replay"
        if not self._watched:
            result = result_of(record.operation, rules, record.input, may_have_decimals=_may_have_decimals(line.text))
            if result is not None and _is_told(record, result):
                # Most records are right, and nobody asks why.
                deal = AuditedDeal(record, profile, result) if is_deal else None
                return RecordVerdict(record.operation, profile, len(line.text), None, deal)
        check_names(line, record)
        try:
            found = answer(record.operation, rules, record.input)
        except BadQuestionError as error:
            unclear = Verdict(_planned(record, profile), "failed", str(error))
            return RecordVerdict(record.operation, profile, len(line.text), unclear, None)
        deal = AuditedDeal(record, profile, found.result) if is_deal else None
        read, wrong = self._shows(found), _compared(record, profile, found, rules)
        return RecordVerdict(record.operation, profile, len(line.text), wrong, deal, record if read else None, read)

    def _shows(self, found: Answer) -> tuple[str, ...]:
        """Return the rules that are watched for which an answer read, and few before it."""
        read = [rule for rule in self._watched if rule in found.rules]
        for rule in read:
            self._watched[rule] -= 1
            if not self._watched[rule]:
                del self._watched[rule]
        return tuple(read)


_DECIMAL: Final = b"0."
# Every digit becomes one of these two characters, and what may come after the first digits of a number the other.
_TO_DECIMAL: Final = bytes.maketrans(b"123456789eE", b"000000000..")


def _may_have_decimals(text: bytes) -> bool:
    """Say whether there is a number with a decimal point, or what looks like one, wherever it stands."""
    return _DECIMAL in text.translate(_TO_DECIMAL)


def _is_told(record: Record, result: Mapping[str, Any]) -> bool:
    """Say whether a record tells of a result what it is, to the last character; it may tell the same otherwise."""
    if (came := record.came) is None:
        return True
    told = came.value
    if came.kind == "result" and told.keys() != result.keys():
        result = {name: result[name] for name in told if name in result}
    return came.kind == "result" and same(told, result)


def _compared(record: Record, profile: ProfileName, found: Answer, rules: Ruleset) -> Verdict | None:
    """Return what is wrong with a record, ``None`` if nothing is: only what it gives is compared."""
    came = record.came or Reply(record.id, "result", {})
    expected = Expectation.whole(found.message())
    if expected.kind == came.kind == "result":
        expected = replace(expected, fields=as_far_as_told(expected.fields, came.value))
    wrong = differences(record.operation, [expected], came)
    if not wrong:
        return None
    planned = _planned(record, profile, expected)
    if came.kind == "result" and (lead := _wrong_lead(record, found, rules)) is not None:
        note = words.say("trick-winner", trick=lead.came["trick"], came=lead.came["seat"], wanted=lead.expected["seat"])
        planned = replace(planned, case=replace(planned.case, note=same_text(note)))
        return replace(_different(planned, record, [lead]), detail=note)
    return _different(planned, record, wrong)


def _wrong_lead(record: Record, found: Answer, rules: Ruleset) -> Difference | None:
    """Return who won a trick by the rules, and who did in a deal that goes on as if another had; ``None`` if none did.

    What is refused in such a deal is the next lead, which says nothing of who won what.
    """
    refused = found.rejected
    if record.operation != "replay" or refused is None or refused["reason"] != NotYourTurn.reason:
        return None
    deal = deal_of_tricks(record.input, rules.players) if "tricks" in record.input else record.input
    # Of tricks only cards are counted.
    actions = [one for one in deal["actions"] if "play" in one or "tricks" not in record.input]
    before, lead = [one for one in actions[: refused["at"]] if "play" in one], actions[refused["at"]]
    trump = deal.get("trump") or _trump_bid(rules, deal)
    if trump is None or not before or len(before) % rules.players or "play" not in lead:
        return None
    trick, number = before[-rules.players :], len(before) // rules.players
    question = {"trump": trump, "leader": trick[0]["seat"], "cards": [one["play"] for one in trick]}
    winner = (answer("trick-winner", rules, question).result or {})["winner"]
    return Difference(TRICK_WINNER, *({"trick": number, "seat": seat} for seat in (winner, lead["seat"])))


def _trump_bid(rules: Ruleset, deal: Mapping[str, Any]) -> str | None:
    """Return the trump that was bid in a deal that is given by its deck or its hands; ``None`` if nobody took."""
    known = with_hands(rules, deal) if "deck" in deal else deal
    taken = None if known is None else bidding_of(rules, known).contract
    return None if taken is None else taken.mode.name


def sole_reason(verdicts: Sequence[Verdict]) -> str | None:
    """Return why all records are wrong, if it is one reason for several of them; ``None`` if there is no such one."""
    reasons = {reason_of(one) for one in verdicts}
    return reasons.pop() if len(verdicts) > 1 == len(reasons) else None


def reason_of(verdict: Verdict) -> str | None:
    """Return why a record is wrong, with nothing of the one deal that it tells; ``None`` if it is not wrong."""
    if verdict.outcome != "failed":
        return None
    for difference in verdict.differences:
        if difference.field == OTHER_KIND and "rejected" in difference.expected:
            refusing = verdict.planned.case.expected[0].rule
            return f"refused, {difference.expected['rejected']['reason']}{f' ({refusing})' if refusing else ''}"
    return ", ".join(one.field for one in verdict.differences) or verdict.detail


def _different(planned: Planned, record: Record, wrong: Sequence[Difference]) -> Verdict:
    """Return the verdict on a record that says something else, by the names of what differs."""
    named = ", ".join(difference.field for difference in wrong)
    came = record.came.message() if record.came else {}
    return Verdict(planned, "failed", f"different: {named}", came, tuple(wrong))


def _followed(follower: Follower, judged: RecordVerdict, deal: AuditedDeal) -> RecordVerdict:
    """Return a judged record with what does not follow from the deals before it in the same match."""
    broken = follower.broken(deal)
    if not broken:
        return judged
    if judged.wrong is None:
        fields = {difference.field: difference.expected for difference in broken}
        planned = _planned(deal.record, deal.profile, Expectation("result", fields))
    else:
        planned, broken = judged.wrong.planned, [*judged.wrong.differences, *broken]
    return replace(judged, wrong=_different(planned, deal.record, broken), deal=None)


def passed(operation: str, profile: ProfileName) -> Verdict:
    """Return the verdict that all right records of an operation and a profile share; it has no id of its own."""
    planned = _planned(Record(operation, {}, Path(), 0, profile, None), profile, Expectation("result", {}))
    return Verdict(replace(planned, case=replace(planned.case, id="")), "passed")


def _planned(record: Record, profile: ProfileName, *expected: Expectation) -> Planned:
    """Return a record as a planned case, with what the rules make of it as what is expected."""
    case = Case(
        id=record.id,
        title=same_text(words["title"]),
        operation=record.operation,
        profile=profile,
        input=record.input,
        expected=expected,
        rules=tuple(one.rule for one in expected if one.rule is not None),
        behaviour=same_text(words["behaviour"]),
        why=same_text(words["why"]),
        path=record.path,
        line=record.line,
    )
    return Planned(case, profile, provenance="derived", asked_as=profile)
