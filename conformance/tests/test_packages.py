"""Packages, each using only those before it; within the suite, the workshop and the site, folders that stand in layers."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

import belot_conformance
import belot_reference
import belot_site
import belot_spec
import belot_workshop

PACKAGES: Final = (belot_spec, belot_reference, belot_conformance, belot_workshop)
LAYERS: Final[Mapping[str, tuple[str, ...]]] = {
    "belot_conformance": (
        "text",
        "questions",
        "programs",
        "rules",
        "changes",
        "suite",
        "logs",
        "contrast",
        "mistakes",
        "house_suite",
        "identify",
        "fuzz",
        "perft",
        "reports",
        "cli",
    ),
    "belot_workshop": (
        "scaffolds",
        "recorded",
        "mutants",
        "tables",
        "explaining",
        "ledger",
        "fuzzing",
        "impact",
        "worth",
        "releases",
        "bench",
        "commands",
    ),
    "belot_site": ("content", "pictures", "playground", "pages", "output"),
}
LAYERED: Final = (belot_conformance, belot_workshop, belot_site)


def folder(package: object) -> Path:
    return Path(str(getattr(package, "__file__", None))).parent


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def uses(path: Path, package: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for name in imported(path))


@pytest.mark.parametrize("height", range(len(PACKAGES)), ids=[package.__name__ for package in PACKAGES])
def test_a_package_uses_only_those_before_it(height: int) -> None:
    later = [package.__name__ for package in PACKAGES[height + 1 :]] + ["belot_site"]
    upwards = [
        f"{path.name} uses {name}"
        for path in folder(PACKAGES[height]).rglob("*.py")
        for name in later
        if uses(path, name)
    ]
    assert upwards == []


@pytest.mark.parametrize("package", LAYERED, ids=list(LAYERS))
def test_every_folder_of_a_package_has_its_layer(package: object) -> None:
    found = {path.parent.name for path in folder(package).glob("*/__init__.py")}
    assert found == set(LAYERS[folder(package).name])


@pytest.mark.parametrize("package", LAYERED, ids=list(LAYERS))
def test_a_folder_uses_only_those_below_it(package: object) -> None:
    name, root = folder(package).name, folder(package)
    layers = LAYERS[name]
    upwards = [
        f"{path.relative_to(root)} uses {used}"
        for height, layer in enumerate(layers)
        for path in (root / layer).rglob("*.py")
        for used in imported(path)
        if used.startswith(f"{name}.") and used.split(".")[1] not in layers[: height + 1]
    ]
    assert upwards == []


def test_the_page_for_contributors_has_every_folder_in_its_layer_as_the_folder_says_it(root: Path) -> None:
    rows: list[str] = []
    for package in LAYERED:
        for name in ("", *LAYERS[folder(package).name]):
            said = ast.get_docstring(ast.parse((folder(package) / name / "__init__.py").read_text(encoding="utf-8")))
            place = f"… `{name}/`" if name else f"`{folder(package).relative_to(root)}/`"
            rows.append(f"| {place} | {str(said).splitlines()[0].replace('``', '`')} |")
    page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line in rows] == rows


# Where the rules or their words are wanted that nobody has read yet: inside a function, and named here.
DOORS_TO_LOAD: Final = {
    "belot_spec/shipped.py": {"overlay", "load_spec"},
    "belot_spec/words.py": {"read_translated"},
    "belot_reference/game_action.py": {"explain", "is_valid"},
    "belot_reference/questions.py": {"explain", "is_valid"},
}


def test_the_rules_as_values_and_the_engine_stand_apart_from_what_reads_them() -> None:
    found: dict[str, set[str]] = {}
    for package in (belot_spec, belot_reference):
        for path in folder(package).rglob("*.py"):
            where = path.relative_to(folder(package).parent).as_posix()
            names = {name.rpartition(".")[2] for name in imported(path) if name.startswith("belot_spec.load")}
            if names and not where.startswith("belot_spec/load/"):
                found[where] = names
    assert found == DOORS_TO_LOAD


def test_no_name_of_a_class_stands_for_two_things() -> None:
    found: dict[str, list[str]] = {}
    for package in (*PACKAGES, belot_site):
        for path in folder(package).rglob("*.py"):
            if "templates" not in str(path):
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    if isinstance(node, ast.ClassDef):
                        found.setdefault(node.name, []).append(f"{package.__name__}/{path.name}")
    assert len(found) > 250
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
