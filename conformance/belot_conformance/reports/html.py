"""The report of a run as one HTML page that needs nothing else: no other file, no other host, no network."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from jinja2 import Template
from markupsafe import Markup

from belot_conformance.reports.expected import excused_line, finding_lines
from belot_conformance.reports.explained import first_lines
from belot_conformance.reports.report import (
    Run,
    by_operation,
    ending,
    failures,
    listed,
    occurring,
)
from belot_conformance.reports.scores import percentage, score_titles
from belot_conformance.reports.terminal import case_told
from belot_conformance.reports.words import (
    ENDING_SIGNS,
    ENDING_WORDS,
    OUTCOME_WORDS,
    PROVENANCE_WORDS,
    ending_parts,
    given_fields,
    told_of_tables,
)
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Difference
from belot_conformance.suite.verdicts import OUTCOMES, Verdict, count
from belot_conformance.text.brief import brief
from belot_conformance.text.drawn import (
    asset,
    draw,
    draw_answer,
    draw_choice,
    draw_fields,
    environment,
    field_name,
    policy_hash,
)
from belot_conformance.text.printable import document
from belot_reference.card_svg import card_symbols
from belot_spec.spec import Spec

# The page is kept below about this size (in characters): failures are drawn in full until its room is taken, and the
# others are told in one row each, which takes about so much: 5,455 cases take 2,070,000. Some failures are drawn
# whatever the number of cases.
MOST: Final = 2_400_000
LEAST_FOR_FAILURES: Final = 200_000
_FRAME: Final = 60_000
_ROW: Final = 380
_PACKAGE: Final = "belot_conformance"
_FOLDER: Final = "reports/templates"


def as_html(run: Run, spec: Spec) -> str:
    """Return the report as the text of one HTML page."""
    templates = environment(_PACKAGE, _FOLDER)
    script, style = (asset(_PACKAGE, _FOLDER, f"page.{kind}") for kind in ("js", "css"))
    names, counts, told = _names(run.verdicts), count(run.verdicts), listed(run.verdicts)
    templates.filters |= {
        "draw": draw,
        "draw_fields": draw_fields,
        "draw_answer": draw_answer,
        "field_name": field_name,
    }
    templates.globals.update(
        outcome_words=OUTCOME_WORDS,
        provenance_words=PROVENANCE_WORDS,
        percentage=percentage,
        sides=_sides,
        place={kind: {name: number for number, name in enumerate(known)} for kind, known in names.items()},
    )
    bad = failures(run.told)
    drawn = list(_drawn(templates.get_template("failure.html"), bad, run, spec))
    titles = score_titles(run.hello.name)
    page = templates.get_template("page.html").render(
        run=run,
        ending=ending(run),
        ending_words=ENDING_WORDS[ending(run)],
        ending_sign=ENDING_SIGNS[ending(run)],
        told=told_of_tables(run),
        explained=first_lines(run.explained, spec),
        sentences=_isolated(*ending_parts(run)),
        totals=occurring(counts),
        operations=by_operation(run),
        given=given_fields(run),
        outcomes_found=[outcome for outcome in OUTCOMES if counts[outcome]],
        names=names,
        failures=Markup("").join(drawn),
        failed=len(bad),
        drawn=len(drawn),
        drawn_in_full={one.planned.case.id for one in bad[: len(drawn)]},
        groups={name: [one for one in told if one.planned.case.operation == name] for name in names["operation"]},
        expected=run.expected and [excused_line(run.expected), *finding_lines(run.expected)],
        scores=[(titles[name], score) for name, score in (run.baselines or {}).items()],
        symbols=Markup(card_symbols(languages=("en",))),
        script=Markup(script),
        style=Markup(style),
        script_hash=policy_hash(script),
        style_hash=policy_hash(style),
    )
    return document(page) + "\n"


def _isolated(sentence: str, values: Mapping[str, str]) -> Markup:
    """Fill a sentence of ours with others' words, each of them apart: no writing from right to left turns it round."""
    return Markup(sentence).format(**{name: Markup("<bdi>{}</bdi>").format(text) for name, text in values.items()})


def _names(verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
    """Return the operations, profiles and rules that occur, each in the order in which the page numbers them."""
    return {
        "operation": list(dict.fromkeys(verdict.planned.case.operation for verdict in verdicts)),
        "profile": list(dict.fromkeys(verdict.planned.profile for verdict in verdicts)),
        "rule": sorted({rule for verdict in verdicts for rule in verdict.planned.case.rules}),
    }


def _drawn(template: Template, bad: Iterable[Verdict], run: Run, spec: Spec) -> Iterator[Markup]:
    """Yield failures drawn in full, as many as there is room for."""
    room = max(LEAST_FOR_FAILURES, MOST - _FRAME - _ROW * len(listed(run.verdicts)))
    for verdict in bad:
        article = Markup(template.render(case_told(verdict, spec, run.asked_with)))
        room -= len(article)
        if room < 0:
            return
        yield article


def _sides(case: Case, difference: Difference) -> Iterable[Markup]:
    """Return what was expected and what came of one field, drawn."""
    hand, sides = case.input.get("hand"), (difference.expected, difference.came)
    is_choice = case.operation == "legal-cards" and difference.field == "cards"
    if is_choice and hand and all(isinstance(side, list) for side in sides):
        return (draw_choice(hand, [str(card) for card in side]) for side in sides)
    if isinstance(difference.expected, str) == isinstance(difference.came, str):
        return (draw(side) for side in sides)
    # A text may look like what it is not.
    return (Markup.escape(brief(*pair)) for pair in (sides, sides[::-1]))
