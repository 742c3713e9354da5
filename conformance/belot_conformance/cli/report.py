"""The commands ``belot report …``: what to do with reports afterwards."""

import sys
from pathlib import Path

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    MARKDOWN_FORMAT,
    echo_json,
    echo_page,
    tell_page,
)
from belot_conformance.reports.comparison import (
    as_endpoint,
    as_svg,
    compare,
    is_worse,
    more_wrong,
    read_report,
    side_by_side,
)
from belot_conformance.text.template import tell


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
