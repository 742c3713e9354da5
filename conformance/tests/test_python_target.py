"""A Python object as a target: found by its name, asked in a process of its own, and held to the same limits."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.python_object import PythonObject, PythonObjectError, load_object
from belot_conformance.programs.target import Answer, Fault, Limits, StartError
from belot_conformance.programs.targets import open_target, read_target
from process_testing import LIMITS, PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are run under POSIX systems only")

# What a question may take where one hangs; the others are answered much faster, on a busy machine too.
SHORT = 5.0
TRICK = {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}
HEAD = 'profiles = ["bela-4"]\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(
    here: Path, source: str, *operations: str, name: str = "engine:Engine", limits: Limits = LIMITS
) -> dict[str, Answer]:
    (here / "engine.py").write_text(dedent(source), encoding="utf-8")
    plan = [Request(f"q{place}", operation, "bela-4", TRICK) for place, operation in enumerate(operations)]
    with open_target(read_target(f"python:{name}", None), limits) as target:
        answers = target.ask(plan)
        assert list(target.incidents) == []
    return answers


METHODS = """
    class Engine:
        profiles = ["bela-4"]
        def trick_winner(self, profile, question):
            return {"winner": (question["leader"] + 2) % 4, "asked_for": profile}
"""
SAYS = 'return {"winner": 2, "asked_for": profile}'
OWN = 'profiles, operations = ["bela-4"], ["trick-winner"]'
FORMS = {
    "a class": (METHODS, "engine:Engine"),
    "an object": (METHODS + "    engine = Engine()", "engine:engine"),
    "a function that makes an object": (METHODS + "    def make(colour='red'): return Engine()", "engine:make"),
    "an object inside another": (METHODS + "    class Box: inner = Engine()", "engine:Box.inner"),
    "a function with attributes": (
        "def answer(operation, profile, question): return {'result': {'winner': 2, 'asked_for': profile}}\n"
        "answer.profiles, answer.operations = ['bela-4'], ('trick-winner',)", "engine:answer",
    ),
    "a function in a module with attributes": (f"{OWN}\ndef answer(operation, profile, question): {SAYS}", "engine:answer"),
    "an object that can be called": (
        f"class Engine:\n    {OWN}\n    def __call__(self, operation, profile, question): {SAYS}", "engine:Engine",
    ),
}  # fmt: skip


@pytest.fixture
def loaded(here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], PythonObject]:
    def load(source: str, name: str) -> PythonObject:
        (here / "engine.py").write_text(dedent(source), encoding="utf-8")
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.setitem(sys.modules, "engine", None)
        del sys.modules["engine"]
        return load_object(name)

    return load


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_an_object_answers(form: str, loaded: Callable[[str, str], PythonObject]) -> None:
    found = loaded(*FORMS[form])
    assert found.hello().operations == ("trick-winner",)
    reply = found.reply("trick-winner", "bela-4", TRICK)
    assert reply == {"result": {"winner": 2, "asked_for": "bela-4"}}


def test_the_handshake_says_what_the_attributes_say(loaded: Callable[[str, str], PythonObject]) -> None:
    hello = loaded(
        """
        class Engine:
            name, version, profiles, deals = "bela!", "7", ("bela-4", "belote+*"), "hands"
            def legal_cards(self, profile, question): ...
            def compare_declarations(self, *_): ...
        """,
        "engine:Engine",
    ).hello()
    assert (hello.name, hello.version, hello.language, hello.window) == ("bela!", "7", "Python", 1)
    assert (hello.profiles, hello.shape.deals) == (("bela-4", "belote+*"), "hands")
    assert hello.operations == ("legal-cards", "compare-declarations")


ANSWERING = """
    import os, sys
    class Engine:
        profiles = ["bela-4"]
        def trick_winner(self, profile, question): return {"winner": 2}
        def card_points(self, profile, question): BODY
"""


# What a method does, with the kind of reply and what is in it that come of that.
BODIES: list[tuple[str, str, Any]] = [
    ('return {"rejected": {"reason": "illegal-card", "at": 0}}', "rejected", {"reason": "illegal-card", "at": 0}),
    ('return {"unsupported": "no trumps"}', "unsupported", "no trumps"),
    ('return {"error": "lost"}', "error", "lost"),
    ('return {"result": {"points": 3}}', "result", {"points": 3}),
    ('return {"points": (1, 2)}', "result", {"points": [1, 2]}),
    ("return {}", "result", {}),
    ("return None", "error", "card-points returned None, where a mapping is due"),
    ("return object()", "error", "card-points returned an object of type object, where a mapping is due"),
    ('raise KeyError("trump")', "error", "KeyError: 'trump' (engine.py, line LINE)"),
    ("sys.exit(4)", "error", "SystemExit: 4 (engine.py, line LINE)"),
    ("raise KeyboardInterrupt", "error", "KeyboardInterrupt (engine.py, line LINE)"),
    ("return input()", "error", "EOFError: EOF when reading a line (engine.py, line LINE)"),
    ('print("thinking"); os.write(1, b"hard\\n"); os.system("echo loud"); return {"points": 1}', "result", {"points": 1}),
    ('sys.stdout.buffer.write(b"{}\\n"); sys.stdout.close(); return {"points": 1}', "result", {"points": 1}),
    ('question["cards"].clear(); return {"points": 1}', "result", {"points": 1}),
    *((f'return {{"points": {value}}}', "error", "no reply could be made") for value in ("{1, 2}", 'float("nan")', '"\\ud800"')),
    ('return {("a", "b"): 1}', "error", "no reply could be made"),
]  # fmt: skip


def test_what_a_method_does_is_its_own_affair(here: Path) -> None:
    """One program does it all, one thing after the other."""
    source = "import os, sys\ndef done(which, question):\n"
    for place, (body, _, _) in enumerate(BODIES):
        source += f"    if which == {place}: {body}\n"
    lines = source.splitlines()
    source += "class Engine:\n    profiles = ['bela-4']\n    def card_points(self, profile, question):\n"
    source += "        return done(question['which'], question)\n"
    (here / "engine.py").write_text(source, encoding="utf-8")
    plan = [Request(f"q{place}", "card-points", "bela-4", {**TRICK, "which": place}) for place in range(len(BODIES))]
    with open_target(read_target("python:engine:Engine", None), LIMITS) as target:
        answers = target.ask(plan)
        assert list(target.incidents) == []
    for place, (body, kind, value) in enumerate(BODIES):
        answer = answers[f"q{place}"]
        assert isinstance(answer, Reply), answer
        told = (
            value.replace("LINE", str(1 + next(n for n, line in enumerate(lines) if body in line)))
            if isinstance(value, str)
            else value
        )
        assert answer.kind == kind, body
        assert told in answer.value if isinstance(told, str) else answer.value == told, body


@pytest.mark.parametrize(("body", "kind", "detail"), [
    ("sum(0 for _ in iter(int, 1))", "timed_out", "no answer within 5 s"),
    ('print("goodbye", flush=True); os._exit(9)', "crashed", "exited with code 9"),
    ("os.kill(os.getpid(), 11)", "crashed", "SIGSEGV"),
    ('return {"result": {}, "error": "and yet"}', "protocol_violation", "`result` and `error`"),
    ('return {"points": "9" * 2_000_000}', "protocol_violation", "longer than 1048576 bytes"),
])  # fmt: skip
def test_what_breaks_the_program_costs_one_answer(body: str, kind: str, detail: str, here: Path) -> None:
    source = ANSWERING.replace("BODY", body)
    limits = Limits(start=PATIENCE, answer=SHORT if kind == "timed_out" else PATIENCE)
    answers = ask(here, source, "trick-winner", "card-points", "trick-winner", "trick-winner", limits=limits)
    fault = answers.pop("q1")
    assert isinstance(fault, Fault)
    assert fault.kind == kind
    assert detail in fault.detail
    assert ("goodbye" in fault.stderr) == ("goodbye" in body)
    assert [answer.kind for answer in answers.values()] == ["result"] * 3


def test_files_of_the_folder_do_not_stand_in_for_what_the_suite_needs(here: Path) -> None:
    for name in ("json", "select", "orjson", "belot_conformance", "inspect"):
        (here / f"{name}.py").write_text("raise SystemExit('the wrong module')\n", encoding="utf-8")
    assert ask(here, METHODS, "trick-winner")["q0"].kind == "result"


@pytest.mark.parametrize(("source", "name", "message"), [
    ("", "nowhere:Engine", "importing nowhere failed: ModuleNotFoundError: No module named 'nowhere'"),
    ("import nowhere", "engine:Engine", "No module named 'nowhere' (engine.py, line 1)"),
    ("\nx = 1 +", "engine:Engine", "SyntaxError: invalid syntax (engine.py, line 2)"),
    ("import sys\nsys.exit('no licence')", "engine:Engine", "failed: SystemExit: no licence (engine.py, line 2)"),
    (METHODS, "engine:Engin", "the module engine has no Engin; did you mean Engine?"),
    (METHODS, "engine:Engine.trickwinner", "Engine has no trickwinner; did you mean trick_winner?"),
    ("Engine = 3", "engine:Engine", "3 has no method named after an operation (card_points, trick_winner,"),
    ("class Engine:\n    def __init__(self, x): ...", "engine:Engine", "calling Engine() failed: TypeError"),
    ("def make(): return None", "engine:make", "None has no method named after an operation"),
    ("def make(a, b): return None", "engine:make", "make has no method named after an operation"),
    (METHODS.replace("profiles", "profile"), "engine:Engine", 'it does not say its profiles; give it an attribute'),
    (METHODS.replace('["bela-4"]', '"bela-4"'), "engine:Engine", "its attribute profiles is 'bela-4', where a list"),
    (METHODS.replace('["bela-4"]', "[4]"), "engine:Engine", "profiles is an object of type list, where a list of texts"),
    (METHODS.replace("profiles", "operations = ['deal']; profiles"), "engine:Engine", "but has no method deal"),
    (METHODS.replace("profiles", "name = 3; profiles"), "engine:Engine", "its attribute name is 3, where a text is due"),
    (HEAD + "def answer(operation, profile, question): ...", "engine:answer", "it does not say its operations"),
])  # fmt: skip
def test_an_object_that_cannot_be_asked_says_why(
    source: str, name: str, message: str, loaded: Callable[[str, str], PythonObject]
) -> None:
    with pytest.raises(PythonObjectError) as caught:
        loaded(source, name).hello()
    assert message in str(caught.value)


def test_what_a_module_prints_before_it_fails_is_shown(here: Path) -> None:
    (here / "engine.py").write_text("print('loading the tables')\nopen('nowhere')\n", encoding="utf-8")
    with pytest.raises(StartError) as caught:
        open_target(read_target("python:engine:Engine", None), LIMITS)
    assert "No such file or directory: 'nowhere'" in caught.value.reason
    assert str(caught.value).startswith("python:engine:Engine cannot be asked: ")
    assert "Traceback" not in str(caught.value)
    assert caught.value.stderr == "loading the tables"
