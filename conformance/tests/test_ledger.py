"""The ledger of released cases: what it notices, what it lets pass, and how a case leaves the suite on purpose."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.suite.cases import Case, case_files, read_cases
from belot_conformance.suite.ledger import LEDGER, Ledger, RetireError, ledger_problems, read_ledger
from belot_spec.errors import SpecError
from belot_workshop.recorder import with_lasting_ids
from belot_workshop.releases.release import gone, retire
from suite_testing import run

FILE = "legal-cards/bela-examples.yaml"
SPEC = "0" * 64


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    """Return a folder of cases that were released as 1.0.0: one file of examples, and one of recorded matches."""
    for name in (FILE, "match/recorded-bela-2.jsonl"):
        (tmp_path / name).parent.mkdir()
        shutil.copyfile(root / "cases" / name, tmp_path / name)
    write(read_ledger(tmp_path).released("1.0.0", SPEC, cases_in(tmp_path)))
    return tmp_path


def cases_in(folder: Path) -> list[Case]:
    return read_cases(case_files(folder))


def write(ledger: Ledger) -> None:
    ledger.path.write_text(ledger.text(), encoding="utf-8")


def problems(folder: Path) -> list[str]:
    return [f"{one.key}: {one.message}" for one in ledger_problems(read_ledger(folder), cases_in(folder))]


def change(folder: Path, before: str, after: str, name: str = FILE) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")


def without(folder: Path, case_id: str) -> None:
    text = (folder / FILE).read_text(encoding="utf-8")
    text = re.sub(rf"(?ms)^  - id: {case_id}\n.*?(?=^  - id: |\Z)", "", text)
    (folder / FILE).write_text(text, encoding="utf-8")


def test_what_is_as_it_was_released_fits_and_a_ledger_reads_as_it_was_written(folder: Path) -> None:
    assert problems(folder) == []
    assert read_ledger(folder).entries.keys() == {case.id for case in cases_in(folder)}
    ledger = read_ledger(folder).retire("bc-0035", "why", by="bc-0036").released("1.1.0", SPEC, [])
    write(ledger)
    assert read_ledger(folder) == ledger
    assert all(line.startswith(('"bc-', '{"version"', "{", "}", '"', "]")) for line in ledger.text().splitlines())


@pytest.mark.parametrize(("before", "after", "what"), [
    ("{cards: [9S, 7S]}", "{cards: [9S]}", "the expectation changed"),
    ("hand: [9S, 7S, JH, AD]", "hand: [9S, 7S, JH, KD]", "the question changed"),
    ("profile: bela-4", "profile: bela-3", "the question changed"),
])  # fmt: skip
def test_a_released_case_that_changed_silently_is_told(folder: Path, before: str, after: str, what: str) -> None:
    change(folder, before, after)
    own = [one for one in problems(folder) if one.startswith("bc-0036: ")]
    assert len(own) == 1
    assert f"{what} since it was released in 1.0.0; put it back, or retire it" in own[0]
    assert 'belot cases retire bc-0036 --reason "…" --renew' in own[0]


@pytest.mark.parametrize(("before", "after"), [
    ("{cards: [9S, 7S]}", "{cards: [7S, 9S]}"),
    ("nine and seven are both under the jack", "nine and seven do not beat the jack"),
    ("statements: [BL-177..179]", "statements: [BL-177]"),
    ("rulings: [BL-R3]\n    origin: source-example", "origin: by-hand"),
])  # fmt: skip
def test_words_sources_and_the_order_of_a_set_may_change(folder: Path, before: str, after: str) -> None:
    change(folder, before, after)
    assert problems(folder) == []


def test_a_released_case_that_is_gone_is_told_until_it_is_retired(folder: Path) -> None:
    without(folder, "bc-0036")
    assert problems(folder) == [
        'bc-0036: it was released in 1.0.0 and is gone; put it back, or belot cases retire bc-0036 --reason "…"'
    ]
    assert gone(folder) == ["bc-0036"]
    retire(folder, gone(folder), "the source was read wrongly")
    assert (problems(folder), gone(folder)) == ([], [])


def test_a_retired_id_is_never_used_again(folder: Path) -> None:
    old = (folder / FILE).read_text(encoding="utf-8")
    without(folder, "bc-0036")
    retire(folder, ["bc-0036"], "too easy")
    (folder / FILE).write_text(old, encoding="utf-8")
    (problem,) = problems(folder)
    free = next(read_ledger(folder).free_ids(cases_in(folder)))
    assert problem == f"bc-0036: this id is retired (too easy) and never used again; the next free id is {free}"


@pytest.mark.parametrize(("ids", "options", "message"), [
    (["bc-0036"], {}, "bc-0036 still stands in legal-cards/bela-examples.yaml:"),
    (["bc-9999"], {}, "there is no case bc-9999"),
    (["bc-0036", "bc-0036"], {"renew": True}, "bc-0036 is named twice"),
    (["bc-0036"], {"by": "bc-9998"}, "there is no case bc-9998 that could replace it"),
    (["bc-0036"], {"renew": True, "reason": " "}, "bc-0036 needs a reason"),
])  # fmt: skip
def test_a_retirement_that_makes_no_sense_is_refused_and_changes_nothing(
    folder: Path, ids: list[str], options: dict[str, Any], message: str
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(RetireError, match=re.escape(message)):
        retire(folder, ids, **{"reason": "why", **options})
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_was_never_released_needs_no_retiring_and_nothing_retires_twice(folder: Path) -> None:
    ledger = read_ledger(folder)
    with pytest.raises(RetireError, match="bc-0001 was never released, so there is nothing to retire"):
        ledger.retire("bc-0001", "why")
    with pytest.raises(RetireError, match="bc-0036 is retired already: because"):
        ledger.retire("bc-0036", "because").retire("bc-0036", "again")


@pytest.mark.parametrize(("spoilt", "message"), [
    ({"expectation": "0" * 32}, "1.0.0: its entries are not those of the release; restore the file, which only belot writes"),
    (None, "1.0.0: its entries are not those of the release"),
    ({"release": "0.9.0"}, "bc-0036: there was no release 0.9.0"),
    ({"retired": {"reason": "why", "by": "bc-7777", "release": None}}, "bc-0036: it is replaced by bc-7777, which is no case"),
])  # fmt: skip
def test_a_ledger_changed_by_hand_is_told(folder: Path, spoilt: dict[str, Any] | None, message: str) -> None:
    ledger = read_ledger(folder)
    data = json.loads(ledger.text())
    entry = data["cases"].pop("bc-0036")
    data["cases"] |= {} if spoilt is None else {"bc-0036": {**entry, **spoilt}}
    ledger.path.write_text(json.dumps(data), encoding="utf-8")
    assert any(one.startswith(message) for one in problems(folder)), problems(folder)


@pytest.mark.parametrize(("text", "message"), [
    ("{", "released.json:1: this is not JSON"),
    ("[]", "released.json:1: "),
    ('{"ledger": 2, "releases": [], "cases": {}}', "ledger: "),
    ('{"ledger": 1, "releases": [], "cases": {"bc-1": {}}}', "cases"),
])  # fmt: skip
def test_a_faulty_ledger_is_told_with_file_and_line(folder: Path, text: str, message: str) -> None:
    (folder / "released.json").write_text(text, encoding="utf-8")
    with pytest.raises(SpecError, match=re.escape(message)):
        read_ledger(folder)


def test_free_ids_are_those_that_no_case_has_or_ever_had(folder: Path) -> None:
    ledger, cases = read_ledger(folder), cases_in(folder)
    by_hand = max(case.id for case in cases if case.path.suffix == ".yaml")
    first, second, *_ = ledger.free_ids(cases)
    assert [first, second] == [f"bc-{int(by_hand[3:]) + number:04d}" for number in (1, 2)]
    assert next(ledger.released("1.1.0", SPEC, [replace(cases[0], id=first)]).free_ids(cases)) == second


def test_the_shipped_cases_fit_the_shipped_ledger(cases: list[Case], root: Path) -> None:
    assert ledger_problems(read_ledger(root / "cases"), cases) == []


def test_a_recorded_case_keeps_its_released_id_and_another_in_its_place_gets_a_new_one(folder: Path) -> None:
    ledger = read_ledger(folder)
    recorded = [
        {"id": case.id, "profile": case.profile, "input": case.input, "expect": {"result": case.expected[0].fields}}
        for case in cases_in(folder)
        if case.path.suffix == ".jsonl"
    ]
    assert with_lasting_ids("match", "bela-2", recorded, ledger, []) == recorded
    # The first is left out, so all others move up by a place; the last is new.
    places = [one["id"] for one in recorded]
    moved = [{**one, "id": place} for one, place in zip(recorded[1:], places, strict=False)]
    new = {**recorded[0], "input": {}, "id": places[-1]}
    found = with_lasting_ids("match", "bela-2", [*moved, new], ledger, ["bc-3880"])
    assert [one["id"] for one in found] == [*places[1:], "bc-3881"]
    assert [one["input"] for one in found[:-1]] == [one["input"] for one in recorded[1:]]


def test_with_nothing_gone_it_says_so_and_writes_no_ledger(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / LEDGER).unlink(missing_ok=True)
    monkeypatch.setattr("belot_spec.data.cases_folder", lambda: folder)
    done = run("cases", "retire", "--gone", "--reason", "tidy up")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "nothing to retire" in done.stdout
    assert not (folder / LEDGER).exists()
