"""Variants as another edition of the rules has them: house rules over those of today, which everything here takes."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from belot_conformance.changes.editions import Edition, EditionError, open_editions
from belot_conformance.text.terminal import say_aside
from belot_spec.shipped import default_spec
from belot_spec.whole_file import write_whole

_NO_NAME: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class ChangedProfile:
    """Two profiles by names that the rules of today know, and the one whose cases are asked."""

    old: str
    new: str
    own: str


@contextmanager
def changed_profiles(old: str, new: str, wanted: str | None = None) -> Iterator[list[ChangedProfile]]:
    """Yield two profiles as they are, or of two whole editions the variants that they play otherwise.

    ``wanted`` names one profile of the editions. Raises what ``open_editions`` does, and ``EditionError`` where nothing
    differs or a rule is no more.
    """
    with open_editions(old, new) as editions, TemporaryDirectory(prefix="belot-") as folder:
        if editions[0].profile is not None:
            if wanted is not None:
                raise EditionError(f"--profile {wanted}: {old} and {new} are profiles already")
            yield [ChangedProfile(old, new, old)]
            return
        found = []
        for name in [wanted] if wanted else default_spec().playable():
            if wanted or all(name in edition.spec.playable() for edition in editions):
                values = [_unlike_today(name, edition) for edition in editions]
                if values[0] != values[1]:
                    pairs = zip(editions, values, ("old", "new"), strict=True)
                    before, after = (_named(name, *pair, Path(folder)) for pair in pairs)
                    found.append(ChangedProfile(before, after, name))
        if not found:
            raise EditionError(
                f"{old} and {new} play {wanted or 'every variant'} alike; belot spec diff says what else changed"
            )
        yield found


def _unlike_today(name: str, edition: Edition) -> dict[str, Any]:
    """Return the values of a profile in an edition that are others today."""
    then, now = edition.spec.profile(name), default_spec().profile(name)
    if gone := sorted(then.settings.keys() - default_spec().rules.keys()):
        raise EditionError(f"{edition.name} plays {name} by {', '.join(gone)}, which is no rule any more")
    if later := sorted(now.settings.keys() - edition.spec.rules.keys()):
        say_aside(f"{edition.name} has no rule {', '.join(later)}: played as today")
    return {rule: one.value for rule, one in then.settings.items() if not now.plays(rule, one.value)}


def _named(name: str, edition: Edition, values: dict[str, Any], side: str, folder: Path) -> str:
    """Return the name of a profile with other values: its own if there are none, else a file of house rules."""
    if not values:
        return name
    base = default_spec().profile(name)
    title = json.dumps({language: f"{text}, {edition.name}" for language, text in base.name.as_json().items()})
    lines = [
        f"id: {_NO_NAME.sub('-', f'{name} of {edition.name}'.lower()).strip('-')}",
        f"name: {title}",
        f"base: {name}",
        "rules:",
    ]
    lines += [f"  {rule}: {{value: {json.dumps(value)}}}" for rule, value in values.items()]
    path = folder / f"{side}-{name}.yaml"
    write_whole(path, "\n".join([*lines, ""]), durable=False)
    return str(path)
