"""Reading and writing the figures of a variant: a line a change, whole or not at all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from belot_conformance.rules.reading import Json
from belot_spec.files import read_json
from belot_spec.spec import Spec
from belot_spec.whole_file import write_whole
from belot_spec.worth import EDITION, PLAYERS, WORTH_VERSION, rules_digest
from belot_workshop.impact.estimate import Mean, Share
from belot_workshop.impact.impact import figures
from belot_workshop.impact.simulation import Sums

# Significant digits: an interval is never narrower than the last of them, whatever is measured.
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Figure:
    """Which figure: of a change, as ``Change.as_json`` names it, with some players."""

    change: str
    player: str


def head_of(spec: Spec, variant: str, seed: int) -> Json:
    """Return what all figures of a file hang on."""
    rules = rules_digest(spec.profile(variant).settings)
    return {"version": WORTH_VERSION, "variant": variant, "edition": EDITION, "rules": rules, "seed": seed}


def known_figures(path: Path, head: Json, deals: int) -> dict[Figure, Json]:
    """Return the figures of a file that were found by the same rules and seed, on so many deals at least."""
    if not path.is_file():
        return {}
    data = read_json(path)
    if not isinstance(data, dict) or any(data.get(key) != value for key, value in head.items()):
        return {}
    return {
        Figure(name_of(entry), player): entry[player]
        for entry in data["changes"]
        for player in PLAYERS
        if player in entry and entry[player]["simulated"] >= deals
    }


def name_of(change: Json) -> str:
    """Return a change without its figures as text, the same for the same change."""
    return json.dumps({key: value for key, value in change.items() if key not in PLAYERS}, sort_keys=True)


def write_figures(path: Path, head: Json, changes: Sequence[Json], found: Mapping[Figure, Json]) -> list[Json]:
    """Write the figures that were found of some changes, and return them; ``head`` is all that stands before them."""
    entries = []
    for change in changes:
        of_change = {player: found.get(Figure(name_of(change), player)) for player in PLAYERS}
        measured = {player: one for player, one in of_change.items() if one is not None}
        entries += [{**change, **measured}] if measured else []
    start = json.dumps(head, ensure_ascii=False)[:-1]
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    write_whole(path, f'{start}, "changes": [\n{lines}\n]}}\n'.encode())
    return entries


def figure(sums: Sums, unit: int) -> Json:
    """Return sums as the figures of a file; ``unit`` is how many of the points in them make a score point."""
    known = figures(sums)
    return {
        "simulated": sums.deals,
        "decisions": _share(known.decisions),
        "deals": _share(known.deals),
        "matches": _share(known.matches),
        "taker": _mean(known.points["taker"], unit),
        "length": _mean(known.length, 1),
    }


def _share(share: Share | None) -> list[float] | None:
    return None if share is None else _rounded(share.value, share.low, share.high)


def _mean(mean: Mean | None, unit: int) -> list[float] | None:
    return None if mean is None else _rounded(*(one / unit for one in (mean.value, mean.low, mean.high)))


def _rounded(*values: float) -> list[float]:
    return [float(f"{value:.{_DIGITS}g}") + 0.0 for value in values]
