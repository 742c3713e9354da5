"""The commands of ``belot`` that need no program: a deal, the notation, baselines and common mistakes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    FORMAT,
    LANGUAGE,
    echo,
    echo_json,
    echo_page,
    selection_options,
    tell_page,
)
from belot_conformance.explain.overlay import as_yaml
from belot_conformance.house_suite.planning import plan_profile
from belot_conformance.logs.noted import problem, refused_in, transcript_of
from belot_conformance.logs.play_page import print_deal
from belot_conformance.logs.played import play_random_deal, tell
from belot_conformance.logs.records import read_whole
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.programs.reference import reference_for
from belot_conformance.reports.scores import scores_json, scores_told
from belot_conformance.suite.baselines import SEED, baseline_scores
from belot_conformance.suite.selection import Selection
from belot_conformance.text.printable import printable_lines
from belot_conformance.text.template import tell as tell_template
from belot_conformance.text.terminal import TerminalPage
from belot_reference.compile import compile_profile
from belot_reference.errors import NotationError, Refusal
from belot_reference.game import engine_of, noted_game
from belot_reference.notation import Transcript
from belot_spec.errors import BelotError, SpecError
from belot_spec.shipped import default_spec, open_profile


@click.command()
@selection_options
@click.option("--seed", "guesses", type=int, default=SEED, show_default=True, help="The same seed, the same guesses.")
@FORMAT
def baselines(selection: Selection, guesses: int, form: str) -> None:
    """Score programs that know nothing, to hold a score against.

    All cards are legal, the first card, no declarations, always yes or no, guesses. A score is worth what it has above
    these.
    """
    reference = reference_for(selection.profile)
    plan = plan_profile(selection, reference)
    scores = baseline_scores(plan, reference, seed=guesses)
    found = {"planned": len(plan), "baselines": scores_json(scores)}
    tell_page(form, lambda page: tell_template(page, "scores.j2", **scores_told(scores)), lambda: found)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--profile", help="What to play by (bela-3, belote+target-301, house-rules.yaml).")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed, the same deal.")
@FORMAT
@LANGUAGE
def play(file: Path | None, profile: str | None, seed: int, form: str, language: Any) -> None:
    """Play a deal, and say which rule forced a choice.

    It is a random one, or that of FILE in the notation; - is stdin. Of a deal that is not over, or whose deck is not
    known, the table is shown as it then is. With --format json: the deal as the operation "replay" takes it.
    """
    spec = default_spec()
    if file is not None:
        _play_again(file, profile, form, language)
        return
    if profile is None:
        raise click.UsageError("Missing option '--profile', or a FILE in the notation.")
    deal = play_random_deal(compile_profile(open_profile(profile, spec)), seed)
    if form == "json":
        echo_json(deal.question, indent=None)
    else:
        print_deal(TerminalPage(), deal, spec, language)


def _play_again(file: Path, profile: str | None, form: str, language: Any) -> None:
    """Tell the last deal of a file in the notation."""
    transcript = transcript_of(file, read_whole(file), profile, language)
    try:
        game = noted_game(transcript, profile)
    except NotationError as error:
        raise SpecError([problem(file, error, language)]) from None
    except Refusal as refusal:
        raise BelotError(f"{file}:{refusal}") from None
    deal = game.to_record()["deals"][-1]
    if form == "json":
        echo_json(deal, indent=None)
        return
    rules, state = engine_of(game)
    if "cut" in deal and state.ended == "played":
        print_deal(TerminalPage(), tell(rules, 0, deal), default_spec(), language, noted=True)
    else:
        echo_page(printable_lines(f"{game.text(language)}\n"))


@click.command()
@FORMAT
def mistakes(form: str) -> None:
    """List the common mistakes, which belot answer can make.

    belot answer --mistake NAME serves a program that makes one. Most are another value of a rule, which stands beside
    them as in a file of house rules. Those at the end are none.
    """
    values, faults = load_mistakes(), load_faults()
    told: dict[str, Any] = {"as_yaml": as_yaml, "values": values, "faults": faults}
    both = [one for listed in (values, faults) for one in listed.values()]
    found = [
        {"name": one.name, "title": one.title.as_json(), "rules": dict(one.values)}
        | ({"variant": one.variant, "case": one.case} if one.case else {})
        for one in both
    ]
    tell_page(
        form,
        lambda page: tell_template(page, "mistakes.j2", 12, **told),
        lambda: found,
    )


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--profile", help="The rules by which all of it is judged; left out, those that each deal names.")
@click.option("--to", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="As what.")
def notation(files: tuple[Path, ...], profile: str | None, form: str) -> None:
    """Check deals and matches in the notation, and write them anew.

    FILE holds text in the notation, or JSON: lines for belot audit, questions of replay, or the record of a game; - is
    stdin. With --to json each deal is a line of JSON, to put to any program or for belot audit. What is not in the
    notation, or is refused by the rules, is told on stderr by line and column. Exit code: 0 all is right, 1 the rules
    refuse something, 2 wrong usage or something that is not in the notation.
    """
    refused = False
    for path in files:
        transcript = transcript_of(path, read_whole(path), profile)
        if form == "json":
            for told in transcript.to_json():
                echo_json(told, None)
        else:
            echo_page(printable_lines(str(transcript)))
        for fault in _refusals(path, transcript, profile):
            refused = True
            echo(fault, err=True)
    sys.exit(EXIT_FAILED if refused else 0)


def _refusals(path: Path, transcript: Transcript, profile: str | None) -> Iterator[str]:
    fault: NotationError
    for fault in refused_in(transcript, profile):
        yield f"{path}:{fault.placed('en')}"
