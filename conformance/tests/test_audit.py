"""Records of deals and matches: what is right passes, each fault is named with its place, and a bad line is told at once."""

import gzip
import json
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from copy import deepcopy
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

import pytest

from belot_conformance.cli.audit import _verdicts
from belot_conformance.cli.report import read_report
from belot_conformance.logs.shares import shares_of
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.dealt import with_hands
from belot_reference.contract import DealContract
from belot_reference.counting import tricks_won
from belot_reference.game import Game
from belot_reference.match import book_ended, start_match
from belot_reference.operations import answer
from belot_reference.questions import mode_named
from belot_reference.scoring import Settlement, Tally
from belot_spec.load.schemas import explain
from suite_testing import flat, run

Records = list[dict[str, Any]]
DEALS = 12


@pytest.fixture(scope="module")
def played(reference: Reference) -> Records:
    rules, random = reference.ruleset("belotten"), Random("audit")
    found: Records = []
    while len(found) < DEALS:
        question = random_deal(rules, random).question
        message = answer("replay", rules, question).message()
        if message.get("result", {}).get("ended") == "played":
            found.append({"profile": "belotten", "input": question, **message})
    return found


@pytest.fixture
def log(tmp_path: Path) -> Callable[[Sequence[Mapping[str, Any]]], Path]:
    def written(records: Sequence[Mapping[str, Any]]) -> Path:
        path = tmp_path / "log.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path

    return written


Log = Callable[[Sequence[Mapping[str, Any]]], Path]


def report(*words: object) -> dict[str, Any]:
    done = run("audit", "--format", "json", *words)
    found: dict[str, Any] = json.loads(done.stdout)
    assert explain(found, "report") == []
    assert done.exit_code == (0 if found["passed"] else 1)
    return found


def wrong(found: Mapping[str, Any]) -> dict[str, list[str]]:
    return {case["id"]: [one["field"] for one in case["differences"]] for case in found["cases"]}


def test_right_records_pass_and_are_only_counted(played: Records, log: Log, tmp_path: Path) -> None:
    few = [{**played[0], "result": {"score": played[0]["result"]["score"]}}, {"input": played[1]["input"]}, *played[2:]]
    found = report(log(few), "--profile", "belotten")
    assert found["totals"]["passed"] == found["totals"]["planned"] == DEALS
    assert found["cases"] == []
    assert found["unlisted"] == DEALS
    (kept := tmp_path / "report.json").write_text(json.dumps(found), encoding="utf-8")
    assert read_report(kept)["totals"]["passed"] == DEALS


def test_each_fault_is_named_with_its_line(played: Records, log: Log) -> None:
    records = deepcopy(played)
    records[2]["result"]["score"][0] += 1
    plays = [place for place, action in enumerate(records[5]["input"]["actions"]) if "play" in action]
    records[5]["input"]["actions"][plays[4]]["seat"] = (records[5]["input"]["actions"][plays[4]]["seat"] + 1) % 4
    records[7]["input"]["deck"][0] = records[7]["input"]["deck"][1]
    found = report(log(records))
    assert wrong(found) == {"log.jsonl:3": ["score"], "log.jsonl:6": ["trick winner"], "log.jsonl:8": []}
    refused = found["cases"][1]
    assert refused["expected"] == [{"rejected": {"at": plays[4], "reason": "not-your-turn"}}]
    assert refused["again"] == f"belot audit {log(records)} --line 6"
    assert "deck" in found["cases"][2]["detail"]
    assert wrong(report(log(records), "--line", "6")) == {"log.jsonl:6": ["trick winner"]}


# A deal of contrée by seat 3: 100 in hearts over 90 in spades, doubled by the other side.
AUCTION = ({"seat": 0, "bid": "90S"}, {"seat": 1, "bid": "100H"}, {"seat": 2, "bid": "double"},
           {"seat": 3, "bid": "pass"}, {"seat": 1, "bid": "pass"})  # fmt: skip


@pytest.fixture(scope="module")
def contract(reference: Reference) -> dict[str, Any]:
    """Return a record of a deal with a contract, played by the first legal cards, with the whole answer."""
    rules = reference.ruleset("contree")
    begun = {**random_deal(rules, Random("contract")).question, "dealer": 3, "actions": AUCTION}
    game = Game.from_record({"profile": "contree", "deals": [begun]})
    while game.phase != "deal":
        game = game.apply(game.legal_actions()[0])
    (question,) = game.to_record()["deals"]
    return {"profile": "contree", "input": question, **answer("replay", rules, question).message()}


MAY = "may pass 100S/H/D/C 110S/H/D/C … 160S/H/D/C capotS/H/D/C double"


@pytest.mark.parametrize(("place", "changed", "said"), [
    (0, {"seat": 1}, ("rejected (at 0, reason not-your-turn)", "turn 0")),
    (1, {"bid": "80H"}, ("rejected (at 1, reason bid-too-low)", MAY)),
    (1, {"bid": "105H"}, ("rejected (at 1, reason bid-too-low)", MAY)),
    (3, {"bid": "double"}, ("rejected (at 3, reason may-not-double)", "may pass redouble")),
    (3, {"bid": "capotH"}, ("rejected (at 3, reason bid-too-low)", "may pass redouble")),
    (7, {"play": "JS"}, ("rejected (at 7, reason card-not-held)", "may 7♠ K♠")),
    (7, {"play": "KD"}, ("rejected (at 7, reason illegal-card)", "trick 8♠ 7♥ · may 7♠ K♠")),
    ("result", {"bid": 110}, ("expected bid 100 came bid 110",)),
    ("result", {"bid": "capot"}, ("expected bid 100 came bid capot",)),
    ("result", {"raised": 1}, ("expected raised 2 came raised 1",)),
    ("result", {"score": [320, 0]}, ("expected score [520, 0] came score [320, 0]",)),
    (1, {"bid": "H"}, ("actions.1.bid: what is said in contree is one of pass, 80S/H/D/C, 90S/H/D/C, …, 160S/H/D/C, "
                       "capotS/H/D/C, double, redouble, not H",)),
    (1, {"bid": "100h"}, ('must be "pass" or one of S, H, D, C or one of N, A or one of double, redouble or ',)),
    (1, {"bid": "100 h"}, ('is the text "100 h"; did you mean 100H?',)),
    (1, {"bid": "duble"}, ('is the text "duble"; did you mean double?',)),
    (1, {"bid": 100}, ("is the number 100",)),
])  # fmt: skip
def test_what_is_wrong_in_a_contract_game_is_told_with_what_would_be_right(
    place: Any, changed: Mapping[str, Any], said: Sequence[str], contract: Mapping[str, Any], log: Log
) -> None:
    record = deepcopy(dict(contract))
    (record[place] if place == "result" else record["input"]["actions"][place]).update(changed)
    done = run("audit", log([contract, record]))
    told = flat(done.stdout)
    assert done.exit_code == 1
    assert "log.jsonl:1 " not in told
    assert [part for part in ("log.jsonl:2", *said) if part not in told] == []


def test_many_processes_find_the_same(played: Records, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("belot_conformance.logs.audit.SHARE", 2)
    records = deepcopy(played)
    records[9]["result"]["held"] += 5
    alone, together = (report(log(records), "--jobs", jobs) for jobs in (1, 2))
    assert wrong(alone) == wrong(together) == {"log.jsonl:10": ["held"]}


def in_shares(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let a cluster be one that does each share of a log here, as small as that."""

    def by(_: str, work: Callable[[Any], Any], shares: Iterable[Any]) -> Iterator[Any]:
        for share in shares:
            yield pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(work))(pickle.loads(pickle.dumps(share)))))

    monkeypatch.setattr("belot_conformance.cli.audit.on_cluster", by)
    monkeypatch.setattr("belot_conformance.cli.audit.need", lambda *_: None)
    monkeypatch.setattr("belot_conformance.logs.audit.shares_of", partial(shares_of, size=size))


@pytest.mark.parametrize("size", [700, 3001, 10**6])
def test_a_cluster_says_what_one_machine_does_to_the_last_byte_whatever_the_shares(
    played: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    records, folder = deepcopy(played), tmp_path / "logs"
    records[3]["result"]["held"] += 5
    records[8]["result"]["scor"] = []
    records[9]["input"]["dealer"] = (records[9]["input"]["dealer"] + 1) % 4
    lines = [json.dumps({**record, "match": number // 4}) for number, record in enumerate(records)]
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(b"\xef\xbb\xbf\n" + "\n\n".join([*lines, "no record", "{"]).encode())
    (folder / "b.jsonl.gz").write_bytes(gzip.compress("\n".join(lines[2:5]).encode()))
    (folder / "c.json").write_text(json.dumps([json.loads(line) for line in lines[3:6]], indent=1), encoding="utf-8")
    (folder / "d.txt").write_text("profile belotten\ndealer 0 hands 7.../8.../9.../10... turn_up AH", encoding="utf-8")
    (folder / ".hidden").write_text("nothing", encoding="utf-8")
    in_shares(monkeypatch, size)
    for most in ("3", "1000"):
        words = ("audit", str(folder), "--max-wrong", most, "--show", "99", "--seconds", "0.1")
        alone, together = run(*words), run(*words, "--scheduler", "there")
        assert alone.exit_code == together.exit_code
        assert without_seconds(together.stdout) == without_seconds(alone.stdout)
        assert together.stderr == alone.stderr
    assert alone.exit_code == 2
    assert "a.jsonl:18" in alone.stderr


def without_seconds(page: str) -> str:
    return re.sub(r"[0-9.,]+ (m?s|seconds)\b|--scheduler there", "", page)


def test_a_file_that_a_worker_cannot_read_is_named(played: Records, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log(played)
    whole = path.read_bytes()
    in_shares(monkeypatch, 2000)
    monkeypatch.setattr(
        "belot_conformance.cli.audit.on_cluster",
        lambda _, work, shares: (work(share) for share in [*shares] if path.write_bytes(whole[:100])),
    )
    assert "log.jsonl: the file is not the same on the machine of a worker" in flat(
        run("audit", str(path), "--scheduler", "there").stderr
    )


def following(played: Records, reference: Reference) -> Records:
    rules, random = reference.ruleset("belotten"), Random("match")
    match, records = start_match(rules, 0), Records()
    while match.winner is None and len(records) < 6:
        question = random_deal(rules, random).question
        if question["dealer"] != match.dealer:
            continue
        question = {**question, "totals": list(match.totals)}
        result = answer("replay", rules, question).result
        assert result is not None
        settled, contract, tallies = None, None, list[Tally]()
        if result["ended"] == "played":
            counted, points, score, written = (tuple(result[key]) for key in ("counted", "points", "score", "written"))
            settled = Settlement(counted, result["outcome"], points, score, result["held"], written)
            contract = DealContract(result["taker"], mode_named(rules, result["trump"]))
            won = tricks_won(rules, [trick["winner"] for trick in result["tricks"]])
            tallies = [Tally(cards, tricks) for cards, tricks in zip(result["cards"], won, strict=True)]
        match, _ = book_ended(rules, match, settled, contract, result.get("winner"), tallies)
        record = {"match": 7, "input": question, "result": dict(result), "totals": list(match.totals)}
        records.append({"profile": "belotten", **record})
    return records


def test_totals_and_dealers_follow_from_the_deals_before(played: Records, reference: Reference, log: Log) -> None:
    records = following(played, reference)
    assert len(records) > 3
    assert report(log(records))["passed"]
    records[1]["totals"][0] += 3
    records[2]["input"]["totals"][0] += 3
    # It goes on from what each deal says, so that one slip is not told again and again.
    assert wrong(report(log(records))) == {"log.jsonl:2": ["totals"], "log.jsonl:3": ["totals"]}
    records[2]["input"]["totals"][0] += 3
    assert wrong(report(log(records)))["log.jsonl:3"] == ["totals before", "totals"]
    del records[1]
    assert "dealer" in wrong(report(log(records)))["log.jsonl:2"]


@pytest.mark.parametrize(("line", "said"), [
    ("{", "log.jsonl:2: this is not JSON"), ("server started", "log.jsonl:1: this is not JSON"),
    ("null", "log.jsonl:1: a record is an object of JSON"), ("7", "log.jsonl:1: a record is an object of JSON"),
    ('{"inputs": {}}', "log.jsonl:1: inputs: unknown key; did you mean input?"),
    ('{"input": null}', "log.jsonl:1: the key input is missing"),
    ('{"input": {}}', "log.jsonl:1: no profile stands here; add one, or name the rules with --profile"),
    ('{"input": {}, "profile": "belotte"}', "did you mean belotte"),
    ('{"input": {}, "op": "replai"}', "log.jsonl:1: op: "),
    ('{"input": {}, "result": {"scor": [0, 0]}}',
     "log.jsonl:1: result.scor: no result of replay has this field; did you mean score?"),
    ('{"input": {}, "result": {"tricks": [{}, {"point": 2}]}}', "result.tricks.1.point: no result of replay"),
    ('{"input": {}, "op": "match", "result": {"deals": [{"total": [0, 0]}]}}', "did you mean totals?"),
    (f'{{"input": {{"{"x" * 4_000_000}": 1}}}}', "log.jsonl:1: the line is longer than 4000000 bytes"),
])  # fmt: skip
def test_a_line_that_is_no_record_is_named_and_others_judged(played: Records, log: Log, line: str, said: str) -> None:
    path = log([{**played[0], "totals": None, "rejected": None}, *played[1:]])
    path.write_text(f"{line}\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    done = run("audit", path, "--jobs", "2")
    assert done.exit_code == 2
    assert said in flat(done.stderr)
    assert len(done.stderr.splitlines()) == 1
    assert f"{DEALS} passed" in done.stdout
    assert "not judged: 1." in flat(done.stdout)
    assert "NOT JUDGED WHOLE" in done.stdout


def test_where_no_record_is_that_is_said(played: Records, log: Log) -> None:
    done = run("audit", log([{"input": {}}] * 1200))
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 19)
    assert "… and 982 more faults" in done.stderr
    assert "no record on line 99" in run("audit", log(played), "--line", "99").stderr
    for nothing in ("", "\n" * 100_000, "[]", " [\n] "):
        (path := log([])).write_text(nothing)
        assert "there is no record in" in run("audit", path).stderr


def test_packed_files_and_stdin_are_read(played: Records, log: Log, tmp_path: Path) -> None:
    text = log(played).read_bytes()
    packed = tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(text))
    for done in (run("audit", packed), run("audit", "-", stdin=text), run("audit", "-", stdin=gzip.compress(text))):
        assert done.exit_code == 0, done.output
        assert f"{DEALS} passed" in done.stdout


def test_a_log_that_is_wrong_throughout_is_given_up(played: Records, log: Log) -> None:
    done = run("audit", log(played), "--profile", "bela-3", "--max-wrong", "3", "--show", "0")
    assert done.exit_code == 1
    assert "3 failed" in done.stdout
    assert "Given up after 3 wrong records" in done.stdout


def test_a_million_right_records_are_one_verdict_in_memory(played: Records, log: Log) -> None:
    given = {"profile": None, "jobs": 1, "line": None, "max_wrong": 9, "scheduler": None, "language": "en"}
    assert len({id(verdict) for verdict in _verdicts((log(played),), given, [])}) == 1


def converted(script: Path, file: Path) -> list[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setattr("sys.argv", [str(script), str(file)])
        run_path(str(script), run_name="__main__")
    return [json.loads(line) for line in printed.getvalue().splitlines()]


@pytest.mark.parametrize(("profile", "files", "changed", "into", "fields"), [
    ("bela-4", ("plays.csv", "games.json"), "", "", {}),
    ("bela-4", ("plays.csv", "games.json"), "9C,62-100", "9C,72-90", {"log.jsonl:1": ["score"]}),
    ("bela-4", ("plays.csv", "games.json"), '"points": [\n   62', '"points": [\n   72', {"log.jsonl:2": ["points"]}),
    ("contree", ("contract.csv", "contract.json"), "", "", {}),
    ("contree", ("contract.csv", "contract.json"), "120H", "105H", {"log.jsonl:1": ["answer"]}),
    ("contree", ("contract.csv", "contract.json"), '"bid": 120', '"bid": "capot"', {"log.jsonl:2": ["outcome", "points"]}),
    ("contree", ("contract.csv", "contract.json"), '"times": 2', '"times": 4', {"log.jsonl:2": ["points"]}),
    ("contree", ("contract.csv", "contract.json"), "580", "600", {"log.jsonl:1": ["score"], "log.jsonl:2": ["points"]}),
    ("contree", ("contract.csv", "contract.json"), "KH+belote", "KH", {"log.jsonl:1": ["score"]}),
])  # fmt: skip
def test_the_examples_turn_what_people_have_into_records(
    profile: str, files: Sequence[str], changed: str, into: str, fields: Any, root: Path, log: Log, tmp_path: Path
) -> None:
    folder, records = root / "conformance" / "examples" / "records", Records()
    for name in files:
        text = (folder / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace(changed, into, 1), encoding="utf-8")
        records += converted(folder / f"from_{name.rpartition('.')[2]}.py", tmp_path / name)
    found = report(log(records), "--profile", profile)
    assert {line: sorted(names) for line, names in wrong(found).items()} == fields
    assert found["totals"]["passed"] == 2 - len(fields)


def test_a_part_missing_of_a_contract_is_named(contract: Mapping[str, Any], reference: Reference, log: Log) -> None:
    told = with_hands(reference.ruleset("contree"), contract["input"])
    assert told is not None
    actions = [action for action in told["actions"] if "bid" not in action]
    whole = {**told, "actions": actions, "taker": 1, "trump": "H", "bid": 100, "raised": 2}
    assert report(log([{**contract, "input": whole}]))["passed"]
    for part, said in (
        ("bid", "bid: in contree numbers are bid, so say which"),
        ("trump", "input: taker stands beside trump, which is missing"),
        ("taker", "input: trump stands beside taker, which is missing"),
    ):
        lacking = {name: value for name, value in whole.items() if name != part}
        assert said in " ".join(run("audit", log([{**contract, "input": lacking}])).stdout.split())


def test_of_what_stands_in_a_result_only_that_is_compared(played: Records, log: Log) -> None:
    record = deepcopy(played[0])
    tricks = [{"winner": one["winner"]} for one in record["result"]["tricks"]]
    assert report(log([{**record, "result": {"tricks": tricks}}]))["passed"]
    tricks[2]["winner"] = (tricks[2]["winner"] + 1) % 4
    assert wrong(report(log([{**record, "result": {"tricks": tricks}}]))) == {"log.jsonl:1": ["tricks"]}


@pytest.mark.parametrize("actions", [0, None, "pass", {}])
def test_actions_that_are_no_list_are_told_and_crash_nothing(actions: Any, played: Records, log: Log) -> None:
    record = {**played[0], "input": {**played[0]["input"], "actions": actions}}
    found = report(log([record, played[1]]))
    assert (found["totals"]["failed"], found["totals"]["passed"]) == (1, 1)
    assert "actions: must be a list" in found["cases"][0]["detail"]
    assert run("audit", log([record])).exit_code == 1


def test_an_array_a_record_over_lines_and_a_mark_of_the_encoding_are_read(played: Records, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    lines = "\n".join(map(json.dumps, played))
    for text, records in (
        (json.dumps(played), DEALS),
        (json.dumps(played, indent=2), DEALS),
        (json.dumps(played[0], indent=2), 1),
        ("\r\n".join(json.dumps(one, indent=2) for one in played), DEALS),
        ("\ufeff" + lines, DEALS),
        ("\ufeff" + json.dumps(played), DEALS),
    ):
        path.write_text(text, encoding="utf-8")
        assert report(path)["totals"]["passed"] == records


def test_what_of_an_array_is_no_record_is_told_by_its_line(played: Records, tmp_path: Path) -> None:
    (path := tmp_path / "log.json").write_text(f"[\n{json.dumps(played[0])},\nnull,\n[1, 2],\n{{oh}}\n]")
    done = run("audit", path)
    assert "1 passed" in done.stdout
    told = [line.partition("log.json:")[2][:30] for line in done.stderr.splitlines()]
    assert told == [*(f"{n}: a record is an object of JS" for n in (3, 4)), "5: this is not JSON: Expecting"]
