"""``python -m belot_site build``, ``lessons`` and ``serve``."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from belot_site.content.library import SITE_FOLDER, Library
from belot_site.output.build import build
from belot_site.output.serve import serve
from belot_site.pages.lessons import write_lessons
from belot_spec.errors import BelotError

_OUTPUT = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=SITE_FOLDER.parent / "build",
    help="Folder to build in; build/ if none is named.",
)


@contextmanager
def _told() -> Iterator[None]:
    """Tell what people can mend as one message, and exit with 2."""
    try:
        yield
    except BelotError as error:
        click.echo(f"belot: {error}", err=True)
        sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Build the site from the spec and the cases, or show it."""


@main.command("build")
@_OUTPUT
def build_command(output: Path) -> None:
    """Build the site into build/site."""
    folder = output.resolve()
    started = time.monotonic()
    with _told():
        counts = build(folder)
    told = ", ".join(f"{number} in {language}" for language, number in counts.items())
    click.echo(f"{folder / 'site'}: {told} pages, {time.monotonic() - started:.1f} s")


@main.command("lessons")
@click.argument("variants", nargs=-1, metavar="[VARIANT]…")
def lessons_command(variants: tuple[str, ...]) -> None:
    """Choose the deals from which VARIANTS, or all of them, are taught anew.

    Among random ones of sensible players.
    """
    with _told():
        write_lessons(Library(), variants, click.echo)


@main.command("serve")
@_OUTPUT
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free."
)
def serve_command(output: Path, port: int) -> None:
    """Show the built site at an address on this machine, until you press Ctrl-C."""
    folder = output / "site"
    if not (folder / "index.html").is_file():
        click.echo(f"belot: {folder} holds no site; build it first: make site", err=True)
        sys.exit(2)
    try:
        serve(folder, port, lambda address: click.echo(f"The site is at {address} (Ctrl-C stops)"))
    except OSError as error:
        click.echo(f"belot: port {port}: {error.strerror}; take another with --port", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main(prog_name="belot_site")
