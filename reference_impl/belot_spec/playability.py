"""Whether anybody could play by the values of a profile: each fits its own rule, and all of them fit together."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from belot_spec.card_names import RANKS, SUITS
from belot_spec.catalogue import Setting
from belot_spec.errors import UnplayableError

# The rungs of a ladder that every hand can climb which the ladder is for, so that none after them is ever reached.
_LAST_RUNGS: Final[Mapping[str, frozenset[str]]] = {
    "play.follow.ruffed": frozenset({"led_suit", "any"}),
    "play.follow.unruffed": frozenset({"led_suit", "any"}),
}
_ANY: Final = frozenset({"any"})
# The rules that say what cards are worth: where one suit is trump, none, or all of them.
_SCALES: Final = ("scoring.trump-points", "scoring.plain-points", "scoring.no-trump-points", "scoring.all-trump-points")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A reason why nobody can play so: the rules whose values do not fit together, and a sentence."""

    rules: tuple[str, ...]
    message: str


class _NoRuleError(LookupError):
    """A catalogue has no rule that a check reads of every table."""


class _Values:
    """The values of a profile: of any rule that matters, and a default for any other; it keeps which were read."""

    def __init__(self, settings: Mapping[str, Setting]) -> None:
        self.settings = settings
        self.read: set[str] = set()

    def __contains__(self, rule: str) -> bool:
        self.read.add(rule)
        return rule in self.settings

    def __getitem__(self, rule: str) -> Any:
        if rule not in self:
            raise _NoRuleError(rule)
        return self.settings[rule].value

    def get(self, rule: str, default: Any = None) -> Any:
        return self.settings[rule].value if rule in self else default

    @property
    def cards(self) -> int:
        return len(RANKS) * len(SUITS) - len(self["deck.removed-cards"])

    @property
    def hand_size(self) -> int:
        packets: list[int] = [*self["deal.packets-before-bidding"], *self["deal.packets-after-bidding"]]
        return sum(packets)

    @property
    def left_over(self) -> int:
        players: int = self["deal.players"]
        return self.cards - players * self.hand_size


Check = Callable[[_Values], Iterator[Contradiction]]
# The rules that each check looked at.
Checked = Mapping[Check, Set[str]]
_NOTHING: Final[Checked] = MappingProxyType({})


def contradictions(settings: Mapping[str, Setting]) -> list[Contradiction]:
    """Return what makes it impossible to play by these values, which fit the schemas of their rules.

    What a catalogue has no rules for is not asked.
    """
    return _contradictions(settings, {}, frozenset())[0]


def _contradictions(
    settings: Mapping[str, Setting], checked: Checked, differing: Set[str]
) -> tuple[list[Contradiction], Checked]:
    found, looked_at = list[Contradiction](), dict[Check, Set[str]]()
    for check in _CHECKS:
        if check in checked and differing.isdisjoint(checked[check]):
            looked_at[check] = checked[check]
            continue
        values = _Values(settings)
        with suppress(_NoRuleError):
            found += [*check(values)]
        looked_at[check] = values.read
    return found, looked_at


def refuse_unplayable(
    profile: str, settings: Mapping[str, Setting], checked: Checked = _NOTHING, differing: Set[str] = frozenset()
) -> Checked:
    """Raise ``UnplayableError``, with every reason, if nobody can play by these values; return the rules looked at.

    What was ``checked`` of values that can be played, and looked at none of the rules ``differing``, is not again.
    """
    found, looked_at = _contradictions(settings, checked, differing)
    if found:
        raise UnplayableError(f"{profile} cannot be played: " + "; ".join(one.message for one in found))
    return looked_at


def _in_seats(values: _Values) -> Iterator[Contradiction]:
    players, pairs = values["deal.players"], values["deal.sides"] == "partners-opposite"
    at = ("deal.sides", "deal.players")
    if pairs and players != 4:
        yield Contradiction(at, f"deal.sides is partners-opposite, which takes four players and not {players}")
    if not pairs and players == 4:
        yield Contradiction(at, "deal.sides is everyone-alone, which takes two or three players and not 4")


def _in_packets(values: _Values) -> Iterator[Contradiction]:
    before, after = "deal.packets-before-bidding", "deal.packets-after-bidding"
    both = f"{before} and {after}"
    if values.left_over < 0:
        given = f"give {values['deal.players']} players {values.hand_size} cards each"
        yield Contradiction((before, after), f"{both} {given}, and the deck has {values.cards}")
    if not values.hand_size:
        yield Contradiction((before, after), f"{both} deal no cards")
    packets: Sequence[int] = values[before]
    half = len(packets) // 2
    if values["deal.layout"] == "open-piles" and (packets[:half] != packets[half:] or values[after]):
        message = "deal.layout is open-piles, which takes an even number of packets before the bidding and none after"
        yield Contradiction(("deal.layout", before, after), message)
    least = values["deal.cut-minimum"]
    if 2 * least > values.cards:
        message = f"deal.cut-minimum asks for two packets of {least}, out of {values.cards} cards"
        yield Contradiction(("deal.cut-minimum",), message)


def _in_what_is_left_over(values: _Values) -> Iterator[Contradiction]:
    turn_up, discards = values["deal.turn-up"], values.get("deal.taker-discards")
    if turn_up == "out-of-play" and values.left_over == 0:
        yield Contradiction(("deal.turn-up",), "deal.turn-up is out-of-play, and no card is left over to turn up")
    if turn_up == "to-taker" and not values["deal.packets-after-bidding"]:
        at = ("deal.turn-up", "deal.packets-after-bidding")
        yield Contradiction(at, "deal.turn-up is to-taker, and no cards are dealt after the bidding")
    if turn_up == "dealers-last-card" and (
        values["deal.layout"] != "in-hand" or not values["deal.packets-before-bidding"]
    ):
        message = "deal.turn-up is dealers-last-card, which takes cards in the hand before the bidding"
        yield Contradiction(("deal.turn-up", "deal.layout", "deal.packets-before-bidding"), message)
    if discards is not None and discards != max(0, values.left_over):
        message = f"deal.taker-discards is {discards}, and {values.left_over} cards are left over"
        yield Contradiction(("deal.taker-discards",), message)
    if discards and turn_up == "out-of-play":
        message = "deal.turn-up is out-of-play, and by deal.taker-discards the taker takes up what is left over"
        yield Contradiction(("deal.turn-up", "deal.taker-discards"), message)


def _in_bidding(values: _Values) -> Iterator[Contradiction]:
    asks_turn_up = sorted({"turn-up-suit", "other-suit"} & set(values["bidding.rounds"]))
    if asks_turn_up and values["deal.turn-up"] == "none":
        message = f"bidding.rounds has {' and '.join(asks_turn_up)}, and deal.turn-up turns no card up"
        yield Contradiction(("bidding.rounds", "deal.turn-up"), message)
    alone = len(values["bidding.rounds"]) == 1
    if alone and values["bidding.first-bidder"] == "dealer" and values["bidding.must-name"] == "dealer":
        message = "bidding.must-name is dealer, who speaks first, so that nobody else can have passed"
        yield Contradiction(("bidding.must-name", "bidding.first-bidder"), message)


def _in_auction(values: _Values) -> Iterator[Contradiction]:
    rounds: Sequence[str] = values["bidding.rounds"]
    if "auction" not in rounds:
        return
    if len(rounds) > 1:
        others = ", ".join(dict.fromkeys(item for item in rounds if item != "auction")) or "a second one"
        message = f"bidding.rounds has an auction, which goes on until all have passed, and {others} beside it"
        yield Contradiction(("bidding.rounds",), message)
    if values["deal.sides"] != "partners-opposite":
        at = ("bidding.rounds", "deal.sides")
        yield Contradiction(at, "bidding.rounds is an auction, which takes two pairs, and in deal.sides nobody has one")
    if values["deal.turn-up"] != "none":
        at = ("bidding.rounds", "deal.turn-up")
        message = (
            f"bidding.rounds is an auction, and deal.turn-up is {values['deal.turn-up']}: nobody bids for that card"
        )
        yield Contradiction(at, message)
    modes = [mode for alike in values.get("bidding.modes", []) for mode in alike]
    if twice := [mode for mode in dict.fromkeys(modes) if modes.count(mode) > 1]:
        yield Contradiction(
            ("bidding.modes",), f"bidding.modes must rank each bid once, and has {', '.join(twice)} twice"
        )
    raises: Sequence[int] = values.get("bidding.raises", [])
    if list(raises) != sorted(raises):
        yield Contradiction(("bidding.raises",), "bidding.raises must grow: what is doubled last counts the most")


def _in_amounts(values: _Values) -> Iterator[Contradiction]:
    amounts, raised = values.get("bidding.amounts") == "points", values.get("scoring.raised-kinds", [])
    at_bid = {
        "scoring.contract-needs": values["scoring.contract-needs"] in ("bid", "bid-and-more"),
        "scoring.fall-worth": values.get("scoring.fall-worth") in ("fixed-sum", "fixed-sum-alone"),
        "scoring.raised-kinds": "bid" in raised,
        "scoring.all-tricks.side": values["scoring.all-tricks.side"] == "takers-who-bid",
    }
    for rule, goes_by_bid in at_bid.items():
        if goes_by_bid and not amounts:
            yield Contradiction((rule,), f"{rule} goes by the number that was bid, and a bid has no number")
    if not amounts:
        return
    needs = values["scoring.contract-needs"]
    if not at_bid["scoring.contract-needs"]:
        at = ("scoring.contract-needs", "bidding.amounts")
        message = f"scoring.contract-needs is {needs}, and bids are numbers, so the contract needs the bid"
        yield Contradiction(at, message)
    low, high = values["bidding.lowest-amount"], values["bidding.highest-amount"]
    if low > high:
        at = ("bidding.lowest-amount", "bidding.highest-amount")
        yield Contradiction(at, f"bidding.lowest-amount is {low}, and bidding.highest-amount no more than {high}")


def _in_ladders(values: _Values) -> Iterator[Contradiction]:
    values.read.update(values.settings)  # any of them may be a ladder
    for rule in _of_play(tuple(values.settings)):
        value = values[rule]
        if not isinstance(value, list | tuple):
            continue
        last = _LAST_RUNGS.get(rule, _ANY)
        for place, rung in enumerate(value[:-1]):
            if rung in last:
                rest = ", ".join(value[place + 1 :])
                yield Contradiction((rule,), f"{rule} has {rest} after {rung}, which leaves a card in every hand")
                break


# A search compiles thousands of profiles, which have values for the same rules.
@lru_cache(maxsize=64)
def _of_play(rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in rules if rule.startswith("play."))


def _in_classes(values: _Values) -> Iterator[Contradiction]:
    criteria: Sequence[str] = values.get("declarations.compared-by", [])
    if "class" in criteria and "square-first" not in criteria[: criteria.index("class")]:
        message = "declarations.compared-by needs square-first before class: squares and sequences share no classes"
        yield Contradiction(("declarations.compared-by",), message)
    squares: Mapping[str, int] = values.get("declarations.square-points", {})
    counting = {rank for rank, points in squares.items() if points}
    for rule, wanted in (
        ("declarations.sequence-classes", set(range(3, 9))),
        ("declarations.square-classes", counting),
    ):
        members = [member for group in values.get(rule, [list(wanted)]) for member in group]
        if len(members) != len(set(members)) or not wanted <= set(members):
            message = f"{rule} must rank each of {', '.join(map(str, sorted(wanted)))} once"
            yield Contradiction((rule,), message)


def _in_matches(values: _Values) -> Iterator[Contradiction]:
    if values["match.ends"] == "deals" and values["match.claim"] != "played-out":
        at = ("match.claim", "match.ends")
        yield Contradiction(
            at, "match.ends is deals, so there is no target at which match.claim lets a side say enough"
        )


def _in_showing(values: _Values) -> Iterator[Contradiction]:
    at = ("declarations.compared-together", "declarations.not-shown")
    if [values.get(rule) for rule in at] == ["apart", "second-chance"]:
        message = "declarations.compared-together is apart, so declarations.not-shown has no one winner to wait for"
        yield Contradiction(at, message)


def _in_sums(values: _Values) -> Iterator[Contradiction]:
    worth = [values[rule] for rule in _SCALES if rule in values]
    counted = [name for name in values["deck.removed-cards"] if any(points[name[:-1]] for points in worth)]
    sums = {"penalties.fault": ("innocent-gets-all",), "scoring.fall-worth": ("all-cards", "all-cards-alone")}
    for rule, of_all_cards in sums.items():
        if counted and values.get(rule) in of_all_cards:
            message = f"deck.removed-cards leaves out {' '.join(counted)}, so {rule} cannot count every card point"
            yield Contradiction(("deck.removed-cards", rule), message)


def _in_rounding(values: _Values) -> Iterator[Contradiction]:
    how, players = values.get("scoring.rounding"), values["deal.players"]
    if players == 3 and how in ("bigger-first", "disputed-to-bigger", "half-down-bigger"):
        at = ("scoring.rounding", "deal.players")
        yield Contradiction(at, f"scoring.rounding is {how}, which is for two sides, and deal.players is 3")


_CHECKS: Final = (
    _in_seats, _in_packets, _in_what_is_left_over, _in_bidding, _in_auction, _in_amounts, _in_ladders, _in_classes,
    _in_matches, _in_showing, _in_sums, _in_rounding,
)  # fmt: skip
