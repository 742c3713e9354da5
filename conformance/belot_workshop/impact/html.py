"""An impact as one HTML page that needs nothing else: plots, positions drawn in cards, and the cases as a table."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from markupsafe import Markup, escape

from belot_conformance.contrast.probe import Contrast
from belot_conformance.programs.process import suite_version
from belot_conformance.text.card_svg import card_symbols
from belot_conformance.text.drawn import asset, draw_answer, draw_choice, draw_fields, environment, policy_hash
from belot_conformance.text.printable import document
from belot_spec.catalogue import text_of
from belot_spec.languages import Language
from belot_workshop.impact.impact import ChangedCase, Impact, RuleImpact, differing_fields
from belot_workshop.impact.plots import Interval, change_plot, interval_plot
from belot_workshop.impact.words import FigureRow, Telling

_MOST_CASES: Final = 400
_PACKAGE: Final = "belot_workshop"
_FOLDER: Final = "impact/templates"


def as_html(found: Impact, language: Language) -> str:
    """Return an impact as the text of one HTML page in one language."""
    told = Telling(found, language)
    style = asset("belot_conformance", "reports/templates", "page.css") + asset(_PACKAGE, _FOLDER, "impact.css")
    names = (f"{one.profile.id} ({one.profile.name.in_language(language)})" for one in (found.old, found.new))
    cases, simulated = found.cases, found.simulated is not None
    left = len(cases or ()) - _MOST_CASES
    page = environment(_PACKAGE, _FOLDER).get_template("page.html").render(
        language=language,
        title=told.title(),
        names=" → ".join(names),
        suite=suite_version(),
        interrupted=found.interrupted,
        rules=[_rule(rule, told) for rule in found.rules],
        players=told.players() if simulated else "",
        plots=list(_plots(told)) if simulated else [],
        tables=_tables(told),
        notes=told.notes(),
        cases=None if cases is None else [_case(one, told) for one in cases[:_MOST_CASES]],
        counted="" if cases is None else told.word("of", n=len(cases), all=found.cases_asked),
        more=told.word("more_cases", n=left) if left > 0 else "",
        word=told.word,
        symbols=Markup(card_symbols(languages=(language,))),
        style=Markup(style),
        style_hash=policy_hash(style),
    )  # fmt: skip
    return document(page) + "\n"


def _plots(told: Telling) -> Iterator[dict[str, Any]]:
    """Yield the plots, each with its heading and a note below the heading."""
    shares = [_interval(row, 100.0) for row in told.share_rows()]
    means = [_interval(row, 1.0) for row in told.point_rows()]

    def short(number: float) -> str:
        """Return a number on an axis with as few digits as it needs."""
        digits = next((count for count in range(4) if abs(round(number, count) - number) < 1e-9), 4)
        return told.figure(number, digits)

    interval = told.word("interval")
    if shares:
        how_often = told.word("how_often")
        svg = interval_plot(shares, lambda number: f"{short(number)} %", how_often)
        yield {"title": how_often, "svg": Markup(svg), "note": f"{told.word('otherwise')}, {interval}"}
    if means:
        heading = told.points_title()
        yield {"title": heading, "svg": Markup(interval_plot(means, short, heading)), "note": interval}
    heading, changes = told.word("histogram"), told.sums.changes
    bars = change_plot(changes, short, lambda times: f"{told.whole(times)} {told.word('changed_deals')}", heading)
    if bars:
        unchanged, counted = told.whole(changes.get(0, 0)), told.whole(sum(changes.values()))
        yield {"title": heading, "svg": Markup(bars), "note": told.word("unchanged", n=unchanged, all=counted)}


def _interval(row: FigureRow, factor: float) -> Interval:
    value, low, high = (factor * number for number in (row.of.value, row.of.low, row.of.high))
    return Interval(row.name, row.estimate, value, low, high)


def _tables(told: Telling) -> list[dict[str, Any]]:
    others = [told.word("interval"), told.word("number")]
    shares, means = [told.word("otherwise"), told.word("share")], [told.points_title(), told.word("mean")]
    return [
        {"headings": [*shares, *others], "rows": _cells(told.share_rows())},
        {"headings": [*means, *others], "rows": _cells(told.mean_rows())},
    ]


def _cells(rows: Sequence[FigureRow]) -> list[list[Markup]]:
    """Return the cells of rows, every per cent sign on the line of its number."""
    return [[escape(cell).replace(" %", Markup("&nbsp;%")) for cell in row.cells] for row in rows]


def _rule(rule: RuleImpact, told: Telling) -> dict[str, Any]:
    before, after = rule.rule["values"]
    shown = (told.found.shown or {}).get(rule.id)
    position = None if shown is None else shown.position
    said = told.cases_of(rule.id) + ([told.word("with_others")] if rule.alone is None else [])
    if shown is None:
        said.append(f"{told.word('shows')}: {told.word('not_done')}")
    elif position is None:
        said.append(told.unshown(shown.tried))
    return {
        "id": rule.id,
        "title": text_of(rule.rule["title"]).in_language(told.language),
        "before": told.value(before),
        "after": told.value(after),
        "notes": said,
        "position": None if position is None else _position(position, told),
    }


def _position(position: Contrast, told: Telling) -> dict[str, Any]:
    before, after = _drawn_answers(position, told)
    asked = draw_fields(position.input, told.language)
    return {"operation": position.operation, "asked": asked, "before": before, "after": after}


def _drawn_answers(position: Contrast, told: Telling) -> tuple[Markup, Markup]:
    """Return the two answers drawn: a hand with its legal cards marked, results field by field, refusals in words."""
    said = (position.before, position.after)
    if all("result" in one for one in said):
        hand = position.input.get("hand")
        if position.operation == "legal-cards" and hand:
            before, after = (draw_choice(hand, one["result"]["cards"], told.language) for one in said)
        else:
            before, after = (draw_answer("result", one["result"], told.language) for one in differing_fields(*said))
        return before, after
    early, late = told.answers(*said)
    return Markup("<p>{}</p>").format(early), Markup("<p>{}</p>").format(late)


def _case(one: ChangedCase, told: Telling) -> dict[str, Any]:
    before, after = told.answers(one.before, one.after)
    title = one.case.title.in_language(told.language)
    return {"id": one.case.id, "title": title, "before": escape(before), "after": escape(after), "rules": one.rules}
