"""The command ``belot`` as people and programs use it: what it prints, and how it exits."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from belot_conformance.cli.main import main
from belot_conformance.suite.cases import Case
from belot_workshop.commands import MOVED, without_clone
from suite_testing import Belot, flat, miniature

PYTHON_EXAMPLE = "conformance/examples/python/bela.py"


def test_the_reference_passes_in_process(belot: Belot, cases: list[Case]) -> None:
    done = belot("check", "reference")
    assert done.returncode == 0
    assert f"{len(cases)} of {len(cases)} passed." in flat(done.stdout)
    assert "✓ PASSED" in done.stdout


def test_the_reference_passes_over_the_protocol(belot_process: Belot) -> None:
    done = belot_process("check", "--sample", "300", "--", sys.executable, "-m", "belot_conformance", "answer")
    assert done.returncode == 0, done.stdout
    assert "300 of 300 passed." in flat(done.stdout)


def test_a_wrong_answer_is_shown_with_the_rule_and_its_citation(belot: Belot, tmp_path: Path, root: Path) -> None:
    source = (root / PYTHON_EXAMPLE).read_text(encoding="utf-8")
    wrong = source.replace('"K": 4', '"K": 5')
    assert wrong != source
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    asked = ("--operation", "card-points", "--show", "1", "--", sys.executable, str(tmp_path / "wrong.py"))
    done = belot("check", *asked)
    assert done.returncode == 1
    assert "✗ FAILED" in done.stdout
    assert "scoring.trump-points; BL-070, BL-075" in flat(done.stdout)
    assert all(len(line) <= 80 or line.endswith("wrong.py") for line in done.stdout.splitlines())


def test_a_program_that_declares_nothing_known_has_not_passed(belot: Belot) -> None:
    done = belot("check", "--", *miniature("answers_rightly", 1, Path()))
    assert done.returncode == 1
    assert "NOTHING ASKED" in done.stdout


def test_options_combine_into_a_profile_which_gets_every_case_that_agrees_with_it(belot_searching_less: Belot) -> None:
    done = belot_searching_less(
        "check", "reference", "--profile", "belote+no-undertrump+target-301", "--format", "json"
    )
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert {case["profile"] for case in report["cases"]} == {"belote+no-undertrump+target-301"}
    assert len(report["cases"]) > 200


@pytest.mark.parametrize(("rules", "message"), [
    ("id: our-table\nbase: belotten\nrules:\n  match.tarjet: {value: 51}\n",
     "house.yaml:4: rules.match.tarjet: there is no rule match.tarjet; did you mean match.target"),
    ("id: belotten\nbase: belotten\nrules:\n  match.target: {value: 51}\n",
     "this is the id of a variant; give your house rules a name of their own"),
    ("id: our-table\nbase: belotten\nrules:\n  deal.packets-after-bidding: {value: [4]}\n",
     "give 4 players 9 cards each, and the deck has 32"),
])  # fmt: skip
def test_faulty_house_rules_exit_with_2_and_say_why(belot: Belot, rules: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(rules, encoding="utf-8")
    done = belot("check", "reference", "--profile", str(tmp_path / "house.yaml"))
    assert done.returncode == 2
    assert message in done.stderr


def test_statistics_are_printed_for_people_and_for_programs(belot: Belot, cases: list[Case]) -> None:
    assert f"{len(cases)} cases" in belot("cases", "stats").stdout
    found = json.loads(belot("cases", "stats", "--format", "json").stdout)
    assert found["cases"] == sum(found["operations"].values()) == len(cases)


def test_whoever_waits_for_a_program_to_start_is_told_so(root: Path) -> None:
    screen, stderr = pty.openpty()
    command = [sys.executable, "-m", "belot_conformance", "check", "--start", "2", "http://127.0.0.1:9/"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    done = subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=stderr, cwd=root, env=environment, timeout=600
    )
    os.close(stderr)
    shown = os.read(screen, 1 << 16).decode()
    os.close(screen)
    assert done.returncode == 3
    assert "waiting for http://127.0.0.1:9/ to shake hands, 2 s at most" in shown
    assert "http://127.0.0.1:9/ did not shake hands" in shown


@pytest.mark.parametrize("group", [(), ("adapter",), ("cases",), ("lab",), ("report",), ("spec",)], ids=" ".join)
def test_help_lists_what_the_commands_say_of_themselves(group: tuple[str, ...], belot: Belot) -> None:
    found: click.Command = main
    for name in group:
        assert isinstance(found, click.Group)
        found = found.commands[name]
    assert isinstance(found, click.Group)
    listed = " ".join(belot(*group, "--help").stdout.split())
    for name in list(found.commands):
        said = found.commands[name].get_short_help_str(20).removesuffix("...")
        assert f" {name} {said.strip()}" in listed, name
    lines = belot(*group, "--help").stdout.splitlines()
    assert all("..." not in line and len(line) <= 80 for line in lines[1:])


def test_a_command_that_has_moved_works_under_its_old_name_and_says_the_new_one(belot: Belot) -> None:
    for group, names in MOVED.items():
        for old, new in names.items():
            before = [old] if group == "main" else [group, old]
            done = belot(*before, "--help")
            assert done.returncode == 0
            assert done.stderr.split("\n")[0] == f"belot: belot {' '.join(before)} is belot {new} now"
            assert done.stdout.split("Options:")[1] == belot(*new.split(), "--help").stdout.split("Options:")[1]
    asked = ("belote", "belote+no-undertrump", "--deals", "1", "--scheduler", "tcp://127.0.0.1:9")
    assert "belot impact --scheduler is belot lab impact --scheduler now" in belot("impact", *asked).stderr


def test_what_stands_in_a_clone_alone_says_so_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lab", "impact"):
        monkeypatch.delitem(main.commands, name)
        assert f"belot {name} needs a clone of the project" in CliRunner().invoke(main, [name, "bars"]).stderr
    assert "lab bars needs a clone" in CliRunner().invoke(without_clone, ["tables"], prog_name="lab bars").stderr


def test_help_is_whole_without_the_workshop_and_leaves_no_command_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(text: str) -> list[str]:
        return [line.split()[0] for line in text.split("Read the rules:")[1].splitlines() if line.startswith("  ")]

    shown = CliRunner().invoke(main, ["--help"]).output
    assert sorted(listed(shown)) == sorted(main.commands)
    assert [line.rstrip(":") for line in shown.splitlines() if line and line[0] != " "][2:] == [
        "Read the rules", "Check a program", "Explore", "Keep the rules",
    ]  # fmt: skip
    assert not {*listed(shown)} & {*MOVED["main"]}
    for name in ("impact", "lab"):
        monkeypatch.delitem(main.commands, name)
    alone = CliRunner().invoke(main, ["--help"])
    assert alone.exit_code == 0
    assert sorted(listed(alone.output)) == sorted(main.commands)
    assert "Keep the rules" not in alone.output
