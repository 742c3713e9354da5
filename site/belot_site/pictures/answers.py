"""The right answer to a case as a sentence for people."""

from collections.abc import Mapping
from typing import Any

from belot_conformance.suite.judge import Expectation
from belot_site.content.edition import seat_letter
from belot_site.pictures.drawing import Drawing

Json = Mapping[str, Any]


def answer(drawn: Drawing, expected: Expectation) -> str:
    """Return an expectation as a sentence; nothing where there is none for it."""
    result = expected.fields
    if expected.kind == "rejected":
        return drawn.word("answer-refused", reason=drawn.word(f"reason-{result['reason']}"))
    match drawn.case.operation:
        case "legal-cards":
            return drawn.word("answer-legal", cards=drawn.edition.cards(result["cards"]))
        case "trick-winner":
            card = drawn.input["cards"][(result["winner"] - drawn.input["leader"]) % drawn.rules.players]
            return drawn.word("answer-winner", n=seat_letter(result["winner"]), card=drawn.edition.card(card))
        case "card-points" | "belote":
            return drawn.word("answer-points", n=result["points"])
        case "declarations":
            return _told_declarations(drawn, result)
        case "compare-declarations" | "compare-hands":
            return _told_best(drawn, result)
        case "bidding":
            return _told_bidding(drawn, result)
        case "match":
            return _told_match(drawn, result)
        case "penalty" if "proved" in result:
            return drawn.word("answer-proved" if result["proved"] else "answer-not-proved")
        case "score-deal" | "settle-tricks" | "replay":
            ended = drawn.word(f"answer-ended-{result['ended']}") if "ended" in result else ""
            outcome = drawn.word(f"answer-{result['outcome']}") if "outcome" in result else ""
            return " ".join(filter(None, (ended, outcome)))
        case "perft":
            return drawn.word("answer-count", n=result["count"])
        case _:
            return ""


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


def _told_match(drawn: Drawing, result: Json) -> str:
    if "winner" not in result:
        return ""
    if result["winner"] is None:
        return drawn.word("answer-on")
    return drawn.word("answer-match", who=drawn.side(result["winner"]))
