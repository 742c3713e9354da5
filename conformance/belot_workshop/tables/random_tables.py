"""House rules drawn by lot: a variant with options and some other values, such that a deal can be played."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from belot_reference.compile import compile_profile
from belot_spec.catalogue import Rule, enumerated_values, resolve
from belot_spec.errors import SpecError, UnknownNameError, UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole

FEWEST: Final = 3
MOST: Final = 15
MOST_OPTIONS: Final = 2
_TRIES: Final = 400
_STEPS: Final = (-3, -2, -1, 1, 2, 3, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class RandomTable:
    """House rules: the profile they build on, the values that differ, the file that says so, and the whole profile."""

    base: str
    values: Mapping[str, Any]
    path: Path
    profile: Profile


def random_table(
    spec: Spec, folder: Path, name: str, random: Random, sizes: tuple[int, int] = (FEWEST, MOST)
) -> RandomTable:
    """Write house rules of so many changed values into a folder and return them; the same lot gives the same rules."""
    base = _base(spec, random)
    wanted = random.randint(*sizes)
    profile = spec.profile(base)
    values: dict[str, Any] = {}
    path = folder / f"{name}.yaml"
    for _ in range(_TRIES):
        if len(values) == wanted:
            break
        rule = random.choice(sorted(profile.settings.keys() - values.keys()))
        for value in changed_values(spec.rules[rule], profile.settings[rule].value, random):
            tried = {**values, rule: value}
            with suppress(SpecError, UnplayableError):
                profile = written(spec, path, base, tried)
                values = tried
                break
    return RandomTable(base, values, path, written(spec, path, base, values))


def _base(spec: Spec, random: Random) -> str:
    """Return a variant, often with an option or two that go together."""
    variant = random.choice(sorted(spec.playable()))
    options = sorted(spec.options_of(variant))
    chosen = random.sample(options, random.randint(0, min(MOST_OPTIONS, len(options))))
    name = str(ProfileName(variant, tuple(chosen)))
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
    text = yaml.safe_dump({"id": path.stem, "base": base, "rules": rules}, allow_unicode=True, sort_keys=False)
    write_whole(path, text, durable=False)
    profile = spec.profile(str(path))
    compile_profile(profile)
    return profile


def changed_values(rule: Rule, own: Any, random: Random, tries: int = 8) -> Iterator[Any]:
    """Yield some other values of a rule, drawn by lot, that its schema allows."""
    for _ in range(tries):
        value = _changed(rule.value_schema, own, random)
        if value != own and rule.validator.is_valid(value):
            yield value


def _changed(shape: Mapping[str, Any], own: Any, random: Random) -> Any:
    listed = [value for part in (shape, *shape.get("oneOf", ())) for value in enumerated_values(part)]
    if listed and (isinstance(own, str | bool) or random.random() < 0.3 or "enum" in shape):
        return random.choice(listed)
    if isinstance(own, str):
        return random.randint(1, 6) if "oneOf" in shape else own
    if isinstance(own, int):
        return _number(shape, own, random)
    resolved = resolve(shape)
    if isinstance(own, dict):
        key = random.choice(sorted(own))
        return {**own, key: max(0, own[key] + random.choice(_STEPS))}
    return _list(resolved, list(own), random)


def _number(shape: Mapping[str, Any], own: int, random: Random) -> int:
    near, far = own + random.choice(_STEPS), random.choice((own * 2, own // 2, own * 10, random.randint(0, 600)))
    return max(int(shape.get("minimum", 0)), near if random.random() < 0.8 else far)


def _list(shape: Mapping[str, Any], own: list[Any], random: Random) -> list[Any]:
    """Return a list with two items swapped, one left out, put in or replaced; or the same inside one of its lists."""
    items = shape.get("items", {})
    kind = random.random()
    if kind < 0.3 and len(own) > 1:
        one, other = random.sample(range(len(own)), 2)
        own[one], own[other] = own[other], own[one]
    elif kind < 0.5 and own:
        del own[random.randrange(len(own))]
    elif own and isinstance(own[0], list):
        return _classes(own, random)
    elif own and kind < 0.75:
        place = random.randrange(len(own))
        own[place] = _item(items, own[place], random)
    else:
        own.insert(random.randrange(len(own) + 1), _item(items, own[0] if own else None, random))
    return own


def _item(items: Mapping[str, Any], own: Any, random: Random) -> Any:
    listed = enumerated_values(resolve(items))
    if listed:
        return random.choice(listed)
    if isinstance(own, int):
        return max(1, own + random.choice((-1, 1)))
    return random.choice(("7", "8")) + random.choice(("S", "H", "D", "C"))


def _classes(own: list[Any], random: Random) -> list[Any]:
    """Return classes with two of them in one, or one of them in two."""
    place = random.randrange(len(own))
    members = own[place]
    if len(members) > 1 and random.random() < 0.5:
        cut = random.randrange(1, len(members))
        return [*own[:place], members[:cut], members[cut:], *own[place + 1 :]]
    if place + 1 < len(own):
        return [*own[:place], [*members, *own[place + 1]], *own[place + 2 :]]
    return own
