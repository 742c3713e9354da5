"""What a doubled contract writes: the ways to settle it beside one another, on deals that tell them apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, Final

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

Json = Mapping[str, Any]
Scores = Mapping[str, tuple[int, ...]]


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
class SettledDeal:
    """A doubled deal, the takers' side first: what each side has, and what it writes in each way."""

    bid: int | str
    raised: int
    cards: tuple[int, int]
    belote: int | None
    scores: Sequence[tuple[int, int]]


def doubled_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield for each variant in which numbers are bid what a doubled contract writes there."""
    for variant in variants_with_numbers(edition):
        told, name = edition.at(variant), edition.variant_name(variant)
        deals = told_apart(edition.library, variant)
        ways = [name for name in ways_of(edition.library, variant) if _differs(deals, name, variant)]
        context = {
            "variant": variant,
            "ways": [_way(told, variant, profile, ways) for profile in ways],
            "deals": [_settled(edition.library, variant, question, scores, ways) for question, scores in deals],
        }
        title = edition.word("doubled-title", name=name)
        lead, front = edition.word("doubled-lead"), {"hide": ["toc"]}
        yield SitePage(f"variants/{variant}/doubled", "doubled.md", title, context, lead, front, variant)


def variants_with_numbers(edition: SiteEdition) -> list[str]:
    """Return the variants in which a bid has a number and can be doubled."""
    library = edition.library
    found = ((variant, library.reference.ruleset(variant)) for variant in edition.variants)
    return [variant for variant, rules in found if rules.has_amounts and rules.value("bidding.raises")]


def ways_of(library: Library, variant: str) -> list[str]:
    """Return a variant and it with each of its options."""
    return [variant, *(ProfileName.of(variant, option) for option in library.spec.options_of(variant))]


def told_apart(library: Library, variant: str) -> list[tuple[Json, Scores]]:
    """Return doubled deals of the cases that tell as many ways apart as they can, with what each way writes."""
    ways = ways_of(library, variant)
    questions: dict[object, Json] = {}
    for case in library.cases:
        is_doubled = case.operation == "score-deal" and case.input.get("raised", 1) > 1
        if is_doubled and case.profile.variant == variant:
            told = _settled(library, variant, case.input)
            questions.setdefault((told.bid, told.raised, told.cards, told.belote), case.input)
    left = [(question, scores) for question in questions.values() if (scores := _scores(library, ways, question))]
    found: list[tuple[Json, Scores]] = []
    apart: set[tuple[str, str]] = set()
    while left and len(found) < _DEALS:
        shown = [(question["bid"], question["raised"]) for question, _ in found]
        best = max(
            left,
            key=lambda one: (
                len(_pairs(one[1]) - apart),
                -shown.count((one[0]["bid"], one[0]["raised"])),
                len(set(one[1].values())),
            ),
        )
        left.remove(best)
        found.append(best)
        apart |= _pairs(best[1])
    return sorted(found, key=lambda one: (one[0]["bid"] == "capot", str(one[0]["bid"]).zfill(3), one[0]["raised"]))


def _pairs(scores: Scores) -> set[tuple[str, str]]:
    return {pair for pair in combinations(scores, 2) if scores[pair[0]] != scores[pair[1]]}


def _scores(library: Library, ways: Sequence[str], question: Json) -> Scores:
    """Return what each way writes, nothing where one of them cannot have such a deal."""
    found = {}
    for way in ways:
        try:
            result = answer("score-deal", library.reference.ruleset(way), _raised_as(library, way, question)).result
        except BadQuestionError:
            return {}
        if result is None:
            return {}
        found[way] = tuple(result["score"])
    return found


def _raised_as(library: Library, way: str, question: Json) -> Json:
    """Return a question told as doubled or redoubled at a table, whatever these multiply by there."""
    own: Sequence[int] = library.reference.ruleset(ProfileName(way).variant).value("bidding.raises")
    there: Sequence[int] = library.reference.ruleset(way).value("bidding.raises")
    times = question["raised"]
    return {**question, "raised": there[own.index(times)] if times in own else times}


def _differs(deals: Sequence[tuple[Json, Scores]], way: str, variant: str) -> bool:
    return way == variant or any(scores[way] != scores[variant] for _, scores in deals)


def _way(told: SiteEdition, variant: str, profile: str, ways: Sequence[str]) -> SettlingWay:
    library, options = told.library, told.library.spec.options_of(variant)
    changed = {name: options[ProfileName(name).options[0]].settings for name in ways if name != variant}
    # The variant itself is told by all rules about it, and by those that some other way changes.
    about = {rule.id for rule in library.rules if _ABOUT & rule.needs.keys()}
    rules = {*changed.get(profile, ())} or about.union(*changed.values())
    settings = library.profile(profile).settings
    known = [rule for rule in library.rules if rule.id in rules and rule.id in settings]
    title = (
        told.variant_name(variant) if profile == variant else told.text(options[ProfileName(profile).options[0]].title)
    )
    own = profile == variant
    # Only these tell the ways apart.
    decisive = {*chain(*changed.values())} if own else {*changed[profile]}
    plain = library.profile(variant).settings
    cited = ((one, plain[rule.id].cite) for rule in known for one in settings[rule.id].cite)
    statements = [one for one, weighed in cited if own or _is_said(library, one, weighed)]
    return SettlingWay(
        profile,
        title,
        tuple(told.sentence(rule.id, library.profile(profile)) for rule in known),
        tuple(_documents(library, statements)),
        tuple(sorted({ruling for rule in decisive if own and (ruling := settings[rule].ruling)})),
        tuple(
            program
            for program in measured_programs(told)
            if program.variant == variant
            and all(program.tells(rule) and program.played.plays(rule, settings[rule].value) for rule in decisive)
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


def _settled(
    library: Library, variant: str, question: Json, scores: Scores | None = None, ways: Sequence[str] = ()
) -> SettledDeal:
    taking = library.reference.ruleset(variant).side_of[question["taker"]]
    sides = (question["sides"][taking], question["sides"][1 - taking])
    belote = [place for place, side in enumerate(sides) if side.get("belote")]
    return SettledDeal(
        question["bid"],
        question["raised"],
        (sides[0]["cards"], sides[1]["cards"]),
        belote[0] if belote else None,
        [(scores[way][taking], scores[way][1 - taking]) for way in ways] if scores else [],
    )
