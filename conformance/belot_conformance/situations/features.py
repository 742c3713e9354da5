"""The features of questions, what is so of one and what not, as ``features.yaml`` has them: with their words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

from belot_conformance.situations.views import Facts
from belot_reference.compile import Ruleset
from belot_reference.sentences import REASONS
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document

FILE: Final = Path(__file__).with_name("features.yaml")

_SLOT: Final = re.compile(r"{(.*)\|(.*)}")
_LIST: Final = re.compile(r"<(\w+)>")
# The parts of a question that several lists of features are asked of, and those that are asked of everything.
_PARTS: Final = {"trick": "trick", "whole": "trick", "hand": "trick", "auction": "auction", "announced": "announced",
                 "deal": "deal"}  # fmt: skip
_EACH: Final = {"trick": ("trick", "whole"), "deal": ("deal", "mode")}
_ALWAYS: Final = ("mode", "any")


class Feature(NamedTuple):
    """Something that is so of a question or not; its name is its words as they stand in the list.

    It is asked of the question itself or of a ``part``, from one of several ``begin`` on.
    """

    name: str
    test: str
    part: str = ""
    begin: int | None = None

    @property
    def yes(self) -> str:
        """What is said where it is so."""
        return _SLOT.sub(r"\1", self.name)

    @property
    def no(self) -> str:
        """What is said where it is not so, nothing where that is not worth saying."""
        return _SLOT.sub(r"\2", self.name) if _SLOT.search(self.name) else ""

    def holds(self, facts: Facts) -> bool:
        """Say whether it is so of a question that was looked at."""
        return bool(held((self,), facts))


def held(features: tuple[Feature, ...], facts: Facts) -> int:
    """Return which features are so of a question that was looked at, as the bits of a number."""
    found = 0
    for part, begin, tests, bits in _together(features):
        for one in facts.get(part, ())[begin:] if part else (facts,):
            # What is asked stands in a file of this package.
            found |= sum(bit for bit, is_so in zip(bits, eval(tests, one), strict=True) if is_so)
    return found


@lru_cache(maxsize=1000)
def _together(features: tuple[Feature, ...]) -> list[tuple[str, int | None, CodeType, list[int]]]:
    """Return what is asked of each part of a question in one expression, and as which bits the answers are kept."""
    parts: dict[tuple[str, int | None], list[int]] = {}
    for place, one in enumerate(features):
        parts.setdefault((one.part, one.begin), []).append(place)
    return [
        (*part, compile(f"({''.join(f'({features[place].test}),' for place in places)})", "features", "eval"),
         [1 << place for place in places])
        for part, places in parts.items()
    ]  # fmt: skip


class Literal(NamedTuple):
    """A feature that questions have, or have not."""

    feature: Feature
    is_so: bool

    @property
    def phrase(self) -> str:
        """What is said of them."""
        return self.feature.yes if self.is_so else self.feature.no

    def holds(self, facts: Facts) -> bool:
        """Say whether a question has it, or has it not."""
        return self.feature.holds(facts) == self.is_so


class Situation(NamedTuple):
    """What is so together in a question: ``trump is led and the hand has none of it``."""

    literals: tuple[Literal, ...]

    @property
    def name(self) -> str:
        """What is so, in words."""
        *others, last = (one.phrase for one in self.literals)
        return f"{', '.join(others)} and {last}" if others else last

    def holds(self, facts: Facts) -> bool:
        """Say whether it is so of a question that was looked at."""
        return all(one.holds(facts) for one in self.literals)


@cache
def situations_of(operation: str) -> tuple[Situation, ...]:
    """Return the situations of an operation that suites ask about, by the words of its features."""
    rows = (row for names, some in _data()["situations"].items() if operation in names.split(", ") for row in some)
    return tuple(dict.fromkeys(Situation(each) for row in rows for each in _every(operation, row)))


def situations_at(rules: Ruleset, operation: str) -> tuple[Situation, ...]:
    """Return those of them that can come up by some rules."""
    never = [
        {*each}
        for said, rows in _data()["cannot"].items()
        if eval(said, {"rules": rules})
        for row in rows
        for each in _every(operation, row)
    ]
    return tuple(one for one in situations_of(operation) if not any(each <= {*one.literals} for each in never))


@cache
def ways_of(operation: str) -> Mapping[str, Situation]:
    """Return statements that no value says, with what is so of questions that each would have answered otherwise."""
    of = (some for names, some in _data()["ways"].items() if operation in names.split(", "))
    return {statement: Situation(*_every(operation, row)) for some in of for statement, row in some.items()}


def lacking_in_cases() -> set[tuple[str, str, str]]:
    """Return of which situations of which variant and operation it is known that too few cases ask about them."""
    listed: Mapping[str, Mapping[str, Sequence[str]]] = _data()["lacking"]
    return {(variant, name, one) for variant, some in listed.items() for name, names in some.items() for one in names}


def _every(operation: str, row: str) -> Iterator[tuple[Literal, ...]]:
    """Yield what stands in a row, each time with another of what has its turn; nothing that is of other operations."""
    known = literals_of(operation)
    return product(*(_either(each, known) for each in row.split("; ")))


@cache
def literals_of(operation: str) -> Mapping[str, Sequence[Literal]]:
    """Return the literals of an operation by their words; by those of a feature what is so, and what is not."""
    known: dict[str, list[Literal]] = {}
    for one in features_of(operation):
        yes, no = Literal(one, is_so=True), Literal(one, is_so=False)
        known |= {one.name: [yes, no], one.yes: [yes], one.no: [no]} if one.no else {one.name: [yes]}
    return known


def _either(phrases: str, known: Mapping[str, Sequence[Literal]]) -> list[Literal]:
    """Return the literals that have their turn where such phrases stand in a situation."""
    found = []
    for phrase in phrases.split(" / "):
        # Of what stands for several each is so in turn, and its not being so is nothing of its own.
        found += [
            one for said, _ in _told(phrase) for one in known.get(said, ())[: 1 if _LIST.search(phrase) else None]
        ]
    return found


@cache
def features_of(operation: str) -> tuple[Feature, ...]:
    """Return the features of the questions of an operation, the plainest first."""
    found: dict[str, Feature] = {}
    for name in (*_data()["operations"].get(operation, ()), *_ALWAYS):
        each = name.removeprefix("each ")
        for one in _listed(name, _PARTS.get(name, "")) if each == name else _each(each):
            found.setdefault(one.name, one)
    return tuple(found.values())


def _each(part: str) -> Iterator[Feature]:
    every = [one for name in _EACH[part] for one in _listed(name, part)]
    yield from (one._replace(name=f"in {{some|no}} {part} {one.yes}") for one in every)
    yield from (one._replace(name=f"in the last {part} {one.name}", begin=-1) for one in every)


def _listed(name: str, part: str) -> Iterator[Feature]:
    """Yield the features of a list, one for each value of what stands for several."""
    for phrase, test in _data()["features"][name].items():
        for said, asked in _told(phrase, test):
            yield Feature(said, asked, part)


def _told(phrase: str, test: str = "") -> Iterator[tuple[str, str]]:
    """Yield a phrase and what it asks for each value of the lists that it names."""
    lists = {**_data()["lists"], "reason": {reason: reason for reason in REASONS}}
    named = [*dict.fromkeys(_LIST.findall(phrase))]
    for chosen in product(*(lists[one.rstrip("2")].items() for one in named)):
        said, asked = phrase, test
        for one, (value, words) in zip(named, chosen, strict=True):
            said, asked = said.replace(f"<{one}>", words), asked.replace(f"<{one}>", str(value))
        yield said, asked


@cache
def _data() -> Mapping[str, Any]:
    document = read_document(FILE)
    check_document(document, "features")
    data: Mapping[str, Any] = document.data
    return data
