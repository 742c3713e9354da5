"""A log judged in the page: by the suite itself, without what a browser's Python lacks."""

import io
import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from belot_reference.players import RandomPlayer, play_match
from belot_site.playground.bundle import engine_zip, log_zip
from belot_site.playground.log import judge
from browser_testing import Page, expect
from site_testing import NEEDS_PYODIDE, BuiltSite


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log of a match of which the second card of the first deal was played out of turn."""
    game = play_match("belote", [RandomPlayer(seed) for seed in range(4)], seed=7)
    deals = [deal for deal in game.to_record()["deals"] if len(deal["actions"]) > 30]
    cards = [place for place, action in enumerate(deals[0]["actions"]) if "play" in action]
    deals[0]["actions"][cards[1]]["seat"] = deals[0]["actions"][cards[0]]["seat"]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps({"profile": "belote", "input": deal}) + "\n" for deal in deals))
    return path


@NEEDS_PYODIDE
def test_the_page_says_of_a_log_what_the_suite_does_and_keeps_it_as_a_file(
    page: Page, site: BuiltSite, log: Path
) -> None:
    page.add_init_script("window.Worker = OwnWorker")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    page.goto(f"{site.url}en/programmers/judge/")
    page.set_input_files("#log-file", log)
    expect(page.locator("#log-found .moves tbody tr")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Keep as JSON").click()
    kept, wanted = json.loads(saved.value.path().read_text()), json.loads(judge(str(log), "", 10))
    assert [kept[key] for key in ("records", "wrong", "rows")] == [wanted[key] for key in ("records", "wrong", "rows")]
    assert kept["rows"][0]["move"]["turn"] is not None
    assert {*asked} == {"GET"}


@pytest.mark.parametrize(("data", "said"), [
    (b"\x89PNG\r\n\x1a\n\x00\xff", "not text"),
    (b"\n \n", "no record in this file"),
    (b"deal,seat,card\n1,0,JS\n", "a deal begins with dealer or leader"),
    (b'{"profile": "belote", "inputs": {}}\n', "input"),
    (b'{"profile": "belot", "input": {}}\n', "did you mean belote"),
    (b"\x1f\x8b\x08\x00", "packed file cannot be read"),
])  # fmt: skip
def test_a_file_that_is_no_log_gets_one_sentence_that_says_what_one_is(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a file"
    path.write_bytes(data)
    told = json.loads(judge(str(path), "", 1))["error"]
    assert said.lower() in told.lower()
    assert "\n" not in told
    assert str(tmp_path) not in told
    assert "JSON Lines" in told


# What the page's worker does, in a Python of its own that finds nothing but what the page loads.
_WORKER = """
import sys
sys.path[:] = [sys.argv[1], *(path for path in sys.path if "packages" not in path)]
from belot_site.playground import stand_ins
stand_ins.install(lambda *_: None)
from belot_site.playground import log
print(log.judge(sys.argv[2], "", 10))
"""


def test_a_log_is_judged_by_what_the_page_loads(tmp_path: Path, log: Path) -> None:
    for packed in (engine_zip(), log_zip()):
        ZipFile(io.BytesIO(packed)).extractall(tmp_path / "worker")
    words = [sys.executable, "-I", "-c", _WORKER, str(tmp_path / "worker"), str(log)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["wrong"] == 1
