"""Reading and writing the figures of a variant: a line a change, whole or not at all."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from belot_conformance.rules.reading import Json
from belot_spec.files import read_json
from belot_spec.spec import Spec
from belot_spec.whole_file import write_whole
from belot_spec.worth import EDITION, PLAYERS, WORTH_VERSION, rules_digest
from belot_workshop.impact.estimate import Mean, Share
from belot_workshop.impact.simulation import Sums

# Significant digits: an interval is never narrower than the last of them, whatever is measured.
_DIGITS: Final = 4


# Which figure: of a change, as ``name_of`` names it, with some players.
Figure = tuple[str, str]


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
        (name_of(entry), player): entry[player]
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
        of_change = {player: found.get((name_of(change), player)) for player in PLAYERS}
        measured = {player: one for player, one in of_change.items() if one is not None}
        entries += [{**change, **measured}] if measured else []
    start = json.dumps(head, ensure_ascii=False)[:-1]
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    write_whole(path, f'{start}, "changes": [\n{lines}\n]}}\n'.encode())
    return entries


def figure(sums: Sums, unit: int) -> Json:
    """Return sums as the figures of a file; ``unit`` is how many of the points in them make a score point."""
    means = sums.means()
    return {
        "simulated": sums.deals,
        **{name: _rounded(share) for name, share in sums.shares().items()},
        "taker": _rounded(means["taker"], unit),
        "length": _rounded(means["length"]),
    }


def _rounded(found: Share | Mean | None, unit: int = 1) -> list[float] | None:
    if found is None:
        return None
    return [float(f"{one / unit:.{_DIGITS}g}") + 0.0 for one in (found.value, found.low, found.high)]
