"""An option means one thing, in whatever command it stands; one that had another name is taken and the new one said."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from belot_conformance.cli.main import main
from suite_testing import Belot

PAGE = "conformance/docs/options.md"
ANSWER = ("--", sys.executable, "-m", "belot_conformance", "answer")
ONE_CASE = ("--case", "bc-0072", "--drawn", "0")


def _commands(group: click.Group, *before: str) -> Iterator[tuple[str, click.Command]]:
    for name in tuple(group.commands):
        command = group.commands[name]
        if isinstance(command, click.Group):
            yield from _commands(command, *before, name)
        else:
            yield " ".join((*before, name)), command


@pytest.fixture(scope="module")
def options() -> dict[str, dict[str, click.Option]]:
    found: dict[str, dict[str, click.Option]] = defaultdict(dict)
    for name, command in _commands(main):
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                found[option.opts[0]][name] = option
    return found


@pytest.fixture(scope="module")
def told(root: Path) -> dict[str, tuple[str, set[str]]]:
    shared, _, _ = (root / PAGE).read_text(encoding="utf-8").partition("| before |")
    rows = (line.split("|")[1:-1] for line in shared.splitlines() if line.startswith("| `--"))
    cells = ([cell.strip() for cell in row] for row in rows)
    return {name.split("`")[1].split()[0]: (means, set(where.split(", "))) for name, means, where in cells}


def test_the_page_says_what_every_option_means_that_several_commands_have(
    options: dict[str, dict[str, click.Option]], told: dict[str, tuple[str, set[str]]]
) -> None:
    # An option of any command that prints would have a very long row.
    everywhere = {"--format"}
    shared = {name: set(commands) for name, commands in options.items() if len(commands) > 1}
    assert set(shared) == set(told)
    for name, commands in shared.items():
        assert told[name][1] == ({"most commands"} if name in everywhere else commands), name


@pytest.mark.parametrize(("old", "new", "words"), [
    ("--jobs", "--copies", ("check", *ONE_CASE, "--jobs", "2", *ANSWER)),
    ("--jobs", "--copies", ("fuzz", "--questions", "2", "--jobs=2", *ANSWER)),
    ("--seed", "--sample-seed", ("check", "reference", "--sample", "2", "--seed", "3")),
    ("--max-faults", "--max-wrong", ("audit", "LOG", "--max-faults", "3", "--max-faults", "4")),
    ("--write", "--in-place", ("lab", "mutants", "--rule", "no-such-rule", "--write")),
    ("--write", "--in-place", ("cases", "update", "--rule", "scoring.tie", "--from", "HEAD", "--write")),
    ("--from", "--since", ("cases", "update", "--from", "no-such-revision")),
])  # fmt: skip
def test_the_name_that_an_option_had_is_taken_and_the_new_one_said_once(
    belot: Belot, tmp_path: Path, old: str, new: str, words: tuple[str, ...]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"op": "card-points", "profile": "bela-4", "input": {"trump": "H", "cards": ["JH"]}, "result": {"points": 20}}\n'
    )
    done = belot(*(str(log) if word == "LOG" else word for word in words))
    assert done.stderr.splitlines().count(f"belot: {old} is {new} now") == 1
    assert "No such option" not in done.stderr


def test_the_guesses_and_the_sample_of_the_baselines_have_seeds_of_their_own(belot: Belot) -> None:
    def scored(*options: str) -> str:
        done = belot("baselines", "--operation", "legal-cards", "--sample", "30", *options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    both = scored("--seed", "4", "--sample-seed", "9")
    assert both == scored("--seed", "4", "--sample-seed", "9")
    assert both != scored("--seed", "5", "--sample-seed", "9")
    assert both != scored("--seed", "4", "--sample-seed", "8")
