"""An impact as one HTML page that needs nothing else: plots, positions drawn in cards, and the cases as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from markupsafe import Markup, escape

from belot_conformance.programs.process import suite_version
from belot_conformance.text.card_svg import card_symbols
from belot_conformance.text.drawn import draw_answer, draw_choice, draw_fields
from belot_conformance.text.html_page import asset, environment, policy_hash
from belot_conformance.text.printable import document
from belot_spec.catalogue import Language
from belot_workshop.impact.impact import ChangedCase, ChangedRule, Impact, differing_fields, figures
from belot_workshop.impact.plots import Interval, change_plot, interval_plot
from belot_workshop.impact.simulation import MOST_DEALS
from belot_workshop.impact.smallest_position import Position
from belot_workshop.impact.words import (
    Row,
    answers_words,
    cases_line,
    cases_of,
    columns,
    figure,
    mean_rows,
    notes,
    players_line,
    point_rows,
    points_title,
    share_rows,
    title,
    unshown_line,
    value_sentence,
    whole,
    word,
)

_MOST_CASES: Final = 400
_PACKAGE: Final = "belot_workshop"
_FOLDER: Final = "impact/templates"


@dataclass(frozen=True, slots=True)
class _Plot:
    """A plot with its heading, and a note below the heading."""

    title: str
    svg: Markup
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Figures with the headings of their columns."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


def as_html(found: Impact, language: Language) -> str:
    """Return an impact as the text of one HTML page in one language."""
    style = asset("belot_conformance", "reports/templates", "page.css") + asset(_PACKAGE, _FOLDER, "impact.css")
    names = " → ".join(
        f"{rules.profile.id} ({rules.profile.name.in_language(language)})" for rules in (found.old, found.new)
    )
    cases = found.cases
    page = environment(_PACKAGE, _FOLDER).get_template("page.html").render(
        language=language,
        title=title(found, language),
        names=names,
        suite=suite_version(),
        interrupted=found.interrupted,
        rules=[_rule(rule, found, language) for rule in found.rules],
        players="" if found.simulated is None else players_line(found, language),
        plots=list(_plots(found, language)),
        tables=list(_tables(found, language)),
        notes=_notes(found, language),
        cases=None if cases is None else [_case(one, language) for one in cases[:_MOST_CASES]],
        counted="" if cases is None else word("of", language, n=len(cases), all=found.cases_asked),
        more=_more(cases, language),
        word=partial(word, language=language),
        symbols=Markup(card_symbols(languages=(language,))),
        style=Markup(style),
        style_hash=policy_hash(style),
    )  # fmt: skip
    return document(page) + "\n"


def _plots(found: Impact, language: Language) -> Iterator[_Plot]:
    if found.simulated is None:
        return
    sums = found.simulated.sums
    known = figures(sums)
    shares = [_interval(row, 100.0) for row in share_rows(known, language)]
    means = [_interval(row, 1.0) for row in point_rows(known, language)]
    interval = word("interval", language)
    if shares:
        how_often = word("how_often", language)
        svg = interval_plot(shares, lambda number: f"{_short(number, language)} %", how_often)
        yield _Plot(how_often, Markup(svg), f"{word('otherwise', language)}, {interval}")
    if means:
        heading = points_title(found, language)
        yield _Plot(heading, Markup(interval_plot(means, partial(_short, language=language), heading)), interval)
    heading = word("histogram", language)
    bars = change_plot(
        sums.changes,
        partial(_short, language=language),
        lambda times: f"{whole(times, language)} {word('changed_deals', language)}",
        heading,
    )
    if bars:
        counted = whole(sum(sums.changes.values()), language)
        note = word("unchanged", language, n=whole(sums.changes.get(0, 0), language), all=counted)
        yield _Plot(heading, Markup(bars), note)


def _interval(row: Row, factor: float) -> Interval:
    value, low, high = (factor * number for number in (row.of.value, row.of.low, row.of.high))
    return Interval(row.name, row.estimate, value, low, high)


def _short(number: float, language: Language) -> str:
    """Return a number on an axis with as few digits as it needs."""
    digits = next((count for count in range(4) if abs(round(number, count) - number) < 1e-9), 4)
    return figure(number, language, digits)


def _tables(found: Impact, language: Language) -> Iterator[_Table]:
    if found.simulated is None:
        return
    known = figures(found.simulated.sums)
    others = [word(name, language) for name in ("interval", "number")]
    headings = [word(name, language) for name in ("otherwise", "share")]
    yield _Table([*headings, *others], _cells(share_rows(known, language)))
    yield _Table([points_title(found, language), word("mean", language), *others], _cells(mean_rows(known, language)))


def _cells(rows: Sequence[Row]) -> list[list[Markup]]:
    """Return the cells of rows, every per cent sign on the line of its number."""
    return [[escape(cell).replace(" %", Markup("&nbsp;%")) for cell in row] for row in columns(rows)]


def _notes(found: Impact, language: Language) -> list[str]:
    if found.simulated is None:
        return []
    known = figures(found.simulated.sums)
    return [*notes(found, known, language, MOST_DEALS), word("defined", language)]


def _rule(rule: ChangedRule, found: Impact, language: Language) -> dict[str, Any]:
    before, after = rule.rule["values"]
    shown = (found.shown or {}).get(rule.id)
    position = None if shown is None else shown.position
    said = [cases_line(number, language)] if (number := cases_of(found, rule.id)) else []
    said += [word("with_others", language)] if rule.alone is None else []
    if shown is None:
        said.append(f"{word('shows', language)}: {word('not_done', language)}")
    elif position is None:
        said.append(unshown_line(shown.tried, language))
    return {
        "id": rule.id,
        "title": rule.rule["title"][language],
        "before": value_sentence(before, language),
        "after": value_sentence(after, language),
        "notes": said,
        "position": None if position is None else _position(position, language),
    }


def _position(position: Position, language: Language) -> dict[str, Any]:
    before, after = _drawn_answers(position, language)
    return {
        "operation": position.operation,
        "asked": draw_fields(position.question, language),
        "before": before,
        "after": after,
    }


def _drawn_answers(position: Position, language: Language) -> tuple[Markup, Markup]:
    """Return the two answers drawn: a hand with its legal cards marked, results field by field, refusals in words."""
    said = (position.before, position.after)
    if all("result" in one for one in said):
        hand = position.question.get("hand")
        if position.operation == "legal-cards" and hand:
            before, after = (draw_choice(hand, one["result"]["cards"], language) for one in said)
        else:
            before, after = (draw_answer("result", one["result"], language) for one in differing_fields(*said))
        return before, after
    early, late = answers_words(*said, language)
    return Markup("<p>{}</p>").format(early), Markup("<p>{}</p>").format(late)


def _case(one: ChangedCase, language: Language) -> dict[str, Any]:
    before, after = answers_words(one.before, one.after, language)
    return {
        "id": one.case.id,
        "title": one.case.title.in_language(language),
        "before": escape(before),
        "after": escape(after),
        "rules": one.rules,
    }


def _more(cases: Sequence[ChangedCase] | None, language: Language) -> str:
    left = len(cases or ()) - _MOST_CASES
    return word("more_cases", language, n=left) if left > 0 else ""
