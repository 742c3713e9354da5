"""What each option and each other value of a rule is worth: the figures in ``spec/worth``, and whether they still hold.

``belot lab worth`` of the workshop measures them. A figure says how often the same deal, with the same players, ends
otherwise by a change of a variant. It is fresh as long as the variant has the values with which it was measured.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Setting
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.files import canonical, read_json
from belot_spec.load.schemas import explain, is_valid
from belot_spec.spec import Spec
from belot_spec.variants import defaults_of

WORTH_VERSION: Final = 2
# Grows when the same rules, seed and deals come to give other figures.
EDITION: Final = 1
PLAYERS: Final = ("random", "sensible")

# Rules by which simulated players never play otherwise: they are about paper, talk, looking back, faults and shuffling.
_UNSEEN: Final = (
    "presentation.",
    "penalties.",
    "play.review-tricks",
    "deal.shuffle-passes",
    "deal.cut-required",
    "deal.cutter",
    "match.surplus",
)

# Why a change that players would notice is not measured: the same deck gives them other hands, so that nearly every
# deal ends otherwise whatever the rule is worth; its points are of another unit; the kernel has no room for its ladders
# or bids.
HANDS: Final = "hands"
UNIT: Final = "unit"
KERNEL: Final = "kernel"
REASONS: Final = (HANDS, UNIT, KERNEL)

# Rules of this topic decide when a match ends, and hardly how a deal does.
_OF_MATCHES: Final = "match."


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share (0 to 1) or a mean, with the limits of its 95 % interval."""

    value: float
    low: float
    high: float

    def in_percent(self) -> str:
        """Return a share in per cent with its interval: ``0.42 (0.40–0.44)``."""
        value, low, high = (100 * one for one in (self.value, self.low, self.high))
        return f"{value:.2f} ({low:.2f}–{high:.2f})"


@dataclass(frozen=True, slots=True)
class Figures:
    """What one kind of players gave: shares of decisions, deals and matches that are otherwise, and means.

    ``taker`` is what the taker's side gains a deal, in the variant's score points, ``length`` by how many deals a match
    is longer. ``None`` where there was nothing to estimate from.
    """

    simulated: int
    decisions: Estimate | None
    deals: Estimate | None
    matches: Estimate | None
    taker: Estimate | None
    length: Estimate | None


@dataclass(frozen=True, slots=True)
class VariantChange:
    """One change of a variant: an option, or a rule with another value."""

    option: str | None = None
    rule: str | None = None
    value: Any = None

    @property
    def subject(self) -> str:
        """What is changed: ``+option``, or the rule."""
        return f"+{self.option}" if self.option else str(self.rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth(VariantChange):
    """What a change of a variant is worth; ``also`` are values of rules that come to matter with it.

    ``players`` has the figures of ``random`` and ``sensible`` players, those that were measured. ``played`` says
    whether a variant or an option plays the value: the others are tried to see how much hangs on the rule.
    ``of_match`` says whether all that changes is when a match ends and who wins it.
    """

    variant: str
    also: Mapping[str, Any]
    players: Mapping[str, Figures]
    fresh: bool
    played: bool
    of_match: bool

    @property
    def name(self) -> str:
        """What the change is called in a list."""
        return f"+{self.option}" if self.option else f"{self.rule}: {json.dumps(self.value)}"

    def share(self, player: str = "sensible") -> float:
        """Return the share of deals that end otherwise with some players; 0 where it was not measured.

        Of what only decides when a match ends, the share of matches that another side wins.
        """
        figures = self.players.get(player)
        share = figures and (figures.matches if self.of_match else figures.deals)
        return share.value if share else 0.0


@dataclass(frozen=True, slots=True)
class VariantWorth:
    """The figures of a variant, with the seed they came from.

    ``unnoticed`` are ``+option`` and rules by which no simulated player plays otherwise,
    ``uncompared`` are rules of which no other value can be played with as many players and the same cards.
    ``left_out`` are by why (``REASONS``) the options and other values of rules that are noticed and not measured.
    """

    variant: str
    seed: int = 0
    changes: tuple[Worth, ...] = ()
    unnoticed: tuple[str, ...] = ()
    uncompared: tuple[str, ...] = ()
    left_out: Mapping[str, tuple[VariantChange, ...]] = field(default_factory=dict)

    def of_value(self, rule: str, value: Any) -> Worth | None:
        """Return what another value of a rule is worth, ``None`` where that is not known, or no longer."""
        wanted = canonical(value)
        return next((one for one in self.of_rule(rule) if canonical(one.value) == wanted), None)

    def of_rule(self, rule: str) -> list[Worth]:
        """Return what the other values of a rule are worth, as far as it is known."""
        return [one for one in self.fresh() if one.rule == rule]

    def fresh(self) -> Iterator[Worth]:
        """Yield the figures that still hold."""
        return (one for one in self.changes if one.fresh)

    def apart(self) -> list[str]:
        """Return the ``+option`` and rules of which nothing is measured, as it cannot be compared deal by deal."""
        told = {one.subject for one in self.changes}
        left = [one.subject for one in self.left_out.get(HANDS, ()) if one.subject not in told]
        return [*dict.fromkeys((*self.uncompared, *left))]

    def ranking(self, player: str = "sensible", *, played: bool | None = None) -> list[Worth]:
        """Return the changes whose figures still hold, those by which most deals end otherwise first.

        ``played`` asks for those that a variant or an option plays, or for the others. What only decides when a match
        ends has a ranking of its own.
        """
        return [one for one in self._ranked(player, of_match=False) if played is None or one.played is played]

    def match_ranking(self, player: str = "sensible") -> list[Worth]:
        """Return the changes that only decide when a match ends, those by which most are won by others first."""
        return self._ranked(player, of_match=True)

    def _ranked(self, player: str, *, of_match: bool) -> list[Worth]:
        measured = (one for one in self.fresh() if player in one.players and one.of_match is of_match)
        return sorted(measured, key=lambda one: (-one.share(player), one.name))


def worth_folder(spec: Spec) -> Path:
    """Return the folder of the figures of a spec."""
    return spec.folder / "worth"


@lru_cache(maxsize=32)
def variant_worth(spec: Spec, variant: str) -> VariantWorth:
    """Return the figures of a variant; none where none were measured.

    Raises ``SpecError`` for a file that is damaged, or that names an option or a rule that there is not.
    """
    path = worth_folder(spec) / f"{variant}.json"
    return read_worth(path, spec) if path.is_file() else VariantWorth(variant)


def read_worth(path: Path, spec: Spec) -> VariantWorth:
    """Read a file of figures, held against the rules of a spec; raises ``SpecError`` as ``variant_worth`` does."""
    data = read_json(path)
    told = [] if is_valid(data, "worth") else explain(data, "worth")
    problems = [Problem(path, 1, ".".join(map(str, at)), message) for at, message in told]
    problems = problems or list(_wrong_names(path, data, spec))
    refuse(problems)
    variant = data["variant"]
    holds = data["edition"] == EDITION and plays_still(spec, variant, data["rules"])
    options, played = spec.options_of(variant), _played_values(spec)

    def worth(entry: Mapping[str, Any]) -> Worth:
        option = entry.get("option")
        changed = options[option].settings if option else (entry["rule"], *entry.get("also", ()))
        return Worth(
            variant=variant,
            option=option,
            rule=entry.get("rule"),
            value=entry.get("value"),
            also=entry.get("also", {}),
            players={player: _figures(entry[player]) for player in PLAYERS if player in entry},
            fresh=holds and (option is None or entry["rules"] == rules_digest(options[option].settings)),
            played=option is not None or canonical(entry["value"]) in played.get(entry["rule"], ()),
            of_match=all(rule.startswith(_OF_MATCHES) for rule in changed),
        )

    unnoticed, uncompared = (tuple(data[name]) for name in ("unnoticed", "uncompared"))
    left_out = {
        why: tuple(VariantChange(one.get("option"), one.get("rule"), one.get("value")) for one in some)
        for why, some in data["left_out"].items()
    }
    return VariantWorth(variant, data["seed"], tuple(map(worth, data["changes"])), unnoticed, uncompared, left_out)


@lru_cache(maxsize=4)
def _played_values(spec: Spec) -> Mapping[str, set[str]]:
    """Return for each rule the values, as texts, that any variant or option gives it."""
    found: dict[str, set[str]] = {}
    for variant in spec.playable():
        for settings in spec.ways_of(variant):
            for rule, setting in settings.items():
                found.setdefault(rule, set()).add(canonical(setting.value))
    return found


def stale_worth(spec: Spec) -> dict[str, list[str]]:
    """Return the changes of each variant whose figures were measured by other rules, by name; raises ``SpecError``."""
    paths = sorted(worth_folder(spec).glob("*.json"))
    every = [read_worth(path, spec) for path in paths]
    return {one.variant: stale for one in every if (stale := [x.name for x in one.changes if not x.fresh])}


def plays_still(spec: Spec, variant: str, measured: Mapping[str, Any]) -> bool:
    """Say whether a variant plays what was measured: the same values, and of rules that came since their default.

    A default is what everybody played before there was the rule.
    """
    values = {**{name: one.value for name, one in defaults_of(spec.rules).items() if is_seen(name)}, **measured}
    now = seen_values(spec.profile(variant).settings)
    return canonical(now) == canonical({rule: values[rule] for rule in {**now, **measured} if rule in values})


def seen_values(settings: Mapping[str, Setting]) -> dict[str, Any]:
    """Return the values that figures hang on, in a fixed order; what no simulated player notices is left out."""
    return {rule: settings[rule].value for rule in sorted(settings) if is_seen(rule)}


def rules_digest(settings: Mapping[str, Setting]) -> str:
    """Return a digest of the values that figures hang on."""
    return sha256(canonical(seen_values(settings)).encode()).hexdigest()[:16]


def is_seen(rule: str) -> bool:
    """Say whether simulated players may play otherwise by a rule."""
    return not rule.startswith(_UNSEEN)


def _figures(data: Mapping[str, Any]) -> Figures:
    estimates = {name: one and Estimate(*one) for name, one in data.items() if name != "simulated"}
    return Figures(simulated=data["simulated"], **estimates)


def _wrong_names(path: Path, data: Mapping[str, Any], spec: Spec) -> Iterator[Problem]:
    variant, advice = data["variant"], "; measure anew with make worth"
    if variant not in spec.playable() or path.stem != variant:
        hint = nearest(variant, spec.playable())
        yield Problem(path, 1, "variant", f"these are the figures of {variant}, not of {path.stem}{hint}{advice}")
        return
    options = spec.options_of(variant)
    for number, entry in enumerate(data["changes"]):
        at = f"changes.{number}"
        if "option" in entry and (option := entry["option"]) not in options:
            yield Problem(path, 1, at, f"{variant} has no option {option}{nearest(option, options)}{advice}")
        for rule in [*entry.get("also", ()), *([entry["rule"]] if "rule" in entry else [])]:
            if rule not in spec.rules:
                yield Problem(path, 1, at, f"there is no rule {rule}{nearest(rule, spec.rules)}{advice}")
    known = {*spec.rules, *(f"+{option}" for option in options)}
    left_out = [one for some in data["left_out"].values() for one in some]
    named = [f"+{one['option']}" if "option" in one else one["rule"] for one in left_out]
    for rule in (*data["unnoticed"], *data["uncompared"], *named):
        if rule not in known:
            yield Problem(path, 1, rule, f"there is no rule {rule}{nearest(rule, spec.rules)}{advice}")
