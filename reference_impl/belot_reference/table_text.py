"""The table as text: a row for each seat with its cards by suit, what was said and what lies on the table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from belot_reference.sheet import SIGNS, bid_text, check_language
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.languages import Language
from belot_spec.words import Words

if TYPE_CHECKING:
    from belot_reference.view import Declared, Trick, View

_WORDS: Final = Words(__name__, "table")
_RANKS: Final = Words(__name__, "ranks")
_NONE: Final = "–"


def hand_text(cards: Sequence[str], language: Language) -> str:
    """Return cards by suit, the highest of the deck first: ``♠ A 10  ♥ –  ♦ K  ♣ 9 7``."""
    held = sorted(cards, key=CARD_NAMES.index, reverse=True)
    by_suit = {suit: [_rank(card, language) for card in held if card[-1] == suit] for suit in SUITS}
    return "  ".join(f"{SIGNS[suit]} {' '.join(ranks) or _NONE}" for suit, ranks in by_suit.items())


def table_text(view: "View", hands: Mapping[int, Sequence[str]], title: str | None, language: Language) -> str:
    """Return what a view shows, with the hands that are known; ``title`` stands above."""
    check_language(language)
    return "\n".join(_lines(view, hands, title, language))


def title_of(profile: str, number: int, totals: Sequence[int], language: Language) -> str:
    """Return the line above a table: the profile, which deal it is, and the score points before it."""
    check_language(language)
    return _WORDS.say("title", language, profile=profile, n=number, totals=" - ".join(map(str, totals)))


def _lines(view: "View", hands: Mapping[int, Sequence[str]], title: str | None, language: Language) -> Iterator[str]:
    if title is not None:
        yield title
    rows = [_row(view, seat, hands.get(seat), language) for seat in range(len(view.announced))]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for row in rows:
        yield "  ".join(
            (*(cell.ljust(width) for cell, width in zip(row[:2], widths, strict=True)), ", ".join(row[2:]))
        ).rstrip()
    said = []
    if view.contract is not None:
        mode = bid_text(view.contract.called, language)
        if view.contract.raised > 1:
            mode += f" ×{view.contract.raised}"
        of_a_suit = view.contract.trump in SIGNS
        said.append(_WORDS.say("trump", language, sign=mode) if of_a_suit else _WORDS.say("mode", language, mode=mode))
    if view.turn_up is not None:
        said.append(_WORDS.say("turned", language, card=_card(view.turn_up, language)))
    if view.bids and view.contract is None:
        told = ", ".join(f"{_seat(seat, language)} {bid_text(bid, language)}" for seat, bid in view.bids)
        said.append(_WORDS.say("bids", language, bids=told))
    if view.discarded:
        said.append(_WORDS.say("away", language, cards=_cards(view.discarded, language)))
    said += _tricks(view, language)
    said.append(_WORDS.say(view.phase, language, n=view.turn))
    yield " ".join(said)


def _row(view: "View", seat: int, hand: Sequence[str] | None, language: Language) -> list[str]:
    held = _WORDS.say("hidden", language) if hand is None else hand_text(hand, language)
    told = [_WORDS.say("deals", language)] if seat == view.dealer else []
    if view.contract is not None and seat == view.contract.taker:
        told.append(_WORDS.say("took", language))
    if view.announced[seat]:
        found = " ".join(_declared(one, language) for one in view.announced[seat])
        told.append(_WORDS.say("announced", language, cards=found))
    if view.belote[seat]:
        told.append(_WORDS.say("belote", language))
    return [f"{'▸' if seat == view.turn else ' '} {_seat(seat, language)}", held, *told]


def _tricks(view: "View", language: Language) -> Iterator[str]:
    """Yield the last completed trick, until a card lies on the table, and the running one."""
    if view.trick is not None:
        yield _trick(view.trick, len(view.tricks) + 1, len(view.announced), language)
    elif view.tricks:
        yield _trick(view.tricks[-1], len(view.tricks), len(view.announced), language)


def _trick(trick: "Trick", number: int, players: int, language: Language) -> str:
    cards = [
        f"{_seat((trick.leader + place) % players, language)} {_card(card, language)}"
        for place, card in enumerate(trick.cards)
    ]
    won = [] if trick.winner is None else [_WORDS.say("won", language, n=trick.winner)]
    return _WORDS.say("trick", language, n=number, cards=", ".join((*cards, *won)))


def _declared(declared: "Declared", language: Language) -> str:
    return _cards(declared.cards, language) if declared.cards else _WORDS.say("points", language, n=declared.points)


def _seat(seat: int, language: Language) -> str:
    return _WORDS.say("seat", language, n=seat)


def _cards(cards: Sequence[str], language: Language) -> str:
    return " ".join(_card(card, language) for card in cards)


def _card(card: str, language: Language) -> str:
    return _rank(card, language) + SIGNS[card[-1]]


def _rank(card: str, language: Language) -> str:
    rank = card[:-1]
    return _RANKS[rank].in_language(language) if rank in _RANKS else rank
