"""Compiling a profile into lookup tables, once, so that playing by it needs no further reading of rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from typing import Any, Final

from belot_reference.auction import Auction, auction_of, is_of_bidding
from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, EVERY_SUIT, Card, CardSet, Suit, card_set, cards_in, ranks_of
from belot_reference.errors import BadQuestionError, UnknownRuleError, UnknownValueError, brief
from belot_reference.mode import MODE_NAMES, ByRank, Mode, mode_of
from belot_reference.sentences import say
from belot_reference.trace import FORM, RULES_OF_FORM, Noted, Read, Trace, ValuePart, form_of, part_of
from belot_reference.tricks import TrickGraph, graph_of, is_of_tricks
from belot_spec.card_names import RANKS, SUITS
from belot_spec.errors import BelotError, nearest
from belot_spec.json_schema import listed
from belot_spec.playability import Checked, refuse_unplayable
from belot_spec.profile_name import names_file
from belot_spec.shipped import default_spec, open_profile, shipped_rules
from belot_spec.spec import Profile

SHORTEST_SEQUENCE: Final = 3
# The rules that say what cards are worth in a suit that is trump, and in one that is not.
_SCALES: Final = ("scoring.trump-points", "scoring.plain-points")
# Those that say it of the modes that are no suit, where they matter: there all suits are trumps, or none.
_OWN_SCALES: Final = {"N": "scoring.no-trump-points", "A": "scoring.all-trump-points"}

_Scales = tuple[str, str]
_Runs = tuple[tuple[int, int], ...]

# The part of the form that a table has where a mode can be bid that is no suit.
_OTHER_MODES: Final = {"N": "has_no_trumps", "A": "has_all_trumps"}

# How a frozen value fills its own fields.
_set = object.__setattr__


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """A compiled profile. Points are card points unless a name says score points.

    ``runs`` are, for each set of ranks as a bit mask, the runs of three or more in sequence order: first position and
    the one after the last. ``form`` has the parts of the form of the table, each of which is a field too: where it
    ``has_auction`` players bid over one another, where it ``has_amounts`` with numbers too; where it ``has_roem`` what
    meets in a trick earns points and nothing in a hand does, where it ``has_set_length`` a match is so many deals.
    ``sources`` are the rules that each table was compiled from; not those of ``modes``, ``auction`` and ``king_first``,
    which are noted where they matter. ``checked`` are the rules that each check looked at to see that it can be played.
    """

    profile: Profile
    checked: Checked
    sources: Mapping[str, Noted]
    modes: tuple[Mode, ...]
    auction: Auction
    players: int
    side_of: tuple[int, ...]
    side_count: int
    deck: CardSet
    hand_size: int
    trump_strength: tuple[int, ...]
    plain_strength: tuple[int, ...]
    sequence_position: tuple[int, ...]
    runs: tuple[tuple[tuple[int, int], ...], ...]
    tricks: TrickGraph
    king_first: bool
    open_piles: bool
    form: frozenset[str]
    has_auction: bool
    has_amounts: bool
    has_no_trumps: bool
    has_all_trumps: bool
    has_roem: bool
    has_set_length: bool

    def __deepcopy__(self, _: object) -> "Ruleset":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the rules, by their name where the spec has them, and compile them again where they are unpickled."""
        with suppress(BelotError):
            if default_spec().profile(self.profile.id) == self.profile:
                return ruleset_named, (self.profile.id,)
        return compile_profile, (self.profile,)

    def value(self, rule: str) -> Any:
        """Return the value of a rule in this profile."""
        return self.profile.settings[rule].value

    def given(self, rule: str) -> Any:
        """Return the value of a rule that matters only at some tables; ``IdleRuleError`` where not at this one."""
        return self.profile.given(rule)

    def value_or(self, rule: str, default: Any) -> Any:
        """Return the value of a rule, or a default where the rule does not matter in this profile."""
        setting = self.profile.settings.get(rule)
        return default if setting is None else setting.value

    def entry(self, rule: str, key: str) -> Any:
        """Return an entry of the table that a rule has as its value."""
        return self._part(ValuePart(rule, "entry", key))

    def place(self, rule: str, member: str | int) -> int:
        """Return which of the lists that a rule has as its value has a member, or ``NOWHERE``."""
        place: int = self._part(ValuePart(rule, "place", member))
        return place

    def in_turn(self, rule: str) -> Iterator[Any]:
        """Yield the items of the list that a rule has as its value; what is not asked for was not read."""
        for first in range(1, len(self.profile.given(rule)) + 1):
            yield self._part(ValuePart(rule, "first", first))[-1]
        self.value(rule)

    def _part(self, part: ValuePart) -> Any:
        return part_of(self.profile.given(part.rule), part)

    def note(self, read: Noted) -> None:
        """Note that rules were read by which a trick was compiled; only a ``Reading`` keeps them."""

    def partners(self, one: int, other: int) -> bool:
        """Say whether two seats are on the same side."""
        return self.side_of[one] == self.side_of[other]

    def check_seat(self, name: str, seat: int) -> None:
        """Raise ``BadQuestionError`` for a seat, of the dealer or whoever is named, that is not at the table."""
        if not 0 <= seat < self.players:
            raise BadQuestionError(say("has-seats", of=name, profile=self.profile.id, last=self.players - 1, n=seat))

    def next_seat(self, seat: int) -> int:
        """Return the seat that plays after a seat."""
        return (seat + 1) % self.players

    def is_same_in(self, suits: Sequence[Suit], *, bids: bool = True) -> bool:
        """Say whether all is the same with these suits in place of the four: whoever exchanges suits must ask here.

        Without bids, only what is played in a mode must be the same, whatever the bidding makes of the suits.
        """
        same_deck = all(ranks_of(self.deck, suit) == ranks_of(self.deck, suits[suit]) for suit in EVERY_SUIT)
        return same_deck and (not bids or self.auction.is_same_in(suits))

    @property
    def unsaid_mode(self) -> Mode:
        """The mode where a question does not say which: any suit, as a deal counts alike in all of them.

        Raises ``BadQuestionError`` where there are other modes, in which it counts otherwise.
        """
        if self.has_auction:
            raise BadQuestionError(f"trump: in {self.profile.id} it matters what is trump, so say it")
        return self.modes[0]

    def has_mode(self, name: str) -> bool:
        """Say whether a deal can be played in a mode: in any suit, and in what else can be bid."""
        return name in SUITS or (name in _OTHER_MODES and bool(getattr(self, _OTHER_MODES[name])))

    @property
    def playable_modes(self) -> tuple[Mode, ...]:
        """The modes in which a deal can be played: ``modes`` may have one more, that nobody can bid."""
        return tuple(mode for mode in self.modes if self.has_mode(mode.name))

    def points_of(self, mode: Mode, cards: CardSet) -> int:
        """Return the card points of a set of cards, without the last trick."""
        return self.points_of_each(mode, cards_in(cards))

    def points_of_each(self, mode: Mode, cards: Iterable[Card]) -> int:
        """Return the card points of some cards, without the last trick."""
        self.note(mode.valued_by)
        return sum(map(mode.points.__getitem__, cards))

    def points_in_deck(self, mode: Mode) -> int:
        """Return the card points of all cards, without the last trick."""
        return self.points_of(mode, self.deck)


class Reading(Ruleset):
    """A ruleset as one question reads it: ``read`` holds the rules that the answer rests on.

    Of a rule of which only parts decide it holds these. ``asked`` holds the parts of the form that it rests on. A table
    is taken over from the ruleset when it is first looked at, and the rules that it comes from with it.
    """

    __slots__ = ("__dict__", "_trace", "asked", "compiled", "read")
    _trace: Trace
    asked: set[str]
    compiled: Ruleset
    read: Read

    def __init__(self, rules: Ruleset) -> None:
        trace = Trace(rules.profile)
        _set(self, "compiled", rules)
        _set(self, "profile", rules.profile)
        _set(self, "modes", rules.modes)
        _set(self, "auction", rules.auction)
        _set(self, "king_first", rules.king_first)
        _set(self, "asked", set())
        _set(self, "_trace", trace)
        _set(self, "read", trace.read)

    def value(self, rule: str) -> Any:
        """Return the value of a rule in this profile, and keep that it was read."""
        self.read[rule] = None
        return self.profile.settings[rule].value

    def given(self, rule: str) -> Any:
        """Return the value of a rule that matters only at some tables, and keep that it was read."""
        self.read[rule] = None
        return self.profile.given(rule)

    def value_or(self, rule: str, default: Any) -> Any:
        """Return the value of a rule or a default, and keep what was read."""
        return self._trace.value_or(rule, default)

    def note(self, read: Noted) -> None:
        """Keep that rules were read by which a trick was compiled."""
        self.read.update(read)

    def _part(self, part: ValuePart) -> Any:
        if (parts := self.read.setdefault(part.rule, {})) is not None:
            parts[part] = None
        return super()._part(part)

    @property
    def parts(self) -> frozenset[ValuePart]:
        """The parts that were read, of rules of which not all was."""
        return frozenset(part for parts in self.read.values() if parts for part in parts)


class _Table:
    """A table of a ``Reading`` until it is first looked at; from then on it is an attribute like any other.

    With ``__getattr__`` instead, Python would look up every attribute and method of a reading the slow way.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, reading: Reading, owner: type[Reading]) -> Any:
        compiled = reading.compiled
        reading.read.update(compiled.sources[self.name])
        value = reading.__dict__[self.name] = getattr(compiled, self.name)
        return value


class _Part:
    """A part of the form of a ``Reading`` until it is first asked for, which is noted, as a table is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, reading: Reading, owner: type[Reading]) -> Any:
        reading.asked.add(self.name)
        value = reading.__dict__[self.name] = getattr(reading.compiled, self.name)
        return value


@cache
def ruleset_named(name: str) -> Ruleset:
    """Return the compiled rules of a profile of the spec, compiled once."""
    return compile_profile(open_profile(name))


def rules_by(profile: str | Path) -> Ruleset:
    """Return the rules of a profile; those of a file are read again each time, as the file may have changed."""
    if not isinstance(profile, str | Path):
        raise BadQuestionError(f"profile: the name of one or a path stands here, not {brief(profile)}")
    name = str(profile)
    try:
        return compile_profile(open_profile(name)) if names_file(name) else ruleset_named(name)
    except (OSError, ValueError) as error:  # what no file can be called
        raise BadQuestionError(f"profile: {brief(name)} names no rules: {error}") from None


def compile_profile(profile: Profile, like: Ruleset | None = None) -> Ruleset:
    """Compile a profile into a ruleset.

    What rests on the same settings as in a ruleset ``like`` it is taken over from there. Raises
    ``UnplayableError`` for values that do not fit together, ``UnknownValueError`` or ``UnknownRuleError`` for what this
    engine does not play.
    """
    settings = profile.settings
    known = {} if like is None else like.profile.settings
    differing = {rule for rule, one in settings.items() if one is not known.get(rule) and one != known.get(rule)}
    differing |= known.keys() - settings.keys()
    _refuse_unknown({rule: settings[rule].value for rule in differing & settings.keys()})
    checked = refuse_unplayable(profile.id, settings, {} if like is None else like.checked, differing)
    tables: dict[str, Any] = {}
    sources = {}
    for name, compiled in _TABLES.items():
        # What a trick graph rests on is noted only as it grows.
        is_alike = name != "tricks" or not any(map(is_of_tricks, differing))
        if like is not None and is_alike and differing.isdisjoint(like.sources[name]):
            tables[name], sources[name] = getattr(like, name), like.sources[name]
            continue
        trace = Trace(profile)
        tables[name] = compiled(trace)
        sources[name] = trace.read
    strength = tables["trump_strength"], tables["plain_strength"]
    form = like.form if like is not None and differing.isdisjoint(RULES_OF_FORM) else form_of(profile)
    tables |= {name: name in form for name in FORM}
    modes = _modes(tables["tricks"], strength, tuple(_named_scales(profile, form)))
    if like is not None and modes is like.modes and not any(map(is_of_bidding, differing)):
        auction = like.auction
    else:
        auction = auction_of(profile, modes, is_ladder=tables["has_auction"])
    return Ruleset(
        profile=profile,
        checked=checked,
        sources=sources,
        modes=modes,
        auction=auction,
        king_first=profile.plays("declarations.belote.order", "king-first"),
        form=form,
        **tables,
    )


def _refuse_unknown(values: Mapping[str, Any]) -> None:
    """Raise an error for the first value that the rules which ship have not, so that nothing is played as another."""
    catalogue = shipped_rules()
    for name, value in values.items():
        rule = catalogue.get(name)
        if rule is not None and not rule.allows(value):
            raise UnknownValueError(name, value, listed(rule.value_schema, {}))
        if rule is None and not is_for_people(name):
            hint = nearest(name, catalogue)
            raise UnknownRuleError(f"the engine does not know the rule {name}{hint}, and would play as without it")


def is_for_people(rule: str) -> bool:
    """Say whether a rule is there for people alone: the engine reads it never."""
    return rule.startswith("presentation.") and rule != "presentation.zero"


def _mode_names(form: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the modes of a table, up to the last one that can be bid."""
    if "has_all_trumps" in form:
        return MODE_NAMES
    return (*SUITS, "N") if "has_no_trumps" in form else SUITS


def _named_scales(profile: Profile, form: frozenset[str]) -> Iterator[tuple[str, _Scales, ByRank]]:
    """Yield the modes of a table by name, the rules that say what cards are worth in each, and what these say."""
    common = _by_rank(profile.value(_SCALES[0])), _by_rank(profile.value(_SCALES[1]))
    for name in _mode_names(form):
        own = _OWN_SCALES.get(name, "")
        if own in profile.settings:
            yield name, (own, own), (_by_rank(profile.value(own)),) * 2
        else:
            yield name, _SCALES, common


def _sides(rules: Trace) -> tuple[int, ...]:
    players = rules.value("deal.players")
    pairs = rules.value("deal.sides") == "partners-opposite"
    return tuple(seat % (players // 2) if pairs else seat for seat in range(players))


def _deck(rules: Trace) -> CardSet:
    return ALL_CARDS & ~card_set(CARD_BY_NAME[name] for name in rules.value("deck.removed-cards"))


def _hand_size(rules: Trace) -> int:
    before: list[int] = rules.value("deal.packets-before-bidding")
    after: list[int] = rules.value("deal.packets-after-bidding")
    return sum(before) + sum(after)


def _strength(rules: Trace, rule: str) -> tuple[int, ...]:
    """Return for each rank how many ranks it beats in the order that a rule gives."""
    return _beaten(tuple(rules.value(rule)))


@cache
def _beaten(order: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(len(order) - 1 - order.index(rank) for rank in RANKS)


@cache
def _runs(position_of: tuple[int, ...]) -> tuple[_Runs, ...]:
    positions = [0]
    for position in position_of:
        positions += [held | 1 << position for held in positions]
    return tuple(map(_runs_at, positions))


@cache
def _runs_at(positions: int) -> _Runs:
    """Return where sequences begin among the positions that are held, and where they are over."""
    firsts = (place for place in range(len(RANKS)) if positions >> place & 1 and not positions << 1 >> place & 1)
    runs = ((first, next(place for place in count(first) if not positions >> place & 1)) for first in firsts)
    return tuple((first, after) for first, after in runs if after - first >= SHORTEST_SEQUENCE)


@lru_cache(maxsize=8)
def _modes(tricks: TrickGraph, strength: ByRank, scales: tuple[tuple[str, _Scales, ByRank], ...]) -> tuple[Mode, ...]:
    return tuple(mode_of(name, tricks, strength, points, rules) for name, rules, points in scales)


def _by_rank(points: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(points[rank] for rank in RANKS)


# Every table of a ruleset: reading it counts as reading the rules that it reads here.
_TABLES: Final[Mapping[str, Callable[[Trace], Any]]] = {
    "players": lambda rules: rules.value("deal.players"),
    "side_of": _sides,
    "side_count": lambda rules: len(set(_sides(rules))),
    "deck": _deck,
    "hand_size": _hand_size,
    "trump_strength": lambda rules: _strength(rules, "deck.trump-order"),
    "plain_strength": lambda rules: _strength(rules, "deck.plain-order"),
    "sequence_position": lambda rules: _strength(rules, "deck.sequence-order"),
    "runs": lambda rules: _runs(_strength(rules, "deck.sequence-order")),
    "tricks": lambda rules: graph_of(rules, _strength(rules, "deck.trump-order"), _strength(rules, "deck.plain-order")),
    "open_piles": lambda rules: rules.value("deal.layout") == "open-piles",
}

for _name in _TABLES:
    setattr(Reading, _name, _Table(_name))
for _name in FORM:
    setattr(Reading, _name, _Part(_name))
