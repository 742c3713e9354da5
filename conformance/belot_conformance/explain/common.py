"""What the wrong answers of a program have in common: a few features of the questions, which the right ones do not share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from belot_conformance.explain.features import FEATURES, Feature, look
from belot_conformance.explain.views import Put

# Of fewer wrong answers nothing is said; so large a share of them have what is said, and of those that have it so many
# are wrong.
FEWEST: Final = 5
SHARE: Final = 0.95
WHEREVER: Final = 0.9
MOSTLY: Final = 2 / 3
# A sentence has so many features; one more must be worth it, and so many beginnings are followed up.
_LONGEST: Final = 4
_WORTH: Final = 0.67
_BEAM: Final = 24
# So many wrong and so many right answers are looked at to find the sentence; the counts are of all.
_LOOKED_AT: Final = 1000

# A set of answers, as the bits of a number.
Answers = int


@dataclass(frozen=True, slots=True)
class Literal:
    """A feature that questions have, or have not."""

    feature: Feature
    holds: bool

    @property
    def phrase(self) -> str:
        """Return what is said of them."""
        return self.feature.yes if self.holds else self.feature.no


@dataclass(frozen=True, slots=True)
class Shared:
    """What nearly all wrong answers have in common, and how many of the wrong and of the right ones have it."""

    literals: tuple[Literal, ...]
    wrong_sharing: int
    wrong: int
    right_sharing: int
    right: int

    @property
    def always(self) -> bool:
        """Say whether nine in ten of the answers that share it are wrong."""
        return self.wrong_sharing >= WHEREVER * (self.wrong_sharing + self.right_sharing)

    @property
    def situation(self) -> str:
        """Return what is shared: ``the contract falls and the other side has declarations``."""
        *others, last = (one.phrase for one in self.literals)
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def sentence(self) -> str:
        """Return it with its counts."""
        where = "wrong wherever" if self.always else "wrong mostly where"
        of_right = f"{self.right_sharing:,}" if self.right_sharing else "none"
        return (
            f"{where} {self.situation}: {self.wrong_sharing:,} of {self.wrong:,} wrong ones, "
            f"{of_right} of {self.right:,} right ones"
        )

    def holds(self, put: Put) -> bool:
        """Say whether a question is of these."""
        view = look(put)
        return all(bool(one.feature.holds(view)) == one.holds for one in self.literals)


def common(wrong: Sequence[Put], right: Sequence[Put]) -> Shared | None:
    """Return what the wrong answers to one operation share and few right ones do, ``None`` where there is no such thing."""
    if len(wrong) < FEWEST:
        return None
    some_wrong, some_right = _evenly(wrong), _evenly(right)
    literals, every = _table([*some_wrong, *some_right])
    bad = (1 << len(some_wrong)) - 1
    found = _search(literals, bad, every & ~bad)
    if not found:
        return None
    chosen = [literal for literal in literals if literal in found]
    shared = Shared(tuple(chosen), 0, len(wrong), 0, len(right))
    shared = Shared(
        shared.literals, sum(map(shared.holds, wrong)), len(wrong), sum(map(shared.holds, right)), len(right)
    )
    told = shared.wrong_sharing >= MOSTLY * (shared.wrong_sharing + shared.right_sharing)
    return shared if told and shared.wrong_sharing >= SHARE * len(wrong) else None


def _evenly(puts: Sequence[Put]) -> Sequence[Put]:
    """Return so many of some answers, from the first to the last."""
    return [puts[len(puts) * place // _LOOKED_AT] for place in range(_LOOKED_AT)] if len(puts) > _LOOKED_AT else puts


def _table(puts: Sequence[Put]) -> tuple[Mapping[Literal, Answers], Answers]:
    """Return which answers each literal holds of, and all of them; of literals that hold of the same the first."""
    features = FEATURES[puts[0].operation]
    columns = [0] * len(features)
    for place, put in enumerate(puts):
        view, bit = look(put), 1 << place
        for number, feature in enumerate(features):
            if feature.holds(view):
                columns[number] |= bit
    every = (1 << len(puts)) - 1
    first: dict[Answers, Literal] = {}
    for feature, answers in zip(features, columns, strict=True):
        first.setdefault(answers, Literal(feature, holds=True))
    for feature, answers in zip(features, columns, strict=True):
        if feature.no:
            first.setdefault(every & ~answers, Literal(feature, holds=False))
    return {literal: answers for answers, literal in first.items() if answers not in (0, every)}, every


def _search(literals: Mapping[Literal, Answers], wrong: Answers, right: Answers) -> frozenset[Literal]:
    """Return the few literals that nearly all wrong answers have together, and the fewest right ones."""
    needed = SHARE * wrong.bit_count()
    useful = [one for one, answers in literals.items() if (answers & wrong).bit_count() >= needed]
    best, fewest = frozenset[Literal](), right.bit_count()
    beam = {best: wrong | right}
    for _ in range(_LONGEST):
        grown = dict(_grown(beam, useful, literals, wrong, needed))
        if not grown:
            break
        # Fewest right ones, then most wrong ones; of equals what was found first, which is the plainest.
        order = sorted(grown, key=lambda some: ((grown[some] & right).bit_count(), -(grown[some] & wrong).bit_count()))
        beam = {some: grown[some] for some in order[:_BEAM]}
        sharing = (beam[order[0]] & right).bit_count()
        if sharing < _WORTH * fewest - needed / 100:
            best, fewest = order[0], sharing
    return best


def _grown(
    beam: Mapping[frozenset[Literal], Answers],
    useful: Sequence[Literal],
    literals: Mapping[Literal, Answers],
    wrong: Answers,
    needed: float,
) -> Iterator[tuple[frozenset[Literal], Answers]]:
    for some, answers in beam.items():
        for one in useful:
            both = answers & literals[one]
            if both != answers and (both & wrong).bit_count() >= needed:
                yield some | {one}, both


