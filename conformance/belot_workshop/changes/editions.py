"""Editions of the rules to hold against each other: a whole spec, of a folder or a git revision, or one profile."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from belot_spec.errors import BelotError, Problem, SpecError, nearest
from belot_spec.spec import Profile, Spec, default_spec, load_spec
from belot_workshop.changes.revisions import RevisionError, has_revision, repository, unpack

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
    if _is_profile(name):
        yield Edition(name, default_spec(), default_spec().profile(name))
    elif Path(name).is_dir():
        yield Edition(name, load_spec(spec_in(Path(name))))
    elif Path(name).is_file():
        raise EditionError(f"{name} is a file, but no file of house rules: the name of such a file ends in .yaml")
    else:
        with tempfile.TemporaryDirectory(prefix="belot-") as folder:
            yield Edition(name, _at_revision(name, start or Path.cwd(), Path(folder)))


def _is_profile(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) or name.split("+")[0] in default_spec().variants


def spec_in(folder: Path) -> Path:
    """Return the folder of the spec: this one or ``spec`` in it; raises ``EditionError`` if neither holds rules."""
    for place in (folder, folder / _SPEC):
        if (place / "rules").is_dir():
            return place
    raise EditionError(f"{folder} holds no spec: there is no folder rules in it, nor in {folder / _SPEC}")


def _at_revision(name: str, start: Path, folder: Path) -> Spec:
    near = nearest(name, default_spec().playable())
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
