"""``python -m belot_site build``, ``lessons`` and ``serve``: the last shows the built site on this machine only."""

import gzip
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from belot_site.content.library import SITE_FOLDER, Library
from belot_site.output.build import build
from belot_site.pages.lessons import write_lessons
from belot_spec.errors import BelotError
from belot_spec.files import MAX_OF_OURS, read_bytes

_OUTPUT = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=SITE_FOLDER.parent / "build",
    help="Folder to build in; build/ if none is named.",
)


@contextmanager
def _telling_errors() -> Iterator[None]:
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
    with _telling_errors():
        counts = build(folder)
    told = ", ".join(f"{number} in {language}" for language, number in counts.items())
    click.echo(f"{folder / 'site'}: {told} pages, {time.monotonic() - started:.1f} s")


@main.command("lessons")
@click.argument("variants", nargs=-1, metavar="[VARIANT]…")
def lessons_command(variants: tuple[str, ...]) -> None:
    """Choose the deals from which VARIANTS, or all of them, are taught anew.

    Among random ones of sensible players.
    """
    with _telling_errors():
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


_COMPRESSED: Final = frozenset((".html", ".css", ".js", ".json", ".svg", ".xml"))


class _SiteHandler(SimpleHTTPRequestHandler):
    """Serves files; texts are sent compressed to browsers that take that."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send the headers of a file, and return what is to follow."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.split("?")[0].endswith("/"):
            path /= "index.html"
        if (
            path.suffix not in _COMPRESSED
            or not path.is_file()
            or "gzip" not in self.headers.get("Accept-Encoding", "")
        ):
            return super().send_head()
        body = _compressed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return BytesIO(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Show the site's own page for an address that does not exist, as web hosts do."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = read_bytes(page, MAX_OF_OURS)
        self.send_response(code)
        self.send_header("Content-Type", self.guess_type(page))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def guess_type(self, path: Any) -> str:
        """Return the type of a file; texts are UTF-8."""
        found = super().guess_type(path)
        return f"{found}; charset=utf-8" if found.startswith("text/") else found

    def handle(self) -> None:
        """Answer what is asked, as long as the browser stays."""
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, *args: Any) -> None:
        """Say nothing: a person looks at the site, not at this terminal."""


@lru_cache(maxsize=512)
def _compressed(path: Path, changed: int) -> bytes:
    return gzip.compress(read_bytes(path, MAX_OF_OURS), mtime=0)


def make_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server for a folder at a port of this machine, 0 for any that is free; OSError if it is taken."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_SiteHandler, directory=str(folder)))


def serve(folder: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve a folder until the user stops it; ``ready`` is told the address first."""
    with make_server(folder, port) as server:
        ready(f"http://127.0.0.1:{server.server_port}/")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
