"""The right answer to a case as a sentence for people."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from belot_conformance.suite.cases import Expectation
from belot_site.drawing import Drawing
from belot_site.edition import seat_letter

Json = Mapping[str, Any]


def answer(drawn: Drawing, expected: Expectation) -> str:
    """Return an expectation as a sentence."""
    if expected.kind == "rejected":
        return drawn.word("answer-refused", reason=drawn.word(f"reason-{expected.fields['reason']}"))
    told = _ANSWERS.get(drawn.case.operation)
    return told(drawn, expected.fields) if told else ""


def _told_legal(drawn: Drawing, result: Json) -> str:
    return drawn.word("answer-legal", cards=drawn.edition.cards(result["cards"]))


def _told_winner(drawn: Drawing, result: Json) -> str:
    card = drawn.input["cards"][(result["winner"] - drawn.input["leader"]) % drawn.rules.players]
    return drawn.word("answer-winner", n=seat_letter(result["winner"]), card=drawn.edition.card(card))


def _told_points(drawn: Drawing, result: Json) -> str:
    return drawn.word("answer-points", n=result["points"])


def _told_declarations(drawn: Drawing, result: Json) -> str:
    if not result.get("sets", True):
        return drawn.word("answer-no-declaration")
    return drawn.word("answer-declarations", n=result["best_points"]) if "best_points" in result else ""


def _told_best(drawn: Drawing, result: Json) -> str:
    if result.get("wins_match"):
        return drawn.word("answer-belot", n=seat_letter(result["winner"]))
    if "winner" not in result:
        return ""
    if result["winner"] is None:
        return drawn.word("answer-no-best")
    return drawn.word("answer-best", n=seat_letter(result["winner"]))


def _told_bidding(drawn: Drawing, result: Json) -> str:
    if result["state"] == "taken" and "trump" in result:
        return drawn.word("answer-taken", n=seat_letter(result["taker"]), suit=drawn.edition.suit(result["trump"]))
    if result["state"] == "open" and "choices" in result:
        said = [drawn.word("pass") if choice == "pass" else drawn.edition.suit(choice) for choice in result["choices"]]
        return drawn.word("answer-open", n=seat_letter(result["turn"]), choices=", ".join(said))
    return drawn.word("answer-failed") if result["state"] == "failed" else ""


def _told_outcome(drawn: Drawing, result: Json) -> str:
    return drawn.word(f"answer-{result['outcome']}") if "outcome" in result else ""


def _told_match(drawn: Drawing, result: Json) -> str:
    if "winner" not in result:
        return ""
    return (
        drawn.word("answer-on")
        if result["winner"] is None
        else drawn.word("answer-match", who=drawn.side(result["winner"]))
    )


def _told_penalty(drawn: Drawing, result: Json) -> str:
    return drawn.word("answer-proved" if result["proved"] else "answer-not-proved") if "proved" in result else ""


def _told_replay(drawn: Drawing, result: Json) -> str:
    ended = drawn.word(f"answer-ended-{result['ended']}") if "ended" in result else ""
    return " ".join(filter(None, (ended, _told_outcome(drawn, result))))


def _told_count(drawn: Drawing, result: Json) -> str:
    return drawn.word("answer-count", n=result["count"])


_ANSWERS: Final[Mapping[str, Callable[[Drawing, Json], str]]] = {
    "legal-cards": _told_legal,
    "trick-winner": _told_winner,
    "card-points": _told_points,
    "declarations": _told_declarations,
    "compare-declarations": _told_best,
    "compare-hands": _told_best,
    "belote": _told_points,
    "bidding": _told_bidding,
    "score-deal": _told_outcome,
    "settle-tricks": _told_outcome,
    "match": _told_match,
    "penalty": _told_penalty,
    "replay": _told_replay,
    "perft": _told_count,
}
