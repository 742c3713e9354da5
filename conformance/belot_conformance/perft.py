"""Card perft: counting all sequences of cards from published deals, and dividing down to what a program gets wrong."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.dealt import asked_in, following, without_past
from belot_conformance.suite.judge import fields_apart
from belot_kernel.needed import HOW, is_installed
from belot_reference.cards import CARD_BY_NAME, ONLY, Card, names_of
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.game import engine_of, noted_game
from belot_reference.notation import Deal, Transcript
from belot_reference.perft import Covered, Plays, opened
from belot_reference.play import PlayState, legal_now
from belot_spec.card_names import CARD_NAMES
from belot_spec.data import cases_folder
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.files import read_json

# The name of a deal given in the notation.
_GIVEN: Final = "position"


@dataclass(frozen=True, slots=True)
class Last:
    """The same deal when so many tricks are left: who leads, what is held, and the sequences to its end."""

    tricks: int
    leader: int
    hands: Sequence[Sequence[str]]
    count: int


@dataclass(frozen=True, slots=True)
class PerftDeal:
    """A published deal: ``counts`` are the sequences of one card, of two, and so on.

    ``piles`` stand in the place of ``hands`` where cards lie open and covered. ``lasts`` are empty there.
    """

    name: str
    trump: str
    leader: int
    hands: Sequence[Sequence[str]] = ()
    piles: Sequence[Sequence[Sequence[str]]] = ()
    counts: Sequence[int] = ()
    lasts: Sequence[Last] = ()
    played: Sequence[str] = ()

    def start(self, rules: Ruleset) -> tuple[Plays, PlayState]:
        """Return what counts the deal, and the play before its first card, or after those that are ``played``."""
        held = {"piles": self.piles} if self.piles else {"hands": self.hands}
        plays, state = opened(rules, {"trump": self.trump, "leader": self.leader, **held})
        for card in self.played:
            state = plays.after(state, CARD_BY_NAME[card])
        return plays, state

    def ending(self, rules: Ruleset, last: Last) -> tuple[Plays, PlayState]:
        """Return what counts the last tricks, and the play before them."""
        return opened(rules, {"trump": self.trump, "leader": last.leader, "hands": last.hands})


@dataclass(frozen=True, slots=True)
class Bids:
    """The sequences of one bid, of two, and so on, of a deal without or with a card turned up in a suit."""

    turn_up: str | None
    counts: Sequence[int]


@dataclass(frozen=True, slots=True)
class Published:
    """All that is published for a profile; ``unseen`` are the mutants of its rules of play that change no count."""

    profile: str
    deals: Sequence[PerftDeal]
    bidding: Sequence[Bids]
    told: int
    unseen: Sequence[str]


def folder() -> Path:
    """Return where the published deals stand."""
    return cases_folder() / "perft"


def published_profiles() -> list[str]:
    """Return the profiles for which deals are published."""
    return sorted(path.stem for path in folder().glob("*.json"))


def published(profile: str) -> Published:
    """Return what is published for a profile; raises ``UnknownNameError`` if nothing is."""
    known = published_profiles()
    if profile not in known:
        hint = nearest(profile, known) or f"; there are deals for {', '.join(known)}"
        raise UnknownNameError(f"no deals are published for {profile}{hint}")
    data = read_json(folder() / f"{profile}.json")
    deals = [PerftDeal(**{**one, "lasts": [Last(**last) for last in one.get("lasts", ())]}) for one in data["deals"]]
    bidding = [Bids(one.get("turn_up"), one["counts"]) for one in data["bidding"]]
    return Published(data["profile"], deals, bidding, data["mutants"]["told"], data["mutants"]["unseen"])


def deal_named(found: Published, name: str) -> PerftDeal:
    """Return a deal by its name; raises ``UnknownNameError``."""
    by_name = {deal.name: deal for deal in found.deals}
    if name not in by_name:
        raise UnknownNameError(f"there is no deal {name}{nearest(name, by_name) or ': ' + ', '.join(by_name)}")
    return by_name[name]


def told_deal(deal: Deal) -> PerftDeal:
    """Return a deal or a position in the notation as one to count from: what is held, and the running trick.

    Raises ``BadQuestionError`` for one in which no card can be played yet, or not any more, and a ``Refusal``.
    """
    if deal.operation != "replay":
        held = {name: deal.opening[name] for name in ("hands", "piles") if name in deal.opening}
        if not held:
            raise BadQuestionError("a position is counted from what all seats hold: hands or piles")
        played = [str(action.play) for action in deal.actions]
        return PerftDeal(_GIVEN, deal.opening["trump"], deal.opening["leader"], **held, played=played)
    rules, state = engine_of(noted_game(Transcript((deal,)), None))
    if state.play is None or state.ended is not None:
        raise BadQuestionError("cards are counted once somebody has taken, and until the last one")
    cards, hands = state.play.cards, list(state.play.hands)
    for step, card in enumerate(cards):
        hands[(state.play.leader + step) % rules.players] |= ONLY[card]
    if state.covered:
        raise BadQuestionError("where cards lie covered, tell what is held by leader, trump and piles")
    named = [names_of(hand) for hand in hands]
    return PerftDeal(_GIVEN, state.play.mode.name, state.play.leader, named, played=[CARD_NAMES[one] for one in cards])


# The kernel walks some hundred million sequences a second. The engine needs less for more of them, but not where cards
# lie open and covered: then hardly anything comes twice.
_WALKED: Final = 30_000_000
_WALKED_OPEN: Final = 300_000_000

Walk = Callable[[PlayState, int], int]


def why_no_kernel(rules: Ruleset) -> str | None:
    """Return why the kernel cannot count by these rules, ``None`` where it can."""
    if not is_installed("numba"):
        return f"numba is not installed: {HOW}"
    from belot_kernel.layout import not_for_kernel

    return not_for_kernel(rules)


class Counting:
    """Counts one deal, to one depth after the other; ``walked`` says whether the kernel was used."""

    def __init__(self, rules: Ruleset, deal: PerftDeal, *, kernel: bool) -> None:
        self._plays, self._start = deal.start(rules)
        covered = {CARD_BY_NAME[top]: CARD_BY_NAME[under] for piles in deal.piles for top, under in piles}
        self._walk = _walker(rules, covered) if kernel else None
        self._most = _WALKED_OPEN if deal.piles else _WALKED
        self.walked = False

    def counts(self, depth: int) -> list[int]:
        """Return how many sequences of one card there are, of two, and so on."""
        found = [1]
        for number in range(1, depth + 1):
            found.append(self._count(number, found[-1]))
        return found[1:]

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
    from belot_kernel.perft import sequences_from

    return lambda play, depth: sequences_from(rules, play, depth, covered)


# Dividing: from a deal down to the first position in which a program allows other cards than the rules do.
# The program needs no adapter of its own for this: it is asked which cards are legal, and what follows is played out by
# the rules. Positions that differ in nothing a player may look at are asked once.


OPERATION: Final = "legal-cards"

# What a player may look at in a position, and positions with the first way to each: the one before and a card.
_Asked = tuple[str, tuple[str, ...], tuple[str, ...]]
_Level = dict[PlayState, tuple[PlayState, Card] | None]


@dataclass(frozen=True, slots=True)
class Move:
    """A card that may be played, by the rules or by the program, with how many sequences follow by each.

    ``None`` where one of them does not allow the card.
    """

    card: str
    right: int | None
    came: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One position on the way down: the cards played so far, and what follows each card that may come next."""

    played: Sequence[str]
    moves: Sequence[Move]


@dataclass(frozen=True, slots=True)
class Found:
    """The first position that differs, and the way to it; ``came`` is what the program answered there."""

    deal: str
    depth: int
    right_count: int
    came_count: int | None
    steps: Sequence[Step]
    question: Mapping[str, Any]
    right: Sequence[str]
    came: Answer


@dataclass(slots=True)
class Divided:
    """What came of a deal: how deep it was looked at, how many positions were asked, and the first that differs."""

    deal: str
    depth: int
    sequences: int
    positions: int
    found: Found | None = None


class Dividing:
    """A program, asked by one profile; what it answered once it is not asked again."""

    def __init__(self, target: Target, rules: Ruleset, asked_as: str) -> None:
        self._target = target
        self._rules = rules
        self._asked_as = asked_as
        self._answers: dict[_Asked, Answer] = {}

    def divide(self, deal: PerftDeal, depth: int) -> Divided:
        """Look at every position of a deal up to a number of cards, shallow ones first."""
        return self._divided(deal.name, *deal.start(self._rules), depth)

    def divide_last(self, deal: PerftDeal, depth: int) -> Iterator[Divided]:
        """Do the same with the last tricks of a deal; the fewest are played to the end."""
        fewest = min((last.tricks for last in deal.lasts), default=0)
        for last in deal.lasts:
            cards = last.tricks * self._rules.players
            deep = cards if last.tricks == fewest else min(depth, cards)
            yield self._divided(f"{deal.name}, {last.tricks}", *deal.ending(self._rules, last), deep)

    def _divided(self, name: str, plays: Plays, start: PlayState, depth: int) -> Divided:
        divided = Divided(name, depth, plays.count(start, depth), 0)
        level: _Level = {start: None}
        parents: _Level = {}
        for cards in range(1, depth + 1):
            level = {state: before for state, before in level.items() if state.hands[state.turn]}
            parents |= level
            divided.positions += self._ask(level)
            wrong = next((state for state in level if not self._is_right(state)), None)
            if wrong is not None:
                divided.found = self._found(name, plays, wrong, parents, cards)
                return divided
            level = dict(following(plays, level))
        return divided

    def _ask(self, level: Iterable[PlayState]) -> int:
        """Put the positions to the program that it has not answered yet; return how many."""
        new = {key: state for state in level if (key := _key(state)) not in self._answers}
        keys = {f"{number}": key for number, key in enumerate(new)}
        asked = [Request(name, OPERATION, self._asked_as, asked_in(new[key])) for name, key in keys.items()]
        for name, answer in self._target.ask(asked).items() if asked else ():
            self._answers[keys[name]] = answer
        return len(asked)

    def _came(self, state: PlayState) -> frozenset[str] | None:
        """Return the cards that the program allows, ``None`` if it gave no such answer."""
        answer = self._answers[_key(state)]
        if not isinstance(answer, Reply) or answer.kind != "result":
            return None
        cards = answer.value.get("cards")
        plain = isinstance(cards, list) and all(isinstance(card, str) for card in cards)
        return frozenset(cards) if plain else None

    def _is_right(self, state: PlayState) -> bool:
        right = {"result": {"cards": names_of(legal_now(self._rules, state)[0])}}
        return not fields_apart(OPERATION, right, self._answers[_key(state)].message(), ("cards",))

    def _found(self, deal: str, plays: Plays, wrong: PlayState, parents: _Level, depth: int) -> Found:
        states, played = [wrong], list[str]()
        while (before := parents[states[0]]) is not None:
            states.insert(0, before[0])
            played.insert(0, CARD_NAMES[before[1]])
        counts = _Counts(plays, self._came)
        return Found(
            deal,
            depth,
            plays.count(states[0], depth),
            counts.of(states[0], depth),
            [Step(played[:place], counts.moves(state, depth - place)) for place, state in enumerate(states)],
            asked_in(wrong),
            names_of(legal_now(self._rules, wrong)[0]),
            self._answers[_key(wrong)],
        )


class _Counts:
    """Counts sequences by what a program answered."""

    def __init__(self, plays: Plays, came: Callable[[PlayState], frozenset[str] | None]) -> None:
        self._plays = plays
        self._came = came
        self._known: dict[tuple[PlayState, int], int | None] = {}

    def of(self, state: PlayState, depth: int) -> int | None:
        """Return how many sequences a program allows; ``None`` where it gave no answer on the way."""
        if not depth or not state.hands[state.turn]:
            return 1
        state = without_past(state)
        if (state, depth) not in self._known:
            self._known[state, depth] = self._counted(state, depth)
        return self._known[state, depth]

    def _counted(self, state: PlayState, depth: int) -> int | None:
        cards = self._came(state)
        if cards is None or depth == 1:
            return None if cards is None else len(cards)
        counts = [self.of(self._plays.after(state, CARD_BY_NAME[card]), depth - 1) for card in cards]
        return None if None in counts else sum(filter(None, counts))

    def moves(self, state: PlayState, depth: int) -> list[Move]:
        """Return what follows each card that the rules or the program allow."""
        legal, allowed = [CARD_NAMES[card] for card in self._plays.legal(state)], self._came(state) or ()
        found = []
        for name in dict.fromkeys([*legal, *sorted(allowed)]):
            after = self._plays.after(state, CARD_BY_NAME[name]) if name in CARD_BY_NAME else None
            right = self._plays.count(after, depth - 1) if after is not None and name in legal else None
            came = None
            if name in allowed:
                came = self.of(after, depth - 1) if after is not None and depth > 1 else 1
            found.append(Move(name, right, came))
        return found


def _key(state: PlayState) -> _Asked:
    asked = asked_in(state)
    return asked["trump"], tuple(asked["hand"]), tuple(asked["trick"])
