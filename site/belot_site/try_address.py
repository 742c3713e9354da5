"""The address at which the playground shows the position of a case, so that people can go on from it."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from belot_conformance.suite.cases import Case

_KINDS: Final = ("cards", "tricks", "declarations", "belote")


def try_address(case: Case) -> str | None:
    """Return the address from the root of a language; ``None`` where the playground has no such question."""
    variant, *options = case.profile.split("+")
    asked = _ASKED.get(case.operation)
    told = None if asked is None else asked(case.input)
    if told is None or case.expected[0].kind != "result":
        return None
    query = {**told, "v": variant, **({"o": ",".join(options)} if options else {}), "case": case.id}
    return f"try/?{urlencode(query, safe=',')}"


def _may(question: Mapping[str, Any]) -> dict[str, str]:
    return {
        "tab": "may",
        "t": question["trump"],
        "trick": ".".join(question["trick"]),
        "hand": ".".join(question["hand"]),
    }


def _best(question: Mapping[str, Any]) -> dict[str, str] | None:
    if "taker" in question:
        return None
    hands = {f"h{seat}": ".".join(hand) for seat, hand in enumerate(question["hands"])}
    return {"tab": "best", "t": question["trump"], "lead": str(question["leader"]), **hands}


def _count(question: Mapping[str, Any]) -> dict[str, str] | None:
    if any(side.get("outranked") for side in question["sides"]):
        return None
    sides = {
        f"s{index}": ".".join(str(side.get(kind, 0)) for kind in _KINDS) for index, side in enumerate(question["sides"])
    }
    last = {"last": str(question["last_trick"])} if "last_trick" in question else {}
    return {"tab": "count", "taker": str(question["taker"]), **last, **sides}


_ASKED: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, str] | None]]] = {
    "legal-cards": _may,
    "compare-hands": _best,
    "score-deal": _count,
}
