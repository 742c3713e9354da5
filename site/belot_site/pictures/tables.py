"""The count of a deal and the score of a match as small tables, read from a case."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from belot_site.content.edition import Edition, seat_letter

Json = Mapping[str, Any]

_COUNTED: Final = ("cards", "tricks", "declarations", "outranked", "belote")
_RESULTS: Final = ("counted", "points", "score", "written")


def deal_table(edition: Edition, name: str, sides: Sequence[str], tallies: Sequence[Json], result: Json) -> Markup:
    """Return what each side brings in and what it gets, one column a side, leaving out what nobody has."""
    rows = [
        (edition.word(f"tally-{kind}"), [tally.get(kind, 0) for tally in tallies])
        for kind in _COUNTED
        if kind in ("cards", "tricks") or any(tally.get(kind) for tally in tallies)
    ]
    rows += [(edition.word(f"result-{kind}"), list(result[kind])) for kind in _RESULTS if kind in result]
    if result.get("held"):
        rows.append((edition.word("result-held"), [result["held"], *[""] * (len(sides) - 1)]))
    return table(edition.word("count-of", name=name), ["", *sides], rows)


def match_table(
    edition: Edition, name: str, sides: Sequence[str], totals: Sequence[int], deals: Sequence[Json], result: Json
) -> Markup:
    """Return the deals of a match one below the other: what happened, what was written, and the totals after it."""
    rows: list[tuple[str, Sequence[Any]]] = []
    if any(totals):
        rows.append((edition.word("before"), ["", *totals, ""]))
    lines = result.get("deals", ())
    for index, deal in enumerate(deals):
        line = lines[index] if index < len(lines) else {}
        score = " · ".join(map(str, line["score"])) if "score" in line else ""
        rows.append(
            (_happened(edition, index, deal), [score, *line.get("totals", [""] * len(sides)), line.get("held") or ""])
        )
    head = [edition.word("deal"), edition.word("result-score"), *sides, edition.word("result-held")]
    if not any(line.get("held") for line in lines):
        # Where nothing is held, a column for it would push the totals off a phone.
        head, rows = head[:-1], [(label, figures[:-1]) for label, figures in rows]
    return table(edition.word("count-of", name=name), head, rows)


def _happened(edition: Edition, index: int, deal: Json) -> str:
    if "scored" in deal:
        cards = " · ".join(str(side["cards"]) for side in deal["scored"]["sides"])
        return edition.word("deal-scored", n=index + 1, taker=seat_letter(deal["scored"]["taker"]), cards=cards)
    if "accusation" in deal:
        told = deal["accusation"]
        kind = "deal-accused" if told["proved"] else "deal-accused-wrongly"
        return edition.word(kind, n=index + 1, by=seat_letter(told["by"]), of=seat_letter(told["of"]))
    return edition.word("deal-passed", n=index + 1)


def table(label: str, head: Sequence[str], rows: Sequence[tuple[str, Sequence[Any]]]) -> Markup:
    """Return figures as a table with a name for each row and each column."""
    heads = Markup("").join(
        Markup('<th scope="col">{}</th>').format(name) if name else Markup("<td></td>") for name in head
    )
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            label, Markup("").join(Markup("<td>{}</td>").format(value) for value in values)
        )
        for label, values in rows
    )
    return Markup(
        '<div class="scroll" role="region" tabindex="0" aria-label="{}"><table class="count">'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    ).format(label, heads, body)
