"""What is wrong is said so that it can be seen: types, cards, names, streams that are closed, and a crash of ours."""

import json
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.programs.protocol import PROTOCOL_VERSION
from belot_conformance.suite.cases import Case
from belot_conformance.text.brief import brief
from belot_spec.card_names import CARD_NAMES, card_meant
from belot_spec.data import spec_digest, spec_folder
from suite_testing import Belot, flat, run

HELLO = {"protocol": 1, "name": "odd", "version": "1", "language": "Python"}


def program(folder: Path, hello: dict[str, Any], answers: dict[str, Any]) -> tuple[str, ...]:
    path = folder / "program.py"
    path.write_text(f"""import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    said = {{"result": {HELLO | hello!r}}} if asked["op"] == "hello" else {{"result": {answers!r}.get(asked["op"], {{}})}}
    print(json.dumps({{"id": asked["id"], **said}}), flush=True)
""")
    return "--", sys.executable, str(path)


@pytest.mark.parametrize(("wanted", "came", "said"), [
    (20, "20", 'the text "20"'),
    (None, "null", 'the text "null"'),
    (True, "true", 'the text "true"'),
    ({"points": [20, 0]}, {"points": ["20", 0]}, 'points [the text "20", 0]'),
    ({"a": {"b": 1}}, {"a": {"b": "1"}}, 'a (b the text "1")'),
    ("20", ["20"], "[20]"),
    (20, 21, "21"),
    (["8", "8"], ["8", "9"], "8 9"),
])  # fmt: skip
def test_what_looks_the_same_and_is_of_another_type_says_so(wanted: Any, came: Any, said: str) -> None:
    assert brief(came, wanted) == said
    assert brief(came, wanted) != brief(wanted, came)


@pytest.mark.parametrize(("texts", "card"), [
    (("TS", "1S", "10s", "S10", "10♠"), "10S"), (("kh", "♥K"), "KH"), (("DA",), "AD"),
    (("", "S", "2S", "pass", "11H", *CARD_NAMES[:3], "x" * 10_000), None),
])  # fmt: skip
def test_what_was_meant_for_a_card_is_known(texts: tuple[str, ...], card: str | None) -> None:
    assert {card_meant(text) for text in texts} == {card}


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


@pytest.mark.parametrize("command", ["check", "smoke", "identify", "fuzz"])
@pytest.mark.parametrize("options", ["", "+no-such+*"])
def test_no_file_is_opened_because_a_program_names_it(
    command: str, options: str, belot: Belot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("id: secret-table\nbase: belotten\nrules:\n  no.such-rule: {value: 1}\n")
    asked = program(tmp_path, {"profiles": [f"{house}{options}", "n" * 300], "operations": ["card-points"]}, {})
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
    assert "File name too long" not in done.stdout + done.stderr


def shell(words: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m belot_conformance {words}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize(("words", "code", "said"), [
    ("check reference --operation card-points 2>&-", 0, "PASSED"),
    ("check reference --operation card-pionts 2>&-", 2, ""),
    ("check reference --operation card-points >&-", 2, "belot: the output: Bad file descriptor\n"),
    ("check --nonsense 2>/dev/full", 2, ""),
])  # fmt: skip
def test_streams_that_are_closed_or_full_change_nothing_else(words: str, code: int, said: str) -> None:
    done = shell(words)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)


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


@pytest.mark.parametrize("name", ["n{}", "bela-4+n{}"])
def test_of_thirty_thousand_names_some_are_told_and_the_others_counted(name: str, belot: Belot, tmp_path: Path) -> None:
    names = [name.format(number) for number in range(30_000)]
    hello = {"profiles": [*names, "belotten"], "operations": ["card-points", *names[:5000]]}
    asked = program(tmp_path, hello, {"card-points": {"points": 1}})
    for done in (belot("adapter", "try", *asked), belot("check", "--case", "bc-0001", *asked)):
        told = flat(done.stdout)
        assert "And 29,990 more profiles that do not exist." in told
        assert "And 4,990 more that are no operations." in told
        assert len(done.stdout) < 20_000
    done = belot("check", "--case", "bc-0001", "--profile", "bela-3", *asked)
    assert f"declares {name.format(0)}" in flat(done.stdout)
    assert len(done.stdout) < 20_000


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


def test_a_crash_of_ours_exits_with_70_and_one_message_that_it_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any) -> None:
        raise KeyError("no such\x1b[31m rule")

    monkeypatch.setattr("belot_conformance.cli.show.play_random_deal", breaks)
    monkeypatch.setenv("BELOT_TRACEBACK", "")
    done = run("play", "--profile", "belote")
    assert done.exit_code == 70
    assert done.stderr.startswith(
        "belot: this is a fault of belot itself, not of your program or your files: KeyError: "
    )
    assert "(test_said_errors.py, line " in done.stderr
    assert "BELOT_TRACEBACK=1" in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert len(done.stderr.splitlines()) == 2
    # Where it comes from is shown to whoever asks.
    monkeypatch.setenv("BELOT_TRACEBACK", "1")
    done = run("play", "--profile", "belote")
    assert done.exit_code == 70
    assert done.stderr.startswith("Traceback (most recent call last):")
    assert "Please report it" in done.stderr.splitlines()[-1]


def test_every_exit_code_that_is_documented_is_the_one_that_is_used(root: Path) -> None:
    table = (root / "conformance/docs/checking.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    documented = set(re.findall(r"^\| (\d+)\b", table.partition("\n## ")[0], re.MULTILINE))
    source = (root / "conformance/belot_conformance/cli/common.py").read_text(encoding="utf-8")
    used = set(re.findall(r"^EXIT_\w+: Final = (\d+)$", source, re.MULTILINE))
    assert used | {"0", "143"} == documented


def test_version_says_the_suite_the_rules_and_the_protocol() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "belot_conformance", "--version"], capture_output=True, text=True, check=True
    )
    version = metadata.version("belot-conformance")
    assert done.stdout == f"belot {version}, rules {spec_digest(spec_folder())[:12]}, protocol {PROTOCOL_VERSION}\n"
    assert done.stderr == ""
