"""The command ``belot impact``: what a change of rules does, before anyone plays it."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from belot_conformance.cli.common import EXIT_INTERRUPTED, PROCESSES, complain, echo_page
from belot_conformance.programs.progress import counting_bar
from belot_conformance.reports.files import SUFFIXES
from belot_conformance.text.markdown import as_markdown
from belot_conformance.text.printable import json_text
from belot_conformance.text.terminal import TerminalPage, as_text, say_aside
from belot_kernel.needed import need
from belot_spec.data import refuse_installed
from belot_spec.errors import nearest
from belot_spec.load.worth import PLAYERS, read_worth, worth_folder
from belot_spec.shipped import default_spec
from belot_spec.whole_file import why_unwritable, write_whole
from belot_workshop.impact.comparison import SimulationSetup
from belot_workshop.impact.impact import as_json, changed_profiles, measure_impact
from belot_workshop.impact.report import as_html, print_impact

if TYPE_CHECKING:
    from belot_conformance.text.page import Page
    from belot_spec.load.worth import Figures, VariantWorth
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


def _tell(old: str, new: str, wanted: str | None, form: str | None, out: Path | None, **how: Any) -> None:
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
                print_impact(TerminalPage(), found)
            elif out is None:
                echo_page(_written(found, form))
            else:
                write_whole(out, _written(found, form))
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


def _written(found: "Impact", form: str) -> str:
    """Return an impact as the text of a file."""
    if form == "json":
        return json_text(as_json(found)) + "\n"
    if form == "html":
        return as_html(found)

    render = as_markdown if form == "markdown" else as_text
    return render(lambda page: print_impact(page, found))


# Deals of each change with either kind of players. The kernel plays some 237,000 of them a second on a core, the rules
# compiled along with them: 2,096 figures are twenty minutes on two cores, and no share is off by more than 0.2 %.
DEALS: Final = 250_000
# Where the engine has to play them: 200 matches of sixteen deals, a quarter of an hour of a core for a game.
DEALS_OF_ENGINE: Final = 3_200


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--profile", "variants", multiple=True, help="Only this variant; may be repeated.")
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    show_default=f"{DEALS}, {DEALS_OF_ENGINE} where the engine plays them",
    help="Deals per change.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same figures.")
@click.option("--options-only", is_flag=True, help="Leave out other values of single rules.")
@PROCESSES
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster at this address (extra [cluster]).")
@click.option("--show", type=click.IntRange(min=0), default=5, show_default=True, help="First and last to show.")
def worth(folder: Path | None, variants: tuple[str, ...], **how: Any) -> None:
    """Measure what each change of a variant is worth.

    How often deals and matches end otherwise by it: a file a variant in FOLDER. Without a FOLDER in spec/worth, whose
    figures the site and other commands show. What a file has already, for the same rules and seed, is not played again.
    Needs the extra [fast].
    """
    need("numba", "belot lab worth")
    if how["scheduler"] is not None:
        need("distributed", "--scheduler", "cluster")
    from belot_workshop.impact.comparison import SimulationSetup
    from belot_workshop.impact.simulation import why_no_kernel
    from belot_workshop.impact.worth import by_cluster, by_processes

    spec = default_spec()
    wanted = variants_named("--profile", variants)
    if folder is None:
        refuse_installed("spec/worth")
        folder = worth_folder(spec)
    folder.mkdir(parents=True, exist_ok=True)
    work = by_cluster(how["scheduler"]) if how["scheduler"] else by_processes(how["jobs"])
    for variant in wanted:
        why_not = why_no_kernel(SimulationSetup(variant, variant, PLAYERS[0], how["seed"]))
        if why_not:
            say_aside(f"{variant}: the engine plays, fewer deals: {why_not}")
        deals = how["deals"] or (DEALS_OF_ENGINE if why_not else DEALS)
        measure_variant(folder, variant, work, {**how, "deals": deals})


def measure_variant(folder: Path, variant: str, work: Any, how: dict[str, Any]) -> None:
    """Measure one variant, and show its ranking."""
    from belot_workshop.impact.worth import Measuring, changes_of

    spec = default_spec()
    changes = changes_of(variant, () if how["options_only"] else None, how["jobs"])
    measuring = Measuring(folder / f"{variant}.json", spec, changes, how["seed"], how["deals"])
    with counting_bar(variant, len(measuring.missing())) as advance:
        measuring.measure(work, advance)
    print_ranking(TerminalPage(), read_worth(folder / f"{variant}.json", spec), how["show"])


def print_ranking(page: "Page", measured: "VariantWorth", show: int) -> None:
    """Show the first and the last of a variant's rankings, for both kinds of players."""
    for player in PLAYERS:
        rankings = {
            "deals that end otherwise by what people play": measured.ranking(player, played=True),
            "deals that end otherwise by values that nobody plays": measured.ranking(player, played=False),
            "when a match ends, by matches that others win": measured.match_ranking(player),
        }
        for told, ranking in rankings.items():
            ranked = list(enumerate(ranking, start=1))
            shown = ranked if len(ranked) <= 2 * show else ranked[:show] + ranked[len(ranked) - show :]
            rows = [(str(place), one.name, *_shares(one.players[player])) for place, one in shown]
            if rows:
                page.heading(f"{measured.variant}, {player} players: {told}")
                page.table(["", "change", "deals % (95 %)", "matches % (95 %)"], rows)


def _shares(found: "Figures") -> list[str]:
    return [share.in_percent() if share else "none decided" for share in (found.deals, found.matches)]


def variants_named(option: str, names: Sequence[str]) -> Sequence[str]:
    """Return the variants of these names, or where there are none all that can be played.

    Raises ``click.UsageError`` for a name that no variant has, with the nearest.
    """
    known = default_spec().playable()
    for name in names:
        if name not in known:
            raise click.UsageError(f"{option} {name}: there is no such variant{nearest(name, known)}")
    return names or known
