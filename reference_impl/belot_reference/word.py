"""A word of the notation: a number, a card, a hand or anything else that stands between two blanks.

Each kind has a form: what it is, an example, how it is read from a word and how it is written.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from belot_reference.bids import CAPOT_NAME
from belot_reference.errors import NotationError, Place
from belot_reference.mode import MODE_NAMES
from belot_reference.sentences import Sentence, say
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS, card_meant
from belot_spec.errors import closest

MOST_SEATS: Final = 4
_CARD: Final = re.compile(f"(?:{'|'.join(RANKS)})[{''.join(SUITS)}]")
_RANK: Final = re.compile("|".join(RANKS))


class Word(NamedTuple):
    """A word, and where it stands."""

    text: str
    place: Place

    def error(self, said: Sentence, after: int = 0) -> NotationError:
        """Return an error at this word, or that number of characters ``after`` its beginning."""
        return self.place.error(said, after)


def card_hint(text: str) -> Sentence | str:
    """Return which card may have been meant, nothing where none is near."""
    return _did_you_mean(card_meant(text))


def name_hint(name: str, known: Iterable[str]) -> Sentence | str:
    """Return which of the known names may have been meant, nothing where none is near."""
    return _did_you_mean(closest(name, known))


def _did_you_mean(what: str | None) -> Sentence | str:
    return say("did-you-mean", what=what) if what else ""


class WordForm(NamedTuple):
    """How a value stands in a text: what it is, an example, how it is read from a word and how it is written."""

    says: Sentence | str
    example: str
    read: Callable[[Word], Any]
    write: Callable[[Any], str]


def _read_number(word: Word) -> int:
    if re.fullmatch("-?[0-9]{1,18}", word.text) is None:
        raise word.error(say("whole-number", text=word.text))
    return int(word.text)


def _read_seat(word: Word) -> int:
    if re.fullmatch(f"[0-{MOST_SEATS - 1}]", word.text) is None:
        raise word.error(say("seat", most=MOST_SEATS - 1, text=word.text))
    return int(word.text)


def _read_amount(word: Word) -> int | str:
    return CAPOT_NAME if word.text == CAPOT_NAME else _read_number(word)


def one_of(what: Sentence | str, names: tuple[str, ...]) -> Callable[[Word], str]:
    """Return how one of some names is read; ``what`` is that about which it says something."""

    def read(word: Word) -> str:
        if word.text not in names:
            raise word.error(
                say("one-of", what=what, names=", ".join(names), text=word.text, hint=name_hint(word.text, names))
            )
        return word.text

    return read


def _read_card(word: Word) -> str:
    if word.text not in CARD_NAMES:
        raise word.error(say("card", text=word.text, hint=card_hint(word.text)))
    return word.text


def _read_cards(word: Word) -> tuple[str, ...]:
    found: list[str] = []
    at = 0
    while at < len(word.text):
        card = _CARD.match(word.text, at)
        if card is None:
            rest = word.text[at:]
            raise word.error(say("cards", rest=rest[:12], hint=card_hint(rest[:2])), at)
        if card[0] in found:
            raise word.error(say("here-twice", card=card[0]), at)
        found.append(card[0])
        at = card.end()
    if not found:
        raise word.error(say("no-cards"))
    return tuple(found)


def _read_hand(word: Word) -> tuple[str, ...]:
    suits = word.text.split(".")
    if len(suits) != len(SUITS):
        raise word.error(say("hand", example=_HAND_EXAMPLE, text=word.text or say("nothing"), n=len(suits)))
    found: list[str] = []
    at = 0
    for suit, ranks in zip(SUITS, suits, strict=True):
        place = 0
        while place < len(ranks):
            rank = _RANK.match(ranks, place)
            if rank is None:
                ten = say("ten") if ranks[place] in "TX10" else ""
                raise word.error(say("rank", ranks=" ".join(RANKS), text=ranks[place], hint=ten), at + place)
            if rank[0] + suit in found:
                raise word.error(say("here-twice", card=rank[0] + suit), at + place)
            found.append(rank[0] + suit)
            place = rank.end()
        at += len(ranks) + 1
    return tuple(sorted(found, key=CARD_NAMES.index))


def _write_hand(cards: Iterable[str]) -> str:
    held = sorted(cards, key=CARD_NAMES.index)
    return ".".join("".join(card[:-1] for card in held if card[-1] == suit) for suit in SUITS)


def _read_pile(word: Word) -> tuple[str, str]:
    cards = _read_cards(word)
    if len(cards) != 2:
        raise word.error(say("pile", text=word.text))
    return cards[0], cards[1]


def several(form: WordForm, between: str) -> WordForm:
    """Return the form of a list of values."""

    def read(word: Word) -> tuple[Any, ...]:
        found, at = [], 0
        for text in word.text.split(between):
            found.append(form.read(Word(text, Place(word.place.line, word.place.column + at))))
            at += len(text) + len(between)
        return tuple(found)

    example = f"{form.example}{between}{form.example}"
    says = say("form-list", example=example, each=form.says)
    return WordForm(says, example, read, lambda value: between.join(map(form.write, value)))


_HAND_EXAMPLE: Final = "7K.10J.A.89Q"
NUMBER: Final = WordForm(say("form-number"), "12", _read_number, str)
AMOUNT: Final = WordForm(say("form-amount"), "90", _read_amount, str)
SEAT: Final = WordForm(say("form-seat"), "0", _read_seat, str)
NUMBERS: Final = several(NUMBER, "/")
ONE_CARD: Final = WordForm(say("form-card"), "10H", _read_card, str)
CARDS: Final = WordForm(say("form-cards"), "7S8S9S", _read_cards, "".join)
HAND: Final = WordForm(say("form-hand"), _HAND_EXAMPLE, _read_hand, _write_hand)
MODE: Final = WordForm(say("form-mode"), "H", one_of("trump", MODE_NAMES), str)
HANDS: Final = several(HAND, "/")
PILES: Final = several(several(WordForm(say("form-pile"), "7S10H", _read_pile, "".join), ","), "/")
MADE: Final = WordForm(
    say("or", one="sequence", other="square"), "sequence", one_of(say("turned"), ("sequence", "square")), str
)
