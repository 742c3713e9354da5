"""The first steps: an adapter that works as it is written, and a first look that says in words what is wrong."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from belot_conformance.cli.main import main
from belot_conformance.house_suite.smoke import SmokeReport, _ask, as_json, smoke
from belot_conformance.programs.adapter import ADAPTERS, AdapterError, places, write_adapter
from belot_conformance.programs.protocol import Hello, Question
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.shape import DEALS, Shape
from belot_conformance.programs.target import FunctionTarget, Limits
from belot_conformance.programs.targets import TargetName, read_target
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_spec.load.schemas import explain
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from suite_testing import PROGRAMS

Belot = Callable[..., Any]


@pytest.fixture(scope="module", params=ADAPTERS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[str, ...]]:
    """Return a new adapter's folder and the command that runs it there, built once; skip where its tool is missing."""
    folder = tmp_path_factory.mktemp("adapters") / request.param / "inside"
    done = CliRunner().invoke(main, ["adapter", "new", "--language", request.param, str(folder)])
    assert done.exit_code == 0, done.output
    kind = ADAPTERS[request.param]
    assert "belot adapter try -- " in done.stdout
    assert sorted(path.name for path in folder.iterdir()) == sorted(["README.md", kind.program])
    return folder, runnable(request.param, folder)


def runnable(language: str, folder: Path) -> tuple[str, ...]:
    """Build an adapter where that must be, and return the command that runs it; skip where its tool is missing."""
    kind = ADAPTERS[language]
    build, command = kind.build, kind.command
    if language == "python":
        command = (sys.executable, kind.program)
    if language == "typescript" and not runs_typescript():
        build, command = ("tsc", "--strict", "--target", "es2022", kind.program), ("node", "adapter.js")
    for tool in filter(None, (build[:1] or command[:1], command[:1])):
        if not tool[0].startswith("./") and not is_there(tool[0]):
            pytest.skip(f"{tool[0]} is not installed, so the {language} adapter cannot be tried")
    if build:
        subprocess.run(build, cwd=folder, check=True, timeout=300)
    return command


def is_there(tool: str) -> bool:
    """Whether a tool is installed and works; some are found that only say how to install the real one."""
    asked = "version" if tool == "go" else "--version"
    return (
        shutil.which(tool) is not None
        and subprocess.run([tool, asked], check=False, capture_output=True).returncode == 0
    )


def runs_typescript() -> bool:
    """Whether Node is there, and new enough to run TypeScript as it is."""
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True) if node else None
    return version is not None and tuple(map(int, version.stdout[1:].split(".")[:2])) >= (22, 18)


def test_a_new_adapter_passes_as_it_is_written(
    made: tuple[Path, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, command = made
    monkeypatch.chdir(folder)
    looked = CliRunner().invoke(main, ["smoke", "--", *command])
    assert looked.exit_code == 0, looked.output
    assert "✓ trick-winner An easy question is answered correctly." in looked.stdout
    checked = CliRunner().invoke(main, ["check", "--format", "json", "--operation", "trick-winner", "--", *command])
    assert checked.exit_code == 0
    totals = json.loads(checked.stdout)["totals"]
    assert totals["passed"] >= 10
    assert totals["passed"] + totals["unsupported"] == totals["planned"]


def test_a_new_adapter_answers_what_it_cannot_read_with_an_error_and_lives_on(
    made: tuple[Path, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, command = made
    monkeypatch.chdir(folder)
    trick = {"trump": "H", "leader": 3, "cards": ["AS", "7S", "7H", "10S"]}
    plan = [
        Question("a", "trick-winner", "bela-4", {"trump": "H"}),
        Question("b", "deal", "bela-4", {}),
        Question(
            'c "é\\\n😀', "trick-winner", "bela-4", {**trick, "more": [1.5, -2e3, None, True, {"of": []}, "\u2028"]}
        ),
    ]
    with CommandTarget(command) as target:
        answers = target.ask(plan)
        assert list(target.incidents) == []
        assert target.hello.shape.is_plain
    assert [answer.kind for answer in answers.values()] == ["error", "unsupported", "result"]
    assert answers[plan[2].id].value == {"winner": 1}  # type: ignore[union-attr]


@pytest.mark.parametrize("system", ["module", "commonjs"])
def test_the_javascript_adapter_runs_in_both_systems_of_modules(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_adapter("javascript", tmp_path, "en")
    (tmp_path / "package.json").write_text(json.dumps({"type": system}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with CommandTarget(runnable("javascript", tmp_path)) as target:
        assert target.hello.operations == ("trick-winner",)


@pytest.mark.parametrize("words", ["en", "nl"])
@pytest.mark.parametrize("language", ADAPTERS)
def test_the_readme_of_an_adapter_has_five_steps_and_names_the_commands_that_run_it(
    language: Any, words: Any, tmp_path: Path
) -> None:
    kind = write_adapter(language, tmp_path, words)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert readme.count(f"-- {' '.join(kind.command)}") == 5
    assert not kind.build or f"$ {' '.join(kind.build)}\n" in readme
    assert [line[:5] for line in readme.splitlines() if line[:1].isdigit()] == [f"{n}. **" for n in range(1, 6)]
    assert ("Vijf stappen" in readme) == (words == "nl")
    program = (tmp_path / kind.program).read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme and re.search(rf"\b{name}\b", program) for name in kind.names)
    assert {"PROFILES", "SHAPE", "shape", "DEALS"} & set(re.findall(r"\w+", readme)) <= set(kind.names)


@pytest.mark.parametrize("language", ADAPTERS)
def test_an_adapter_has_a_place_for_each_operation_in_the_order_of_learning(language: Any, tmp_path: Path) -> None:
    kind = write_adapter(language, tmp_path, "en")
    text = (tmp_path / kind.program).read_text(encoding="utf-8").replace("'", '"')
    mine = text.partition("answer(")[2].partition("= not yours")[0]
    found = [name for name in re.findall(r'"([a-z-]+)"(?= => \{|:)', mine) if name in OPERATIONS]
    assert list(dict.fromkeys(found)) == list(EASY_FIRST)
    assert "{operation}" not in text
    assert "place>" not in text


def test_the_examples_at_the_places_are_right_by_the_rules(reference: Reference) -> None:
    assert ["trick-winner", *places()] == list(EASY_FIRST)
    whole = []
    for operation, lines in places().items():
        asked, result = (
            re.search(r"\{.*\}", "".join(lines[name]).partition("; in ")[0]) for name in ("asked", "result")
        )
        assert asked
        assert result
        named = set(re.findall(r'"([a-z_]+)": ', result[0]))
        assert named & set(OPERATIONS[operation].result_fields), operation
        if "…" not in asked[0] + result[0]:
            came = reference.reply(operation, "bela-4", json.loads(asked[0]))["result"]
            came.pop("illegal", None)
            assert came == json.loads(result[0]), operation
            whole.append(operation)
    assert len(whole) == 8


@pytest.mark.parametrize(
    ("operation", "profile"), [("bidding", "bulgarian-belot"), ("bidding", "contree"), ("score-deal", "contree")]
)
def test_the_examples_of_a_contract_game_are_right_by_its_rules(
    operation: str, profile: str, reference: Reference
) -> None:
    told = ("".join(places()[operation][name]).partition(f"; in {profile} ")[2] for name in ("asked", "result"))
    asked, result = (json.JSONDecoder().raw_decode(one)[0] for one in told)
    assert ServedReference(reference).reply(operation, profile, asked) == {"result": result}


def test_the_example_of_a_score_names_what_a_contract_without_a_number_needs_more(reference: Reference) -> None:
    plain, _, told = "".join(places()["score-deal"]["asked"]).partition("; in bulgarian-belot with ")
    assert ('"trump": "H"' in told, '"raised": 2' in told) == (True, True)
    served = ServedReference(reference)
    assert "error" in served.reply("score-deal", "bulgarian-belot", json.loads(plain))
    contract = {**json.loads(plain), "trump": "H", "raised": 2}
    assert "result" in served.reply("score-deal", "bulgarian-belot", contract)


def test_a_new_adapter_of_a_contract_game_says_what_it_does_not_answer_yet(
    made: tuple[Path, tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, language = tmp_path / "contract", made[0].parent.name
    program = folder / write_adapter(language, folder, "en").program
    text = program.read_text(encoding="utf-8").replace("bela-4", "contree", 1)
    operations = [f"{one}trick-winner{one}" for one in "'\"" if f"{one}trick-winner{one}" in text]
    listed = ", ".join(operations[0].replace("trick-winner", one) for one in EASY_FIRST if one != "declarations")
    program.write_text(text.replace(operations[0], listed, 1), encoding="utf-8")
    command = runnable(language, folder)
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(
        main, ["check", "--profile", "contree", "--drawn", "0", "--format", "json", "--", *command]
    )
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert report["incidents"] == []
    totals = report["totals"]
    assert totals["passed"] >= 50
    assert totals["passed"] + totals["failed"] + totals["unsupported"] == totals["planned"]
    failed = [case for case in report["cases"] if case["outcome"] == "failed"]
    assert all(case["came"] == {"unsupported": "not there yet"} for case in failed)
    assert {case["operation"] for case in failed} >= {"bidding", "score-deal", "replay"}


def test_trying_explains_each_operation_by_the_rules_of_the_table(belot: Belot, house: Path) -> None:
    done = belot("adapter", "try", "--profile", str(house), "--", sys.executable, "-m", "belot_conformance", "answer")
    assert done.returncode == 1
    text = " ".join(done.stdout.split())
    assert "✗ card-points" in text
    assert "came: result (points" in text
    assert "rule: Trumps are worth these card points: jack (30)" in text
    assert f"belot adapter try --profile {house} -- " in done.stdout
    assert all(len(line) <= 80 or "belot" in line for line in done.stdout.splitlines())


def test_trying_says_what_each_operation_asks_that_is_not_declared(tmp_path: Path) -> None:
    write_adapter("python", tmp_path, "en")
    command = ["--", sys.executable, str(tmp_path / "adapter.py")]
    done = CliRunner().invoke(main, ["adapter", "try", *command])
    assert done.exit_code == 0
    assert "expected: result (winner 1)" in done.stdout
    for operation in EASY_FIRST[1:]:
        assert f" {operation}: " in done.stdout
    report = CliRunner().invoke(main, ["adapter", "try", "--format", "json", *command])
    assert explain(json.loads(report.stdout), "smoke") == []


@pytest.mark.parametrize(("language", "said"), [("en", "in the folder . now; try"), ("nl", "In de map . staat nu")])
def test_an_adapter_in_the_folder_one_is_in_is_told_in_a_sentence(
    language: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["adapter", "new", ".", "--language", "python", "--lang", language])
    assert done.exit_code == 0
    assert said in done.stdout
    assert ".." not in done.stdout


@pytest.mark.parametrize("there", ["README.md", "adapter.py"])
def test_nothing_is_overwritten(there: str, belot: Belot, tmp_path: Path) -> None:
    (tmp_path / there).write_text("mine", encoding="utf-8")
    done = belot("adapter", "new", "--language", "python", str(tmp_path))
    assert done.returncode == 2
    assert f"holds {there} already" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text(encoding="utf-8") == "mine"


def test_a_file_is_no_folder_for_an_adapter(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("", encoding="utf-8")
    with pytest.raises(AdapterError, match="is not a folder"):
        write_adapter("python", tmp_path / "x", "en")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("adapter", "new", "somewhere"), "Missing option '--language'"),
        (
            ("adapter", "new", "--language", "cobol", "x"),
            "'cobol' is not one of 'python', 'javascript', 'typescript', 'go', 'rust', 'java'",
        ),
        (("smoke",), "say what to check, one of: reference, http://…"),
        (("smoke", "refrence"), "there is no target refrence; did you mean reference?"),
        (("smoke", "node"), 'a program\'s command stands after "--": -- node …'),
        (("smoke", "reference", "--", "node"), "say what to check"),
        (("smoke", "ftp://localhost"), "an address begins with http:// or https://"),
        (("smoke", "http://"), "the address names no host"),
        (("smoke", "http://localhost:x"), "this is no address"),
        (("smoke", "python:one"), "write python:MODULE:NAME"),
        (("smoke", "python:1:2"), "write python:MODULE:NAME"),
    ],
)
def test_wrong_usage_exits_with_2_and_one_clear_message(belot: Belot, arguments: tuple[str, ...], message: str) -> None:
    done = belot(*arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_every_operation_has_its_place_in_the_order_of_learning() -> None:
    assert set(EASY_FIRST) == set(OPERATIONS)
    assert len(EASY_FIRST) == len(OPERATIONS)


def test_the_reference_is_asked_every_operation(spec: Spec) -> None:
    report = smoke(TargetName("reference", ("reference",)), Limits(), spec)
    assert report.passed
    assert [finding.about for finding in report.findings] == ["handshake", *EASY_FIRST]
    asked = [finding.verdict.planned.case for finding in report.findings if finding.verdict]
    assert {case.path.suffix for case in asked} == {".yaml"}
    assert explain(as_json(report), "smoke") == []


def look_at(monkeypatch: pytest.MonkeyPatch, spec: Spec, reply: Mapping[str, Any], **changes: Any) -> SmokeReport:
    profile = changes.pop("profile", None)
    said: dict[str, Any] = {"profiles": ("bela-4",), "operations": ("trick-winner",)}
    said |= changes
    hello = Hello(1, "function", "1", "Python", **said | {"profiles": tuple(map(ProfileName, said["profiles"]))})
    monkeypatch.setattr(
        "belot_conformance.house_suite.smoke.open_target", lambda *_: FunctionTarget(hello, lambda *_: reply)
    )
    report = smoke(TargetName("command", ("node", "my bela.js")), Limits(), spec, profile)
    assert explain(as_json(report), "smoke") == []
    return report


@pytest.mark.parametrize(
    ("reply", "changes", "about", "message"),
    [
        ({"result": {"winner": 3}}, {}, "trick-winner", "The answer is wrong."),
        ({"result": {}}, {}, "trick-winner", "The answer is wrong."),
        ({"unsupported": "no"}, {}, "trick-winner", "answer it, or do not declare it"),
        ({"error": "no"}, {}, "trick-winner", "an error of its own"),
        ({}, {}, "trick-winner", "no reply of the protocol"),
        ({}, {"operations": ("trick-winer",)}, "operations", "no operation; did you mean trick-winner?"),
        ({}, {"operations": ()}, "operations", "declares no operation"),
        ({}, {"profiles": ()}, "profiles", "declares no profile"),
        ({"result": {"winner": 1}}, {"profiles": ("bela-4", "bela-5")}, "profiles", "no variant bela-5"),
        ({"result": {"winner": 1}}, {"profiles": ("bela-4", "bela-4+length-counts+*")}, "profiles", "itself: bela-4+*"),
    ],
)
def test_a_first_look_says_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, spec: Spec, reply: Any, changes: Any, about: str, message: str
) -> None:
    report = look_at(monkeypatch, spec, reply, **changes)
    (wrong,) = [finding for finding in report.findings if finding.level == "wrong"]
    assert wrong.about == about
    assert message in wrong.said.en
    assert wrong.said.nl != wrong.said.en
    assert not report.passed
    assert "belot adapter try -- node 'my bela.js'" in report.advice[0].en


@pytest.mark.parametrize("profile", ["bela-4", "bela-4+*"])
def test_a_first_look_names_what_is_not_there_yet(monkeypatch: pytest.MonkeyPatch, spec: Spec, profile: str) -> None:
    report = look_at(monkeypatch, spec, {"result": {"winner": 1}}, profiles=(profile,))
    (missing,) = [finding for finding in report.findings if finding.level == "missing"]
    assert "card-points, legal-cards" in missing.said.en
    assert report.passed
    assert "card-points is a good next one" in report.advice[1].en


def test_a_profile_with_options_is_asked_by_the_name_that_was_declared(
    monkeypatch: pytest.MonkeyPatch, spec: Spec
) -> None:
    report = look_at(monkeypatch, spec, {"result": {"winner": 1}}, profiles=("bela-3+pass",))
    (asked,) = [finding.verdict.planned for finding in report.findings if finding.verdict]
    assert (asked.profile, asked.question().profile) == ("bela-3+pass", "bela-3+pass")


@pytest.mark.parametrize(
    ("profiles", "name", "said"),
    [
        (("our-table",), "our-table", ""),
        (("bela-4",), "bela-4", "You say that the program plays our-table; it declares bela-4."),
        (("mine",), "mine", "You say that the program plays our-table; it declares mine."),
        (("bela-3", "bela-4", "belote"), "bela-4", "it declares bela-3, bela-4, belote. It was judged by the rules of"),
        ((), "our-table", "The program declares no profile; it was asked about our-table under that name."),
    ],
)
def test_a_first_look_at_a_table_of_your_own_asks_by_its_rules_whatever_was_declared(
    monkeypatch: pytest.MonkeyPatch, spec: Spec, house: Path, profiles: tuple[str, ...], name: str, said: str
) -> None:
    reply = {"result": {"points": 30}}
    report = look_at(monkeypatch, spec, reply, profiles=profiles, operations=("card-points",), profile=str(house))
    (asked,) = [finding.verdict.planned for finding in report.findings if finding.verdict]
    assert (asked.profile, asked.question().profile) == ("our-table", name)
    told = [finding for finding in report.findings if finding.about == "profiles"]
    assert [finding.level for finding in told] == (["right"] if said else [])
    assert said in " ".join(finding.said.en for finding in told)
    assert all(finding.said.nl != finding.said.en for finding in told)
    assert f"belot adapter try --profile {house} -- node" in report.advice[0].en or report.passed


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """House rules by which the jack of trump is worth thirty."""
    path = tmp_path / "house-rules.yaml"
    points = "{J: 30, 9: 14, A: 11, 10: 10, K: 4, Q: 3, 8: 0, 7: 0}"
    text = f"id: our-table\nbase: bela-4\nrules:\n  scoring.trump-points: {{value: {points}}}\n"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("profiles", [(), ("our-table",)])
def test_without_the_rules_of_an_unknown_table_a_first_look_says_how_to_name_them(
    monkeypatch: pytest.MonkeyPatch, spec: Spec, profiles: tuple[str, ...]
) -> None:
    report = look_at(monkeypatch, spec, {}, profiles=profiles)
    (wrong,) = [finding for finding in report.findings if finding.level == "wrong"]
    assert "--profile house-rules.yaml" in wrong.said.en
    assert "--profile huisregels.yaml" in wrong.said.nl


def test_the_command_asks_the_reference_by_house_rules(belot: Belot, house: Path) -> None:
    done = belot("smoke", "--profile", str(house), "--", sys.executable, "-m", "belot_conformance", "answer")
    assert done.returncode == 1
    assert "✗ card-points" in done.stdout
    done = belot("smoke", "--profile", str(house), "reference")
    assert done.returncode == 0, done.stdout
    assert f"belot check --profile {house} reference" in done.stdout


@pytest.mark.parametrize(
    ("program", "message", "advice"),
    [
        ("never_shakes_hands", "no answer to `hello`", "flush after it"),
        ("noise_before_handshake", "Welcome to Bela 2000!", "not even a greeting"),
        ("crashes_at_start", "no licence found", "the end of its stderr, above, says why"),
    ],
)
def test_what_does_not_start_exits_with_3_and_says_what_to_try(
    belot: Belot, tmp_path: Path, program: str, message: str, advice: str
) -> None:
    start = "1" if program == "never_shakes_hands" else "60"
    done = belot("smoke", "--start", start, "--", sys.executable, str(PROGRAMS / f"{program}.py"), "1", str(tmp_path))
    assert done.returncode == 3
    text = " ".join(done.stdout.split())
    assert message in text
    assert advice in text
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_a_command_that_does_not_exist_is_told_from_a_wrong_handshake(belot: Belot) -> None:
    done = belot("smoke", "--lang", "nl", "--", "no-such-program")
    assert done.returncode == 3
    assert "✗ start" in done.stdout
    assert "zonder shell" in done.stdout
    assert "flush" not in done.stdout


@pytest.mark.parametrize(
    ("target", "command", "text"),
    [
        (None, ("node", "a b.js"), "node 'a b.js'"),
        ("reference", None, "reference"),
        ("http://u:p@localhost:8000/x", None, "http://localhost:8000/x"),
        ("https://belot.example/", None, "https://belot.example/"),
        ("python:a.b:C.d", None, "python:a.b:C.d"),
    ],
)
def test_a_target_can_be_named_again_from_its_report(target: Any, command: Any, text: str) -> None:
    name = read_target(target, command)
    assert name.text == text
    words = name.arguments
    again = read_target(None, words[1:]) if words[0] == "--" else read_target(words[0], None)
    assert again.text == text


@pytest.mark.parametrize("deals", DEALS)
def test_a_program_is_tried_with_questions_of_the_shape_that_it_declares(deals: str, spec: Spec) -> None:
    reference = Reference(spec)
    said = Hello(1, "shaped", "1", "Python", ("belote",), ("replay",), shape=Shape(deals=deals))  # type: ignore[arg-type]
    found = list(_ask(FunctionTarget(said, reference.reply), [("belote", "belote")], reference))
    assert [(one.about, one.level) for one in found] == [("replay", "right"), ("operations", "missing")]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("brief", [(), ("--brief",)])
def test_smoke_and_adapter_try_are_one_command(form: str, brief: tuple[str, ...], belot: Belot) -> None:
    one, other = (belot(*name, *brief, "--format", form, "reference") for name in (("smoke",), ("adapter", "try")))
    assert one.stdout == other.stdout
    assert one.returncode == other.returncode == 0


def test_the_shorter_output_explains_only_what_is_wrong(belot: Belot, house: Path) -> None:
    asked = ("smoke", "--profile", str(house), "--", sys.executable, "-m", "belot_conformance", "answer")
    whole, brief = belot(*asked).stdout, belot(*asked[:1], "--brief", *asked[1:]).stdout
    assert len(brief) < len(whole) / 2
    assert brief.count("asked (") == brief.count("✗") > 0
    assert "rule:" in whole
    assert "rule:" not in brief
