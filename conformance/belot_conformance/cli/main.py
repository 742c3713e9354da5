"""The command ``belot``, and those of its commands that show what there is to see without a program."""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from belot_conformance.cli.adapter import adapter, smoke
from belot_conformance.cli.audit import audit
from belot_conformance.cli.cases import cases
from belot_conformance.cli.check import check
from belot_conformance.cli.common import FORMAT, LANGUAGE, Belot, echo, echo_json, selection_options, tell_page
from belot_conformance.cli.fuzz import fuzz
from belot_conformance.cli.identify import identify
from belot_conformance.cli.perft import perft
from belot_conformance.cli.report import report
from belot_conformance.cli.spec import spec

if TYPE_CHECKING:
    from belot_conformance.programs.reference import Reference
    from belot_conformance.suite.selection import Selection


@click.command()
@selection_options
@FORMAT
@LANGUAGE
def baselines(selection: "Selection", form: str, language: Any) -> None:
    """Score programs that know nothing: all cards legal, the first card, no declarations, always yes or no, guesses.

    A score is worth what it has above these. --seed also sets the guesses.
    """
    from belot_conformance.programs.reference import reference_for
    from belot_conformance.reports.words import print_scores, scores_json
    from belot_conformance.suite.baselines import SEED, baseline_scores
    from belot_conformance.table.planning import plan_profile

    reference = reference_for(selection.profile)
    plan = plan_profile(selection, reference)
    scores = baseline_scores(plan, reference, seed=selection.seed or SEED)
    found = {"planned": len(plan), "baselines": scores_json(scores)}
    tell_page(form, lambda page: print_scores(page, scores, language), lambda: found)


@click.command()
@click.option("--profile", required=True, help="What to play by (bela-3, belote+target-301, house-rules.yaml).")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same deal.")
@FORMAT
@LANGUAGE
def play(profile: str, seed: int, form: str, language: Any) -> None:
    """Play a random deal, and say which rule forced a choice.

    With --format json: the deal as the operation "replay" takes it.
    """
    from belot_conformance.recording.played import play_random_deal
    from belot_reference.compile import compile_profile
    from belot_spec.spec import default_spec

    spec = default_spec()
    deal = play_random_deal(compile_profile(spec.profile(profile)), seed)
    if form == "json":
        echo_json(deal.question, indent=None)
        return
    from belot_conformance.recording.play_page import print_deal
    from belot_conformance.text.terminal import TerminalPage

    print_deal(TerminalPage(), deal, spec, language)


@click.command()
@FORMAT
@LANGUAGE
def mistakes(form: str, language: Any) -> None:
    """List the common mistakes that ``belot answer --mistake NAME`` can make.

    Most are another value of a rule, which stands beside them as in a file of house rules. Those at the end are none.
    """
    from belot_conformance.diagnosis.mutations import load_faults, load_mistakes
    from belot_conformance.reports.mistakes_page import print_mistakes

    both = [*load_mistakes().values(), *load_faults().values()]
    found = [{"name": one.name, "title": one.title.as_json(), "rules": dict(one.values)} for one in both]
    tell_page(form, lambda page: print_mistakes(page, language), lambda: found)


@click.group(cls=Belot, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-conformance", prog_name="belot")
def main() -> None:
    """Rules of belot as data, and a conformance suite for any belot program."""


@main.command()
@click.option("--profile", "profiles", multiple=True, help="Declare this profile too; may be repeated.")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve over HTTP on this machine, at this port.")
@click.option("--mistake", help="Make one common mistake in all that is played; belot mistakes lists them.")
def answer(profiles: tuple[str, ...], port: int | None, mistake: str | None) -> None:
    """Serve the reference over the protocol: requests on stdin, replies on stdout, or over HTTP.

    Port 0 takes any that is free; the address is printed first.
    """
    from belot_conformance.programs.reference import ServedReference
    from belot_conformance.programs.serving import serve

    served = ServedReference(_player(profiles, mistake))
    if port is None:
        serve(served, sys.stdin.buffer, sys.stdout.buffer)
        return
    from belot_conformance.programs.http_server import serve_http

    serve_http(served, port, lambda address: echo(f"belot answers at {address}"))


def _player(profiles: tuple[str, ...], mistake: str | None) -> "Reference":
    from belot_conformance.programs.reference import Reference

    if mistake is None:
        return Reference(extra_profiles=profiles)
    from belot_conformance.diagnosis.faulty_player import FaultyPlayer, WrongPlayer
    from belot_conformance.diagnosis.mutations import mistake_named

    values = mistake_named(mistake).values
    return WrongPlayer(mistake, values, profiles) if values else FaultyPlayer(mistake, profiles)


for command in (
    check, identify, fuzz, perft, smoke, audit, adapter, report, spec, cases, play, baselines, mistakes,
):  # fmt: skip
    main.add_command(command)

# The workshop is found by name where it is installed; nothing here depends on it. (An entry point would say the same,
# and reading those of every installed distribution doubles the time of belot --help.)
if find_spec("belot_workshop"):
    import_module("belot_workshop.commands").add_commands(main)
