"""What a rule rests on where it is read: a statement, a reading of the source, or nothing in it; and the other ways."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from belot_site.content.edition import SiteEdition
from belot_site.content.library import grouped
from belot_spec.catalogue import Setting
from belot_spec.variants import Option

# What stands behind a value that no statement says in so many words.
MARKS: Final[Mapping[str, str]] = {"stated": "", "ruled": "°", "filled": "*"}


@dataclass(frozen=True, slots=True)
class OtherWay:
    """An option of a variant that changes a rule: its name, its title, the value in short, and the value's mark."""

    option: str
    title: str
    short: str
    mark: str


@dataclass(frozen=True, slots=True)
class Basis:
    """What one or more rules rest on in a variant, the foremost first, and the options that change them."""

    statuses: tuple[str, ...]
    rulings: tuple[str, ...]
    others: tuple[OtherWay, ...]

    @property
    def mark(self) -> str:
        """The mark of what is least sure among them."""
        return next((MARKS[status] for status in ("filled", "ruled") if status in self.statuses), "")

    @property
    def is_open(self) -> bool:
        """Whether there is more to tell than that a source says so."""
        return bool(self.mark or self.others)


def basis_of(edition: SiteEdition, rules: Iterable[str], variant: str) -> Basis:
    """Return what those of these rules rest on that come up in a variant."""
    settings = edition.library.profile(variant).settings
    known = [rule for rule in rules if rule in settings]
    found: Iterable[Setting] = [settings[rule] for rule in known]
    return Basis(
        tuple(dict.fromkeys(setting.status for setting in found)),
        tuple(dict.fromkeys(setting.ruling for setting in found if setting.ruling)),
        tuple(other for rule in known for other in other_ways(edition, rule, variant)),
    )


def other_ways(edition: SiteEdition, rule: str, variant: str) -> list[OtherWay]:
    """Return the options of a variant that change a rule."""
    library, told = edition.library, edition.at(variant)
    return [
        OtherWay(option.id, told.text(option.title), told.short(rule, setting.value), MARKS[setting.status])
        for option in library.spec.options_of(variant).values()
        if (setting := option.settings.get(rule)) is not None and rule in library.changed_by(variant, option)
    ]


def option_mark(option: Option) -> str:
    """Return the mark of an option: of what is least sure in it."""
    statuses = {setting.status for setting in option.settings.values()}
    return next((MARKS[status] for status in ("filled", "ruled") if status in statuses), "")


def in_words(edition: SiteEdition, basis: Basis) -> str:
    """Return in sentences what a basis is, or nothing where a source says it and nobody plays otherwise."""
    parts = [edition.word(f"basis-{status}") for status in ("ruled", "filled") if status in basis.statuses]
    titles = dict.fromkeys(f"“{other.title}”{other.mark}" for other in basis.others)
    if titles:
        parts.append(edition.word("basis-options", titles="; ".join(titles)))
    return " ".join(parts)


def open_in(edition: SiteEdition, rules: Iterable[str], variants: Iterable[str]) -> dict[Basis, list[str]]:
    """Return what these rules rest on wherever that is more than a statement, with the variants of which it is true."""
    asked = tuple(rules)
    found = grouped((basis_of(edition, asked, variant), variant) for variant in variants)
    return {basis: names for basis, names in found.items() if basis.is_open}
