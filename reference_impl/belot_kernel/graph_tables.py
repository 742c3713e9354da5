"""The trick graph as arrays: every trick that can come about, each kind of trick once."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from belot_kernel.tables import NONE, Arrays, filled_up, masks, small
from belot_reference.cards import ALL_CARDS, EVERY_CARD
from belot_reference.tricks import NO_CARD, NOBODY, Duty, TrickGraph, TrickNode, Trumps

# The rules that a duty can come from, by the number that stands for each in the arrays.
DUTIES: Final = (
    "play.lead",
    "play.follow.unruffed",
    "play.follow.ruffed",
    "play.trump-led.opponent-winning",
    "play.trump-led.partner-winning",
    "play.all-trumps.opponent-winning",
    "play.all-trumps.partner-winning",
    "play.void.opponent-winning",
    "play.void.partner-winning",
    "play.void.opponent-ruffed",
    "play.void.partner-ruffed",
    "play.trick-winner",
)

_Signature = tuple[object, ...]


class _Numbering:
    """Numbers the nodes of a graph, and gives two that ask and do the same one number."""

    def __init__(self, tricks: TrickGraph, players: int) -> None:
        self._tricks = tricks
        self._players = players
        self._known: dict[TrickNode, int] = {}
        self._alike: dict[_Signature, int] = {}
        self.nodes: list[TrickNode] = []
        self.steps: list[list[int]] = []

    def number(self, node: TrickNode) -> int:
        """Return the number of a node, which all that follow from it have before it."""
        found = self._known.get(node)
        if found is not None:
            return found
        over = node.count == self._players
        steps = [] if over else [self.number(node.next[card] or self._tricks.after(node, card)) for card in EVERY_CARD]
        winning = None if over else node.winning
        duties = (node.led_suit, *_of(node.following), *_of(node.void))
        signature = (node.count, node.winner, winning, duties, tuple(steps))
        found = self._alike.get(signature)
        if found is None:
            found = self._alike[signature] = len(self.nodes)
            self.nodes.append(node)
            self.steps.append(steps or [NONE] * len(EVERY_CARD))
        self._known[node] = found
        return found


def _of(duty: Duty) -> tuple[object, ...]:
    return duty.rule, duty.rungs


@lru_cache(maxsize=8)
def graph_tables(tricks: TrickGraph, players: int, modes: tuple[Trumps, ...]) -> Arrays:
    """Return the trick graph of so many players; rulesets by which tricks are played alike share it."""
    numbering = _Numbering(tricks, players)
    roots = [numbering.number(tricks.root(trumps)) for trumps in modes]
    nodes = numbering.nodes
    both = [(node.following, node.void) for node in nodes]
    most = max(len(duty.rungs) for duties in both for duty in duties)
    return {
        "root": small(roots),
        "step": small(numbering.steps),
        "led": masks([node.led_suit for node in nodes]),
        "rungs": masks([[_ladder([one.binds for one in duty.rungs], most) for duty in duties] for duties in both]),
        "allowed": masks([[_ladder([one.allowed for one in duty.rungs], most) for duty in duties] for duties in both]),
        "duty": small([[DUTIES.index(duty.rule) for duty in duties] for duties in both]),
        "played": small([node.count for node in nodes]),
        "winner": small([NONE if node.winner == NOBODY else node.winner for node in nodes]),
        "winning": small([NONE if node.winning == NO_CARD else node.winning for node in nodes]),
    }


def _ladder(rungs: Sequence[int], most: int) -> list[int]:
    """Return a ladder with as many rungs as the longest; every hand can climb the last."""
    return filled_up([*rungs], most, ALL_CARDS)
