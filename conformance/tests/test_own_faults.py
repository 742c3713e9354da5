"""A crash of ours says that it is ours, with an exit code of its own; and --version says of which edition it is."""

import re
import subprocess
import sys
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from belot_conformance.cli.main import main
from belot_conformance.programs.protocol import PROTOCOL_VERSION
from belot_spec.data import spec_digest, spec_folder

BROKEN = "belot_conformance.cli.show.play_random_deal"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any) -> None:
        raise KeyError("no such\x1b[31m rule")

    monkeypatch.setattr(BROKEN, breaks)


def play(**environment: str) -> Result:
    return CliRunner().invoke(main, ["play", "--profile", "belote"], env=environment)


@pytest.mark.usefixtures("broken")
def test_a_crash_of_ours_exits_with_70_and_one_message_that_it_is_our_fault() -> None:
    done = play(BELOT_TRACEBACK="")
    assert done.exit_code == 70
    assert done.stderr.startswith(
        "belot: this is a fault of belot itself, not of your program or your files: KeyError: "
    )
    assert "(test_own_faults.py, line " in done.stderr
    assert "BELOT_TRACEBACK=1" in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.usefixtures("broken")
def test_where_it_comes_from_is_shown_to_whoever_asks() -> None:
    done = play(BELOT_TRACEBACK="1")
    assert done.exit_code == 70
    assert done.stderr.startswith("Traceback (most recent call last):")
    assert "Please report it" in done.stderr.splitlines()[-1]


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("urls", "place"),
    [
        ([], "Please report it to those who make belot, with"),
        (["Repository, https://example.org/belot/"], "Please report it at https://example.org/belot/issues, with"),
        (["Repository, https://example.org/belot", "Issues, https://example.org/bugs"], "at https://example.org/bugs, with"),
    ],
)  # fmt: skip
def test_the_message_says_where_to_report_it(urls: list[str], place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Message()
    for url in urls:
        told["Project-URL"] = url
    monkeypatch.setattr(metadata, "metadata", lambda _: told)
    assert place in play().stderr


def test_what_people_can_mend_is_no_fault_of_ours() -> None:
    done = CliRunner().invoke(main, ["play", "--profile", "belotte"])
    assert (done.exit_code, "fault" in done.stderr) == (2, False)


def test_every_exit_code_that_is_documented_is_the_one_that_is_used(root: Path) -> None:
    table = (root / "conformance/docs/checking.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    documented = set(re.findall(r"^\| (\d+)\b", table.partition("\n## ")[0], re.MULTILINE))
    source = (root / "conformance/belot_conformance/cli/common.py").read_text(encoding="utf-8")
    used = set(re.findall(r"^EXIT_\w+: Final = (\d+)$", source, re.MULTILINE))
    assert used | {"0", "143"} == documented


def test_version_says_the_suite_the_rules_and_the_protocol() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "belot_conformance", "--version"], capture_output=True, text=True, check=True
    )
    version = metadata.version("belot-conformance")
    assert done.stdout == f"belot {version}, rules {spec_digest(spec_folder())[:12]}, protocol {PROTOCOL_VERSION}\n"
    assert done.stderr == ""
