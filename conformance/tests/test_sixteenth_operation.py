"""An operation is its module, its schemas and its cases: a sixteenth one is added to a copy, and nothing else edited."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from belot_conformance.suite.cases import Case

ROOT: Final = Path(__file__).parents[2]
NAME: Final = "first-leader"
MODULE: Final = '''"""Who leads to the first trick."""

from random import Random

from belot_conformance.questions.operation import Fields, Json, Operation
from belot_conformance.questions.varying import seat
from belot_reference.compile import Ruleset
from belot_reference.play import first_leader


def _answer(rules: Ruleset, question: Json) -> Json:
    return {"leader": first_leader(rules, question["dealer"], question["taker"])}


def _seats(rules: Ruleset, random: Random) -> Fields:
    return {"dealer": random.randrange(rules.players), "taker": random.randrange(rules.players)}


FIRST_LEADER = Operation(
    "first-leader",
    rank=3,
    answer=_answer,
    contrive=_seats,
    vary=(seat("dealer"), seat("taker")),
    slower=1,
)
'''
SCHEMAS: Final[dict[str, Any]] = {
    f"{NAME}-input": {
        "type": "object",
        "properties": {"dealer": {"$ref": "#/$defs/seat"}, "taker": {"$ref": "#/$defs/seat"}},
        "additionalProperties": False,
        "required": ["dealer", "taker"],
        "x-operation": {
            "title": {"en": "Who leads first", "nl": "Wie eerst uitkomt"},
            "asks": {"en": "Who leads to the first trick.", "nl": "Wie in de eerste slag uitkomt."},
        },
    },
    f"{NAME}-result": {"type": "object", "properties": {"leader": {"$ref": "#/$defs/seat"}}, "required": ["leader"]},
}
CASES: Final = """operation: first-leader
profile: bela-4
behaviour: {en: "Eldest leads to the first trick.", nl: "De voorhand komt uit in de eerste slag."}
why:
  en: A program that lets the taker lead has another seat lead.
  nl: Een programma dat de vrager laat uitkomen, laat een andere plaats uitkomen.
cases:
  - id: bc-9001
    title: {en: "Eldest leads though the dealer took", nl: "De voorhand komt uit, ook al vraagt de deler"}
    input: {dealer: 3, taker: 3}
    expect: {result: {leader: 0}}
    rules: [play.first-leader]
    statements: [BL-218]
    rulings: [G-01]
    origin: by-hand
"""
# A program that lets the taker lead.
PROGRAM: Final = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        told = {"protocol": 1, "name": "taker-leads", "version": "1", "language": "Python",
                "profiles": ["bela-4"], "operations": ["first-leader"]}
    else:
        told = {"leader": asked["input"]["taker"]}
    print(json.dumps({"id": asked["id"], "result": told}), flush=True)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sixteen")
    for folder in ("spec", "cases", "reference_impl", "conformance/belot_conformance"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "conformance/belot_conformance/questions/operations/first_leader.py").write_text(MODULE)
    operations = root / "spec/schema/protocol-operations.schema.json"
    schema = json.loads(operations.read_text(encoding="utf-8"))
    schema["$defs"] |= SCHEMAS
    operations.write_text(json.dumps(schema), encoding="utf-8")
    request = root / "spec/schema/protocol-request.schema.json"
    listed = json.loads(request.read_text(encoding="utf-8"))
    listed["$defs"]["operation"]["enum"].append(NAME)
    request.write_text(json.dumps(listed), encoding="utf-8")
    (root / "cases" / NAME).mkdir()
    (root / "cases" / NAME / "eldest-leads.yaml").write_text(CASES, encoding="utf-8")
    (root / "program.py").write_text(PROGRAM)
    return root


def told(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(root / one) for one in ("reference_impl", "conformance"))
    environment = {**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(root / "cache"), "COLUMNS": "80"}
    command = [sys.executable, "-m", "belot_conformance", *words]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("words", "code", "says"), [
    (("cases", "lint"), 0, "{number} cases"),
    (("check", "reference", "--operation", NAME), 0, "1 passed"),
    (("check", "--baselines", "reference", "--operation", NAME), 0, "1 passed"),
    (("fuzz", "reference", "--profile", "bela-4", "--operation", NAME, "--questions", "500"), 0, "500"),
    (("smoke", "reference"), 0, NAME),
    (("check", "--", sys.executable, "program.py"), 1, "(play.first-leader; BL-218)"),
    (("identify", "--", sys.executable, "program.py"), 1, "plays Bela for four (bela-4), but for 1 rule."),
    (("fuzz", "--questions", "400", "--profile", "bela-4", "--", sys.executable, "program.py"), 1, "first-leader"),
    (("check", "reference", "--operation", "first-laeder"), 2, "did you mean first-leader?"),
], ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "")  # fmt: skip
def test_it_is_asked_everywhere(copy: Path, words: tuple[str, ...], code: int, says: str, cases: list[Case]) -> None:
    done, says = told(copy, *words), says.format(number=len(cases) + 1)
    assert (done.returncode, says in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
