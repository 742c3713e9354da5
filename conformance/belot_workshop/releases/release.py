"""What a release did to the cases, and its changelog as Markdown: the rules in words, and the cases by id."""

import gzip
import io
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import click

from belot_conformance.changes.diff import SpecDiff, as_json, spec_diff
from belot_conformance.changes.diff_page import print_changes, step_sentence, summary
from belot_conformance.changes.editions import Edition, has_revision, open_edition, repository
from belot_conformance.changes.version import Step, Version, VersionError, check_step, largest, parse_version
from belot_conformance.cli.common import FORMAT, RenamingCommand, echo, tell_page
from belot_conformance.programs.protocol import PROTOCOL_VERSION
from belot_conformance.programs.reference import reference_for
from belot_conformance.rules.reading import profile_rules
from belot_conformance.suite.case_text import Rewrite, rewrite_file
from belot_conformance.suite.cases import Case, case_files, load_cases, read_cases
from belot_conformance.suite.export import (
    CHECKSUMS,
    MANIFEST,
    case_files_of,
    check_place,
    json_bytes,
    plan_counts,
    sealed,
    sha256,
    write_bundle,
)
from belot_conformance.suite.ledger import Ledger, Retired, RetireError, ledger_problems, read_ledger
from belot_conformance.suite.selection import plan_own
from belot_conformance.text.markdown import MarkdownPage
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.data import cases_folder, data_folder, spec_digest, spec_folder
from belot_spec.errors import BelotError, UnknownNameError, nearest, refuse
from belot_spec.files import read_bytes, read_text
from belot_spec.load.documents import read_document
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.whole_file import write_whole
from belot_spec.words import English
from belot_workshop.releases.address import address, write_addresses


@dataclass(frozen=True, slots=True)
class CaseChanges:
    """The ids that a release added, and those it retired; a retired case with another in its place was changed."""

    added: tuple[str, ...]
    retired: tuple[tuple[str, Retired], ...]
    first: bool

    @property
    def step(self) -> Step:
        """The step of the version that changes of the cases ask for by themselves; none in the first release."""
        if self.first:
            return "none"
        return "minor" if self.added else "patch" if self.retired else "none"

    @property
    def changed(self) -> tuple[tuple[str, Retired], ...]:
        """The retired ids that another case replaces."""
        return tuple(one for one in self.retired if one[1].by is not None)

    @property
    def dropped(self) -> tuple[tuple[str, Retired], ...]:
        """The retired ids that nothing replaces."""
        return tuple(one for one in self.retired if one[1].by is None)

    @property
    def new(self) -> tuple[str, ...]:
        """The added ids that replace no other."""
        replacing = {retired.by for _, retired in self.changed}
        return tuple(case_id for case_id in self.added if case_id not in replacing)

    def as_json(self) -> dict[str, Any]:
        """Return the changes as JSON."""
        return {
            "added": list(self.new),
            "changed": [{"id": case_id, "by": one.by, "reason": one.reason} for case_id, one in self.changed],
            "retired": [{"id": case_id, "reason": one.reason} for case_id, one in self.dropped],
        }


def changelog(version: Version, step: Step, diff: SpecDiff | None, cases: CaseChanges) -> str:
    """Return what a release changed; without a diff it is the first one."""
    page = MarkdownPage(level=1)
    page.title(str(version))
    if diff is None:
        page.line("The first release.")
    else:
        page.line(f"{summary(diff)} {step_sentence(step)}")
        print_changes(page, diff)
    tell(page, "changelog.j2", package="belot_workshop", cases=cases, runs=_runs(cases.new) if cases.new else [])
    return page.text()


def _runs(ids: Sequence[str]) -> list[str]:
    """Return ids with those that follow one another written as a run: ``bc-0001..0255``."""
    numbers = [int(case_id[3:]) for case_id in ids]
    starts = [0, *(place + 1 for place, (one, other) in enumerate(pairwise(numbers)) if other != one + 1), len(ids)]
    return [ids[begin] if end == begin + 1 else f"{ids[begin]}..{ids[end - 1][3:]}" for begin, end in pairwise(starts)]


def changes_in(ledger: Ledger, version: str) -> CaseChanges:
    """Return what one release of a ledger did to the cases."""
    entries = sorted(ledger.entries.items())
    return CaseChanges(
        added=tuple(case_id for case_id, entry in entries if entry.release == version),
        retired=tuple(
            (case_id, entry.retired) for case_id, entry in entries if entry.retired and entry.retired.release == version
        ),
        first=bool(ledger.releases) and ledger.releases[0].version == version,
    )


RELEASE_VERSION: Final = 1
KIND: Final = "release"
_SHOWN: Final = 5


class ReleaseError(BelotError):
    """The present state cannot be released."""


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """A release that may be made: what changed since the one before, and the ledger as it will be."""

    version: Version
    previous: Version | None
    since: str | None
    diff: SpecDiff | None
    cases: CaseChanges
    ledger: Ledger

    @property
    def step(self) -> Step:
        """The step that the changes of the rules and of the cases ask for together."""
        return largest([self.diff.step if self.diff else "none", self.cases.step])


def make_release(version: str, folder: Path, since: str | None = None) -> tuple[ReleaseDraft, dict[str, Any]]:
    """Release the present state into a folder and its cases into the ledger; return the draft and the manifest.

    ``since`` is the git revision (or a folder) of the state before, the tag of the last release if none is given. The
    last release can be made again as long as nothing has changed, and gives the same bytes. Raises ``ReleaseError``,
    ``VersionError`` for a version that is too low, ``SpecError`` for cases that do not fit the ledger, and
    ``ExportError`` for a folder that cannot be used.
    """
    check_place(folder, KIND)
    draft = draft_release(parse_version(version), since)
    manifest = write_bundle(folder, release_files(draft, default_spec()), KIND)
    if draft.ledger != read_ledger(cases_folder()):
        write_whole(draft.ledger.path, draft.ledger.text())
    return draft, manifest


def draft_release(version: Version, since: str | None) -> ReleaseDraft:
    """Check that the present state can be released under a version, and return what the release will say."""
    _check_package(version)
    cases, ledger = load_cases(), read_ledger(cases_folder())
    _check_cases(cases, ledger)
    again = ledger.last is not None and ledger.last.version == str(version)
    after = _again(version, ledger, cases) if again else ledger.released(str(version), _digest(), cases)
    previous = parse_version(after.releases[-2].version) if len(after.releases) > 1 else None
    if since is None and previous is not None:
        since = _tag_of(previous)
    with ExitStack() as stack:
        before = None if since is None else stack.enter_context(open_edition(since, spec_folder()))
        if before is not None and before.profile is not None:
            raise ReleaseError(f"{since} is a profile; name the git revision of the last release: --since REVISION")
        diff = spec_diff(before, Edition(str(version), default_spec())) if before else None
    draft = ReleaseDraft(version, previous, since, diff, changes_in(after, str(version)), after)
    if previous is not None:
        check_step(previous, version, draft.step)
    return draft


def _tag_of(version: Version) -> str:
    """Return the tag of an earlier release; raises ``ReleaseError`` if it is not there."""
    tag = f"v{version}"
    if not has_revision(tag, repository(spec_folder())):
        raise ReleaseError(
            f"the last release, {version}, has no tag {tag}; tag its commit, or name it: --since REVISION"
        )
    return tag


def _check_package(version: Version) -> None:
    """Check that the project says the same version of itself; raises ``ReleaseError``."""
    path = data_folder() / "pyproject.toml"
    if not path.is_file():
        raise ReleaseError("releases are made from a checkout of the project, and this is an installed package")
    said = tomllib.loads(read_text(path))["project"]["version"]
    if said != str(version):
        raise ReleaseError(f'pyproject.toml says that this is {said}; write version = "{version}" there first')


def _check_cases(cases: Sequence[Case], ledger: Ledger) -> None:
    problems = ledger_problems(ledger, cases)
    refuse(problems)
    waiting = [case.id for case in cases if case.review is not None]
    if waiting:
        named = ", ".join(waiting[:_SHOWN]) + (", …" if len(waiting) > _SHOWN else "")
        raise ReleaseError(f"{len(waiting)} cases wait for review; work them out and take review away: {named}")


def _again(version: Version, ledger: Ledger, cases: Sequence[Case]) -> Ledger:
    """Return the ledger for making the last release again; raises ``VersionError`` if something has changed since."""
    same = ledger.last is not None and ledger.last.spec_sha256 == _digest()
    new = [case.id for case in cases if case.id not in ledger.entries]
    retired = [
        entry for entry in ledger.entries.values() if entry.retired is not None and entry.retired.release is None
    ]
    if not same or new or retired:
        raise VersionError(f"{version} was released already, and the rules or the cases have changed since")
    return ledger


def _digest() -> str:
    return spec_digest(spec_folder())


def release_files(draft: ReleaseDraft, spec: Spec) -> dict[str, bytes]:
    """Return the files of a release by name: changes, rules, schemas, cases, a manifest and checksums."""
    plan = plan_own(load_cases())
    contents = {
        **case_files_of(plan, reference_for(None), suite=str(draft.version)),
        **_spec_files(spec),
        "changes.json": json_bytes(_changes(draft)),
        draft.ledger.path.name: draft.ledger.text().encode(),
    }
    contents["CHANGELOG.md"] = changelog(draft.version, draft.step, draft.diff, draft.cases).encode()
    return sealed(
        contents,
        {
            "release": RELEASE_VERSION,
            "version": str(draft.version),
            "previous": str(draft.previous) if draft.previous else None,
            "since": draft.since,
            "step": draft.step,
            "protocol": PROTOCOL_VERSION,
            "spec_sha256": _digest(),
            "rules": len(spec.rules),
            "cases": len(plan),
            **plan_counts(plan),
        },
    )


def _spec_files(spec: Spec) -> dict[str, bytes]:
    """Return the rules as JSON: each file of the spec as it is, the schemas, and each variant whole, in words too."""
    found = {
        f"spec/{path.relative_to(spec.folder).with_suffix('.json').as_posix()}": json_bytes(read_document(path).data)
        for path in sorted(spec.folder.rglob("*.yaml"))
    }
    for path in sorted((spec.folder / "schema").glob("*.json")):
        found[f"schema/{path.name}"] = read_bytes(path)
    for variant in spec.playable():
        found[f"profiles/{variant}.json"] = json_bytes(profile_rules(spec.profile(variant), spec))
    return found


def _changes(draft: ReleaseDraft) -> dict[str, Any]:
    return {
        "version": str(draft.version),
        "step": draft.step,
        "rules": None if draft.diff is None else as_json(draft.diff),
        "cases": draft.cases.as_json(),
    }


_RELEASE_WORDS: Final = English(__name__, "release")


def print_release(page: Page, draft: ReleaseDraft, manifest: Mapping[str, Any], place: Path) -> None:
    """Print a release that was made."""
    counts = {**manifest, "files": len(manifest["files"]), "manifest": place}
    page.line(_RELEASE_WORDS.say("made", **counts), style="bold", hang=2)
    if draft.diff is not None:
        page.line(f"{draft.diff.old} → {draft.diff.new}: {summary(draft.diff)}", hang=2)
    if draft.previous is None:
        page.line(_RELEASE_WORDS["first"])
    else:
        page.line(step_sentence(draft.step))
    cases = draft.cases
    numbers = {"new": len(cases.new), "changed": len(cases.changed), "dropped": len(cases.dropped)}
    page.line(_RELEASE_WORDS.say("cases", **numbers))
    ledger = f"cases/{draft.ledger.path.name}"
    page.line(_RELEASE_WORDS.say("next", ledger=ledger, version=draft.version))


@dataclass(frozen=True, slots=True)
class Retirement:
    """An id that was retired, and the id under which its case goes on, if it does."""

    case: str
    by: str | None
    path: Path | None


def retire(
    folder: Path, ids: Sequence[str], reason: str, by: str | None = None, renew: bool = False
) -> list[Retirement]:
    """Retire released ids of a folder of cases in its ledger; with ``renew``, give each case a new id in its file.

    Raises ``RetireError`` for an id that is no released one, and for one that still stands in a file and is not
    renewed; then nothing is written.
    """
    cases = {case.id: case for case in read_cases(case_files(folder))}
    ledger = read_ledger(folder)
    _refuse_unknown(ids, cases, ledger)
    if by is not None and by not in cases:
        raise RetireError(f"there is no case {by} that could replace it{nearest(by, cases)}")
    free = ledger.free_ids(cases.values())
    done = []
    for case_id in ids:
        case = cases.get(case_id)
        if case is not None and not renew:
            raise RetireError(
                f"{case_id} still stands in {_place(case)}; take it out first, or give it a new id: --renew"
            )
        if case is None and renew:
            raise RetireError(f"{case_id} stands in no file, so it cannot get a new id; leave --renew out")
        done.append(Retirement(case_id, next(free) if renew else by, case.path if case else None))
    for one in done:
        ledger = ledger.retire(one.case, reason, one.by)
    for one in done:
        if one.path is not None and one.by is not None:
            rewrite_file(one.path, [Rewrite(one.case, {"id": one.by})])
    write_whole(ledger.path, ledger.text())
    return done


def gone(folder: Path) -> list[str]:
    """Return the released ids of a folder that stand in no file any more and are not retired."""
    present = {case.id for case in read_cases(case_files(folder))}
    entries = read_ledger(folder).entries
    return sorted(case_id for case_id, entry in entries.items() if case_id not in present and entry.retired is None)


def _refuse_unknown(ids: Sequence[str], cases: dict[str, Case], ledger: Ledger) -> None:
    for case_id in ids:
        if case_id not in ledger.entries and case_id not in cases:
            raise RetireError(f"there is no case {case_id}{nearest(case_id, [*cases, *ledger.entries])}")
        if ids.count(case_id) > 1:
            raise RetireError(f"{case_id} is named twice")


def _place(case: Case) -> str:
    return f"{case.path.parent.name}/{case.path.name}:{case.line}"


CHANGES: Final = "CHANGES.md"


def write_assets(folder: Path, tag: str, since: str | None = None) -> list[Path]:
    """Write everything that the release of a tag is published as into a new folder; return the files.

    Nothing is released by it: the ledger must hold the version already. ``since`` is that of ``make_release``. Raises
    ``ReleaseError`` where the ledger does not, or where the tag is not that of the version in pyproject.toml; the same
    state gives the same archive of rules.
    """
    version = parse_version(tag.removeprefix("v"))
    last = read_ledger(cases_folder()).last
    if not tag.startswith("v") or last is None or last.version != str(version):
        known = f"the last release is v{last.version}" if last else "nothing has been released"
        raise ReleaseError(f"{tag} is no release: {known}; belot lab release {version} FOLDER makes one")
    changes = changes_of(read_text(data_folder() / "CHANGELOG.md"), str(version))
    folder.mkdir(parents=True)
    _build(folder)
    name = f"belot-rules-{version}"
    files = {
        f"{name}.tar.gz": archive(release_files(draft_release(version, since), default_spec()), name),
        CHANGES: changes.encode(),
    }
    for file, data in files.items():
        write_whole(folder / file, data)
    made = sorted(path for path in folder.iterdir() if path.suffix in (".whl", ".gz") or path.name == CHANGES)
    sums = "".join(f"{sha256(read_bytes(path))}  {path.name}\n" for path in made)
    write_whole(folder / CHECKSUMS, sums)
    return [*made, folder / CHECKSUMS]


def _build(folder: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder.resolve())]
    done = subprocess.run(command, cwd=data_folder(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"the packages cannot be built:\n{done.stdout}{done.stderr}")


def archive(contents: Mapping[str, bytes], name: str) -> bytes:
    """Return files as a tar.gz, below a folder of a name; the same files give the same bytes."""
    plain = io.BytesIO()
    with tarfile.TarFile(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode = len(data), 0o644
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), mtime=0)


def changes_of(changelog: str, version: str) -> str:
    """Return what a changelog says of a version; raises ``UnknownNameError`` if it says nothing."""
    _, found, rest = changelog.partition(f"\n## {version}")
    if not found:
        raise UnknownNameError(f"CHANGELOG.md has no heading ## {version}; put it above what changed")
    return rest.partition("\n")[2].partition("\n## ")[0].strip() + "\n"


_SINCE: Final = click.option(
    "--since", "revision", metavar="REVISION", help="The state before; else the tag of the last release."
)


@click.command("release", cls=RenamingCommand, renamed={"--from": "--since"})
@click.argument("version")
@click.argument("folder", type=click.Path(path_type=Path))
@_SINCE
@FORMAT
def release(version: str, folder: Path, revision: str | None, form: str) -> None:
    """Release the rules, schemas and cases as VERSION.

    All of it goes as JSON into FOLDER, and the cases into the ledger. Refused are a version lower than the changes ask
    for, released cases that have changed or are gone, and cases that wait for review. The same state gives the same
    bytes. What counts as which step is in spec/VERSIONING.md.
    """
    draft, manifest = make_release(version, folder, revision)

    tell_page(form, lambda page: print_release(page, draft, manifest, folder / MANIFEST), lambda: manifest)


@click.command()
def addresses() -> None:
    """Write where the project is into every page that says so.

    As pyproject.toml says it.
    """
    for page in write_addresses(data_folder(), address()):
        echo(str(page))


@click.command()
@click.argument("tag")
@click.argument("folder", type=click.Path(path_type=Path, exists=False))
@_SINCE
def assets(tag: str, folder: Path, revision: str | None) -> None:
    """Write what the release TAG is published as into FOLDER.

    Wheel, sdist, rules and cases, changes, checksums. What is not in the ledger of released cases yet is refused: belot
    lab release comes first.
    """
    for path in write_assets(folder, tag, revision):
        echo(str(path))
