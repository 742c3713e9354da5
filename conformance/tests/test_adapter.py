"""The first steps: an adapter that works as it is written, and a first look that says in words what is wrong."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.house_suite.smoke import SmokeReport, _ask, as_json, smoke
from belot_conformance.programs.adapter import ADAPTERS, places, write_adapter
from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.protocol import DEALS, Hello, Request, Shape
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.programs.target import FunctionTarget, Limits
from belot_conformance.programs.targets import TargetName
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_spec.load.schemas import explain
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from suite_testing import Belot, flat, miniature, run


@pytest.fixture(scope="module", params=ADAPTERS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[str, ...]]:
    """Return a new adapter's folder and the command that runs it there, built once; skip where its tool is missing."""
    folder = tmp_path_factory.mktemp("adapters") / request.param / "inside"
    done = run("adapter", "new", "--language", request.param, str(folder))
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
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True) if node else None
    return version is not None and tuple(map(int, version.stdout[1:].split(".")[:2])) >= (22, 18)


def test_a_new_adapter_passes_as_it_is_written_and_is_told_what_is_next(
    made: tuple[Path, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, command = made
    monkeypatch.chdir(folder)
    looked = run("adapter", "try", "--", *command)
    assert looked.exit_code == 0, looked.output
    assert "✓ trick-winner An easy question is answered correctly." in looked.stdout
    assert "expected: result (winner 1)" in looked.stdout
    assert all(f" {operation}: " in looked.stdout for operation in EASY_FIRST[1:])
    checked = run("check", "--format", "json", "--operation", "trick-winner", "--", *command)
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
    more = {**trick, "more": [1.5, -2e3, None, True, {"of": []}, "\u2028"]}
    said = [{"seat": 0, "bid": "100H"}, {"seat": 1, "bid": "double"}, {"seat": 2, "bid": "pass"}]
    plan = [
        Request("a", "trick-winner", "bela-4", {"trump": "H"}),
        Request("b", "deal", "bela-4", {}),
        Request("bid", "bidding", "contree", {"dealer": 3, "actions": said}),
        Request('c "é\\\n😀', "trick-winner", "bela-4", more),
    ]
    with CommandTarget(command) as target:
        answers = target.ask(plan)
        assert list(target.incidents) == []
        assert target.hello.shape.is_plain
    assert [answer.kind for answer in answers.values()] == ["error", "unsupported", "unsupported", "result"]
    assert answers[plan[3].id].value == {"winner": 1}  # type: ignore[union-attr]


@pytest.mark.parametrize("system", ["module", "commonjs"])
def test_javascript_runs_in_both_module_systems(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_adapter("javascript", tmp_path)
    (tmp_path / "package.json").write_text(json.dumps({"type": system}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with CommandTarget(runnable("javascript", tmp_path)) as target:
        assert target.hello.operations == ("trick-winner",)


@pytest.mark.parametrize("language", ADAPTERS)
def test_an_adapter_has_a_place_for_each_operation_and_a_readme_of_five_steps_that_names_its_commands(
    language: Any, tmp_path: Path
) -> None:
    kind = write_adapter(language, tmp_path)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert readme.count(f"-- {' '.join(kind.command)}") == 5
    assert not kind.build or f"$ {' '.join(kind.build)}\n" in readme
    assert [line[:5] for line in readme.splitlines() if line[:1].isdigit()] == [f"{n}. **" for n in range(1, 6)]
    program = (tmp_path / kind.program).read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme and re.search(rf"\b{name}\b", program) for name in kind.names)
    assert {"PROFILES", "SHAPE", "shape", "DEALS"} & set(re.findall(r"\w+", readme)) <= set(kind.names)
    mine = program.replace("'", '"').partition("answer(")[2].partition("= not yours")[0]
    found = [name for name in re.findall(r'"([a-z-]+)"(?= => \{|:)', mine) if name in OPERATIONS]
    assert list(dict.fromkeys(found)) == list(EASY_FIRST)
    assert "{operation}" not in program
    assert "place>" not in program


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
            profile = "klaverjas-rotterdams" if operation == "roem" else "bela-4"
            came = reference.reply(operation, profile, json.loads(asked[0]))["result"]
            came.pop("illegal", None)
            assert came == json.loads(result[0]), operation
            whole.append(operation)
    assert len(whole) == 9
    served = ServedReference(reference)
    for operation, profile in (("bidding", "bulgarian-belot"), ("bidding", "contree"), ("score-deal", "contree")):
        told = ("".join(places()[operation][name]).partition(f"; in {profile} ")[2] for name in ("asked", "result"))
        question, answer = (json.JSONDecoder().raw_decode(one)[0] for one in told)
        assert served.reply(operation, profile, question) == {"result": answer}
    plain, _, needed = "".join(places()["score-deal"]["asked"]).partition("; in bulgarian-belot with ")
    assert ('"trump": "H"' in needed, '"raised": 2' in needed) == (True, True)
    assert "error" in served.reply("score-deal", "bulgarian-belot", json.loads(plain))
    contract = {**json.loads(plain), "trump": "H", "raised": 2}
    assert "result" in served.reply("score-deal", "bulgarian-belot", contract)


def test_nothing_is_overwritten_and_an_adapter_in_the_folder_one_is_in_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("adapter", "new", ".", "--language", "python")
    assert done.exit_code == 0
    assert "in the folder . now; try" in done.stdout
    assert ".." not in done.stdout
    (tmp_path / "README.md").unlink()
    (tmp_path / "adapter.py").write_text("mine", encoding="utf-8")
    refused = run("adapter", "new", ".", "--language", "python")
    assert (refused.exit_code, "holds adapter.py already" in refused.stderr) == (2, True)
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [("adapter.py", "mine")]
    (tmp_path / "adapter.py").rename(tmp_path / "README.md")
    assert "holds README.md already" in run("adapter", "new", ".", "--language", "python").stderr
    refused = run("adapter", "new", "README.md", "--language", "python")
    assert (refused.exit_code, "is not a folder" in refused.stderr) == (2, True)


def test_the_reference_is_asked_every_operation(spec: Spec) -> None:
    report = smoke(TargetName("reference", ("reference",)), Limits(), spec)
    assert report.passed
    assert len(EASY_FIRST) == len(OPERATIONS)
    assert [finding.about for finding in report.findings] == ["handshake", *EASY_FIRST]
    asked = [finding.verdict.planned.case for finding in report.findings if finding.verdict]
    assert {case.path.suffix for case in asked} == {".yaml"}
    assert explain(as_json(report), "smoke") == []


@pytest.mark.parametrize("file", ["adapter.py", "README.md"])
def test_on_a_full_disk_nothing_is_left(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        if path.name == file:
            raise OSError(ENOSPC, "No space left on device", str(path))
        path.write_text(text, encoding="utf-8")

    monkeypatch.setattr("belot_conformance.programs.adapter.write_new", full)
    (tmp_path / "mine").mkdir()
    for folder in (tmp_path / "new" / "inside", tmp_path / "mine"):
        done = run("adapter", "new", "--language", "python", folder)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"belot: {folder / file}: No space left on device\n"
    assert [*tmp_path.rglob("*")] == [tmp_path / "mine"]


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


@pytest.mark.parametrize(("reply", "changes", "about", "message"), [
    ({"result": {"winner": 3}}, {}, "trick-winner", "The answer is wrong."),
    ({"result": {}}, {}, "trick-winner", "The answer is wrong."),
    ({"unsupported": "no"}, {}, "trick-winner", "answer it, or do not declare it"),
    ({"error": "no"}, {}, "trick-winner", "an error of its own"),
    ({}, {}, "trick-winner", "no reply of the protocol"),
    ({}, {"operations": ("trick-winer",)}, "operations", "no operation; did you mean trick-winner?"),
    ({}, {"operations": ()}, "operations", "declares no operation"),
    ({}, {"profiles": ()}, "profiles", "--profile house-rules.yaml"),
    ({}, {"profiles": ("our-table",)}, "profiles", "--profile house-rules.yaml"),
    ({}, {"profiles": ()}, "profiles", "declares no profile"),
    ({"result": {"winner": 1}}, {"profiles": ("bela-4", "bela-5")}, "profiles", "no variant bela-5"),
    ({"result": {"winner": 1}}, {"profiles": ("bela-4", "bela-4+length-counts+*")}, "profiles", "itself: bela-4+*"),
])  # fmt: skip
def test_a_first_look_says_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, spec: Spec, reply: Any, changes: Any, about: str, message: str
) -> None:
    report = look_at(monkeypatch, spec, reply, **changes)
    (wrong,) = [finding for finding in report.findings if finding.level == "wrong"]
    assert wrong.about == about
    assert message in wrong.said
    assert not report.passed
    assert "belot adapter try -- node 'my bela.js'" in report.advice[0]


@pytest.mark.parametrize(("profile", "asked_by"), [("bela-4", "bela-4"), ("bela-4+*", "bela-4"), ("bela-3+pass",) * 2])
def test_a_first_look_names_gaps(monkeypatch: pytest.MonkeyPatch, spec: Spec, profile: str, asked_by: str) -> None:
    report = look_at(monkeypatch, spec, {"result": {"winner": 1}}, profiles=(profile,))
    (missing,) = [finding for finding in report.findings if finding.level == "missing"]
    assert "card-points, legal-cards" in missing.said
    assert report.passed
    assert "card-points is a good next one" in report.advice[1]
    (asked,) = [finding.verdict.planned for finding in report.findings if finding.verdict]
    assert (asked.profile, asked.request().profile) == (asked_by, asked_by)


@pytest.mark.parametrize("profile", ["bela-4", "contree", "coinche", "bulgarian-belot"])
def test_a_first_look_begins_with_what_is_easiest_at_a_table(
    profile: str, monkeypatch: pytest.MonkeyPatch, spec: Spec
) -> None:
    asked = tuple(one for one in EASY_FIRST if one not in ("settle-tricks", "penalty", "compare-hands", "roem"))
    report = look_at(monkeypatch, spec, {"result": {}}, profiles=(profile,), operations=asked)
    cases = [finding.verdict.planned.case for finding in report.findings if finding.verdict]
    assert [case.operation for case in cases] == [*asked]
    later = r'"(\d+|capot)?[NA]"|capot|double|"([89][1-9]|\d0[1-9]|90|[1-9]\d\d)[SHDC]"|"bid": ([1-79]|8[1-9]|\d{3})|"ended": "belot"'
    assert [case.id for case in cases if re.search(later, json.dumps([case.input, case.expected[0].fields]))] == []


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """House rules by which the jack of trump is worth thirty."""
    path = tmp_path / "house-rules.yaml"
    points = "{J: 30, 9: 14, A: 11, 10: 10, K: 4, Q: 3, 8: 0, 7: 0}"
    text = f"id: our-table\nbase: bela-4\nrules:\n  scoring.trump-points: {{value: {points}}}\n"
    path.write_text(text, encoding="utf-8")
    return path


PLAYS_BELA = "python:conformance.examples.planted:answer"


def test_trying_explains_each_operation_by_the_table_and_in_brief_only_what_is_wrong(belot: Belot, house: Path) -> None:
    asked = ("--profile", str(house), PLAYS_BELA)
    done, brief = belot("adapter", "try", *asked), belot("smoke", "--brief", *asked)
    assert done.returncode == brief.returncode == 1
    assert "✗ card-points" in done.stdout
    assert "came: result (points" in done.stdout
    assert "rule: Trumps are worth these card points: jack (30)" in flat(done.stdout)
    assert f"belot adapter try --profile {house} {PLAYS_BELA}" in flat(done.stdout)
    assert all(len(line) <= 80 or "belot" in line for line in done.stdout.splitlines())
    assert len(brief.stdout) < len(done.stdout) / 2
    assert brief.stdout.count("asked (") == brief.stdout.count("✗") > 0
    assert "rule:" not in brief.stdout
    right = belot("smoke", "--profile", str(house), "reference")
    assert right.returncode == 0
    assert f"belot check --profile {house} reference" in right.stdout


@pytest.mark.parametrize("options", [("--brief",), ("--format", "json")])
def test_smoke_and_adapter_try_are_one_command(options: tuple[str, ...], belot: Belot) -> None:
    one, other = (belot(*name, *options, "reference") for name in (("smoke",), ("adapter", "try")))
    assert one.stdout == other.stdout
    assert one.returncode == other.returncode == 0


@pytest.mark.parametrize(("program", "message", "advice"), [
    ("no-such-program", "✗ start", "without a shell"),
    ("never_shakes_hands", "no answer to `hello`", "flush after it"),
    ("noise_before_handshake", "Welcome to Bela 2000!", "not even a greeting"),
    ("crashes_at_start", "no licence found", "the end of its stderr, above, says why"),
])  # fmt: skip
def test_what_cannot_start_exits_with_3(belot: Belot, tmp_path: Path, program: str, message: str, advice: str) -> None:
    start = "1" if program == "never_shakes_hands" else "60"
    command = miniature(program, 1, tmp_path) if "_" in program else [program]
    done = belot("smoke", "--start", start, "--", *command)
    assert done.returncode == 3
    text = " ".join(done.stdout.split())
    assert message in text
    assert advice in text
    assert "flush" in text or program != "never_shakes_hands"
    assert "flush" not in text or program != "no-such-program"
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.parametrize("deals", DEALS)
def test_a_program_is_tried_with_questions_of_the_shape_that_it_declares(deals: str, spec: Spec) -> None:
    reference = Reference(spec)
    said = Hello(1, "shaped", "1", "Python", ("belote",), ("replay",), shape=Shape(deals=deals))  # type: ignore[arg-type]
    found = list(_ask(FunctionTarget(said, reference.reply), [("belote", "belote")], reference))
    assert [(one.about, one.level) for one in found] == [("replay", "right"), ("operations", "missing")]
