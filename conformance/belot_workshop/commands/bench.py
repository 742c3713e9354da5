"""The command ``belot lab bench``: how fast the engine is here."""

from typing import TYPE_CHECKING, Any

import click

from belot_conformance.cli.common import FORMAT, tell_page
from belot_workshop.bench.bench import measure, measure_beside_peers
from belot_workshop.bench.throughput import measure_memory, measure_throughput

if TYPE_CHECKING:
    from belot_conformance.text.page import Page


@click.command()
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True, help="Deals per round.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="Rounds; medians are printed.")
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    help="Instead put so many cases to a program, and say how much memory that took.",
)
@click.option("--peers", is_flag=True, help="Instead measure beside other engines that are installed (extra [bench]).")
@FORMAT
def bench(deals: int, rounds: int, cases: int | None, peers: bool, form: str) -> None:
    """Measure the engine and the runner on this machine.

    Figures and ratios are printed; nothing is judged. The runner is measured against a program that answers at once,
    and against a bare echo of the same lines.
    """
    if peers:
        found, show = measure_beside_peers(deals, rounds), _print_peers
    elif cases is not None:
        found, show = measure_memory(cases), _print_memory
    else:
        # The runner first, while little else is in memory.
        throughput = measure_throughput(rounds)
        found, show = {**measure(deals, rounds), "throughput": throughput}, _print
    tell_page(form, lambda page: show(page, found), lambda: found)


def _print(page: "Page", found: dict[str, Any]) -> None:
    rows = []
    for variant, figures in found["variants"].items():
        speeds = [figures["deals_per_second"], figures["card_plays_per_second"]]
        speeds += figures["simulated_deals_per_second"].values()
        rows.append((variant, *(f"{speed:,}" for speed in speeds)))
    page.table(["variant", "deals/s", "card plays/s", "simulated: random", "sensible"], rows)
    page.blank()
    page.line("simulated: deals/s from the first bid to the score, as belot impact plays them", style="dim")
    page.blank()
    plays, load, replay = found["card_plays_per_second"], found["load_and_compile"], found["replay"]
    page.line(f"legal cards and play, rule ids kept, one core: median {plays['median']:,} card plays/s")
    page.line(f"{found['ratio_to_bare_loop']} of a bare loop here ({found['bare_loop_per_second']:,}/s)", indent=2)
    compiled = f"{load['cold_ms']} ms from YAML"
    page.line(f"all variants loaded and compiled: {compiled}")
    reading = f"(of which {replay['of_which_json']} s reading JSON)"
    page.line(f"{replay['deals']} recorded deals parsed and replayed: {replay['seconds']} s {reading}")
    _print_throughput(page, found["throughput"])


def _print_throughput(page: "Page", found: dict[str, Any]) -> None:
    asked = f"{found['cases']} cases, {found['megabytes_asked']} MB asked"
    page.line(f"runner: {found['cases_per_second']:,} cases/s over stdio ({asked})")
    plain, at_once = found["bare_echo_lines_per_second"], found["windowed_echo_lines_per_second"]
    of_plain = f"{found['ratio_to_bare_echo']} of a bare echo of the same lines here, one by one"
    page.line(f"{of_plain} ({plain:,}/s)", indent=2)
    page.line(f"{found['ratio_to_windowed_echo']} of one with as many lines open at once ({at_once:,}/s)", indent=2)


def _print_peers(page: "Page", found: dict[str, Any]) -> None:
    header = ["one after the other, in turn", "median", "lowest", "highest"]
    rows = [(name, *(f"{figure:,}" for figure in figures.values())) for name, figures in found["per_second"].items()]
    page.table([f"{header[0]}: a second of a core", *header[1:]], rows)
    page.blank()
    ratios = [(name, *map(str, row.values())) for name, row in found["ratios"].items()]
    page.table(["ratio of each round", *header[1:]], ratios)
    page.blank()
    page.line("engine, openspiel: cards and bids from Python, dealt before; others: deals", style="dim")
    page.line("seen: and what is seen before each; environment: this too, deals and all", style="dim")
    if found["not_installed"]:
        page.line(f"not installed, so not measured: {', '.join(found['not_installed'])}")


def _print_memory(page: "Page", found: dict[str, Any]) -> None:
    speed = f"{found['seconds']} s ({found['cases_per_second']:,}/s)"
    page.line(f"{found['cases']:,} cases over stdio in {speed}, {found['passed']:,} passed")
    for after, peak in found["peak_megabytes"].items():
        page.line(f"most memory up to case {int(after):,}: {peak} MB", indent=2)
