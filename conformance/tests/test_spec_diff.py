"""Differences between two editions of the rules: each kind of change, on a small spec, and what it asks of the version."""

import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from belot_conformance.changes import version
from belot_conformance.changes.diff import SpecDiff, accepts_all_of, as_json, spec_diff
from belot_conformance.changes.diff_page import KIND_WORDS, print_diff
from belot_conformance.changes.editions import Edition, EditionError, open_editions
from belot_conformance.text.markdown import as_markdown
from belot_spec.errors import SpecError
from belot_spec.load.schemas import is_valid
from belot_spec.load.spec import load_spec
from suite_testing import Belot, house_rules

RULES, CHILD, PARENT, RULINGS = "rules/deck.yaml", "variants/child.yaml", "variants/parent.yaml", "rulings.yaml"
CUTTING = """\
  deck.cut:
    title: {en: Cutting, nl: Aflangen}
    question: {en: Is the deck cut?, nl: Wordt er afgelangd?}
    value: {type: boolean}
    wording:
      values:
        "true": {en: The deck is cut., nl: Er wordt afgelangd.}
        "false": {en: The deck is not cut., nl: Er wordt niet afgelangd.}
"""
OPTION = """\
  unshuffled:
    title: {en: Without shuffling, nl: Zonder schudden}
    rules:
      deck.shuffled: {value: false, status: filled, cite: [], ruling: P1}
"""
RULING = """\
  BN-R2:
    kind: ruling
    title: {en: Another, nl: Nog een}
    statements: [BN-003]
    reading: {en: It is read so., nl: Zo lezen we het.}
    refused:
      - reading: {en: Otherwise., nl: Anders.}
        changes: {en: Nothing., nl: Niets.}
"""

Edit = tuple[str, str, str]
# The edits that make each kind of change happen to the small spec: the file, what stands there, what will.
EDITS: dict[version.Kind, tuple[Edit, ...]] = {
    "rule-added": ((RULES, "  deck.order:\n", CUTTING + "  deck.order:\n"), (CHILD, "  deck.shuffled:", "  deck.cut: {value: true, status: filled, cite: [], ruling: P1}\n  deck.shuffled:")),
    "rule-reworded": ((RULES, "The deck is shuffled.", "Somebody shuffles."),),
    "values-widened": ((RULES, "maximum: 4", "maximum: 6"),),
    "values-narrowed": ((RULES, "minimum: 1", "minimum: 2"),),
    "needs-changed": ((RULES, "needs: {deck.size: [large]}", "needs: {deck.shuffled: [true], deck.size: [large]}"),),
    "needs-extended": ((RULES, "value: {enum: [small, large]}", "value: {enum: [small, large, huge]}"), (RULES, "        large: {en: The deck", "        huge: {en: It is huge., nl: Het is reusachtig.}\n        large: {en: The deck"), (RULES, "needs: {deck.size: [large]}", "needs: {deck.size: [large, huge]}")),
    "variant-reworded": ((CHILD, "A small deck.", "A deck that is small."),),
    "option-added": ((CHILD, "options:\n", "options:\n" + OPTION),),
    "option-reworded": ((CHILD, "A large deck", "With a large deck"),),
    "value-changed": ((CHILD, "deck.shuffled: {value: true", "deck.shuffled: {value: false"),),
    "value-added": ((CHILD, "deck.size: {value: small, status: ruled, cite: [BN-002], ruling: BN-R1}\n  deck.shuffled", "deck.size: {value: large, status: ruled, cite: [BN-002], ruling: BN-R1}\n  deck.jokers: {value: 3, status: stated, cite: [BN-002]}\n  deck.shuffled"),),
    "basis-changed": ((PARENT, "cite: [BN-003..005]", "cite: [BN-004]"),),
    "ruling-added": ((RULINGS, "  BN-R1:\n", RULING + "  BN-R1:\n"),),
    "ruling-extended": ((RULINGS, "statements: [BN-002]", "statements: [BN-002, BN-003]"),),
    "ruling-narrowed": ((RULINGS, "    options: [large-deck]\n", ""),),
    "ruling-reworded": ((RULINGS, "reading: {en: ", "reading: {en: Read this way. "),),
}  # fmt: skip
# Kinds that are another kind the other way round.
BACKWARDS: dict[version.Kind, version.Kind] = {
    "rule-removed": "rule-added", "option-removed": "option-added",
    "value-dropped": "value-added", "ruling-removed": "ruling-added",
}  # fmt: skip
WHOLE_FILES: tuple[version.Kind, ...] = ("variant-added", "variant-removed")


@pytest.fixture
def small(root: Path, tmp_path: Path) -> Path:
    shutil.copytree(root / "reference_impl/tests/small_spec", tmp_path / "old")
    return tmp_path / "old"


def edited(small: Path, edits: tuple[Edit, ...]) -> Path:
    new = small.with_name("new")
    shutil.copytree(small, new, dirs_exist_ok=True)
    for name, before, after in edits:
        text = (new / name).read_text(encoding="utf-8")
        assert text.count(before) >= 1, (name, before)
        (new / name).write_text(text.replace(before, after, 1), encoding="utf-8")
    return new


def between(old: Path, new: Path) -> SpecDiff:
    return spec_diff(Edition("old", load_spec(old)), Edition("new", load_spec(new)))


def with_another_variant(small: Path) -> Path:
    new = edited(small, ())
    text = (new / CHILD).read_text(encoding="utf-8").replace("id: child", "id: sister")
    (new / "variants/sister.yaml").write_text(text, encoding="utf-8")
    return new


def diff_of(kind: version.Kind, small: Path) -> SpecDiff:
    if kind in WHOLE_FILES:
        pair = (small, with_another_variant(small))
    else:
        pair = (small, edited(small, EDITS[BACKWARDS.get(kind, kind)]))
    return between(*(reversed(pair) if kind in BACKWARDS or kind == "variant-removed" else pair))


def test_every_kind_of_change_is_tried() -> None:
    assert {*EDITS, *BACKWARDS, *WHOLE_FILES} == set(get_args(version.Kind)) == set(version.EFFECTS) == set(KIND_WORDS)


@pytest.mark.parametrize("kind", get_args(version.Kind))
def test_each_kind_of_change_is_found_and_asks_for_its_step(kind: version.Kind, small: Path) -> None:
    found = diff_of(kind, small)
    kinds = {change.kind for change in found.changes}
    # The new value that extends a need is a new value, and what matters newly has been changed by another value.
    beside = {"needs-extended": "values-widened"} | dict.fromkeys(("value-added", "value-dropped"), "value-changed")
    assert kinds == {kind, beside.get(kind, kind)}
    assert found.step == version.step_for(kinds)
    assert is_valid(json.loads(json.dumps(as_json(found))), "spec-diff")
    assert KIND_WORDS[kind] in as_markdown(partial(print_diff, diff=found))


def test_the_page_says_of_each_kind_what_the_function_does(root: Path) -> None:
    page = (root / "spec/VERSIONING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| (\w+) \| (\w+) \|$", page, re.MULTILINE)
    assert sorted(rows) == sorted((kind, one.nature, one.step) for kind, one in version.EFFECTS.items())


def test_a_changed_value_is_told_in_sentences_and_what_changes_no_word_asks_for_a_patch(small: Path) -> None:
    (change,) = diff_of("value-changed", small).changes
    (stand,) = change.stands
    assert (change.id, stand.places) == ("deck.shuffled", ("child",))
    assert stand.before is not None
    assert stand.after is not None
    assert (stand.before.text.en, stand.after.text.nl) == ("The deck is shuffled.", "Er wordt niet geschud.")
    assert (stand.before.value, stand.after.value) == (True, False)
    shutil.rmtree(small.with_name("new"))
    new = edited(small, ((CHILD, "extends: parent", "extends: parent  # whose rules it shares"),))
    # Nothing reads otherwise where a language came.
    (new / "variants/child.fr.yaml").write_text("name: Un enfant\nsummary: Un petit paquet.\n", encoding="utf-8")
    assert between(small, small).step == "none"
    assert (between(small, new).changes, between(small, new).step) == ((), "patch")


@pytest.mark.parametrize(("wide", "narrow", "holds"), [
    ({"type": "integer"}, {"type": "integer", "maximum": 3}, True),
    ({"type": "integer", "maximum": 3}, {"type": "integer"}, False),
    ({"enum": ["a", "b"]}, {"enum": ["b"]}, True),
    ({"enum": ["b"]}, {"enum": ["a", "b"]}, False),
    ({"type": "array", "items": {"enum": ["a", "b"]}}, {"type": "array", "items": {"enum": ["a"]}}, True),
    ({"type": "array", "uniqueItems": True}, {"type": "array"}, False),
    ({"enum": [1]}, {"const": 1}, True),
    ({"type": "boolean"}, {"enum": [True]}, True),
    ({"oneOf": [{"enum": ["a", "b"]}, {"type": "integer"}]}, {"oneOf": [{"const": "a"}, {"type": "integer"}]}, True),
    ({"oneOf": [{"const": "a"}, {"type": "integer"}]}, {"oneOf": [{"enum": ["a", "b"]}, {"type": "integer"}]}, False),
    ({"oneOf": [{"type": "integer"}, {"enum": ["a", "b"]}]}, {"enum": ["b"]}, True),
    ({"oneOf": [{"const": "a"}, {"type": "integer"}]}, {"oneOf": [{"const": "a"}, {"type": "string"}]}, False),
    ({"oneOf": [{"const": "a"}, {"type": "string"}]}, {"const": "a"}, False),
    # What fits two of the alternatives fits none.
    ({"oneOf": [{"type": "integer"}, {"type": "integer", "minimum": 3}]}, {"type": "integer", "minimum": 5}, False),
])  # fmt: skip
def test_a_schema_is_wider_only_if_it_surely_allows_all(wide: Any, narrow: Any, holds: bool) -> None:
    assert accepts_all_of(wide, narrow) is holds


def test_a_shape_that_grew_is_seen_though_the_rule_only_refers_to_it(small: Path, root: Path) -> None:
    shutil.copytree(root / "spec/schema", small / "schema")
    grown = ("schema/values.schema.json", '"minItems": 8,\n      "maxItems": 8', '"minItems": 8,\n      "maxItems": 9')
    (change,) = between(small, edited(small, (grown,))).changes
    assert (change.kind, change.id) == ("values-widened", "deck.order")


@pytest.mark.parametrize(("wanted", "step", "refused"), [
    ("1.2.4", "patch", None), ("2.0.0", "minor", None), ("1.2.3", "none", "not higher"), ("1.3.0", "major", "too low"),
])  # fmt: skip
def test_a_version_is_taken_if_no_lower_than_the_step_asks(
    wanted: str, step: version.Step, refused: str | None
) -> None:
    if refused is None:
        version.check_step(version.Version(1, 2, 3), version.parse_version(wanted), step)
    else:
        with pytest.raises(version.VersionError, match=f"{wanted} is {refused}"):
            version.check_step(version.Version(1, 2, 3), version.parse_version(wanted), step)


@pytest.mark.parametrize(("last", "step", "wanted"), [
    ("1.2.3", "patch", "1.2.4"), ("1.2.3", "minor", "1.3.0"), ("1.2.3", "major", "2.0.0"),
    ("0.4.2", "major", "0.5.0"), ("0.4.2", "minor", "0.4.3"), ("0.4.2", "patch", "0.4.3"),
])  # fmt: skip
def test_steps_count_one_lower_before_the_first_major_version(last: str, step: version.Step, wanted: str) -> None:
    assert str(version.parse_version(last).after(step)) == wanted


@pytest.mark.parametrize(
    "text", ["", "1", "1.2", "v1.2.3", "1.2.3.4", "01.2.3", "1.2.3-rc1", "1.2.x", "1.2.3\n", f"{'9' * 5000}.0.0"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(version.VersionError, match="is no version; write three numbers"):
        version.parse_version(text)


CHILD_AS_TEXT = "child.txt"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository whose first commit, v1, has the small spec, and whose second plays a rule otherwise."""
    top = small.with_name("repository")
    shutil.copytree(small, top / "spec")
    git(top.parent, "init", "-q", str(top))
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "one")
    git(top, "tag", "v1")
    text = (top / "spec" / CHILD).read_text(encoding="utf-8")
    changed = text.replace("deck.shuffled: {value: true", "deck.shuffled: {value: false")
    (top / "spec" / CHILD).write_text(changed, encoding="utf-8")
    git(top, "commit", "-q", "-a", "-m", "two")
    monkeypatch.chdir(top)
    return top


@pytest.mark.parametrize(("old", "new"), [("v1", "HEAD"), ("HEAD~1", "spec"), ("v1", "."), ("HEAD^", "HEAD")])
def test_revisions_and_folders_are_compared(repository: Path, old: str, new: str) -> None:
    with open_editions(old, new) as editions:
        found = spec_diff(*editions)
    assert [(change.kind, change.id) for change in found.changes] == [("value-changed", "deck.shuffled")]
    assert (found.old, found.new) == (old, new)


@pytest.mark.parametrize(("old", "new", "message"), [
    ("v2", "HEAD", "the repository repository has no revision v2; its tags are v1"),
    ("--all", "HEAD", "has no revision --all"),
    ("belot", "HEAD", "belot is no profile, no folder and no revision of this repository; did you mean belote"),
    ("belote", None, "belote is a profile; name the profile to hold it against: belot spec diff belote PROFILE"),
    ("belote", "HEAD", "belote is a profile and HEAD a whole spec; name two profiles or two specs"),
    ("", "HEAD", "a name is empty; name a profile, a file of house rules, a folder or a git revision"),
    ("HEAD", " ", "a name is empty"),
    (CHILD_AS_TEXT, "HEAD", "child.txt is a file, but no file of house rules: the name of such a file ends in .yaml"),
    ("spec/rules", "HEAD", "spec/rules holds no spec: there is no folder rules in it, nor in spec/rules/spec"),
])  # fmt: skip
def test_what_is_no_edition_is_refused_in_words(repository: Path, old: str, new: str | None, message: str) -> None:
    (repository / CHILD_AS_TEXT).write_text("id: house\n", encoding="utf-8")
    with pytest.raises(Exception, match=re.escape(message)), open_editions(old, new):
        pass


def test_faults_of_a_revision_are_told_by_its_own_file_names_and_one_without_rules_is_refused(repository: Path) -> None:
    (repository / "spec" / CHILD).write_text("id: child\n", encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "three")
    with pytest.raises(SpecError, match=re.escape(f"HEAD:spec/{CHILD}:1: ")), open_editions("v1", "HEAD"):
        pass
    git(repository, "rm", "-q", "-r", "spec")
    git(repository, "commit", "-q", "-m", "nothing")
    message = "the revision HEAD has no rules: there is no folder spec/rules in it"
    with pytest.raises(EditionError, match=message), open_editions("v1", "HEAD"):
        pass


def test_the_command_tells_house_rules_from_their_variant(belot: Belot, tmp_path: Path) -> None:
    house = house_rules(tmp_path, {"match.target": 51}, "belotten")
    printed = belot("spec", "diff", "belotten", str(house))
    assert printed.returncode == 0
    assert "played otherwise" in printed.stdout
    assert "This asks for a major step." in printed.stdout
    assert max(map(len, printed.stdout.splitlines())) <= 80
    data = json.loads(belot("spec", "diff", "belotten", str(house), "--format", "json").stdout)
    assert is_valid(data, "spec-diff")
    assert data["changes"][0]["stands"][0]["after"]["value"] == 51
    refused = belot("spec", "diff", "belottan", "belote")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("belot: belottan is no profile")
