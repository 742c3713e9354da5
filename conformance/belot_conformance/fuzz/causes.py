"""Sorting what went wrong by its cause, and showing each cause by the smallest question that can be found for it.

A cause is a rule that the program plays otherwise, where the search of ``belot identify`` finds one; what no rule
explains is told apart by operation and by the fields that differ.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_conformance.drawing.stream import LONG
from belot_conformance.fuzz.comparing import between, expected_of, wrong_fields
from belot_conformance.fuzz.deal_steps import far_smaller_questions, smaller_questions
from belot_conformance.fuzz.fuzzing import Outcome, Seen, with_answer
from belot_conformance.fuzz.parts import parts_of
from belot_conformance.fuzz.shrinking import is_whole, shrink_together, size
from belot_conformance.identify.found import Finding, Identified
from belot_conformance.identify.identification import Identification
from belot_conformance.identify.observations import Observation
from belot_conformance.programs.protocol import Question, Reply
from belot_conformance.programs.reference import put
from belot_conformance.programs.target import Answer, Target
from belot_conformance.suite.differing import OTHER_KIND
from belot_conformance.suite.shapes import NotAskedError, Told, told
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.errors import Unfinished
from belot_spec.spec import Profile, Spec

Json = Mapping[str, Any]
Smaller = Callable[[Ruleset, str, Json], Iterator[Json]]

# A question of one of these shows a cause better than one of the next.
BEST_FIRST: Final = (
    "legal-cards", "trick-winner", "card-points", "declarations", "compare-declarations", "belote", "bidding",
    "score-deal", "compare-hands", "settle-tricks", "penalty", "deal", "match", "replay", "perft",
)  # fmt: skip
# Of the questions of one cause so many with a result and so many refusals are made smaller; the smallest is shown.
_SHRUNK: Final = 8
_LONG_SHRUNK: Final = 5
# The smallest of these are made smaller by every step there is.
_SHRUNK_FURTHER: Final = 3
_PATIENCE: Final = 2500


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of wrong answers: the smallest question that shows it, and how it was found.

    ``rule`` is played with ``value`` where that explains the answers. ``first`` is the number of the question that
    showed it first, ``kept`` how many of the answers that were kept have this cause.
    """

    smallest: Seen
    rule: str
    value: Any
    played: Profile | None
    first: int
    kept: int


def causes_of(outcome: Outcome, target: Target, spec: Spec, against: Target | None = None) -> list[Cause]:
    """Return the causes of what went wrong, the one that was found first at the top; each is shrunk by asking on."""
    lab = _Lab(target, against)
    wrong = outcome.all_wrong()
    found: list[Cause] = []
    for variant in dict.fromkeys(map(_variant, wrong)):
        own = [one for one in wrong if _variant(one) == variant]
        right = [one for one in outcome.all_right() if _variant(one) == variant]
        found += [lab.shown(group) for group in _groups(own, right, spec, rules=against is None)]
    return sorted(found, key=lambda one: one.first)


def smallest_of(target: Target, wrong: Sequence[Seen]) -> Seen:
    """Return the smallest question, of wrong answers with one cause, that asking on can find."""
    return _Lab(target, None).shown(_Group(wrong)).smallest


def _best(seen: Sequence[Seen]) -> list[Seen]:
    """Return the answers to the operation that shows a cause best, those to the smallest questions first."""
    best = min(BEST_FIRST.index(one.operation) for one in seen)
    shown = [one for one in seen if one.operation == BEST_FIRST[best]]
    return sorted(shown, key=lambda one: (size(one.question), one.number))


def _by_size(seen: Seen) -> tuple[int, str]:
    return size(seen.question), str(seen.question)


def _variant(seen: Seen) -> str:
    return seen.table.rules.profile.id.partition("+")[0]


@dataclass(frozen=True, slots=True)
class _Group:
    """Answers of one cause; ``finding`` is the rule that explains them.

    They ``certainly`` have one where a rule explains them all, and so what is wrong about their parts has it too.
    """

    seen: Sequence[Seen]
    finding: Finding | None = None
    identified: Identified | None = None
    certainly: bool = True


def _groups(wrong: Sequence[Seen], right: Sequence[Seen], spec: Spec, *, rules: bool) -> Iterator[_Group]:
    """Yield groups of answers with one cause each; rules are looked for where a program is held against the rules."""
    left = list(wrong)
    if rules:
        identified, numbers = _identified(wrong, right, spec)
        for finding in identified.findings:
            explained = [numbers[index] for index in finding.right if index in numbers]
            explained = [one for one in explained if one in left]
            if explained:
                left = [one for one in left if one not in explained]
                yield _Group(explained, finding, identified)
        left = [one for one in left if not _makes_no_sense(one, identified)]
    kinds: dict[tuple[object, ...], list[Seen]] = {}
    for one in left:
        kinds.setdefault((one.operation, one.fields, one.came.kind), []).append(one)
    for group in kinds.values():
        yield _Group(group, certainly=False)


def _identified(wrong: Sequence[Seen], right: Sequence[Seen], spec: Spec) -> tuple[Identified, dict[int, Seen]]:
    """Return what the search for rules finds, and the wrong answers by their numbers among its observations."""
    profiles: dict[str, Profile] = {}
    for one in (*wrong, *right):
        profiles.setdefault(one.table.rules.profile.id, one.table.rules.profile)
    contexts = sorted(profiles.values(), key=lambda profile: len(profile.id))
    places = {profile.id: place for place, profile in enumerate(contexts)}
    observations = [_observation(one, places[one.table.rules.profile.id]) for one in (*wrong, *right)]
    identified = Identification(observations, spec).around(contexts)
    by_id = {str(one.number): one for one in wrong}
    numbers = {place: by_id[one.id] for place, one in enumerate(identified.observations) if one.id in by_id}
    return identified, numbers


def _makes_no_sense(one: Seen, identified: Identified) -> bool:
    """Say whether a program could not answer what is no question by the rules that it was found to play."""
    if not identified.findings or one.came.kind not in ("error", "unsupported"):
        return False
    played = compile_profile(identified.played[_context_of(one, identified)])
    return put(one.operation, played, one.question).answer is None


def _context_of(one: Seen, identified: Identified) -> int:
    own = one.table.rules.profile.id
    return next((place for place, base in enumerate(identified.bases) if base.id == own), 0)


def _observation(one: Seen, context: int) -> Observation:
    value = one.came.value if isinstance(one.came, Reply) else one.came.detail
    return Observation(str(one.number), one.operation, one.question, one.came.kind, value, context, (one.expected,))


class _Lab:
    """Asks a program, and perhaps a second one, smaller and smaller questions."""

    def __init__(self, target: Target, against: Target | None) -> None:
        self._target = target
        self._against = against
        self._asked = 0

    def shown(self, group: _Group) -> Cause:
        """Return the cause of a group with the smallest question that shows it."""
        first = _best(group.seen)
        if group.certainly and (parts := self._wrong_parts(first[:_LONG_SHRUNK], group)):
            first = _best([*first, *parts])
        most = _LONG_SHRUNK if first[0].operation in LONG else _SHRUNK
        allowed = [one for one in first if "rejected" not in one.right]
        refused = [one for one in first if "rejected" in one.right]
        shrunk = [self._shrunk(one, group, smaller_questions) for one in (*allowed[:most], *refused[:most])]
        best = sorted(shrunk, key=_by_size)[:_SHRUNK_FURTHER]
        smallest = min((self._shrunk(one, group, far_smaller_questions) for one in best), key=_by_size)
        finding, identified = group.finding, group.identified
        numbers = [one.number for one in group.seen]
        if finding is None or identified is None:
            return Cause(smallest, "", None, None, min(numbers), len(numbers))
        context = finding.contexts[0] if finding.contexts else 0
        played = identified.played[context]
        return Cause(smallest, finding.rule, finding.value, played, min(numbers), len(numbers))

    def _wrong_parts(self, whole: Sequence[Seen], group: _Group) -> list[Seen]:
        """Return what is wrong about the parts of long questions, of operations that the program declares."""
        found = []
        for seen in whole:
            rules, explained = seen.table.rules, _played(seen, group)
            parts = parts_of(rules, seen.operation, seen.question)
            own = [part for part in parts if part[0] in self._target.hello.operations]
            asked = [one for one in (self._drawn(replace(seen, operation=op), part) for op, part in own) if one]
            answered = self._answered(asked)
            found += [came for came in answered.values() if came.fields and _explains(explained, came)]
        return found

    def _shrunk(self, seen: Seen, group: _Group, smaller: Smaller) -> Seen:
        rules = seen.table.rules
        explained = _played(seen, group)
        whole = is_whole(rules, seen.question)
        latest = [seen]

        def first(candidates: Sequence[Json]) -> int | None:
            sensible = [self._drawn(seen, candidate) for candidate in candidates]
            answered = self._answered([one for one in sensible if one is not None])
            for place, one in enumerate(sensible):
                if one is None or (whole and not is_whole(rules, candidates[place])):
                    continue
                came = answered[one.number]
                if _alike(seen, came) and _explains(explained, came):
                    latest[0] = came
                    return place
            return None

        shrink_together(seen.question, first, lambda question: smaller(rules, seen.operation, question), _PATIENCE)
        return latest[0]

    def _drawn(self, seen: Seen, question: Json) -> Seen | None:
        """Return a smaller question with the right answer; ``None`` if it makes no sense."""
        rules = seen.table.rules
        answer = put(seen.operation, rules, question)
        if answer.answer is None:
            return None
        message = answer.message()
        expected = expected_of(message)
        shape = self._target.hello.shape
        if not shape.is_plain:
            try:
                asked = told(shape, rules, seen.operation, Told(question, (expected,)))
            except NotAskedError:
                return None
            if asked.question != question:
                return None
            expected = asked.expected[0]
        self._asked += 1
        return replace(
            seen, number=-self._asked, question=question, right=message, expected=expected, read=answer.rules
        )

    def _answered(self, asked: Sequence[Seen]) -> dict[int, Seen]:
        questions = [Question(f"s{-one.number}", one.operation, one.table.asked_as, one.question) for one in asked]
        answers = self._target.ask(questions)
        others = {} if self._against is None else self._against.ask(questions)
        found = {}
        for one, question in zip(asked, questions, strict=True):
            came, other = answers[question.id], others.get(question.id)
            found[one.number] = with_answer(one, came, self._fields(one, came, other), other)
        return found

    @staticmethod
    def _fields(one: Seen, came: Answer, other: Answer | None) -> tuple[str, ...]:
        if other is not None:
            return between(one.operation, came, other)
        return wrong_fields(one.operation, one.expected, came)


def _played(seen: Seen, group: _Group) -> Ruleset | None:
    """Return the rules that explain an answer, compiled."""
    if group.finding is None or group.identified is None:
        return None
    return compile_profile(group.identified.played[_context_of(seen, group.identified)])


def _alike(seen: Seen, came: Seen) -> bool:
    """Say whether a smaller question shows the same: an answer of one kind, wrong in the same fields."""
    if not came.fields or _kind(came.right) != _kind(seen.right) or _came_kind(came.came) != _came_kind(seen.came):
        return False
    return set(_parts(came)) <= set(_parts(seen))


def _parts(seen: Seen) -> tuple[str, ...]:
    """Return what is wrong about an answer; where only one of two allows a deal, nothing of it can be compared."""
    allowed = _came_kind(seen.came) == "allowed"
    is_one = _kind(seen.right) == "allowed"
    comparable = isinstance(seen.came, Reply) and seen.came.kind in ("result", "rejected")
    return (OTHER_KIND,) if comparable and allowed != is_one else seen.fields


def _came_kind(came: Answer) -> str:
    """Return the kind of what came; a deal that only stops early was allowed as far as it goes."""
    if isinstance(came, Reply) and came.kind in ("result", "rejected"):
        return "refused" if _kind({came.kind: came.value}) != "allowed" else "allowed"
    return came.kind


def _explains(played: Ruleset | None, came: Seen) -> bool:
    """Say whether the rules that explain the cause give this answer too."""
    if played is None:
        return True
    said = put(came.operation, played, came.question)
    return said.answer is not None and not wrong_fields(came.operation, expected_of(said.message()), came.came)


def _kind(message: Json) -> str:
    """Return ``allowed`` or the reason of a refusal; a deal that only stops early is allowed as far as it goes."""
    if "rejected" not in message or message["rejected"]["reason"] == Unfinished.reason:
        return "allowed"
    return str(message["rejected"]["reason"])
