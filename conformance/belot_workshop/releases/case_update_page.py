"""The proposals for cases under a changed rule, for people at a terminal: field by field, with the rule that did it."""

from collections.abc import Mapping, Sequence
from typing import Final

from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words
from belot_workshop.releases.case_update import VERDICTS, Cause, Update

_HEADINGS: Final = Words(__name__, "case-update-headings")
_WORDS: Final = Words(__name__, "case-update")
_MOST_RECORDED: Final = 5


def print_updates(
    page: Page, updates: Sequence[Update], written: bool, renewed: Mapping[str, str], language: Language
) -> None:
    """Print each update under what becomes of it, and what was or can be written."""
    for verdict in VERDICTS:
        own = [update for update in updates if update.verdict == verdict]
        if own:
            page.heading(f"{_HEADINGS[verdict].in_language(language)} ({len(own)})")
        shown = own[:_MOST_RECORDED] if verdict == "recorded" else own
        for update in shown:
            page.blank()
            _print_update(page, update, renewed.get(update.case.id), language)
        if len(own) > len(shown):
            page.line(f"… +{len(own) - len(shown)}", indent=2)
    page.blank()
    for line in _sums(updates, written, language):
        page.line(line, style="bold")


def _print_update(page: Page, update: Update, renewed: str | None, language: Language) -> None:
    case = update.case
    page.line(f"{case.id} {case.title.in_language(language)}", indent=2, hang=2, style="bold")
    page.line(
        f"{case.operation}, {case.profile}, {case.origin}, {case.path.parent.name}/{case.path.name}:{case.line}",
        indent=4,
    )
    if renewed is not None:
        page.line(_WORDS.say("renewed", language, id=renewed), indent=4)
    if update.detail is not None:
        page.line(update.detail, indent=4, hang=2)
    for found in update.differences:
        page.line(found.field, indent=4)
        page.labelled(f"- {_WORDS.say('old', language)}", brief(found.expected), indent=4, width=10)
        page.labelled(f"+ {_WORDS.say('new', language)}", brief(found.came), indent=4, width=10)
    for cause in update.causes:
        _print_cause(page, cause, language)


def _print_cause(page: Page, cause: Cause, language: Language) -> None:
    after = cause.after[language] if cause.after else _WORDS.say("nowhere", language)
    page.labelled(_WORDS.say("rule", language), f"{after} ({cause.rule})", indent=4, width=10)
    if cause.before is not None:
        page.labelled(_WORDS.say("before", language), cause.before[language], indent=4, width=10)


def _sums(updates: Sequence[Update], written: bool, language: Language) -> list[str]:
    counts = {verdict: sum(update.verdict == verdict for update in updates) for verdict in VERDICTS}
    left = sum(counts.values()) - counts["proposed"] - counts["recorded"]
    lines = []
    if counts["proposed"]:
        lines.append(_WORDS.say("written" if written else "unwritten", language, n=counts["proposed"]))
    if left:
        lines.append(_WORDS.say("left", language, n=left))
    if not updates:
        lines.append(_WORDS.say("none", language))
    return lines
