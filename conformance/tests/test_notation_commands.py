"""The notation where commands take it, and texts in it that are wrong."""

import gzip
import json
import re
from pathlib import Path

import pytest

from belot_conformance.logs.noted import refused_in
from belot_conformance.suite.cases import Case
from belot_reference.action import SAID
from belot_reference.bids import BID_NAMES, CAPOT_NAME
from belot_reference.game import Game
from belot_reference.notation import FIELDS, Deal, Transcript, faults_in
from belot_spec.card_names import CARD_NAMES
from suite_testing import run

HANDS = "hands 7.../8.../9.../10..."
REFUSED = f"profile bela-4\ndealer 3\n{HANDS}\n0: H\n0: 7S 9S\n"


def sorted_hands(question: dict[str, object]) -> dict[str, object]:
    told = json.loads(json.dumps(question))
    for name in ("hands", "before"):
        told |= {name: [sorted(hand, key=CARD_NAMES.index) for hand in told[name]]} if name in told else {}
    return {**told, **({"hand": sorted(told["hand"], key=CARD_NAMES.index)} if "hand" in told else {})}


@pytest.mark.parametrize("operation", ["replay", "perft", "legal-cards"])
def test_every_deal_of_the_cases_goes_to_text_and_back(cases: list[Case], operation: str) -> None:
    asked = [case for case in cases if case.operation == operation]
    assert asked
    for case in asked[::10]:
        deal = Deal.from_json({"profile": case.profile, "op": operation, "input": case.input})
        assert Deal.parse(str(deal)) == deal, case.id
        assert Deal.parse(str(deal)).question == sorted_hands(dict(case.input)), case.id
        assert Transcript.parse(str(Transcript((deal,)))).deals == (deal,), case.id


def played(tmp_path: Path, form: str = "text") -> Path:
    game = Game("belotten", seed=5)
    while not game.is_over:
        game = game.apply(game.legal_actions()[-1])
    path = tmp_path / f"match.{form}"
    path.write_text(game.to_text() if form == "text" else json.dumps(game.to_record()), encoding="utf-8")
    return path


def test_a_match_in_the_notation_is_audited_with_its_dealers_and_totals(tmp_path: Path) -> None:
    path = played(tmp_path)
    assert run("audit", str(path)).exit_code == 0
    text = path.read_text(encoding="utf-8")
    second = text.index("dealer 0 totals ")
    line = text[:second].count("\n") + 1
    path.write_text(text[:second] + text[second:].replace("totals ", "totals 9", 1), encoding="utf-8")
    wrong = run("audit", str(path))
    assert wrong.exit_code == 1
    assert f"FAILED match.text:{line} " in wrong.stdout
    assert "totals before" in wrong.stdout


def test_a_score_that_is_told_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "one.belot"
    deal = played(tmp_path).read_text(encoding="utf-8").split("\n\n")[0]
    right = Game.from_text(deal).score().deals[0].score
    path.write_text(f"{deal}\nscore {right[0]}/{right[1]}\n", encoding="utf-8")
    assert run("audit", str(path)).exit_code == 0
    packed = tmp_path / "one.belot.gz"
    packed.write_bytes(gzip.compress(f"{deal}\nscore {right[0] + 1}/{right[1]}\n".encode()))
    wrong = run("audit", str(packed))
    assert wrong.exit_code == 1
    assert "score" in wrong.stdout


def test_text_becomes_json_and_json_the_same_text(tmp_path: Path) -> None:
    path = played(tmp_path)
    as_json = run("notation", "--to", "json", str(path))
    assert as_json.exit_code == 0, as_json.output
    lines = tmp_path / "match.jsonl"
    lines.write_text(as_json.stdout, encoding="utf-8")
    assert run("audit", str(lines)).exit_code == 0
    again = run("notation", str(lines))
    assert again.exit_code == 0
    # Without the seed, which is of no deal.
    assert again.stdout == path.read_text(encoding="utf-8").replace("seed 5\n", "")
    record = run("notation", str(played(tmp_path, "json")))
    assert (record.exit_code, record.stdout) == (0, path.read_text(encoding="utf-8"))


def test_what_the_rules_refuse_is_told_by_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "wrong.belot"
    path.write_text(f"# mine\n{REFUSED}", encoding="utf-8")
    told = run("notation", str(path))
    assert told.exit_code == 1
    assert f"{path}:6:7: card-not-held: seat 1: play 9S: seat 1 holds 8S." in told.stderr
    assert told.stdout == f"# mine\n{REFUSED}"


def test_what_is_not_in_the_notation_is_told_by_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "wrong.belot"
    path.write_text(f"profile bela-4 dealer 3\n{HANDS} 0: pas", encoding="utf-8")
    for command, said in (
        (["notation"], "column 31: pas is no action"),
        (["audit"], "column 31: pas is no action"),
        (["play", "--lang", "nl"], "kolom 31: pas kan"),
        (["play", "--lang", "fr"], "colonne 31: pas n'a"),
    ):
        told = run(*command, path)
        assert told.exit_code == 2
        assert f"{path}:2: {said}" in told.stderr
        assert ("did you mean pass?" in told.stderr) == ("--lang" not in command) == ("did you mean" in told.stderr)


def test_a_deal_in_the_notation_is_told_as_a_random_one_is(tmp_path: Path) -> None:
    question = run("play", "--profile", "belotten", "--seed", "3", "--format", "json").stdout
    path = tmp_path / "deal.json"
    path.write_text(question, encoding="utf-8")
    text = tmp_path / "deal.belot"
    text.write_text(run("notation", "--profile", "belotten", str(path)).stdout, encoding="utf-8")
    own, random = run("play", str(text)), run("play", "--profile", "belotten", "--seed", "3")
    assert own.exit_code == 0, own.output
    assert own.stdout.split("The deal\n")[1] == random.stdout.split("The deal\n")[1]
    assert run("play", str(text), "--format", "json").stdout == question


def test_of_a_deal_that_is_not_over_the_table_is_shown_and_a_refused_one_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "half.belot"
    path.write_text(f"profile bela-4 dealer 3 {HANDS} 0: H 0: 7S", encoding="utf-8")
    shown = run("play", str(path), "--lang", "nl")
    assert shown.exit_code == 0
    assert "▸ plaats 1  ♠ 8  ♥ –  ♦ –  ♣ –" in shown.stdout
    assert "Troef ♥. Slag 1: plaats 0 7♠. Plaats 1 speelt." in shown.stdout
    path.write_text(REFUSED, encoding="utf-8")
    told = run("play", str(path))
    assert told.exit_code == 2
    assert f"{path}:5:7: card-not-held: " in told.stderr


@pytest.mark.parametrize(("position", "count"), [
    ("profile bela-4 leader 0 trump H hands 78.../910.../JQ.../KA...", 12),
    ("profile bela-4 leader 0 trump H hands 78.../910.../JQ.../KA... 0: 7S", 6),
    ("profile bela-4 dealer 3 hands 78.../910.../JQ.../KA... 0: H 0: 7S 9S", 4),
    ("leader 0 trump H hands 78.../910.../JQ.../KA...", 12),
])  # fmt: skip
def test_a_position_is_counted(position: str, count: int) -> None:
    done = run("perft", "--profile", "bela-4", "--position", position, "--depth", "8", "--format", "json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["deals"][0]["counts"][-1] == count


@pytest.mark.parametrize(("position", "message"), [
    ("leader 0 trump H hand 7...", "what all seats hold"),
    (f"dealer 3 {HANDS}", "once somebody has taken"),
    ("leader 0 trump X", "1:16: trump is one of"),
])  # fmt: skip
def test_a_position_that_cannot_be_counted_is_refused(position: str, message: str) -> None:
    done = run("perft", "--profile", "bela-4", "--position", position)
    assert done.exit_code == 2
    assert message in done.stderr
    assert run("perft", "--deal", "x", "--position", position).exit_code == 2


def test_the_page_shows_texts_that_are_right_and_the_grammar_of_all_words(root: Path) -> None:
    page = (root / "conformance/docs/notation.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    line, match, grammar = (text for kind, text in blocks if not kind)
    for text in (line, match):
        assert faults_in(text) == []
        assert list(refused_in(Transcript.parse(text), None)) == []
    assert str(Transcript.parse(match)).strip() == match.strip()
    assert f"{Deal.parse(line)}\n" == line
    assert Game.from_text(line).turn == 3
    told = set(re.findall(r'"([a-z_]+)\(?"', grammar))
    others = {"profile", "match", "seed", "score", "automatic", CAPOT_NAME, "sequence", "square"}
    assert told == {*FIELDS, *(bid for bid in BID_NAMES if bid.islower()), *SAID, *others}


def test_a_refusal_names_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "deal.text"
    path.write_text(f"profile contree dealer 3\n{HANDS}\n0: 80H 80S\n", encoding="utf-8")
    told = run("notation", str(path)).stderr
    assert "bid-too-low: seat 1: bid 80S: seat 1 may say pass, 90S" in told
    assert "bidding.amounts" in told


@pytest.mark.parametrize("text", [
    "leader 0 trump H hands 78.../910.../JQ.../KA...", "leader 2 trump H hands 78.../910.../JQ.../KA... depth 3",
    "leader 0 trump H hands 78.../910.../JQ.../KA... 0: 7S 10S", "leader 0 trump H hand 78... 0: 9S AS",
    "leader 0 trump H hand 78...", "dealer 3 hands 7.../8.../9.../10... 0: H", "dealer 0 taker 1 trump H 1: 7S 8S 9S 10S",
])  # fmt: skip
def test_what_is_written_as_json_belot_takes_again(text: str, tmp_path: Path) -> None:
    (path := tmp_path / "a.belot").write_text(f"profile bela-4 {text}\n")
    (again := tmp_path / "a.json").write_text(run("notation", "--to", "json", path).stdout)
    assert run("notation", again).exit_code == run("notation", path).exit_code < 2
    assert "is not right" not in run("audit", again).stdout
