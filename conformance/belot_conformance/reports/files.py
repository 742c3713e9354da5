"""Reports in files: which kind a file gets, and writing each whole or not at all."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, get_args

from belot_conformance.programs.ending import not_to_be_divided
from belot_conformance.reports.report import Run, as_json
from belot_conformance.text.printable import json_text
from belot_spec.errors import BelotError, nearest
from belot_spec.spec import Spec
from belot_spec.whole_file import Draft, real, why_unwritable

Kind = Literal["json", "junit", "html", "markdown"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
SUFFIXES: Final[Mapping[str, Kind]] = {
    ".json": "json",
    ".xml": "junit",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
}


class ReportFileError(BelotError):
    """A report cannot be written where it was asked for."""


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report that was asked for: its kind and where it goes."""

    kind: Kind
    path: Path


def report_files(asked: Iterable[str]) -> list[ReportFile]:
    """Return the reports asked for, each ``FILE`` with a known suffix or ``KIND:FILE``.

    Raises ``ReportFileError`` if a kind is unknown, two reports go to one file, or a file cannot be written there.
    """
    found: dict[Path, ReportFile] = {}
    for text in asked:
        report = _report_file(text)
        place = real(report.path)
        if place in found:
            raise ReportFileError(f"--report {text}: {found[place].path} is already asked for; name another file")
        # Refused before anything is asked, as it could not be written at the end.
        if reason := why_unwritable(report.path):
            raise ReportFileError(f"--report {text}: {reason}")
        found[place] = report
    return list(found.values())


def _report_file(text: str) -> ReportFile:
    prefix, colon, rest = text.partition(":")
    named = next((kind for kind in KINDS if colon and prefix == kind), None)
    place = text if named is None else rest
    if not place:
        raise ReportFileError(f"--report {text}: the name of the file is missing")
    path = Path(place)
    if kind := named or SUFFIXES.get(path.suffix.lower()):
        return ReportFile(kind, path)
    hint = nearest(prefix, KINDS) if colon else nearest(path.suffix, SUFFIXES)
    raise ReportFileError(
        f"--report {text}: the name does not say which kind of report; known are {', '.join(SUFFIXES)}, "
        f"or write the kind before it: {', '.join(f'{kind}:FILE' for kind in KINDS)}{hint}"
    )


def write_reports(files: Sequence[ReportFile], run: Run, spec: Spec) -> list[str]:
    """Write the reports of a run; return one message for each that could not be written.

    Whoever is interrupted finds all of them or none.
    """
    drafts: dict[Path, Draft] = {}
    wrong: list[str] = []
    try:
        for report in files:
            text = render(report.kind, run, spec)
            with _told(wrong, report.path):
                drafts[report.path] = Draft(report.path, text.encode("utf-8", errors="replace"))
        with not_to_be_divided():
            for path, draft in drafts.items():
                with _told(wrong, path):
                    draft.put()
    finally:
        for draft in drafts.values():
            draft.discard()
    return wrong


@contextmanager
def _told(wrong: list[str], path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        wrong.append(f"the report {path} could not be written: {error.strerror}")


def render(kind: Kind, run: Run, spec: Spec) -> str:
    """Return a report of one kind as text."""
    if kind == "json":
        return json_text(as_json(run, spec)) + "\n"
    # Only the one that is wanted is loaded.
    module = import_module(f"belot_conformance.reports.{kind}")
    written: str = getattr(module, f"as_{kind}")(run, spec)
    return written
