"""How the score of a deal comes about, step by step, from what each side brings in to the sheet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from belot_reference.compile import Ruleset
from belot_reference.scoring import Settlement, Tally


@dataclass(frozen=True, slots=True)
class ReckoningRow:
    """One step of the reckoning: what is counted, and the figure of each side."""

    what: str
    figures: tuple[int | str, ...]


def reckoning(rules: Ruleset, tallies: Sequence[Tally], settlement: Settlement) -> Iterator[ReckoningRow]:
    """Yield the steps by which a deal is settled, leaving out rare ones that change nothing.

    Card points brought in lead to those on which the contract is judged: made, fallen or tied. After a fall each side
    has other points by kind; their sum is rounded and written.
    """
    kinds = list(settlement.sums[0])
    before = {kind: tuple(getattr(tally, kind) for tally in tallies) for kind in kinds}
    after = {kind: tuple(side[kind] for side in settlement.sums) for kind in kinds}
    counting = [before[kind] for kind in rules.value("scoring.contract-counts")]
    plain = [sum(figures) for figures in zip(*counting, strict=True)]
    gained = tuple(now - then for now, then in zip(settlement.counted, plain, strict=True))
    outranked = tuple(tally.outranked for tally in tallies)
    for kind, figures in before.items():
        yield ReckoningRow(kind, figures)
        if kind == "declarations" and any(outranked):
            yield ReckoningRow("outranked", outranked)
    if any(gained):
        yield ReckoningRow("all-or-none", gained)
    yield ReckoningRow("counted", settlement.counted)
    for kind in kinds if settlement.outcome == "fell" else ():
        if after[kind] != before[kind]:
            yield ReckoningRow(f"{kind}-then", after[kind])
    yield ReckoningRow("points", settlement.points)
    yield ReckoningRow("written", settlement.written)
