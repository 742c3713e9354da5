"""An endless stream of questions about one profile, with the answers of its rules: the same for the same seed.

Every round begins with a deal and asks of it whatever the protocol can ask; contrived questions follow, and then
variations of questions that reached what is seldom reached. With each round more small questions are drawn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import permutations
from random import Random
from typing import Any, Final, NamedTuple

from orjson import dumps, loads

from belot_conformance.drawing.contriving import OPERATIONS as CONTRIVED
from belot_conformance.drawing.contriving import Contriving
from belot_conformance.drawing.coverage import Coverage, Question
from belot_conformance.drawing.matches import CloseMatches
from belot_conformance.drawing.retelling import announced_too, claimed, looked_back, said_elsewhere, shown_later
from belot_conformance.drawing.varying import varied
from belot_conformance.recording.deals import RecordedDeal, random_deal
from belot_conformance.recording.matches import DealPool, random_match
from belot_conformance.recording.random_questions import of_deal
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset
from belot_reference.operations import OPERATIONS, answer
from belot_reference.play import force_card, start_play
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.errors import BelotError

# How many contrived questions of an operation, and variations of seldom ones, a round begins with.
_EACH: Final = {
    "legal-cards": 12, "score-deal": 6, "belote": 3, "compare-declarations": 16, "bidding": 4, "trick-winner": 6,
    "card-points": 2, "declarations": 4, "deal": 3,
}  # fmt: skip
_VARIED: Final = 10
# Of deals and matches only so many are varied in a round: they take long to answer.
LONG: Final = frozenset(("replay", "match", "settle-tricks", "compare-hands", "penalty", "deal"))
_LONG_VARIED: Final = 4
_OF_MATCHES: Final = 3
_MATCHES_GROW: Final = 3
# Small questions are drawn more and more, until there are so many times as many in a round.
_MOST_AT_ONCE: Final = 40
_SLOWLY: Final = 8
_GROWING: Final = frozenset((
    "legal-cards", "trick-winner", "card-points", "score-deal", "belote", "bidding", "declarations",
    "compare-declarations",
))  # fmt: skip
# A deal is played only where anything else is wanted.
_WITHOUT_DEALS: Final = frozenset(("score-deal", "belote", "compare-hands"))
# These take longer to answer, so that their number grows as many times slower.
_SLOWER: Final = {"compare-declarations": 6, "declarations": 4}
# Once there are so many times as many small questions, half of them are looked at for what is seldom.
_LOOKED_AT: Final = 4
# What is small and about suits is asked once more in others after so many rounds.
_OF_SUITS: Final = _GROWING - {"score-deal"}
_LATER: Final = 25
_SUIT_SIGNS: Final = "".join(SUITS).encode()
_EXCHANGED: Final = [bytes.maketrans(_SUIT_SIGNS, bytes(signs)) for signs in permutations(_SUIT_SIGNS)][1:]
_DEALS_KEPT: Final = 60
_MATCH_EVERY: Final = 6


class Drawn(NamedTuple):
    """A question with the answer of the rules, as a message of the protocol, and the rules that were read for it."""

    operation: str
    question: Mapping[str, Any]
    message: Mapping[str, Any]
    rules: frozenset[str]


def in_other_suits(drawn: Drawn, exchanged: bytes) -> Drawn:
    """Return a question and its answer with the suits exchanged; no other text of them has a capital S, H, D or C."""
    question, message = loads(dumps((drawn.question, drawn.message)).translate(exchanged))
    return Drawn(drawn.operation, question, message, drawn.rules)


class Stream:
    """The questions about one profile, of the operations that are wanted.

    After so many rounds small questions are asked in other suits too.
    """

    def __init__(
        self, rules: Ruleset, seed: int, operations: Iterable[str] = OPERATIONS, other_suits_after: int = _LATER
    ) -> None:
        self.rules = rules
        self.coverage = Coverage()
        self._operations = frozenset(operations)
        self._contrived = [operation for operation in CONTRIVED if operation in self._operations]
        self._contriving = Contriving(rules)
        self._close = CloseMatches(rules, self._contriving)
        self._random = Random(f"fuzz {rules.profile.id} {seed}")
        self._pool = DealPool(rules)
        self._rounds = 0
        self._other_suits_after = other_suits_after
        self._asked = 0

    def round(self) -> list[Drawn]:
        """Return the questions of the next round; each has an answer by the rules."""
        self._rounds += 1
        self.coverage.look_again()
        drawn = list(self._answered(self._questions(), well_formed=True))
        drawn += self._answered(self._varied(), well_formed=False)
        return [*drawn, *self._in_other_suits(drawn)]

    def _answered(self, questions: Iterable[Question], *, well_formed: bool) -> Iterator[Drawn]:
        for operation, question in questions:
            if operation not in self._operations:
                continue
            # What is no question by these rules is not asked.
            with suppress(BelotError):
                # A spoiled deal may be no question at all; what is contrived always is one.
                found = answer(operation, self.rules, question, well_formed=well_formed and operation in CONTRIVED)
                self._asked += 1
                # Of many small questions a part is enough to see what is seldom.
                if operation not in _GROWING or self._asked % self._looked_at == 0:
                    self.coverage.enter(self.rules, operation, question, found)
                yield Drawn(operation, question, found.message(), found.rules)

    def _questions(self) -> Iterator[Question]:
        random, breadth = self._random, self._breadth
        if self._operations - _WITHOUT_DEALS:
            yield from self._of_a_deal(breadth)
        for operation in self._contrived:
            grown = _SLOWER.get(operation, 1)
            for _ in range(_EACH.get(operation, 1) * (-(-breadth // grown) if operation in _GROWING else 1)):
                yield operation, self._contriving.question(operation, random)
        if "match" in self._operations:
            yield from self._of_matches()

    def _of_a_deal(self, breadth: int) -> Iterator[Question]:
        rules, random = self.rules, self._random
        deal = random_deal(rules, random)
        if self._rounds % _DEALS_KEPT == 0:
            self._pool = DealPool(rules)
        self._pool.add(deal)
        self.coverage.tag("replay", deal.question, deal.tags)
        yield from of_deal(rules, deal, self._operations, random)
        if "replay" in self._operations:
            yield from (("replay", retold) for retold in _retold(rules, deal, random))
        if "legal-cards" in self._operations:
            yield from _positions(rules, deal, random, breadth)

    @property
    def _breadth(self) -> int:
        """How many times as many small questions are drawn as in the first round."""
        return min(_MOST_AT_ONCE, 1 + self._rounds // _SLOWLY)

    @property
    def _looked_at(self) -> int:
        return 1 + self._breadth // _LOOKED_AT

    def _varied(self) -> Iterator[Question]:
        long = 0
        for _ in range(_VARIED * self._breadth):
            seed = self.coverage.draw(self._random)
            if seed is None or seed[0] not in self._operations:
                continue
            long += seed[0] in LONG
            if seed[0] not in LONG or long <= _LONG_VARIED:
                yield seed[0], varied(self.rules, *seed, self._random)

    def _in_other_suits(self, drawn: Sequence[Drawn]) -> Iterator[Drawn]:
        """Yield small questions again with the suits exchanged: the answer is the same with the suits exchanged.

        Only once much was asked: few programs know the rules in some suits alone.
        """
        if self._rounds > self._other_suits_after:
            for one in drawn:
                if one.operation in _OF_SUITS:
                    yield in_other_suits(one, self._random.choice(_EXCHANGED))

    def _of_matches(self) -> Iterator[Question]:
        """Yield matches from the middle, at totals where it is close, and now and then a whole one."""
        rules, random, pool = self.rules, self._random, self._pool
        if not pool.is_empty and self._rounds % _MATCH_EVERY == 0:
            match = random_match(rules, pool, random)
            self.coverage.tag("match", match.question, match.tags)
            yield "match", match.question
        for _ in range(_OF_MATCHES + self._breadth // _MATCHES_GROW):
            yield "match", self._close.question(pool, random)


def _retold(rules: Ruleset, deal: RecordedDeal, random: Random) -> Iterator[Mapping[str, Any]]:
    """Yield a recorded deal told otherwise in every way that can make a difference."""
    question = deal.question
    yield announced_too(rules, deal, random)
    yield looked_back(rules, question, random)
    yield said_elsewhere(rules, question, random)
    yield claimed(rules, question, random)
    if any("show" in action for action in question["actions"]):
        yield shown_later(rules, question, random)


def _positions(rules: Ruleset, deal: RecordedDeal, random: Random, breadth: int) -> Iterator[Question]:
    """Yield what players of a recorded deal were to choose from, as many as there are at most."""
    play = deal.state.play
    if play is None or not play.tricks or rules.open_piles:
        return
    first = play.tricks[0].leader
    hands = [hand & ~deal.state.discarded for hand in deal.state.hands]
    state = start_play(rules, play.trump, hands, first)
    share = min(1.0, breadth / 8)
    for trick in play.tricks:
        for card in trick.cards:
            if random.random() < share:
                trump, hand = SUITS[play.trump], names_of(state.hands[state.turn])
                yield "legal-cards", {"trump": trump, "hand": hand, "trick": [CARD_NAMES[one] for one in state.cards]}
            state = force_card(rules, state, card)
