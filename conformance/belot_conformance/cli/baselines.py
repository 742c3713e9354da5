"""The command ``belot baselines``: what programs that know nothing score."""

from typing import TYPE_CHECKING, Any

import click

from belot_conformance.cli.common import FORMAT, LANGUAGE, selection_options, tell_page

if TYPE_CHECKING:
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
    from belot_conformance.reports.score_table import print_scores, scores_json
    from belot_conformance.suite.baselines import SEED, baseline_scores
    from belot_conformance.table.planning import plan_profile

    reference = reference_for(selection.profile)
    plan = plan_profile(selection, reference)
    scores = baseline_scores(plan, reference, seed=selection.seed or SEED)
    found = {"planned": len(plan), "baselines": scores_json(scores)}
    tell_page(form, lambda page: print_scores(page, scores, language), lambda: found)
