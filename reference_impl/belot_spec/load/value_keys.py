"""The keys of wordings: a value as it stands in a file, and the values that such a text may stand for."""

from collections.abc import Iterator
from typing import Any

import yaml


def values_of_key(key: str) -> Iterator[Any]:
    """Yield the values that a key may stand for: ``10`` is a number or a rank, ``[10]`` a list of either."""
    if key[:1] in ("[", "{"):
        names = _inside(key)
        yield names
        yield _counted(names)
        return
    yield key
    if key.isdecimal():
        yield int(key)
    if key in ("true", "false"):
        yield key == "true"


def _inside(key: str) -> Any:
    """Return a list or a table that a key shows, every item as a text; nothing if it shows none."""
    try:
        return yaml.load(key, yaml.BaseLoader)
    except yaml.YAMLError:
        return None


def _counted(part: Any) -> Any:
    """Return a list or a table with the items that are figures as numbers, at any depth."""
    if isinstance(part, list):
        return list(map(_counted, part))
    if isinstance(part, dict):
        return {key: _counted(inner) for key, inner in part.items()}
    return int(part) if isinstance(part, str) and part.isdecimal() else part
