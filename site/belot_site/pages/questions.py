"""Questions that people argue about at the table, in their own words: what each variant answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from belot_conformance.rules.asked import QUESTIONS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import fields_apart
from belot_site.content.edition import Basis, SiteEdition, basis_of, open_in
from belot_site.content.library import Library, grouped
from belot_site.content.positions import Position, position
from belot_site.pages.page import SitePage
from belot_site.pages.rules import LARGEST_INPUT
from belot_spec.catalogue import Setting, Text, text_of
from belot_spec.document import Document
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.languages import COMPLETE, LANGUAGES, Language
from belot_spec.load.translations import read_translated
from belot_spec.profile_name import ProfileName
from belot_spec.variants import ancestry

_FIELDS: Final = {"ask", "rules", "words"}


class PlayerQuestion(NamedTuple):
    """What people ask, the rules that answer it, the foremost first, other words to find it by, and cases to show."""

    id: str
    ask: Text
    rules: tuple[str, ...]
    words: Mapping[Language, tuple[str, ...]]
    shown: frozenset[str]

    @property
    def rule(self) -> str:
        """The rule whose value is the answer."""
        return self.rules[0]


class VariantAnswer(NamedTuple):
    """What a variant answers: in short, as the rule's sentence, and in a position that pins the rule there."""

    question: PlayerQuestion
    variant: str
    setting: Setting
    short: str
    basis: Basis
    sentence: str
    case: Case
    drawn: Position
    others: Mapping[str, Sequence[str]]


def read_questions(path: Path, library: Library) -> tuple[PlayerQuestion, ...]:
    """Read a file of questions; raise ``SpecError`` with all that is wrong in it."""
    document = read_translated(path)
    problems = list(_problems(document, library))
    refuse(problems)
    return tuple(
        PlayerQuestion(
            name,
            text_of(data["ask"]),
            tuple(data["rules"]),
            {language: tuple(data["words"][language]) for language in LANGUAGES if language in data["words"]},
            frozenset(data.get("shown", ())),
        )
        for name, data in document.data.items()
    )


@cache
def questions(library: Library) -> tuple[PlayerQuestion, ...]:
    """Return the questions of this site, in the order in which they are most argued about."""
    return read_questions(QUESTIONS, library)


def _problems(document: Document, library: Library) -> Iterator[Problem]:
    asked: dict[str, str] = {}
    for name, data in document.data.items():
        if set(data) - {"shown"} != _FIELDS or not all(set(data[field]) >= set(COMPLETE) for field in ("ask", "words")):
            yield document.problem((name,), f"a question has {', '.join(sorted(_FIELDS))}, in English and Dutch")
            continue
        for word in (word for words in data["words"].values() for word in words):
            if not isinstance(word, str):
                yield document.problem((name, "words"), f"{word} is a number; put it in quotes")
        unknown = [rule for rule in data["rules"] if rule not in library.spec.rules]
        for rule in unknown:
            message = f"there is no rule {rule}{nearest(rule, library.spec.rules)}"
            yield document.problem((name, "rules"), message)
        if not unknown:
            tested = {case.id for case in _candidates(library, data["rules"][0])}
            for case in (case for case in data.get("shown", ()) if case not in tested):
                yield document.problem((name, "shown"), f"{case} is no case that a person wrote for {data['rules'][0]}")
        for language, text in data["ask"].items():
            if not text.endswith("?"):
                yield document.problem((name, "ask", language), "a question ends with a question mark")
            if asked.setdefault(text, name) != name:
                yield document.problem((name, "ask", language), f"{asked[text]} asks the same")


def question_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of questions, a page for each with every variant's answer, and the questions of each variant."""
    library = edition.library
    found = {variant: answers_of(edition, variant) for variant in edition.variants}
    known = [question for question in questions(library) if comes_up(edition, question)]
    asked = grouped((library.spec.rules[question.rule].topic, question) for question in known)
    context: dict[str, Any] = {"topics": {topic: asked[topic] for topic in library.topics if topic in asked}}
    title = edition.word("questions")
    yield SitePage("questions/index", "questions.md", title, context, edition.word("questions-lead-short"))
    for question in known:
        yield _page(
            edition, question, [one for answers in found.values() for one in answers if one.question == question]
        )
    for variant, answers in found.items():
        title = edition.word("questions-of", name=edition.variant_name(variant))
        front = {"search": {"exclude": True}}
        told = grouped((library.spec.rules[one.question.rule].topic, one) for one in answers)
        topics = {topic: told[topic] for topic in library.topics if topic in told}
        context = {"variant": variant, "answers": answers, "topics": topics}
        yield SitePage(
            f"variants/{variant}/questions", "variant_questions.md", title, context, front=front, profile=variant
        )


def comes_up(edition: SiteEdition, question: PlayerQuestion) -> bool:
    """Say whether a question comes up in a variant that the edition has pages of."""
    return any(question.rule in edition.library.profile(variant).settings for variant in edition.variants)


def _page(edition: SiteEdition, question: PlayerQuestion, drawn: Sequence[VariantAnswer]) -> SitePage:
    """Return the page of one question: who answers what in short, then each answer in full with a position."""
    said: dict[str, dict[str, list[str]]] = {}
    known = edition.library.settings(question.rule)
    variants = [name for name in edition.variants if name in known]
    for name in variants:
        short, sentence = stated_answer(edition, question, name)
        said.setdefault(short, {}).setdefault(sentence, []).append(name)
    shown = {answer.short: answer for answer in reversed(drawn)}
    context = {
        "question": question,
        "said": said,
        "shown": shown,
        "answered": {answer.variant for answer in drawn},
        "open": open_in(edition, question.rules, variants),
        "marks": {variant: basis_of(edition, question.rules, variant).mark for variant in variants},
    }
    # What people ask in so many words comes before the rules and the glossary.
    front = {"search": {"boost": 2}}
    return SitePage(f"questions/{question.id}", "question.md", edition.text(question.ask), context, front=front)


@cache
def answers_of(edition: SiteEdition, variant: str) -> list[VariantAnswer]:
    """Return the answers of a variant to each question that comes up there and that a case shows."""
    library = edition.library
    used = {case for question in questions(library) for case in question.shown}
    found = []
    for question in questions(library):
        setting = library.settings(question.rule).get(variant)
        case = None if setting is None else _case(library, question, variant, used)
        if setting is None or case is None:
            continue
        used.add(case.id)
        short, sentence = stated_answer(edition, question, variant)
        drawn = position(case, edition)
        basis, others = basis_of(edition, question.rules, variant), _others(edition, question.rule, variant)
        found.append(VariantAnswer(question, variant, setting, short, basis, sentence, case, drawn, others))
    return found


def stated_answer(edition: SiteEdition, question: PlayerQuestion, variant: str) -> tuple[str, str]:
    """Return what a variant's rules say to a question that comes up there: in short, and in full."""
    settings = edition.library.profile(variant).settings
    short = edition.short(question.rule, settings[question.rule].value)
    return short, " ".join(edition.stated(rule, variant) for rule in question.rules if rule in settings)


def _case(library: Library, question: PlayerQuestion, variant: str, used: set[str]) -> Case | None:
    """Return the case of a variant that shows its answer: the one chosen for it, or a small one about little else."""
    pinned = next(filter(None, _pinned(library, question.rule, variant)), [])

    def weight(case: Case) -> tuple[bool, bool, bool, bool, int, int]:
        size = len(str(case.input))
        large = size > LARGEST_INPUT
        aside = not set(question.rules) <= set(case.rules)
        return case.id not in question.shown, case.id in used, large, aside, len(case.rules), size if large else 0

    return min(pinned, key=weight, default=None)


def _pinned(library: Library, rule: str, variant: str) -> Iterator[list[Case]]:
    """Yield the cases that pin a rule in a variant: its own, then those of each that it extends, the nearest first."""
    variants = library.spec.variants
    for base in reversed(ancestry(variants[variant], variants)):
        found = [case for case in _candidates(library, rule) if case.profile == base.id]
        yield [replace(case, profile=ProfileName(variant)) for case in found if _holds(library, case, variant)]


def _holds(library: Library, case: Case, variant: str) -> bool:
    """Say whether a variant answers a case as its own does, by the same values of the rules that the case pins."""
    if case.profile == variant:
        return True
    own, there = library.profile(case.profile).settings, library.profile(variant).settings
    if any(rule not in there or there[rule].value != own[rule].value for rule in case.rules):
        return False
    told = library.reference.reply(case.operation, variant, case.input)
    return any(not fields_apart(case.operation, {one.kind: one.fields}, told, one.fields) for one in case.expected)


def _candidates(library: Library, rule: str) -> list[Case]:
    return [case for case in library.cases_by_rule[rule] if case.origin != "derived"]


def _others(edition: SiteEdition, rule: str, variant: str) -> dict[str, list[str]]:
    """Return the other answers in short, with the variants that give them."""
    settings = edition.library.settings(rule)
    found = grouped((edition.short(rule, setting.value), name) for name, setting in settings.items())
    del found[edition.short(rule, settings[variant].value)]
    return found
