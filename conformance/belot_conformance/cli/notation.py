"""The command ``belot notation``: deals and matches as text, checked and written anew, or turned into JSON and back."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from belot_conformance.cli.common import EXIT_FAILED, echo, echo_json, echo_page
from belot_conformance.logs.noted import refused_in, transcript_of
from belot_conformance.logs.records import read_whole
from belot_conformance.text.printable import printable_lines
from belot_reference.errors import NotationError
from belot_reference.notation import Transcript


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
        for fault in _told(path, transcript, profile):
            refused = True
            echo(fault, err=True)
    sys.exit(EXIT_FAILED if refused else 0)


def _told(path: Path, transcript: Transcript, profile: str | None) -> Iterator[str]:
    fault: NotationError
    for fault in refused_in(transcript, profile):
        yield f"{path}:{fault.placed('en')}"
