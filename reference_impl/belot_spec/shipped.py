"""The spec that ships with this package, and the profile that a user names: both are read when first asked for."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from belot_spec.catalogue import BareRule
from belot_spec.errors import UnknownNameError
from belot_spec.profile_name import ProfileName, names_file
from belot_spec.spec import Profile, Spec

# The rules of who has no files.
_BROUGHT: Final[dict[str, BareRule]] = {}


@cache
def default_spec() -> Spec:
    """Return the spec that ships with this package, loaded once."""
    # The rules are values without a reader of files: only who asks for those of the files needs it.
    from belot_spec.load.spec import load_spec

    return load_spec()


def bring_rules(rules: Mapping[str, BareRule]) -> None:
    """Take the rules that ship from who has them already, where no file can be read."""
    _BROUGHT.clear()
    _BROUGHT.update(rules)


def shipped_rules() -> Mapping[str, BareRule]:
    """Return the rules that ship with this package: those, and the values, that the engine knows."""
    return _BROUGHT or default_spec().rules


def open_profile(name: str, spec: Spec | None = None) -> Profile:
    """Return the profile ``variant+option+…`` or that of an overlay file, by the spec that ships if none is given.

    Raises what `Spec.profile` does, and ``SpecError`` for a faulty overlay.
    """
    spec = spec or default_spec()
    if names_file(name):
        from belot_spec.load.spec import overlay

        return overlay(Path(name), spec)
    if ProfileName(name).variant not in spec.nameable() and Path(name).is_file():
        raise UnknownNameError(f"{name} is a file, and the name of one with house rules ends in .yaml")
    return spec.profile(name)
