"""The server of `make serve`, and what the commands say when something is wrong."""

import gzip
import socket
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest
from click.testing import CliRunner

from belot_site.__main__ import main
from belot_site.output.build import BuildError, build
from belot_site.output.serve import make_server
from belot_spec.languages import LANGUAGES


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "index.html").write_text("<p>één</p>" * 100, encoding="utf-8")
    with make_server(tmp_path, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_texts_are_sent_compressed_to_those_who_take_it(address: str) -> None:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        body = response.read()
        assert response.headers["Content-Encoding"] == "gzip"
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert gzip.decompress(body).decode() == "<p>één</p>" * 100


def test_texts_are_sent_as_they_are_to_everybody_else(address: str) -> None:
    with urllib.request.urlopen(address) as response:
        assert response.read().decode() == "<p>één</p>" * 100


def test_a_browser_that_goes_away_in_the_middle_is_nothing_to_speak_of(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "long.bin").write_bytes(bytes(1 << 24))
    with make_server(tmp_path, 0) as server:
        server.daemon_threads = False
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with socket.create_connection(("127.0.0.1", server.server_port)) as browser:
            browser.sendall(b"GET /long.bin HTTP/1.0\r\n\r\n")
            assert browser.recv(1) == b"H"
        server.shutdown()
        thread.join()
    assert capfd.readouterr().err == ""


def test_serving_what_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["serve", "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert "make site" in found.output


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").touch()
    with make_server(tmp_path, 0) as server:
        found = CliRunner().invoke(main, ["serve", "--output", str(tmp_path), "--port", str(server.server_port)])
    assert found.exit_code == 2
    assert str(server.server_port) in found.output


def test_what_mkdocs_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("belot_site.output.build.generate", lambda folder: ((one, 0) for one in LANGUAGES))
    with pytest.raises(BuildError, match="mkdocs cannot build the site"):
        build(tmp_path)


def test_an_address_that_does_not_exist_shows_the_sites_own_page(tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text("<h1>404</h1>", encoding="utf-8")
    with make_server(tmp_path, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        with pytest.raises(HTTPError) as caught:
            urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/nl/nowhere/")
        server.shutdown()
        thread.join()
    assert caught.value.code == 404
    assert caught.value.read() == b"<h1>404</h1>"
