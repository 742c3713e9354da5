"""The notation: deals, positions and whole matches as text that people read and write (``docs/notation.md``).

A line such as ``profile bela-4 dealer 3 hands … 0: pass pass H 0: AS 7S`` holds what a question of the protocol does: a
field by the name that it has there, then what was done, from the seat that stands before it. A text is such lines one
after the other, broken wherever one likes, with comments from ``#`` to the end of the line.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from belot_reference.action import Action, as_lists, as_tuples, read_action, word_of
from belot_reference.errors import BadQuestionError, NotationError, Place, said_of
from belot_reference.questions import check_input
from belot_reference.sentences import Sentence, in_english_and, say
from belot_reference.word import (
    AMOUNT,
    CARDS,
    HAND,
    HANDS,
    MODE,
    MOST_SEATS,
    NUMBER,
    NUMBERS,
    ONE_CARD,
    PILES,
    SEAT,
    Word,
    WordForm,
    name_hint,
    one_of,
)
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import BelotError
from belot_spec.shipped import open_profile

# Where a comment stands that comes before all of a deal.
LEAD: Final = -1
_SEAT: Final = re.compile("([0-9]{1,9}):")
_WORD: Final = re.compile(r"#[^\n]*|[^\s#]+")


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal or a position, as one line of the notation holds it; the rules have not looked at it yet.

    ``Game.from_text`` plays a deal by them, and ``Position.from_line`` sets up a position.
    ``opening`` are the fields of the question that it is, by the names and in the form of the protocol: with a
    ``dealer`` it is a deal, from its first cards on, of ``replay``; with a ``leader`` it is what is held when a trick
    begins, of ``perft``, and with ``actions``, the cards of that trick, of ``legal-cards``. ``score`` are the score
    points that it brought each side, if that is told, and ``match`` names the match that it belongs to. ``comments``
    have the number of actions before them, -1 before all of the deal. ``places`` says where in the text each field and
    each action stands. ``seats`` is how many play, where the spec that ships need not know the profile. Printed, it is
    the line.
    """

    profile: str | None
    opening: Mapping[str, Any]
    actions: tuple[Action, ...] = ()
    score: tuple[int, ...] | None = None
    match: str | None = None
    comments: tuple[tuple[int, str], ...] = ()
    places: Mapping[str | int, Place] = field(default_factory=dict, compare=False, repr=False)
    seats: int | None = field(default=None, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str, profile: str | None = None, players: Callable[[str], int] | None = None) -> "Deal":
        """Return the one deal that a text holds; raises ``NotationError``.

        ``profile`` are the rules of a deal that names none; house rules are given by their file. ``players`` says how
        many play by a profile, where that is not left to the spec that ships.
        """
        deals = _read(text, profile, players).deals
        if len(deals) > 1:
            raise deals[1].places["start"].error(say("one-deal"))
        return deals[0]

    def __str__(self) -> str:
        rows = (" ".join(row) for _, row in _rows(self))
        return " ".join((*_heads(self), *_fields(self), *rows, *_scores(self)))

    def _repr_svg_(self) -> str:
        from belot_reference.pictures import deal_svg

        return deal_svg(self)

    def __hash__(self) -> int:
        return hash((self.profile, self.actions, self.score, self.match, self.comments))

    @property
    def operation(self) -> str:
        """The operation of the protocol of which this is a question: ``replay``, ``perft`` or ``legal-cards``."""
        if "dealer" in self.opening:
            return "replay"
        return "legal-cards" if self.actions or "hand" in self.opening else "perft"

    @property
    def question(self) -> dict[str, Any]:
        """The input of that operation; that somebody was silent before the first lead the protocol does not tell.

        Of a position that says no depth one card is counted.
        """
        fields = {name: as_lists(value) for name, value in self.opening.items()}
        if self.operation == "perft":
            return {**fields, "depth": fields.get("depth", 1)}
        if self.operation == "legal-cards":
            return _legal_cards(self, fields)
        if any(name in fields for name in _DEALT):
            return {**fields, "actions": [action.to_json() for action in self.actions if not action.silent]}
        return {**fields, "tricks": _tricks(self)}

    def to_json(self) -> dict[str, Any]:
        """Return the deal as a line for ``belot audit``: ``profile``, ``op``, ``input``, ``result`` and ``match``."""
        result = None if self.score is None else {"score": list(self.score)}
        operation = None if self.operation == "replay" else self.operation
        told = {"profile": self.profile, "op": operation, "input": self.question, "result": result, "match": self.match}
        return {name: value for name, value in told.items() if value is not None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Deal":
        """Return the deal of such a line, or of a request of the protocol; raises ``BadQuestionError``.

        Of a result only the score is kept.
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("input"), Mapping):
            raise BadQuestionError('a deal in JSON is a mapping with an "input", as a request of the protocol is')
        operation = data.get("op", "replay")
        if operation not in _FROM_JSON:
            raise BadQuestionError(f"op: one of {', '.join(_FROM_JSON)} can be written as text, not {operation!r:.40}")
        check_input(operation, dict(data["input"]))
        told = {name: None if data.get(name) is None else str(data[name]) for name in ("profile", "match")}
        result = data.get("result")
        score = result.get("score") if isinstance(result, Mapping) else None
        found = deal_of_question(operation, data["input"], told["profile"])
        return replace(found, score=None if score is None else tuple(score), match=told["match"])


@dataclass(frozen=True, slots=True)
class Transcript:
    """Deals one after the other, as a text in the notation holds them: those of a match, or any others.

    ``seed`` shuffled the deals of a match. Printed, it is the text: fields, bids and each trick on lines of their own.
    """

    deals: tuple[Deal, ...]
    seed: int | None = None

    @classmethod
    def parse(cls, text: str, profile: str | None = None) -> "Transcript":
        """Return what a text holds; raises ``NotationError`` at the first fault.

        ``profile`` are the rules of deals that name none; house rules are given by their file.
        """
        reader = _read(text, profile)
        return cls(tuple(reader.deals), reader.seed)

    def __str__(self) -> str:
        parts, before = [], None
        for number, deal in enumerate(self.deals):
            lead = [f"# {line}" for place, told in deal.comments if place == LEAD for line in told.split("\n")]
            seed = [f"seed {self.seed}"] if number == 0 and self.seed is not None else []
            parts.append("\n".join((*lead, *_heads(deal, before), *seed, *_lines(deal))))
            before = deal
        return "\n\n".join(parts) + "\n"

    def to_json(self) -> list[dict[str, Any]]:
        """Return each deal as ``Deal.to_json`` does: one a line, they are a file for ``belot audit``."""
        return [deal.to_json() for deal in self.deals]

    @classmethod
    def from_json(cls, lines: Iterable[Mapping[str, Any]]) -> "Transcript":
        """Return what such lines hold; raises ``BadQuestionError``."""
        return cls(tuple(map(Deal.from_json, lines)))


def faults_in(text: str, profile: str | None = None) -> list[NotationError]:
    """Return everything in a text that is not in the notation; what the rules say of it is not looked at."""
    return _Reader(text, profile).faults


def _read(text: str, profile: str | None, players: Callable[[str], int] | None = None) -> "_Reader":
    reader = _Reader(text, profile, players)
    if reader.faults:
        raise reader.faults[0]
    return reader


def _legal_cards(deal: Deal, fields: dict[str, Any]) -> dict[str, Any]:
    trick = [str(action.play) for action in deal.actions]
    hand = fields.get("hand")
    if hand is None:
        turn = (fields["leader"] + len(trick)) % _players(deal)
        held = [pile[0] for pile in fields["piles"][turn]] if "piles" in fields else fields["hands"][turn]
        hand = [card for card in held if card not in trick]
    return {"trump": fields["trump"], "hand": hand, "trick": trick}


def _tricks(deal: Deal) -> list[dict[str, Any]]:
    plays, players = deal.actions, _players(deal)
    tricks = [plays[start : start + players] for start in range(0, len(plays), players)]
    return [{"leader": trick[0].seat, "cards": [action.play for action in trick]} for trick in tricks]


def _players(deal: Deal, profile: str | None = None, players: Callable[[str], int] | None = None) -> int:
    """Return how many play; raises ``BadQuestionError`` where neither the cards nor a profile of the spec say so."""
    for name in ("hands", "piles"):
        if name in deal.opening:
            return len(deal.opening[name])
    if deal.seats is not None:
        return deal.seats
    profile = deal.profile or profile
    if profile is None:
        raise BadQuestionError(say("no-players", of="profile"))
    try:
        return (players or _players_by)(profile)
    except (BelotError, OSError, ValueError) as error:
        told = in_english_and(str(error), say("no-such-rules", name=profile))
        raise BadQuestionError(say("told", of="profile", told=told)) from None


@lru_cache
def _players_by(profile: str) -> int:
    players: int = open_profile(profile).value("deal.players")
    return players


# Writing.


def _heads(deal: Deal, before: Deal | None = None) -> list[str]:
    """Return what stands before a deal, unless it is the same as for the one before."""
    told = []
    for name in _HEADS:
        value, known = getattr(deal, name), None if before is None else getattr(before, name)
        if value is None and known is not None:
            raise BadQuestionError(f"{name}: a deal that names one stands before a deal that names none")
        if value is not None and value != known:
            if re.fullmatch(r"[^\s#]+", value) is None:
                raise BadQuestionError(f"{name}: a name is one word, and {value!r:.60} is none")
            told.append(f"{name} {value}")
    return told


def _fields(deal: Deal) -> Iterator[str]:
    for name, value in deal.opening.items():
        yield f"{name} {FIELDS[name].write(value)}"


def _scores(deal: Deal) -> list[str]:
    return [] if deal.score is None else [f"score {NUMBERS.write(deal.score)}"]


def _rows(deal: Deal) -> Iterator[tuple[int, list[str]]]:
    """Yield the actions in rows, each with the index of its first one: the bids, and cards trick by trick."""
    if not deal.actions:
        return
    players = _players(deal)
    row: list[str] = []
    start, plays, turn, kind = 0, 0, -1, ""
    for index, action in enumerate(deal.actions):
        said = "play" if action.play is not None else "bid" if action.bid is not None else ""
        goes_on = said and said == kind and action.seat == turn and (said == "bid" or plays % players)
        if row and not goes_on:
            yield start, row
            row = []
        if not row:
            start, row = index, [f"{action.seat}:"]
        row.append(word_of(action))
        plays += said == "play"
        kind, turn = said, (action.seat + 1) % players
    yield start, row


def action_rows(deal: Deal) -> list[list[str]]:
    """Return what was done in rows of words, each behind the seat that it begins with."""
    return [words for _, words in _rows(deal)]


def head_text(deal: Deal) -> str:
    """Return what stands before the cards of a deal: its profile and match, and every other field."""
    fields = (
        f"{name} {FIELDS[name].write(value)}" for name, value in deal.opening.items() if name not in (*_LONG, "hand")
    )
    return " ".join((*_heads(deal), *fields, *_scores(deal)))


def _lines(deal: Deal) -> Iterator[str]:
    """Yield the lines of a deal: cards on lines of their own, then a line for each row, broken after a comment."""
    comments = {place: told.replace("\n", " ") for place, told in deal.comments}
    line: list[str] = []
    for name, told in zip(deal.opening, _fields(deal), strict=True):
        if name in _LONG and line:
            yield " ".join(line)
            line = []
        line.append(told)
    yield " ".join(line) + (f"  # {comments[0]}" if 0 in comments else "")
    for start, (seat, *words) in _rows(deal):
        part = [seat]
        for place, word in enumerate(words, start=start + 1):
            part.append(word)
            if place in comments:
                yield f"{' '.join(part)}  # {comments[place]}"
                part = []
        if part:
            yield " ".join(part)
    yield from _scores(deal)


# Reading.


class _Comment(NamedTuple):
    """A comment, the index of the word that follows it, and whether it has a line of its own."""

    text: str
    before: int
    alone: bool


class _Reader:
    """Reads a text word by word; after a fault it goes on where the next deal begins."""

    def __init__(self, text: str, profile: str | None, players: Callable[[str], int] | None = None) -> None:
        self.faults: list[NotationError] = []
        self.deals: list[Deal] = []
        self.seed: int | None = None
        self._given = profile
        self._players = players
        self._heads: dict[str, str | None] = dict.fromkeys(_HEADS)
        self._named: dict[str | int, Place] = {}
        self._words: list[Word] = []
        self._comments: list[_Comment] = []
        self._at = 0
        # The index of the word with which each deal begins, and of those of its actions.
        self._began: list[tuple[int, list[int]]] = []
        self._split(text)
        self._read()
        self._place_comments()

    def _split(self, text: str) -> None:
        for number, line in enumerate(text.split("\n"), start=1):
            for found in _WORD.finditer(line):
                if found[0].startswith("#"):
                    alone = not line[: found.start()].strip()
                    self._comments.append(_Comment(found[0].lstrip("#").strip(), len(self._words), alone))
                else:
                    self._words.append(Word(found[0], Place(number, found.start() + 1)))
        self._end = Place(number, len(line) + 1)

    def _read(self) -> None:
        while self._at < len(self._words):
            try:
                self._item(self._take(""))
            except NotationError as error:
                self.faults.append(error)
                while self._at < len(self._words) and self._words[self._at].text not in _BEGINS:
                    self._at += 1
        if not self.deals and not self.faults:
            self.faults.append(self._end.error(say("no-deal")))

    def _take(self, wanted: Sentence | str) -> Word:
        if self._at == len(self._words):
            raise self._end.error(say("ends", wanted=wanted))
        self._at += 1
        return self._words[self._at - 1]

    def _peek(self) -> str | None:
        return self._words[self._at].text if self._at < len(self._words) else None

    def _item(self, word: Word) -> None:
        if word.text in _HEADS:
            name = self._take(say("name-of", what=word.text))
            self._heads[word.text] = name.text
            self._named[word.text] = name.place
        elif word.text == "seed":
            if self.deals or self.seed is not None:
                raise word.error(say("seed-once"))
            self.seed = NUMBER.read(self._take(NUMBER.says))
        elif word.text in _STARTS:
            self._deal(word)
        else:
            raise word.error(say("begins", text=word.text, hint=name_hint(word.text, _BEGINS)))

    def _deal(self, start: Word) -> None:
        began = self._at - 1
        places: dict[str | int, Place] = {**self._named, "start": start.place}
        opening: dict[str, Any] = {}
        word: Word | None = start
        while word is not None:
            if word.text in opening:
                raise word.error(say("field-twice", name=word.text))
            places[word.text] = word.place
            form = FIELDS[word.text]
            opening[word.text] = form.read(self._take(form.says))
            more = (following := self._peek()) in FIELDS and following not in _STARTS
            word = self._take("") if more else None
        _check_fields(opening, places)
        told = {name: opening[name] for name in FIELDS if name in opening}
        deal = Deal(self._heads["profile"], told, match=self._heads["match"])
        taken: list[int] = []
        actions = tuple(self._actions(deal, taken))
        score = None
        if self._peek() == "score":
            self._take("")
            score = NUMBERS.read(self._take(NUMBERS.says))
        places |= {at: self._words[index].place for at, index in enumerate(taken)}
        found = replace(deal, actions=actions, score=score, places=places)
        _check_actions(found)
        self.deals.append(found)
        self._began.append((began, taken))

    def _actions(self, deal: Deal, taken: list[int]) -> Iterator[Action]:
        """Yield what was done, and note the index of each word in ``taken``."""
        turn: int | None = None
        players: int | None = None
        while (text := self._peek()) is not None and text not in _BEGINS and text != "score":
            word = self._take("")
            if text in FIELDS:
                raise word.error(say("field-late", name=text))
            if (seat := _SEAT.fullmatch(text)) is not None:
                turn = int(seat[1])
                if turn >= MOST_SEATS:
                    raise word.error(say("seat", most=MOST_SEATS - 1, text=turn))
                continue
            if (stuck := re.match("[0-9]+:", text)) is not None:
                raise word.error(say("blank", example=f"{stuck[0]} {text[stuck.end() :]}"))
            if turn is None:
                raise word.error(say("seat-first", text=text))
            action = read_action(word, turn)
            taken.append(self._at - 1)
            yield action
            if action.bid is not None or action.play is not None:
                players = players or self._seats(deal, word)
                turn = (turn + 1) % players

    def _seats(self, deal: Deal, word: Word) -> int:
        try:
            return _players(deal, self._given, self._players)
        except BadQuestionError as error:
            raise word.error(say("who-next", why=said_of(error))) from None

    def _place_comments(self) -> None:
        """Give each comment to the deal that it stands in, or before."""
        notes: list[dict[int, str]] = [{} for _ in self.deals]
        for comment in self._comments:
            before = [number for number, (began, _) in enumerate(self._began) if began < comment.before]
            follows = len(self._words) > comment.before and self._words[comment.before].text in _BEGINS
            number, place = (before[-1], 0) if before else (0, LEAD)
            if before and follows and comment.alone and number + 1 < len(self.deals):
                number, place = number + 1, LEAD
            elif before:
                place = sum(index < comment.before for index in self._began[number][1])
            if number < len(notes):
                between = "\n" if place == LEAD else " "
                notes[number][place] = between.join(filter(None, (notes[number].get(place), comment.text)))
        self.deals = [
            replace(deal, comments=tuple(sorted(told.items()))) for deal, told in zip(self.deals, notes, strict=True)
        ]


# The fields of a deal, in the order in which they are written; they have the names of the protocol.
FIELDS: Final[Mapping[str, WordForm]] = {
    "dealer": SEAT,
    "leader": SEAT,
    "totals": NUMBERS,
    "played": NUMBER,
    "deck": CARDS,
    "cut": NUMBER,
    "shuffles": NUMBER,
    "hands": HANDS,
    "hand": HAND,
    "piles": PILES,
    "turn_up": ONE_CARD,
    "before": HANDS,
    "taker": SEAT,
    "trump": MODE,
    "bid": AMOUNT,
    "raised": NUMBER,
    "discarded": CARDS,
    "announcing": WordForm("automatic", "automatic", one_of("announcing", ("automatic",)), str),
    "depth": NUMBER,
}
_LONG: Final = ("deck", "hands", "piles", "before")
# Each stands before the deals that it is about, until it stands there anew.
_HEADS: Final = ("profile", "match")
_STARTS: Final = ("dealer", "leader")
_BEGINS: Final = (*_HEADS, "seed", *_STARTS)
_DEALT: Final = ("deck", "hands", "piles")
_OF_REPLAY: Final = frozenset(FIELDS) - {"leader", "hand", "depth"}
_OF_POSITION: Final = frozenset(("leader", "trump", "hands", "hand", "piles", "depth"))
# A field stands only beside one of these.
_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "cut": ("deck",),
    "shuffles": ("deck",),
    "before": ("hands",),
    "taker": ("trump",),
    "trump": ("taker", "leader"),
    "bid": ("taker",),
    "raised": ("taker",),
    "discarded": ("taker",),
}


def _check_fields(opening: Mapping[str, Any], places: Mapping[str | int, Place]) -> None:
    """Raise for fields that do not go together, or without which nothing is told."""
    start = "dealer" if "dealer" in opening else "leader"
    allowed = _OF_REPLAY if start == "dealer" else _OF_POSITION
    for name in opening:
        if name not in allowed:
            raise places[name].error(say("goes-not", name=name, other=start))
        if name in _BESIDE and not any(one in opening for one in _BESIDE[name]):
            raise places[name].error(say("beside", name=name, others=_either(_BESIDE[name])))
    cards = [name for name in (*_DEALT, "hand") if name in opening]
    if len(cards) > 1:
        raise places[cards[1]].error(say("cards-once", name=cards[1], other=cards[0]))
    if start == "leader":
        if not cards or "trump" not in opening:
            raise places["start"].error(say("position", missing="trump" if cards else say("held")))
    elif not cards and "taker" not in opening:
        raise places["start"].error(say("cards-missing", names=", ".join(_DEALT)))
    if "deck" in opening and "taker" in opening:
        raise places["taker"].error(say("taker-deck"))
    if "discarded" in opening and cards:
        raise places["discarded"].error(say("discarded", other=cards[0]))
    for name in ("hands", "piles"):
        _check_once(name, opening, places)


def _either(names: tuple[str, ...]) -> Sentence | str:
    return names[0] if len(names) == 1 else say("or", one=names[0], other=names[1])


def _check_once(name: str, opening: Mapping[str, Any], places: Mapping[str | int, Place]) -> None:
    if name not in opening:
        return
    if not 2 <= len(opening[name]) <= MOST_SEATS:
        raise places[name].error(say("seats", name=name, most=MOST_SEATS, n=len(opening[name])))
    every = [card for seat in opening[name] for one in seat for card in ([one] if isinstance(one, str) else one)]
    twice = next((card for card in every if every.count(card) > 1), None)
    if twice is not None:
        raise places[name].error(say("held-twice", card=twice))


def _check_actions(deal: Deal) -> None:
    """Raise for actions that a position, or a deal told by its tricks, does not have."""
    told_by_tricks = deal.operation == "replay" and not any(name in deal.opening for name in _DEALT)
    if told_by_tricks and not deal.actions:
        raise deal.places["start"].error(say("tricks-missing", names=", ".join(_DEALT)))
    if not told_by_tricks and deal.operation == "replay":
        return
    for at, action in enumerate(deal.actions):
        if action.play is None or action != Action(seat=action.seat, play=action.play):
            raise deal.places[at].error(say("only-cards"))
    first = deal.opening.get("leader", deal.actions[0].seat if deal.actions else 0)
    if deal.actions and deal.actions[0].seat != first:
        raise deal.places[0].error(say("leads", n=first))


# From JSON.


def deal_of_question(
    operation: str, question: Mapping[str, Any], profile: str | None = None, seats: int | None = None
) -> Deal:
    """Return the deal or position of a question that is known to have the form of its operation."""
    opening, actions = _FROM_JSON[operation](dict(question))
    fields = {name: _frozen(name, opening[name]) for name in FIELDS if name in opening}
    found = Deal(profile, fields, actions, seats=seats)
    if "tricks" in question and found.question["tricks"] != question["tricks"]:
        raise BadQuestionError(say("uneven-tricks", of="tricks"))
    return found


def _frozen(name: str, value: Any) -> Any:
    """Return a field as it is read from a text: with tuples for lists, and hands in the order of the deck."""
    if name in ("hands", "before"):
        return tuple(tuple(sorted(hand, key=CARD_NAMES.index)) for hand in value)
    if name == "hand":
        return tuple(sorted(value, key=CARD_NAMES.index))
    return as_tuples(value)


_Parts = tuple[dict[str, Any], tuple[Action, ...]]


def _of_replay(question: dict[str, Any]) -> _Parts:
    actions = question.pop("actions", None)
    if actions is not None:
        return question, tuple(map(Action.from_json, actions))
    tricks = question.pop("tricks")
    players = max(len(trick["cards"]) for trick in tricks)
    return question, tuple(
        Action(seat=(trick["leader"] + step) % players, play=card)
        for trick in tricks
        for step, card in enumerate(trick["cards"])
    )


def _of_legal_cards(question: dict[str, Any]) -> _Parts:
    trick = question.pop("trick")
    return {"leader": 0, **question}, tuple(Action(seat=seat, play=card) for seat, card in enumerate(trick))


_FROM_JSON: Final[Mapping[str, Callable[[dict[str, Any]], _Parts]]] = {
    "replay": _of_replay,
    "perft": lambda question: (question, ()),
    "legal-cards": _of_legal_cards,
}
