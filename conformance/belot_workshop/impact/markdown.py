"""An impact as Markdown, such as a review of a rule change shows: the figures first, the cases folded away."""

from collections.abc import Iterator, Sequence
from typing import Final

from belot_conformance.text.brief import brief
from belot_conformance.text.markdown import escaped, table_row
from belot_spec.catalogue import Language
from belot_workshop.impact.impact import ChangedRule, Impact, figures
from belot_workshop.impact.simulation import MOST_DEALS
from belot_workshop.impact.words import (
    answers_words,
    cases_line,
    cases_of,
    columns,
    mean_rows,
    notes,
    players_line,
    points_title,
    share_rows,
    title,
    value_sentence,
    word,
)

_MOST_CASES: Final = 100


def as_markdown(found: Impact, language: Language) -> str:
    """Return an impact as Markdown in one language."""
    return "\n".join(_lines(found, language)) + "\n"


def _lines(found: Impact, language: Language) -> Iterator[str]:
    yield f"## {escaped(title(found, language))}"
    yield ""
    if found.interrupted:
        yield f"**{word('interrupted', language)}**"
        yield ""
    if not found.rules:
        yield word("same", language)
        return
    yield from _simulation(found, language)
    yield f"### {word('rules', language)} ({len(found.rules)})"
    yield ""
    for rule in found.rules:
        yield from _rule(rule, found, language)
    yield from _cases(found, language)


def _simulation(found: Impact, language: Language) -> Iterator[str]:
    yield f"### {word('simulation', language)}"
    yield ""
    if found.simulated is None:
        yield word("not_done", language)
        yield ""
        return
    known = figures(found.simulated.sums)
    yield players_line(found, language)
    yield ""
    headings = [word(name, language) for name in ("share", "interval", "number")]
    yield from _table([word("otherwise", language), *headings], columns(share_rows(known, language)))
    headings[0] = word("mean", language)
    yield from _table([points_title(found, language), *headings], columns(mean_rows(known, language)))
    for note in (*notes(found, known, language, MOST_DEALS), word("defined", language)):
        yield note.replace("*", "&#42;")
        yield ""


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], column: str = "---:") -> Iterator[str]:
    yield table_row(headings)
    yield "|---|" + f"{column}|" * (len(headings) - 1)
    yield from (table_row([escaped(cell) for cell in row]) for row in rows)
    yield ""


def _rule(rule: ChangedRule, found: Impact, language: Language) -> Iterator[str]:
    before, after = rule.rule["values"]
    yield f"**{rule.rule['title'][language]}** (`{rule.id}`)"
    yield ""
    yield f"- {word('before', language)}: {value_sentence(before, language)}"
    yield f"- {word('after', language)}: {value_sentence(after, language)}"
    number = cases_of(found, rule.id)
    if number:
        yield f"- {cases_line(number, language)}"
    if rule.alone is None:
        yield f"- {word('with_others', language)}"
    shown = (found.shown or {}).get(rule.id)
    if shown is None:
        yield f"- {word('shows', language)}: {word('not_done', language)}"
    elif shown.position is None:
        yield f"- {word('nothing', language, n=shown.tried)}"
    else:
        early, late = answers_words(shown.position.before, shown.position.after, language)
        yield f"- {word('shows', language)} ({shown.position.operation}):"
        yield ""
        yield "  ```text"
        yield f"  {word('asked', language):<9} {brief(shown.position.question)}"
        yield f"  {word('before', language):<9} {early}"
        yield f"  {word('after', language):<9} {late}"
        yield "  ```"
    yield ""


def _cases(found: Impact, language: Language) -> Iterator[str]:
    if found.cases is None:
        yield f"### {word('cases', language)} {word('not_done', language)}"
        return
    counted = word("of", language, n=len(found.cases), all=found.cases_asked)
    yield f"<details><summary>{word('cases', language)} ({counted})</summary>"
    yield ""
    yield from _table(["id", "", *(word(name, language) for name in ("before", "after", "by"))], [
        [one.case.id, one.case.title.in_language(language), *answers_words(one.before, one.after, language),
         ", ".join(one.rules)]
        for one in found.cases[:_MOST_CASES]
    ], column="---")  # fmt: skip
    if len(found.cases) > _MOST_CASES:
        yield word("more", language, n=len(found.cases) - _MOST_CASES)
        yield ""
    yield "</details>"
