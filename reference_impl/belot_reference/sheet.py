"""The score sheet of a match, as values and as text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final

from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.counting import Count
from belot_reference.deal import DealState, Ending
from belot_reference.errors import BadQuestionError
from belot_reference.match import Line, Match, surplus
from belot_reference.scoring import (
    ALL_TRICKS,
    BID,
    Outcome,
    Points,
    Settlement,
    Tally,
    card_share,
    in_halves,
    on_paper,
    whole,
)
from belot_spec.card_names import SUITS
from belot_spec.languages import LANGUAGES, Language
from belot_spec.shipped import default_spec
from belot_spec.words import Words

SIGNS: Final = dict(zip(SUITS, "♠♥♦♣", strict=True))
_WORDS: Final = Words(__name__, "sheet")


@dataclass(frozen=True, slots=True)
class Contract:
    """Who took, which suit is trump (``"S"``, ``"H"``, ``"D"`` or ``"C"``), and in which round of bidding.

    Where players bid over one another ``trump`` may also be none (``"N"``) or all (``"A"``), ``raised`` is what
    doubling multiplies the deal by, and ``bid`` the card points that were promised, ``"capot"`` for all tricks, where
    numbers are bid.
    """

    taker: int
    trump: str
    round: int
    raised: int = 1
    bid: int | str | None = None

    @property
    def called(self) -> str:
        """What stands, as the protocol names a bid of it: ``H``, ``90H``."""
        return f"{'' if self.bid is None else self.bid}{self.trump}"


@dataclass(frozen=True, slots=True)
class DealScore:
    """One line of the score sheet.

    ``ended`` says how: ``"played"``, ``"passed"``, ``"belot"`` or ``"claim"``; the last two win the match and score
    nothing. ``outcome`` is that of a deal that was played: ``"made"``, ``"fell"`` or ``"tied"``. Everything else is in
    score points: ``score`` and ``freed`` (held points booked now) and ``totals`` per side, ``held`` for a later deal.
    """

    dealer: int
    ended: Ending
    contract: Contract | None
    outcome: Outcome | None
    score: tuple[int, ...]
    written: tuple[str, ...]
    freed: tuple[int, ...]
    held: int
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a match: the sheet so far, and who has won.

    ``sides`` are the seats of each side, and ``winner`` is the index of one, ``None`` while nobody has won. ``totals``,
    ``target``, ``held`` and ``surplus`` (what the winner has over the target, where the variant keeps that) are score
    points; ``in_halves`` says whether these are half points. A match of ``length`` deals, which otherwise is 0 as the
    ``target`` is there, may end as one that ``is_drawn``. Printed, it is the score sheet; ``text("nl")`` is the same
    in Dutch.
    """

    profile: str
    sides: tuple[tuple[int, ...], ...]
    target: int
    deals: tuple[DealScore, ...]
    totals: tuple[int, ...]
    held: int
    winner: int | None
    surplus: int
    in_halves: bool = False
    length: int = 0
    is_drawn: bool = False

    def __str__(self) -> str:
        return self.text("en")

    def _repr_html_(self) -> str:
        from belot_reference.pictures import score_html

        return score_html(self)

    def text(self, language: Language) -> str:
        """Return the score sheet in English (``"en"``), Dutch (``"nl"``) or French (``"fr"``)."""
        check_language(language)
        ends = ("deals", str(self.length)) if self.length else ("to", self._figure(self.target))
        title = f"{self.profile}, {_WORDS.say(ends[0], language, n=ends[1])}"
        total = _WORDS.say("total", language)
        lines = [_line(title, [side_name(seats) for seats in self.sides], total)]
        for number, deal in enumerate(self.deals, start=1):
            lines.append(
                _line(
                    f"{number:>3}  {happened(deal, language)}",
                    deal.written,
                    " - ".join(map(self._figure, deal.totals)),
                )
            )
        if self.held:
            lines.append(_WORDS.say("held", language, n=self._figure(self.held)))
        if self.winner is not None:
            lines.append(_WORDS.say("won", language, side=side_name(self.sides[self.winner])))
        if self.is_drawn:
            lines.append(_WORDS.say("drawn", language))
        return "\n".join(lines)

    def _figure(self, points: int) -> str:
        return on_paper(points, self.in_halves)


def check_language(language: str) -> None:
    """Raise ``BadQuestionError`` for a language that nothing is written in."""
    if language not in LANGUAGES:
        raise BadQuestionError(f"language: one of {', '.join(LANGUAGES)}, not {language!r:.60}")


def bid_text(bid: str, language: Language) -> str:
    """Return what somebody says in the bidding, given as the protocol writes it, with the sign of a suit: ``90♥``."""
    if bid[-1] in SIGNS:
        return f"{bid[:-1]}{SIGNS[bid[-1]]}"
    return default_spec().glossary.bid(bid).in_language(language)


def _line(label: str, figures: Sequence[str], total: str) -> str:
    return f"{label:<32}{''.join(f'{figure:>6}' for figure in figures)}{total:>18}"


def side_name(seats: Sequence[int]) -> str:
    """Return a side by its seats: ``0+2``."""
    return "+".join(map(str, seats))


def happened(deal: DealScore, language: Language) -> str:
    """Return how a deal went, in a language."""
    if deal.contract is None:
        return _WORDS.say("passed", language)
    sign = bid_text(deal.contract.called, language)
    if deal.contract.raised > 1:
        sign += f" ×{deal.contract.raised}"
    return _WORDS.say(deal.outcome or deal.ended, language, sign=sign, n=deal.contract.taker)


def contract_of(state: DealState) -> Contract | None:
    """Return the contract of a deal once somebody has taken."""
    found = state.bidding.contract
    if found is None:
        return None
    return Contract(found.taker, found.mode.name, state.bidding.node.round, found.raised, found.bid_json().get("bid"))


def deal_score(state: DealState, count: Count | None, line: Line) -> DealScore:
    """Return the line of the sheet for a deal that has ended and was booked; only one that was played has a count."""
    assert state.ended is not None
    return settled_score(state.ended, contract_of(state), None if count is None else count.settlement, line)


def settled_score(ended: Ending, contract: Contract | None, settlement: Settlement | None, line: Line) -> DealScore:
    """Return the line of the sheet for a deal by how it ended, and by its settlement if it was played."""
    return DealScore(
        ended=ended,
        contract=contract,
        outcome=None if settlement is None else settlement.outcome,
        written=("",) * len(line.score) if settlement is None else settlement.written,
        **{one.name: getattr(line, one.name) for one in fields(line)},
    )


def score_of(rules: Ruleset, match: Match, deals: Sequence[DealScore]) -> Score:
    """Return the score of a match with these lines on its sheet."""
    target: int = rules.value_or("match.target", 0)
    return Score(
        profile=rules.profile.id,
        sides=sides_of(rules),
        target=target,
        deals=tuple(deals),
        totals=match.totals,
        held=match.held,
        winner=match.winner,
        surplus=0 if deals and deals[-1].ended in ("belot", "claim") else surplus(rules, match),
        in_halves=in_halves(rules),
        length=rules.given("match.deals") if rules.has_set_length else 0,
        is_drawn=match.is_drawn,
    )


def sides_of(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side."""
    return _sides(tuple(rules.side_of))


@lru_cache
def _sides(side_of: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(seat for seat, own in enumerate(side_of) if own == side) for side in range(max(side_of) + 1))


def tally_json(rules: Ruleset, state: DealState, count: Count) -> dict[str, Any]:
    """Return a deal that was played out as the operation ``match`` takes it."""
    told = [{one.name: getattr(tally, one.name) for one in fields(tally)} for tally in count.tallies]
    sides = [{name: value for name, value in one.items() if value or name in ("cards", "tricks")} for one in told]
    contract = state.contract.to_json() if rules.has_auction else {"taker": state.contract.taker}
    return {"scored": {**contract, "sides": sides}}


# How the score of a deal comes about, step by step, from what each side brings in to the sheet.

_KINDS: Final = ("cards", "declarations", "belote")


@dataclass(frozen=True, slots=True)
class ReckoningRow:
    """One step of the reckoning: what is counted, and the figure of each side."""

    what: str
    figures: tuple[int | str, ...]


def reckoning(
    rules: Ruleset, contract: DealContract, tallies: Sequence[Tally], settlement: Settlement
) -> Iterator[ReckoningRow]:
    """Yield the steps by which a deal is settled, leaving out rare ones that change nothing.

    Card points brought in lead to those on which the contract is judged: made, fallen or tied. After a fall, or beside
    a bid, each side has other points by kind, which add up: their sum is rounded, multiplied if the contract was
    doubled, and written.
    """
    share, doubled = card_share(rules, contract.mode), contract.raised > 1
    before = {kind: tuple(getattr(tally, kind) for tally in tallies) for kind in _KINDS}
    outranked = tuple(tally.outranked for tally in tallies)
    for kind, figures in before.items():
        if kind == "belote" and rules.has_roem:
            continue
        yield ReckoningRow(kind, figures)
        if kind == "cards" and share != 1:
            before[kind] = whole([share * points for points in figures])
            yield ReckoningRow("cards-multiplied", before[kind])
        if kind == "declarations" and any(outranked):
            yield ReckoningRow("outranked", outranked)
    counting = [before[kind] for kind in rules.value("scoring.contract-counts")]
    plain = [sum(figures) for figures in zip(*counting, strict=True)]
    gained = tuple(now - then for now, then in zip(settlement.counted, plain, strict=True))
    if any(gained):
        yield ReckoningRow("all-or-none", gained)
    yield ReckoningRow("counted", settlement.counted)
    multiplied = ReckoningRow("raised", tuple(f"× {contract.raised}" for _ in tallies))
    if doubled and _rounded_once(rules, settlement):
        points, score = (tuple(side // contract.raised for side in of) for of in (settlement.points, settlement.score))
        yield ReckoningRow("points", points)
        if score != points:
            yield ReckoningRow("rounded", score)
        yield multiplied
        yield ReckoningRow("written", settlement.written)
        return
    if doubled:
        yield multiplied
    bid = whole([side.get(BID, 0) for side in settlement.sums])
    after = {kind: tuple(_settled(side, kind) for side in settlement.sums) for kind in _KINDS}
    if (rules.has_amounts or (settlement.outcome == "fell" and not doubled)) and (any(bid) or after != before):
        for kind, figures in after.items():
            if any(figures) or any(before[kind]):
                yield ReckoningRow(f"written-{kind}" if rules.has_amounts else f"after-fall-{kind}", figures)
    if any(bid):
        yield ReckoningRow("bid", bid)
    yield ReckoningRow("points", settlement.points)
    yield ReckoningRow("written", settlement.written)


def _rounded_once(rules: Ruleset, settlement: Settlement) -> bool:
    """Say whether a doubled deal was rounded as a whole and then multiplied: no part of it counts once."""
    if rules.has_amounts or rules.value_or("scoring.raised-rounded", "before-multiplying") == "after-multiplying":
        return False
    multiplied: list[str] = rules.given("scoring.raised-kinds")
    return all(kind in multiplied for side in settlement.sums for kind, points in side.items() if points)


def _settled(side: Mapping[str, Points], kind: str) -> int:
    """Return a side's points of a kind once a deal is decided: those for all tricks are among the cards."""
    return int(side[kind] + (side[ALL_TRICKS] if kind == "cards" else 0))
