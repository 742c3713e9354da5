"""The strict loader: what it says about each kind of mistake, and that nothing but a ``SpecError`` comes out of it."""

import json
import re
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from belot_spec.document import Document
from belot_spec.errors import SpecError, UnknownNameError
from belot_spec.load.documents import read_document
from belot_spec.load.lint import check_citations, speaks_for
from belot_spec.load.spec import load_spec
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Spec

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SMALL = HERE / "small_spec"
FAULTY = HERE / "faulty"
EXPECTED = "expected.txt"
MISSING = "missing.txt"
OVERLAY = "overlay.yaml"
MISTAKES = sorted(path.name for path in FAULTY.iterdir() if path.is_dir())
MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")
YAML_1_1 = ("no", "No", "NO", "yes", "on", "off", "OFF", "y", "N", "=", "<<", ".inf", ".nan", "0b11", "0o8", "1_000")
PATIENCE = timedelta(seconds=10)


def small_spec_with(mistake: Path, target: Path) -> None:
    shutil.copytree(SMALL, target, dirs_exist_ok=True)
    for source in mistake.rglob("*.y*ml"):
        shutil.copyfile(source, target / source.relative_to(mistake))
    if (mistake / MISSING).exists():
        for name in (mistake / MISSING).read_text(encoding="utf-8").split():
            (target / name).unlink()


def load_with_overlay(folder: Path) -> None:
    spec = load_spec(folder)
    check_citations(spec)
    if (folder / OVERLAY).exists():
        open_profile(OVERLAY, spec)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_explained(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_spec_with(FAULTY / mistake, tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError) as caught:
        load_with_overlay(Path.cwd())
    assert str(caught.value) == (FAULTY / mistake / EXPECTED).read_text(encoding="utf-8").rstrip("\n")
    for line in str(caught.value).splitlines():
        assert re.match(r"[\w./-]+:[1-9][0-9]*: \S", line), line


def test_a_whole_number_of_house_rules_may_be_written_with_a_nought_behind_it(tmp_path: Path) -> None:
    path = tmp_path / OVERLAY
    path.write_text("id: our-table\nbase: contree\nrules:\n  bidding.raises: {value: [3.0]}\n", encoding="utf-8")
    (factor,) = open_profile(str(path), default_spec()).value("bidding.raises")
    assert (factor, type(factor)) == (3, int)


def test_a_collection_tells_its_statements_and_which_depart_from_others(tmp_path: Path) -> None:
    small_spec_with(FAULTY / "statement-of-unknown-document", tmp_path)
    path = tmp_path / "sources" / "one.yaml"
    text = path.read_text(encoding="utf-8").replace("[D3]", "[D2], differs: [BN-002, BN-004]")
    path.write_text(text, encoding="utf-8")
    source = load_spec(tmp_path).sources["BN"]
    assert (source.statements, source.documents["D2"].read) == (5, "part")
    assert source.told["BN-002"].documents == ("D1", "D2")
    assert source.departing(["BN-001", "BN-004"]) == ("BN-005",)
    assert source.departing(["BN-005"]) == ()
    assert source.departing(["BN-001", "BN-002", "BN-005"]) == source.departing(["BN-001"], ["BN-005"]) == ("BN-005",)


GRANDCHILD = """\
id: grandchild
extends: child
name: {en: A grandchild, nl: Een kleinkind}
summary: {en: "It plays as its parent does.", nl: "Het speelt zoals zijn ouder."}
rules: {}
"""


def test_a_variant_may_cite_what_is_said_of_its_parent_unless_the_source_speaks_of_itself(tmp_path: Path) -> None:
    spec = small_spec_with_grandchild(tmp_path / "one", "BN-001..005: [child]")
    check_citations(spec)
    assert speaks_for(spec, "BN-001") == {"child", "grandchild"}
    spec = small_spec_with_grandchild(tmp_path / "other", "BN-001..004: [child]\n  BN-005: [grandchild]")
    assert [speaks_for(spec, one) for one in ("BN-001", "BN-005")] == [{"child"}, {"grandchild"}]
    with pytest.raises(SpecError, match="no statement it cites speaks for grandchild"):
        check_citations(spec)


def small_spec_with_grandchild(folder: Path, parts: str) -> Spec:
    shutil.copytree(SMALL, folder, dirs_exist_ok=True)
    (folder / "variants" / "grandchild.yaml").write_text(GRANDCHILD, encoding="utf-8")
    source = folder / "sources" / "one.yaml"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("BN-001..005: [parent]", parts), encoding="utf-8")
    return load_spec(folder)


def test_values_are_inherited_changed_by_options_and_by_house_rules_and_idle_rules_left_out(tmp_path: Path) -> None:
    spec = load_spec(SMALL)
    profile = spec.profile("child")
    assert profile.value("deck.duty") == ["led_suit", "trump", "any"]
    assert profile.settings["deck.duty"].cite == ("BN-003", "BN-004", "BN-005")
    assert "deck.jokers" not in profile.settings
    larger = spec.profile("child+large-deck")
    assert (larger.value("deck.size"), larger.value("deck.jokers")) == ("large", 2)
    overlay = tmp_path / "house.yaml"
    overlay.write_text("id: house\nbase: child+large-deck\nrules:\n  deck.jokers: {value: 3}\n", encoding="utf-8")
    own = open_profile(str(overlay), spec)
    assert (own.id, own.value("deck.jokers"), own.settings["deck.jokers"].status) == ("house", 3, "house")


def test_a_variant_and_house_rules_that_say_nothing_play_the_default(tmp_path: Path) -> None:
    shutil.copytree(SMALL, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "rules" / "deck.yaml"
    default = "    default: {value: 3, status: filled, cite: [], ruling: P1}\n"
    after = "    value: {type: integer, minimum: 1, maximum: 4}\n"
    path.write_text(path.read_text(encoding="utf-8").replace(after, after + default), encoding="utf-8")
    spec = load_spec(tmp_path)
    (tmp_path / "large.yaml").write_text("id: large\nbase: child\nrules: {deck.size: {value: large}}\n")
    large = open_profile(str(tmp_path / "large.yaml"), spec)
    assert (large.value("deck.jokers"), large.settings["deck.jokers"].ruling) == (3, "P1")
    assert "deck.jokers" not in spec.profile("child").settings
    assert spec.profile("child+many-jokers").value("deck.jokers") == 4
    assert spec.profile("child").with_values("house", {"deck.size": "large"}, spec.rules).value("deck.jokers") == 3


OF_0_1_0 = HERE / "overlays_0.1.0"
MEANT = json.loads((OF_0_1_0 / "meant.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", sorted(path.stem for path in OF_0_1_0.glob("*.yaml")))
def test_a_file_of_house_rules_of_0_1_0_is_taken_and_means_the_same(file: str) -> None:
    """What each rule had by it was written by that release; ``before-contract-judged`` is older than it."""
    own = open_profile(str(OF_0_1_0 / f"{file}.yaml")).settings
    assert {rule: own[rule].value if rule in own else "no value" for rule in MEANT[file]} == MEANT[file]


@pytest.mark.parametrize(("name", "message"), [
    ("chlid", "there is no variant chlid; did you mean child? (known: child)"),
    ("", "there is no variant (empty) (known: child)"),
    ("parent", "there is no variant parent (known: child); parent is only there to be extended"),
    ("child+nope", "the variant child has no option nope; it has large-deck, many-jokers"),
    ("child+larg-deck", "the variant child has no option larg-deck; did you mean large-deck?"),
    ("child+", "the variant child has no option (empty); it has large-deck, many-jokers"),
    ("child+large-deck+large-deck", "child+large-deck+large-deck names the option large-deck twice"),
    ("child+large-deck+many-jokers", "the options large-deck and many-jokers contradict each other: both set deck.jokers"),
])  # fmt: skip
def test_profile_name_that_does_not_exist(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        load_spec(SMALL).profile(name)
    assert str(caught.value) == message


def document(folder: Path, text: str) -> Document:
    path = folder / "document.yaml"
    path.write_bytes(text.encode())
    return read_document(path)


def test_scalars_are_those_of_yaml_1_2_and_keys_are_always_text(tmp_path: Path) -> None:
    """Words of YAML 1.1, times, dates and endless numbers stay text."""
    stay = (*YAML_1_1, "1:30", "1:30:59", "2024-01-31", "2024-01-31 10:00:00", "1e999", "9" * 30)
    wanted: dict[str, Any] = {text: text for text in stay}
    wanted |= {
        "10 ": 10, "010": 10, "0o10": 8, "0x1F": 31, "-7": -7, "+7": 7, "1.5": 1.5, "1e3": 1000.0, ".5": 0.5,
        "true": True, "TRUE": True, "False": False, "null": None, "~": None, "": None,
        '"10"': "10", "'true'": "true", '""': "", "|\n  10\n": "10\n", "[no, 7]": ["no", 7],
    }  # fmt: skip
    for text, value in wanted.items():
        found = document(tmp_path, f"key: {text}\n").data["key"]
        assert (found, type(found)) == (value, type(value)), text
    for key in ("no", "true", "10", "1.0", "null", "~", "2024-01-31"):
        assert document(tmp_path, f"{key}: 1\n").data == {key: 1}


def test_byte_order_mark_is_left_out_and_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    assert document(tmp_path, "\ufeffkey: 1\n").data == {"key": 1}
    with pytest.raises(SpecError, match="at most 4000000 are read"):
        document(tmp_path, "#" * 4_000_001)


def test_enormous_nesting_is_refused_at_once(tmp_path: Path) -> None:
    for sign in ("- ? ", '["]",', "[[", "? ? ", "{a: "):
        with pytest.raises(SpecError, match="the nesting is deeper than 40 levels"):
            document(tmp_path, sign * 500_000)


def check_problems(error: SpecError) -> None:
    assert error.problems
    for problem in error.problems:
        assert problem.line >= 1
        assert problem.message
        assert len(str(problem).splitlines()) == 1


signs = st.text(alphabet="ab10:-?[]{},&*!|>'\"%@`#~.\n\t \r\x85\u2028\ufeff", max_size=200).map(str.encode)


@settings(deadline=PATIENCE, max_examples=400)
@given(st.binary(max_size=400) | signs)
def test_any_bytes_and_any_signs_of_yaml_are_read_or_refused(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "document.yaml"
        path.write_bytes(raw)
        try:
            found = read_document(path)
        except SpecError as error:
            check_problems(error)
        else:
            json.dumps(found.data, allow_nan=False)


@st.composite
def damaged_files(draw: st.DrawFn) -> tuple[str, bytes]:
    path = draw(st.sampled_from(sorted(SMALL.rglob("*.yaml"))))
    raw = path.read_bytes()
    start = draw(st.integers(0, len(raw)))
    end = draw(st.integers(start, min(len(raw), start + 40)))
    pieces = st.sampled_from([b"", b"10", b"no", b"[", b"}", b": ", b"\n", b"deck.size", b"null", b"[[]]", b"{a: 1}"])
    return str(path.relative_to(SMALL)), raw[:start] + draw(pieces | st.binary(max_size=5)) + raw[end:]


@settings(deadline=PATIENCE, max_examples=60)
@given(damaged_files())
def test_damaged_spec_is_loaded_or_refused(damaged: tuple[str, bytes]) -> None:
    name, raw = damaged
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SMALL, folder, dirs_exist_ok=True)
        (Path(folder) / name).write_bytes(raw)
        try:
            load_spec(Path(folder))
        except SpecError as error:
            check_problems(error)


def test_every_schema_is_one_and_every_file_names_its_own_for_editors() -> None:
    schemas = sorted((ROOT / "spec" / "schema").glob("*.json"))
    for path in schemas:
        contents = json.loads(path.read_text(encoding="utf-8"))
        assert contents["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert contents["$id"] == path.name
        Draft202012Validator.check_schema(contents)
    for path in (path for folder in (ROOT / "spec", ROOT / "cases", SMALL) for path in folder.rglob("*.yaml")):
        with path.open(encoding="utf-8") as lines:
            modeline = MODELINE.fullmatch(lines.readline())
        assert modeline, f"the first line of {path} must be: # yaml-language-server: $schema=<path of the schema>"
        assert (path.parent / modeline[1]).resolve() in schemas, path


def test_real_spec_is_right() -> None:
    spec = load_spec()
    check_citations(spec)
    for variant in spec.nameable():
        plain = spec.profile(variant).settings
        for name, option in spec.options_of(variant).items():
            changed = spec.profile(f"{variant}+{name}").settings
            by_default = {rule: spec.rules[rule].default for rule in changed.keys() - plain.keys()}
            before = {**plain, **by_default}
            assert {rule for rule in changed if changed[rule] != before.get(rule)} <= option.settings.keys()
            # What a variant plays by anyway is none of its options.
            assert any(rule not in plain or plain[rule].value != one.value for rule, one in option.settings.items())
    assert "belote-kept" in spec.options_of("contree")
    with pytest.raises(UnknownNameError, match="the variant coinche has no option belote-kept"):
        spec.profile("coinche+belote-kept")


def test_what_is_shown_leads_nowhere_that_only_drafts_have() -> None:
    shown = load_spec().shown()
    assert not any(variant.draft for variant in shown.variants.values())
    for source in shown.sources.values():
        for statement, home in source.homes.items():
            assert {*home.rules} <= shown.rules.keys(), statement
            assert home.rules or home.reason or home.terms or home.ruling, statement
