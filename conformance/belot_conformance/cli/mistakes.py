"""The command ``belot mistakes``: common mistakes that the reference can make."""

from typing import Any

import click

from belot_conformance.cli.common import FORMAT, LANGUAGE, tell_page


@click.command()
@FORMAT
@LANGUAGE
def mistakes(form: str, language: Any) -> None:
    """List the common mistakes that ``belot answer --mistake NAME`` can make.

    Most are another value of a rule, which stands beside them as in a file of house rules. Those at the end are none.
    """
    from belot_conformance.diagnosis.mistakes import load_faults, load_mistakes
    from belot_conformance.reports.mistakes_page import print_mistakes

    both = [*load_mistakes().values(), *load_faults().values()]
    found = [{"name": one.name, "title": one.title.as_json(), "rules": dict(one.values)} for one in both]
    tell_page(form, lambda page: print_mistakes(page, language), lambda: found)
