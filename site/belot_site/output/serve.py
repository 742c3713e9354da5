"""A small web server for the built site: on this machine only, compressed as every web host does."""

import gzip
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from belot_spec.files import MAX_OF_OURS, read_bytes

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
