"""The command ``belot worth``: what every option and every other value of a rule is worth."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from belot_conformance.text.page import Page


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--profile", "variants", multiple=True, help="Only this variant; may be repeated.")
@click.option("--deals", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Of each change.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same figures.")
@click.option("--options-only", is_flag=True, help="Leave out other values of single rules.")
@click.option("--jobs", type=click.IntRange(1, 64), help="How many processes; one per core if left out.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster at this address (extra [cluster]).")
@click.option("--show", type=click.IntRange(min=0), default=5, show_default=True, help="First and last to show.")
def worth(folder: Path, variants: tuple[str, ...], **how: Any) -> None:
    """Measure how often deals and matches end otherwise by each change of a variant, into FOLDER, a file a variant.

    What a file has already, for the same rules, seed and deals, is not played again. Needs the extra [fast].
    """
    from functools import partial

    from belot_conformance.programs.process_pool import in_processes
    from belot_conformance.programs.progress import counting_bar
    from belot_conformance.text.terminal import TerminalPage
    from belot_reference.batch.needed import need
    from belot_spec.spec import default_spec

    need("numba", "belot worth")
    if how["scheduler"] is not None:
        need("distributed", "--scheduler", "cluster")
    from belot_workshop.impact.cluster import on_cluster
    from belot_workshop.impact.kernel import make_ready
    from belot_workshop.worth.measuring import measure, tasks_of

    spec = default_spec()
    for variant in variants:
        if variant not in spec.playable():
            raise click.UsageError(f"--profile {variant}: known are {', '.join(spec.playable())}")
    folder.mkdir(parents=True, exist_ok=True)
    make_ready()
    jobs = how["jobs"] or os.cpu_count() or 1
    share = partial(on_cluster, how["scheduler"]) if how["scheduler"] else partial(in_processes, jobs=jobs)
    for variant in variants or spec.playable():
        tasks = tasks_of(spec, variant, how["seed"], how["deals"], options_only=how["options_only"])
        with counting_bar(variant, len(tasks)) as advance:
            entries = measure(folder / f"{variant}.json", variant, tasks, share, lambda: advance and advance(1))
        print_ranking(TerminalPage(), variant, entries, how["show"])


def print_ranking(page: "Page", variant: str, entries: list[Any], show: int) -> None:
    """Show the first and the last of a variant's ranking, for both kinds of players."""
    from belot_workshop.worth.measuring import ranking

    for player in ("random", "sensible"):
        ranked = list(enumerate(ranking(entries, player), start=1))
        shown = ranked if len(ranked) <= 2 * show else ranked[:show] + ranked[len(ranked) - show :]
        page.heading(f"{variant}, {player} players: deals that end otherwise, of a hundred (95 %)")
        rows = [(str(place), _name(entry["change"]), *_shares(entry)) for place, entry in shown]
        page.table(["", "change", "deals", "matches"], rows)


def _name(change: dict[str, Any]) -> str:
    return f"+{change['option']}" if "option" in change else f"{change['rule']}: {change['value']}"


def _shares(entry: dict[str, Any]) -> tuple[str, str]:
    return _share(entry["deals"]), _share(entry["matches"])


def _share(share: dict[str, Any] | None) -> str:
    if share is None:
        return "none decided"
    return f"{100 * share['share']:.2f} ({100 * share['low']:.2f}–{100 * share['high']:.2f})"
