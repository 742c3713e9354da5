"""Comparisons: every rule beside every variant, and the ways in which a doubled contract is written."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import prod
from typing import Any, Final, NamedTuple

from belot_conformance.rules.reading import value_text
from belot_reference.bids import CAPOT_NAME
from belot_reference.errors import BadQuestionError
from belot_reference.operations import answer
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library, grouped
from belot_site.pages.page import SitePage
from belot_site.pages.programs import MeasuredProgram, measured_programs
from belot_site.pages.rules import options_about
from belot_site.pages.worth import shares
from belot_spec.catalogue import Rule
from belot_spec.profile_name import ProfileName
from belot_spec.register import CollectedDocument

# What fits a cell: the words of a game's own players may be longer than the common ones, which all fit.
_FITS: Final = 24
# How many doubled deals are shown.
_DEALS: Final = 10
# What a rule about doubled contracts matters by.
_ABOUT: Final = frozenset(("bidding.raises", "scoring.contract-written"))
# What becomes of the belote and the declarations of the side that loses.
_LOST: Final = "scoring.fall-passes"

Json = Mapping[str, Any]
# What each profile writes, the takers' side first.
Scores = Mapping[str, tuple[int, int]]


class Cell(NamedTuple):
    """What one variant plays in few words; cells of a row with the same number play the same.

    Where the rule does not come up the number is 0, and ``instead`` is the rule that decides there. Those of ``same``
    are of values that make no difference there: whose declarations count after all tricks, where only belote is played.
    """

    variant: str
    number: int
    short: str
    notes: tuple[int, ...]
    instead: str
    same: tuple[int, ...] = ()


class RuleRow(NamedTuple):
    """A rule in all variants, and what the variants' values are worth beside each other."""

    rule: Rule
    cells: tuple[Cell, ...]
    worth: float

    @property
    def weight(self) -> tuple[float, int, bool]:
        """How much the rule matters: by its worth, then by how many values there are."""
        numbers = {cell.number for cell in self.cells}
        return self.worth, len(numbers - {0}), 0 in numbers


class Note(NamedTuple):
    """A footnote: what some variants play with an option."""

    number: int
    option: str
    title: str
    variants: tuple[str, ...]
    rule: str
    short: str


def comparison_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the page that compares all variants."""
    library = edition.library
    names = [name for family in library.families.values() for name in family]
    notes = list(_notes(edition))
    rows = {topic: [_row(edition, rule, names, notes) for rule in library.rules_of(topic)] for topic in library.topics}
    in_order = sorted(rows.items(), key=lambda item: max(row.worth for row in item[1]), reverse=True)
    weighed = sorted(chain(*rows.values()), key=lambda row: row.weight, reverse=True)
    context = {
        "names": names,
        "topics": {topic: sorted(own, key=lambda row: row.weight, reverse=True) for topic, own in in_order},
        "ranks": {row.rule.id: place for place, row in enumerate(weighed)},
        "notes": notes,
        "starts": {variant: library.neighbours(variant, 3) for variant in library.variants},
        "distances": {(one, other): _distance(library, one, other) for one in names for other in names if one != other},
    }
    front = {"hide": ["navigation", "toc"]}
    yield SitePage("compare", "compare.md", edition.word("compare"), context, edition.word("compare-lead-short"), front)


def _notes(edition: SiteEdition) -> Iterator[Note]:
    """Yield what options change, rule by rule; variants that share an option share its note."""
    number = 0
    for rule in edition.library.rules:
        changes = options_about(edition, rule.id)
        titles = {one.option.id: edition.text(one.option.title) for one in changes}
        found = grouped(((one.option.id, edition.short(rule.id, one.setting.value)), one.variant) for one in changes)
        for (option, short), variants in found.items():
            number += 1
            yield Note(number, option, titles[option], tuple(variants), rule.id, short)


def _row(edition: SiteEdition, rule: Rule, names: Sequence[str], notes: Sequence[Note]) -> RuleRow:
    library = edition.library
    settings = library.settings(rule.id)
    values = {value_text(settings[name].value): settings[name].value for name in names if name in settings}
    numbers = {text: number for number, text in enumerate(values, 1)}
    cells = []
    for variant in names:
        own = tuple(note.number for note in notes if note.rule == rule.id and variant in note.variants)
        if variant not in settings:
            cells.append(Cell(variant, 0, "–", own, library.decided_by(rule.id, variant)))
            continue
        setting = settings[variant]
        number, said = numbers[value_text(setting.value)], edition.stated(rule.id, variant)
        own_way = library.profile(variant)
        same = [numbers[text] for text, one in values.items() if edition.sentence_with(rule.id, one, own_way) == said]
        common, told = (one.short(rule.id, setting.value) for one in (edition, edition.at(variant)))
        short = told if len(told) <= _FITS else common
        cells.append(Cell(variant, number, short, own, "", tuple(one for one in same if one != number)))
    worth = (_worth_between(library, rule.id, one, other) or 0.0 for one, other in combinations(settings, 2))
    return RuleRow(rule, tuple(cells), max(worth, default=0.0))


def _worth_between(library: Library, rule: str, one: str, other: str) -> float | None:
    """Return in which share of deals it decides otherwise that two variants play a rule differently, if measured."""
    values = [value_text(library.settings(rule)[name].value) for name in (one, other)]
    if values[0] == values[1]:
        return 0.0
    tried = (shares(library.spec, one).get((rule, values[1])), shares(library.spec, other).get((rule, values[0])))
    found = [share for share in tried if share is not None]
    return sum(found) / len(found) if found else None


def _distance(library: Library, one: str, other: str) -> dict[str, int | None]:
    """Return how far two variants are from each other.

    ``otherwise`` is in how many of a hundred deals at least one of the differing ``rules`` decides otherwise, reckoned
    from what each is worth by itself, as far as it was ``measured``; ``None`` where none of them was.
    """
    settings, others = library.profile(one).settings, library.profile(other).settings
    both = [rule for rule, setting in settings.items() if rule in others and setting.value != others[rule].value]
    # The figures of one game alone say too little of the rules in which the other differs.
    if not (shares(library.spec, one) and shares(library.spec, other)):
        both = []
    found = [share for rule in both if (share := _worth_between(library, rule, one, other)) is not None]
    otherwise = round(100 * (1 - prod(1 - share for share in found))) if found else None
    return {"rules": library.distances[one, other], "measured": len(found), "otherwise": otherwise}


class SettlingWay(NamedTuple):
    """A way to settle: a variant as it is or with an option, what its rules say of that, and who says so.

    ``documents`` have each its source and its name there: those that say what an option says, and all that speak of it
    for the variant itself, where ``rulings`` say which of them are followed. ``programs`` were measured to play by it.
    """

    profile: str
    title: str
    sentences: list[str]
    documents: list[tuple[str, str, CollectedDocument]]
    rulings: list[str]
    programs: list[MeasuredProgram]


class DoubledDeal(NamedTuple):
    """A doubled deal as a table tells it: the bid, how it was raised, and what each side has, the takers' first."""

    bid: int | str
    raised: int
    cards: tuple[int, int]
    declarations: tuple[int, int]
    belote: tuple[int, int]


class SettledDeal(NamedTuple):
    """A doubled deal and what is written in each way."""

    told: DoubledDeal
    scores: Scores


def doubled_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield for each variant in which numbers are bid what a doubled contract writes there."""
    programs = measured_programs(edition)
    for variant in filter(edition.library.doubles_numbers, edition.variants):
        deals = _deals(edition.library, variant)
        profiles = edition.library.profiles[variant]
        ways = [way for way in profiles if way == variant or any(way in _parted(deal, variant) for deal in deals)]
        own = [program for program in programs if program.variant == variant]
        told = [_way(edition.at(variant), variant, profile, ways, own) for profile in ways]
        own_words = edition.at(variant)
        title = own_words.word("doubled-title", name=edition.variant_name(variant))
        context, lead = {"variant": variant, "ways": told, "deals": deals}, own_words.word("doubled-lead")
        path = f"variants/{variant}/doubled"
        yield SitePage(path, "doubled.md", title, context, lead, {"hide": ["toc"]}, variant)


def _parted(deal: SettledDeal, variant: str) -> set[str]:
    """Return the profiles that write a deal otherwise than a variant does."""
    return {way for way, score in deal.scores.items() if score != deal.scores[variant]}


def _deals(library: Library, variant: str) -> list[SettledDeal]:
    """Return doubled deals of the cases that tell as many ways apart as they can, with what each way writes."""
    ways, side_of = library.profiles[variant], library.reference.ruleset(variant).side_of
    questions: dict[DoubledDeal, Json] = {}
    for case in library.cases:
        is_doubled = case.operation == "score-deal" and case.input.get("raised", 1) > 1
        if is_doubled and case.profile.variant == variant:
            questions.setdefault(_as_told(case.input, side_of[case.input["taker"]]), case.input)
    settled = (SettledDeal(told, _scores(library, ways, question)) for told, question in questions.items())
    left = [one for one in settled if one.scores]
    found: list[SettledDeal] = []
    apart: set[tuple[str, str]] = set()
    while left and len(found) < _DEALS:
        shown = [one.told[:2] for one in found]
        best = max(
            left,
            key=lambda one: (
                len(_pairs(one.scores) - apart), -shown.count(one.told[:2]), len(set(one.scores.values()))
            ),
        )  # fmt: skip
        left.remove(best)
        found.append(best)
        apart |= _pairs(best.scores)
    return sorted(found, key=lambda one: (one.told.bid == CAPOT_NAME, str(one.told.bid).zfill(3), one.told.raised))


def _as_told(question: Json, taking: int) -> DoubledDeal:
    """Return the deal of a question about sums, given the takers' side."""
    takers, others = question["sides"][taking], question["sides"][1 - taking]
    sums = ((takers.get(kind, 0), others.get(kind, 0)) for kind in ("cards", "declarations", "belote"))
    return DoubledDeal(question["bid"], question["raised"], *sums)


def _pairs(scores: Scores) -> set[tuple[str, str]]:
    return {pair for pair in combinations(scores, 2) if scores[pair[0]] != scores[pair[1]]}


def _scores(library: Library, ways: Sequence[str], question: Json) -> Scores:
    """Return what each way writes; nothing where one of them cannot have such a deal."""
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


def _way(
    edition: SiteEdition, variant: str, profile: str, ways: Sequence[str], programs: Sequence[MeasuredProgram]
) -> SettlingWay:
    library, plain = edition.library, edition.library.profile(variant).settings
    every = library.spec.options_of(variant).values()
    options = {str(way): one for one in every if (way := ProfileName.of(variant, one.id)) in ways}
    option, settings = options.get(profile), library.profile(profile).settings
    # Only these tell the ways apart; the variant itself is told by all others about doubled contracts as well.
    decisive = {_LOST, *chain(*(one.settings for one in options.values()))} if option is None else {*option.settings}
    about = {rule.id for rule in library.rules if _ABOUT & rule.needs.keys()} if option is None else set()
    rules = [rule.id for rule in library.rules if rule.id in decisive | about and rule.id in settings]
    cited = ((one, plain[rule].cite) for rule in rules for one in settings[rule].cite)
    statements = [one for one, weighed in cited if option is None or _is_said(library, one, weighed)]
    return SettlingWay(
        profile,
        edition.variant_name(variant) if option is None else edition.text(option.title),
        [edition.stated(rule, profile) for rule in rules],
        list(_documents(library, statements)),
        sorted({ruling for rule in decisive if option is None and (ruling := settings[rule].ruling)}),
        [
            one
            for one in programs
            if all(one.tells(rule) and one.played.plays(rule, settings[rule].value) for rule in decisive)
        ],
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
