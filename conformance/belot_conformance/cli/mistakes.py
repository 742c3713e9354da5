"""The command ``belot mistakes``: common mistakes that the reference can make."""

from typing import Any

import click

from belot_conformance.cli.common import FORMAT, LANGUAGE, echo_json


@click.command()
@FORMAT
@LANGUAGE
def mistakes(form: str, language: Any) -> None:
    """List the common mistakes that ``belot answer --mistake NAME`` can make."""
    from belot_conformance.diagnosis.mistakes import load_mistakes
    from belot_conformance.text.terminal import TerminalPage

    known = load_mistakes().values()
    if form == "json":
        listed = [{"name": one.name, "title": one.title.as_json(), "rules": dict(one.values)} for one in known]
        echo_json(listed)
        return
    page = TerminalPage()
    for mistake in known:
        page.line(mistake.name, style="bold")
        page.line(mistake.title.in_language(language), indent=2)
        page.line(", ".join(mistake.values), indent=2, style="dim")
