"""A match between players with a program beside the table, asked how each deal is dealt and what it brings."""

from collections.abc import Iterator, Sequence
from typing import Any

from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.target import Target
from belot_reference.game import Game
from belot_reference.players import Player, play_match


def played_beside(
    target: Target, profile: str, players: Sequence[Player], *, seed: int | None = None, dealer: int | None = None
) -> tuple[Game, list[dict[str, Any]]]:
    """Play a match, and ask a program of each deal how it is dealt and what it brings, as far as it can be asked.

    Returns the match, and its record with the program's answers: lines that ``belot audit`` judges. What it does not
    declare is not asked, and of what it does not answer the line has no result. ``profile`` is one of the spec; see
    ``play_match``.
    """
    game = play_match(profile, players, seed=seed, dealer=dealer)
    lines = [line for line in _lines(game) if line.get("op", "replay") in target.hello.operations]
    asked = [
        Request(str(number), line.get("op", "replay"), game.profile, line["input"]) for number, line in enumerate(lines)
    ]
    for name, came in target.ask(asked).items():
        if isinstance(came, Reply) and came.kind in ("result", "rejected"):
            lines[int(name)][came.kind] = came.value
    return game, lines


def _lines(game: Game) -> Iterator[dict[str, Any]]:
    """Yield what is asked of each deal, as lines of a log."""
    record, score = game.to_record(), game.score()
    for deal, booked in zip(record["deals"], score.deals, strict=True):
        if booked.contract is not None:
            cards = {name: deal[name] for name in ("dealer", "deck", "cut", "shuffles") if name in deal}
            yield {"profile": game.profile, "op": "deal", "input": {**cards, "taker": booked.contract.taker}}
        yield {"profile": game.profile, "input": deal, "match": "1", "totals": list(booked.totals)}
