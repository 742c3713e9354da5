"""Packages, folders that stand in layers, and workflows that run what anybody can run."""

import ast
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

import belot
import belot_conformance
import belot_kernel
import belot_reference
import belot_site
import belot_spec
import belot_workshop
import laboratory
from belot_conformance.programs.adapter import ADAPTERS
from belot_spec.load.documents import read_document

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = (belot_spec, belot_reference, belot, belot_kernel, belot_conformance, belot_workshop, laboratory)
LAYERS: Final[Mapping[str, tuple[str, ...]]] = {
    "belot_conformance": (
        "text", "questions", "programs", "rules", "changes", "suite", "logs", "contrast", "mistakes", "situations", "house_suite",
        "explain", "fuzz", "perft.py", "reports", "cli", "entry.py", "pytest_plugin.py",
    ),
    "belot_workshop": (
        "scaffolds.py", "perft_deals.py", "lesson_deals.py", "recorder.py", "mutants", "ledger.py", "impact", "releases", "cases.py", "commands.py",
    ),
    "laboratory": (
        "lot.py", "faults.py", "audit_bar.py", "kernel_bar.py", "bars.py", "peers.py", "instant_program.py", "bench.py", "breaks", "hostile",
        "engine_mutants", "freeze.py",
    ),
    "belot_site": ("content", "playground", "pages", "output"),
}  # fmt: skip
LAYERED: Final = (belot_conformance, belot_workshop, laboratory, belot_site)


def folder(package: object) -> Path:
    return Path(str(getattr(package, "__file__", None))).parent


def modules(place: Path) -> list[Path]:
    found = [place] if place.is_file() else sorted(place.rglob("*.py"))
    return [path for path in found if not {"tests", "adapter_templates"} & set(path.relative_to(ROOT).parts[:-1])]


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
        f"{path.name} uses {name}" for path in modules(folder(PACKAGES[height])) for name in later if uses(path, name)
    ]
    assert upwards == []


@pytest.mark.parametrize("package", LAYERED, ids=list(LAYERS))
def test_every_folder_and_module_of_a_package_has_its_layer(package: object) -> None:
    root = folder(package)
    found = {path.parent.name for path in root.glob("*/__init__.py")} | {path.name for path in root.glob("*.py")}
    assert found - {"__init__.py", "__main__.py"} == set(LAYERS[root.name])


@pytest.mark.parametrize("package", LAYERED, ids=list(LAYERS))
def test_a_folder_uses_only_those_below_it(package: object) -> None:
    name, root = folder(package).name, folder(package)
    layers = [layer.removesuffix(".py") for layer in LAYERS[name]]
    upwards = [
        f"{path.relative_to(root)} uses {used}"
        for height, layer in enumerate(layers)
        for path in modules(root / LAYERS[name][height])
        for used in imported(path)
        if used.startswith(f"{name}.") and used.split(".")[1] not in layers[: height + 1]
    ]
    assert upwards == []


def test_the_page_for_contributors_has_every_folder_in_its_layer_as_the_folder_says_it(root: Path) -> None:
    rows: list[str] = []
    for package in LAYERED:
        for name in ("", *LAYERS[folder(package).name]):
            path = folder(package) / name
            path = path if path.is_file() else path / "__init__.py"
            said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
            place = f"… `{name}{'' if path.name == name else '/'}`" if name else f"`{path.parent.relative_to(root)}/`"
            rows.append(f"| {place} | {str(said).splitlines()[0].replace('``', '`')} |")
    page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line in rows] == rows


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def commands(path: Path) -> Iterator[list[str]]:
    for job in read_document(path).data["jobs"].values():
        for step in job["steps"]:
            for line in step.get("run", "").splitlines():
                yield shlex.split(line)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_command_of_a_workflow_is_one_of_the_project(path: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    found = list(commands(path))
    assert found
    for program, *rest in found:
        if program == "make":
            assert rest[0] in targets, rest
        else:
            assert program == "gh" or (ROOT / program).is_file(), program


def test_what_ci_runs_is_what_the_jobs_of_a_change_run() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    (jobs,) = ([*commands(path)] for path in WORKFLOWS if path.stem == "tests")
    assert jobs == [["make", "check"], *(line.split() for line in script if re.match(r"make \w", line))]


def test_no_release_is_published_before_all_tests_have_passed_and_its_wheel_and_sdist_were_tried() -> None:
    (release,) = (list(commands(path)) for path in WORKFLOWS if path.stem == "release")
    begun = [" ".join(words[:2]) for words in release]
    assert begun == [".ci/run", "make assets", "make try-wheel", "make try-wheel", "gh release"]


def test_the_container_runs_the_command_and_has_what_an_adapter_is_run_with() -> None:
    lines = (ROOT / "conformance/Containerfile").read_text(encoding="utf-8").splitlines()
    steps = [line.split() for line in lines if line and not line.startswith("#")]
    assert steps[-3:] == [["USER", "belot"], ["WORKDIR", "/work"], ["ENTRYPOINT", '["belot"]']]
    bases = [words[1] for words in steps if words[0] == "FROM"]
    assert [
        one for one in bases if not re.fullmatch(r"(node|python):\d+\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}", one)
    ] == []
    copied = [word for words in steps if words[0] == "COPY" and "--from=node" not in words for word in words[1:-1]]
    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    # It has what runs adapters that need no building.
    brought = {"python3"} | {words[-1].rpartition("/")[2] for words in steps if "--from=node" in words}
    assert brought >= {kind.command[0] for kind in ADAPTERS.values() if not kind.build}


def arrows(places: Mapping[str, Path], inside: str = "") -> list[tuple[str, str]]:
    """Return each package or folder, from the top, with those that it uses: but for what one of these uses too."""
    uses = {
        name: {
            used.removeprefix(inside).split(".")[0]
            for path in modules(place)
            for used in imported(path)
            if used.startswith(inside)
        }
        & places.keys() - {name}
        for name, place in places.items()
    }

    def reached(name: str) -> set[str]:
        return uses[name].union(*map(reached, uses[name]))

    shown = {name: uses[name].difference(*map(reached, uses[name])) for name in reversed(uses)}
    return [(name, ", ".join(one for one in uses if one in used)) for name, used in shown.items()]


def test_the_page_of_how_it_is_built_shows_the_arrows_of_the_code(root: Path) -> None:
    suite, parts = folder(belot_conformance), LAYERS["belot_conformance"]
    inside = arrows({name: suite / name for name in parts if (suite / name).is_dir()}, "belot_conformance.")
    rows = []
    for package, used in arrows({folder(one).name: folder(one) for one in (*PACKAGES, belot_site)}):
        rows.append((package, used))
        rows += [(f"  {name}", below) for name, below in inside] if package == suite.name else []
    lines = [f"{name:<18} → {used}" if used else name for name, used in rows]
    page = (root / "conformance/docs/architecture.md").read_text(encoding="utf-8")
    assert page.split("```text\n")[1].split("```")[0].splitlines() == lines
