"""The packages of the suite stand in layers: each uses only those below it, and the reference uses none of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import belot_conformance
import belot_reference

LAYERS = (
    "text",
    "programs",
    "rules",
    "suite",
    "recording",
    "mutants",
    "reports",
    "impact",
    "releases",
    "bench",
    "cli",
)
SUITE = Path(belot_conformance.__file__).parent
REFERENCE = Path(belot_reference.__file__).parent


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_every_package_has_its_layer() -> None:
    assert {path.parent.name for path in SUITE.glob("*/__init__.py")} == set(LAYERS)


def test_a_package_uses_only_those_below_it() -> None:
    upwards = [
        f"{path.relative_to(SUITE)} uses {name}"
        for height, layer in enumerate(LAYERS)
        for path in (SUITE / layer).glob("*.py")
        for name in imported(path)
        if name.startswith("belot_conformance.") and name.split(".")[1] not in LAYERS[: height + 1]
    ]
    assert upwards == []


def test_the_reference_uses_nothing_of_the_suite() -> None:
    assert not [path for path in REFERENCE.rglob("*.py") if any("belot_conformance" in name for name in imported(path))]
