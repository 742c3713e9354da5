"""Many matches played by two rulesets at once, on all cores, and how often they end otherwise.

Match number *m* of a seed has a first dealer of its own, and deal number *k* of that match a shuffled deck and a stream
of random numbers of its own, whoever plays it. The old rules play the match to its end. Each of its deals is played by
the new rules too, from the same dealer and totals: these pairs are the deals that are compared. The new rules also play
the match by themselves, with the same decks in the same order, until they have a winner of their own: these pairs are
the matches that are compared. Matches are played in the order of their numbers until the old rules have played as many
deals as were asked for, so that neither the number of processes nor chance decides which matches count.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count
from typing import Final, Protocol

from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import Advance, unseen
from belot_conformance.text.terminal import say_aside
from belot_kernel.needed import HOW, is_installed
from belot_reference.compile import Ruleset
from belot_reference.match import Match, book_ended, start_match
from belot_reference.simulated import PLAYERS, SimulatedPlayer
from belot_reference.streams import deal_stream, first_dealer
from belot_spec.errors import UnplayableError
from belot_workshop.impact.comparison import (
    MOST_DEALS,
    Clusters,
    Sample,
    SimulationSetup,
    Sums,
    check_comparable,
    rulesets_of,
    units,
)
from belot_workshop.impact.paired_deal import (
    Finished,
    Shuffle,
    Watch,
    finished,
    may_claim,
    play_out,
    plays_alike,
    shuffle,
)

# To load the kernel takes as long as the engine takes for so many deals, and to compile it, which is done once.
WORTH_LOADING: Final = 5_000
WORTH_COMPILING: Final = 50_000


class PairedTable:
    """Two rulesets and the players that play by both."""

    def __init__(self, old: Ruleset, new: Ruleset, player: SimulatedPlayer, seed: int) -> None:
        check_comparable(old, new)
        self._old = old
        self._new = new
        self._player = player
        self._seed = seed
        self._units = units(old, new)
        self._plays_alike = plays_alike(old, new)

    def play_match(self, number: int) -> Sums:
        """Play one match by both rulesets."""
        dealer = first_dealer(self._seed, number, self._old.players)
        sums = Sums()
        known: list[tuple[Match, Finished]] = []
        match = start_match(self._old, dealer)
        while not match.is_over and len(known) < MOST_DEALS:
            shuffled = self._shuffle(number, len(known))
            watch = Watch(self._old, self._new)
            by_old = play_out(self._old, match.dealer, shuffled, self._player, match.totals, watch)
            by_new = self._again(by_old, match, shuffled)
            known.append((match, by_new))
            sums += self._compared(by_old, by_new, watch)
            match = booked(self._old, match, by_old)
        other, deals = self._by_new_rules(number, dealer, known)
        if not (match.is_over and other.is_over):
            return sums + Sums(undecided=1)
        longer = Sample().with_one(deals - len(known))
        return sums + Sums(matches=1, other_winner=int(match.winner != other.winner), length=longer)

    def _shuffle(self, number: int, place: int) -> Shuffle:
        return shuffle(self._old, self._new, deal_stream(self._seed, number, place))

    def _totals(self, match: Match) -> tuple[int, ...]:
        """Return the totals for the new rules, which matter only where somebody may say *enough*."""
        return match.totals if self._units == (1, 1) else (0,) * self._new.side_count

    def _claims(self, match: Match) -> bool:
        return may_claim(self._new, self._totals(match))

    def _again(self, by_old: Finished, match: Match, shuffled: Shuffle) -> Finished:
        """Play a deal that was played by the old rules by the new ones."""
        if self._plays_alike and not may_claim(self._old, match.totals) and not self._claims(match):
            return finished(self._new, by_old.state)
        return play_out(self._new, match.dealer, shuffled, self._player, self._totals(match))

    def _by_new_rules(self, number: int, dealer: int, known: Sequence[tuple[Match, Finished]]) -> tuple[Match, int]:
        """Play the match by the new rules; deals that were played from the same position are not played again."""
        match, deals = start_match(self._new, dealer), 0
        while not match.is_over and deals < MOST_DEALS:
            before, played = known[deals] if deals < len(known) else (None, None)
            if before is None or played is None or not self._same_position(before, match):
                shuffled = self._shuffle(number, deals)
                played = play_out(self._new, match.dealer, shuffled, self._player, match.totals)
            match = booked(self._new, match, played)
            deals += 1
        return match, deals

    def _same_position(self, before: Match, match: Match) -> bool:
        """Say whether a deal of the match by the new rules is the one that was compared: totals matter for claims."""
        if before.dealer != match.dealer:
            return False
        claims = self._claims(before) or may_claim(self._new, match.totals)
        return not claims or self._totals(before) == match.totals

    def _compared(self, old: Finished, new: Finished, watch: Watch) -> Sums:
        other = self._ended_otherwise(old, new)
        sums = Sums(deals=1, other_deals=int(other), decisions=Clusters().with_one(watch.differing, watch.decisions))
        if old.winner is not None or new.winner is not None:
            return sums
        old_unit, new_unit = self._units
        before, after = split(self._old, old), split(self._new, new)
        changes = [new_unit * late - old_unit * early for early, late in zip(before, after, strict=True)]
        taker, defence, held = (Sample().with_one(change) for change in changes)
        return sums + Sums(taker=taker, defence=defence, held=held, changes=Counter({changes[0]: 1}))

    def _ended_otherwise(self, old: Finished, new: Finished) -> bool:
        """Say whether two deals ended otherwise: how, and with which score for whom, in one unit.

        Where the sheets have other units, less than one point of the coarser is no difference but of writing.
        """
        if (old.state.ended, old.winner) != (new.state.ended, new.winner):
            return True
        old_unit, new_unit = self._units
        least = 1 if old_unit == new_unit else max(old_unit, new_unit)
        before, after = (*old.score(self._old), old.held), (*new.score(self._new), new.held)
        return any(abs(new_unit * late - old_unit * early) >= least for early, late in zip(before, after, strict=True))


def split(rules: Ruleset, played: Finished) -> tuple[int, int, int]:
    """Return the score points of the taker's side, of all others together, and those that stay held."""
    score = played.score(rules)
    own = 0 if played.contract is None else score[rules.side_of[played.contract.taker]]
    return own, sum(score) - own, played.held


def booked(rules: Ruleset, match: Match, played: Finished) -> Match:
    """Return a match after a deal."""
    tallies = () if played.count is None else played.count.tallies
    return book_ended(rules, match, played.settlement, played.contract, played.winner, tallies)[0]


@dataclass(frozen=True, slots=True)
class Simulated:
    """The sums of a simulation, and whether it was interrupted before it had all the deals that were asked for."""

    sums: Sums
    interrupted: bool


def simulate(
    setting: SimulationSetup, deals: int, *, jobs: int = 1, scheduler: str | None = None, advance: Advance = unseen
) -> Simulated:
    """Play whole matches until the old rules have played so many deals; ``advance`` hears of every deal.

    With a ``scheduler``, its cluster plays them, else so many processes here (``jobs``).

    An interrupt (Ctrl-C) ends it early: what is known then is what the first so many matches gave.
    Raises ``UnplayableError`` for profiles whose deals cannot be compared.
    """
    table_of(setting)
    if scheduler is not None:
        matches = _on_cluster(setting, scheduler)
    else:
        matches = in_processes(way_to_play(setting, deals), count(), jobs)
    sums = Sums()
    try:
        for found in matches:
            more = found.until(deals - sums.deals)
            sums += more
            advance(more.deals)
            if sums.deals >= deals:
                return Simulated(sums, interrupted=False)
    except KeyboardInterrupt:
        return Simulated(sums, interrupted=True)
    finally:
        matches.close()
    raise AssertionError("there is always another match")


def _on_cluster(setting: SimulationSetup, scheduler: str) -> "Generator[Matches, None, None]":
    """Return the matches as a cluster plays them; raises ``UnplayableError`` where the kernel cannot."""
    if reason := why_no_kernel(setting):
        raise UnplayableError(f"a cluster plays by the kernel: {reason}")
    from belot_conformance.programs.process_pool import on_cluster
    from belot_workshop.impact.kernel import play_share

    return on_cluster(scheduler, partial(play_share, setting), count())


class Matches(Protocol):
    """Some matches one after the other that were played."""

    def until(self, deals: int) -> Sums:
        """Return the sums of the first of them that make so many deals together, of all if they do not."""


def way_to_play(setting: SimulationSetup, deals: int) -> Callable[[int], Matches]:
    """Return what plays the matches of a number: the kernel if it can, else the engine."""
    by_engine = partial(_play_match, setting)
    if deals < WORTH_LOADING:
        return by_engine
    if reason := why_no_kernel(setting):
        say_aside(f"the engine plays these deals, which takes a hundred times as long: {reason}")
        return by_engine
    from belot_kernel.jit import is_compiled
    from belot_workshop.impact import kernel

    if deals < WORTH_COMPILING and not is_compiled("play_matches"):
        return by_engine
    kernel.make_ready()
    return partial(kernel.play_share, setting)


def why_no_kernel(setting: SimulationSetup) -> str | None:
    """Return why the kernel cannot play a setting, in a few words, ``None`` where it can."""
    if not is_installed("numba"):
        return f"numba is not installed: {HOW}"
    from belot_kernel.layout import not_for_kernel

    return next((why for why in map(not_for_kernel, rulesets_of(setting)) if why is not None), None)


@lru_cache(maxsize=1)
def table_of(setting: SimulationSetup) -> PairedTable:
    """Return the table at which a setting is played; raises ``UnplayableError`` if nobody can play so."""
    old, new = rulesets_of(setting)
    return PairedTable(old, new, PLAYERS[setting.player], setting.seed)


def _play_match(setting: SimulationSetup, number: int) -> Sums:
    return table_of(setting).play_match(number)
