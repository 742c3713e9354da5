"""What tells some rules from others: a question that they answer otherwise, the first there is or the smallest.

Where questions come from is no matter here: cases, deals drawn by either rules, a log. A source is an iterator, asked
for no more than is needed, and each of its questions is answered once by the rules, whatever they are told from.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations, count, islice
from typing import Any, Final, Generic, Protocol, TypeVar

from belot_conformance.programs.reference import Came, put
from belot_conformance.questions.operation import AnsweredQuestion, Question
from belot_conformance.questions.stream import EVERY_OPERATION, random_questions
from belot_conformance.suite.judge import fields_apart
from belot_reference.cards import (
    ALL_CARDS,
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    Card,
    CardSet,
    card_at,
    card_set,
    cards_in,
    holds,
    ranks_of,
)
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset, is_for_people
from belot_reference.declarations import Declaration, four_of, identify, strength, wins_match
from belot_reference.errors import NotADeclaration
from belot_reference.mode import Mode
from belot_reference.possible import largest_hand
from belot_reference.tricks import NO_CARD, Duty, Rung, TrickNode
from belot_spec.card_names import RANKS, SUITS
from belot_spec.files import canonical
from belot_spec.spec import Spec
from belot_spec.value_shapes import ValueShape


@dataclass(frozen=True, slots=True)
class Rival:
    """Rules to tell from others, and the values that are other ones in them, by rule."""

    rules: Ruleset
    values: Mapping[str, Any]

    @classmethod
    def of(cls, rules: Ruleset, other: Ruleset) -> "Rival":
        """Return some rules as the rival of others, from which they may differ in anything."""
        own, found = rules.profile.settings, other.profile.settings
        same = {
            rule for rule in own.keys() & found.keys() if canonical(own[rule].value) == canonical(found[rule].value)
        }
        return cls(other, {rule: other.value_or(rule, None) for rule in own.keys() | found.keys() if rule not in same})


class ProbeQuestion(Protocol):
    """A question with its right answer, and the rules that it rests on."""

    @property
    def operation(self) -> str:
        """What is asked."""

    @property
    def input(self) -> Mapping[str, Any]:
        """What it is asked about."""

    @property
    def rules(self) -> frozenset[str]:
        """The rules that the right answer rests on."""


def is_other(one: AnsweredQuestion, came: Came, *, reasons: bool = False) -> bool:
    """Say whether another answer is another one in anything that is compared, or perhaps in the rules it names."""
    return bool(fields_apart(one.operation, one.answer, came.message(), reasons=reasons))


def answered(rules: Ruleset, questions: Iterable[Question]) -> Iterator[AnsweredQuestion]:
    """Yield questions with the answers by some rules; what makes no sense by them is left out."""
    for one in questions:
        came = put(one.operation, rules, one.input)
        if came.answer is not None:
            yield AnsweredQuestion(one.operation, one.input, came.message(), came.rests_on)


@dataclass(frozen=True, slots=True)
class Budget:
    """From how many deals questions are drawn, and by which lot; the same draw the same questions."""

    deals: int
    seed: int = 1

    def questions(self, rules: Ruleset, operations: frozenset[str] = EVERY_OPERATION) -> Iterator[Question]:
        """Yield what can be asked about so many deals that are played by some rules."""
        return random_questions(rules, self.deals, self.seed, operations)


@dataclass(frozen=True, slots=True)
class Contrast(Question):
    """A question with its answers by the rules and by the rival."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


S = TypeVar("S", bound=ProbeQuestion)
T = TypeVar("T")


class Once(Generic[T]):
    """What a source yields, as often as somebody asks: what nobody wanted yet is worked out now."""

    def __init__(self, source: Iterable[T]) -> None:
        self._source, self._known = iter(source), list[T]()

    def __iter__(self) -> Iterator[T]:
        for place in count():
            if place == len(self._known):
                self._known += islice(self._source, 1)
            if place == len(self._known):
                return
            yield self._known[place]


class Probe(Once[S]):
    """The questions of one source, put to one rival after the other: ``differs`` says which answer tells it."""

    def __init__(self, source: Iterable[S], differs: Callable[[Any, Came], bool] = is_other) -> None:
        super().__init__(source)
        self._differs = differs

    def reading(self, rules: Iterable[str]) -> Iterator[S]:
        """Yield the questions whose answer rests on one of some rules: no other tells their values."""
        wanted = frozenset(rules)
        return (one for one in self if not one.rules.isdisjoint(wanted))

    def telling(self, rival: Rival, among: Callable[[S], bool] = lambda _: True) -> Iterator[tuple[S, Came]]:
        """Yield the questions, of some, to which the rival answers otherwise, with what it answers."""
        for one in self.reading(rival.values):
            if among(one) and self._differs(one, came := put(one.operation, rival.rules, one.input)):
                yield one, came

    def first(self, rival: Rival, among: Callable[[S], bool] = lambda _: True) -> S | None:
        """Return the first question, of some, that tells the rival; ``None`` if none does of all that there are."""
        return next((one for one, _ in self.telling(rival, among)), None)

    def smallest(self, rival: Rival) -> tuple[S, Came] | None:
        """Return the smallest question that tells the rival, with its answer; ``None`` if none does of all."""
        return min(self.telling(rival), key=lambda pair: len(str((pair[0].operation, pair[0].input))), default=None)


# Proofs that other rules play the same game: every trick and hand, every pair of declarations is gone through.


def is_duty(rules: Iterable[str], spec: Spec) -> bool:
    """Say whether the values of some rules are ladders and nothing else, so that every trick and hand can be tried."""
    return all(spec.rules[rule].shape is ValueShape.LADDER for rule in rules)


def tricks_played_alike(rules: Ruleset, changed: Ruleset) -> int:
    """Return in how many running tricks, all there are, two rulesets leave every hand the same cards; 0 if they do not.

    They differ in ladders alone. All tricks that can lie on the table are gone through, with every kind of hand: cards
    that no rung of either ladder tells apart count as one kind, so that trying each set of kinds tries every hand.
    Where no ladder that binds in a trick differs, it leaves the same cards.
    """
    both = ((rule, rules.value(rule), changed.value_or(rule, None)) for rule in rules.profile.settings)
    differing = tuple((rule, canonical([own, other])) for rule, own, other in both if own != other)
    return _ladders_alike(_Ladders(_table(rules), differing, rules, changed))


def _alike(one: TrickNode, other: TrickNode) -> bool:
    led, held = one.led_suit, ALL_CARDS
    for card in (one.best_led, one.winning):
        held &= ~ONLY[card] if card != NO_CARD else ALL_CARDS
    following = _same_choice(one.following, other.following, held, led or ALL_CARDS)
    return following and _same_choice(one.void, other.void, held & ~led, ALL_CARDS & ~led)


def _same_choice(one: Duty, other: Duty, held: CardSet, needed: CardSet) -> bool:
    """Say whether two ladders choose alike from every hand of ``held`` cards with at least one that is ``needed``."""
    return one.rungs == other.rungs or _same_ladder(one.rungs, other.rungs, held, needed)


@lru_cache(maxsize=100_000)
def _same_ladder(one: tuple[Rung, ...], other: tuple[Rung, ...], held: CardSet, needed: CardSet) -> bool:
    kinds = _kinds((*chain(*one, *other), needed), held)
    for size in range(1, len(kinds) + 1):
        for chosen in combinations(kinds, size):
            hand = CardSet(sum(chosen))
            if hand & needed and _chosen(one, hand) != _chosen(other, hand):
                return False
    return True


def _kinds(sets: Sequence[CardSet], held: CardSet) -> list[CardSet]:
    """Return one card, as a set, for each way in which cards lie inside or outside some sets."""
    found: dict[tuple[bool, ...], Card] = {}
    for card in cards_in(held):
        found.setdefault(tuple(holds(cards, card) for cards in sets), card)
    return [ONLY[card] for card in found.values()]


def _chosen(ladder: tuple[Rung, ...], hand: CardSet) -> CardSet:
    return next((hand & rung.allowed for rung in ladder if hand & rung.binds), NO_CARDS)


# A mode by its number, and the cards that lie.
Trick = tuple[int, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class _TrickRules:
    """What decides which tricks are told apart: the same for all rules that differ in ladders alone."""

    deck: CardSet
    players: int
    sides: str
    winner: str
    trump_strength: tuple[int, ...]
    plain_strength: tuple[int, ...]
    modes: tuple[str, ...]
    rules: Ruleset = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Ladders:
    """Two rulesets, known by how tricks are told apart and by the ladders in which they differ, with both values."""

    table: _TrickRules
    differing: tuple[tuple[str, str], ...]
    rules: Ruleset = field(compare=False)
    changed: Ruleset = field(compare=False)


# The same few ladders are held against each other again and again while a program's rules are searched for.
@lru_cache(maxsize=4096)
def _ladders_alike(both: _Ladders) -> int:
    differing, tricks = {rule for rule, _ in both.differing}, 0
    for trick, read, alike in _tricks_at(both.table):
        tricks += alike
        if not read.isdisjoint(differing) and not _alike(_node(both.rules, trick), _node(both.changed, trick)):
            return 0
    return tricks


def _table(rules: Ruleset) -> _TrickRules:
    sides, winner = rules.value("deal.sides"), rules.value("play.trick-winner")
    strengths, modes = (rules.trump_strength, rules.plain_strength), tuple(mode.name for mode in rules.modes)
    return _TrickRules(rules.deck, rules.players, sides, winner, *strengths, modes, rules)


@lru_cache(maxsize=4)
def _tricks_at(table: _TrickRules) -> Once[tuple[Trick, frozenset[str], int]]:
    """Return what ``_tricks_of`` yields; most rules are told apart by one of the first."""
    return Once(_tricks_of(table.rules))


def _tricks_of(rules: Ruleset) -> Iterator[tuple[Trick, frozenset[str], int]]:
    """Yield each trick that the rules tell apart and that waits for a card, as its trump and cards that make it.

    With each stand the rules by which its duties were found, and for how many it stands: no ladder knows a suit by its
    name, so that where all suits have the same cards one is trump for all.
    """
    has_all_alike = len({ranks_of(rules.deck, suit) for suit in EVERY_SUIT}) == 1
    modes: dict[str, list[Mode]] = {}
    for mode in rules.modes:
        modes.setdefault(mode.kind if has_all_alike else mode.name, []).append(mode)
    for mode, *others in modes.values():
        level: dict[TrickNode, tuple[Card, ...]] = {mode.root: ()}
        for _ in range(rules.players):
            for node, cards in level.items():
                yield (mode.number, cards), frozenset((*node.following.read, *node.void.read)), 1 + len(others)
            after: dict[TrickNode, tuple[Card, ...]] = {}
            for node, cards in level.items():
                for card in cards_in(rules.deck):
                    if card not in cards:
                        after.setdefault(rules.tricks.after(node, card), (*cards, card))
            level = after


def _node(rules: Ruleset, trick: Trick) -> TrickNode:
    node = rules.modes[trick[0]].root
    for card in trick[1]:
        node = node.next[card] or rules.tricks.after(node, card)
    return node


# Lists that name what is added up or taken out: their order says nothing.
_SETS: Final = frozenset(
    (
        "scoring.contract-counts",
        "scoring.fall-passes",
        "scoring.raised-kinds",
        "declarations.modes",
        "declarations.belote.modes",
        "deck.removed-cards",
    )
)
# Rules that are read to compare declarations, and for nothing else.
_COMPARING: Final = frozenset(
    (
        "declarations.compared-by",
        "declarations.top-card",
        "declarations.sequence-classes",
        "declarations.square-classes",
    )
)

# A target, and whether reaching it is enough: score points are whole, so that to be over 100 is to reach 101.
_TARGET: Final = ("match.target", "match.target-reached")
# What looks at the target itself, with the value by which nothing does.
_BESIDE_TARGET: Final = {"match.surplus": "ignored", "match.claim": "played-out", "match.after-all-tricks": "may-end"}
# By what a contract is made at exactly half, in either of two ways to say it.
_EVEN: Final = frozenset(("scoring.contract-needs", "scoring.tie", "scoring.contract-against"))
_SQUARES: Final = "declarations.square-points"
_MODES: Final = "bidding.modes"


def proved_alike(rules: Ruleset, rival: Rival, spec: Spec) -> int:
    """Return over how many trials, all there are, a rival plays the same game; 0 where this proves nothing."""
    values = rival.values
    if is_duty(values, spec):
        return tricks_played_alike(rules, rival.rules)
    if values.keys() <= _SETS:
        # What nobody can have is neither added up nor taken.
        idle = {"declarations"} if rules.profile.plays("declarations.played", "belote-only") else set[str]()
        return int(all({*value} - idle == {*rules.value(rule)} - idle for rule, value in values.items()))
    if values.keys() <= _COMPARING:
        return declarations_compared_alike(rules, rival.rules)
    if values.keys() == {*_TARGET}:
        return _targets_alike(rules, rival.rules)
    if values.keys() <= _EVEN:
        return int(_is_made_at_half(rules) and _is_made_at_half(rival.rules))
    if values.keys() == {_SQUARES}:
        return _squares_alike(rules, values[_SQUARES])
    if values.keys() == {_MODES} and rules.auction.amounts:
        # It is by the amount alone that one bid is higher than another: only which modes there are is left.
        named = (sorted(chain(*classes)) for classes in (values[_MODES], rules.value(_MODES)))
        return int(next(named) == next(named))
    return int(all(map(is_for_people, values)))  # what the engine never reads is there for people


def _targets_alike(rules: Ruleset, changed: Ruleset) -> int:
    """Return 1 if the same total ends a match by two targets, and nothing else looks at them."""
    if any(rules.value_or(rule, value) != value for rule, value in _BESIDE_TARGET.items()):
        return 0
    own, other = ([by.value(rule) for rule in _TARGET] for by in (rules, changed))
    return int(own[0] + (own[1] == "exceed") == other[0] + (other[1] == "exceed"))


def _is_made_at_half(rules: Ruleset) -> bool:
    """Say whether a contract is made with half of all points or more, and nothing but that looks at how it is judged.

    To need at least half is to need more than the others together and to keep one's own where both have as many. In a
    doubled deal that goes to one side alone these two are told apart.
    """
    if rules.value_or("scoring.raised-side", "each") != "each":
        return False
    if rules.value("scoring.contract-needs") == "at-least-half":
        return True
    wanted = ("more-than-others", "each-keeps-own", "all-together")
    return (
        rules.value("scoring.contract-needs"),
        rules.value_or("scoring.tie", None),
        rules.value_or("scoring.contract-against", "all-together"),
    ) == wanted


def _squares_alike(rules: Ruleset, points: Mapping[str, int]) -> int:
    """Return how many squares there are in this deck, if they all keep their points: nobody can hold the others."""
    held = [name for rank, name in enumerate(RANKS) if not four_of(rank) & ~rules.deck]
    return len(held) if all(points[name] == rules.value(_SQUARES)[name] for name in held) else 0


def declarations_compared_alike(rules: Ruleset, changed: Ruleset) -> int:
    """Return how many pairs of declarations, all that can meet, two rulesets put in the same order; 0 if they do not.

    They differ only in how declarations are compared. Whatever is made of a comparison rests on the order of pairs.
    """
    if rules.value_or("declarations.compared-by", None) is None:
        return 0
    declarations = list(_declarations(rules))
    compared = 0
    for mode, rival in zip(rules.modes, changed.modes, strict=True):
        pairs = ((rules, mode), (changed, rival))
        own, other = ([strength(by, each, its) for each in declarations] for by, its in pairs)
        for first, second in combinations(range(len(declarations)), 2):
            if not _can_meet(rules, declarations[first], declarations[second], mode):
                continue
            compared += 1
            if _order(own[first], own[second]) != _order(other[first], other[second]):
                return 0
    return compared


def _declarations(rules: Ruleset) -> Iterator[Declaration]:
    """Yield everything that can be declared with the cards of this deck."""
    in_order = sorted(range(len(RANKS)), key=lambda rank: rules.sequence_position[rank])
    sets = [four_of(rank) for rank in range(len(RANKS))]
    for suit in EVERY_SUIT:
        for first, last in combinations(range(len(RANKS) + 1), 2):
            if last - first >= SHORTEST_SEQUENCE:
                sets.append(card_set(card_at(rank, suit) for rank in in_order[first:last]))
    for cards in sets:
        if not cards & ~rules.deck and cards.bit_count() <= largest_hand(rules):
            with suppress(NotADeclaration):
                yield identify(rules, cards)


def _can_meet(rules: Ruleset, one: Declaration, other: Declaration, mode: Mode) -> bool:
    """Say whether two declarations can be compared: held by two players, or by one who must choose between them.

    A run that wins the match at once is compared with nothing that another player holds. Of two runs that share a card
    one is what the other leaves of itself to a square, of which the same player holds three cards more.
    """
    needed = CardSet(one.cards | other.cards).bit_count()
    if not one.cards & other.cards:
        belot = wins_match(rules, one, mode) or wins_match(rules, other, mode)
        return not belot or needed <= largest_hand(rules)
    of_one_suit = one.kind == other.kind
    return needed + (len(SUITS) - 1 if of_one_suit else 0) <= largest_hand(rules)


def _order(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return (one > other) - (one < other)
