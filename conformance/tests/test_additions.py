"""A value, a rule with a default and a sixteenth operation are added to a copy, each by few files written by hand."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from belot_conformance.suite.cases import Case

ROOT: Final = Path(__file__).parents[2]
NAME: Final = "first-leader"
MODULE: Final = '''"""Who leads to the first trick."""

from random import Random

from belot_conformance.questions.operation import Fields, Json, Operation
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


# What an added value and an added rule are written into: a file, what stands there, and what is put before it.
Texts = Sequence[tuple[str, str, str]]
# Who deals next: "facing-seat", beside two other values.  Another variant's option plays it, which is not counted.
VALUE: Final[Texts] = (
    ("spec/rules/deal.yaml", "]}\n    default: {value: next-seat", ", facing-seat"),
    ("spec/rules/deal.yaml", '        same-seat: {en: "same player"', """\
        facing-seat: {en: "opposite player", nl: "speler ertegenover"}
"""),
    ("spec/rules/deal.yaml", '        same-seat: {en: "The same player deals', """\
        facing-seat: {en: "After each deal the player opposite the dealer deals.", nl: "Na elk spel deelt wie ertegenover zit."}
"""),
    ("spec/rules/deal.fr.yaml", "        same-seat: le même", "        facing-seat: le joueur d'en face\n"),
    ("spec/rules/deal.fr.yaml", '        same-seat: "', """\
        facing-seat: "Après chaque donne, le joueur d'en face distribue."
"""),
    ("reference_impl/belot_reference/match.py", "    after = Match(dealer, totals, held, 0", """\
    if rules.value("deal.next-dealer") == "facing-seat":
        dealer = rules.next_seat(rules.next_seat(match.dealer))
"""),
    ("cases/match/facing-seat.yaml", "", """\
operation: match
profile: bela-4+facing-seat
behaviour: {en: "The player opposite deals next.", nl: "De speler ertegenover deelt."}
why: {en: "A program that knows no such table has the next seat deal.", nl: "Een programma dat dit niet kent, laat de volgende delen."}
cases:
  - id: bc-9002
    title: {en: "Seat 0 deals, then seat 2", nl: "Plaats 0 deelt, dan plaats 2"}
    input: {dealer: 0, deals: [{scored: {taker: 0, sides: [{cards: 100, tricks: 5}, {cards: 62, tricks: 3}]}}]}
    expect: {result: {winner: null, next_dealer: 2}}
    rules: [deal.next-dealer]
    statements: []
    rulings: [G-23]
    origin: by-hand
"""),
)  # fmt: skip
# Who plays them.
OPTIONS: Final[Texts] = (
    (
        "spec/variants/bela-4.yaml",
        "  last-cards-dealt-later:",
        """\
  facing-seat:
    title: {en: The player opposite deals next, nl: De speler ertegenover deelt}
    rules:
      deal.next-dealer: {value: facing-seat, status: filled, cite: [], ruling: G-23}
  ahead:
    title: {en: A winner is fifty ahead, nl: Wie wint staat vijftig voor}
    rules:
      match.ahead: {value: 50, status: filled, cite: [], ruling: G-23}
""",
    ),
    (
        "spec/variants/bela-4.fr.yaml",
        "  last-cards-dealt-later:",
        """\
  facing-seat: {title: Le joueur d'en face donne ensuite}
  ahead: {title: Le gagnant mène de cinquante}
""",
    ),
)
# How far a winner must be ahead: a rule that no variant names, of which all play the default.
RULE: Final[Texts] = (
    ("spec/rules/match.yaml", "  match.claim:\n", """\
  match.ahead:
    title: {en: "How far ahead", nl: "Hoeveel voor"}
    question: {en: "How far must a winner be ahead?", nl: "Hoeveel moet een winnaar voor staan?"}
    value: {type: integer, minimum: 0}
    default: {value: 0, status: filled, cite: [], ruling: P1}
    short: {text: {en: "{value} ahead", nl: "{value} voor"}}
    wording: {text: {en: "A winner is at least {value} points ahead.", nl: "Een winnaar staat minstens {value} punten voor."}}
"""),
    ("spec/rules/match.fr.yaml", "  match.claim:\n", """\
  match.ahead:
    title: L'avance
    question: "De combien faut-il mener pour gagner ?"
    short: {text: "{value} d'avance"}
    wording: {text: "Pour gagner, il faut mener d'au moins {value} points."}
"""),
    ("reference_impl/belot_reference/match.py", '    target = rules.given("match.target") if lifted', """\
    first, second, *_ = sorted(totals, reverse=True)
    if first - second < rules.value("match.ahead"):
        return None
"""),
    ("cases/match/ahead.yaml", "", """\
operation: match
profile: bela-4+ahead
behaviour: {en: "A side that is less ahead plays on.", nl: "Wie minder voor staat, speelt voort."}
why: {en: "A program without the rule ends too soon.", nl: "Een programma zonder de regel houdt te vroeg op."}
cases:
  - id: bc-9003
    title: {en: "At the target, but 38 ahead", nl: "Aan de winstgrens, maar 38 voor"}
    input: {dealer: 0, totals: [1000, 1000], deals: [{scored: {taker: 0, sides: [{cards: 100, tricks: 5}, {cards: 62, tricks: 3}]}}]}
    expect: {result: {winner: null}}
    rules: [match.ahead]
    statements: []
    rulings: [G-23]
    origin: by-hand
"""),
)  # fmt: skip
OPERATION: Final[Texts] = (
    ("conformance/belot_conformance/questions/operations/first_leader.py", "", MODULE),
    ("spec/schema/protocol-operations.schema.json", "", ""),
    (f"cases/{NAME}/eldest-leads.yaml", "", CASES),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sixteen")
    for folder in ("spec", "cases", "reference_impl", "conformance/belot_conformance"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for name, place, text in (
        *VALUE,
        *OPTIONS,
        *RULE,
        *OPERATION,
    ):
        path = root / name
        path.parent.mkdir(exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        assert not place or before.count(place) == 1, (name, place)
        path.write_text(before.replace(place, text + place) if place else before + text, encoding="utf-8")
    operations = root / "spec/schema/protocol-operations.schema.json"
    schema = json.loads(operations.read_text(encoding="utf-8"))
    schema["$defs"] |= SCHEMAS
    schema["$defs"]["operation"]["enum"].append(NAME)
    operations.write_text(json.dumps(schema), encoding="utf-8")
    (root / "program.py").write_text(PROGRAM)
    return root


@pytest.mark.parametrize(("added", "most"), [(VALUE, 4), (RULE, 5), (OPERATION, 3)])
def test_little_is_written_by_hand(added: Texts, most: int) -> None:
    assert len({name for name, _, _ in added}) <= most


def told(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(root / one) for one in ("reference_impl", "conformance"))
    environment = {**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(root / "cache"), "COLUMNS": "80"}
    command = [sys.executable, "-m", "belot_conformance", *words]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_nothing_is_missing_and_no_figure_stale(copy: Path) -> None:
    done = told(copy, "spec", "lint")
    assert (done.returncode, done.stdout[:6]) == (0, "spec: "), done.stdout + done.stderr


@pytest.mark.parametrize(("words", "code", "says"), [
    (("cases", "lint"), 0, "{number} cases"),
    (("check", "reference", "--rule", "match.ahead", "--rule", "deal.next-dealer"), 0, "passed"),
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
    done, says = told(copy, *words), says.format(number=len(cases) + 3)
    assert (done.returncode, says in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
