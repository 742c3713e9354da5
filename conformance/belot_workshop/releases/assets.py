"""What a release is published as: wheel, sdist, the rules and cases in one archive, what changed, and checksums."""

import gzip
import io
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from belot_conformance.changes.version import parse_version
from belot_conformance.suite.bundle import CHECKSUMS, sha256
from belot_conformance.suite.ledger import read_ledger
from belot_spec.data import cases_folder, data_folder
from belot_spec.errors import UnknownNameError
from belot_spec.files import read_bytes, read_text
from belot_spec.shipped import default_spec
from belot_spec.whole_file import write_whole
from belot_workshop.releases.release import ReleaseError, draft_release, release_files

CHANGES: Final = "CHANGES.md"


def write_assets(folder: Path, tag: str) -> list[Path]:
    """Write everything that the release of a tag is published as into a new folder; return the files.

    Nothing is released by it: the ledger must hold the version already. Raises ``ReleaseError`` where it does not, or
    where the tag is not that of the version in pyproject.toml; the same state gives the same archive of rules.
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
        f"{name}.tar.gz": archive(release_files(draft_release(version, None), default_spec()), name),
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
