"""What the rules are worth: a ranking for each variant, and a line on the page of each rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from belot_conformance.rules.reading import value_text
from belot_site.content.edition import SiteEdition
from belot_site.content.library import grouped
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

Row = dict[str, Any]


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
    library = edition.library
    for variant in library.variants:
        if not (rows := ranking(edition, variant)):
            continue
        found = variant_worth(library.spec, variant)
        figures = next(one for one in found.fresh() if "sensible" in one.players).players["sensible"]
        context = {
            "variant": variant,
            "rows": rows,
            "matches": _rows(edition, found.match_ranking()),
            "tried": _rows(edition, found.ranking(played=False)),
            "deals": edition.number(round(figures.simulated, 2 - len(str(figures.simulated)))),
            "numbers": library.reference.ruleset(variant).has_amounts,
            "unnoticed": [rule for rule in found.unnoticed if rule in library.spec.rules],
            "uncompared": _uncompared(edition, found),
            "units": _unmeasured(edition, variant, found.left_out.get(UNIT, ())),
            "kernel": _unmeasured(edition, variant, found.left_out.get(KERNEL, ())),
        }
        title, lead = edition.word("matters-title", name=edition.variant_name(variant)), edition.word("matters-lead")
        yield SitePage(f"variants/{variant}/matters", "worth.md", title, context, lead, profile=variant)


def ranking(edition: SiteEdition, variant: str) -> list[Row]:
    """Return the house rules of a variant's deals: its options, and of each rule the value that people elsewhere play.

    That by which most deals end otherwise is first.
    """
    return _rows(edition, variant_worth(edition.library.spec, variant).ranking(played=True))


def _rows(edition: SiteEdition, measured: Sequence[Worth]) -> list[Row]:
    """Return the first change of each rule, in words, and all options; what an option does alone is not told twice."""
    found: dict[str, Worth] = {}
    for one in measured:
        if one.option or (_value(edition, one) and not _is_an_option(edition, one)):
            found.setdefault(one.option or one.rule or "", one)
    return [_row(edition, one) for one in found.values()]


def _is_an_option(edition: SiteEdition, one: Worth) -> bool:
    options = (option.settings for option in edition.library.spec.options_of(one.variant).values())
    return any(own.keys() == {one.rule} and own[one.rule or ""].value == one.value for own in options)


def _row(edition: SiteEdition, one: Worth) -> Row:
    """Return a row of a ranking: the option or rule, its own and the other value in words, and what that is worth.

    ``length`` is by how many deals a match is longer.
    """
    library, edition = edition.library, edition.at(one.variant)
    rule, sensible = one.rule or "", one.players.get("sensible")
    option = library.spec.options_of(one.variant)[one.option] if one.option else None
    return {
        "rule": rule,
        "title": edition.rule_title(rule) if option is None else edition.text(option.title),
        "played": edition.short(rule, library.profile(one.variant).value(rule)) if option is None else "",
        "instead": _value(edition, one),
        "sensible": _shown(edition, sensible.deals if sensible else None, _PER_CENT),
        "matches": _shown(edition, sensible.matches if sensible else None, _PER_CENT),
        "length": _shown(edition, sensible.length if sensible else None, 1),
    }


def _shown(edition: SiteEdition, found: Estimate | None, times: int) -> str | None:
    """Return an estimate with as many digits as its interval allows."""
    if found is None:
        return None
    digits = 1 if times * (found.high - found.low) > _NARROW else 2
    # What is rounded to nothing has no sign.
    told = f"{round(times * found.value, digits) + 0.0:.{digits}f}".replace("-", "−")
    return decimal_number(told, edition.language)


def _uncompared(edition: SiteEdition, found: VariantWorth) -> list[Row]:
    """Return what cannot be compared deal by deal: whole rules, and single values of others."""
    whole, hands = found.apart(), found.left_out.get(HANDS, ())
    rules = [_named(edition, rule) for rule in whole if rule in edition.library.spec.rules]
    others = [one for one in hands if one.option or one.subject not in whole]
    in_order = sorted(others, key=lambda one: one.subject not in whole)
    return [*rules, *_unmeasured(edition, found.variant, in_order)]


def _unmeasured(edition: SiteEdition, variant: str, left_out: Iterable[VariantChange]) -> list[Row]:
    """Return what was left out, options first, then a rule each with its values as far as there are words for them."""
    options = edition.library.spec.options_of(variant)
    titles = [edition.text(options[one.option].title) for one in left_out if one.option]
    values = grouped((one.rule or "", edition.short(one.rule or "", one.value)) for one in left_out if not one.option)
    named = (_named(edition, rule, list(filter(None, some))) for rule, some in values.items())
    return [*({"rule": "", "title": title, "values": []} for title in titles), *named]


def _named(edition: SiteEdition, rule: str, values: Sequence[str] = ()) -> Row:
    return {"rule": rule, "title": edition.rule_title(rule), "values": values}


def lines_of(edition: SiteEdition, rule: str) -> dict[str, str]:
    """Return for each variant, in a sentence, what the other value by which most deals end otherwise does there."""
    lines = {}
    for variant in edition.library.variants:
        told = [one for one in variant_worth(edition.library.spec, variant).of_rule(rule) if _value(edition, one)]
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
    value = _value(edition, one)
    if len(set(often.values())) == 1:
        return edition.word(f"matters-{kind}all", value=value, often=next(iter(often.values())))
    return edition.word(f"matters-{kind}each", value=value, **often)


def _often(edition: SiteEdition, share: float, kind: str) -> str:
    if share * _MANY < 1:
        return edition.word(f"matters-{kind}hardly")
    if share > _MOST_AS_FRACTION:
        return edition.word(f"matters-{kind}of-hundred", n=round(_PER_CENT * share))
    return edition.word(f"matters-{kind}one-in", n=round(1 / share))


def _value(edition: SiteEdition, one: Worth) -> str:
    return edition.at(one.variant).short(one.rule, one.value) if one.rule else ""
