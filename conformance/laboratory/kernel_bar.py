"""Matches of the kernel held against the same matches of the engine: each deal, and what then stands, by field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from belot_kernel.layout import not_for_kernel
from belot_kernel.record import ENDINGS
from belot_kernel.scoring_tables import FELL, MADE, TIED
from belot_kernel.settle_kernel import TOTALS
from belot_kernel.tables import NONE
from belot_reference.cards import EVERY_SUIT
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.counting import count_deal
from belot_reference.match import Match, start_match
from belot_reference.simulated import PLAYERS
from belot_reference.streams import deal_stream, first_dealer
from belot_spec.shipped import open_profile
from belot_workshop.impact.kernel import MatchKernel
from belot_workshop.impact.paired_deal import Finished, play_out, shuffle
from belot_workshop.impact.simulation import booked

Fields = dict[str, Any]

_OUTCOMES = {FELL: "fell", TIED: "tied", MADE: "made"}


# Deals that a process compares at once.
AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class DealShare:
    """Some deals to compare: of a profile, played by a player, of a seed."""

    profile: str
    player: str
    seed: int
    deals: int


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of a share: how many deals were compared, and a line for each in which a field differs.

    ``why_not`` says why the kernel leaves a profile to the engine, if it does.
    """

    share: DealShare
    deals: int
    differing: list[str]
    why_not: str | None = None


def compare_share(share: DealShare) -> Compared:
    """Compare the deals of a share."""
    rules = compile_profile(open_profile(share.profile))
    if why_not := not_for_kernel(rules):
        return Compared(share, 0, [], why_not)
    return Compared(share, *differing_deals(rules, share.player, share.seed, share.deals))


def shares_of(profiles: Mapping[str, int], seed: int) -> list[DealShare]:
    """Return the shares that make so many deals of each profile, half by either player."""
    return [
        DealShare(profile, player, seed + number, min(AT_ONCE, deals // len(PLAYERS) - number * AT_ONCE))
        for profile, deals in profiles.items()
        for player in PLAYERS
        for number in range(-(-(deals // len(PLAYERS)) // AT_ONCE))
    ]


def differing_deals(rules: Ruleset, player: str, seed: int, deals: int) -> tuple[int, list[str]]:
    """Play matches until there are so many deals; return how many, and a line for the first of a match that differs."""
    kernel, played, number, found = MatchKernel(rules, rules, player, seed), 0, -1, []
    while played < deals:
        number += 1
        match = start_match(rules, first_dealer(seed, number, rules.players))
        for place, (record, after) in enumerate(kernel.deals_of_match(number)):
            shuffled = shuffle(rules, rules, deal_stream(seed, number, place))
            by_engine = play_out(rules, match.dealer, shuffled, PLAYERS[player], match.totals)
            match = booked(rules, match, by_engine)
            want = of_engine(rules, by_engine) | match_of_engine(match)
            got = of_kernel(rules, record) | match_of_kernel(rules, after)
            played += 1
            if want != got:
                fields = [f"{name} {got.get(name)} for {want[name]}" for name in want if got.get(name) != want[name]]
                found.append(f"match {number} deal {place}: {'; '.join(fields)}")
                break
    return played, found


def of_engine(rules: Ruleset, played: Finished) -> Fields:
    """Return everything that the kernel knows of a deal too, as the engine played it."""
    state = played.state
    fields: Fields = {
        "ended": state.ended,
        "taker": state.bidding.taker,
        "winner": played.winner,
        "bids": len(state.bidding.bids),
        "score": list(played.score(rules)),
        "held": played.held,
    }
    if state.play is not None:
        cards = [card for trick in state.play.tricks for card in trick.cards]
        fields |= {
            "mode": state.play.mode.number,
            "bid": state.contract.bid or 0,
            "raised": state.contract.raised,
            "cards": cards + list(state.play.cards),
            "laid_away": state.discarded,
        }
        fields |= {"calls": [list(calls) for calls in state.calls], "made": list(state.made)}
        fields["announced"] = [[one.cards for one in found] for found in state.announced]
    if played.settlement is not None:
        counted, settled = count_deal(rules, state), played.settlement
        fields |= {"tricks": [tally.tricks for tally in counted.tallies], "side_cards": counted.of_sides("cards")}
        fields |= {name: counted.of_sides(name) for name in ("declarations", "outranked", "belote")}
        fields |= {"counted": list(settled.counted), "outcome": settled.outcome, "points": list(settled.points)}
    return fields


def match_of_engine(match: Match) -> Fields:
    """Return what stands after a deal, as the engine books it."""
    standing: Fields = {"totals": list(match.totals), "won": match.winner}
    if not match.is_over:
        standing |= {"dealer": match.dealer, "standing": match.held, "failed_deals": match.failed_deals}
    return standing


def match_of_kernel(rules: Ruleset, match: Any) -> Fields:
    """Return what stands after a deal in the kernel's row of a match, under the same names."""
    dealer, held, failed, won, *totals = (int(one) for one in match[: TOTALS + rules.side_count])
    standing: Fields = {"totals": totals, "won": _who(won)}
    return standing if won != NONE else standing | {"dealer": dealer, "standing": held, "failed_deals": failed}


def of_kernel(rules: Ruleset, record: Any) -> Fields:
    """Return the fields of a kernel's record under the same names."""
    sides, seats = rules.side_count, rules.players

    def some(name: str, number: int) -> list[int]:
        return [int(one) for one in record[name][:number]]

    ended = ENDINGS[record["ended"]]
    fields: Fields = {
        "ended": ended,
        "taker": _who(record["taker"]),
        "winner": _who(record["winner"]),
        "bids": int(record["bids"]),
        "score": some("score", sides),
        "held": int(record["held"]),
    }
    if ended != "passed":
        said = zip(record["declared"][:seats, :, 0], record["said"], strict=False)
        announced = [[int(cards) for cards in rows[:number]] for rows, number in said]
        fields |= {"mode": int(record["mode"]), "cards": some("played", record["number"]), "announced": announced}
        fields |= {"bid": int(record["bid"]), "raised": int(record["raised"])}
        fields |= {"laid_away": int(record["laid_away"]), "made": some("made", seats)}
        fields["calls"] = [[calls >> 8 * suit & 0xFF for suit in EVERY_SUIT] for calls in some("calls", seats)]
    if ended == "played":
        rows = dict(zip(("side_cards", "tricks", "declarations", "outranked", "belote"), record["sums"], strict=True))
        fields |= {name: [int(one) for one in row[:sides]] for name, row in rows.items()}
        fields |= {"counted": some("counted", sides), "points": some("points", sides)}
        fields["outcome"] = _OUTCOMES[int(record["outcome"])]
    return fields


def _who(number: Any) -> int | None:
    return None if number < 0 else int(number)
