"""The command ``belot lab worth``: what every option and every other value of a rule is worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from belot_conformance.cli.common import PROCESSES
from belot_conformance.programs.progress import counting_bar
from belot_conformance.text.terminal import TerminalPage, say_aside
from belot_kernel.needed import need
from belot_spec.data import refuse_installed
from belot_spec.load.worth import PLAYERS, read_worth, worth_folder
from belot_spec.shipped import default_spec
from belot_workshop.commands.variants import variants_named

if TYPE_CHECKING:
    from belot_conformance.text.page import Page
    from belot_spec.load.worth import Figures, VariantWorth

# Deals of each change with either kind of players. The kernel plays some 237,000 of them a second on a core, the rules
# compiled along with them: 2,096 figures are twenty minutes on two cores, and no share is off by more than 0.2 %.
DEALS: Final = 250_000


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--profile", "variants", multiple=True, help="Only this variant; may be repeated.")
@click.option("--deals", type=click.IntRange(min=1), default=DEALS, show_default=True, help="Deals per change.")
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
    from belot_workshop.worth.measuring import by_cluster, by_processes

    spec = default_spec()
    wanted = variants_named("--profile", variants)
    if folder is None:
        refuse_installed("spec/worth")
        folder = worth_folder(spec)
    folder.mkdir(parents=True, exist_ok=True)
    work = by_cluster(how["scheduler"]) if how["scheduler"] else by_processes(how["jobs"])
    for variant in wanted:
        if why_not := why_no_kernel(SimulationSetup(variant, variant, PLAYERS[0], how["seed"])):
            say_aside(f"{variant} is left out, the kernel does not play it: {why_not}")
        else:
            measure_variant(folder, variant, work, how)


def measure_variant(folder: Path, variant: str, work: Any, how: dict[str, Any]) -> None:
    """Measure one variant, and show its ranking."""
    from belot_workshop.worth.changes import changes_of
    from belot_workshop.worth.measuring import Measuring

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
