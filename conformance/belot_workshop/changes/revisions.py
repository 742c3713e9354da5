"""Revisions of a git repository: folders as they were at a commit or a tag, unpacked for reading."""

import os
import subprocess
import tarfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from belot_spec.errors import BelotError
from belot_spec.whole_file import write_whole


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
