"""House rules drawn by lot: a variant with options and some other values, such that a deal can be played."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from belot_reference.compile import compile_profile
from belot_spec.errors import SpecError, UnknownNameError, UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import open_profile
from belot_spec.spec import Profile, Spec
from belot_spec.values import random_values
from belot_spec.whole_file import write_whole

FEWEST: Final = 3
MOST: Final = 15
MOST_OPTIONS: Final = 2
_TRIES: Final = 400


@dataclass(frozen=True, slots=True)
class RandomTable:
    """House rules: the profile they build on, the values that differ, the file that says so, and the whole profile."""

    base: str
    values: Mapping[str, Any]
    path: Path
    profile: Profile


def random_table(
    spec: Spec,
    path: Path,
    random: Random,
    sizes: tuple[int, int] = (FEWEST, MOST),
    variant: str | None = None,
    among: Iterable[str] | None = None,
) -> RandomTable:
    """Write house rules of so many changed values to a file and return them; the same lot gives the same rules.

    They build on any variant, unless one is named, and change any rules, unless some are.
    """
    base = _base(spec, random, variant)
    wanted = random.randint(*sizes)
    profile = spec.profile(base)
    values: dict[str, Any] = {}
    chosen = frozenset(spec.rules if among is None else among)
    for _ in range(_TRIES):
        left = sorted(chosen & profile.settings.keys() - values.keys())
        if len(values) == wanted or not left:
            break
        rule = random.choice(left)
        for value in random_values(spec.rules[rule], profile.settings[rule].value, random):
            tried = {**values, rule: value}
            with suppress(SpecError, UnplayableError):
                profile = written(spec, path, base, tried)
                values = tried
                break
    return RandomTable(base, values, path, written(spec, path, base, values))


def _base(spec: Spec, random: Random, variant: str | None) -> str:
    """Return a variant, any unless it is named, often with an option or two that go together."""
    variant = variant or random.choice(sorted(spec.playable()))
    options = sorted(spec.options_of(variant))
    chosen = random.sample(options, random.randint(0, min(MOST_OPTIONS, len(options))))
    name = ProfileName.of(variant, *chosen)
    try:
        compile_profile(spec.profile(name))
    except (UnknownNameError, UnplayableError):
        return variant
    return name


def written(spec: Spec, path: Path, base: str, values: Mapping[str, Any]) -> Profile:
    """Write values over a base as a file of house rules, and return the profile that is read from it.

    Raises ``SpecError`` or ``UnplayableError`` for values that do not fit together.
    """
    rules = {rule: {"value": value} for rule, value in sorted(values.items())}
    text = yaml.safe_dump({"id": path.stem, "base": str(base), "rules": rules}, allow_unicode=True, sort_keys=False)
    write_whole(path, text, durable=False)
    profile = open_profile(str(path), spec)
    compile_profile(profile)
    return profile
