"""The values that this engine plays, by name: one that it does not know is refused, and never played as another."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from belot_spec.card_names import CARD_NAMES, RANKS
from belot_spec.errors import BelotError, nearest
from belot_spec.variants import Setting

_LADDER: Final = (
    "higher_of_led_suit", "led_suit", "higher_trump", "higher_trump_or_plain", "lower_trump", "trump", "any",
)  # fmt: skip
_KINDS: Final = ("cards", "declarations", "belote")

# The names in the values of each rule that the engine reads; a rule of numbers, or of yes and no, has none.
KNOWN_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "bidding.first-bidder": ("eldest", "dealer"),
    "bidding.rounds": ("turn-up-suit", "other-suit", "any-suit"),
    "bidding.must-name": ("nobody", "dealer", "eldest"),
    "bidding.deals-per-dealer": ("always-the-same",),
    "deal.players": (),
    "deal.sides": ("partners-opposite", "everyone-alone"),
    "deal.layout": ("in-hand", "open-piles"),
    "deal.shuffle-passes": ("any",),
    "deal.next-dealer": ("next-seat", "same-seat"),
    "deal.cutter": ("before-dealer", "eldest"),
    "deal.cut-required": (),
    "deal.cut-minimum": (),
    "deal.first-dealt": ("eldest", "dealer", "first-seat"),
    "deal.packets-before-bidding": (),
    "deal.turn-up": ("none", "to-taker", "out-of-play"),
    "deal.packets-after-bidding": (),
    "deal.last-packets": ("dealt-after-bidding", "dealt-untouched"),
    "deal.taker-discards": (),
    "deal.seven-exchange": ("none", "when-turned-suit-taken"),
    "deck.removed-cards": CARD_NAMES,
    "deck.trump-order": RANKS,
    "deck.plain-order": RANKS,
    "deck.sequence-order": RANKS,
    "declarations.played": ("all", "belote-only"),
    "declarations.sequence-points": (),
    "declarations.square-points": (),
    "declarations.shared-cards": ("allowed", "one-or-other", "shorten-sequence"),
    "declarations.announced": ("before-first-lead", "with-first-card", "with-any-card", "automatic"),
    "declarations.per-player": ("all", "best"),
    "declarations.compared-by": ("points", "square-first", "class", "top-card", "trump"),
    "declarations.compared-together": ("together", "apart"),
    "declarations.top-card": ("sequence-order", "sequences-only", "trick-order"),
    "declarations.sequence-classes": (),
    "declarations.square-classes": RANKS,
    "declarations.tie": ("first-in-turn", "first-from-taker", "leaders-side", "nobody"),
    "declarations.winner-scores": ("winning-side", "winning-player", "winning-camp", "everybody"),
    "declarations.shown-in-trick": ("none",),
    "declarations.not-shown": ("lost", "second-chance"),
    "declarations.eight-in-a-row": ("plain-sequence", "wins-match", "wins-match-in-trump"),
    "declarations.belote.points": (),
    "declarations.belote.calls": ("first-card", "both-cards", "automatic"),
    "declarations.belote.order": ("either", "king-first"),
    "declarations.turned-sequence": (),
    "match.target": (),
    "match.target-reached": ("reach", "exceed"),
    "match.both-over": ("higher-total", "takers-side"),
    "match.claim": ("played-out", "enough", "enough-when-safe"),
    "match.surplus": ("ignored", "recorded"),
    "penalties.fault": ("none", "guilty-side-loses", "other-side-gains", "innocent-gets-all"),
    "penalties.points": (),
    "penalties.wrong-accusation": ("accuser-is-guilty", "free"),
    "play.first-leader": ("eldest", "taker", "dealer"),
    "play.trick-winner": ("highest-trump-or-led-suit", "highest-card-of-any-suit"),
    "play.lead": _LADDER,
    "play.follow.unruffed": _LADDER,
    "play.follow.ruffed": _LADDER,
    "play.trump-led.opponent-winning": _LADDER,
    "play.trump-led.partner-winning": _LADDER,
    "play.void.opponent-winning": _LADDER,
    "play.void.partner-winning": _LADDER,
    "play.void.opponent-ruffed": _LADDER,
    "play.void.partner-ruffed": _LADDER,
    "play.review-tricks": ("none", "first-until-third-begins", "all"),
    "presentation.zero": ("digit", "dash"),
    "scoring.trump-points": (),
    "scoring.plain-points": (),
    "scoring.last-trick": (),
    "scoring.confirmation": ("none", "one-trick"),
    "scoring.all-tricks.points": (),
    "scoring.all-tricks.counted": ("on-top", "instead"),
    "scoring.all-tricks.side": ("either", "takers"),
    "scoring.all-tricks.declarations": ("own-counted", "all-announced"),
    "scoring.contract-counts": _KINDS,
    "scoring.contract-needs": ("more-than-others", "at-least-half"),
    "scoring.tie": ("taker-falls", "taker-held", "each-keeps-own"),
    "scoring.fall-passes": _KINDS,
    "scoring.fall-worth": ("as-counted", "all-cards", "all-cards-alone"),
    "scoring.contract-against": ("all-together", "each-alone"),
    "scoring.fall-to": ("strongest-opponent", "nobody"),
    "scoring.trickless-player": ("none",),
    "scoring.held-points": ("next-decided-deal", "latest-tie", "nobody"),
    "scoring.sheet-unit": (),
    "scoring.rounding": ("half-up", "half-down", "down", "up", "rest-to-taker"),
}

# Rules of this topic are for people: the engine reads none of them but those above.
_FOR_PEOPLE: Final = "presentation."


class UnknownValueError(BelotError):
    """A rule has a value that the engine, or a kernel, does not know; holds the ``rule`` and the ``value``."""

    def __init__(self, rule: str, value: Any, known: tuple[str, ...], who: str = "the engine") -> None:
        self.rule, self.value = rule, value
        listed = f"it knows: {', '.join(map(str, known))}" if known else "it knows none that has a name"
        super().__init__(f"{rule}: {who} does not know the value {value}{nearest(str(value), known)}; {listed}")


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
        elif (unknown := next((name for name in _names(setting.value) if name not in known), None)) is not None:
            raise UnknownValueError(rule, unknown, known)


def _names(value: Any) -> Iterator[str]:
    """Yield the names in a value: itself, or those that it lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)
