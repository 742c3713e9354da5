"""The review of cases whose expectation a program gave: asked first, then answered, then settled by a person."""

from collections.abc import Collection, Iterable
from typing import Any, Final, Literal

from belot_conformance.rules.reading import sentences
from belot_conformance.suite.case_text import Rewrite, rewrite_file
from belot_conformance.suite.cases import Case
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.spec import Spec
from belot_spec.words import English

Settling = Literal["h", "a", "l", "s"]

REVIEW_WORDS: Final = English(__name__, "review")
_LABEL: Final = 10


def waiting_cases(cases: Iterable[Case], named: Collection[str]) -> list[Case]:
    """Return the cases that wait for review, or those of them that are named; raises ``UnknownNameError``."""
    waiting = {case.id: case for case in cases if case.review is not None}
    for name in named:
        if name not in waiting:
            raise UnknownNameError(f"no case {name} waits for review{nearest(name, waiting)}")
    return [waiting[name] for name in named] or [*waiting.values()]


def review_json(case: Case) -> dict[str, Any]:
    """Return a case that waits, as JSON."""
    place = {"file": f"{case.path.parent.name}/{case.path.name}", "line": case.line}
    return {**case.named(), "profile": case.profile, **place, "review": case.review}


def print_question(page: Page, case: Case, spec: Spec) -> None:
    """Print what a case asks, why it waits, and the rules that it pins: all it takes to work it out."""
    words, profile = REVIEW_WORDS, spec.profile(case.profile)
    page.line(f"{case.id} {case.title.en}", hang=2, style="bold")
    page.line(f"{case.operation}, {case.profile}, {case.path.parent.name}/{case.path.name}:{case.line}", indent=2)
    page.labelled(words["waits"], case.review or "", indent=2, width=_LABEL)
    page.labelled(words["asked"], brief(case.input), indent=2, width=_LABEL)
    for rule in case.rules:
        told = sentences(spec.rules[rule], profile, spec)["en"]
        page.labelled(words["rule"], f"{told} ({rule})", indent=2, width=_LABEL)


def print_expectation(page: Page, case: Case) -> None:
    """Print the answers of a case that are right as it stands."""
    words = REVIEW_WORDS
    told = f" {words['or']} ".join(brief(one.message) for one in case.expected)
    page.labelled(words["expected"], told, indent=2, width=_LABEL)


def settle(case: Case, how: Settling) -> bool:
    """Take the review of a case away, worked out by hand (``h``) or agreed to (``a``); say whether it was settled.

    Raises ``CaseTextError`` for a file that cannot be changed line by line.
    """
    if how not in ("h", "a"):
        return False
    rewrite_file(case.path, [Rewrite(case.id, {"origin": "by-hand"} if how == "h" else {}, without=("review",))])
    return True
