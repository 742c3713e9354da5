"""What the wrong answers of a program have in common: a few features of the questions that right ones do not share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from belot_conformance.situations.features import Literal, Situation, features_of, held, ways_of
from belot_conformance.situations.views import Put, look
from belot_spec.spec import Spec

# Of fewer wrong answers nothing is said, and so many more are asked for by each feature after the second; so large a
# share of them have what is said, and of all that have it so many are wrong.
FEWEST: Final = 5
SHARE: Final = 0.95
WHEREVER: Final = 0.9
MOSTLY: Final = 2 / 3
# So many wrong and right answers are looked at to find it; the counts are of all. Chance alone may be as rare as that.
LOOKED_AT: Final = 1000
_CHANCE: Final = log(0.01)
# A sentence has so many features. One more must leave at most so many of the right answers, and 1 in 100 fewer than
# there are wrong ones. So many beginnings are followed up.
_LONGEST: Final = 4
_LEFT: Final = 0.67
_BEAM: Final = 24

# Answers, as the bits of a number.
_Answers = int


@dataclass(frozen=True, slots=True)
class Shared:
    """What nearly all wrong answers have in common, and how many of the wrong and of the right ones have it."""

    situation: Situation
    wrong_sharing: int
    wrong: int
    right_sharing: int
    right: int

    @property
    def precision(self) -> float:
        """How many of the answers that have it are wrong."""
        return self.wrong_sharing / max(1, self.wrong_sharing + self.right_sharing)

    @property
    def is_always(self) -> bool:
        """Whether it is said that they are wrong wherever this is so, and not mostly."""
        return self.precision >= WHEREVER

    @property
    def sentence(self) -> str:
        """What is said of it, with the counts."""
        where = "wrong wherever" if self.is_always else "wrong mostly where"
        few = f"{self.right_sharing:,}" if self.right_sharing else "none"
        counts = f"{self.wrong_sharing:,} of {self.wrong:,} wrong ones, {few} of {self.right:,} right ones"
        return f"{where} {self.situation.name}: {counts}"


def common(wrong: Sequence[Put], right: Sequence[Put]) -> Shared | None:
    """Return what the wrong answers to one operation share and few right ones do, ``None`` where there is nothing."""
    if len(wrong) < FEWEST:
        return None
    asked = [*_evenly(wrong), *_evenly(right)]
    bad = (1 << min(len(wrong), LOOKED_AT)) - 1
    situation = Situation(_search(_table(asked), bad, (1 << len(asked)) - 1 & ~bad))
    sharing = [sum(situation.holds(look(put)) for put in puts) for puts in (wrong, right)]
    found = Shared(situation, sharing[0], len(wrong), sharing[1], len(right))
    told = situation.literals and found.precision >= MOSTLY and found.wrong_sharing >= SHARE * found.wrong
    return found if told else None


def _evenly(puts: Sequence[Put]) -> Sequence[Put]:
    """Return some of many answers, from the first to the last."""
    return [puts[len(puts) * n // LOOKED_AT] for n in range(LOOKED_AT)] if len(puts) > LOOKED_AT else puts


def _table(puts: Sequence[Put]) -> dict[Literal, _Answers]:
    """Return of which answers each literal is so; of literals that are so of the same ones the first, the plainest."""
    features = features_of(puts[0].operation)
    columns = [0] * len(features)
    for place, put in enumerate(puts):
        so = held(features, look(put))
        for number in range(len(features)):
            columns[number] |= (so >> number & 1) << place
    every = (1 << len(puts)) - 1
    found: dict[_Answers, Literal] = {}
    for is_so in (True, False):
        for feature, answers in zip(features, columns, strict=True):
            if is_so or feature.no:
                found.setdefault(answers if is_so else every & ~answers, Literal(feature, is_so))
    return {literal: answers for answers, literal in found.items() if answers not in (0, every)}


def _search(table: Mapping[Literal, _Answers], wrong: _Answers, right: _Answers) -> tuple[Literal, ...]:
    """Return the few literals that nearly all wrong answers have together, and the fewest right ones."""
    needed = SHARE * wrong.bit_count()
    useful = {one: answers for one, answers in table.items() if (answers & wrong).bit_count() >= needed}
    best, fewest = frozenset[Literal](), right.bit_count()
    beam = {best: wrong | right}
    for length in range(1, min(_LONGEST, 1 + wrong.bit_count() // FEWEST) + 1):
        grown = dict(_grown(beam, useful, wrong, needed))
        # The fewest right ones, then the most wrong ones; of equals what was found first.
        order = sorted(grown, key=lambda some: ((grown[some] & right).bit_count(), -(grown[some] & wrong).bit_count()))
        beam = {some: grown[some] for some in order[:_BEAM]}
        if not order:
            break
        left, share = (beam[order[0]] & right).bit_count(), beam[order[0]].bit_count() / (wrong | right).bit_count()
        chance = length * log(len(table)) + wrong.bit_count() * log(share)
        if left < _LEFT * fewest - needed / 100 and chance < _CHANCE:
            best, fewest = order[0], left
    return tuple(one for one in table if one in best)


def _grown(
    beam: Mapping[frozenset[Literal], _Answers], useful: Mapping[Literal, _Answers], wrong: _Answers, needed: float
) -> Iterator[tuple[frozenset[Literal], _Answers]]:
    for some, answers in beam.items():
        for one, those in useful.items():
            both = answers & those
            if both != answers and (both & wrong).bit_count() >= needed:
                yield some | {one}, both


def known_ways(wrong: Sequence[Put], right: Sequence[Put], spec: Spec) -> tuple[str, ...]:
    """Return the statements about the game asked for that would answer nearly all of these wrong answers otherwise.

    Mostly where they would, the answers to the operation must be wrong. No value of a rule says what they tell.
    """
    if len(wrong) < FEWEST:
        return ()
    variant = wrong[0].rules.profile.base.variant
    ways = {
        statement: way
        for statement, way in ways_of(wrong[0].operation).items()
        if variant in spec.sources[statement[:2]].parts[statement]
    }
    # Each answer is looked at once for all statements, and the right ones only where some statement is likely.
    facts = [look(one) for one in wrong] if ways else []
    sharing = {statement: sum(map(way.holds, facts)) for statement, way in ways.items()}
    likely = [statement for statement, number in sharing.items() if number >= SHARE * len(wrong)]
    others = [look(one) for one in right] if likely else []
    return tuple(one for one in likely if sharing[one] >= MOSTLY * (sharing[one] + sum(map(ways[one].holds, others))))


def ways_sentence(statements: Sequence[str]) -> str:
    """Return what is said of some statements."""
    ways = "a way that would differ here" if len(statements) == 1 else "ways that would differ here"
    none = "it has" if len(statements) == 1 else "they have"
    return f"our sources know {ways} ({', '.join(statements)}); {none} no value here yet"
