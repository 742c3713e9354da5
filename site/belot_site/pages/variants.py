"""The home page, and for each variant its page, what to agree on, and one sheet to print."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from belot_site.content.drawing import decks, order_note
from belot_site.content.edition import MARKS, Basis, SiteEdition, basis_of, option_mark
from belot_site.content.library import grouped, sources_of
from belot_site.pages.page import SitePage
from belot_site.pages.questions import questions
from belot_site.pages.rules import options_about
from belot_site.pages.worth import ranking
from belot_spec.catalogue import Rule, Setting
from belot_spec.spec import Profile

# What people ask first of a game; each is one number, so that the rule's title and its value say it all.
_AT_A_GLANCE: Final = (
    "deal.players", "match.target", "match.deals", "scoring.last-trick", "scoring.all-tricks.points",
    "declarations.belote.points", "declarations.in-trick.royal-points",
)  # fmt: skip
# How long a match is.
_LENGTHS: Final = ("match.target", "match.deals")
# The rest are counted in the points of the sheet.
_IN_CARD_POINTS: Final = (
    "scoring.last-trick", "scoring.all-tricks.points",
    "declarations.belote.points", "declarations.in-trick.royal-points",
)  # fmt: skip
_MOST_ASKED: Final = (
    "ruff-for-partner", "undertrump", "undertrump-partner", "bid-over-a-double", "whose-declaration", "exactly-half",
    "belote-when-fallen", "every-trick",
)  # fmt: skip
# What the sheet to print shows as cards it need not say in words.
_DRAWN: Final = ("deck.trump-order", "deck.plain-order", "scoring.trump-points", "scoring.plain-points")
# What says no more than that something is not played, or that a figure counts as it is: by rule, where this one is so.
_ABSENT: Final = {
    "deal.turn-up": ("deal.turn-up", "none"),
    "deal.last-packets": ("deal.packets-after-bidding", []),
    "bidding.first-step": ("bidding.first-step", "like-the-others"),
    "declarations.no-trump-squares": ("declarations.no-trump-squares", "as-elsewhere"),
    "declarations.not-shown": ("declarations.not-shown", "lost"),
    "declarations.eight-in-a-row": ("declarations.eight-in-a-row", "plain-sequence"),
    "scoring.fall-worth": ("scoring.fall-worth", "as-counted"),
    "scoring.sheet-unit": ("scoring.sheet-unit", 1),
    "scoring.no-trump-factor": ("scoring.no-trump-factor", 1),
    "scoring.raised-capot": ("scoring.raised-capot", "multiplied"),
    "scoring.capot-beside": ("scoring.capot-beside", "counted"),
    "scoring.no-trump-bid": ("scoring.no-trump-bid", "once"),
    "scoring.scaled": ("scoring.scaled", []),
    "scoring.trickless-side": ("scoring.trickless-side", "none"),
    "match.ends": ("match.ends", "target"),
    "match.claim": ("match.claim", "played-out"),
    "match.surplus": ("match.surplus", "ignored"),
    "match.after-all-tricks": ("match.after-all-tricks", "may-end"),
    "match.last-deal-written": ("match.last-deal-written", "rounded"),
    "match.by-belote": ("match.by-belote", "may-end"),
    "presentation.table-talk": ("presentation.table-talk", "free"),
}
# Rules that would say nearly the same as the one before where their values are: that one, and the text in their place.
_ALIKE: Final = {
    "play.follow.ruffed": ("play.follow.unruffed", "same-once-ruffed"),
    **{
        f"play.{place}.partner-{how}": (f"play.{place}.opponent-{how}", "same-for-partner")
        for place, how in (("trump-led", "winning"), ("void", "winning"), ("void", "ruffed"), ("all-trumps", "winning"))
    },
}


class RuleLine(NamedTuple):
    """A rule as a variant plays it, and what that rests on."""

    rule: Rule
    setting: Setting
    sentence: str
    basis: Basis
    absent: bool


class Agreement(NamedTuple):
    """Something to agree on before the first deal: what is played unless agreed otherwise, and what others play.

    Beside each other way stands who plays it, and the mark of what no source here says of this variant.
    """

    rule: Rule
    sentence: str
    basis: Basis
    otherwise: tuple[tuple[str, Sequence[str], str], ...]


def variant_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of variants, and for each a page and a sheet to print."""
    yield SitePage(
        "variants/index", "variants.md", edition.word("variants"), {"facts": facts(edition), "lengths": _LENGTHS}
    )
    for variant in edition.variants:
        context = _context(edition, variant)
        name, summary = edition.variant_name(variant), edition.text(edition.library.spec.variants[variant].summary)
        # Somebody who types the name of a game wants its page, not every page that speaks of it.
        yield SitePage(f"variants/{variant}", "variant.md", name, context, summary, {"search": {"boost": 4}}, variant)
        title = edition.word("sheet-title", name=name)
        front = {"template": "print.html", "search": {"exclude": True}, "fits": True}
        yield SitePage(f"variants/{variant}/print", "variant_print.md", title, context, summary, front, variant)


def facts(edition: SiteEdition) -> dict[str, list[tuple[str, Any]]]:
    """Return for each variant the few numbers that people ask first: the rule and its value."""
    found = {}
    for variant in edition.variants:
        settings = edition.library.profile(variant).settings
        found[variant] = [(rule, settings[rule].value) for rule in _AT_A_GLANCE if rule in settings]
    return found


def _context(edition: SiteEdition, variant: str) -> dict[str, Any]:
    library = edition.library
    profile = library.profile(variant)
    every = {topic: _lines(edition, profile, topic) for topic in library.topics}
    told = {topic: kept for topic, lines in every.items() if (kept := [line for line in lines if not line.absent])}
    options, doubtful = agreements(edition, variant)
    return {
        "variant": library.spec.variants[variant],
        "profile": profile,
        "facts": facts(edition)[variant],
        "unit": profile.value("scoring.sheet-unit"),
        "in_card_points": _IN_CARD_POINTS,
        "hand_size": library.reference.ruleset(variant).hand_size,
        "told": told,
        "absent": [line for lines in every.values() for line in lines if line.absent],
        "drawn_rules": _DRAWN,
        "decks": decks(edition, profile),
        "order_note": order_note(edition, variant),
        "options": library.spec.options_of(variant),
        "option_marks": {name: option_mark(option) for name, option in library.spec.options_of(variant).items()},
        "options_first": options,
        "doubtful": doubtful,
        # Where nearly all of its rules come from; another source, cited for one of them, stands with that.
        "sources": sources_of(profile)[:1],
        "matters": bool(ranking(edition, variant)),
        "doubled": library.doubles_numbers(variant),
    }


def says_nothing(profile: Profile, rule: str) -> bool:
    """Say whether a rule only tells what is not played, or that a figure counts as it is."""
    return rule in _ABSENT and _plays(profile, *_ABSENT[rule])


def _plays(profile: Profile, rule: str, value: Any) -> bool:
    return rule in profile.settings and bool(profile.settings[rule].value == value)


def _lines(edition: SiteEdition, profile: Profile, topic: str) -> list[RuleLine]:
    def told(rule: str, value: Any) -> str:
        first, same = _ALIKE.get(rule, ("", ""))
        return edition.at(profile.id).word(same) if _plays(profile, first, value) else edition.sentence(rule, profile)

    return [
        RuleLine(
            rule,
            setting,
            told(rule.id, setting.value),
            basis_of(edition, [rule.id], profile.id),
            says_nothing(profile, rule.id),
        )
        for rule in edition.library.rules_of(topic)
        if (setting := profile.settings.get(rule.id)) is not None
    ]


def agreements(edition: SiteEdition, variant: str) -> tuple[list[Agreement], list[Agreement]]:
    """Return what to agree on: what options change, and what the source leaves open while others differ."""
    library = edition.library
    profile = library.profile(variant)
    options = library.spec.options_of(variant).values()
    changed = {rule for option in options for rule in library.changed_by(variant, option)}
    first, second = [], []
    for rule in library.rules:
        setting = profile.settings.get(rule.id)
        if setting is None or rule.topic == "presentation":
            continue
        if rule.id in changed:
            first.append(_agreement(edition, rule, profile, _by_option(edition, rule.id, variant)))
        elif setting.status != "stated" and (others := _elsewhere(edition, rule.id, profile)):
            second.append(_agreement(edition, rule, profile, others))
    return first, second


# By what is played instead and its mark: who plays it.
Otherwise = Mapping[tuple[str, str], Sequence[str]]


def _agreement(edition: SiteEdition, rule: Rule, profile: Profile, otherwise: Otherwise) -> Agreement:
    sentence, basis = edition.sentence(rule.id, profile), basis_of(edition, [rule.id], profile.id)
    return Agreement(rule, sentence, basis, tuple((said, who, mark) for (said, mark), who in otherwise.items()))


def _by_option(edition: SiteEdition, rule: str, variant: str) -> Otherwise:
    changes = (changed for changed in options_about(edition, rule) if changed.variant == variant)
    return grouped(
        ((changed.sentence, MARKS[changed.setting.status]), edition.text(changed.option.title)) for changed in changes
    )


def _elsewhere(edition: SiteEdition, rule: str, profile: Profile) -> Otherwise:
    """Return what other variants play instead, with their names, as it would read in this game."""
    found = grouped(
        ((edition.sentence_with(rule, setting.value, profile), ""), edition.variant_name(name))
        for name, setting in edition.library.settings(rule).items()
    )
    found.pop((edition.sentence(rule, profile), ""), None)
    return found


def home_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the home page, and the one that stands in for any that is not kept where there is no network."""
    library = edition.library
    context = {
        "regions": _regions(edition),
        "facts": facts(edition),
        "in_short": ("deal.players", *_LENGTHS),
        "asked": [one for one in questions(library) if one.id in _MOST_ASKED],
        "figures": {
            "variants": len(library.variants),
            "rules": len(library.rules),
            "statements": sum(source.statements for source in library.spec.sources.values()),
            "cases": len(library.cases),
        },
    }
    front = {"hide": ["navigation", "toc"]}
    yield SitePage("index", "home.md", edition.word("home-title"), context, edition.word("tagline"), front)
    lead = edition.word("offline-lead")
    hidden = {**front, "search": {"exclude": True}}
    yield SitePage("offline", "offline.md", edition.word("offline"), {}, lead, hidden)


def _regions(edition: SiteEdition) -> dict[str, list[str]]:
    """Return the variants by the first source of their region: two sources may tell of games of one region."""
    library = edition.library
    first: dict[str, str] = {}

    def home(variant: str) -> str:
        source = library.home_sources[variant]
        return first.setdefault(edition.text(library.spec.sources[source].region), source)

    return grouped((home(variant), variant) for variant in edition.variants)
