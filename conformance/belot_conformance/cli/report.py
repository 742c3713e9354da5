"""The commands ``belot report …``: what to do with reports afterwards."""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    MARKDOWN_FORMAT,
    echo_json,
    echo_page,
    tell_page,
)
from belot_conformance.suite.verdicts import COUNTED_APART, NOT_ASKED
from belot_conformance.text.drawn import environment
from belot_conformance.text.printable import document
from belot_conformance.text.template import tell
from belot_spec.errors import Problem, SpecError, refuse
from belot_spec.files import read_json
from belot_spec.load.schemas import explain, is_valid

Report = Mapping[str, Any]
Facts = dict[str, Any]

_MOST_PROBLEMS: Final = 10
# In bytes: a report of a run in which every case failed at great length.
_LARGEST: Final = 200_000_000
# What is told again of a run, and of a case.
_RUN: Final = ("target", "suite", "passed", "totals")
_CASE: Final = ("id", "title", "operation", "profile")
_WANTED: Final = "a report is what belot check --report FILE.json writes"
MATRIX_VERSION: Final = 1


def read_report(path: Path) -> Report:
    """Read a report in JSON; raises ``SpecError`` with what is wrong if the file holds none."""
    report = read_json(path, _LARGEST, _WANTED)
    if not is_valid(report, "report"):
        raise SpecError(_problems(path, report))
    found: Report = report
    if twice := [name for name, number in Counter(map(_name, found["cases"])).items() if number > 1]:
        case_id, profile = twice[0]
        raise SpecError([Problem(path, 1, "cases", f"the case {case_id} stands here twice for the profile {profile}")])
    refuse(list(_wrong_totals(path, found)))
    return found


def _wrong_totals(path: Path, report: Report) -> Iterable[Problem]:
    """Yield each total that is not the number of cases with that outcome, of all cases for what was planned."""
    counted = Counter(case["outcome"] for case in report["cases"])
    counted["passed"] += report.get("unlisted", 0)
    counted["planned"] = counted.total()
    for outcome, total in report["totals"].items():
        if total != counted[outcome]:
            yield Problem(path, 1, f"totals.{outcome}", f"is {total}, but the cases make it {counted[outcome]}")


def _problems(path: Path, report: Any) -> list[Problem]:
    found = explain(report, "report")
    problems = [Problem(path, 1, ".".join(map(str, key)), message) for key, message in found[:_MOST_PROBLEMS]]
    if len(found) > _MOST_PROBLEMS:
        problems.append(Problem(path, 1, "", f"and {len(found) - _MOST_PROBLEMS} more problems"))
    return [Problem(path, 1, "", f"this is not a report; {_WANTED}"), *problems]


def compare(old: Report, new: Report) -> Facts:
    """Hold a new report against an old one, case by case, as ``report-comparison.schema.json`` says.

    A case is known by its id and profile, and a rule counted over the cases in both that pin it.
    """
    before, after = ({_name(case): case for case in report["cases"]} for report in (old, new))
    both = [(before[name], case) for name, case in after.items() if name in before]
    found: Facts = {
        "comparison": 1,
        "old": _part(old, *_RUN),
        "new": _part(new, *_RUN),
        "unlike": dict(_unlike(old, new)),
        "in_both": len(both),
        "better": [],
        "worse": [],
        "other": [],
    }
    for earlier, case in both:
        was, now = earlier["outcome"], case["outcome"]
        if was != now:
            change = "better" if _step(now) > _step(was) else "worse" if _step(now) < _step(was) else "other"
            found[change].append({**_part(case, *_CASE, "rules"), "before": was, "after": now})
    pinned = _pinned(case for _, case in both)
    was, now = (_pinned(pair[1] for pair in both if pair[side]["outcome"] == "passed") for side in (0, 1))
    return found | {
        "rules": [
            {"id": rule, "cases": pinned[rule], "passed_before": was[rule], "passed_after": now[rule]}
            for rule in sorted(pinned)
            if was[rule] != now[rule]
        ],
        # Of what was asked beyond the cases a report holds how much of each kind was right.
        "drawn": {
            kind: {"before": old["drawn"][kind], "after": new["drawn"][kind]}
            for kind in COUNTED_APART
            if kind in old.get("drawn", {}) and kind in new.get("drawn", {})
        },
        "appeared": [_part(case, *_CASE, "outcome") for name, case in after.items() if name not in before],
        "gone": [_part(case, *_CASE, "outcome") for name, case in before.items() if name not in after],
    }


def more_wrong(found: Facts) -> list[int]:
    """Return of each kind of question beyond the cases how many more are wrong than before."""
    sides = (
        [one[side]["asked"] - one[side]["right"] for side in ("before", "after")] for one in found["drawn"].values()
    )
    return [after - before for before, after in sides]


def is_worse(found: Facts) -> bool:
    """Say whether a case got worse, or more questions beyond the cases are wrong."""
    return bool(found["worse"]) or any(more > 0 for more in more_wrong(found))


def _part(values: Report, *keys: str) -> Facts:
    return {key: values[key] for key in keys}


def _name(case: Report) -> tuple[str, str]:
    return case["id"], case["profile"]


def _pinned(cases: Iterable[Report]) -> Counter[str]:
    """Count how many of the cases pin each rule."""
    return Counter(chain.from_iterable(case["rules"] for case in cases))


def _step(outcome: str) -> int:
    """Return a step: a case that moves to a higher one gets better."""
    return 2 if outcome == "passed" else 1 if outcome in NOT_ASKED else 0


def _unlike(old: Report, new: Report) -> Iterable[tuple[str, Facts]]:
    """Yield in what the two runs were not alike: the program, its version, how it was called, the suite."""
    for key in ("name", "version", "command", "suite"):
        one, other = (report["suite"] if key == "suite" else report["target"][key] for report in (old, new))
        if one != other:
            yield key, {"old": one, "new": other}


def side_by_side(reports: Sequence[Report]) -> Facts:
    """Return what stands in several reports: by rule, and of all cases, passed and asked in their order."""
    asked = [[case for case in report["cases"] if case["outcome"] not in NOT_ASKED] for report in reports]
    passed = [[case for case in cases if case["outcome"] == "passed"] for cases in asked]
    counted = list(zip(map(_pinned, passed), map(_pinned, asked), strict=True))
    return {
        "matrix": MATRIX_VERSION,
        "programs": [_part(report["target"], "name", "version") for report in reports],
        "rules": {
            rule: [{"passed": right[rule], "asked": every[rule]} for right, every in counted]
            for rule in sorted({rule for _, every in counted for rule in every})
        },
        "all": [{"passed": len(right), "asked": len(every)} for right, every in zip(passed, asked, strict=True)],
    }


LABEL: Final = "belot"
# Dark enough for white letters: a contrast of at least 4.5.
_COLOURS: Final[Mapping[str, str]] = {"green": "#1f7a36", "amber": "#8a5a00", "red": "#b3261e"}
# A letter in Verdana of 11 pixels; the letters are fitted into this width, so a rough measure will do.
_LETTER: Final = 6.6
_MARGIN: Final = 6


def as_endpoint(report: Report) -> Facts:
    """Return a report as the JSON that services which draw badges read.

    It is green if all passed, amber if something is allowed or untested, red for anything else.
    """
    totals: Mapping[str, int] = report["totals"]
    asked, incidents = totals["planned"] - totals["unsupported"] - totals["skipped"], len(report["incidents"])
    part, known = report["passed"] and report.get("part"), asked - totals["passed"]
    said = [f"{totals['passed']} of {asked} passed"] if asked else ["nothing asked"]
    said += [f"{known} known to fail"] if known and report["passed"] else []
    said += [f"{incidents} incident{'s' if incidents > 1 else ''}"] if incidents and asked else []
    said += ["not all rules"] if part and asked else []
    colour = "red" if not report["passed"] or not asked else "amber" if known or part or incidents else "green"
    return {"schemaVersion": 1, "label": LABEL, "message": ", ".join(said), "color": _COLOURS[colour]}


def as_svg(report: Report) -> str:
    """Return a report as a picture that holds its own words, without anything from elsewhere."""
    told = as_endpoint(report)
    left, right = (round(len(told[text]) * _LETTER) + 2 * _MARGIN for text in ("label", "message"))
    template = environment("belot_conformance", "reports/templates").get_template("badge.svg")
    return document(template.render(**told, left=left, right=right, margin=_MARGIN)) + "\n"


@click.group()
def report() -> None:
    """Look at reports that belot check wrote."""


@report.command("compare")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@MARKDOWN_FORMAT
def report_compare(old: Path, new: Path, form: str) -> None:
    """Say what got better and worse from OLD to NEW.

    Both are reports in JSON. A case gets worse if it went from passed to anything else, or from unsupported or skipped
    to wrong. Of what was asked beyond the cases (by lot, told otherwise, a second time) is counted how much is wrong.
    Exit code: 0 nothing got worse, 1 something did, 2 a file is no report.
    """
    found = compare(read_report(old), read_report(new))
    said = {**found, "more_wrong": more_wrong(found), "is_worse": is_worse(found)}
    tell_page(form, lambda page: tell(page, "comparison.j2", **said), lambda: found)
    sys.exit(EXIT_FAILED if is_worse(found) else 0)


@report.command("matrix")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@MARKDOWN_FORMAT
def report_matrix(files: tuple[Path, ...], form: str) -> None:
    """Show several reports side by side, rule by rule.

    They are in JSON, of programs or of versions of one. Each column says how many of the cases that pin a rule were
    passed, of those that were asked.
    """
    found = side_by_side([read_report(path) for path in files])
    tell_page(form, lambda page: tell(page, "matrix.j2", **found), lambda: found)


@report.command("badge")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["svg", "json"]), default="svg", help="A picture, or its data.")
def report_badge(file: Path, form: str) -> None:
    """Print a badge of a report.

    Green if all passed, amber if only what was expected failed, red otherwise. The JSON is what services that draw
    badges read from an address (label, message, color).
    """
    found = read_report(file)
    if form == "json":
        echo_json(as_endpoint(found))
    else:
        echo_page(as_svg(found))
