"""What can go wrong at the table: questions that make no sense, and actions that the rules refuse."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from belot_spec.errors import BelotError

if TYPE_CHECKING:
    from belot_reference.why import Why


class BadQuestionError(BelotError):
    """The input of an operation is not what the protocol says it is; ``rules`` were consulted to see that."""

    rules: frozenset[str] = frozenset()


class Refusal(BelotError):
    """The rules refuse an action.

    ``reason`` is the protocol's word for it, ``rule`` the id of the rule that refuses (``None`` where no rule of the
    catalogue does, as for a card that is not held), and ``at`` the index of the action in a recording. A refusal of a
    ``Game`` also says ``why``: the sentence of that rule in both languages and what it rests on.
    """

    reason: ClassVar[str]
    why: "Why | None" = None
    at: int | None = None

    def __init__(self, rule: str | None = None) -> None:
        self.rule = rule
        super().__init__(self.reason if rule is None else f"{self.reason}: refused by {rule}")


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

    reason = "bad-cut"


class BadShuffle(Refusal):
    """The dealer made more overhand passes than allowed."""

    reason = "bad-shuffle"


class BadDiscard(Refusal):
    """The taker lays away another number of cards than he must."""

    reason = "bad-discard"


class NoExchange(Refusal):
    """The seven of trump may not be exchanged for the turn-up, or not by this player."""

    reason = "no-exchange"


class NotMade(Refusal):
    """The turned card is part of no open run of three or more, or completes no open square."""

    reason = "not-made"


class SuitNotOffered(Refusal):
    """The suit may not be named in this round of bidding."""

    reason = "suit-not-offered"


class MustName(Refusal):
    """A player who may not pass passed."""

    reason = "must-name"


class BiddingOver(Refusal):
    """A bid after the bidding has ended."""

    reason = "bidding-over"


class NotYourTurn(Refusal):
    """Another player is to bid or to play."""

    reason = "not-your-turn"


class WrongPhase(Refusal):
    """A bid during the play, or anything else during the bidding."""

    reason = "wrong-phase"


class CardNotHeld(Refusal):
    """The card, or a card of the declaration, is not in the player's hand."""

    reason = "card-not-held"


class IllegalCard(Refusal):
    """The rules of play ask for another card of the hand."""

    reason = "illegal-card"


class NotADeclaration(Refusal):
    """The cards are no sequence and no square, or a square worth nothing."""

    reason = "not-a-declaration"


class SharedCard(Refusal):
    """One card serves in a sequence and in a square where that is not allowed."""

    reason = "shared-card"


class SameRunTwice(Refusal):
    """One square, or two parts of one run, were announced as two declarations."""

    reason = "same-run-twice"


class AnnouncedLate(Refusal):
    """A declaration was announced after the moment that the rules leave for it."""

    reason = "announced-late"


class WrongTimeToShow(Refusal):
    """Declarations were shown with another card than the rules say."""

    reason = "wrong-time-to-show"


class NothingToShow(Refusal):
    """A player who announced nothing shows."""

    reason = "nothing-to-show"


class NoBelote(Refusal):
    """Belote was said by a player who may not say it with this card."""

    reason = "no-belote"


class MayNotLook(Refusal):
    """That trick may not be looked at, or not any more."""

    reason = "may-not-look"


class ClaimNotAllowed(Refusal):
    """The variant plays every deal out."""

    reason = "claim-not-allowed"


class ClaimFalse(Refusal):
    """The side that claims does not have the points."""

    reason = "claim-false"


class DealOver(Refusal):
    """An action after the deal has ended."""

    reason = "deal-over"


class Unfinished(Refusal):
    """The recorded deal stops before its end."""

    reason = "unfinished"


class MatchOver(Refusal):
    """A deal after the match has been won."""

    reason = "match-over"


class NoPenalty(Refusal):
    """The variant has no penalty, so nobody can be accused."""

    reason = "no-penalty"
