"""The questions of one table: those of all cases, with the answer worked out where it holds, else the reference's."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, Final

from belot_conformance.programs.protocol import Shape
from belot_conformance.programs.reference import Came, Reference, put
from belot_conformance.questions.deals import choose_rare, random_deal
from belot_conformance.questions.matches import DealPool, random_match
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import RECORDINGS
from belot_conformance.questions.rarities import DEALS, MATCHES, title_of
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation, differences
from belot_conformance.suite.selection import (
    FOUND,
    OWN_DEAL,
    OWN_MATCH,
    applies,
    can_occur,
    differing_rules,
    provenance_of,
)
from belot_conformance.suite.shapes import NotAskedError, Told, told
from belot_conformance.suite.verdicts import Planned, Provenance
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import Answer, answer
from belot_spec.catalogue import Text, same_text
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.spec import Profile
from belot_spec.words import English

_WORDS: Final = English(__name__, "table-questions")
_OWN_WORDS: Final = English(__name__, "own-deals")
_ID_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class TableBudget:
    """How much is tried for one table: recordings to choose its own from, and deals for what no question tells yet."""

    # As many as each variant has among the cases, chosen from enough for rare things to come up.
    deals: int = 100
    matches: int = 10
    deal_candidates: int = 150
    match_candidates: int = 40
    # Deals tried on every other value, each with all operations: some seconds in all for coinche, the slowest.
    first: int = 8
    # What is left by then is rare: more deals, of those operations alone of which a question consulted the value.
    further: int = 8
    # Few, since each value is played for itself, and does what it changes in deals of its own.
    by_the_other: int = 2
    # What one process draws at a time, so that several are busy until the end.
    a_share: int = 40
    first_seed: int = 1
    further_seed: int = 1001


# A whole deal recorded under other rules mostly ends in a refusal here; so many of each kind are worth asking.
_REFUSALS_KEPT: Final = 3


@dataclass(frozen=True, slots=True)
class TableQuestions:
    """All questions of a table, how many of other games' were left out by the reason, and what comes of each here."""

    asked: Sequence[Planned]
    left_out: Mapping[str, int]
    came: Mapping[str, Came]


def table_questions(cases: Sequence[Case], rules: Ruleset, reference: Reference) -> TableQuestions:
    """Return the questions of every case that make sense in a profile, each once, in the order of the cases.

    Where what a case worked out holds for the profile, that is the answer; everywhere else the reference answers.
    """
    here = _Here(rules, reference)
    holding = {case.id for case in cases if here.holds(case)}
    trusted: dict[str, Case] = {}
    for case in sorted(cases, key=lambda case: (case.id not in holding, case.origin == "derived")):
        trusted.setdefault(here.text(case), case)
    asked, left_out, refused = list[Planned](), Counter[str](), Counter[str]()
    for case in trusted.values():
        outcome = _asked_here(case, case.id in holding, here, refused)
        if isinstance(outcome, str):
            left_out[outcome] += 1
        else:
            asked.append(outcome)
    return TableQuestions(sorted(asked, key=lambda one: one.case.id), left_out, here.known)


class _Here:
    """What a table makes of the cases of other games, each question answered once."""

    def __init__(self, rules: Ruleset, reference: Reference) -> None:
        self.rules = rules
        self._reference = reference
        self.known: dict[str, Came] = {}
        self._texts: dict[str, str] = {}
        self._differing = cache(self._differing_from)

    def own(self, profile: str) -> Ruleset:
        """Return the rules that a case was written for."""
        return self._reference.ruleset(profile)

    def text(self, case: Case) -> str:
        """Return what a case asks as text, made once."""
        return self._texts.get(case.id) or self._texts.setdefault(case.id, case.text)

    def came(self, case: Case) -> Came:
        """Return what comes of a question by the rules of the table."""
        text = self.text(case)
        if text not in self.known:
            self.known[text] = put(case.operation, self.rules, case.input)
        return self.known[text]

    def holds(self, case: Case) -> bool:
        """Say whether a case applies."""
        return applies(case, self.rules.profile, self._reference, self._differing(case.profile), self.came)

    def _differing_from(self, profile: str) -> frozenset[str]:
        """Return the rules in which the table and another profile differ."""
        return differing_rules(self.own(profile).profile, self.rules.profile)


def _asked_here(case: Case, holds: bool, here: _Here, refused: Counter[str]) -> Planned | str:
    """Return a case as it is asked at this table, or why it is not asked."""
    own, rules = here.own(case.profile), here.rules
    if not holds and not can_occur(case, own, rules):
        return _WORDS["players" if own.players != rules.players else "cards"]
    if (answered := here.came(case).answer) is None:
        return _WORDS["players" if own.players != rules.players else "form"]
    if holds:
        return _planned(case, rules, answered, provenance_of(case))
    if len(case.expected) > 1:
        return _WORDS["several"]
    if answered.rejected is not None and case.operation in RECORDINGS:
        kind = f"{case.operation} {answered.rejected['reason']} {answered.rejected.get('rule')}"
        refused[kind] += 1
        if refused[kind] > _REFUSALS_KEPT:
            return _WORDS["refused"]
    # Nothing of it may rest on its own rules any more.
    derived = replace(
        case,
        title=same_text(_WORDS.say("title", case=case.id)),
        profile=rules.profile.id,
        expected=(Expectation.whole(answered.message()),),
        rules=tuple(rule for rule in case.rules if rule in answered.rules),
        statements=(),
        rulings=(),
        origin="derived",
        note=None,
        printed=None,
    )
    return _planned(derived, rules, answered)


def _planned(case: Case, rules: Ruleset, answered: Answer, provenance: Provenance = "derived") -> Planned:
    return Planned(
        case,
        rules.profile.id,
        provenance=provenance,
        rules=rules.profile,
        consulted=answered.rules,
        rests_on=answered.rests_on,
    )


def own_recordings(rules: Ruleset, seed: str, budget: TableBudget) -> Iterator[Planned]:
    """Yield so many deals and matches recorded under a profile's own rules, chosen for the rare things in them.

    The same rules and seed give the same recordings. What was rare stands in their tags.
    """
    random = Random(f"table {seed}")
    wanted = budget.deals or budget.matches
    candidates = [random_deal(rules, random) for _ in range(budget.deal_candidates)] if wanted else []
    for number, deal in enumerate(choose_rare(candidates, budget.deals, random), start=1):
        title = title_of(same_text(_OWN_WORDS["deal"]), number, deal.tags, DEALS)
        yield table_case(rules, "replay", f"{OWN_DEAL}{number:03}", title, deal.question, deal.tags)
    pool = DealPool(rules, candidates)
    if budget.matches and not pool.is_empty:
        played = [random_match(rules, pool, random) for _ in range(budget.match_candidates)]
        for number, match in enumerate(choose_rare(played, budget.matches, random), start=1):
            title = title_of(same_text(_OWN_WORDS["match"]), number, match.tags, MATCHES)
            yield table_case(rules, "match", f"{OWN_MATCH}{number:02}", title, match.question, match.tags)


def table_case(
    rules: Ruleset,
    operation: str,
    case_id: str,
    title: Text,
    question: Mapping[str, Any],
    tags: tuple[str, ...] = (),
) -> Planned:
    """Return a question made for this table as a planned case, with the reference's answer as what is expected."""
    answered = answer(operation, rules, question)
    case = Case(
        id=case_id,
        title=title,
        operation=operation,
        profile=rules.profile.id,
        input=question,
        expected=(Expectation.whole(answered.message()),),
        tags=tags,
        behaviour=same_text(_OWN_WORDS["behaviour"]),
        why=same_text(_OWN_WORDS["why"]),
    )
    return _planned(case, rules, answered)


@dataclass(frozen=True, slots=True)
class ShapedQuestion(Question):
    """A question and its right answer at this table, with the rules that it rests on.

    ``source`` is the question before it was told in the program's shape; ``given`` is whether the program gives all
    that is compared here. A question of no case has no ``id``.
    """

    id: str
    source: Mapping[str, Any]
    right: tuple[Expectation, ...]
    rules: frozenset[str]
    given: bool

    def is_told_by(self, came: Came) -> bool:
        """Say whether another answer is none of the right ones."""
        return bool(differences(self.operation, self.right, came.reply(self.id)))

    def named(self) -> "ShapedQuestion":
        """Return the question with an id made from what it asks, where it has none."""
        if self.id:
            return self
        text = canonical([self.operation, dict(self.source)])
        return replace(self, id=f"{FOUND}{sha256(text.encode()).hexdigest()[:_ID_LENGTH]}")


class Teller:
    """Tells questions of one table as the program is asked them, and what else it would show if it gave all."""

    def __init__(self, profile: Profile, operations: frozenset[str], shape: Shape) -> None:
        self.rules = compile_profile(profile)
        self._operations = operations
        self._shape = shape

    def of_case(self, one: Planned) -> Iterator[ShapedQuestion]:
        """Yield a planned case as it is asked, and what is left of it that the program does not give."""
        case = one.case
        return self._told(
            ShapedQuestion(case.operation, case.input, case.id, case.input, case.expected, one.rests_on, given=False)
        )

    def answered(self, questions: Iterable[Question], about: Container[str]) -> Iterator[ShapedQuestion]:
        """Yield questions that were drawn and consult one of some rules, with the answers of this table."""
        for one in questions:
            with suppress(BelotError):
                found = answer(one.operation, self.rules, one.input)
                if any(rule in about for rule in found.rests_on):
                    right = (Expectation.whole(found.message()),)
                    yield from self._told(
                        ShapedQuestion(one.operation, one.input, "", one.input, right, found.rests_on, given=False)
                    )

    def _told(self, whole: ShapedQuestion) -> Iterator[ShapedQuestion]:
        if whole.operation not in self._operations:
            yield whole
            return
        try:
            asked = told(self._shape, self.rules, whole.operation, Told(whole.input, whole.right))
        except NotAskedError:
            yield whole
            return
        if asked.question is not whole.input:
            rests_on = answer(whole.operation, self.rules, asked.question).rests_on
            whole = replace(whole, input=asked.question, rules=rests_on)
        yield replace(whole, right=asked.expected, given=True)
        if asked.expected is not whole.right:
            yield whole
