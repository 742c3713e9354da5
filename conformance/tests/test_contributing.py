"""The chapter on a new value: its places are all there are."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from belot_spec.shipped import default_spec
from belot_spec.value_shapes import enumerated_values

CHAPTER = "A new value, place by place"
# What tells of rules, or is named like a value by chance.
ELSEWHERE: Final = (
    "conformance/docs/", "conformance/examples/", "conformance/ledger/", "conformance/belot_conformance/words.",
    "conformance/belot_conformance/suite/baselines.py", "conformance/belot_conformance/rules/reading.py",
    "conformance/belot_workshop/scaffolds/", "reference_impl/belot_spec/variants.py",
)  # fmt: skip
PACKAGES: Final = ("reference_impl", "conformance", "site")


def chapter(root: Path) -> str:
    page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return page.partition(f"## {CHAPTER}\n")[2].partition("\n## ")[0]


def places(root: Path) -> list[str]:
    rows = [line for line in chapter(root).splitlines() if line.startswith("| `")]
    return [place for row in rows for place in re.findall(r"`([^`]+)`", row.split("|")[1])]


def files_with_values(root: Path) -> Iterator[str]:
    """Yield the files, tests aside, in which a value with a name that nothing else is likely to have stands."""
    values = {value for rule in default_spec().rules.values() for value in enumerated_values(rule.value_schema)}
    names = sorted(re.escape(value) for value in values if isinstance(value, str) and "-" in value)
    named = re.compile(rf"(?<![\w.-])({'|'.join(names)})(?![\w-])")
    for top in ("spec", "cases", *PACKAGES):
        for path in (root / top).rglob("*"):
            told = path.suffix in (".py", ".yaml", ".json", ".jsonl", ".js") and path.is_file()
            inside = path.relative_to(root).as_posix()
            if (
                told
                and not {"tests", "lab_tests", "node_modules"} & set(path.parts)
                and named.search(path.read_text(encoding="utf-8"))
            ):
                yield inside


def test_a_value_stands_in_no_place_that_the_chapter_does_not_name(root: Path) -> None:
    known = (*places(root), *ELSEWHERE)
    assert [path for path in files_with_values(root) if not path.startswith(known)] == []


def test_every_place_that_the_chapter_names_exists_and_holds_values(root: Path) -> None:
    found, named = [*files_with_values(root)], places(root)
    assert len(named) > 15
    assert [place for place in named if not (root / place).exists()] == []
    shapes = ("spec/schema/values.schema.json", "reference_impl/belot_spec/value_shapes.py")
    idle = [place for place in named if not any(path.startswith(place) for path in found)]
    assert set(idle) <= {*shapes, "spec/rulings.yaml", "spec/sources/"}


def test_what_the_chapter_says_will_complain_is_there(root: Path) -> None:
    told = set(re.findall(r"`(test_\w+\.py)`", chapter(root)))
    assert told
    assert told <= {path.name for top in PACKAGES for path in (root / top).rglob("test_*.py")}
