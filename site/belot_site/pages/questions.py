"""Questions that people argue about at the table, in their own words: what each variant answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from belot_conformance.rules.asked import QUESTIONS, ways_in
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import fields_apart
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library, grouped
from belot_site.content.positions import Position, position
from belot_site.pages.page import SitePage
from belot_site.pages.rules import LARGEST_INPUT
from belot_spec.catalogue import Condition, Setting, Text, condition_of, holds, text_of
from belot_spec.document import Document
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.languages import LANGUAGES, Language
from belot_spec.load.translations import read_translated
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile
from belot_spec.variants import Option, ancestry

_FIELDS: Final = {"ask", "rules", "words"}
_VERDICTS: Final = ("yes", "no", "over-not-under", "to-eight", "to-nine", "to-eight-or-nine")
_WAYS: Final = ("alternatives", "otherwise")


class Way(NamedTuple):
    """The rules that answer where a condition holds, and what that is in a word, by the first one's value as JSON."""

    when: Condition
    rules: tuple[str, ...]
    verdicts: Mapping[str, str]

    @property
    def rule(self) -> str:
        """The rule whose value is the answer."""
        return self.rules[0]

    def answers(self, values: Mapping[str, Any]) -> bool:
        """Say whether this is the way to answer under some values."""
        return self.rule in values and holds(self.when, values)


class PlayerQuestion(NamedTuple):
    """What people ask, words to find it by, what no rule says, cases to show, ways to answer: the first that fits."""

    id: str
    ask: Text
    words: Mapping[Language, tuple[str, ...]]
    note: Text | None
    shown: frozenset[str]
    ways: tuple[Way, ...]

    @property
    def way(self) -> Way:
        """The way in which most games answer."""
        return next(way for way in self.ways if not way.when)

    def way_of(self, profile: Profile) -> Way | None:
        """Return the way in which a game answers; ``None`` where this does not come up."""
        values = {rule: setting.value for rule, setting in profile.settings.items()}
        return next((way for way in self.ways if way.answers(values)), None)

    def asked_in(self, library: Library) -> list[str]:
        """Return the variants in which this comes up."""
        return [name for name in library.variants if self.way_of(library.profile(name))]


class Answer(NamedTuple):
    """An answer in words: yes or no where that can be said, the sentence of the foremost rule, and of the others."""

    verdict: str
    sentence: str
    others: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The verdict and the sentence in one."""
        if not self.verdict:
            return self.sentence
        return f"{self.verdict}: {self.sentence[:1].lower()}{self.sentence[1:]}"

    @property
    def text(self) -> str:
        """All that is said."""
        return " ".join([self.whole, *self.others])

    def apart_from(self, other: "Answer") -> str:
        """Return what is said otherwise than in another answer, or all of it where only less is said."""
        known = (other.whole, *other.others)
        return " ".join(one for one in (self.whole, *self.others) if one not in known) or self.text


class VariantAnswer(NamedTuple):
    """What a variant answers, in words and in a position that pins the rule there."""

    question: PlayerQuestion
    rules: tuple[str, ...]
    variant: str
    setting: Setting
    answer: Answer
    case: Case
    drawn: Position


class AnswerCard(NamedTuple):
    """An answer, the variants that give it, what options of these answer, and positions, each with its variants."""

    answer: Answer
    variants: Sequence[str]
    options: Sequence[tuple[str, Option, Answer]]
    shown: Mapping[str, tuple[VariantAnswer, Sequence[str]]]


def _as_json(value: Any) -> str:
    """Return a value as a script in the browser writes it too."""
    return json.dumps(value, separators=(",", ":"))


def read_questions(path: Path, library: Library) -> tuple[PlayerQuestion, ...]:
    """Read a file of questions; raise ``SpecError`` with all that is wrong in it."""
    document = read_translated(path)
    problems = list(_problems(document, library))
    refuse(problems)
    return tuple(
        PlayerQuestion(
            name,
            text_of(data["ask"]),
            {language: tuple(data["words"][language]) for language in LANGUAGES if language in data["words"]},
            text_of(data["note"]) if "note" in data else None,
            frozenset(data.get("shown", ())),
            tuple(map(_way, ways_in(data))),
        )
        for name, data in document.data.items()
    )


def _way(data: Mapping[str, Any]) -> Way:
    verdicts = {_as_json(value): verdict for verdict in _VERDICTS for value in data.get(verdict, ())}
    return Way(condition_of(data.get("when", {})), tuple(data["rules"]), verdicts)


@cache
def questions(library: Library) -> tuple[PlayerQuestion, ...]:
    """Return the questions of this site, in the order in which they are most argued about."""
    return read_questions(QUESTIONS, library)


def _problems(document: Document, library: Library) -> Iterator[Problem]:
    asked: dict[str, str] = {}
    for name, data in document.data.items():
        if set(data) - {"note", "shown", *_VERDICTS, *_WAYS} != _FIELDS or any(
            {*LANGUAGES} - {*data[field]} for field in ("ask", "words")
        ):
            yield document.problem((name,), f"a question has {', '.join(sorted(_FIELDS))}, in every language")
            continue
        for word in (word for words in data["words"].values() for word in words):
            if not isinstance(word, str):
                yield document.problem((name, "words"), f"{word} is a number; put it in quotes")
        named = [rule for way in ways_in(data) for rule in (*way["rules"], *way.get("when", ()))]
        unknown = [rule for rule in named if rule not in library.spec.rules]
        for rule in unknown:
            message = f"there is no rule {rule}{nearest(rule, library.spec.rules)}"
            yield document.problem((name, "rules"), message)
        if not unknown:
            tested = {case.id for way in ways_in(data) for rule in way["rules"] for case in _by_hand(library, rule)}
            for case in (case for case in data.get("shown", ()) if case not in tested):
                yield document.problem((name, "shown"), f"{case} is no case that a person wrote for {data['rules'][0]}")
            verdicts = (
                (way["rules"][0], one, own) for way in ways_in(data) for one in _VERDICTS for own in way.get(one, ())
            )
            for rule, verdict, value in verdicts:
                if library.spec.rules[rule].short.of(value) is None:
                    yield document.problem((name, verdict), f"{rule} has no value {_as_json(value)}")
        for language, text in data["ask"].items():
            if not text.endswith("?"):
                yield document.problem((name, "ask", language), "a question ends with a question mark")
            if asked.setdefault(text, name) != name:
                yield document.problem((name, "ask", language), f"{asked[text]} asks the same")


def question_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of questions, a page for each with every variant's answer, and the questions of each variant."""
    library = edition.library
    found = {variant: answers_of(edition, variant) for variant in edition.variants}
    known = questions(library)
    asked = grouped((library.spec.rules[question.way.rule].topic, question) for question in known)
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
        told = grouped((library.spec.rules[one.question.way.rule].topic, one) for one in answers)
        topics = {topic: told[topic] for topic in library.topics if topic in told}
        context = {"variant": variant, "answers": answers, "topics": topics}
        yield SitePage(
            f"variants/{variant}/questions", "variant_questions.md", title, context, front=front, profile=variant
        )


def _page(edition: SiteEdition, question: PlayerQuestion, drawn: Sequence[VariantAnswer]) -> SitePage:
    """Return the page of one question: a card for each answer, and all of them by family."""
    library = edition.library
    ways = {name: way for name in edition.variants if (way := question.way_of(library.profile(name)))}
    said = grouped((answer_of(edition, way, name), name) for name, way in ways.items())
    absent = [name for name in edition.variants if name not in ways]
    context = {
        "question": question,
        "cards": [_card(edition, question, answer, names, drawn) for answer, names in said.items()],
        "ways": ways,
        "absent": grouped((library.decided_by(question.way.rule, name), name) for name in absent),
        "families": {family: own for family in library.families if (own := _in_family(edition, family, said))},
        "told": [
            {
                "when": {rule: list(map(_as_json, wanted)) for rule, wanted in way.when.items()},
                "rules": way.rules,
                "verdicts": {key: edition.word(f"verdict-{verdict}") for key, verdict in way.verdicts.items()},
            }
            for way in question.ways
        ],
    }
    # What people ask in so many words comes before the rules and the glossary.
    front = {"search": {"boost": 2}}
    return SitePage(f"questions/{question.id}", "question.md", edition.text(question.ask), context, front=front)


def _card(
    edition: SiteEdition,
    question: PlayerQuestion,
    answer: Answer,
    variants: Sequence[str],
    drawn: Sequence[VariantAnswer],
) -> AnswerCard:
    library = edition.library
    ways = [(name, option) for name in variants for option in library.spec.options_of(name).values()]
    profiles = ((*way, ProfileName.of(way[0], way[1].id)) for way in ways)
    otherwise = [
        (name, option, answer_of(edition, way, profile))
        for name, option, profile in profiles
        if (way := question.way_of(library.profile(profile)))
    ]
    shown = grouped((one.case.id, one) for one in drawn if one.variant in variants)
    return AnswerCard(
        answer,
        variants,
        [one for one in otherwise if one[2] != answer],
        {case: (ones[0], [one.variant for one in ones]) for case, ones in shown.items()},
    )


def _in_family(
    edition: SiteEdition, family: str, said: Mapping[Answer, Sequence[str]]
) -> list[tuple[Answer, Sequence[str]]]:
    """Return the answers that are given in a family, with those of its variants that give them."""
    members = edition.library.families[family]
    return [(answer, own) for answer, names in said.items() if (own := [name for name in names if name in members])]


@cache
def answers_of(edition: SiteEdition, variant: str) -> list[VariantAnswer]:
    """Return the answers of a variant to each question that comes up there and that a case shows."""
    library = edition.library
    used = {case for question in questions(library) for case in question.shown}
    found = []
    for question in questions(library):
        way = question.way_of(library.profile(variant))
        case = way and _case(library, question, way, variant, used)
        if way is None or case is None:
            continue
        used.add(case.id)
        setting, answer = library.profile(variant).settings[way.rule], answer_of(edition, way, variant)
        found.append(VariantAnswer(question, way.rules, variant, setting, answer, case, position(case, edition)))
    return found


def answer_of(edition: SiteEdition, way: Way, profile: str) -> Answer:
    """Return what the rules of a profile say to a question that it answers in this way."""
    settings = edition.library.profile(profile).settings
    first, *others = (edition.stated(rule, profile) for rule in way.rules if rule in settings)
    verdict = way.verdicts.get(_as_json(settings[way.rule].value))
    return Answer(edition.word(f"verdict-{verdict}") if verdict else "", first, tuple(others))


def _case(library: Library, question: PlayerQuestion, way: Way, variant: str, used: set[str]) -> Case | None:
    """Return the case of a variant that shows its answer: the one chosen for it, or a small one about little else.

    That nobody has to ruff at no trumps shows nothing: a case of a game beside it that has a trump suit comes before.
    """

    def says_little(case: Case) -> bool:
        return way.rule.startswith("play.void.") and case.input.get("trump") == "N" and case.id not in question.shown

    found: list[Case] = []
    candidates = _by_hand(library, way.rule)
    # A chosen case may be about a rule that is told beside it: how much a double counts, a sum shows best.
    candidates += [case for rule in way.rules[1:] for case in _by_hand(library, rule) if case.id in question.shown]
    for pinned in filter(None, _pinned(library, candidates, variant)):
        found = found or pinned
        if not all(map(says_little, pinned)):
            found = pinned
            break

    def weight(case: Case) -> tuple[bool, bool, bool, bool, bool, int, int]:
        size = len(str(case.input))
        large = size > LARGEST_INPUT
        aside = not set(way.rules) <= set(case.rules)
        return (
            case.id not in question.shown,
            says_little(case),
            case.id in used,
            large,
            aside,
            len(case.rules),
            size * large,
        )

    return min(found, key=weight, default=None)


def _pinned(library: Library, candidates: Sequence[Case], variant: str) -> Iterator[list[Case]]:
    """Yield the cases that hold in a variant: its own, then of each that it extends, then of those beside it."""
    variants = library.spec.variants
    bases = [base.id for base in reversed(ancestry(variants[variant], variants))]
    beside = [name for name in library.variants if name != variant and variants[name].parent in bases[1:]]
    for base in (*bases, *beside):
        found = [case for case in candidates if case.profile == base]
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


def _by_hand(library: Library, rule: str) -> list[Case]:
    return [case for case in library.cases_by_rule[rule] if case.origin != "derived"]
