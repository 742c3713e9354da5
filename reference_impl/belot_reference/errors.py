"""What can go wrong at the table: questions that make no sense, and actions that the rules refuse, and why."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar, Final, NamedTuple

from belot_reference.sentences import REASONS, Sentence, say
from belot_reference.trace import ValuePart
from belot_spec.catalogue import Text, text_by, value_key
from belot_spec.errors import BelotError, nearest
from belot_spec.languages import FALLBACK, Language
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile
from belot_spec.wording import sentence_text

_LONGEST_SHOWN: Final = 60


class UnknownValueError(BelotError):
    """A rule has a value that the engine, or a kernel, does not know; holds the ``rule`` and the ``value``."""

    def __init__(self, rule: str, value: Any, known: Iterable[Any] = (), who: str = "the engine") -> None:
        self.rule, self.value = rule, value
        names = [*map(value_key, known)]
        hint = nearest(value, names) if isinstance(value, str) else ""
        others = f"; it knows: {', '.join(names)}" if names else ""
        super().__init__(f"{rule}: {who} does not know the value {value_key(value)}{hint}{others}")


class UnknownRuleError(BelotError):
    """A profile has a rule that the engine does not read, so that it would be played as if there were none."""


class BadQuestionError(BelotError):
    """The input of an operation is not what the protocol says it is.

    ``rules`` were consulted to see that, these ``parts`` of some of them, and these parts of the ``form``.
    """

    rules: frozenset[str] = frozenset()
    form: frozenset[str] = frozenset()
    parts: frozenset[ValuePart] = frozenset()

    def in_language(self, language: Language) -> str:
        """Return what is wrong in another language; what only who writes programs reads is told in English."""
        said = said_of(self)
        text = said.text if isinstance(said, Sentence) else said
        return text.in_language(language) if isinstance(text, Text) else text

    def _said(self) -> Sentence | Text | str:
        told: Sentence | Text | str = self.args[0]
        return told


class ImpossibleError(BadQuestionError):
    """What the input of an operation tells of cannot be at the table: no deal and no match by these rules brings it."""


class NotationError(BadQuestionError):
    """A text is not in the notation: ``line`` and ``column``, from 1, say where, ``message`` what would be right."""

    def __init__(self, line: int, column: int, said: Sentence | Text | str) -> None:
        super().__init__(line, column, said)
        self.line = line
        self.column = column
        self.said = said

    @property
    def message(self) -> str:
        """What would be right, in English."""
        return self.in_language(FALLBACK)

    def _said(self) -> Sentence | Text | str:
        return self.said

    def placed(self, language: Language) -> str:
        """Return where it is, and in another language what would be right."""
        return f"{self.line}:{self.column}: {self.in_language(language)}"

    def __str__(self) -> str:
        return self.placed(FALLBACK)


class Place(NamedTuple):
    """Where something stands in a text: line and column, from 1."""

    line: int
    column: int

    def error(self, said: Sentence | Text | str, after: int = 0) -> NotationError:
        """Return an error at this place, or that number of characters ``after`` it."""
        return NotationError(self.line, self.column + after, said)


def brief(value: object) -> str:
    """Return a value as it is shown in a message."""
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def whole_number(name: str, number: Any) -> int:
    """Return a whole number that the caller gave; raises ``BadQuestionError`` for what is none."""
    try:
        return index(number)
    except TypeError:
        raise BadQuestionError(f"{name}: a whole number stands here, not {brief(number)}") from None


def said_of(error: BadQuestionError) -> Sentence | Text | str:
    """Return what is wrong, in no language yet; a plain text is in English."""
    return error._said()


def within(error: BadQuestionError, place: str, field: str = "") -> BadQuestionError:
    """Return an error as it is told of what stands at a place of a greater whole, which is that field of its own."""
    said = said_of(error)
    if isinstance(said, Sentence):
        return BadQuestionError(said.without(field).within(place) if field else said.within(place))
    return BadQuestionError(f"{place}: {said}" if field else f"{place}.{said}")


@dataclass(frozen=True, slots=True)
class Why:
    """The rule that refuses an action.

    ``sentence`` states it, in English (``.en``), in Dutch (``.nl``) and in others (``.in_language("fr")``);
    ``statements`` are the numbered statements of the sources that it rests on, and ``ruling`` the ruling that decided
    how to read them, if there is one.
    """

    rule: str
    sentence: Text
    statements: tuple[str, ...]
    ruling: str | None

    @property
    def text(self) -> Text:
        """The sentence of the rule with what it rests on, in every language in which the sentence is there."""
        ruling = () if self.ruling is None else (say("by-ruling", ruling=self.ruling).text,)
        rests = (*self.statements, *ruling) or (say("house-rule").text,)

        def tell(language: Language) -> str:
            told = ", ".join(one.only(language) if isinstance(one, Text) else one for one in rests)
            return f"{self.sentence.only(language)} ({self.rule}; {told})"

        return text_by(tell)

    def __str__(self) -> str:
        return self.text.in_language(FALLBACK)


def why(profile: Profile, rule: str | None) -> Why | None:
    """Return what a rule says and rests on, ``None`` where none refuses or the one that does has no value here."""
    spec, settings = default_spec(), profile.settings
    if rule is None or rule not in settings:
        return None
    setting = settings[rule]
    told = sentence_text(spec.rules[rule], setting.value, spec.glossary, settings)
    return Why(rule, told, setting.cite, setting.ruling)


class Refusal(BelotError):
    """The rules refuse an action.

    ``reason`` is the protocol's word for it, made of the name of its class (``bad-cut`` of ``BadCut``), ``rule`` the id
    of the rule that refuses (``None`` where no rule of the catalogue does, as for a card that is not held), and ``at``
    the index of the action in a recording. A refusal of a ``Game`` also says ``why``: the sentence of that rule in both
    languages and what it rests on; it knows ``what`` was refused, what would be ``right`` and at which ``place`` of a
    record or of a text that stands.
    """

    reason: ClassVar[str]
    why: Why | None = None
    at: int | None = None
    what: Sentence | None = None
    right: Sentence | None = None
    place: str | None = None

    def __init_subclass__(cls) -> None:
        cls.reason = "-".join(re.findall("[A-Z][a-z]*", cls.__name__)).lower()

    def __init__(self, rule: str | None = None) -> None:
        self.rule = rule
        super().__init__(self.reason if rule is None else f"{self.reason}: refused by {rule}")

    @property
    def text(self) -> Text:
        """What was refused, what would be right and why, in every language; where it stands is not told."""
        reason = REASONS[self.reason]
        if self.what is None or self.right is None:
            return refused_by(self.reason, self.rule).text
        what, right = self.what.text, self.right.text
        why = text_by(lambda language: _as_sentence(reason.only(language))) if self.why is None else self.why.text

        def tell(language: Language) -> str:
            return f"{self.reason}: {what.only(language)}: {right.only(language)}. {why.only(language)}"

        return text_by(tell)

    def __str__(self) -> str:
        told = super().__str__() if self.right is None else self.text.in_language(FALLBACK)
        return told if self.place is None else f"{self.place}: {told}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _refused, (type(self), self.args, self.__dict__)


def explained(profile: Profile, refusal: Refusal, what: Sentence, right: Sentence) -> Refusal:
    """Return a refusal that tells what was refused, what would be right, and why."""
    refusal.why = why(profile, refusal.rule)
    refusal.what, refusal.right = what, right
    return refusal


def _refused(kind: type[Refusal], args: tuple[Any, ...], told: Mapping[str, Any]) -> Refusal:
    refusal = kind()
    refusal.args = args
    refusal.__dict__.update(told)
    return refusal


def refused_by(reason: str, rule: str | None) -> Sentence:
    """Return what is told of an action that the rules refuse, where nobody says what would be right."""
    return say("refused-by", reason=reason, told=REASONS[reason], rule=rule or say("form-of-deal"))


def _as_sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


@contextmanager
def refused_at(index: int) -> Iterator[None]:
    """Give a refusal inside the index of what was refused."""
    try:
        yield
    except Refusal as refusal:
        refusal.at = index
        raise


class BadCut(Refusal):
    """The cut is missing where it is a duty, or leaves too small a packet."""


class BadShuffle(Refusal):
    """The dealer made more overhand passes than allowed."""


class BadDiscard(Refusal):
    """The taker lays away another number of cards than he must."""


class NoExchange(Refusal):
    """The seven of trump may not be exchanged for the turn-up, or not by this player."""


class NoRoem(Refusal):
    """There is no roem to call, or none any more, or it is another amount."""


class NotMade(Refusal):
    """The turned card is part of no open run of three or more, or completes no open square."""


class SuitNotOffered(Refusal):
    """The suit may not be named in this round of bidding."""


class BidTooLow(Refusal):
    """The bid is not higher than the one that stands, or nothing that may be bid now."""


class MayNotDouble(Refusal):
    """There is nothing to double, not for this player, or not any more."""


class MustName(Refusal):
    """A player who may not pass passed."""


class BiddingOver(Refusal):
    """A bid after the bidding has ended."""


class NotYourTurn(Refusal):
    """Another player is to bid or to play."""


class WrongPhase(Refusal):
    """A bid during the play, or anything else during the bidding."""


class CardNotHeld(Refusal):
    """The card, or a card of the declaration, is not in the player's hand."""


class IllegalCard(Refusal):
    """The rules of play ask for another card of the hand."""


class NotADeclaration(Refusal):
    """The cards are no sequence and no square, or a square worth nothing."""


class SharedCard(Refusal):
    """One card serves in a sequence and in a square where that is not allowed."""


class SameRunTwice(Refusal):
    """One square, or two parts of one run, were announced as two declarations."""


class AnnouncedLate(Refusal):
    """A declaration was announced after the moment that the rules leave for it."""


class WrongTimeToShow(Refusal):
    """Declarations were shown with another card than the rules say."""


class NothingToShow(Refusal):
    """A player who announced nothing shows."""


class NoBelote(Refusal):
    """Belote was said by a player who may not say it with this card."""


class MayNotLook(Refusal):
    """That trick may not be looked at, or not any more."""


class ClaimNotAllowed(Refusal):
    """The variant plays every deal out."""


class ClaimFalse(Refusal):
    """The side that claims does not have the points."""


class DealOver(Refusal):
    """An action after the deal has ended."""


class Unfinished(Refusal):
    """The recorded deal stops before its end."""


class MatchOver(Refusal):
    """A deal after the match has been won."""


class NoPenalty(Refusal):
    """The variant has no penalty, so nobody can be accused."""
