"""What somebody plants in the cache decides nothing: rules and cases are read from their files."""

import json
import re
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

Belot = Callable[..., Any]


def planted(folder: Path) -> None:
    """Raise every number of points in every kept file by one, under a checksum that anybody can work out."""
    for path in folder.rglob("*.json"):
        text = path.read_text("utf-8").partition("\n")[2]
        text = re.sub(r'"points":(\d+)', lambda found: f'"points":{int(found[1]) + 1}', text)
        path.write_text(f"{sha256(text.encode()).hexdigest()}\n{text}", "utf-8")


@pytest.mark.parametrize(("target", "code"), [("reference", 0), ("wrong", 1)])
def test_a_planted_cache_changes_no_verdict(
    target: str, code: int, belot_process: Belot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    asked = ("reference",) if target == "reference" else ("--", sys.executable, str(wrong))
    words = ("check", "--operation", "card-points", "--format", "json", *asked)
    before = belot_process(*words)
    planted(tmp_path / "cache")
    after = belot_process(*words)
    assert (before.returncode, after.returncode) == (code, code)
    counts = [json.loads(one.stdout)["totals"] for one in (before, after)]
    assert counts[0] == counts[1]


# A program that counts one point too many.
WRONG = """import json, sys
from belot_conformance.programs.reference import Reference
reference = Reference()
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        said = {"result": {"protocol": 1, "name": "one-more", "version": "1", "language": "Python",
                           "profiles": ["belotten"], "operations": ["card-points"]}}
    else:
        said = reference.reply(asked["op"], asked["profile"], asked["input"])
        said["result"]["points"] += 1
    print(json.dumps({"id": asked["id"], **said}), flush=True)
"""
