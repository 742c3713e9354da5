"""Deals, positions and matches in the notation, read from files: what is wrong with them, and as records."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import orjson

from belot_conformance.programs.reference import reference_for
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError, NotationError, Place, Refusal, refused_by, said_of
from belot_reference.game import noted_game
from belot_reference.notation import Deal, Transcript, faults_in
from belot_reference.operations import answer
from belot_reference.sentences import say
from belot_spec.errors import Problem, SpecError
from belot_spec.files import decoded
from belot_spec.languages import FALLBACK, Language

# In bytes: a text of ten thousand deals takes less.
LONGEST_TEXT: Final = 8_000_000


def is_json(begins: bytes) -> bool:
    """Say whether a file that begins so holds JSON; in the notation no line begins with a bracket or is a value."""
    lines = [line.strip() for line in begins.splitlines()]
    return any(line[:1] in (b"{", b"[") for line in lines) or _is_value(next(filter(None, lines), b""))


def _is_value(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def transcript_of(path: Path, data: bytes, profile: str | None, language: Language = FALLBACK) -> Transcript:
    """Return what a file holds, in the notation or in JSON; raises ``SpecError`` with every fault in a language.

    JSON is a line for each deal, as ``belot audit`` takes them, or a question of ``replay``, or a record of a game.
    """
    if not is_json(data):
        text = decoded(path, data)
        if faults := faults_in(text, profile):
            raise SpecError([problem(path, fault, language) for fault in faults])
        return Transcript.parse(text, profile)
    deals, seed = [], None
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            found = orjson.loads(line)
            if isinstance(found, dict) and "deals" in found:
                seed = found.get("seed")
                questions = [{"profile": found.get("profile"), "input": one, "match": "1"} for one in found["deals"]]
            else:
                questions = [found if isinstance(found, dict) and "input" in found else {"input": found}]
            where: dict[str | int, Place] = {"start": Place(number, 1)}
            deals += [replace(Deal.from_json({"profile": profile, **one}), places=where) for one in questions]
        except orjson.JSONDecodeError as error:
            raise SpecError([Problem(path, number, "", f"this is not JSON: {error}")]) from None
        except (BadQuestionError, TypeError) as error:
            raise SpecError([Problem(path, number, "", str(error))]) from None
    return Transcript(tuple(deals), seed)


def problem(path: Path, fault: NotationError, language: Language) -> Problem:
    """Return a fault of the notation as one of a file, in a language."""
    column = say("column", n=fault.column).text.in_language(language)
    return Problem(path, fault.line, column, fault.in_language(language))


def refused_in(transcript: Transcript, profile: str | None) -> Iterator[NotationError]:
    """Yield for each deal what its rules make of it, if they refuse it; that it is not over is no fault.

    ``profile`` are the rules of all deals, whatever they name. Raises ``BelotError`` for rules that there are not.
    """
    for deal in transcript.deals:
        fault = _refused(deal, profile)
        if fault is not None:
            yield fault


def _refused(deal: Deal, profile: str | None) -> NotationError | None:
    start = deal.places.get("start", Place(1, 1))
    named = profile or deal.profile
    if named is None:
        return start.error(say("no-profile"))
    try:
        if deal.operation == "replay" and "announcing" not in deal.opening and "actions" in deal.question:
            noted_game(Transcript((deal,)), named)
            return None
        found = answer(deal.operation, _rules(named), deal.question)
    except NotationError as error:
        return error
    except Refusal as refusal:
        place = start if refusal.at is None else deal.places.get(refusal.at, start)
        return place.error(refusal.text)
    except BadQuestionError as error:
        return start.error(said_of(error))
    if found.rejected is None or found.rejected["reason"] == "unfinished":
        return None
    place = deal.places.get(found.rejected.get("at", "start"), start)
    return place.error(refused_by(found.rejected["reason"], found.rejected.get("rule")))


def _rules(profile: str) -> Ruleset:
    reference = reference_for(profile)
    return reference.ruleset(reference.profile(profile).id)
