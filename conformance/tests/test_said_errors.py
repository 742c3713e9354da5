"""What is wrong is said so that it can be seen: types, cards, names that do not exist, streams that are closed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.suite.cases import Case
from belot_conformance.text.brief import brief
from belot_spec.card_names import CARD_NAMES, card_meant

Belot = Callable[..., Any]
HELLO = {"protocol": 1, "name": "odd", "version": "1", "language": "Python"}


def program(folder: Path, hello: dict[str, Any], answers: dict[str, Any]) -> tuple[str, ...]:
    """A program that says the same to every question of an operation."""
    path = folder / "program.py"
    path.write_text(f"""import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    said = {{"result": {HELLO | hello!r}}} if asked["op"] == "hello" else {{"result": {answers!r}.get(asked["op"], {{}})}}
    print(json.dumps({{"id": asked["id"], **said}}), flush=True)
""")
    return "--", sys.executable, str(path)


@pytest.mark.parametrize(
    ("wanted", "came", "said"),
    [
        (20, "20", 'the text "20"'),
        (None, "null", 'the text "null"'),
        (True, "true", 'the text "true"'),
        ({"points": [20, 0]}, {"points": ["20", 0]}, 'points [the text "20", 0]'),
        ({"a": {"b": 1}}, {"a": {"b": "1"}}, 'a (b the text "1")'),
        ("20", ["20"], "[20]"),
        (20, 21, "21"),
        (["8", "8"], ["8", "9"], "8 9"),
    ],
)
def test_what_looks_the_same_and_is_of_another_type_says_so(wanted: Any, came: Any, said: str) -> None:
    assert brief(came, wanted) == said
    assert brief(came, wanted) != brief(wanted, came)


@pytest.mark.parametrize("form", [(), ("--report", "-html")])
def test_a_text_for_a_number_is_told_in_a_report(form: tuple[str, ...], belot: Belot, tmp_path: Path) -> None:
    asked = program(
        tmp_path, {"profiles": ["belotten"], "operations": ["card-points"]}, {"card-points": {"points": "14"}}
    )
    report = tmp_path / "report.html"
    done = belot("check", "--operation", "card-points", *(("--report", str(report)) if form else ()), *asked)
    told = report.read_text("utf-8").replace("&#34;", '"') if form else done.stdout
    assert 'the text "14"' in told


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("TS", "10S"),
        ("1S", "10S"),
        ("10s", "10S"),
        ("S10", "10S"),
        ("10♠", "10S"),
        ("kh", "KH"),
        ("♥K", "KH"),
        ("DA", "AD"),
    ],
)
def test_what_was_meant_for_a_card_is_known(text: str, card: str) -> None:
    assert card_meant(text) == card


@pytest.mark.parametrize("text", ["", "S", "2S", "pass", "11H", *CARD_NAMES[:3], "x" * 10_000])
def test_what_is_no_card_or_is_one_is_left_alone(text: str) -> None:
    assert card_meant(text) is None


def test_a_card_by_another_name_is_told_in_a_question_and_in_an_answer(belot: Belot, tmp_path: Path) -> None:
    line = {"op": "card-points", "profile": "belotten", "input": {"trump": "S", "cards": ["TS"]}}
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"id": "d1", **line, "result": {"points": 10}}) + "\n")
    done = belot("audit", str(log))
    assert "TS is no card: the ten of spades is 10S" in " ".join((done.stdout + done.stderr).split())
    asked = program(
        tmp_path, {"profiles": ["belotten"], "operations": ["legal-cards"]}, {"legal-cards": {"cards": ["TS"]}}
    )
    assert "TS is no card: the 10 of spades is 10S" in " ".join(belot("check", *asked).stdout.split())


@pytest.mark.parametrize("command", ["check", "smoke"])
def test_what_a_program_declares_and_does_not_exist_is_told(command: str, belot: Belot, tmp_path: Path) -> None:
    asked = program(
        tmp_path,
        {"profiles": ["belotten", "belottem"], "operations": ["card-points", "legal-crads"]},
        {"card-points": {"points": 0}},
    )
    said = " ".join(belot(command, *asked).stdout.split())
    assert "It declares legal-crads, which is no operation; did you mean legal-cards?" in said
    assert "It declares the profile belottem: there is no" in said


@pytest.mark.parametrize("command", ["check", "smoke", "identify", "fuzz"])
@pytest.mark.parametrize("options", ["", "+*", "+contra", "+no-such+*"])
def test_no_file_is_opened_because_a_program_names_it(
    command: str, options: str, belot: Belot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("id: secret-table\nbase: belotten\nrules:\n  no.such-rule: {value: 1}\n")
    asked = program(tmp_path, {"profiles": [f"{house}{options}"], "operations": ["card-points"]}, {})
    looked_at: list[str] = []
    for name in ("stat", "open"):
        real = getattr(os, name)

        def noted(path: Any, *rest: Any, _real: Any = real, **named: Any) -> Any:
            looked_at.append(str(path))
            return _real(path, *rest, **named)

        monkeypatch.setattr(os, name, noted)
    done = belot(command, *asked)
    assert [path for path in looked_at if "house.yaml" in path] == []
    assert "no.such-rule" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["check", "smoke", "identify", "fuzz"])
def test_a_long_name_of_a_profile_is_the_programs_fault(command: str, belot: Belot, tmp_path: Path) -> None:
    asked = program(tmp_path, {"profiles": ["n" * 300], "operations": ["card-points"]}, {"card-points": {"points": 0}})
    done = belot(command, *asked)
    assert "File name too long" not in done.stdout + done.stderr


def shell(words: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m belot_conformance {words}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)


def test_a_closed_stderr_changes_nothing_else() -> None:
    done = shell("check reference --operation card-points 2>&-")
    assert (done.returncode, done.stdout.count("PASSED")) == (0, 1)
    assert shell("check reference --operation card-pionts 2>&-").returncode == 2


def test_a_closed_output_is_told_as_a_full_one() -> None:
    done = shell("check reference --operation card-points >&-")
    assert (done.returncode, done.stderr) == (2, "belot: the output: Bad file descriptor\n")


@pytest.mark.parametrize("columns", ["0", "-5", "many", "000"])
def test_columns_that_are_none_are_not_believed(columns: str) -> None:
    command = f"COLUMNS={columns} {sys.executable} -m belot_conformance check reference --operation card-points"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "PASSED" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_a_usage_error_is_one_wherever_it_is_said() -> None:
    assert shell("check --nonsense 2>/dev/full").returncode == 2


def test_empty_lines_without_end_are_not_listened_to(belot: Belot, tmp_path: Path) -> None:
    endless = tmp_path / "endless.py"
    hello = {"id": "hello", "result": HELLO | {"profiles": ["belotten"], "operations": ["card-points"]}}
    endless.write_text(f"""import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({hello!r} | {{"id": asked["id"]}}), flush=True)
sys.stdin.readline()
while True:
    sys.stdout.write("\\n" * 65536)
""")
    done = belot("check", "--", sys.executable, str(endless))
    assert done.returncode == 1
    assert "the line is empty" in " ".join(done.stdout.split())


@pytest.mark.parametrize(("text", "advice", "cause"), [
    ("import no_such_engine", "It needs the Python module no_such_engine", "its Python has no module no_such_engine"),
    ("from json import no_such_name", "the end of its stderr, above, says why", "cannot import name 'no_such_name'"),
    ("raise SystemExit('libengine.so: cannot open shared object file')", "says why", "libengine.so: cannot open"),
])  # fmt: skip
def test_what_stops_a_program_before_it_answers_is_told_and_not_how_to_read_stdin(
    belot: Belot, tmp_path: Path, text: str, advice: str, cause: str
) -> None:
    path = tmp_path / "needs.py"
    path.write_text(f"{text}\n")
    said = " ".join(belot("smoke", "--", sys.executable, str(path)).stdout.split())
    assert advice in said
    assert "do not wait for the end of stdin" not in said
    for command in ("check", "identify"):
        done = belot(command, "--", sys.executable, str(path))
        assert done.returncode == 3
        assert cause in done.stderr


def test_what_a_program_says_of_itself_is_cut_everywhere(belot: Belot, tmp_path: Path, cases: list[Case]) -> None:
    """A version of nearly a megabyte is told by its beginning, in the text and in every report."""
    hello = {"version": "V" * 900_000, "profiles": ["belotten"], "operations": ["card-points", "O" * 90_000]}
    asked = program(tmp_path, hello, {"card-points": {"points": 1}})
    kinds = ("json", "xml", "html", "md")
    reports = [part for kind in kinds for part in ("--report", str(tmp_path / f"report.{kind}"))]
    done = belot("check", *reports, *asked)
    assert done.returncode == 1
    for text in (done.stdout, *((tmp_path / f"report.{kind}").read_text("utf-8") for kind in kinds)):
        assert len(text) < 1000 * len(cases)
        assert "V" * 300 not in "".join(text.split())
        assert "O" * 300 not in "".join(text.split())


# By what can be refused so; of what is refused for no rule, nothing is told.
RULES_OF_A_REASON = {
    "announced-late": {"declarations.announced"},
    "bad-cut": {"deal.cut-minimum", "deal.cut-required"},
    "bad-shuffle": {"deal.shuffle-passes"},
    "card-not-held": set(),
    "claim-false": {"match.claim"},
    "claim-not-allowed": {"match.claim"},
    "deal-over": set(),
    "illegal-card": {"play.follow.unruffed", "play.void.opponent-winning", "play.void.opponent-ruffed",
                     "play.trump-led.opponent-winning", "play.void.partner-winning", "declarations.belote.order"},
    "may-not-look": {"play.review-tricks"},
    "must-name": {"bidding.must-name"},
    "no-belote": {"declarations.belote.calls"},
    "not-a-declaration": {"declarations.played", "declarations.square-points"},
    "not-your-turn": {"bidding.first-bidder", "declarations.announced", "play.trick-winner"},
    "nothing-to-show": {"declarations.shown-in-trick"},
    "same-run-twice": {"declarations.announced"},
    "shared-card": {"declarations.shared-cards"},
    "suit-not-offered": {"bidding.rounds"},
    "unfinished": set(),
    "wrong-phase": {"bidding.rounds", "declarations.announced"},
    "wrong-time-to-show": {"declarations.shown-in-trick"},
}  # fmt: skip


def test_the_rule_beside_a_refusal_is_the_one_that_refuses(belot: Belot, tmp_path: Path, cases: list[Case]) -> None:
    """Of a card that may not be led no other rule is told than the one that refuses it; of a turn, none that does not."""
    asked = program(tmp_path, {"profiles": ["belotten"], "operations": ["replay"]}, {"replay": {"ended": "passed"}})
    told = json.loads(belot("check", "--operation", "replay", "--format", "json", *asked).stdout)
    named = {case.id: [one.rule for one in case.expected] for case in cases}
    refused = [
        (case["id"], list(case["rule_sentences"]["en"]), [one["rejected"]["reason"] for one in case["expected"]])
        for case in told["cases"]
        if case["outcome"] == "failed" and all("rejected" in one for one in case["expected"])
    ]
    assert len(refused) > 30
    seen = set()
    for case, rules, reasons in refused:
        assert set(rules) <= set().union(*(RULES_OF_A_REASON[reason] for reason in reasons)), case
        assert set(filter(None, named[case])) <= set(rules), case
        seen |= {reason for reason in reasons if not rules}
    assert seen >= {"card-not-held", "deal-over"}
    assert seen.isdisjoint(rule_named := {"illegal-card", "may-not-look", "bad-cut", "not-your-turn"}), rule_named


def test_what_is_said_of_installing_leaves_a_clone_as_it_is() -> None:
    root = Path(__file__).parents[2]
    for path in (
        root / "README.md",
        root / "conformance/docs/library.md",
        root / "reference_impl/TABLES.md",
        *root.glob("site/belot_site/pages/templates/*/library.md"),
    ):
        assert "pip install '." not in path.read_text("utf-8"), path
