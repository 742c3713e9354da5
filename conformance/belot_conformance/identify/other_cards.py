"""With which cards a program plays, asked of it: where questions make no sense to it, one about each card tells why."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from belot_conformance.diagnosis.mutations import compile_changed
from belot_conformance.identify.found import Identified
from belot_conformance.identify.further import Drawn
from belot_conformance.identify.observations import ERROR, Observation
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.card_names import SUITS
from belot_spec.errors import UnplayableError
from belot_spec.spec import Profile, Spec

Values = Mapping[str, Any]
# Puts questions of some rules to the program, and returns what it answered by the names of the questions.
Ask = Callable[[Ruleset, Sequence[Drawn]], Mapping[str, Observation]]

_BEFORE: Final = "deal.packets-before-bidding"
_AFTER: Final = "deal.packets-after-bidding"
_REMOVED: Final = "deck.removed-cards"
_DISCARDS: Final = "deal.taker-discards"
# Of more cards than this not every way is tried to deal them.
_LARGEST: Final = 8
_DEALERS: Final = 2


class OtherCards:
    """The cards of a program that plays otherwise what was ``found``, and of which only ``operations`` can be asked."""

    def __init__(self, found: Profile, spec: Spec, operations: Collection[str], ask: Ask) -> None:
        self._found = found
        self._spec = spec
        self._operations = operations
        self._ask = ask
        self._rules = compile_profile(found)

    def guesses(self, *, is_other_deck: bool) -> list[Values]:
        """Return whole sets of values that the program may play by; none if it says nothing of its cards.

        If it ``is_other_deck`` than that of the rules found the program is asked about each card.
        """
        if self._rules.open_piles:
            return []
        deck = names_of(self._rules.deck)
        known = self._known_cards() if is_other_deck else set(deck)
        if not known:
            return []
        return list(self._tables([*self._found.value(_REMOVED), *(card for card in deck if card not in known)]))

    def _known_cards(self) -> set[str]:
        """Return the cards that the program can be asked about."""
        cards, players = names_of(self._rules.deck), self._rules.players
        for operation in ("compare-hands", "perft"):
            if operation not in self._operations:
                continue
            some = [cards[start :: -(-len(cards) // players)] for start in range(-(-len(cards) // players))]
            known = self._accepted(operation, "some", [one for one in some if len(one) == players])
            unknown = [card for card in cards if card not in known]
            others = sorted(known)[: players - 1]
            if len(others) == players - 1:
                known |= self._accepted(operation, "one", [[card, *others] for card in unknown])
                return known
        return set()

    def _accepted(self, operation: str, name: str, each: Sequence[Sequence[str]]) -> set[str]:
        """Return the cards of the hands, of a card each, that are no error."""
        more = {"depth": self._rules.players} if operation == "perft" else {"taker": 0}
        asked = {
            f"{operation}-{name}-{number}": Drawn(
                f"{operation}-{name}-{number}",
                operation,
                {"trump": SUITS[0], "leader": 0, "hands": [[card] for card in cards], **more},
            )
            for number, cards in enumerate(each)
        }
        came = self._ask(self._rules, list(asked.values()))
        return {
            hand[0]
            for one, drawn in asked.items()
            if one in came and came[one].kind != ERROR and not came[one].says_nothing
            for hand in drawn.input["hands"]
        }

    def _tables(self, removed: Sequence[str]) -> Iterator[Values]:
        """Yield tables without some cards, dealt as the program deals them if it says how."""
        sizes = self._hand_sizes(removed)
        if sizes is None:
            yield from self._playable(removed, [*self._packets(_BEFORE)], [*self._packets(_AFTER)])
            return
        before, after = sizes
        yield from self._playable(removed, _ways(before), [[after] if after else []])
        yield from ({_AFTER: way} for way in _ways(after))

    def _playable(self, removed: Sequence[str], before: Sequence[Any], after: Sequence[Any]) -> Iterator[Values]:
        left_over = self._rules.deck.bit_count() + len(self._found.value(_REMOVED)) - len(removed)
        for first in before:
            for then in after:
                values = {_REMOVED: list(removed), _BEFORE: first, _AFTER: then}
                if _DISCARDS in self._found.settings:
                    values[_DISCARDS] = left_over - self._rules.players * (sum(first) + sum(then))
                with suppress(UnplayableError):
                    compile_changed(self._found, values, self._spec)
                    yield values

    def _packets(self, rule: str) -> Iterator[Any]:
        """Yield how cards are dealt in any game."""
        yield self._found.value(rule)
        for variant in self._spec.playable():
            yield self._spec.profile(variant).value(rule)

    def _hand_sizes(self, removed: Sequence[str]) -> tuple[int, int] | None:
        """Return how many cards each gets before the bidding and after it, as the program deals such a deck."""
        some = next(self._playable(removed, *self._sizes()), None)
        if some is None or "deal" not in self._operations:
            return None
        rules = compile_changed(self._found, some, self._spec)
        deck = names_of(rules.deck)
        drawn = [
            Drawn(
                f"deal-{'-'.join(removed)}-{dealer}",
                "deal",
                {"dealer": dealer, "deck": deck, "cut": len(deck) // 2, "taker": 0},
            )
            for dealer in range(_DEALERS)
        ]
        for one in self._ask(rules, drawn).values():
            if one.kind == "result" and one.given.get("before") and one.given.get("hands"):
                first = len(one.given["before"][-1])
                return first, min(map(len, one.given["hands"])) - first
        return None

    def _sizes(self) -> tuple[Sequence[Any], Sequence[Any]]:
        most = range(_LARGEST, 0, -1)
        return [[size] for size in most], [[size] for size in (1, 2, 3, 4)]


def _ways(cards: int) -> list[list[int]]:
    """Return every way to deal so many cards in packets; of many cards only that in one."""
    if cards > _LARGEST:
        return [[cards]]
    if not cards:
        return [[]]
    return [[first, *rest] for first in range(cards, 0, -1) for rest in _ways(cards - first)]


def dealt_otherwise(found: Identified) -> bool:
    """Say whether another deck was found than was asked for, or a program deals other hands than was found."""
    asked, played = found.bases[0], compile_profile(found.played[0])
    dealt = [one for one in found.observations if one.operation == "deal" and one.kind == "result"]
    # The taker may have more, which he lays away.
    sizes = {min(map(len, hands)) for one in dealt if (hands := one.given.get("hands"))}
    return asked.value(_REMOVED) != played.value(_REMOVED) or bool(sizes - {played.hand_size})
