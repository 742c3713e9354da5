"""Mistakes in the code of a program and not in a rule: one suit, one seat, the last trick, what was asked before.

Each answers as the reference but where its condition holds; those of the list give the answer that the mistake gives.
The conditions were written down without a look at what the suite asks.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

from belot_conformance.mistakes.coded import KINDS, NOT_HERE, Asked, Kind
from belot_conformance.questions.operation import Question
from belot_conformance.suite.judge import fields_apart
from belot_spec.card_names import SUITS
from belot_spec.files import canonical

Json = Mapping[str, Any]
Message = Mapping[str, Any]
# Where a fault is made, by a value of those that are tried, the question and the right result.
When = Callable[[Any, Json, Json], bool]


_NOTHING: Final = Question("", {})


@dataclass(slots=True)
class Memory:
    """What a program has been asked before this question."""

    number: int = 0
    times: Counter[str] = field(default_factory=Counter)
    before: Question = _NOTHING
    refused: bool = False


@dataclass(frozen=True, slots=True)
class CodedFault:
    """A mistake: the operations that it spoils, and its answer where that is not the right one."""

    name: str
    operations: tuple[str, ...]
    answer: Callable[[Asked, Memory], Message | None]

    @classmethod
    def spoiling(cls, name: str, operation: str, when: Callable[[Json, Json, Memory], bool]) -> "CodedFault":
        """Return the mistake that spoils the first field that it can, by question, right result and what came."""

        def answer(one: Asked, memory: Memory) -> Message | None:
            if "result" not in one.right or not when(one.input, one.right["result"], memory):
                return None
            return {"result": _otherwise(one.right["result"])}

        return cls(f"{operation} {name}", (operation,), answer)

    @classmethod
    def of_kind(cls, kind: Kind) -> "CodedFault":
        """Return the mistake of a kind, tried by any rules."""
        return cls(kind.name, kind.operations, lambda one, _: kind.mistake(one))


def _suited(cards: Sequence[str], suit: object) -> int:
    return sum(card[-1] == suit for card in cards)


def _ranked(cards: Sequence[str], rank: str) -> int:
    return sum(card[:-1] == rank for card in cards)


def _plays(question: Json) -> list[Json]:
    return [one for one in question.get("actions", ()) if "play" in one]


def _announced(question: Json) -> list[Any]:
    return [one for own in question["announced"] for one in own]


_ONCE: Final = ("",)
_RANKS: Final = ("9", "10", "J", "Q", "K", "A")
_SEATS: Final = range(4)
# fmt: off
_CONDITIONS: Final[Mapping[str, Sequence[tuple[str, Sequence[Any], When]]]] = {
    "legal-cards": (
        ("with trump", SUITS, lambda suit, q, _: q["trump"] == suit and len(q["trick"]) > 1),
        ("with a hand of", range(1, 9), lambda n, q, _: len(q["hand"]) == n and bool(q["trick"])),
        ("after a lead in", SUITS, lambda suit, q, _: bool(q["trick"]) and q["trick"][0][-1] == suit),
        ("as last with a hand of", range(2, 8), lambda n, q, _: len(q["trick"]) == 3 and len(q["hand"]) == n),
        ("after two ruffs", _ONCE,
         lambda _, q, __: _suited(q["trick"][1:], q["trump"]) == 2 and q["trick"][0][-1] != q["trump"]),
        ("with the seven of trump", _ONCE, lambda _, q, __: f"7{q['trump']}" in q["hand"] and len(q["trick"]) == 2),
        ("with nothing but trump", _ONCE, lambda _, q, __: len(q["hand"]) == _suited(q["hand"], q["trump"]) > 1),
        ("leading from four suits", _ONCE, lambda _, q, __: not q["trick"] and len({c[-1] for c in q["hand"]}) == 4),
        ("sorted hand", _ONCE, lambda _, q, __: list(q["hand"]) == sorted(q["hand"]) and len(q["hand"]) > 3),
        ("one legal of many", _ONCE, lambda _, q, r: len(r["cards"]) == 1 and len(q["hand"]) > 5),
    ),
    "trick-winner": (
        ("led by", _SEATS, lambda seat, q, _: q["leader"] == seat and _suited(q["cards"], q["trump"]) > 1),
        ("won by", _SEATS, lambda seat, q, r: r["winner"] == seat and q["leader"] == 1),
        ("with trump", SUITS, lambda suit, q, _: q["trump"] == suit and q["cards"][0][-1] == suit),
        ("trumps played", (1, 2, 3, 4), lambda n, q, _: _suited(q["cards"], q["trump"]) == n),
        ("ten beats king", _ONCE, lambda _, q, __: bool(_ranked(q["cards"], "10") and _ranked(q["cards"], "K"))),
        ("four suits", _ONCE, lambda _, q, __: len({card[-1] for card in q["cards"]}) == 4),
        ("nine and jack", _ONCE, lambda _, q, __: {f"9{q['trump']}", f"J{q['trump']}"} <= set(q["cards"])),
        ("all of one rank", _ONCE, lambda _, q, __: len({c[:-1] for c in q["cards"]}) == 1 and len(q["cards"]) > 2),
    ),
    "card-points": (
        ("with trump", SUITS, lambda suit, q, _: q["trump"] == suit and f"9{suit}" in q["cards"]),
        ("of cards", (0, 1, 3, 4, 8, 12, 16, 20, 24, 32), lambda n, q, _: len(q["cards"]) == n),
        ("above a hundred", _ONCE, lambda _, __, r: r["points"] > 100),
        ("four aces", _ONCE, lambda _, q, __: _ranked(q["cards"], "A") == 4),
        ("nothing but low cards", _ONCE, lambda _, q, r: r["points"] == 0 and len(q["cards"]) > 1),
        ("last trick without trump", _ONCE,
         lambda _, q, __: bool(q.get("last_trick")) and not _suited(q["cards"], q["trump"])),
    ),
    "declarations": (
        ("of worth", (20, 50, 100, 150, 200), lambda n, _, r: r["best_points"] == n),
        ("in a suit of four", SUITS, lambda suit, q, r: bool(r["sets"]) and _suited(q["hand"], suit) >= 4),
        ("second", _ONCE, lambda _, __, r: len(r["sets"]) > 1),
        ("square", _ONCE, lambda _, q, __: any(_ranked(q["hand"], rank) == 4 for rank in _RANKS)),
        ("third", _ONCE, lambda _, __, r: len(r["sets"]) > 2),
    ),
    "compare-declarations": (
        ("led by", _SEATS, lambda seat, q, r: q["leader"] == seat and r["winner"] is not None),
        ("won by", _SEATS, lambda seat, _, r: r["winner"] == seat),
        ("taken by", _SEATS, lambda seat, q, r: q.get("taker") == seat and r["winner"] is not None),
        ("with trump", SUITS, lambda suit, q, r: q["trump"] == suit and r["winner"] is not None),
        ("three announce", _ONCE, lambda _, q, __: sum(map(bool, q["announced"])) >= 3),
        ("second declaration", _ONCE, lambda _, q, __: any(len(own) > 1 for own in q["announced"])),
        ("equal lengths", _ONCE, lambda _, q, __: len({len(one) for one in _announced(q)}) == 1 < len(_announced(q))),
        ("many points", _ONCE, lambda _, __, r: sum(r["points"]) >= 200),
    ),
    "bidding": (
        ("dealt by", _SEATS, lambda seat, q, _: q["dealer"] == seat and len(q["bids"]) > 1),
        ("after bids", range(9), lambda n, q, _: len(q["bids"]) == n),
    ),
    "deal": (
        ("dealt by", _SEATS, lambda seat, q, _: q["dealer"] == seat),
        ("taken by", _SEATS, lambda seat, q, _: q.get("taker") == seat),
        ("shallow cut", _ONCE, lambda _, q, __: q.get("cut", 16) < 6),
        ("many shuffles", _ONCE, lambda _, q, __: q.get("shuffles", 0) > 3),
    ),
    "belote": (
        ("with trump", SUITS, lambda suit, q, r: q["trump"] == suit and r["points"] > 0),
        ("late", _ONCE, lambda _, q, r: r["points"] > 0 and len(q["plays"]) > 4),
    ),
    "score-deal": (
        ("taken by", _SEATS, lambda seat, q, _: q["taker"] == seat),
        ("ending as", ("made", "fell", "tie", "hung"), lambda how, _, r: r["outcome"] == how),
        ("equal", _ONCE, lambda _, __, r: len(set(r["counted"])) == 1),
        ("big numbers", _ONCE, lambda _, __, r: max(r["score"]) > 500),
        ("all tricks of the defence", _ONCE,
         lambda _, q, __: any(side.get("tricks") == 0 for side in q["sides"]) and q["taker"] % 2 == 1),
        ("both declare", _ONCE, lambda _, q, __: all(side.get("declarations") for side in q["sides"])),
        ("belote of the loser", _ONCE,
         lambda _, q, r: any(s.get("belote") and r["score"][n] == 0 for n, s in enumerate(q["sides"]))),
        ("one point short", _ONCE, lambda _, __, r: abs(r["counted"][0] - r["counted"][1]) == 1),
    ),
    "settle-tricks": (("last won by", _SEATS, lambda seat, _, r: r["tricks"][-1]["winner"] == seat),),
    "match": (
        ("of deals", range(1, 13), lambda n, q, _: len(q["deals"]) == n),
        ("begun by", _SEATS, lambda seat, q, _: q["dealer"] == seat and len(q["deals"]) > 6),
    ),
    "replay": (
        ("with trump", SUITS, lambda suit, _, r: r.get("trump") == suit and r["ended"] == "played"),
        ("taken by", _SEATS, lambda seat, q, r: r.get("taker") == seat and q["dealer"] == seat),
        ("last trick by the dealer", _ONCE,
         lambda _, q, r: r["ended"] == "played" and r["tricks"][-1]["winner"] == q["dealer"]),
        ("second declaration", _ONCE, lambda _, q, __: any(len(a.get("announce", ())) > 1 for a in _plays(q))),
        ("first card a trump", _ONCE, lambda _, q, r: bool(p := _plays(q)) and p[0]["play"][-1] == r.get("trump")),
    ),
    "perft": (("of depth", (2, 3, 4, 5, 6), lambda n, q, _: q["depth"] == n),),
}
_OF_MEMORY: Final[Mapping[str, Callable[[Json, Json, Memory], bool]]] = {
    "when asked a second time": lambda q, _, m: m.times[canonical(dict(q))] > 0,
    "after a refusal": lambda _, __, m: m.refused,
    "after another of that trump": lambda q, _, m: m.before.input.get("trump") == q.get("trump", "?"),
    "from the thousandth question on": lambda _, __, m: m.number > 1000,
    "every hundredth question": lambda _, __, m: m.number % 100 == 99,
}
# fmt: on


def _where(when: When, value: Any) -> Callable[[Json, Json, Memory], bool]:
    return lambda question, result, _: when(value, question, result)


FAULTS: Final[Sequence[CodedFault]] = (
    *(
        CodedFault.spoiling(f"{name} {value}".strip(), operation, _where(when, value))
        for operation, conditions in _CONDITIONS.items()
        for name, values, when in conditions
        for value in values
    ),
    *(
        CodedFault.spoiling(name, operation, when)
        for operation in ("card-points", "trick-winner", "legal-cards", "score-deal")
        for name, when in _OF_MEMORY.items()
    ),
    *map(CodedFault.of_kind, KINDS.values()),
)
_FIELDS: Final = (
    "winner", "points", "best_points", "count", "score", "totals", "cards", "turn", "cutter", "hands", "deals",
)  # fmt: skip


def spoiled(fault: CodedFault, asked: Sequence[Asked]) -> Iterator[tuple[int, Message]]:
    """Yield the places of questions that a faulty program answers otherwise, in the order asked, and what it says."""
    memory = Memory()
    for place, one in enumerate(asked):
        is_asked = one.operation in fault.operations
        if is_asked and (came := _came(fault, one, memory)) and fields_apart(one.operation, one.right, came):
            yield place, came
        memory.number += 1
        if is_asked:
            memory.times[canonical(dict(one.input))] += 1
        memory.before, memory.refused = Question(one.operation, one.input), "rejected" in one.right


def _came(fault: CodedFault, one: Asked, memory: Memory) -> Message | None:
    """Return the answer of a mistake; nothing where it speaks of what these rules have not."""
    try:
        came = fault.answer(one, memory)
    except NOT_HERE:
        return None
    return None if came is None or "error" in came else came


def _otherwise(result: Json) -> Json:
    """Return a result of which the first thing that can be otherwise is."""
    changed = deepcopy(dict(result))
    for name in _FIELDS:
        value = changed.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            changed[name] = value - 1 if name in ("winner", "turn", "cutter") and value else value + 1
        elif isinstance(value, list) and value and all(type(item) is int for item in value):
            changed[name] = [value[0] + 10, *value[1:]]
        elif isinstance(value, list) and len(value) > 1:
            changed[name] = value[:-1]
        else:
            continue
        return changed
    return changed
