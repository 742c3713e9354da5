"""Files are read and written through one door each, which takes ordinary files only and names the file in every fault."""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from belot_spec.cache import cache_folder, keep, kept
from belot_spec.errors import SpecError
from belot_spec.files import read_bytes, read_json, read_text
from belot_spec.whole_file import write_new, write_whole
from suite_testing import Belot, run


def make(kind: str, path: Path) -> Path:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "loop":
            path.symlink_to(path.name)
        case "large":
            with path.open("wb") as file:
                file.truncate(10**10)
        case "secret":
            path.write_text("id: x")
            path.chmod(0)
    return path


KINDS = {
    "missing": "the file is missing", "folder": "this is a folder",
    "pipe": "this is no ordinary file", "device": "this is no ordinary file",
    "loop": "Too many levels of symbolic links",
    "large": "the file has 10000000000 bytes; at most 4000000 are read",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_ordinary_file_is_refused_by_name(kind: str, tmp_path: Path) -> None:
    path = make(kind, tmp_path / "a.yaml")
    for read in (read_bytes, read_text, read_json):
        with pytest.raises(SpecError) as refused:
            read(path)
        assert str(refused.value).endswith(f"a.yaml:1: {KINDS[kind]}") or KINDS[kind] in str(refused.value)


@pytest.mark.parametrize(("text", "message"), [
    ('{"a": 1, "a": 2}', "the key a stands twice in one object; a report is wanted"),
    ("[" * 100_000, "this is not JSON: it is nested too deep"),
    ('{"a": "\\ud800"}', "half a surrogate pair"),
    ('{"a": NaN}', "NaN is no number of JSON"),
    ("{", "this is not JSON: Expecting property name"),
])  # fmt: skip
def test_json_is_read_strictly(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SpecError) as refused:
        read_json(path, wanted="a report is wanted")
    assert message in str(refused.value)


@pytest.mark.parametrize("kind", ["pipe", "loop", "folder", "large"])
@pytest.mark.parametrize("words", [
    ("spec", "show", "FILE.yaml"),
    ("check", "reference", "--profile", "FILE.yaml"),
    ("check", "reference", "--expected", "FILE.yaml"),
    ("check", "reference", "--expected", "FILE.yaml", "--update-expected"),
    ("check", "reference", "--report", "json:FILE.out"),
    ("report", "badge", "FILE.json"),
    ("report", "compare", "FILE.json", "FILE.json"),
    ("impact", "belote", "belote+no-undertrump", "--out", "FILE.out"),
    ("cases", "export", "FILE.dir"),
    ("lab", "release", "1.0.0", "FILE.dir"),
    ("spec", "lint", "FILE.dir"),
])  # fmt: skip
def test_every_command_refuses_it_with_one_message(kind: str, words: tuple[str, ...], tmp_path: Path) -> None:
    wanted = next(word for word in words if "FILE" in word).removeprefix("json:")
    if (wanted, kind) in (("FILE.dir", "folder"), ("FILE.out", "large")):
        pytest.skip("this is as it should be")
    path = make(kind, tmp_path / wanted.replace("FILE", "it"))
    done = run(*(word.replace(wanted, str(path)) for word in words))
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)
    assert len(done.stderr.splitlines()) <= 5


def test_what_is_written_names_its_file_in_every_fault(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="there/a") as fault:
        write_whole(tmp_path / "there" / "a", "x")
    assert fault.value.filename == str(tmp_path / "there" / "a")
    (tmp_path / "old").touch()
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "old", "x")
    long = tmp_path / ("ë" * 120)
    write_whole(long, "x")
    assert long.read_text("utf-8") == "x"


def test_a_cache_lies_in_a_home_or_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("BELOT_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert cache_folder() is None
    for home in ("", "."):
        monkeypatch.setenv("HOME", home)
        assert cache_folder() is None
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "belot-conformance"
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert cache_folder() == tmp_path / ".cache" / "belot-conformance"


def test_what_is_kept_is_believed_only_as_it_was_signed_here_and_where_nobody_else_writes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "cache"

    def found(name: str) -> Any:
        return kept(folder, f"answers/{name}.json", lambda value: value["n"])

    keep(folder, "answers/a.json", {"n": 1})
    assert (folder.stat().st_mode & 0o777, found("a")) == (0o700, 1)
    (folder / "answers").chmod(0o777)
    assert found("a") is None
    keep(folder, "answers/a.json", {"n": 2})
    (folder / "answers").chmod(0o700)
    assert found("a") == 1
    signed = (folder / "answers/a.json").read_text("utf-8")
    (folder / "answers/b.json").write_text(signed, "utf-8")
    (folder / "answers/c.json").write_text(f"{sha256(b'[2]').hexdigest()}\n[2]", "utf-8")
    (folder / "answers/d.json").write_text(signed.replace("1}", "2}"), "utf-8")
    keep(folder, "answers/e.json", [1])
    keep(folder, "answers/f.json", json.loads("[" * 900 + "]" * 900))
    os.truncate(folder / "answers/f.json", 70)
    assert [found(name) for name in "bcdef"] == [None] * 5
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "somebody-else"))
    assert found("a") is None


def test_no_program_is_told_where_the_cache_lies(belot: Belot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("BELOT_CACHE", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "hidden"))
    program = "import os, sys; sys.exit('told ' + str([name for name in os.environ if 'hidden' in os.environ[name]]))"
    assert "told []" in run("smoke", "--", sys.executable, "-c", program).stdout


@pytest.mark.parametrize(("words", "message"), [
    (("check", "http://localhost:99999/"), "there is no port 99999"),
    (("check", "http://localhost:-1/"), "there is no port -1"),
    (("check", "http://xn--a/"), "this is no address"),
    (("check", "--", "/tmp"), "could not be started: this is a folder"),
    (("check", "--", "NOTHING"), "this is no program for this machine"),
    (("check", "reference", "--operation", "foo"), "there are: belote, bidding, card-points"),
    (("impact", "belote", "belote+no-undertrump", "--jobs", "999"), "999 is not in the range"),
    (("impact", "belote", "belote+no-undertrump", "--out", "x.pdf"), "the name does not say which format"),
    (("adapter", "new", "\ud800"), "'\\ud800' holds half a surrogate pair"),
    (("check", "http://example.test/", "--start", "1"),
     "what the environment says of proxies or certificates cannot be used"),
    (("audit", "PACKED"), "the packed file cannot be read"),
    (("audit", "LONG"), "the line is longer than 4000000 bytes"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "foo://x")
    files = {"NOTHING": b"nothing", "PACKED": b"\x1f\x8b\x08\x00" + b"{" * 90, "LONG": b"{" * 5_000_000}
    if name := files.keys() & {*words}:
        (tmp_path / "it").write_bytes(files[name.pop()])
        (tmp_path / "it").chmod(0o700)
    done = run(*(str(tmp_path / "it") if word in files else word for word in words))
    assert done.exit_code in (2, 3)
    assert message in " ".join(done.stderr.split())
    assert isinstance(done.exception, SystemExit)


def test_what_stands_in_an_installed_package_is_not_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "_data").mkdir()
    monkeypatch.setattr("belot_spec.data._PACKAGE", tmp_path)
    for words in ("record",), ("update", "--in-place"), ("retire", "--gone", "--reason", "x"):
        done = run("cases", *words)
        assert done.exit_code == 2
        assert "stands in an installed package" in done.stderr


def test_a_list_of_ten_thousand_expected_failures_is_held_against_a_run_at_once(tmp_path: Path) -> None:
    """Once it took minutes; what is looked for per entry must not grow with the cases."""
    entries = [f"  - {{case: bc-{number:04}, outcome: failed, reason: x}}" for number in range(1, 10_000)]
    file = tmp_path / "expected.yaml"
    file.write_text("expected:\n" + "\n".join(entries), "utf-8")
    done = run("check", "reference", "--operation", "belote", "--expected", str(file))
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) < 400
