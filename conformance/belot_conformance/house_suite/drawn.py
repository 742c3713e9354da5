"""What a check ends with: questions by lot about the rules checked, and small questions of the cases told otherwise.

No case was made for them, so a program that is wrong in one suit, at one seat or in the last trick alone is seen too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from operator import itemgetter
from random import Random
from typing import Any, Final, Literal

from belot_conformance.house_suite.questions import table_case
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.target import Answer
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.relabelling import OF_SUITS, TURN_WITH_SEATS, from_next_seat, relabelled, renamings
from belot_conformance.questions.stream import Stream
from belot_conformance.situations.covering import Covering
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.selection import AGAIN, DRAWN, RETOLD
from belot_conformance.suite.verdicts import Planned, Provenance, Verdict
from belot_reference.compile import Ruleset
from belot_spec.card_names import SUITS
from belot_spec.catalogue import Text, same_text
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.words import English

DRAWN_EACH: Final = 2000
AGAIN_EACH: Final = 20
_SEED: Final = 28
# Of whole deals and matches so many times as many as of small questions: they have more places to be wrong in. What so
# many rounds bring no new question of, is asked no more of.
_OF_DEALS: Final = 3
_EMPTY: Final = 20
_ID_LENGTH: Final = 8
_WORDS: Final = English(__name__, "drawn-questions")


def title_of(made: Provenance | Literal["smaller"], operation: str) -> Text:
    """Return the title of a question that is no case: how it came about, and what it is about."""
    return same_text(_WORDS.say(made, title=OPERATIONS[operation].title.en))


def again_questions(verdicts: Sequence[Verdict], answers: Mapping[str, Answer]) -> list[Planned]:
    """Return twenty of the questions that were answered, to be asked again: what was answered first is expected."""
    turn: Counter[str] = Counter()
    numbered = []
    for planned in (one.planned for one in verdicts):
        came = answers.get(planned.case.id)
        if isinstance(came, Reply) and came.kind in ("result", "rejected"):
            turn[planned.case.operation] += 1
            numbered.append((turn[planned.case.operation], planned, came))
    found = []
    # Of every operation one has its turn before any has a second.
    for _, planned, came in sorted(numbered, key=itemgetter(0))[:AGAIN_EACH]:
        title = title_of("again", planned.case.operation)
        expected = Expectation.of(planned.case.operation, came.message())
        case = replace(planned.case, id=f"{AGAIN}{planned.case.id}", title=title, expected=(expected,))
        found.append(replace(planned, case=case, provenance="again", skip=""))
    return found


def drawn_questions(
    rules: Ruleset, number: int, operations: Iterable[str], asked: Iterable[Planned] = ()
) -> Iterator[Planned]:
    """Yield so many questions by lot about a profile that are not asked already; the same for the same rules.

    The operations have their turns: of each as many as of any other, and of whole deals and matches some more.
    """
    known = {one.case.text for one in asked}
    wanted = frozenset(operations)
    turns = [
        (_planned(rules, _of_operation(rules, name), known, "drawn"), _OF_DEALS if one.is_recording else 1)
        for name, one in OPERATIONS.items()
        if name in wanted
    ]
    yield from islice(_in_turn(turns), number)


def towards_situations(rules: Ruleset, found: Mapping[str, Covering], asked: Iterable[Planned]) -> Iterator[Planned]:
    """Yield questions drawn towards the situations of each operation that are asked about too seldom."""
    known = {one.case.text for one in asked}
    questions = ((name, one, ()) for name, covering in found.items() for one in covering.drawn())
    return _planned(rules, questions, known, "drawn")


def _of_operation(rules: Ruleset, operation: str) -> Iterator[tuple[str, Mapping[str, Any], tuple[()]]]:
    """Yield questions of one operation until so many rounds bring no new one, as where there is little to ask.

    They pin no rule.
    """
    stream, empty, known = Stream(rules, _SEED, [operation], other_suits_after=0), 0, set[str]()
    while empty < _EMPTY:
        empty += 1
        for one in stream.round():
            if (text := canonical(dict(one.input))) not in known:
                known.add(text)
                empty = 0
                yield one.operation, one.input, ()


def _in_turn(turns: Iterable[tuple[Iterator[Planned], int]]) -> Iterator[Planned]:
    """Yield so many from each in turn, as long as any of them has something."""
    left = list(turns)
    while left:
        for one in tuple(left):
            some = list(islice(*one))
            if not some:
                left.remove(one)
            yield from some


def retold_questions(rules: Ruleset, asked: Sequence[Planned], operations: Iterable[str]) -> Iterator[Planned]:
    """Yield the small questions of some that are asked, in other suits and from the next seat where that asks alike."""
    declared = frozenset(operations)
    own = [one.case for one in asked if one.profile == rules.profile.id and one.case.operation in declared]
    known = {one.text for one in own}
    told = ((case.operation, told_otherwise(rules, case.operation, case.input), case.rules) for case in own)
    yield from _planned(rules, (one for one in told if one[1] is not None), known, "retold")


def told_otherwise(rules: Ruleset, operation: str, question: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return a small question in other suits, from the next seat, or both; ``None`` where neither asks the same."""
    about = OPERATIONS[operation]
    if about.is_long or about.name not in OF_SUITS | TURN_WITH_SEATS:
        return None
    if about.name in OF_SUITS:
        # Every suit is called otherwise, so that a question about one never comes twice about the same.
        names = [one for one in renamings(rules, operation) if all(one[suit] != suit for suit in SUITS)]
        chosen = Random(canonical([operation, dict(question)])).choice(names or [{}])
        question = relabelled(f"{operation}-input", question, chosen)
    if about.name in TURN_WITH_SEATS:
        question = from_next_seat(rules, question)
    return question


def _planned(
    rules: Ruleset, questions: Iterable[tuple[str, Any, Sequence[str]]], known: set[str], provenance: Provenance
) -> Iterator[Planned]:
    """Plan questions that are not known yet, with the rules that they pin, under ids that tell what they ask."""
    for operation, question, pinned in questions:
        text = Question(operation, question).text
        if text in known:
            continue
        known.add(text)
        digest = sha256(f"{rules.profile.id} {text}".encode()).hexdigest()[:_ID_LENGTH]
        title = title_of(provenance, operation)
        # What is no question by these rules is not asked.
        with suppress(BelotError):
            beginning = DRAWN if provenance == "drawn" else RETOLD
            made = table_case(rules, operation, f"{beginning}{digest}", title, question)
            yield made.pinning(*pinned, provenance=provenance)
