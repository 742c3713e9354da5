"""Figures that texts write beside rules: each is a number of those rules' values, or follows from them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias

from belot_spec.card_names import RANKS, SUITS
from belot_spec.catalogue import Setting, Text
from belot_spec.errors import Problem
from belot_spec.languages import TONGUES, Language
from belot_spec.load.catalogue import values_of_key
from belot_spec.load.translations import read_translated
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling
from belot_spec.spec import Spec
from belot_spec.words import Words

Settings: TypeAlias = Mapping[str, Setting]

_NUMBERS: Final = Words(__name__, "numbers")
# Statements, rulings and cases are named by numbers that no rule gives.
_NAMED: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9]*-[A-Z]?\d+(?:\.\.\d+)?")
_DIGITS: Final = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?½?")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}\b)")
# A rank, or a card of it.
_IN_A_NAME: Final = re.compile(r"^\d+")
# The names of ranks are figures only where points are counted.
_RANKS: Final = frozenset({7, 8, 9, 10})
_POINTS: Final = r"(?= (?:card |score |half )?points?\b| (?:kaart)?punt)"
# Numbers of seats, sides, suits and packets stand in every text.
_ALWAYS: Final = frozenset(range(5))
# In card points: what the figures of a score sheet stand for where it writes tens.
_TEN: Final = 10


@cache
def _words(language: Language) -> dict[str, int]:
    """Return the numbers up to a hundred by their words: ``twenty-three``, ``drieëntwintig``."""
    units = {word: number for number, word in enumerate(_NUMBERS["units"].only(language).split(), 1)}
    tens = {word: 10 * number for number, word in enumerate(_NUMBERS["tens"].only(language).split(), 2)}
    found = {word: number for word, number in units.items() if number not in _ALWAYS} | tens
    for ten, many in list(tens.items())[:-1]:
        for unit, few in list(units.items())[:9]:
            compound = TONGUES[language].compound[unit.endswith("e")]
            found[compound.format(ten=ten, unit=unit)] = many + few
    return found


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    words = _words(language)
    told = sorted(words, key=len, reverse=True)
    ranks = "|".join(word for word in told if words[word] in _RANKS)
    others = "|".join(word for word in told if words[word] not in _RANKS)
    return re.compile(rf"\b(?:(?:{others})\b|(?:{ranks})\b{_POINTS})")


def figures(text: str, language: Language) -> Iterator[tuple[str, Fraction]]:
    """Yield the figures of a text as they stand there, in digits or words, with what they are.

    Seven to ten in words are ranks, unless points follow.
    """
    left = _THOUSANDS.sub("", _NAMED.sub(" ", text))
    for found in _DIGITS.findall(left):
        yield found, Fraction(found.rstrip("½").replace(",", ".")) + Fraction("½" in found, 2)
    for found in _pattern(language).findall(left.casefold()):
        yield found, Fraction(_words(language)[found])


def known_figures(settings: Settings, rules: Iterable[str]) -> frozenset[Fraction]:
    """Return the numbers that follow from a profile's values, those of these rules among them.

    What every text may name are the cards and their points: those of the deck, half of them, and all tricks.
    """
    value = {rule: setting.value for rule, setting in settings.items()}
    points = _points(value)
    told = {*(number for rule in rules if rule in value for number in _numbers(value[rule])), *points}
    unit = value.get("scoring.sheet-unit", 1)
    written = {one / unit for one in told if unit} | {one * unit / _TEN for one in told}
    return frozenset({*map(Fraction, _cards(value)), *told, *written, Fraction(unit, 2)})


def _numbers(value: Any) -> Iterator[Fraction]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield Fraction(value)
    elif isinstance(value, str):
        yield from map(Fraction, _IN_A_NAME.findall(value))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(key)
            yield from _numbers(inner)
    elif isinstance(value, Sequence):
        yield Fraction(len(value))
        for inner in value:
            yield from _numbers(inner)


def _points(value: Mapping[str, Any]) -> set[Fraction]:
    """Return the card points of a deck, half of them, and what all tricks make of them."""
    if not value.keys() >= {"scoring.trump-points", "scoring.plain-points", "scoring.last-trick"}:
        return set()
    trumps, plain = sum(value["scoring.trump-points"].values()), sum(value["scoring.plain-points"].values())
    deck = Fraction(trumps + (len(SUITS) - 1) * plain + value["scoring.last-trick"])
    return {deck, deck / 2, deck + value.get("scoring.all-tricks.points", 0)}


def _cards(value: Mapping[str, Any]) -> set[int]:
    """Return how many cards are in the deck, dealt first, held, left over (less a turn-up too), and held at most."""
    if not value.keys() >= {"deal.packets-before-bidding", "deal.packets-after-bidding", "deal.players"}:
        return set(_ALWAYS)
    first = sum(value["deal.packets-before-bidding"])
    hand = first + sum(value["deal.packets-after-bidding"])
    deck = len(RANKS) * len(SUITS) - len(value.get("deck.removed-cards", ()))
    dealt = hand * value["deal.players"]
    return {*_ALWAYS, first, hand, dealt, deck, deck - dealt, deck - dealt - 1, hand + deck - dealt}


def unknown_figures(text: Text, known: Iterable[Fraction]) -> Iterator[tuple[Language, str]]:
    """Yield the figures of a text that none of these numbers is: the language, and the figure as it stands there."""
    numbers = frozenset(known)
    for language, told_there in text.as_json().items():
        told = dict.fromkeys(shown for shown, number in figures(told_there, language) if number not in numbers)
        yield from ((language, shown) for shown in told)


def told_of(profiles: Iterable[Settings], named: Iterable[str | float]) -> frozenset[Fraction]:
    """Return the numbers that a text about rules of some profiles may name: those of the rules, and others it names."""
    names = tuple(named)
    rules = [name for name in names if isinstance(name, str)]
    own = {Fraction(str(name)) for name in names if not isinstance(name, str)}
    return frozenset(own.union(*(known_figures(settings, rules) for settings in profiles)))


def figure_problems(spec: Spec) -> Iterator[Problem]:
    """Check the figures in summaries of variants, titles of options and rulings against the values beside them."""
    played = {variant: _ways_to_play(spec, variant) for variant in spec.nameable()}
    for variant in spec.variants.values():
        document = variant.document
        for name, option in variant.options.items():
            profiles = [ways[name] for one, ways in played.items() if spec.options_of(one).get(name) == option]
            known = told_of(profiles, option.settings)
            for language, shown in unknown_figures(option.title, known):
                yield document.problem(
                    ("options", name, "title", language), wrong_figure(shown, "the rules of this option")
                )
        if variant.id in played:
            known = told_of([played[variant.id][None]], spec.rules)
            for language, shown in unknown_figures(variant.summary, known):
                yield document.problem(("summary", language), wrong_figure(shown, "this variant"))
    yield from _of_rulings(spec, played)
    yield from _of_catalogue(spec)


def _ways_to_play(spec: Spec, variant: str) -> dict[str | None, Settings]:
    """Return the settings of a variant as it is, under ``None``, and with each of its options."""
    found: dict[str | None, Settings] = {None: spec.profile(variant).settings}
    return found | {
        option: spec.profile(ProfileName.of(variant, option)).settings for option in spec.options_of(variant)
    }


def _of_catalogue(spec: Spec) -> Iterator[Problem]:
    """Check what a rule is called, which holds for every value, and its short words, each of which hold for one."""
    for rule in spec.rules.values():
        texts: list[tuple[tuple[str, ...], Text, str]] = [(("title",), rule.title, "every value")]
        texts += [(("short", "values", key), text, "this value") for key, text in rule.short.values.items()]
        for at, text, where in texts:
            known = {*map(Fraction, _ALWAYS), *(_numbers([*values_of_key(at[-1])]) if at[0] == "short" else ())}
            for language, shown in unknown_figures(text, known):
                document = read_translated(spec.folder / "rules" / f"{rule.topic}.yaml")
                yield document.problem(("rules", rule.id, *at, language), wrong_figure(shown, where))


def _of_rulings(spec: Spec, played: Mapping[str, Mapping[str | None, Settings]]) -> Iterator[Problem]:
    document = read_translated(spec.folder / "rulings.yaml")
    # An erratum is about the figures that a source printed.
    for ruling in spec.rulings.values():
        if ruling.kind != "erratum":
            variants = ruling.variants or played
            known = _known_to_ruling(ruling, [settings for one in variants for settings in played[one].values()])
            for part, text in (("title", ruling.title), ("reading", ruling.reading)):
                for language, shown in unknown_figures(text, known):
                    at = ("rulings", ruling.id, part, language)
                    yield document.problem(at, wrong_figure(shown, "the rules that it is about", examples=True))


def _known_to_ruling(ruling: Ruling, profiles: Iterable[Settings]) -> frozenset[Fraction]:
    found: set[Fraction] = set()
    for settings in profiles:
        about = {
            rule for rule, one in settings.items() if one.ruling == ruling.id or {*one.cite} & {*ruling.statements}
        }
        found |= told_of([settings], [*ruling.rules, *about, *ruling.figures])
    return frozenset(found)


def wrong_figure(shown: str, where: str, examples: bool = False) -> str:
    """Return what is wrong with a figure that the values beside a text do not give, and where examples are named."""
    return f"{shown} is no number of {where}; put it right{', or under figures if it is an example' * examples}"
