"""A program against itself: questions of which no right answer need be known to see that two answers cannot both hold.

Suits may be called otherwise, seats turned round the table and a hand told in another order; what was played in a deal
was legal, what was refused was not; and a deal that was played out is the sum of its parts.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from random import Random
from typing import Any, Final

from belot_conformance.fuzz.fuzzing import Limit
from belot_conformance.programs.progress import Advance, unseen
from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.dealt import with_hands
from belot_conformance.questions.operation import AnsweredQuestion, Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.relabelling import ANY_ORDER, TURN_WITH_SEATS, from_next_seat, renamings
from belot_conformance.questions.stream import Stream, in_other_suits
from belot_conformance.suite.judge import fields_apart
from belot_conformance.suite.shapes import knows_all
from belot_reference.compile import Ruleset
from belot_spec.card_names import SUITS

Json = Mapping[str, Any]
Message = Mapping[str, Any]

RELATIONS: Final = ("suits", "seats", "order", "legal", "parts")
_SETTLED: Final = ("counted", "outcome", "points", "score", "held", "written")
# Of a deal so many positions are looked at, the last ones.
_POSITIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions whose answers must agree: ``wanted`` is what the ``other`` must be if the first is ``given``."""

    relation: str
    given: AnsweredQuestion
    other: Question
    wanted: Callable[[Message], bool]


@dataclass(frozen=True, slots=True)
class Broken:
    """A relation that does not hold: the two questions with what was answered to each."""

    pair: Pair
    profile: str
    came: Message


@dataclass(slots=True)
class Alone:
    """What came of a program against itself: how often each relation was tried and broken, with examples."""

    asked: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    examples: dict[tuple[str, str], Broken] = field(default_factory=dict)
    gave_up: str = ""
    incidents: Sequence[str] = ()

    @property
    def passed(self) -> bool:
        """Whether something was compared and nothing was broken, the program neither."""
        return self.tried.total() > 0 and not (self.broken or self.gave_up or self.incidents)

    def note(self, pair: Pair, profile: str, came: Message) -> None:
        """Count an answer to the second of two questions, and keep it if it is the smallest that cannot hold."""
        self.tried[pair.relation] += 1
        if pair.wanted(came):
            return
        self.broken[pair.relation] += 1
        key = pair.relation, pair.given.operation
        known = self.examples.get(key)
        if known is None or len(str(pair.given.input)) < len(str(known.pair.given.input)):
            self.examples[key] = Broken(pair, profile, came)


def run_alone(
    target: Target, streams: Sequence[tuple[Stream, str]], limit: Limit, seed: int, advance: Advance = unseen
) -> Alone:
    """Hold a program's answers against each other until the limit is reached."""
    found, random, began = Alone(), Random(f"alone {seed}"), time.monotonic()
    for stream, name in cycle(streams):
        number = ask_alone(target, stream, name, found, random)
        advance(number)
        late = limit.seconds is not None and time.monotonic() - began >= limit.seconds
        if late or found.gave_up or (limit.questions is not None and found.asked >= limit.questions):
            break
    return found


def ask_alone(target: Target, stream: Stream, name: str, found: Alone, random: Random) -> int:
    """Put one round of questions to a program, and those that must agree with them; return how many were put."""
    knows, rules = target.hello.shape.knows, stream.rules
    drawn = [one for one in stream.round() if knows_all(knows, rules, one.input)]
    declared = frozenset(target.hello.operations)
    first = _asked(target, name, drawn, found)
    pairs = [
        pair
        for one, came in zip(drawn, first, strict=True)
        if came is not None
        for pair in _pairs(rules, replace(one, answer=came), random)
        if pair.other.operation in declared
        and OPERATIONS[pair.other.operation].is_wellformed(rules, pair.other.input)
        and knows_all(knows, rules, pair.other.input)
    ]
    second = _asked(target, name, [pair.other for pair in pairs], found)
    for pair, came in zip(pairs, second, strict=True):
        if came is not None:
            found.note(pair, rules.profile.id, came)
    found.asked += len(drawn) + len(pairs)
    return len(drawn) + len(pairs)


def _asked(target: Target, name: str, asked: Sequence[Question], found: Alone) -> list[Message | None]:
    """Return what a program answers; ``None`` for what is no answer, which other checks tell."""
    questions = [Request(str(number), one.operation, name, one.input) for number, one in enumerate(asked)]
    answers = target.ask(questions)
    return [_message(answers[one.id], found) for one in questions]


def _message(answer: Answer, found: Alone) -> Message | None:
    if isinstance(answer, Reply):
        return {answer.kind: answer.value} if answer.kind in ("result", "rejected") else None
    if answer.kind == "not_run":
        found.gave_up = found.gave_up or answer.detail
    return None


def _pairs(rules: Ruleset, one: AnsweredQuestion, random: Random) -> Iterator[Pair]:
    yield from _suits_relabelled(rules, one, random)
    if one.operation in TURN_WITH_SEATS:
        yield _turned(rules, one)
    if (key := ANY_ORDER.get(one.operation)) is not None:
        cards = random.sample(one.input[key], len(one.input[key]))
        again = {**one.input, key: cards}
        yield Pair("order", one, Question(one.operation, again), _same(one.operation, one.answer))
    if one.operation == "replay" and "deck" in one.input:
        yield from _of_deal(rules, one)


def _same(operation: str, wanted: Message) -> Callable[[Message], bool]:
    """Return whether an answer says the same, whatever it says of its reasons."""
    return lambda came: not fields_apart(operation, wanted, came)


def _suits_relabelled(rules: Ruleset, one: AnsweredQuestion, random: Random) -> Iterator[Pair]:
    every = renamings(rules, one.operation)
    for names in random.sample(every, min(1, len(every))):
        again = in_other_suits(one, names)
        if again.input != one.input:
            yield Pair("suits", one, again, _same(one.operation, again.answer))


def _turned(rules: Ruleset, one: AnsweredQuestion) -> Pair:
    """Return the same question with everybody one seat further."""
    again = from_next_seat(rules, one.input)
    wanted = {kind: from_next_seat(rules, fields) for kind, fields in one.answer.items()}
    return Pair("seats", one, Question(one.operation, again), _same(one.operation, wanted))


def _of_deal(rules: Ruleset, one: AnsweredQuestion) -> Iterator[Pair]:
    """Yield the parts of a deal: its tricks, its settlement, and what was legal when its cards were played."""
    actions = one.input["actions"]
    result = one.answer.get("result", {})
    if result.get("ended") == "played":
        yield from _tricks(rules, one, [action for action in actions if "play" in action])
        yield from _settlement(one)
    told = any(key in action for action in actions for key in ("discard", "exchange"))
    if not rules.open_piles and not told and (given := with_hands(rules, one.input)) is not None:
        yield from _legal(rules, one, given["hands"])


def _tricks(rules: Ruleset, one: AnsweredQuestion, plays: Sequence[Json]) -> Iterator[Pair]:
    result = one.answer["result"]
    trump, tricks = result.get("trump"), result.get("tricks", ())
    for place, trick in enumerate(tricks):
        told = plays[place * rules.players : (place + 1) * rules.players]
        cards = [action["play"] for action in told]
        question = {"trump": trump, "leader": told[0]["seat"], "cards": cards}
        winner = {"result": {"winner": trick.get("winner")}}
        yield Pair("parts", one, Question("trick-winner", question), _same("trick-winner", winner))
        points = {"result": {"points": trick.get("points")}}
        worth = {"trump": trump, "cards": cards}
        yield Pair("parts", one, Question("card-points", worth), _same("card-points", points))


def _settlement(one: AnsweredQuestion) -> Iterator[Pair]:
    result = one.answer["result"]
    if not all(key in result for key in ("taker", "cards", "declarations", "outranked", "belote", *_SETTLED)):
        return
    count = len(result["cards"])
    seats = len({action["seat"] for action in one.input["actions"]})
    tricks = Counter(trick["winner"] % count if count < seats else trick["winner"] for trick in result["tricks"])
    sides = [
        {"cards": result["cards"][side], "tricks": tricks[side]}
        | {kind: result[kind][side] for kind in ("declarations", "outranked", "belote") if result[kind][side]}
        for side in range(count)
    ]
    question = {"taker": result["taker"], "sides": sides}
    wanted = {"result": {key: result[key] for key in _SETTLED}}
    yield Pair("parts", one, Question("score-deal", question), _same("score-deal", wanted))


def _legal(rules: Ruleset, one: AnsweredQuestion, hands: Sequence[Sequence[str]]) -> Iterator[Pair]:
    """Yield the last positions of a deal: what was played was legal, and what was refused as illegal was not."""
    refused = one.answer.get("rejected", {})
    actions = one.input["actions"]
    last = refused["at"] if refused.get("reason") == "illegal-card" and "at" in refused else None
    until = len(actions) if last is None else last + 1
    if refused and last is None:
        return
    trump = _trump(one.answer, actions)
    held = [set(hand) for hand in hands]
    trick: list[str] = []
    positions = []
    for place, action in enumerate(actions[:until]):
        if "play" not in action:
            continue
        question = {"trump": trump, "hand": sorted(held[action["seat"]]), "trick": list(trick)}
        positions.append((place, action["play"], question))
        held[action["seat"]].discard(action["play"])
        trick = [*trick, action["play"]] if len(trick) + 1 < rules.players else []
    for place, card, question in positions[-_POSITIONS:] if trump else ():
        allowed = place != last
        yield Pair("legal", one, Question("legal-cards", question), _lists(card, allowed=allowed))


def _trump(came: Message, actions: Iterable[Json]) -> str | None:
    result = came.get("result", {})
    if "trump" in result:
        return str(result["trump"])
    return next((str(action["bid"]) for action in actions if action.get("bid") in SUITS), None)


def _lists(card: str, *, allowed: bool) -> Callable[[Message], bool]:
    """Return whether a card is among those that an answer calls legal, or is not."""

    def holds(came: Message) -> bool:
        cards = came.get("result", {}).get("cards")
        return isinstance(cards, list) and (card in cards) is allowed

    return holds
