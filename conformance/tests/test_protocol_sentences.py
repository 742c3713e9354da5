"""What the document of the protocol says of corners of the rules is what the engine answers there."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from belot_conformance.cli.main import main

HANDS: Final = [
    ["JH", "QD", "9D", "8D", "KC", "QC", "JC", "8C"],
    ["JS", "AS", "KS", "QS", "AH", "7H", "10D", "9C"],
    ["10S", "8S", "10H", "QH", "8H", "KD", "7D", "AC"],
    ["9S", "7S", "KH", "9H", "AD", "JD", "10C", "7C"],
]


def asked(operation: str, profile: str, question: Any) -> Any:
    line = json.dumps({"id": "1", "op": operation, "profile": profile, "input": question})
    return json.loads(CliRunner().invoke(main, ["answer"], input=line + "\n").stdout)


@pytest.mark.parametrize(
    ("profile", "action", "reason"),
    [
        ("belote+tournament", {"play": "JS", "announce": [["QS", "KS", "10C"]]}, "card-not-held"),
        ("belote+tournament", {"play": "JS", "announce": [["QS", "KS", "AS"]]}, "not-a-declaration"),
        ("belote+tournament", {"announce": [["QS", "KS", "AS"]]}, "wrong-phase"),
        ("belote", {"discard": ["9C"]}, "wrong-phase"),
    ],
)
def test_an_action_that_has_no_place_is_refused_as_the_protocol_says(profile: str, action: Any, reason: str) -> None:
    actions = [{"seat": 1, "bid": "S"}, {"seat": 1, **action}]
    reply = asked("replay", profile, {"dealer": 0, "hands": HANDS, "turn_up": "JS", "actions": actions})
    assert (reply["rejected"]["at"], reply["rejected"]["reason"]) == (1, reason)


def test_a_set_is_worth_its_best_declaration_where_only_that_one_counts() -> None:
    hand = ["7S", "8S", "9S", "JH", "QH", "KH", "AD", "8D"]
    result = asked("declarations", "belote+best-declaration", {"hand": hand})["result"]
    assert (len(result["sets"][0]["declarations"]), result["sets"][0]["points"]) == (2, 20)


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("PROTOCOL.md", "a set still lists all of them, and `points` is what that one is worth"),
        ("PROTOCOL.md", "cards laid away where nobody lays any away"),
        ("PROTOCOL.md", "an announcement with a card is never `announced-late`"),
        ("docs/perft.md", "Open Belot has no such endings"),
    ],
)
def test_the_document_says_so(root: Path, file: str, sentence: str) -> None:
    assert sentence in (root / "conformance" / file).read_text(encoding="utf-8")


def patterns(schema: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(schema, dict) and isinstance(schema.get("pattern"), str):
        yield schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from patterns(inner)


def test_a_form_of_text_that_a_message_asks_for_is_said_in_words(root: Path) -> None:
    """A pattern without words would itself stand in the message, which nobody reads."""
    for name in ("protocol-operations", "values"):
        schema = json.loads((root / "spec" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
        assert [*patterns(schema)]
        assert [one["pattern"] for one in patterns(schema) if "description" not in one] == []
    error = asked("bidding", "contree", {"dealer": 3, "bids": ["9H0"]})["error"]
    assert "or a number or capot and what is trump, as 90H or capotN, is the text" in error
    assert "^" not in error
