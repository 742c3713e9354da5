"""Editions of the rules to hold against each other: a whole spec, of a folder or a git revision, or one profile."""

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from belot_spec.errors import BelotError, Problem, SpecError, nearest
from belot_spec.load.spec import load_spec
from belot_spec.profile_name import ProfileName, names_file
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole

_SPEC = "spec"


class EditionError(BelotError):
    """A name stands for no edition of the rules, or two editions cannot be held against each other."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A spec under the name it was asked by; with a profile, only that profile of it."""

    name: str
    spec: Spec
    profile: Profile | None = None


@contextmanager
def open_editions(old: str, new: str | None) -> Iterator[tuple[Edition, Edition]]:
    """Yield two editions by their names; without a second name, the first and the spec that is in use.

    A name is a profile, a file of house rules, a folder of the spec's layout, or a git revision. Raises
    ``EditionError`` for a name that is none of these and for a profile beside a whole spec, ``SpecError`` for faults.
    """
    with ExitStack() as stack:
        before = stack.enter_context(open_edition(old))
        if new is not None:
            after = stack.enter_context(open_edition(new))
        elif before.profile is None:
            after = Edition(_SPEC, default_spec())
        else:
            raise EditionError(
                f"{old} is a profile; name the profile to hold it against: belot spec diff {old} PROFILE"
            )
        if (before.profile is None) != (after.profile is None):
            one, other = (before, after) if after.profile is None else (after, before)
            message = f"{one.name} is a profile and {other.name} a whole spec; name two profiles or two specs"
            raise EditionError(message)
        yield before, after


@contextmanager
def open_edition(name: str, start: Path | None = None) -> Iterator[Edition]:
    """Yield the edition that a name stands for; a revision's files are there as long as it is open.

    Revisions are those of the repository in which ``start`` lies, or else the current folder.
    """
    if not name.strip():
        raise EditionError("a name is empty; name a profile, a file of house rules, a folder or a git revision")
    if names_file(name) or ProfileName(name).variant in default_spec().variants:
        yield Edition(name, default_spec(), open_profile(name))
    elif Path(name).is_dir():
        yield Edition(name, load_spec(spec_in(Path(name))))
    elif Path(name).is_file():
        raise EditionError(f"{name} is a file, but no file of house rules: the name of such a file ends in .yaml")
    else:
        with tempfile.TemporaryDirectory(prefix="belot-") as folder:
            yield Edition(name, _at_revision(name, start or Path.cwd(), Path(folder)))


def spec_in(folder: Path) -> Path:
    """Return the folder of the spec: this one or ``spec`` in it; raises ``EditionError`` if neither holds rules."""
    for place in (folder, folder / _SPEC):
        if (place / "rules").is_dir():
            return place
    raise EditionError(f"{folder} holds no spec: there is no folder rules in it, nor in {folder / _SPEC}")


def _at_revision(name: str, start: Path, folder: Path) -> Spec:
    near = nearest(name, default_spec().nameable())
    try:
        top = repository(start)
    except RevisionError as error:
        raise EditionError(f"{name} is no profile and no folder{near}; and {error}") from None
    if near and not has_revision(name, top):
        raise EditionError(f"{name} is no profile, no folder and no revision of this repository{near}")
    unpack(name, [_SPEC], top, folder)
    return spec_at(name, folder)


def spec_at(name: str, folder: Path) -> Spec:
    """Load the spec of a revision that was unpacked into a folder; faults are told by the names git has for its files.

    Raises ``EditionError`` for a revision without rules.
    """
    if not (folder / _SPEC / "rules").is_dir():
        raise EditionError(f"the revision {name} has no rules: there is no folder {_SPEC}/rules in it")
    try:
        return load_spec(folder / _SPEC)
    except SpecError as error:
        raise SpecError(
            Problem(Path(f"{name}:{one.file.relative_to(folder)}"), one.line, one.key, one.message)
            for one in error.problems
        ) from None


class RevisionError(BelotError):
    """There is no git, no repository here, or no such revision in it."""


def repository(start: Path) -> Path:
    """Return the top folder of the git repository that a folder lies in; raises ``RevisionError`` outside one."""
    done = _git(start, "rev-parse", "--show-toplevel")
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        if "not a git repository" in said:
            raise RevisionError(
                f"{start} lies in no git repository, so it has no revisions; name a folder or a profile"
            )
        raise RevisionError(f"git does not read the repository of {start}: {said}")
    return Path(done.stdout.decode().strip())


def has_revision(name: str, top: Path) -> bool:
    """Say whether a repository has a commit, tag or branch of this name."""
    return bool(name) and not name.startswith("-") and not _commit(name, top).returncode


def unpack(revision: str, folders: Sequence[str], top: Path, into: Path) -> None:
    """Write folders of a repository as they were at a revision below another folder; those it lacks are left out.

    Raises ``RevisionError`` for a revision that does not exist.
    """
    if not has_revision(revision, top):
        raise RevisionError(f"the repository {top.name} has no revision {revision}{_tags(top)}")
    commit = _commit(revision, top).stdout.decode().strip()
    present = [folder for folder in folders if not _git(top, "cat-file", "-e", f"{commit}:{folder}").returncode]
    if not present:
        return
    done = _git(top, "archive", "--format=tar", commit, "--", *present)
    if done.returncode:
        raise RevisionError(f"{revision} cannot be read: {done.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                path = into / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, file.read(), durable=False)


def _commit(name: str, top: Path) -> subprocess.CompletedProcess[bytes]:
    return _git(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def _tags(top: Path) -> str:
    names = _git(top, "tag", "--list", "--sort=-version:refname").stdout.decode().split()
    return f"; its tags are {', '.join(names[:5])}" if names else "; it has no tags, so name a commit, such as HEAD~3"


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        # Without a locale, as what git says is looked at.
        environment = {**os.environ, "LC_ALL": "C"}
        return subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False, env=environment)
    except OSError:
        raise RevisionError("git cannot be started, so revisions cannot be read; name a folder or a profile") from None
