"""The command ``belot impact``: what a change of rules does, before anyone plays it."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from belot_conformance.cli.common import EXIT_INTERRUPTED, LANGUAGE, PROCESSES, complain, echo_page
from belot_conformance.reports.files import SUFFIXES
from belot_conformance.text.markdown import as_markdown
from belot_conformance.text.printable import json_text
from belot_conformance.text.terminal import TerminalPage, as_text
from belot_kernel.needed import need
from belot_spec.whole_file import why_unwritable, write_whole
from belot_workshop.impact.comparison import SimulationSetup
from belot_workshop.impact.earlier import changed_profiles
from belot_workshop.impact.html import as_html
from belot_workshop.impact.impact import as_json, measure_impact
from belot_workshop.impact.page import print_impact

if TYPE_CHECKING:
    from belot_workshop.impact.impact import Impact


def _asking(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the arguments and options that say what is measured, and how it is told."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS: Final = (
    click.argument("old"),
    click.argument("new"),
    click.option("--profile", "wanted", help="Of whole rules (a git revision, a folder) only this variant."),
    click.option(
        "--deals", type=click.IntRange(min=1), default=2000, show_default=True, help="Simulate so many at least."
    ),
    click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same answer."),
    PROCESSES,
    click.option(
        "--player",
        type=click.Choice(["random", "sensible"]),
        default="random",
        show_default=True,
        help="Who plays: anything legal, or to win.",
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "markdown", "html"]),
        help="What to print; else as the suffix of --out says, or text.",
    ),
    click.option("--out", type=click.Path(path_type=Path), help="Write to this file, not to stdout."),
    LANGUAGE,
)


@click.command()
@_asking
@click.option("--scheduler", hidden=True)
def impact(scheduler: str | None, **asked: Any) -> None:
    """Say what changes when the rules OLD become NEW.

    Rules, cases, positions, and simulated deals and matches. OLD and NEW are variants, variants with options
    (belote+no-undertrump) or files of house rules, for as many players and with the same cards; or both are git
    revisions or folders with whole rules (HEAD and .), of which every variant that is played otherwise is told. Every
    share and mean comes with a 95 % confidence interval. Ctrl-C prints what is known by then. Exit code: 0 all is
    known, 2 wrong usage or a faulty file, 130 interrupted.
    """
    if scheduler is not None:
        complain("belot impact --scheduler is belot lab impact --scheduler now")
    _tell(scheduler=scheduler, **asked)


@click.command("impact")
@_asking
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster at this address (extra [cluster]).")
def impact_anywhere(**asked: Any) -> None:
    """Say as belot impact what changes, also on a cluster."""
    _tell(**asked)


def _tell(
    old: str, new: str, wanted: str | None, form: str | None, out: Path | None, language: Any, **how: Any
) -> None:
    if out is not None and (reason := why_unwritable(out)):
        raise click.UsageError(f"--out {out}: {reason}")
    form = form or _form_of(out)
    if how["scheduler"] is not None:
        need("distributed", "--scheduler", "cluster")
    with changed_profiles(old, new, wanted) as changed:
        if len(changed) > 1 and (form != "text" or out is not None):
            names = ", ".join(one.own for one in changed)
            raise click.UsageError(
                f"a report is about one variant, and {names} are played otherwise; choose by --profile"
            )
        for one in changed:
            setting = SimulationSetup(one.old, one.new, how["player"], how["seed"])
            found = measure_impact(setting, how["deals"], own=one.own, jobs=how["jobs"], scheduler=how["scheduler"])
            if out is None and form == "text":
                print_impact(TerminalPage(), found, language)
            elif out is None:
                echo_page(_written(found, form, language))
            else:
                write_whole(out, _written(found, form, language))
            if found.interrupted:
                sys.exit(EXIT_INTERRUPTED)


def _form_of(out: Path | None) -> str:
    """Return the format that the name of a file asks for: text without a suffix; one that says nothing is refused."""
    suffix = "" if out is None else out.suffix.lower()
    kind = "text" if suffix in ("", ".txt") else SUFFIXES.get(suffix, "junit")
    if kind == "junit":
        known = ", ".join([*(name for name, of in SUFFIXES.items() if of != "junit"), ".txt"])
        raise click.UsageError(f"--out {out}: the name does not say which format; known are {known}, or give --format")
    return kind


def _written(found: "Impact", form: str, language: Any) -> str:
    """Return an impact as the text of a file."""
    if form == "json":
        return json_text(as_json(found)) + "\n"
    if form == "html":
        return as_html(found, language)

    render = as_markdown if form == "markdown" else as_text
    return render(lambda page: print_impact(page, found, language))
