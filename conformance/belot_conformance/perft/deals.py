"""The published deals with the numbers of their sequences: ``cases/perft/``; and counting others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from belot_kernel.needed import HOW, is_installed
from belot_reference.cards import CARD_BY_NAME, ONLY, Card, names_of
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.game import engine_of, noted_game
from belot_reference.notation import Deal, Transcript
from belot_reference.perft import Covered, Plays, opened
from belot_reference.play import PlayState
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
