"""The address at which the playground shows the position of a case, so that people can go on from it."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode

from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.operations import answer
from belot_site.playground.sheet import reads_outranked
from belot_spec.card_names import SUITS

_KINDS: Final = ("cards", "tricks", "declarations")


# What people do in the playground to see a rule at work; what is decided before the first card is seen in a deal.
_TAB_OF_TOPIC: Final = {
    "play": "may",
    "declarations": "best",
    "scoring": "sheet",
    "match": "sheet",
    "penalties": "sheet",
}


def try_topic(topic: str) -> str:
    """Return the address, from the root of a language, at which the rules of a topic can be tried."""
    return f"try/?tab={_TAB_OF_TOPIC.get(topic, 'deal')}"


def try_address(case: Case, reference: Reference) -> str:
    """Return the address from the root of a language: the tab made for such questions, or the one for any."""
    told = _in_its_tab(case, reference) or {"tab": "ask"}
    named = case.profile
    query = {**told, "v": named.variant, **({"o": ",".join(named.options)} if named.options else {}), "case": case.id}
    return f"try/?{urlencode(query, safe=',')}"


def _in_its_tab(case: Case, reference: Reference) -> dict[str, str] | None:
    if case.expected[0].kind != "result":
        return None
    if case.operation == "score-deal":
        rules = reference.ruleset(case.profile)
        return _count(case.input, rules) if _is_in_the_form(case.input, rules) else None
    if case.operation == "legal-cards":
        return _may(case.input)
    if case.operation == "compare-hands":
        return _best(case.input)
    hands = _hands_of(case, reference) if case.operation in ("declarations", "compare-declarations") else None
    return _best(hands) if hands else None


def _is_in_the_form(question: Mapping[str, Any], rules: Ruleset) -> bool:
    """Say whether the form of a count has all of a deal: beaten declarations only where one side gets them."""
    sides = question["sides"]
    is_swept = sum(1 for side in sides if side["tricks"]) == 1
    return (is_swept and reads_outranked(rules)) or not any(side.get("outranked") for side in sides)


def _hands_of(case: Case, reference: Reference) -> Mapping[str, Any] | None:
    """Return hands that hold what a case announces, if whose declarations count comes out as the case says."""
    rules, expected = reference.ruleset(case.profile), case.expected[0].fields
    if case.operation == "declarations":
        hands = [case.input["hand"], *[[] for _ in range(rules.players - 1)]]
        wanted = {"points": [expected.get("best_points"), *[0] * (rules.players - 1)]}
    else:
        # A card that is in two of them is held once.
        hands = [list(dict.fromkeys(chain.from_iterable(sets))) for sets in case.input["announced"]]
        wanted = dict(expected)
    told = {"trump": SUITS[0], "leader": 0, "taker": 0, **case.input, "hands": hands}
    question = {key: told[key] for key in ("trump", "leader", "taker", "hands")}
    try:
        found = answer("compare-hands", rules, question, well_formed=True).result or {}
    except BadQuestionError:
        return None
    return question if all(found.get(key) == value for key, value in wanted.items()) else None


def _may(question: Mapping[str, Any]) -> dict[str, str]:
    return {
        "tab": "may",
        "t": question["trump"],
        "trick": ".".join(question["trick"]),
        "hand": ".".join(question["hand"]),
    }


def _best(question: Mapping[str, Any]) -> dict[str, str]:
    taker = {"took": str(question["taker"])} if "taker" in question else {}
    hands = {f"h{seat}": ".".join(hand) for seat, hand in enumerate(question["hands"])}
    return {"tab": "best", "t": question["trump"], "lead": str(question["leader"]), **taker, **hands}


def _count(question: Mapping[str, Any], rules: Ruleset) -> dict[str, str]:
    """Return the deal as the form tells it: of belote how many, of the rest the points."""
    sides, each = {}, rules.value("declarations.belote.points") or 1
    for index, side in enumerate(question["sides"]):
        beaten = (side["outranked"],) if side.get("outranked") else ()
        told = (*(side.get(kind, 0) for kind in _KINDS), side.get("belote", 0) // each, *beaten)
        sides[f"s{index}"] = ".".join(map(str, told))
    contract = {key: str(question[name]) for key, name in _CONTRACT.items() if name in question}
    last = {"last": str(question["last_trick"])} if "last_trick" in question else {}
    return {"tab": "sheet", "taker": str(question["taker"]), **contract, **last, **sides}


# What a contract is told by, in the address and in a question.
_CONTRACT: Final = {"t": "trump", "bid": "bid", "raised": "raised"}
