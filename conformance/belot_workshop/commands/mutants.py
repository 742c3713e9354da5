"""The command ``belot lab mutants``: whether the cases would notice if a rule were another."""

import sys
from typing import Any

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    FORMAT,
    LANGUAGE,
    PROCESSES,
    SAMPLE_NOW,
    RenamingCommand,
    tell_page,
)
from belot_spec.data import refuse_installed
from belot_workshop.mutants.survey import as_json, chosen_mutants, print_survey, survey_mutants


@click.command(cls=RenamingCommand, renamed={**SAMPLE_NOW, "--write": "--in-place"})
@click.option("--profile", "profiles", multiple=True, help="Only mutants of this variant or option; may be repeated.")
@click.option("--rule", "rules", multiple=True, help="Only mutants of this rule or topic; may be repeated.")
@click.option("--since", metavar="REVISION", help="Only of rules that changed since this git revision or folder.")
@click.option("--sample", type=click.IntRange(min=1), help="Only so many of them, the same for the same seed.")
@click.option("--sample-seed", "seed", type=int, default=1, show_default=True, help="The same seed, the same sample.")
@PROCESSES
@click.option("--fresh", is_flag=True, help="Ask everything again, also what no change can have touched.")
@click.option("--in-place", is_flag=True, help="Bring the kept kill matrix up to date for them.")
@click.option("--show", type=click.IntRange(min=0), default=10, show_default=True, help="Survivors to print in full.")
@FORMAT
@LANGUAGE
def mutants(show: int, form: str, language: Any, *, seed: int, in_place: bool, **given: Any) -> None:
    """Change every rule value, and see which cases notice.

    In every way that its schema suggests. A mutant is a variant, or a variant with an option, in which one value is
    another. It has to be killed by a case whose expectation was worked out by hand or stands in a source, or be listed
    as equivalent with a reason that a check proves. Exit code: 0 if all are, 1 if any survived or what is kept about
    them is out of date, 2 wrong usage.
    """
    chosen = chosen_mutants(given["profiles"], given["rules"], given["sample"], seed, given["since"])
    if in_place:
        refuse_installed("the kill matrix")
    survey = survey_mutants(chosen, jobs=given["jobs"], fresh=given["fresh"], write=in_place)
    tell_page(form, lambda page: print_survey(page, survey, language, show), lambda: as_json(survey))
    sys.exit(0 if survey.passed else EXIT_FAILED)
