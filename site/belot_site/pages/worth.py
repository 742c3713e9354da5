"""What the rules are worth: a ranking for each variant, and a line on the page of each rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from belot_conformance.rules.reading import value_text
from belot_site.content.edition import SiteEdition
from belot_site.pages.page import SitePage
from belot_spec.languages import decimal_number
from belot_spec.load.worth import (
    HANDS,
    KERNEL,
    PLAYERS,
    UNIT,
    Estimate,
    VariantChange,
    VariantWorth,
    Worth,
    variant_worth,
)
from belot_spec.spec import Spec

# From here on a share is told as one deal in so many: "one deal in 1.4" is no way to speak.
_MOST_AS_FRACTION: Final = 0.4
_PER_CENT: Final = 100
_MANY: Final = 1000
# An interval that is no wider has a second digit to show.
_NARROW: Final = 0.1


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A row of a ranking: the option or rule, its own and the other value in words, and what the change is worth.

    ``length`` is by how many deals a match is longer.
    """

    rule: str
    title: str
    played: str
    instead: str
    sensible: str | None
    matches: str | None
    length: str | None


@dataclass(frozen=True, slots=True)
class UnmeasuredChange:
    """An option, or a rule with those of its values that were not measured; all of them where none is named."""

    rule: str
    title: str
    values: tuple[str, ...] = ()


def telling(spec: Spec, variant: str) -> Iterator[Worth]:
    """Yield the changes of a variant whose figures hold and were measured with sensible players."""
    for one in variant_worth(spec, variant).fresh():
        figures = one.players.get("sensible")
        if figures and figures.deals:
            yield one


@cache
def shares(spec: Spec, variant: str) -> Mapping[tuple[str, str], float]:
    """Return the share of deals that another value of a rule decides otherwise, by rule and the value as a text.

    What only decides when a match ends is left out: of its deals it tells little.
    """
    deals = (one for one in telling(spec, variant) if not one.of_match)
    return {(one.rule, value_text(one.value)): one.share() for one in deals if one.rule}


def worth_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield for each variant whose figures hold the rules that matter most."""
    for variant in edition.library.variants:
        rows = ranking(edition, variant)
        if rows:
            found = variant_worth(edition.library.spec, variant)
            figures = next(one for one in found.fresh() if "sensible" in one.players).players["sensible"]
            title = edition.word("matters-title", name=edition.variant_name(variant))
            context = {
                "variant": variant,
                "rows": rows,
                "matches": _rows(edition, found.match_ranking()),
                "tried": _rows(edition, found.ranking(played=False)),
                "deals": edition.number(round(figures.simulated, -3)),
                "numbers": edition.library.reference.ruleset(variant).has_amounts,
                "unnoticed": [rule for rule in found.unnoticed if rule in edition.library.spec.rules],
                "uncompared": _uncompared(edition, found),
                "units": _unmeasured(edition, variant, found.left_out.get(UNIT, ())),
                "kernel": _unmeasured(edition, variant, found.left_out.get(KERNEL, ())),
            }
            lead = edition.word("matters-lead")
            yield SitePage(f"variants/{variant}/matters", "worth.md", title, context, lead, profile=variant)


def ranking(edition: SiteEdition, variant: str) -> list[RankingRow]:
    """Return the house rules of a variant's deals: its options, and of each rule the value that people elsewhere play.

    That by which most deals end otherwise is first.
    """
    return _rows(edition, variant_worth(edition.library.spec, variant).ranking(played=True))


def _rows(edition: SiteEdition, measured: Sequence[Worth]) -> list[RankingRow]:
    """Return the first change of each rule, in words, and all options; what an option does alone is not told twice."""
    found: dict[str, Worth] = {}
    for one in measured:
        if one.option or (_told(edition, one) and not _is_an_option(edition, one)):
            found.setdefault(one.option or one.rule or "", one)
    return [_ranked(edition, one) for one in found.values()]


def _is_an_option(edition: SiteEdition, one: Worth) -> bool:
    options = edition.library.spec.options_of(one.variant).values()
    alone = [option.settings for option in options if option.settings.keys() == {one.rule}]
    return any(settings[one.rule or ""].value == one.value for settings in alone)


def _uncompared(edition: SiteEdition, found: VariantWorth) -> list[UnmeasuredChange]:
    """Return what cannot be compared deal by deal: whole rules, and single values of others."""
    whole = found.apart()
    single = [one for one in found.left_out.get(HANDS, ()) if one.subject not in whole]
    rules = [rule for rule in whole if rule in edition.library.spec.rules]
    options = [one for one in found.left_out.get(HANDS, ()) if one.option and one.subject in whole]
    told = [UnmeasuredChange(rule, edition.rule_title(rule)) for rule in rules]
    return [*told, *_unmeasured(edition, found.variant, [*options, *single])]


def _unmeasured(edition: SiteEdition, variant: str, left_out: Iterable[VariantChange]) -> list[UnmeasuredChange]:
    """Return what was left out, a rule each with its values as far as there are words for them."""
    values: dict[str, list[str]] = {}
    options = edition.library.spec.options_of(variant)
    told = []
    for one in left_out:
        if one.option:
            told.append(UnmeasuredChange("", edition.text(options[one.option].title)))
        else:
            values.setdefault(one.rule or "", []).append(edition.short(one.rule or "", one.value))
    rules = {rule: tuple(filter(None, some)) for rule, some in values.items()}
    return [*told, *(UnmeasuredChange(rule, edition.rule_title(rule), some) for rule, some in rules.items())]


def lines_of(edition: SiteEdition, rule: str) -> dict[str, str]:
    """Return for each variant, in a sentence, what the other value by which most deals end otherwise does there."""
    lines = {}
    for variant in edition.library.variants:
        told = [one for one in variant_worth(edition.library.spec, variant).of_rule(rule) if _told(edition, one)]
        measured = [one for one in told if all(player in one.players for player in PLAYERS)]
        known = [one for one in measured if one.played] or measured
        if known:
            most = max(known, key=lambda one: max(one.share(player) for player in PLAYERS))
            lines[variant] = sentence(edition, most)
    return lines


def sentence(edition: SiteEdition, one: Worth) -> str:
    """Return in a sentence how often deals end otherwise by a change, or others win the match."""
    kind = "match-" if one.of_match else ""
    often = {player: _often(edition, one.share(player), kind) for player in PLAYERS if player in one.players}
    value = _told(edition, one)
    if len(set(often.values())) == 1:
        return edition.word(f"matters-{kind}all", value=value, often=next(iter(often.values())))
    return edition.word(f"matters-{kind}each", value=value, **often)


def _often(edition: SiteEdition, share: float, kind: str) -> str:
    if share * _MANY < 1:
        return edition.word(f"matters-{kind}hardly")
    if share > _MOST_AS_FRACTION:
        return edition.word(f"matters-{kind}of-hundred", n=round(_PER_CENT * share))
    return edition.word(f"matters-{kind}one-in", n=round(1 / share))


def _told(edition: SiteEdition, one: Worth) -> str:
    return edition.at(one.variant).short(one.rule, one.value) if one.rule else ""


def _ranked(edition: SiteEdition, one: Worth) -> RankingRow:
    spec, rule, edition = edition.library.spec, one.rule or "", edition.at(one.variant)
    if one.option:
        title, played, instead = edition.text(spec.options_of(one.variant)[one.option].title), "", ""
    else:
        title = edition.rule_title(rule)
        played = edition.short(rule, edition.library.profile(one.variant).value(rule))
        instead = _told(edition, one)
    sensible = one.players.get("sensible")
    return RankingRow(
        rule,
        title,
        played,
        instead,
        _shown(edition, sensible.deals if sensible else None, _PER_CENT),
        _shown(edition, sensible.matches if sensible else None, _PER_CENT),
        _shown(edition, sensible.length if sensible else None, 1),
    )


def _shown(edition: SiteEdition, found: Estimate | None, times: int) -> str | None:
    """Return an estimate with as many digits as its interval allows."""
    if found is None:
        return None
    digits = 1 if times * (found.high - found.low) > _NARROW else 2
    # What is rounded to nothing has no sign.
    told = f"{round(times * found.value, digits) + 0.0:.{digits}f}".replace("-", "−")
    return decimal_number(told, edition.language)
