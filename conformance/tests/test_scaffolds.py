"""``belot spec new`` writes files that load, over none that is there, under names that nothing else has."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from belot_spec.errors import BelotError
from belot_spec.load.citations import check_citations, check_short_words
from belot_spec.load.spec import load_spec
from belot_spec.load.unwritten import TO_WRITE, unwritten
from belot_spec.spec import Spec
from belot_workshop.scaffolds.scaffold import source_languages, write_source, write_variant
from suite_testing import of_each_variant, run


@pytest.fixture
def writable(root: Path, spec: Spec, tmp_path: Path) -> Spec:
    shutil.copytree(root / "spec", tmp_path / "spec")
    return replace(spec, folder=tmp_path / "spec")


@of_each_variant
def test_a_variant_made_of_any_other_loads_and_rests_on_what_that_one_rests_on(variant: str, writable: Spec) -> None:
    write_variant(writable, "ours", variant)
    loaded = load_spec(writable.folder)
    check_citations(loaded)
    check_short_words(loaded)
    assert loaded.profile("ours").settings == loaded.profile(variant).settings
    assert loaded.options_of("ours") == loaded.options_of(variant)


def test_every_text_that_is_to_be_written_is_named_at_its_line(writable: Spec) -> None:
    paths = [write_variant(writable, "ours", "bela-4")]
    with_ours = replace(load_spec(writable.folder), folder=writable.folder)
    paths.append(write_source(with_ours, "ZZ", "ours", source_languages()[0], 12))
    found = [*unwritten(load_spec(writable.folder))]
    lines = {
        (path, number): line.count(TO_WRITE)
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    }
    told = [(one.file, one.line) for one in found if one.message.startswith("still to be written")]
    assert {place: told.count(place) for place in told} == {place: count for place, count in lines.items() if count}
    assert [one.message for one in found if one.key == "rules"] == ["plays as bela-4 does; write the rules that differ"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("variant", "Ours", "--extends", "bela-4"), 'the text "Ours" does not have the right form'),
        (("variant", "belotten", "--extends", "bela-4"), "there is already a variant belotten"),
        (("variant", "ours", "--extends", "bela-5"), "there is no variant bela-5; did you mean bela-4?"),
        (("variant", "ours"), "Missing option '--extends'"),
        (("source", "B1", "--about", "bela-4"), "two capitals such as BN"),
        (("source", "BL", "--about", "bela-4"), "there is already a source BL"),
        (("source", "ZZ", "--about", "bela-5"), "there is no variant bela-5; did you mean bela-4?"),
        (("source", "ZZ", "--about", "bela-4", "--statements", "1000"), "1000 is not in the range"),
    ],
)  # fmt: skip
def test_what_cannot_begin_is_one_message(words: tuple[str, ...], message: str) -> None:
    done = run("spec", "new", *words)
    assert done.exit_code == 2
    assert message in done.stderr


def test_nothing_is_written_over_a_file(writable: Spec) -> None:
    path = writable.folder / "variants" / "ours.yaml"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(BelotError, match=r"ours\.yaml is there already"):
        write_variant(writable, "ours", "bela-4")
    assert path.read_text(encoding="utf-8") == "mine"
