"""Counting the sequences of a deal: each is walked on the compiled kernel, or the engine counts none of them twice."""

from collections.abc import Callable, Sequence
from typing import Final

from belot_conformance.perft.deals import Deal
from belot_reference.batch.needed import HOW, is_installed
from belot_reference.cards import CARD_BY_NAME, Card
from belot_reference.compile import Ruleset
from belot_reference.perft import Covered
from belot_reference.play import PlayState

# The kernel walks some hundred million sequences a second. The engine needs less for more of them, but not where cards
# lie open and covered: then hardly anything comes twice.
_WALKED: Final = 30_000_000
_WALKED_OPEN: Final = 300_000_000

Walk = Callable[[PlayState, int], int]


def why_no_kernel(rules: Ruleset) -> str | None:
    """Return why the kernel cannot count by these rules, ``None`` where it can."""
    if not is_installed("numba"):
        return f"numba is not installed: {HOW}"
    from belot_reference.batch.layout import not_for_kernel

    return not_for_kernel(rules)


class Counting:
    """Counts one deal, to one depth after the other; ``walked`` says whether the kernel was used."""

    def __init__(self, rules: Ruleset, deal: Deal, *, kernel: bool) -> None:
        self._plays, self._start = deal.start(rules)
        covered = {CARD_BY_NAME[top]: CARD_BY_NAME[under] for piles in deal.piles for top, under in piles}
        self._walk = _walker(rules, covered) if kernel else None
        self._most = _WALKED_OPEN if deal.piles else _WALKED
        self.walked = False

    def counts(self, depth: int) -> list[int]:
        """Return how many sequences of one card there are, of two, and so on."""
        found: list[int] = []
        for number in range(1, depth + 1):
            found.append(self._count(number, found[-1] if found else 1))
        return found

    def first_cards(self, counts: Sequence[int]) -> list[tuple[Card, int]]:
        """Return how many of the longest sequences begin with each card, given the counts to their length."""
        plays, start = self._plays, self._start
        return [(card, plays.count(plays.after(start, card), len(counts) - 1)) for card in plays.legal(start)]

    def _count(self, depth: int, before: int) -> int:
        if self._walk is None or before > self._most:
            return self._plays.count(self._start, depth)
        self.walked = True
        return self._walk(self._start, depth)


def _walker(rules: Ruleset, covered: Covered) -> Walk:
    from belot_reference.batch.perft import sequences_from

    return lambda play, depth: sequences_from(rules, play, depth, covered)
