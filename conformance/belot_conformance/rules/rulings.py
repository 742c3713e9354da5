"""Which rulings concern a rule or a variant, whether one of its values names them or they only touch it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from belot_spec.documents import read_document
from belot_spec.register import Ruling
from belot_spec.spec import Spec
from belot_spec.variants import Setting


def variant_of(profile: str) -> str:
    """Return the variant that a profile changes; for a file of house rules, that of its base."""
    name = str(read_document(Path(profile)).data["base"]) if profile.endswith((".yaml", ".yml")) else profile
    return name.split("+")[0]


def rulings_on_rule(rule: str, spec: Spec, variants: Iterable[str] | None = None) -> list[Ruling]:
    """Return the rulings on a rule, in every variant or in some, in the order of the register."""
    among = set(spec.playable() if variants is None else variants)
    named = {way[rule].ruling for variant in among for way in _ways(variant, spec) if rule in way}
    return [ruling for ruling in spec.rulings.values() if ruling.id in named or _touches(ruling, {rule}, among)]


def rulings_on_variant(variant: str, spec: Spec) -> list[Ruling]:
    """Return the rulings on the rules of a variant and of its options, in the order of the register."""
    ways = _ways(variant, spec)
    rules = {rule for way in ways for rule in way}
    named = {setting.ruling for way in ways for setting in way.values()}
    return [ruling for ruling in spec.rulings.values() if ruling.id in named or _touches(ruling, rules, {variant})]


def _ways(variant: str, spec: Spec) -> Sequence[Mapping[str, Setting]]:
    """Return the values of a variant, and those that each of its options gives."""
    return [spec.profile(variant).settings, *(option.settings for option in spec.options_of(variant).values())]


def _touches(ruling: Ruling, rules: set[str], variants: set[str]) -> bool:
    """Say whether a ruling lists one of these rules, for one of these variants; without variants it is for all."""
    return not rules.isdisjoint(ruling.rules) and (not ruling.variants or not variants.isdisjoint(ruling.variants))
