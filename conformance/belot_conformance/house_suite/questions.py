"""The questions of one table: those of all cases, with the answer worked out where it holds, else the reference's."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any, Final

from belot_conformance.programs.reference import Came, Reference
from belot_conformance.programs.shape import Shape
from belot_conformance.questions.deals import RecordedDeal, choose_rare, random_deal
from belot_conformance.questions.matches import DealPool, random_match
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import RECORDINGS
from belot_conformance.questions.rarities import DEALS, MATCHES, title_of
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation, differences
from belot_conformance.suite.selection import FOUND, OWN_DEAL, OWN_MATCH, can_occur, plan_for, provenance_of
from belot_conformance.suite.shapes import NotAskedError, Told, told
from belot_conformance.suite.verdicts import Planned, Provenance
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.operations import Answer, answer
from belot_spec.catalogue import Text
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.words import Words

# A whole deal recorded under other rules mostly ends in a refusal here; so many of each kind are worth asking.
REFUSALS_KEPT: Final = 3

_WORDS: Final = Words(__name__, "table-questions")


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A planned case of this table, and the rules that the reference consults to answer it here."""

    planned: Planned
    consulted: frozenset[str]


@dataclass(slots=True)
class TableQuestions:
    """All questions of a table, and how many of other games' were left out, by the reason."""

    asked: list[TableQuestion] = field(default_factory=list)
    left_out: Counter[Text] = field(default_factory=Counter)


def table_questions(cases: Sequence[Case], profile: str, reference: Reference) -> TableQuestions:
    """Return the questions of every case that make sense in a profile, each once, in the order of the cases.

    Where what a case worked out holds for the profile, that is the answer; everywhere else the reference answers.
    """
    rules = reference.ruleset(profile)
    found = TableQuestions()
    known: set[str] = set()
    holding = {one.case.id for one in plan_for(cases, profile, reference)}
    refused: Counter[str] = Counter()
    by_trust = sorted(cases, key=lambda case: (case.id not in holding, case.origin == "derived"))
    for case in by_trust:
        text = question_text(case)
        if text in known:
            continue
        known.add(text)
        outcome = _asked_here(case, case.id in holding, rules, reference, refused)
        if isinstance(outcome, Text):
            found.left_out[outcome] += 1
        else:
            found.asked.append(outcome)
    found.asked.sort(key=lambda one: one.planned.case.id)
    return found


def question_text(case: Case) -> str:
    """Return what a case asks as text, the same for the same question."""
    return canonical([case.operation, dict(case.input)])


def _asked_here(
    case: Case, holds: bool, rules: Ruleset, reference: Reference, refused: Counter[str]
) -> TableQuestion | Text:
    """Return a case as it is asked at this table, or why it is not asked."""
    own = reference.ruleset(case.profile)
    if not holds and not can_occur(case, own, rules):
        return _WORDS["players" if own.players != rules.players else "cards"]
    try:
        answered = answer(case.operation, rules, case.input)
    except BadQuestionError:
        return _WORDS["players" if own.players != rules.players else "form"]
    if holds:
        return TableQuestion(_planned(case, rules, provenance_of(case)), answered.rules)
    if len(case.expected) > 1:
        return _WORDS["several"]
    if answered.rejected is not None and case.operation in RECORDINGS:
        kind = f"{case.operation} {answered.rejected['reason']} {answered.rejected.get('rule')}"
        refused[kind] += 1
        if refused[kind] > REFUSALS_KEPT:
            return _WORDS["refused"]
    return TableQuestion(_planned(_derived(case, rules, answered), rules, "derived"), answered.rules)


def _planned(case: Case, rules: Ruleset, provenance: Provenance) -> Planned:
    return Planned(case, rules.profile.id, provenance=provenance, rules=rules.profile)


def _derived(case: Case, rules: Ruleset, answered: Answer) -> Case:
    """Return a case with the reference's answer in the place of its own, and nothing that rests on its own rules."""
    pinned = tuple(rule for rule in case.rules if rule in answered.rules)
    return replace(
        case,
        title=_WORDS.both("title", case=case.id),
        profile=rules.profile.id,
        expected=(expectation_of(answered),),
        rules=pinned or tuple(sorted(answered.rules))[:1],
        statements=(),
        rulings=(),
        origin="derived",
        note=None,
        printed=None,
    )


def expectation_of(answered: Answer) -> Expectation:
    """Return the reference's answer as what is expected: every field of a result; of a refusal all but the rule."""
    if answered.rejected is None:
        return Expectation("result", dict(answered.result or {}))
    fields = {key: value for key, value in answered.rejected.items() if key != "rule"}
    return Expectation("rejected", fields, answered.rejected.get("rule"))


DEALS_EACH: Final = 100
MATCHES_EACH: Final = 10
DEAL_CANDIDATES: Final = 500
MATCH_CANDIDATES: Final = 120

_OWN_WORDS: Final = Words(__name__, "own-deals")


def own_recordings(rules: Ruleset, seed: str, deals: int, matches: int) -> list[TableQuestion]:
    """Return so many deals and matches recorded under a profile's own rules, chosen for the rare things in them.

    The same rules and seed give the same recordings. What was rare stands in their tags.
    """
    random = Random(f"table {seed}")
    candidates = [random_deal(rules, random) for _ in range(DEAL_CANDIDATES)] if deals or matches else []
    found = [*_deals(rules, choose_rare(candidates, deals, random))]
    pool = DealPool(rules, candidates)
    if matches and not pool.is_empty:
        played = [random_match(rules, pool, random) for _ in range(MATCH_CANDIDATES)]
        for number, match in enumerate(choose_rare(played, matches, random), start=1):
            title = title_of(_OWN_WORDS["match"], number, match.tags, MATCHES)
            found.append(table_case(rules, "match", f"{OWN_MATCH}{number:02}", title, match.question, match.tags))
    return found


def _deals(rules: Ruleset, chosen: list[RecordedDeal]) -> Iterator[TableQuestion]:
    for number, deal in enumerate(chosen, start=1):
        title = title_of(_OWN_WORDS["deal"], number, deal.tags, DEALS)
        yield table_case(rules, "replay", f"{OWN_DEAL}{number:03}", title, deal.question, deal.tags)


def table_case(
    rules: Ruleset,
    operation: str,
    case_id: str,
    title: Text,
    question: Mapping[str, Any],
    tags: tuple[str, ...] = (),
) -> TableQuestion:
    """Return a question made for this table as a planned case, with the reference's answer as what is expected."""
    answered = answer(operation, rules, question)
    case = Case(
        id=case_id,
        title=title,
        operation=operation,
        profile=rules.profile.id,
        input=question,
        expected=(expectation_of(answered),),
        tags=tags,
        behaviour=_OWN_WORDS["behaviour"],
        why=_OWN_WORDS["why"],
    )
    return TableQuestion(_planned(case, rules, "derived"), answered.rules)


_ID_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class ToldQuestion:
    """A question and its right answer at this table, with the rules that were consulted for it.

    ``source`` is the question before it was told in the program's shape; ``given`` is whether the program gives all
    that is compared here. A question of no case has no ``id``.
    """

    id: str
    operation: str
    source: Mapping[str, Any]
    input: Mapping[str, Any]
    right: tuple[Expectation, ...]
    consulted: frozenset[str]
    given: bool

    def is_told_by(self, came: Came) -> bool:
        """Say whether another answer is none of the right ones."""
        return bool(differences(self.operation, self.right, came.reply(self.id)))

    def named(self) -> "ToldQuestion":
        """Return the question with an id made from what it asks, where it has none."""
        if self.id:
            return self
        text = canonical([self.operation, dict(self.source)])
        return replace(self, id=f"{FOUND}{sha256(text.encode()).hexdigest()[:_ID_LENGTH]}")


class Teller:
    """Tells questions of one table as the program is asked them, and what else it would show if it gave all."""

    def __init__(self, rules: Ruleset, operations: frozenset[str], shape: Shape) -> None:
        self.rules = rules
        self.operations = operations
        self._shape = shape

    def of_case(self, one: TableQuestion) -> Iterator[ToldQuestion]:
        """Yield a planned case as it is asked, and what is left of it that the program does not give."""
        case = one.planned.case
        yield from self._told(
            ToldQuestion(case.id, case.operation, case.input, case.input, case.expected, one.consulted, given=False)
        )

    def answered(self, questions: Iterable[Question], about: Container[str]) -> Iterator[ToldQuestion]:
        """Yield questions that were drawn and consult one of some rules, with the answers of this table."""
        for operation, question in questions:
            with suppress(BelotError):
                found = answer(operation, self.rules, question)
                if any(rule in about for rule in found.rules):
                    right = (expectation_of(found),)
                    yield from self._told(ToldQuestion("", operation, question, question, right, found.rules, False))

    def _told(self, whole: ToldQuestion) -> Iterator[ToldQuestion]:
        if whole.operation not in self.operations:
            yield whole
            return
        try:
            asked = told(self._shape, self.rules, whole.operation, Told(whole.input, whole.right))
        except NotAskedError:
            yield whole
            return
        if asked.question is not whole.input:
            consulted = answer(whole.operation, self.rules, asked.question).rules
            whole = replace(whole, input=asked.question, consulted=consulted)
        yield replace(whole, right=asked.expected, given=True)
        if asked.expected is not whole.right:
            yield whole
