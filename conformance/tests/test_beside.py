"""A program beside a match: what it answers of each deal stands in the record, and is judged as any log."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from belot_conformance.logs.beside import played_beside
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_reference.players import RandomPlayer, SensiblePlayer
from suite_testing import run

PLAYERS = [SensiblePlayer(1), RandomPlayer(2), SensiblePlayer(3), RandomPlayer(4)]


def audited(tmp_path: Path, lines: list[dict[str, Any]]) -> Any:
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return run("audit", str(path))


def test_a_program_that_is_right_makes_a_record_that_is_right(reference: Reference, tmp_path: Path) -> None:
    target = FunctionTarget(reference.hello(), reference.reply)
    game, lines = played_beside(target, "belotten", PLAYERS, seed=5)
    assert game.is_over
    assert {line.get("op", "replay") for line in lines} == {"deal", "replay"}
    assert all("result" in line for line in lines)
    assert [line["totals"] for line in lines if "totals" in line] == [list(deal.totals) for deal in game.score().deals]
    done = audited(tmp_path, lines)
    assert done.exit_code == 0, done.stdout


def test_a_program_that_deals_or_counts_wrongly_is_found_by_its_record(reference: Reference, tmp_path: Path) -> None:
    def wrong(operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        reply = reference.reply(operation, profile, question)
        return {"result": {**reply["result"], "cutter": 9}} if operation == "deal" else reply

    _, lines = played_beside(FunctionTarget(reference.hello(), wrong), "belotten", PLAYERS, seed=5)
    done = audited(tmp_path, lines)
    assert done.exit_code == 1
    assert "cutter" in done.stdout
    hello = replace(reference.hello(), operations=("replay",))
    _, lines = played_beside(FunctionTarget(hello, lambda *_: {"error": "no"}), "belotten", PLAYERS, seed=5)
    # It is asked only what it declares.
    assert {line.get("op") for line in lines} == {None}
    assert not any("result" in line for line in lines)
