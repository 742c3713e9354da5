"""The values that this engine plays, by name: one that it does not know is refused, and never played as another."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from belot_reference.mode import MODE_NAMES
from belot_spec.card_names import CARD_NAMES, RANKS
from belot_spec.catalogue import value_key
from belot_spec.errors import BelotError, nearest
from belot_spec.variants import Setting

# The names and numbers that a value may be, ``int`` for any number and ``bool`` for yes and no; or a list of what may
# be in it, or an entry for each key.
Known: TypeAlias = "tuple[str | int | type[int], ...] | list[Known] | dict[str, Known]"

_LADDER: Final[Known] = [(
    "higher_of_led_suit", "led_suit", "higher_trump", "higher_trump_or_plain", "no_lower_trump_if_higher",
    "lower_trump", "trump", "any",
)]  # fmt: skip
_KINDS: Final[Known] = [("cards", "declarations", "belote")]
_ROUNDINGS: Final[Known] = (
    "half-up", "half-down", "down", "up", "rest-to-taker", "rest-to-taker-half-down", "fewer-goes-up",
)  # fmt: skip
_ANY_NUMBER: Final = (int,)
_BY_RANK: Final[Known] = dict.fromkeys(RANKS, _ANY_NUMBER)
_BY_LENGTH: Final[Known] = dict.fromkeys(("3", "4", "5", "6", "7", "8"), _ANY_NUMBER)
_SPELT_OUT: Final[Mapping[Any, str]] = {int: "a number", bool: "true or false"}

# What the values of each rule that the engine reads may be.
KNOWN_VALUES: Final[Mapping[str, Known]] = {
    "bidding.first-bidder": ("eldest", "dealer"),
    "bidding.rounds": [("turn-up-suit", "other-suit", "any-suit", "auction")],
    "bidding.modes": [[MODE_NAMES]],
    "bidding.amounts": ("none", "points"),
    "bidding.lowest-amount": _ANY_NUMBER,
    "bidding.highest-amount": _ANY_NUMBER,
    "bidding.amount-step": _ANY_NUMBER,
    "bidding.capot": ("none", "above-all"),
    "bidding.raises": [(2, 3, 4)],
    "bidding.after-double": ("open", "closed", "answer-alone", "redouble-ends"),
    "bidding.must-name": ("nobody", "dealer", "eldest"),
    "bidding.deals-per-dealer": ("always-the-same", int),
    "deal.players": (2, 3, 4),
    "deal.sides": ("partners-opposite", "everyone-alone"),
    "deal.layout": ("in-hand", "open-piles"),
    "deal.shuffle-passes": ("any", "at-least-one", int),
    "deal.next-dealer": ("next-seat", "same-seat"),
    "deal.cutter": ("before-dealer", "eldest"),
    "deal.cut-required": (bool,),
    "deal.cut-minimum": _ANY_NUMBER,
    "deal.first-dealt": ("eldest", "dealer", "first-seat"),
    "deal.packets-before-bidding": [_ANY_NUMBER],
    "deal.turn-up": ("none", "to-taker", "out-of-play"),
    "deal.packets-after-bidding": [_ANY_NUMBER],
    "deal.last-packets": ("dealt-after-bidding", "dealt-untouched"),
    "deal.taker-discards": _ANY_NUMBER,
    "deal.seven-exchange": ("none", "when-turned-suit-taken"),
    "deck.removed-cards": [CARD_NAMES],
    "deck.trump-order": [RANKS],
    "deck.plain-order": [RANKS],
    "deck.sequence-order": [RANKS],
    "declarations.played": ("all", "belote-only"),
    "declarations.modes": [("suit", "no-trumps", "all-trumps")],
    "declarations.sequence-points": _BY_LENGTH,
    "declarations.square-points": _BY_RANK,
    "declarations.worthless-squares": ("no-declaration", "declared"),
    "declarations.shared-cards": ("allowed", "one-or-other", "shorten-sequence"),
    "declarations.announced": ("before-first-lead", "with-first-card", "with-any-card", "automatic"),
    "declarations.per-player": ("all", "best"),
    "declarations.compared-by": [("points", "square-first", "class", "top-card", "trump")],
    "declarations.compared-together": ("together", "apart"),
    "declarations.top-card": ("sequence-order", "sequences-only", "trick-order"),
    "declarations.sequence-classes": [[_ANY_NUMBER]],
    "declarations.square-classes": [[RANKS]],
    "declarations.tie": ("first-in-turn", "first-from-taker", "leaders-side", "nobody"),
    "declarations.winner-scores": ("winning-side", "winning-player", "winning-camp", "everybody"),
    "declarations.shown-in-trick": ("none", int),
    "declarations.not-shown": ("lost", "second-chance"),
    "declarations.eight-in-a-row": ("plain-sequence", "wins-match", "wins-match-in-trump"),
    "declarations.belote.points": _ANY_NUMBER,
    "declarations.belote.calls": ("first-card", "both-cards", "automatic"),
    "declarations.belote.order": ("either", "king-first"),
    "declarations.belote.modes": [("suit", "all-trumps")],
    "declarations.belote.discarded": ("counts", "lost"),
    "declarations.turned-sequence": _ANY_NUMBER,
    "match.target": _ANY_NUMBER,
    "match.target-reached": ("reach", "exceed"),
    "match.both-over": ("higher-total", "takers-side"),
    "match.after-all-tricks": ("may-end", "one-more-deal"),
    "match.while-held": ("may-end", "goes-on"),
    "match.claim": ("played-out", "enough", "enough-when-safe"),
    "match.surplus": ("ignored", "recorded"),
    "penalties.fault": ("none", "guilty-side-loses", "other-side-gains", "innocent-gets-all"),
    "penalties.points": _ANY_NUMBER,
    "penalties.wrong-accusation": ("accuser-is-guilty", "free"),
    "play.first-leader": ("eldest", "taker", "dealer"),
    "play.trick-winner": ("highest-trump-or-led-suit", "highest-card-of-any-suit"),
    "play.lead": _LADDER,
    "play.follow.unruffed": _LADDER,
    "play.follow.ruffed": _LADDER,
    "play.trump-led.opponent-winning": _LADDER,
    "play.trump-led.partner-winning": _LADDER,
    "play.all-trumps.opponent-winning": _LADDER,
    "play.all-trumps.partner-winning": _LADDER,
    "play.void.opponent-winning": _LADDER,
    "play.void.partner-winning": _LADDER,
    "play.void.opponent-ruffed": _LADDER,
    "play.void.partner-ruffed": _LADDER,
    "play.review-tricks": ("none", "first-until-third-begins", "last", "all"),
    "presentation.zero": ("digit", "dash"),
    "scoring.trump-points": _BY_RANK,
    "scoring.plain-points": _BY_RANK,
    "scoring.no-trump-points": _BY_RANK,
    "scoring.all-trump-points": _BY_RANK,
    "scoring.last-trick": _ANY_NUMBER,
    "scoring.confirmation": ("none", "one-trick"),
    "scoring.all-tricks.points": _ANY_NUMBER,
    "scoring.all-tricks.counted": ("on-top", "instead"),
    "scoring.all-tricks.side": ("either", "takers"),
    "scoring.all-tricks.declarations": ("own-counted", "all-announced", "all-that-count"),
    "scoring.contract-counts": _KINDS,
    "scoring.contract-needs": ("more-than-others", "at-least-half", "bid", "bid-and-more", int),
    "scoring.lowest-bid-needs": _ANY_NUMBER,
    "scoring.contract-written": ("points-and-bid", "points-alone", "bid-alone"),
    "scoring.fixed-sum": _ANY_NUMBER,
    "scoring.capot-amount": _ANY_NUMBER,
    "scoring.capot-fall": ("all-tricks", "fixed-sum"),
    "scoring.contract-judged": ("before-rounding", "after-rounding"),
    "scoring.tie": ("taker-falls", "taker-held", "each-keeps-own"),
    "scoring.fall-passes": _KINDS,
    "scoring.fall-worth": ("as-counted", "all-cards", "all-cards-alone", "fixed-sum"),
    "scoring.contract-against": ("all-together", "each-alone"),
    "scoring.fall-to": ("strongest-opponent", "nobody"),
    "scoring.trickless-player": ("none", int),
    "scoring.held-points": ("next-decided-deal", "latest-tie", "nobody"),
    "scoring.sheet-unit": (1, 5, 10),
    "scoring.rounding": _ROUNDINGS,
    "scoring.no-trump-factor": (1, 2),
    "scoring.no-trump-all-tricks": ("once", "times-factor"),
    "scoring.raised-kinds": [("cards", "declarations", "belote", "all-tricks", "bid")],
    "scoring.raised-tie": ("all-held", "split"),
    "scoring.raised-sum": ("fixed-sum", "fixed-or-all-tricks", "fixed-and-all-tricks", "own-points"),
    "scoring.raised-defence": ("nothing", "own-points"),
    "scoring.tens": ("exact", "half-up", "half-down", "cards-half-up"),
}

# Rules of this topic are for people: the engine reads none of them but those above.
_FOR_PEOPLE: Final = "presentation."


class UnknownValueError(BelotError):
    """A rule has a value that the engine, or a kernel, does not know; holds the ``rule`` and the ``value``."""

    def __init__(self, rule: str, value: Any, known: Known, who: str = "the engine") -> None:
        self.rule, self.value = rule, value
        names = [name for name in known if isinstance(name, str)]
        hint = nearest(value, names) if isinstance(value, str) else ""
        super().__init__(f"{rule}: {who} does not know the value {value_key(value)}{hint}; it knows: {_told(known)}")


class UnknownRuleError(BelotError):
    """A profile has a rule that the engine does not read, so that it would be played as if there were none."""


def unknown_value(rule: str, value: Any) -> UnknownValueError:
    """Return the error for a value of a rule that the code which was to play it does not know."""
    return UnknownValueError(rule, value, KNOWN_VALUES[rule])


def refuse_unknown(settings: Mapping[str, Setting]) -> None:
    """Raise ``UnknownValueError`` or ``UnknownRuleError`` for the first setting that the engine does not know."""
    for rule, setting in settings.items():
        known = KNOWN_VALUES.get(rule)
        if known is None:
            if not rule.startswith(_FOR_PEOPLE):
                hint = nearest(rule, KNOWN_VALUES)
                raise UnknownRuleError(f"the engine does not know the rule {rule}{hint}, and would play as without it")
        else:
            for unknown, wanted in _unknown_parts(setting.value, known):
                raise UnknownValueError(rule, unknown, wanted)


def _unknown_parts(value: Any, known: Known) -> Iterator[tuple[Any, Known]]:
    """Yield what is not known of a value, with what is known in its place."""
    if isinstance(known, tuple):
        # A name or a number is known by itself, yes and no only by their kind: to Python they are numbers too.
        kind = type(value)
        if kind not in known and (kind not in (str, int) or value not in known):
            yield value, known
    elif isinstance(known, list) and isinstance(value, list):
        for item in value:
            yield from _unknown_parts(item, known[0])
    elif isinstance(known, dict) and isinstance(value, dict):
        for key, item in value.items():
            yield from _unknown_parts(item, known[key]) if key in known else [(key, known)]
    else:
        yield value, known


def _told(known: Known) -> str:
    """Say what is known."""
    if isinstance(known, list):
        return f"a list of {_told(known[0])}" if isinstance(known[0], tuple) else "a list of lists"
    listed = ", ".join(_SPELT_OUT.get(one, str(one)) for one in known)
    return f"an entry for each of {listed}" if isinstance(known, dict) else listed
