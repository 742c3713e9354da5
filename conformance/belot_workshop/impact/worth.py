"""The changes of a variant whose worth is measured: its options, and other values of all rules that play notices."""

import json
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from belot_conformance.mistakes.mutations import changed_profile, mixed_up, other_values
from belot_conformance.programs.process_pool import in_processes, on_cluster
from belot_conformance.rules.reading import Json
from belot_kernel.compiled import seat_tables
from belot_kernel.layout import Records, covers, differing_fields, not_for_kernel
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.simulated import PLAYERS as SIMULATED
from belot_spec.catalogue import Rule
from belot_spec.errors import SpecError, UnplayableError
from belot_spec.files import read_json
from belot_spec.load.worth import (
    EDITION,
    HANDS,
    KERNEL,
    PLAYERS,
    REASONS,
    UNIT,
    WORTH_VERSION,
    VariantChange,
    is_seen,
    plays_still,
    rules_digest,
    seen_values,
)
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import WRONG_UNIT, listed_values
from belot_spec.whole_file import write_whole
from belot_workshop.impact.comparison import Mean, Share, Sums, check_comparable, units
from belot_workshop.impact.kernel import AT_ONCE, MatchKernel, kernel_rules, make_ready
from belot_workshop.impact.paired_deal import differing_rules
from belot_workshop.impact.simulation import PairedTable

# So many other values of a rule are drawn beside those that are listed or that a variant plays.
MOST_DRAWN: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurableChange(VariantChange):
    """One change of a variant that may be measured; ``also`` are values of rules that it makes matter."""

    variant: str
    also: Mapping[str, Any] = field(default_factory=dict)

    def profile(self, spec: Spec) -> Profile:
        """Return the rules with the change."""
        if self.option:
            return spec.profile(ProfileName.of(self.variant, self.option))
        assert self.rule is not None
        return changed_profile(spec.profile(self.variant), {self.rule: self.value}, spec)

    @property
    def named(self) -> Json:
        """What is changed, in a file."""
        return {"option": self.option} if self.option else {"rule": self.rule, "value": self.value}

    def as_json(self, spec: Spec) -> Json:
        """Return the change as ``spec/worth`` names it."""
        if self.option:
            return {**self.named, "rules": rules_digest(spec.options_of(self.variant)[self.option].settings)}
        return {**self.named, **({"also": dict(self.also)} if self.also else {})}


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a variant that play notices, and what they are held against.

    ``unnoticed`` are ``+option`` and rules by which nobody plays otherwise,
    ``uncompared`` are rules of which no other value can be played with as many players and the same cards.
    ``left_out`` are changes that are noticed and not measured, by why.
    """

    base: Ruleset
    noticed: Sequence[MeasurableChange]
    unnoticed: Sequence[str]
    uncompared: Sequence[str]
    left_out: Mapping[str, Sequence[MeasurableChange]]


# A change with what was found of it: why it is left out (``""``: it is not), or that nobody notices it (``None``).
_Examined = tuple[MeasurableChange, str | None]


def changes_of(variant: str, rules: Container[str] | None = None, jobs: int = 1) -> Changes:
    """Return the changes of a variant that can be played with the same cards: its options, and other values of rules.

    Of some rules only, where they are named. A change is noticed where the tables of the game become others, but for
    the places of the deck that a seat's cards come from: a shuffled deck makes them all alike. A game that the kernel
    does not play has no such tables: there each change counts as noticed, but for how few cards may be cut off.
    """
    spec, base = default_spec(), base_of(variant)
    options = [MeasurableChange(variant=variant, option=option) for option in spec.options_of(variant)]
    tried = [*options, *_values(spec, base.profile, rules)]
    found = [one for one in in_processes(_examine, tried, jobs) if one is not None]
    noticed = [change for change, why in found if why == ""]
    left_out = {why: [change for change, one in found if one == why] for why in REASONS}
    compared = {change.subject for change, _ in found}
    unnoticed = compared - {change.subject for change, one in found if one is not None}
    asked = [rule for rule in base.profile.settings if rules is None or rule in rules]
    silent = [rule for rule in asked if not is_seen(rule) or rule in unnoticed]
    idle = [option.subject for option in options if option.subject in unnoticed]
    uncompared = [rule for rule in asked if is_seen(rule) and rule not in compared]
    return Changes(base, noticed, [*idle, *silent], uncompared, left_out)


@lru_cache(maxsize=4)
def base_of(variant: str) -> Ruleset:
    """Return the ruleset of a variant."""
    return compile_profile(default_spec().profile(variant))


def _examine(change: MeasurableChange) -> _Examined | None:
    """Return what is found of a change; nothing where nobody could play so with the same cards."""
    spec, base = default_spec(), base_of(change.variant)
    try:
        new = compile_profile(change.profile(spec))
        check_comparable(base, new)
    except (SpecError, UnplayableError, KeyError):
        return None
    if change.rule and is_in_another_unit(spec.rules[change.rule], change.value, base.profile, spec):
        return change, UNIT
    by_kernel = not not_for_kernel(base)
    if by_kernel and not_for_kernel(new):
        return change, KERNEL
    if plays_the_same(base, new) if by_kernel else differing_rules(base, new) == ["deal.cut-minimum"]:
        return change, None
    return change, "" if same_hands(base, new) else HANDS


def _values(spec: Spec, base: Profile, rules: Container[str] | None) -> Iterator[MeasurableChange]:
    known = (spec if spec.variants[base.id].draft else spec.shown()).rules.keys()
    for rule in spec.rules.values():
        if rule.id not in base.settings or not is_seen(rule.id) or (rules is not None and rule.id not in rules):
            continue
        for value in _drawn(rule, base, spec):
            also = _also(base, rule.id, value, spec)
            # The pages, on which drafts are not, know nothing of what drafts alone have rules for.
            if also.keys() <= known:
                yield MeasurableChange(variant=base.id, rule=rule.id, value=value, also=also)


def _drawn(rule: Rule, base: Profile, spec: Spec) -> list[Any]:
    """Return the other values of a rule that are measured: all that are listed, or that others play, and some drawn."""
    values, listed = other_values(rule, base, spec), [*listed_values(rule.value_schema), *spec.played_values(rule.id)]
    played = [value for value in values if value in listed]
    rest = [value for value in values if value not in listed]
    return [*played, *rest[:: max(1, -(-len(rest) // MOST_DRAWN))]]


def _also(base: Profile, rule: str, value: Any, spec: Spec) -> Mapping[str, Any]:
    """Return the values of rules that come to matter where a rule has another value, as other variants have them."""
    try:
        settings = changed_profile(base, {rule: value}, spec).settings
    except KeyError:
        return {}
    return {other: one.value for other, one in settings.items() if other not in base.settings}


_SHEET_UNIT: Final = "scoring.sheet-unit"


def is_in_another_unit(rule: Rule, value: Any, base: Profile, spec: Spec) -> bool:
    """Say whether a value counts other points than the variant does: nobody plays it without changing the unit too.

    It does where it is the variant's own value in tens or tenths, where all who play it keep a sheet in another unit
    and it is points of the sheet, and where it is the unit of the sheet itself.
    """
    if rule.id == _SHEET_UNIT:
        return True
    units = _units_of(rule.id, value, spec)
    if base.value(_SHEET_UNIT) in units:
        return False
    tens = [mixed for way, mixed in mixed_up(rule, base, spec) if way.startswith(WRONG_UNIT)]
    return value in tens or (bool(units) and _is_points_of_sheet(rule))


def _is_points_of_sheet(rule: Rule) -> bool:
    """Say whether what a rule's values mean hangs on what a point of the sheet is."""
    return any(_SHEET_UNIT in words.when for words in rule.wording.alternatives)


def _units_of(rule: str, value: Any, spec: Spec) -> set[int]:
    """Return what a point of the sheet is wherever a value of a rule is played: in a variant, or with an option."""
    found = set()
    for variant in spec.playable():
        ways = spec.ways_of(variant)
        for place in ({**ways[0], **changed} for changed in ways):
            if rule in place and place[rule].value == value:
                found.add(place[_SHEET_UNIT].value)
    return found


# What a kernel's record says of the way from a shuffled deck to the seats.
_OF_PLACES = ("first_seat", "full_seat", "cover", "turn_up", "cut_minimum")


def plays_the_same(old: Ruleset, new: Ruleset) -> bool:
    """Say whether two rulesets play the same, but for the places of the deck that a seat's cards come from."""
    (mine, tricks), (other, other_tricks) = kernel_rules(old), kernel_rules(new)
    if differing_fields(mine, other) - set(_OF_PLACES) or not same_deals(mine, other):
        return False
    return plain(tricks).tobytes() == plain(other_tricks).tobytes()


def same_hands(old: Ruleset, new: Ruleset) -> bool:
    """Say whether everybody gets the same cards from the same deck by two rulesets, whoever takes."""
    mine, other = seat_tables(old), seat_tables(new)
    return all(np.array_equal(mine[name], other[name]) for name in ("full_seat", "cover"))


def plain(nodes: Records) -> Records:
    """Return a trick graph in which ladders that ask the same of every hand are the same.

    A hand that cannot follow holds nothing of the led suit, and a rung whose cards are all on rungs before it never
    binds.
    """
    found = nodes.copy()
    rungs, allowed = found["rungs"], found["allowed"]
    for sets in (rungs, allowed):
        sets[:, 1, :] &= ~found["led"][:, np.newaxis]
    before = np.zeros(rungs.shape[:2], dtype=rungs.dtype)
    for rung in range(rungs.shape[2]):
        binds = (rungs[:, :, rung] & ~before) != 0
        before |= rungs[:, :, rung]
        for sets in (rungs, allowed):
            sets[:, :, rung] = np.where(binds, sets[:, :, rung], 0)
    order = np.argsort(rungs == 0, axis=2, kind="stable")
    for sets in (rungs, allowed):
        sets[...] = np.take_along_axis(sets, order, axis=2)
    return found


def same_deals(old: Records, new: Records) -> bool:
    """Say whether the same numbers of cards go the same ways, so that a shuffled deck makes any hands as likely."""
    if covers(old) or covers(new):
        return all(np.array_equal(old[name], new[name]) for name in _OF_PLACES if name != "cut_minimum")
    return _ways(old) == _ways(new)


def _ways(record: Records) -> list[list[tuple[int, ...]]]:
    """Return by dealer and taker where the card of each place of the deck goes, the places in no order."""
    seats, places = range(int(record["players"])), range(int(record["number_of_cards"]))
    first, full, turn_up = record["first_seat"].tolist(), record["full_seat"].tolist(), int(record["turn_up"])
    return [
        sorted((place == turn_up, first[dealer][place], full[dealer][taker][place]) for place in places)
        for dealer in seats
        for taker in seats
    ]


# Significant digits: an interval is never narrower than the last of them, whatever is measured.
_DIGITS: Final = 4


# Which figure: of a change, as ``name_of`` names it, with some players.
Figure = tuple[str, str]


def head_of(spec: Spec, variant: str, seed: int) -> Json:
    """Return what all figures of a file hang on."""
    rules = seen_values(spec.profile(variant).settings)
    return {"version": WORTH_VERSION, "variant": variant, "edition": EDITION, "rules": rules, "seed": seed}


def known_figures(spec: Spec, path: Path, head: Json, deals: int) -> dict[Figure, Json]:
    """Return the figures of a file that were found by the same rules and seed, on so many deals at least."""
    if not path.is_file():
        return {}
    data = read_json(path)
    alike = isinstance(data, dict) and all(data.get(key) == value for key, value in head.items() if key != "rules")
    if not alike or not plays_still(spec, head["variant"], data["rules"]):
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


# A change, with which players, and what is found of it.
Asked = tuple[MeasurableChange, str]
Work = Callable[[Callable[[Asked], Json], Iterable[Asked]], Generator[Json, None, None]]


def by_processes(jobs: int) -> Work:
    """Return what measures changes in processes of this machine."""

    def measure(one: Callable[[Asked], Json], asked: Iterable[Asked]) -> Generator[Json, None, None]:
        make_ready()
        return in_processes(one, asked, jobs)

    return measure


def by_cluster(scheduler: str) -> Work:
    """Return what measures changes on a Dask cluster."""
    return partial(on_cluster, scheduler)


def measured(seed: int, deals: int, asked: Asked) -> Json:
    """Return the figures of a change with some players, on the first matches that make so many deals."""
    change, player = asked
    base, new = base_of(change.variant), compile_profile(change.profile(default_spec()))
    if not_for_kernel(base) or not_for_kernel(new):
        return figure(_by_engine(PairedTable(base, new, SIMULATED[player], seed), deals), units(base, new)[0])
    kernel, sums, first = MatchKernel(base, new, player, seed), Sums(), 0
    while sums.deals < deals:
        sums += kernel.play(first, AT_ONCE).until(deals - sums.deals)
        first += AT_ONCE
    return figure(sums, units(base, new)[0])


def _by_engine(table: PairedTable, deals: int) -> Sums:
    """Return the sums of the first matches that make so many deals, played by the engine."""
    sums = Sums()
    for match in count():
        if sums.deals >= deals:
            break
        sums += table.play_match(match)
    return sums


class Measuring:
    """Finds the figures of a variant that a file does not have yet."""

    def __init__(self, path: Path, spec: Spec, changes: Changes, seed: int, deals: int) -> None:
        self._path, self._changes, self._seed, self._deals = path, changes, seed, deals
        self._head = head_of(spec, changes.base.profile.id, seed)
        self._left_out = {why: [change.named for change in some] for why, some in changes.left_out.items()}
        self._changed = [change.as_json(spec) for change in changes.noticed]
        self._found = known_figures(spec, path, self._head, deals)

    def missing(self) -> dict[Figure, Asked]:
        """Return the figures that are not known, each with the change and the players to play it with."""
        named = zip(map(name_of, self._changed), self._changes.noticed, strict=True)
        wanted = {(name, player): (change, player) for name, change in named for player in PLAYERS}
        return {figure: asked for figure, asked in wanted.items() if figure not in self._found}

    def measure(self, work: Work, told: Callable[[int], None]) -> list[Json]:
        """Find what is missing, and write the file, also when interrupted; ``told`` hears of each figure.

        Returns the changes with their figures.
        """
        missing = self.missing()
        found = work(partial(measured, self._seed, self._deals), missing.values())
        try:
            for name, one in zip(missing, found, strict=True):
                self._found[name] = one
                told(1)
        finally:
            found.close()
            rules = {name: list(getattr(self._changes, name)) for name in ("unnoticed", "uncompared")}
            head = {**self._head, **rules, "left_out": self._left_out}
            entries = write_figures(self._path, head, self._changed, self._found)
        return entries
