"""What a change is worth: kept by what it hangs on, found again only where that changed, ranked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from belot_reference.compile import compile_profile
from belot_spec.spec import default_spec

pytest.importorskip("numba", reason="the extra [fast] is not installed")

from belot_workshop.impact.impact import figures
from belot_workshop.impact.simulation import Setting, Sums, table_of
from belot_workshop.worth.changes import changes_of, key_of
from belot_workshop.worth.measuring import measure, measured, ranking, tasks_of

SPEC = default_spec()


def test_every_option_and_other_value_of_a_rule_is_a_change() -> None:
    names = {change.name for change, _ in changes_of(SPEC, "belotten")}
    assert {f"+{option}" for option in SPEC.options_of("belotten")} <= names
    assert 'scoring.tie: "taker-falls"' in names
    assert 'scoring.tie: "taker-held"' not in names
    assert not any(name.startswith(("presentation", "penalties")) for name in names)


def test_a_figure_is_what_the_engine_counts() -> None:
    task = next(task for task in tasks_of(SPEC, "belote", 2, 40) if task.change.option == "no-undertrump")
    table = table_of(Setting("belote", "belote+no-undertrump", task.player, 2))
    sums, number = Sums(), 0
    while sums.deals < 40:
        sums += table.play_match(number)
        number += 1
    assert measured(task)[1] == sums


def test_only_what_is_not_known_is_played(tmp_path: Path) -> None:
    path, asked = tmp_path / "bela-2.json", []

    def work(one: Any, tasks: Any) -> Any:
        for task in tasks:
            asked.append(task)
            yield one(task)

    tasks = tasks_of(SPEC, "bela-2", 1, 20, options_only=True)
    first = measure(path, "bela-2", tasks, work, lambda: None)
    assert len(asked) == len(tasks) == len(first)
    assert measure(path, "bela-2", tasks, work, lambda: None) == first
    assert len(asked) == len(tasks)
    assert json.loads(path.read_text(encoding="utf-8"))["worth"] == first
    others = tasks_of(SPEC, "bela-2", 2, 20, options_only=True)
    measure(path, "bela-2", others, work, lambda: None)
    assert len(asked) == len(tasks) + len(others)


def test_another_rule_seed_or_player_is_another_figure() -> None:
    old, new = (compile_profile(SPEC.profile(name)) for name in ("belote", "belote+no-undertrump"))
    keys = {key_of(old, new, "random", 1, 9), key_of(new, old, "random", 1, 9), key_of(old, new, "sensible", 1, 9)}
    assert len(keys | {key_of(old, new, "random", 2, 9), key_of(old, new, "random", 1, 8)}) == 5


def test_the_command_ranks_what_matters_most_first(belot: Callable[..., Any], tmp_path: Path) -> None:
    done = belot("worth", str(tmp_path), "--profile", "bela-4", "--deals", "300", "--options-only", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    entries = json.loads((tmp_path / "bela-4.json").read_text(encoding="utf-8"))["worth"]
    for player in ("random", "sensible"):
        shares = [entry["deals"]["share"] for entry in ranking(entries, player)]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0
    assert figures(Sums()).deals is None
