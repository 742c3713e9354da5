"""The changelog of a release as Markdown: the rules in words, and the cases by id."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from belot_conformance.text.markdown import escaped
from belot_spec.catalogue import Language
from belot_spec.words import Words
from belot_workshop.changes.diff import SpecDiff
from belot_workshop.changes.diff_page import changes_markdown, step_sentence, summary
from belot_workshop.changes.version import Step, Version
from belot_workshop.releases.case_changes import CaseChanges

_WORDS: Final = Words(__name__, "changelog")


def changelog(version: Version, step: Step, diff: SpecDiff | None, cases: CaseChanges, language: Language) -> str:
    """Return what a release changed; without a diff it is the first one."""
    lines = [f"# {version}", ""]
    if diff is None:
        lines.append(_word("first", language))
    else:
        lines += [f"{summary(diff, language)} {step_sentence(step, language)}", *changes_markdown(diff, language)]
    lines += ["", f"## {_word('cases', language)}", "", *_case_lines(cases, language)]
    return "\n".join(lines) + "\n"


def _case_lines(cases: CaseChanges, language: Language) -> Iterator[str]:
    if not (cases.added or cases.retired):
        yield _word("same", language)
    if cases.new:
        yield f"- {_word('new', language).format(n=len(cases.new))}: {', '.join(_runs(cases.new))}"
    if cases.changed:
        yield f"- {_word('changed', language).format(n=len(cases.changed))}:"
        yield from (f"  - {case_id} → {one.by}: {escaped(one.reason)}" for case_id, one in cases.changed)
    if cases.dropped:
        yield f"- {_word('dropped', language).format(n=len(cases.dropped))}:"
        yield from (f"  - {case_id}: {escaped(one.reason)}" for case_id, one in cases.dropped)


def _runs(ids: Sequence[str]) -> list[str]:
    """Return ids with those that follow one another written as a run: ``bc-0001..0255``."""
    numbers = [int(case_id[3:]) for case_id in ids]
    starts = [0, *(place + 1 for place, (one, other) in enumerate(pairwise(numbers)) if other != one + 1), len(ids)]
    return [ids[begin] if end == begin + 1 else f"{ids[begin]}..{ids[end - 1][3:]}" for begin, end in pairwise(starts)]


def _word(name: str, language: Language) -> str:
    return _WORDS[name].in_language(language)
