"""What the project says, kept as JSON to be held against what it says after a change of its code.

``python conformance/laboratory/freeze.py FOLDER [PART…] [--site BUILT]`` keeps the parts named, or all: ``cases`` (the
engine's answer to every case, with the rules that it read), ``check`` (``belot check --format json reference``),
``mistakes`` (the same of some served mistakes, by lot), ``kinds`` (``belot lab bars mistakes``), ``ledger`` (its
entries), and ``site``, the pages of a built one. ``… freeze.py --compare BEFORE AFTER`` says what differs of the parts
that both have, and ends with 1 if anything does. Times, versions and the command of a program are left out.
"""

import argparse
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import yaml

from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import load_cases
from belot_spec.shipped import default_spec

SEED: Final = "freeze 57"
MISTAKES: Final = 4  # about a minute of the processor
VOLATILE: Final = {"seconds", "program_seconds", "suite", "version", "command", "date"}
# A search must end because it is done, not because the machine is busy.
CHECK: Final = ("check", "--format", "json", "--start", "60", "--deadline", "60", "--seconds", "60")
Items = Iterator[tuple[str, Any]]


def main() -> int:
    """Keep, or compare what was kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--site", type=Path, metavar="BUILT")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("BEFORE", "AFTER"))
    given = parser.parse_args()
    if given.compare:
        return compare(*given.compare)
    parts: dict[str, Callable[[], Items]] = {
        "cases": cases, "check": lambda: checked("reference", "reference"), "mistakes": mistakes, "kinds": kinds,
        "ledger": ledger, **({"site": lambda: site(given.site)} if given.site else {}),
    }  # fmt: skip
    if given.folder is None or not parts.keys() >= set(given.parts):
        parser.error(f"name a folder, and parts of {', '.join(parts)}")
    given.folder.mkdir(parents=True, exist_ok=True)
    for part in given.parts or parts:
        before = os.times()
        kept = dict(parts[part]())
        text = json.dumps(without_volatile(kept), indent=1, ensure_ascii=False, sort_keys=True)
        (given.folder / f"{part}.json").write_text(text)
        (given.folder / f"{part}.sha256").write_text(f"{sha256(text.encode()).hexdigest()}  {part}.json\n")
        spent = sum(os.times()[:4]) - sum(before[:4])
        print(f"{part}: {len(kept)} kept in {spent:.0f} s of the processor", flush=True)
    return 0


def cases() -> Items:
    """Yield every case with what the engine answers and the rules that it read."""
    for case in load_cases():
        came = Reference().answer(case.operation, case.profile, case.input)
        yield case.id, {**came.message(), "rules": sorted(came.rules)}


def mistakes() -> Items:
    """Yield the reports about mistakes drawn by lot, each at a variant that plays otherwise."""
    pairs, plays = [], {name: default_spec().profile(name).plays for name in default_spec().nameable()}
    for one in json.loads(belot("mistakes", "--format", "json")):
        variants = [one["variant"]] if "variant" in one else plays
        rules = one["rules"].items()
        pairs += [(one["name"], name) for name in variants if not rules or not all(plays[name](*r) for r in rules)]
    for name, profile in sorted(pairs, key=lambda pair: sha256(f"{SEED} {pair}".encode()).hexdigest())[:MISTAKES]:
        yield from checked(f"{name}@{profile}", "--profile", profile, "--", "belot", "answer", "--mistake", name)


def kinds() -> Items:
    """Yield what is said of each kind of program that no rule explains."""
    for found in re.split(r"\n(?! )", belot("lab", "bars", "mistakes").strip()):
        verdict, _, rest = re.sub(r"; [\d.]+ s$", "", found).partition(": ")
        yield rest.split(" (")[0] if "(" in rest else verdict, [verdict, *rest.splitlines()]


def ledger() -> Items:
    """Yield the entries of the ledger."""
    for path in Path(__file__).parents[1].glob("ledger/programs/*.yaml"):
        yield path.stem, json.loads(json.dumps(yaml.safe_load(path.read_text(encoding="utf-8")), default=str))


def site(built: Path) -> Items:
    """Yield the pages of a built site: their text, line by line, and a digest of all that they are."""
    for path in built.rglob("*.html"):
        page = re.sub(r"(\.|\?v?=?)[0-9a-f]{8,}(\.min)?\b", "", path.read_text(encoding="utf-8"))
        seen = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
        lines = [" ".join(line.split()) for line in html.unescape(re.sub(r"<[^>]*>", "", seen)).splitlines()]
        yield str(path.relative_to(built)), [*filter(None, lines), sha256(page.encode()).hexdigest()]


def checked(name: str, *target: str) -> Items:
    """Yield a report in parts: each of its cases, and all else."""
    report = json.loads(belot(*CHECK, *target))
    yield from ((f"{name} {case['id']} {case['profile']}", case) for case in report.pop("cases"))
    yield name, report


def belot(*arguments: str) -> str:
    """Return what the command of this Python prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100000"}
    done = subprocess.run(["belot", *arguments], env=environment, capture_output=True, text=True, check=False)
    return done.stdout or sys.exit(f"belot {' '.join(arguments)}: {done.stderr}")


def without_volatile(value: Any) -> Any:
    """Return a value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_volatile(one) for key, one in value.items() if key not in VOLATILE}
    return [*map(without_volatile, value)] if isinstance(value, (list, tuple)) else value


def compare(before: Path, after: Path) -> int:
    """Print each name that differs, with the first place where it does."""
    differ = 0
    for path in sorted(path for path in before.glob("*.json") if (after / path.name).exists()):
        old, new = (json.loads((folder / path.name).read_text()) for folder in (before, after))
        names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
        print(f"{path.stem}: {len(names)} of {len({*old, *new})} differ")
        print(*(f"  {name}{first_difference(old.get(name), new.get(name))}\n" for name in names), sep="", end="")
        differ += len(names)
    return int(differ > 0)


def first_difference(old: Any, new: Any) -> str:
    """Return the path to the first place where two values differ, and what stands there."""
    if isinstance(old, dict) and isinstance(new, dict):
        key = next(key for key in [*old, *new] if key not in old or key not in new or old[key] != new[key])
        return f".{key}{first_difference(old.get(key), new.get(key))}"
    if isinstance(old, list) and isinstance(new, list):
        place, pair = next((n, pair) for n, pair in enumerate(zip_longest(old, new)) if pair[0] != pair[1])
        return f"[{place}]{first_difference(*pair)}"
    return f": {json.dumps(old, ensure_ascii=False)[:200]} -> {json.dumps(new, ensure_ascii=False)[:200]}"


if __name__ == "__main__":
    sys.exit(main())
