"""The cookbook and the notebook as a reader has them: every recipe whole, types and all, and the outputs of each cell."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
COOKBOOK = (DOCS / "cookbook.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^## (\d+)\. .*?^```python\n(.*?)^```$", COOKBOOK, re.MULTILINE | re.DOTALL))


@pytest.mark.long
@pytest.mark.parametrize("number", RECIPES)
def test_a_recipe_runs_whole(number: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RECIPES[number]], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, bool(done.stdout)) == (0, True), done.stderr


@pytest.mark.long
def test_the_types_of_every_recipe_are_right(tmp_path: Path, root: Path) -> None:
    for number, source in RECIPES.items():
        (tmp_path / f"recipe_{number}.py").write_text(source, encoding="utf-8")
    strict = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(root / "pyproject.toml")]
    files = sorted(map(str, tmp_path.glob("*.py")))
    done = subprocess.run([*strict, *files], cwd=root, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_the_notebook_shows_what_its_cells_give() -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    page = nbformat.read(DOCS / "notebook.ipynb", as_version=4)

    def outputs(notebook: Any) -> list[Any]:
        told = [cell.get("outputs", []) for cell in json.loads(nbformat.writes(notebook))["cells"]]
        return [[(one.get("text"), *(_shown(one.get("data", {})),)) for one in cell] for cell in told]

    wanted = outputs(page)
    assert outputs(nbclient.NotebookClient(page, timeout=300).execute()) == wanted


def _shown(data: dict[str, Any]) -> Any:
    return data.get("image/svg+xml", data.get("text/html", data.get("text/plain")))
