"""The cache gives what the spec gives, notices every change of it, and is done without where it cannot be had."""

import shutil
from pathlib import Path

import pytest

from belot_reference.compiled_cache import compiled_variants
from belot_spec.errors import SpecError
from belot_spec.spec import Spec


@pytest.fixture
def copied_spec(tmp_path: Path, spec: Spec) -> Path:
    return Path(shutil.copytree(spec.folder, tmp_path / "spec"))


def test_the_cache_holds_the_same_profiles_as_the_spec(tmp_path: Path, spec: Spec) -> None:
    written = compiled_variants(spec.folder, tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    read = compiled_variants(spec.folder, tmp_path)
    assert list(read) == list(written) == list(spec.playable())
    for variant, rules in read.items():
        assert rules.profile == written[variant].profile == spec.profile(variant)


def test_a_changed_spec_is_read_anew(tmp_path: Path, copied_spec: Path) -> None:
    cache = tmp_path / "cache"
    compiled_variants(copied_spec, cache)
    path = copied_spec / "variants" / "bela-4.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("value: 1001", "value: 2002"), encoding="utf-8")
    assert compiled_variants(copied_spec, cache)["bela-4"].value("match.target") == 2002
    path.write_text("id: [", encoding="utf-8")
    with pytest.raises(SpecError):
        compiled_variants(copied_spec, cache)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff", b'{"bela-4": {}}', b'{"bela-4": {"id": 1, "name": [], "settings": {}}}']
)
def test_a_damaged_cache_is_done_without(tmp_path: Path, spec: Spec, content: bytes) -> None:
    compiled_variants(spec.folder, tmp_path)
    (cached,) = tmp_path.iterdir()
    cached.write_bytes(content)
    assert compiled_variants(spec.folder, tmp_path)["bela-4"].profile == spec.profile("bela-4")


def test_a_cache_folder_that_cannot_be_made_is_done_without(tmp_path: Path, spec: Spec) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    assert list(compiled_variants(spec.folder, tmp_path / "file" / "cache")) == list(spec.playable())
