"""Every recipe of the cookbook runs as it stands, on less than a reader would take; the laboratory runs them whole."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[1] / "docs/cookbook.md"
RECIPES = dict(
    re.findall(r"^## (\d+\. .*?)$.*?^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
)
LESS = {"SAMPLES": 1, "DEALS": 4, "SECONDS": 1, "DEPTH": 4, "SAMPLE": 20}


def run(source: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(source, names)
    return names


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_runs_as_it_stands(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "belot.rl" in RECIPES[name]:
        pytest.importorskip("pettingzoo")
    run(re.sub(r"(?m)^([A-Z]+) = \d+$", lambda one: f"{one[1]} = {LESS[one[1]]}", RECIPES[name]), tmp_path, monkeypatch)
    assert capsys.readouterr().out
    lines = [line for line in RECIPES[name].splitlines() if line and not re.match("import |from ", line)]
    assert len(lines) <= (30 if "class " in RECIPES[name] else 20)


def test_there_are_ten() -> None:
    assert [name.partition(".")[0] for name in RECIPES] == [str(number) for number in range(1, 11)]
