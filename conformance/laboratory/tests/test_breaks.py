"""Small breaks drawn by lot, and which tests they are put to."""

import ast
import json
from pathlib import Path

from coverage import CoverageData

from laboratory.breaks.drawing import Break, draw
from laboratory.breaks.trying import Record

ENGINE = """\
LIMIT = 3


def total(cards):
    \"\"\"Add up.\"\"\"
    points = sum(cards)
    if points < LIMIT:
        raise ValueError("too few")
    return points
"""
FILES = {
    "spec/rules/deal.yaml": "cards: 8\nnext: dealer\nfirst: {next: eldest, told: {en: Who deals first}}\nopen: true\n",
    "reference_impl/belot_reference/sum.py": ENGINE,
    "reference_impl/belot_reference/user.py": "from belot_reference.sum import LIMIT\n\n\ndef use():\n    return LIMIT\n",
    "conformance/belot_conformance/suite/one.py": "def same(one, other):\n    return one == other\n",
    "conformance/belot_conformance/reports/two.py": "def said(page):\n    page.line(f'{page.n} cards')\n",
    "site/assets/try.js": 'if (points > 81) say("made");\n',
    "conformance/tests/test_one.py": "assert 1 == 1\n",
}
SUM = "reference_impl/belot_reference/sum.py"


def project(root: Path) -> Path:
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_breaks_are_of_every_layer_and_kind_and_leave_files_that_can_be_parsed(tmp_path: Path) -> None:
    drawn = [one for seed in range(30) for one in draw(project(tmp_path), FILES, seed, 10)]
    assert {one.layer for one in drawn} == {"spec", "engine", "suite", "reports", "site"}
    assert {one.kind for one in drawn} == {"comparison", "dropped", "number", "message", "value"}
    assert not any("tests" in one.file for one in drawn)
    for one in drawn:
        was, now = (tmp_path / one.file).read_bytes().splitlines(), one.text.splitlines()
        assert [number for number, (old, new) in enumerate(zip(was, now, strict=True), 1) if old != new] == [one.line]
        if one.file.endswith(".py"):
            ast.parse(one.text)
    assert {"if points <= LIMIT:", 'raise ValueError("tox few")', "pass", "LIMIT = 4"} <= {one.after for one in drawn}


def test_the_same_seed_draws_the_same(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert draw(root, FILES, 1, 5) == draw(root, FILES, 1, 5) != draw(root, FILES, 2, 5)


def at(line: int, file: str = SUM) -> Break:
    return Break("engine", file, line, "number", "", "", b"")


def test_a_break_is_put_to_those_that_run_its_line_then_to_those_that_touch_its_file(tmp_path: Path) -> None:
    kept = CoverageData(str(tmp_path / "coverage"))
    for test, lines in {"": [1, 4], "a::dear": [6, 7, 9], "b::raises": [6, 7, 8]}.items():
        kept.set_context(test)
        kept.add_lines({str(tmp_path / SUM): lines})
    kept.write()
    cost = {"a::dear": 9.0, "a::cheap": 0.1, "b::raises": 0.2, "c::other": 0.1}
    (tmp_path / "1.json").write_text(json.dumps({"files": {"spec/rules/deal.yaml": ["c::other"]}, "cost": cost}))
    record = Record(project(tmp_path), tmp_path)
    assert record.tests(at(9)) == ["a::dear", "b::raises", "c::other", "a::cheap"]
    assert record.tests(at(8)) == ["b::raises", "a::dear", "c::other", "a::cheap"]
    # What runs at import is put first to all that run what stands in the file.
    assert record.tests(at(1)) == ["b::raises", "a::dear", "c::other", "a::cheap"]
    assert record.tests(at(1, "spec/rules/deal.yaml"))[0] == "c::other"
