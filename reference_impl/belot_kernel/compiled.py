"""The tables of a ruleset, all of them, and the file that holds them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from belot_kernel.bid_tables import bid_tables
from belot_kernel.declared_tables import declared_tables
from belot_kernel.graph_tables import DUTIES, graph_tables
from belot_kernel.scoring_tables import match_tables, settling_tables
from belot_kernel.tables import NONE, TABLES_VERSION, Arrays, card_tables, coded, small
from belot_reference.cards import Card, CardSet, cards_in, holds
from belot_reference.compile import Ruleset
from belot_reference.deal import Dealt, deal_after_bidding, deal_before_bidding
from belot_reference.play import first_leader
from belot_spec.card_names import CARD_NAMES
from belot_spec.data import spec_digest, spec_folder
from belot_spec.whole_file import write_whole

# Names in a file that are not of a table: what the numbers in it stand for.
LEGEND: Final = ("version", "profile", "spec", "card_names", "mode_names", "duty_names")


@lru_cache(maxsize=4)
def tables_of(rules: Ruleset) -> dict[str, Arrays]:
    """Return the tables of a ruleset by group."""
    return {
        "graph": graph_tables(rules.tricks, rules.players, tuple(mode.trumps for mode in rules.modes)),
        "cards": card_tables(rules),
        "table": seat_tables(rules),
        "bids": bid_tables(rules),
        "declared": declared_tables(rules),
        "settling": settling_tables(rules),
        "matches": match_tables(rules),
    }


def arrays_of(rules: Ruleset) -> dict[str, Any]:
    """Return every array of a ruleset's tables by its name, ``graph.step`` for one, and the legend."""
    modes = [mode.name for mode in rules.modes]
    legend = (TABLES_VERSION, rules.profile.id, spec_digest(spec_folder()), CARD_NAMES, modes, DUTIES)
    found: dict[str, Any] = {name: np.array(value) for name, value in zip(LEGEND, legend, strict=True)}
    for group, tables in tables_of(rules).items():
        found.update({f"{group}.{name}": np.asarray(value) for name, value in tables.items()})
    return found


def write_tables(rules: Ruleset, path: Path) -> dict[str, Any]:
    """Write the tables of a ruleset to a file of numpy, whole or not at all, and return its arrays.

    The file needs no pickles to be read. Raises ``OSError`` for a path that cannot be written.
    """
    arrays = arrays_of(rules)
    data = BytesIO()
    np.savez_compressed(data, **arrays)
    write_whole(path, data.getvalue())
    return arrays


# Dealing, asked from the engine: where each card of a deck goes.


def seat_tables(rules: Ruleset) -> Arrays:
    """Return the seats of a ruleset and where the cards of a deck go."""
    deck = list(cards_in(rules.deck))
    seats = range(rules.players)
    dealt = [deal_before_bidding(rules, dealer, deck) for dealer in seats]
    full = [[_seats_of(deck, deal_after_bidding(rules, one, taker)) for taker in seats] for one in dealt]
    turn_up = NONE if dealt[0].turn_up is None else deck.index(dealt[0].turn_up)
    return {
        "players": rules.players,
        "sides": rules.side_count,
        "hand_size": rules.hand_size,
        "side_of": small(rules.side_of),
        "leader": small([[first_leader(rules, dealer, taker) for taker in seats] for dealer in seats]),
        "first_seat": small([_first_seats(deck, one) for one in dealt]),
        "full_seat": small(full),
        "turn_up": turn_up,
        "cover": small([_covers(deck, one) for one in dealt]),
        "discards": rules.value_or("deal.taker-discards", 0),
        "seven_exchange": coded(rules, "deal.seven-exchange", "none", "when-turned-suit-taken", default="none"),
        "cut_minimum": rules.value("deal.cut-minimum"),
    }


def _first_seats(deck: Sequence[Card], dealt: Dealt) -> list[int]:
    """Return who has each card of the deck, open or covered, before the bidding."""
    if not dealt.piles:
        return _seats_of(deck, dealt.hands)
    return _seats_of(deck, [CardSet(sum(1 << card for pile in piles for card in pile)) for piles in dealt.piles])


def _seats_of(deck: Sequence[Card], hands: Iterable[CardSet]) -> list[int]:
    held = list(hands)
    return [next((seat for seat, hand in enumerate(held) if holds(hand, card)), NONE) for card in deck]


def _covers(deck: Sequence[Card], dealt: Dealt) -> list[int]:
    """Return for each place of the deck the place of the card that comes to lie on it."""
    over = {under: top for piles in dealt.piles for top, under in piles}
    return [deck.index(over[card]) if card in over else NONE for card in deck]
