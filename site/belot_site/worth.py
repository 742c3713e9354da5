"""What the rules are worth: a ranking for each variant, and a line on the page of each rule."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from belot_conformance.rules.reading import value_text
from belot_site.edition import Edition
from belot_site.pages import Page
from belot_spec.spec import Spec
from belot_spec.worth import PLAYERS, Estimate, Figures, Worth, variant_worth

# From here on a share is told as one deal in so many: "one deal in 1.4" is no way to speak.
_MOST_AS_FRACTION: Final = 0.4
_PER_CENT: Final = 100
_MANY: Final = 1000


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of a ranking: the option or rule, the other value in words, and the shares of both kinds of players."""

    rule: str
    title: str
    played: str
    instead: str
    sensible: str
    matches: str
    random: str


@dataclass(frozen=True, slots=True)
class Line:
    """What another value of a rule is worth in a variant, in a sentence."""

    variant: str
    sentence: str


def telling(spec: Spec, variant: str) -> Iterator[Worth]:
    """Yield the changes of a variant whose figures hold and were measured with sensible players."""
    for one in variant_worth(spec, variant).fresh():
        figures = one.players.get("sensible")
        if figures and figures.deals:
            yield one


@cache
def shares(spec: Spec, variant: str) -> Mapping[tuple[str, str], float]:
    """Return the share of deals that another value of a rule decides otherwise, by rule and the value as a text."""
    return {(one.rule, value_text(one.value)): one.share() for one in telling(spec, variant) if one.rule}


def worth_pages(edition: Edition) -> Iterator[Page]:
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
                "deals": figures.simulated,
                "seed": found.seed,
                "unnoticed": [rule for rule in found.unnoticed if rule in edition.library.spec.rules],
                "uncompared": [rule for rule in found.apart() if rule in edition.library.spec.rules],
            }
            yield Page(f"variants/{variant}/matters", "worth.md", title, context, edition.word("matters-lead"))


def ranking(edition: Edition, variant: str) -> list[Ranked]:
    """Return the options and rules of a variant, each with the change by which most deals end otherwise, that first."""
    found: dict[str, Worth] = {}
    for one in variant_worth(edition.library.spec, variant).ranking():
        if one.option or _told(edition, one):
            found.setdefault(one.option or one.rule or "", one)
    return [_ranked(edition, one) for one in found.values()]


def lines_of(edition: Edition, rule: str) -> list[Line]:
    """Return for each variant what the other value of a rule by which most deals end otherwise does there."""
    lines = []
    for variant in edition.library.variants:
        told = [one for one in variant_worth(edition.library.spec, variant).of_rule(rule) if _told(edition, one)]
        measured = [one for one in told if all(player in one.players for player in PLAYERS)]
        if measured:
            most = max(measured, key=lambda one: max(map(one.share, PLAYERS)))
            lines.append(Line(variant, sentence(edition, most)))
    return lines


def sentence(edition: Edition, one: Worth) -> str:
    """Return in a sentence how often deals end otherwise by a change."""
    often = {player: _often(edition, one.share(player)) for player in PLAYERS if player in one.players}
    value = _told(edition, one)
    if len(set(often.values())) == 1:
        return edition.word("matters-all", value=value, often=next(iter(often.values())))
    return edition.word("matters-each", value=value, **often)


def _often(edition: Edition, share: float) -> str:
    if share * _MANY < 1:
        return edition.word("matters-hardly")
    if share > _MOST_AS_FRACTION:
        return edition.word("matters-of-hundred", n=round(_PER_CENT * share))
    return edition.word("matters-one-in", n=round(1 / share))


def _told(edition: Edition, one: Worth) -> str:
    return edition.short(one.rule, one.value) if one.rule else ""


def _ranked(edition: Edition, one: Worth) -> Ranked:
    spec, rule = edition.library.spec, one.rule or ""
    if one.option:
        title, played, instead = edition.text(spec.options_of(one.variant)[one.option].title), "", ""
    else:
        title = edition.rule_title(rule)
        played = edition.short(rule, edition.library.profile(one.variant).value(rule))
        instead = _told(edition, one)
    sensible, matches = _shares(edition, one.players.get("sensible"))
    return Ranked(rule, title, played, instead, sensible, matches, _shares(edition, one.players.get("random"))[0])


def _shares(edition: Edition, figures: Figures | None) -> tuple[str, str]:
    if figures is None:
        return "", ""
    return _share(edition, figures.deals), _share(edition, figures.matches)


def _share(edition: Edition, share: Estimate | None) -> str:
    """Return a share of a hundred with its interval, as many digits as the interval allows."""
    if share is None:
        return ""
    digits = 1 if share.high - share.low > 0.002 else 2
    value, low, high = (f"{_PER_CENT * one:.{digits}f}" for one in (share.value, share.low, share.high))
    shown = f"{value} ({low}–{high})"
    return shown.replace(".", ",") if edition.language == "nl" else shown
