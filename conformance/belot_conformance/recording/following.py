"""Following recorded matches from deal to deal: who deals next, and what stands on the sheet."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_conformance.programs.reference import Reference
from belot_conformance.recording.records import Record
from belot_conformance.suite.compare import Difference
from belot_reference.compile import Ruleset
from belot_reference.match import Match, book_ended, start_match, winner_of
from belot_reference.scoring import Settlement

# A log has no more matches under way at one time; of those that were given up the oldest are forgotten.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal of a match: the totals that stood before it, if the record says, and what the rules make of it."""

    record: Record
    profile: str
    before: tuple[int, ...] | None
    result: Mapping[str, Any] | None


class Follower:
    """Keeps the matches that are under way."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference
        self._matches: OrderedDict[tuple[str, str | None], Match] = OrderedDict()

    def broken(self, deal: Deal) -> list[Difference]:
        """Return what does not follow from the deals before it, and go on from what this deal says itself."""
        rules = self._reference.ruleset(deal.profile)
        key = (deal.profile, deal.record.match)
        known = self._matches.pop(key, None)
        match = known or _beginning(rules, deal)
        found = [] if known is None else list(_before(known, deal))
        if deal.before is not None and deal.before != match.totals:
            match = replace(match, totals=deal.before)
        match = replace(match, dealer=deal.record.input["dealer"])
        if deal.result is None or match.winner is not None:
            return found
        match = _booked(rules, match, deal.result)
        said = deal.record.totals
        # What stood on the sheet when somebody won in mid-play is told in many ways.
        if said not in (None, match.totals) and deal.result["ended"] in ("played", "passed"):
            assert said is not None
            found.append(Difference("totals", list(match.totals), list(said)))
            match = replace(match, totals=said, winner=winner_of(rules, said, None))
        if match.winner is None:
            self._matches[key] = match
            if len(self._matches) > MOST:
                self._matches.popitem(last=False)
        return found


def _beginning(rules: Ruleset, deal: Deal) -> Match:
    match = start_match(rules, deal.record.input["dealer"])
    return match if deal.before is None else replace(match, totals=deal.before)


def _before(match: Match, deal: Deal) -> Iterator[Difference]:
    if deal.before is not None and deal.before != match.totals:
        yield Difference("totals before", list(match.totals), list(deal.before))
    dealer = deal.record.input["dealer"]
    if dealer != match.dealer:
        yield Difference("dealer", match.dealer, dealer)


def _booked(rules: Ruleset, match: Match, result: Mapping[str, Any]) -> Match:
    settlement = None
    if result["ended"] == "played":
        counted, points, score, written = (tuple(result[name]) for name in ("counted", "points", "score", "written"))
        settlement = Settlement(counted, result["outcome"], points, score, result["held"], written)
    return book_ended(rules, match, settlement, result.get("taker"), result.get("winner"))[0]
