"""The ledger of published programs: its entries hold, and those of the package index are judged where they can be had."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs import published
from belot_conformance.programs.published import Measurement, PublishedProgram, load_program, load_programs
from belot_conformance.programs.reference import put
from belot_conformance.suite.judge import fields_apart
from belot_reference.compile import compile_profile
from belot_spec.catalogue import Text
from belot_spec.data import ledger_folder
from belot_spec.errors import SpecError
from belot_spec.playability import refuse_unplayable
from belot_spec.shipped import default_spec
from belot_workshop.ledger import NotGotError, get_program, measurement, together, write_measured
from suite_testing import Belot

SPEC = default_spec()
PROGRAMS = load_programs()
OF_THE_INDEX = [name for name, one in PROGRAMS.items() if "index" in one.got]


def measured_of(name: str) -> Measurement:
    found = PROGRAMS[name].measured
    assert found is not None, f"{name} was never measured"
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_program_was_measured_to_play_can_be_played(name: str) -> None:
    found = measured_of(name)
    base = SPEC.profile(found.base)
    for rule, value in found.rules.items():
        assert SPEC.rules[rule].allows(value), rule
        assert not base.plays(rule, value), f"{rule} is no difference from {found.base}"
    played = changed_profile(base, found.rules, SPEC)
    refuse_unplayable(name, played.settings)


@pytest.mark.parametrize("name", [name for name, one in PROGRAMS.items() if one.read])
def test_each_rule_measured_otherwise_was_read_in_the_source(name: str) -> None:
    assert PROGRAMS[name].read.keys() == measured_of(name).rules.keys()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bug_tells_of_answers_that_no_rules_explain(name: str) -> None:
    program = PROGRAMS[name]
    named = {*program.shows, *(kind for bug in program.bugs for kind in bug.shows)}
    assert named <= {one.kind for one in measured_of(name).unexplained}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_no_rules_explain_is_wrong_by_the_rules_measured(name: str) -> None:
    found = measured_of(name)
    rules = compile_profile(changed_profile(SPEC.profile(found.base), found.rules, SPEC))
    for one in found.unexplained:
        if "unsupported" not in one.smallest["came"]:
            came = one.smallest["came"]
            right = put(one.operation, rules, one.smallest["input"]).message()
            given = next(iter(came.values()))
            assert fields_apart(one.operation, right, came, given), (one.operation, one.smallest["input"])


def test_every_adapter_is_of_a_program_and_every_program_has_its_own() -> None:
    here = {path.name for path in (ledger_folder() / published.ADAPTERS).iterdir() if path.is_file()}
    named = [one.adapter["file"] for one in PROGRAMS.values() if one.adapter is not None]
    assert sorted(named) == sorted(set(named))
    assert here == {*named, "serve.py", "serve.mjs"}


@pytest.mark.parametrize(("old", "new"), [
    ("package: colver", "package: -e."), ("package: colver", 'package: "colver @ https://example.org/x"'),
    ("package: colver", 'package: "colver; x"'), ("package: colver", "package: ../colver"),
    ("version: 0.11.1}", 'version: "0.11.1 --pre"}'), ("version: 0.11.1}", 'version: "--pre"}'),
    ("got: {index: PyPI, package: colver, version: 0.11.1}",
     f"got: {{repository: 'https://example.org/x', commit: {'0' * 40}, needs: ['-e.']}}"),
])  # fmt: skip
def test_what_is_got_is_named_by_its_package_alone(old: str, new: str, tmp_path: Path) -> None:
    text = (ledger_folder() / "programs" / "colver.yaml").read_text(encoding="utf-8")
    assert old in text
    (path := tmp_path / "colver.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SpecError, match=r"colver\.yaml:\d+: got"):
        load_program(path)


def program(**given: Any) -> PublishedProgram:
    here = {"about": Text("A", "A"), "family": Text("F", "F"), "address": "https://example.org", "licence": "MIT"}
    return PublishedProgram(**{"id": "mine", "name": "mine", "version": "1", "language": "Python", **here, **given})


def test_a_program_without_an_adapter_here_is_not_got(tmp_path: Path) -> None:
    with pytest.raises(NotGotError, match="compiled together"):
        get_program(program(got={"repository": "https://example.org", "commit": "0" * 40}), tmp_path)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed here")
def test_a_commit_of_a_repository_is_got_with_the_command_that_serves_it(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "rules.py").write_text("TRUMP = 20\n", encoding="utf-8")
    git = ["git", "-C", str(source), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "Begin"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    own = program(
        got={"repository": source.as_uri(), "commit": commit}, adapter={"file": "coinche-cli.py", "run": "python"}
    )
    for _ in range(2):  # what is there already is taken as it is
        python, adapter, tree = get_program(own, tmp_path / "build")
    assert Path(python).exists()
    assert Path(adapter).name == "coinche-cli.py"
    assert (Path(tree) / "rules.py").read_text(encoding="utf-8") == "TRUMP = 20\n"


CAME, RIGHT = {"result": {"winner": 1}}, {"result": {"winner": 2, "more": 3}}
SMALLEST = {"id": "x", "operation": "trick-winner", "input": {}, "came": CAME, "expected": RIGHT}
FOUND = {
    "base": "belotten", "overlay": {"match.target": 51}, "untold": ["match.surplus"], "cut_short": False,
    "broken": [{"operation": "trick-winner", "fields": ["winner"], "count": 3, "smallest": SMALLEST}],
    "unsupported": [],
    "broken_fields": {"deal": ["hands"], "match": ["deals"]},
    "spoiled": {"deal": 4, "match": 0},
    "spoiled_smallest": {
        "deal": {"input": {}, "came": {"result": {"hands": []}}, "expected": {"result": {"hands": [["7S"]]}}}
    },
    "asked": {"questions": 10}, "explained": 2,
}  # fmt: skip


def test_what_was_measured_stands_at_the_end_of_an_entry_in_place_of_what_stood_there(tmp_path: Path) -> None:
    path = tmp_path / "coinche-cli.yaml"
    shutil.copyfile(ledger_folder() / published.PROGRAMS / path.name, path)
    before = path.read_text(encoding="utf-8").partition("\nmeasured:\n")[0].rstrip("\n")
    for seconds in (4.26, 5.0):
        write_measured(path, measurement({"profiles": ["belotten"]}, FOUND, seconds))
    assert path.read_text(encoding="utf-8").startswith(before + "\nmeasured:\n")
    found = load_program(path).measured
    assert found is not None
    assert (found.base, found.rules, found.seconds) == ("belotten", {"match.target": 51}, 5.0)
    assert (found.asked, found.wrong, found.explained) == (10, 7, 2)
    [told, of_broken_field] = found.unexplained
    assert (told.operation, told.answers) == ("trick-winner", 3)
    assert (of_broken_field.operation, of_broken_field.fields, of_broken_field.answers) == ("deal", ["hands"], 4)
    assert told.smallest["expected"] == {"result": {"winner": 2}}


def test_of_what_is_found_together_rules_that_do_not_matter_with_the_rest_are_left_out() -> None:
    found = {"bidding.modes": [["S", "H", "D", "C", "N"]], "scoring.no-trump-factor": 2}
    beside = {"scoring.no-trump-all-tricks": "times-factor"}
    assert together("contree", found | beside).items() >= (found | beside).items()
    alone = together("contree", found | beside | {"scoring.no-trump-factor": 1})
    assert alone["scoring.no-trump-factor"] == 1
    assert not beside.keys() & alone.keys()


@pytest.mark.parametrize(("given", "said"), [
    (["nobody"], "no program nobody in the ledger"),
    (["belote-clo"], "no program belote-clo in the ledger; did you mean belote-cli?"),
    (["--served-by", "true"], "--served-by COMMAND is of one program"),
])  # fmt: skip
def test_the_command_says_which_programs_there_are(belot: Belot, given: list[str], said: str) -> None:
    found = belot("lab", "ledger", *given)
    assert found.returncode == 2
    assert said in found.stderr


@pytest.fixture(scope="module")
def of_the_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of the package index, in a folder of their own; skipped where they cannot be had soon."""
    folder = tmp_path_factory.mktemp("index")
    wanted = [f"{PROGRAMS[name].got['package']}=={PROGRAMS[name].got['version']}" for name in OF_THE_INDEX]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    pip += ["--only-binary", ":all:", "--retries", "0", "--timeout", "5", "--target", str(folder)]
    try:
        done = subprocess.run([*pip, *wanted], check=False, capture_output=True, text=True, timeout=45)
    except subprocess.TimeoutExpired:
        pytest.skip("the package index does not answer soon enough")
    if done.returncode:
        pytest.skip(f"{', '.join(wanted)} cannot be installed here: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return folder


@pytest.mark.parametrize("name", OF_THE_INDEX)
def test_a_program_of_the_index_plays_what_its_entry_says(
    name: str, of_the_index: Path, tmp_path: Path, belot: Belot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy", reason="colver needs numpy")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(of_the_index), os.environ.get("PYTHONPATH", "")]))
    found, adapter = measured_of(name), PROGRAMS[name].adapter_file
    overlay = tmp_path / "measured.yaml"
    overlay.write_text(json.dumps(found.overlay("measured")), encoding="utf-8")
    profile = str(overlay) if found.rules else found.base
    some = ("--questions", "300", "--seconds", "15", "--format", "json")
    said = belot("fuzz", "--profile", profile, *some, "--", sys.executable, str(adapter))
    told = json.loads(said.stdout)
    assert told["questions"] > 0
    wrong = {cause["operation"] for cause in told["causes"]}
    assert wrong <= {one.operation for one in found.unexplained}, "wrong in more than its entry says"
