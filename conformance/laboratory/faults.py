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
from belot_conformance.suite.judge import fields_apart
from belot_spec.card_names import SUITS
from belot_spec.files import canonical

Json = Mapping[str, Any]
Message = Mapping[str, Any]
_LONG_STREAM: Final = 20_000


@dataclass(slots=True)
class Memory:
    """What a program has been asked before this question."""

    number: int = 0
    times: Counter[str] = field(default_factory=Counter)
    before: tuple[str, Json] = ("", {})
    refused: bool = False


When = Callable[[Json, Json, Memory], bool]


@dataclass(frozen=True, slots=True)
class CodedFault:
    """A mistake: the operations that it spoils, and its answer where that is not the right one."""

    name: str
    operations: tuple[str, ...]
    answer: Callable[[Asked, Memory], Message | None]

    @classmethod
    def spoiling(cls, name: str, operation: str, when: When) -> "CodedFault":
        """Return the mistake that spoils the first field that it can, by question, right result and what came."""

        def answer(one: Asked, memory: Memory) -> Message | None:
            if "result" not in one.right or not when(one.input, one.right["result"], memory):
                return None
            return {"result": _otherwise(one.right["result"])}

        return cls(name, (operation,), answer)

    @classmethod
    def of_kind(cls, kind: Kind) -> "CodedFault":
        """Return the mistake of a kind, tried by any rules."""
        return cls(kind.name, kind.operations, lambda one, _: kind.mistake(one))


def _of(operation: str, **conditions: When) -> list[CodedFault]:
    return [
        CodedFault.spoiling(f"{operation} {name.replace('_', ' ')}", operation, when)
        for name, when in conditions.items()
    ]


def _each(
    operation: str, name: str, values: Sequence[Any], when: Callable[[Any, Json, Json], bool]
) -> list[CodedFault]:
    def one(value: Any) -> When:
        return lambda question, result, _: when(value, question, result)

    return [CodedFault.spoiling(f"{operation} {name} {value}", operation, one(value)) for value in values]


def _suited(cards: Sequence[str], suit: object) -> int:
    return sum(card[-1] == suit for card in cards)


def _plays(question: Json) -> list[Json]:
    return [one for one in question.get("actions", ()) if "play" in one]


def _announced(question: Json) -> list[Any]:
    return [one for own in question["announced"] for one in own]


def _sides(question: Json) -> list[Json]:
    return list(question["sides"])


FAULTS: Final[Sequence[CodedFault]] = (
    *_each("legal-cards", "with trump", SUITS, lambda suit, q, _: q["trump"] == suit and len(q["trick"]) > 1),
    *_each("legal-cards", "with a hand of", range(1, 9), lambda n, q, _: len(q["hand"]) == n and bool(q["trick"])),
    *_each("legal-cards", "after a lead in", SUITS, lambda s, q, _: bool(q["trick"]) and q["trick"][0][-1] == s),
    *_each(
        "legal-cards",
        "as last with a hand of",
        range(2, 8),
        lambda n, q, _: len(q["trick"]) == 3 and len(q["hand"]) == n,
    ),
    *_of(
        "legal-cards",
        after_two_ruffs=lambda q, _, __: _suited(q["trick"][1:], q["trump"]) == 2 and q["trick"][0][-1] != q["trump"],
        with_the_seven_of_trump=lambda q, _, __: f"7{q['trump']}" in q["hand"] and len(q["trick"]) == 2,
        with_nothing_but_trump=lambda q, _, __: len(q["hand"]) == _suited(q["hand"], q["trump"]) > 1,
        leading_from_four_suits=lambda q, _, __: not q["trick"] and len({card[-1] for card in q["hand"]}) == 4,
        sorted_hand=lambda q, _, __: list(q["hand"]) == sorted(q["hand"]) and len(q["hand"]) > 3,
        one_legal_of_many=lambda q, r, __: len(r["cards"]) == 1 and len(q["hand"]) > 5,
    ),
    *_each(
        "trick-winner",
        "led by",
        range(4),
        lambda seat, q, _: q["leader"] == seat and _suited(q["cards"], q["trump"]) > 1,
    ),
    *_each("trick-winner", "won by", range(4), lambda seat, q, r: r["winner"] == seat and q["leader"] == 1),
    *_each("trick-winner", "with trump", SUITS, lambda s, q, _: q["trump"] == s and q["cards"][0][-1] == s),
    *_each("trick-winner", "trumps played", (1, 2, 3, 4), lambda n, q, _: _suited(q["cards"], q["trump"]) == n),
    *_of(
        "trick-winner",
        ten_beats_king=lambda q, _, __: (
            any(card[:-1] == "10" for card in q["cards"]) and any(c[0] == "K" for c in q["cards"])
        ),
        four_suits=lambda q, _, __: len({card[-1] for card in q["cards"]}) == 4,
        nine_and_jack=lambda q, _, __: {f"9{q['trump']}", f"J{q['trump']}"} <= set(q["cards"]),
        all_of_one_rank=lambda q, _, __: len({card[:-1] for card in q["cards"]}) == 1 and len(q["cards"]) > 2,
    ),
    *_each("card-points", "with trump", SUITS, lambda s, q, _: q["trump"] == s and f"9{s}" in q["cards"]),
    *_each("card-points", "of cards", (0, 1, 3, 4, 8, 12, 16, 20, 24, 32), lambda n, q, _: len(q["cards"]) == n),
    *_of(
        "card-points",
        above_a_hundred=lambda _, r, __: r["points"] > 100,
        four_aces=lambda q, _, __: sum(card[0] == "A" for card in q["cards"]) == 4,
        nothing_but_low_cards=lambda q, r, __: r["points"] == 0 and len(q["cards"]) > 1,
        last_trick_without_trump=lambda q, _, __: bool(q.get("last_trick")) and not _suited(q["cards"], q["trump"]),
    ),
    *_each("declarations", "of worth", (20, 50, 100, 150, 200), lambda n, _, r: r["best_points"] == n),
    *_each("declarations", "in a suit of four", SUITS, lambda s, q, r: bool(r["sets"]) and _suited(q["hand"], s) >= 4),
    *_of(
        "declarations",
        second=lambda _, r, __: len(r["sets"]) > 1,
        square=lambda q, r, __: any(
            sum(c[:-1] == rank for c in q["hand"]) == 4 for rank in ("10", "J", "Q", "K", "A", "9")
        ),
        third=lambda _, r, __: len(r["sets"]) > 2,
    ),
    *_each("compare-declarations", "led by", range(4), lambda s, q, r: q["leader"] == s and r["winner"] is not None),
    *_each("compare-declarations", "won by", range(4), lambda s, _, r: r["winner"] == s),
    *_each(
        "compare-declarations", "taken by", range(4), lambda s, q, r: q.get("taker") == s and r["winner"] is not None
    ),
    *_each("compare-declarations", "with trump", SUITS, lambda s, q, r: q["trump"] == s and r["winner"] is not None),
    *_of(
        "compare-declarations",
        three_announce=lambda q, _, __: sum(map(bool, q["announced"])) >= 3,
        second_declaration=lambda q, _, __: any(len(own) > 1 for own in q["announced"]),
        equal_lengths=lambda q, _, __: len({len(one) for one in _announced(q)}) == 1 < len(_announced(q)),
        many_points=lambda _, r, __: sum(r["points"]) >= 200,
    ),
    *_each("bidding", "dealt by", range(4), lambda s, q, _: q["dealer"] == s and len(q["bids"]) > 1),
    *_each("bidding", "after bids", range(9), lambda n, q, _: len(q["bids"]) == n),
    *_each("deal", "dealt by", range(4), lambda s, q, _: q["dealer"] == s),
    *_each("deal", "taken by", range(4), lambda s, q, _: q.get("taker") == s),
    *_of(
        "deal",
        shallow_cut=lambda q, _, __: q.get("cut", 16) < 6,
        many_shuffles=lambda q, _, __: q.get("shuffles", 0) > 3,
    ),
    *_each("belote", "with trump", SUITS, lambda s, q, r: q["trump"] == s and r["points"] > 0),
    *_of("belote", late=lambda q, r, _: r["points"] > 0 and len(q["plays"]) > 4),
    *_each("score-deal", "taken by", range(4), lambda s, q, _: q["taker"] == s),
    *_each("score-deal", "ending as", ("made", "fell", "tie", "hung"), lambda o, _, r: r["outcome"] == o),
    *_of(
        "score-deal",
        equal=lambda _, r, __: len(set(r["counted"])) == 1,
        big_numbers=lambda _, r, __: max(r["score"]) > 500,
        all_tricks_of_the_defence=lambda q, _, __: any(s.get("tricks") == 0 for s in _sides(q)) and q["taker"] % 2 == 1,
        both_declare=lambda q, _, __: all(s.get("declarations") for s in _sides(q)),
        belote_of_the_loser=lambda q, r, __: any(
            s.get("belote") and r["score"][n] == 0 for n, s in enumerate(_sides(q))
        ),
        one_point_short=lambda _, r, __: abs(r["counted"][0] - r["counted"][1]) == 1,
    ),
    *_each("settle-tricks", "last won by", range(4), lambda s, _, r: r["tricks"][-1]["winner"] == s),
    *_each("match", "of deals", range(1, 13), lambda n, q, _: len(q["deals"]) == n),
    *_each("match", "begun by", range(4), lambda s, q, _: q["dealer"] == s and len(q["deals"]) > 6),
    *_each("replay", "with trump", SUITS, lambda s, _, r: r.get("trump") == s and r["ended"] == "played"),
    *_each("replay", "taken by", range(4), lambda s, q, r: r.get("taker") == s and q["dealer"] == s),
    *_of(
        "replay",
        last_trick_by_the_dealer=lambda q, r, _: r["ended"] == "played" and r["tricks"][-1]["winner"] == q["dealer"],
        second_declaration=lambda q, r, _: any(len(a.get("announce", ())) > 1 for a in _plays(q)),
        first_card_a_trump=lambda q, r, _: bool(p := _plays(q)) and p[0]["play"][-1] == r.get("trump"),
    ),
    *_each("perft", "of depth", (2, 3, 4, 5, 6), lambda n, q, _: q["depth"] == n),
    *(
        one
        for operation in ("card-points", "trick-winner", "legal-cards", "score-deal")
        for one in _of(
            operation,
            when_asked_a_second_time=lambda q, _, m: m.times[canonical(dict(q))] > 0,
            after_a_refusal=lambda _, __, m: m.refused,
            after_another_of_that_trump=lambda q, _, m: m.before[1].get("trump") == q.get("trump", "?"),
            from_the_thousandth_question_on=lambda _, __, m: m.number > 1000,
            every_hundredth_question=lambda _, __, m: m.number % 100 == 99,
        )
    ),
    *map(CodedFault.of_kind, KINDS.values()),
)


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
        memory.before, memory.refused = (one.operation, one.input), "rejected" in one.right


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
    for name in (
        "winner",
        "points",
        "best_points",
        "count",
        "score",
        "totals",
        "cards",
        "turn",
        "cutter",
        "hands",
        "deals",
    ):
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
