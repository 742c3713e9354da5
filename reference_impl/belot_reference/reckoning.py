"""How the score of a deal comes about, step by step, from what each side brings in to the sheet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.scoring import ALL_TRICKS, BID, Settlement, Tally, card_factor

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

    Card points brought in lead to those on which the contract is judged: made, fallen or tied. After a fall each side
    has other points by kind; their sum is rounded, multiplied if the contract was doubled, and written.
    """
    factor, doubled = card_factor(rules, contract.mode), contract.raised > 1
    before = {kind: tuple(getattr(tally, kind) for tally in tallies) for kind in _KINDS}
    outranked = tuple(tally.outranked for tally in tallies)
    for kind, figures in before.items():
        yield ReckoningRow(kind, figures)
        if kind == "cards" and factor > 1:
            before[kind] = tuple(factor * points for points in figures)
            yield ReckoningRow("cards-multiplied", before[kind])
        if kind == "declarations" and any(outranked):
            yield ReckoningRow("outranked", outranked)
    counting = [before[kind] for kind in rules.value("scoring.contract-counts")]
    plain = [sum(figures) for figures in zip(*counting, strict=True)]
    gained = tuple(now - then for now, then in zip(settlement.counted, plain, strict=True))
    if any(gained):
        yield ReckoningRow("all-or-none", gained)
    yield ReckoningRow("counted", settlement.counted)
    if doubled:
        yield ReckoningRow("raised", tuple(f"× {contract.raised}" for _ in tallies))
    for kind in _KINDS if rules.has_amounts or (settlement.outcome == "fell" and not doubled) else ():
        after = tuple(_settled(side, kind) for side in settlement.sums)
        if after != before[kind]:
            yield ReckoningRow(f"written-{kind}" if rules.has_amounts else f"after-fall-{kind}", after)
    if any(bid := tuple(side.get(BID, 0) for side in settlement.sums)):
        yield ReckoningRow("bid", bid)
    yield ReckoningRow("points", settlement.points)
    yield ReckoningRow("written", settlement.written)


def _settled(side: Mapping[str, int], kind: str) -> int:
    """Return a side's points of a kind once a deal is decided: those for all tricks are among the cards."""
    return side[kind] + (side[ALL_TRICKS] if kind == "cards" else 0)
