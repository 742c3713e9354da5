"""What a doubled contract writes: the ways to settle it beside one another, on deals that tell them apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, Final

from belot_reference.bids import CAPOT_NAME
from belot_reference.errors import BadQuestionError
from belot_reference.operations import answer
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.page import SitePage
from belot_site.pages.programs import MeasuredProgram, measured_programs
from belot_spec.profile_name import ProfileName
from belot_spec.register import CollectedDocument

_DEALS: Final = 10
# What a rule about doubled contracts matters by.
_ABOUT: Final = frozenset(("bidding.raises", "scoring.contract-written"))
# What becomes of the belote and the declarations of the side that loses.
_LOST: Final = "scoring.fall-passes"

Json = Mapping[str, Any]
Scores = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SettlingWay:
    """A way to settle: a variant as it is or with an option, what its rules say of that, and who says so.

    ``documents`` have each its source and its name there: those that say what an option says, and all that speak of it
    for the variant itself, where ``rulings`` say which of them are followed. ``programs`` were measured to play by it.
    """

    profile: str
    title: str
    sentences: tuple[str, ...]
    documents: tuple[tuple[str, str, CollectedDocument], ...]
    rulings: tuple[str, ...]
    programs: tuple[MeasuredProgram, ...]


@dataclass(frozen=True, slots=True)
class DoubledDeal:
    """A doubled deal as a table tells it, the takers' side first: what each side has."""

    bid: int | str
    raised: int
    cards: tuple[int, int]
    declarations: tuple[int, int]
    belote: tuple[int, int]

    @classmethod
    def told(cls, question: Json, taking: int) -> "DoubledDeal":
        """Return the deal of a question about sums, given the takers' side."""
        takers, others = question["sides"][taking], question["sides"][1 - taking]
        cards, declarations, belote = (
            (takers.get(kind, 0), others.get(kind, 0)) for kind in ("cards", "declarations", "belote")
        )
        return cls(question["bid"], question["raised"], cards, declarations, belote)


@dataclass(frozen=True, slots=True)
class SettledDeal:
    """A doubled deal and what is written in each way, by its profile, the takers' side first."""

    told: DoubledDeal
    scores: Scores


def doubled_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield for each variant in which numbers are bid what a doubled contract writes there."""
    programs = measured_programs(edition)
    for variant in edition.variants:
        if not doubles_numbers(edition.library, variant):
            continue
        told, name = edition.at(variant), edition.variant_name(variant)
        deals = told_apart(edition.library, variant)
        ways = [way for way in ways_of(edition.library, variant) if _differs(deals, way, variant)]
        own = [program for program in programs if program.variant == variant]
        context = {
            "variant": variant,
            "ways": [_way(told, variant, profile, ways, own) for profile in ways],
            "deals": deals,
        }
        title = edition.word("doubled-title", name=name)
        lead, front = edition.word("doubled-lead"), {"hide": ["toc"]}
        yield SitePage(f"variants/{variant}/doubled", "doubled.md", title, context, lead, front, variant)


def doubles_numbers(library: Library, variant: str) -> bool:
    """Say whether in a variant a bid has a number and can be doubled."""
    rules = library.reference.ruleset(variant)
    return rules.has_amounts and bool(rules.value("bidding.raises"))


def ways_of(library: Library, variant: str) -> list[str]:
    """Return a variant and it with each of its options."""
    return [variant, *(ProfileName.of(variant, option) for option in library.spec.options_of(variant))]


def told_apart(library: Library, variant: str) -> list[SettledDeal]:
    """Return doubled deals of the cases that tell as many ways apart as they can, with what each way writes."""
    ways, side_of = ways_of(library, variant), library.reference.ruleset(variant).side_of
    questions: dict[DoubledDeal, Json] = {}
    for case in library.cases:
        is_doubled = case.operation == "score-deal" and case.input.get("raised", 1) > 1
        if is_doubled and case.profile.variant == variant:
            questions.setdefault(DoubledDeal.told(case.input, side_of[case.input["taker"]]), case.input)
    settled = (SettledDeal(told, _scores(library, ways, question)) for told, question in questions.items())
    left = [one for one in settled if one.scores]
    found: list[SettledDeal] = []
    apart: set[tuple[str, str]] = set()
    while left and len(found) < _DEALS:
        shown = [(one.told.bid, one.told.raised) for one in found]
        best = max(
            left,
            key=lambda one: (
                len(_pairs(one.scores) - apart),
                -shown.count((one.told.bid, one.told.raised)),
                len(set(one.scores.values())),
            ),
        )
        left.remove(best)
        found.append(best)
        apart |= _pairs(best.scores)
    return sorted(found, key=lambda one: (one.told.bid == CAPOT_NAME, str(one.told.bid).zfill(3), one.told.raised))


def _pairs(scores: Scores) -> set[tuple[str, str]]:
    return {pair for pair in combinations(scores, 2) if scores[pair[0]] != scores[pair[1]]}


def _scores(library: Library, ways: Sequence[str], question: Json) -> Scores:
    """Return what each way writes, the takers' side first; nothing where one of them cannot have such a deal."""
    found = {}
    for way in ways:
        rules = library.reference.ruleset(way)
        try:
            result = answer("score-deal", rules, _raised_as(library, way, question)).result
        except BadQuestionError:
            return {}
        if result is None:
            return {}
        taking = rules.side_of[question["taker"]]
        found[way] = (result["score"][taking], result["score"][1 - taking])
    return found


def _raised_as(library: Library, way: str, question: Json) -> Json:
    """Return a question told as doubled or redoubled at a table, whatever these multiply by there."""
    own: Sequence[int] = library.reference.ruleset(ProfileName(way).variant).value("bidding.raises")
    there: Sequence[int] = library.reference.ruleset(way).value("bidding.raises")
    times = question["raised"]
    return {**question, "raised": there[own.index(times)] if times in own else times}


def _differs(deals: Sequence[SettledDeal], way: str, variant: str) -> bool:
    return way == variant or any(one.scores[way] != one.scores[variant] for one in deals)


def _way(
    told: SiteEdition, variant: str, profile: str, ways: Sequence[str], programs: Sequence[MeasuredProgram]
) -> SettlingWay:
    library, plain = told.library, told.library.profile(variant).settings
    options = {
        way: one
        for way in ways
        for name, one in library.spec.options_of(variant).items()
        if way == ProfileName.of(variant, name)
    }
    option, settings = options.get(profile), library.profile(profile).settings
    # Only these tell the ways apart; the variant itself is told by all others about doubled contracts as well.
    decisive = {_LOST, *chain(*(one.settings for one in options.values()))} if option is None else {*option.settings}
    about = {rule.id for rule in library.rules if _ABOUT & rule.needs.keys()} if option is None else set()
    known = [rule.id for rule in library.rules if rule.id in decisive | about and rule.id in settings]
    cited = ((one, plain[rule].cite) for rule in known for one in settings[rule].cite)
    statements = [one for one, weighed in cited if option is None or _is_said(library, one, weighed)]
    rulings = {ruling for rule in decisive if option is None and (ruling := settings[rule].ruling)}
    return SettlingWay(
        profile,
        told.variant_name(variant) if option is None else told.text(option.title),
        tuple(told.stated(rule, profile) for rule in known),
        tuple(_documents(library, statements)),
        tuple(sorted(rulings)),
        tuple(
            one
            for one in programs
            if all(one.tells(rule) and one.played.plays(rule, settings[rule].value) for rule in decisive)
        ),
    )


def _is_said(library: Library, statement: str, weighed: Sequence[str]) -> bool:
    """Say whether a statement says what an option does: what the variant weighs too does if others differ from it."""
    differing = (source.told[statement].differs for source in library.spec.sources.values() if statement in source.told)
    return statement not in weighed or any(differing)


def _documents(library: Library, statements: Sequence[str]) -> Iterator[tuple[str, str, CollectedDocument]]:
    """Yield the documents that some statements come from, each once, in the order of their collection."""
    for source in library.spec.sources.values():
        said = {name for one in statements if one in source.told for name in source.told[one].documents}
        yield from ((source.id, name, document) for name, document in source.documents.items() if name in said)
