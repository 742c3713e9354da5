"""The command ``belot play``: a deal to read."""

from typing import Any

import click

from belot_conformance.cli.common import FORMAT, LANGUAGE, echo_json


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
