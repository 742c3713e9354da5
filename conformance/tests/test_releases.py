"""Making releases, in a copy of the project: what is refused, what is in one, and the same bytes every time."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from belot_spec.load.schemas import is_valid
from suite_testing import files_in

CASES = "cases/legal-cards/belote-void-opponent-ruffed.yaml"
BELOTE = "spec/variants/belote.yaml"
RULE = "play.void.opponent-ruffed: {value: [higher_trump, trump, any]"
NEW_RULE = "play.void.opponent-ruffed: {value: [higher_trump, any]"


@dataclass(frozen=True)
class Project:
    """A copy of the project with a few of its cases, in a repository of its own."""

    folder: Path
    cache: Path

    def belot(self, *arguments: str, code: int = 0) -> str:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.folder / "reference_impl"), str(self.folder / "conformance")]),
            "BELOT_CACHE": str(self.cache),
            "COLUMNS": "80",
            "NO_COLOR": "1",
        }
        command = [sys.executable, "-m", "belot_conformance", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return " ".join((done.stdout + done.stderr).split())

    def change(self, name: str, before: str, after: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert before in text
        (self.folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")

    def is_now(self, version: str) -> None:
        path = self.folder / "pyproject.toml"
        text = re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")

    def commit(self, tag: str | None = None) -> None:
        for arguments in (("add", "."), ("commit", "-q", "-m", "state"), *([("tag", tag)] if tag else [])):
            self.git(*arguments)

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *arguments]
        return subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()

    def out(self, name: str) -> Path:
        return self.folder.parent / name


@pytest.fixture(scope="module")
def released(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("released") / "project"
    unwanted = shutil.ignore_patterns("__pycache__", "*.jsonl", "released.json")
    for name in (
        "reference_impl/belot_spec", "reference_impl/belot_reference", "conformance/belot_conformance",
        "conformance/belot_workshop", "conformance/ledger", "spec", "cases/legal-cards", "cases/score-deal",
    ):  # fmt: skip
        shutil.copytree(root / name, folder / name, ignore=unwanted)
    for name in ("pyproject.toml", ".gitignore", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copyfile(root / name, folder / name)
    subprocess.run(["git", "init", "-q", str(folder)], check=True, capture_output=True)
    project = Project(folder, folder.parent / "cache")
    project.is_now("1.0.0")
    project.belot("lab", "release", "1.0.0", str(project.out("first")))
    project.commit("v1.0.0")
    return project


@pytest.fixture
def project(released: Project, tmp_path: Path) -> Project:
    shutil.copytree(released.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project", released.cache)


def test_the_first_release_holds_rules_schemas_and_cases_with_their_checksums(released: Project, root: Path) -> None:
    found = files_in(released.out("first"))
    manifest = json.loads(found["manifest.json"])
    assert is_valid(manifest, "release")
    assert (manifest["version"], manifest["previous"], manifest["since"]) == ("1.0.0", None, None)
    listed = {one["path"]: one["sha256"] for one in manifest["files"]}
    assert listed == {
        name: hashlib.sha256(data).hexdigest()
        for name, data in found.items()
        if name not in ("manifest.json", "SHA256SUMS")
    }
    assert manifest["cases"] == sum(name.startswith("cases/") for name in found)
    assert {f"schema/{path.name}" for path in (root / "spec/schema").glob("*.json")} <= found.keys()
    assert {f"spec/variants/{path.stem}.json" for path in (root / "spec/variants").glob("*.yaml")} <= found.keys()
    belote = json.loads(found["profiles/belote.json"])
    (target,) = [rule for topic in belote["topics"] for rule in topic["rules"] if rule["id"] == "match.target"]
    assert target["value"] == 501
    assert "501" in target["sentence"]["nl"]
    assert json.loads(found["released.json"])["releases"][0]["version"] == "1.0.0"
    assert found["released.json"] == (released.folder / "cases/released.json").read_bytes()
    assert b"The first release." in found["CHANGELOG.md"]


@pytest.mark.long
def test_a_silent_change_of_a_case_is_refused_and_on_purpose_it_gets_a_new_id(project: Project) -> None:
    project.change(CASES, "{cards: [7C]}", "{cards: [7C, AS]}")
    project.is_now("1.1.0")
    said = "bc-1423: the expectation changed since it was released in 1.0.0"
    assert said in project.belot("cases", "lint", code=2)
    assert said in project.belot("lab", "release", "1.1.0", str(project.out("next")), code=2)
    assert not project.out("next").exists()
    assert "bc-1423 is retired" in project.belot("cases", "retire", "bc-1423", "--renew", "--reason", "it was wrong")
    assert "all is well" in project.belot("cases", "lint", "cases")
    project.is_now("1.0.1")
    refused = project.belot("lab", "release", "1.0.1", str(project.out("next")), code=2)
    assert "1.0.1 is too low: what has changed since 1.0.0 asks for a minor step, so for 1.1.0 or higher" in refused
    project.is_now("1.1.0")
    project.belot("lab", "release", "1.1.0", str(project.out("next")))
    changes = json.loads((project.out("next") / "changes.json").read_bytes())
    (changed,) = changes["cases"]["changed"]
    assert (changed["id"], changed["reason"]) == ("bc-1423", "it was wrong")
    text = (project.out("next") / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"- bc-1423 → {changed['by']}: it was wrong" in " ".join(text.split())
    ledger = json.loads((project.folder / "cases/released.json").read_bytes())
    assert ledger["cases"]["bc-1423"]["retired"]["release"] == ledger["cases"][changed["by"]]["release"] == "1.1.0"


@pytest.mark.long
def test_a_changed_rule_asks_for_a_major_version_and_its_cases_for_review(project: Project) -> None:
    project.change(BELOTE, RULE, NEW_RULE)
    said = project.belot("cases", "update", "--in-place")
    assert "released, so it goes on as" in said
    project.is_now("1.1.0")
    waiting = project.belot("lab", "release", "1.1.0", str(project.out("next")), code=2)
    assert "cases wait for review; work them out and take review away: bc-" in waiting
    for path in (project.folder / "cases").rglob("*.yaml"):
        path.write_text(re.sub(r"(?m)^    review: .*\n", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    refused = project.belot("lab", "release", "1.1.0", str(project.out("next")), code=2)
    assert "asks for a major step, so for 2.0.0 or higher" in refused
    project.is_now("2.0.0")
    project.belot("lab", "release", "2.0.0", str(project.out("next")))
    text = (project.out("next") / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "(play.void.opponent-ruffed): played otherwise" in text
    # Made again after the commit, with the tag of the release before, it is the same.
    project.commit("v2.0.0")
    project.belot("lab", "release", "2.0.0", str(project.out("again")))
    assert files_in(project.out("again")) == files_in(project.out("next"))


def change_case(project: Project) -> None:
    text = (project.folder / CASES).read_text(encoding="utf-8")
    project.change(CASES, text, re.sub(r"(?ms)^  - id: bc-1423\n.*?(?=^  - id: )", "", text))


def change_rule(project: Project) -> None:
    project.change(BELOTE, RULE, NEW_RULE)


@pytest.mark.parametrize(("prepare", "version", "options", "message"), [
    (lambda _: None, "1.1.0", [], 'pyproject.toml says that this is 1.0.0; write version = "1.1.0" there first'),
    (change_rule, "1.0.0", [], "1.0.0 was released already, and the rules or the cases have changed since"),
    (change_case, "1.0.0", [], "bc-1423: it was released in 1.0.0 and is gone; put it back, or belot cases retire bc-1423"),
    (lambda project: (project.is_now("1.1.0"), project.git("tag", "-d", "v1.0.0")), "1.1.0", [], "the last release, 1.0.0, has no tag v1.0.0; tag its commit, or name it: --since REVISION"),
    (lambda project: project.is_now("2.0.0"), "2.0.0", ["--since", "belote"], "belote is a profile; name the git revision"),
])  # fmt: skip
def test_what_cannot_be_released_is_refused_and_nothing_is_written(
    project: Project, prepare: Callable[[Project], object], version: str, options: list[str], message: str
) -> None:
    prepare(project)
    before = (project.folder / "cases/released.json").read_bytes()
    assert message in project.belot("lab", "release", version, str(project.out("next")), *options, code=2)
    assert not project.out("next").exists()
    assert (project.folder / "cases/released.json").read_bytes() == before


def test_what_is_published_of_a_release_is_made_from_its_tag(project: Project, released: Project) -> None:
    project.change("CHANGELOG.md", "## 0.1.0", "## 1.0.0")
    project.commit()
    place = project.out("next")
    said = project.belot("lab", "assets", "v1.0.1", str(place), code=2)
    assert "v1.0.1 is no release: the last release is v1.0.0" in said
    assert not place.exists()
    project.belot("lab", "assets", "v1.0.0", str(place))
    found = files_in(place)
    assert {name.removeprefix("belot_conformance-") for name in found} == {
        "1.0.0-py3-none-any.whl", "1.0.0.tar.gz", "belot-rules-1.0.0.tar.gz", "CHANGES.md", "SHA256SUMS",
    }  # fmt: skip
    for line in found["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(found[name]).hexdigest() == digest
    with tarfile.open(fileobj=io.BytesIO(found["belot-rules-1.0.0.tar.gz"])) as rules:
        own = {name.removeprefix("belot-rules-1.0.0/") for name in rules.getnames()}
    assert own == set(files_in(released.out("first")))
    assert "**Rules.**" in found["CHANGES.md"].decode()
    assert "## " not in found["CHANGES.md"].decode()
