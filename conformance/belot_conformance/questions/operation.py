"""What the suite knows of one operation of the protocol, in one value.

A new operation is one module more in ``operations/``, its schemas and its cases; nothing else names it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.matches import DealPool
from belot_conformance.questions.relabelling import varied
from belot_reference.compile import Ruleset
from belot_reference.mode import SUIT
from belot_reference.operations import Answering, answer
from belot_reference.possible import why_impossible
from belot_spec.card_names import SUITS
from belot_spec.catalogue import Text, text_of
from belot_spec.data import schema
from belot_spec.errors import BelotError
from belot_spec.files import canonical

Json = Mapping[str, Any]
Fields = dict[str, Any]
Tagged = tuple[Json, tuple[str, ...]]

Contriver = Callable[[Ruleset, Random], Fields]
Variation = Callable[[Ruleset, Json, Random], Fields]
OfDeal = Callable[[Ruleset, RecordedDeal, Random, float], Iterator[Json]]
OfPool = Callable[[DealPool, Random, int], Iterator[Tagged]]
InOrder = Mapping[str, Callable[[Any], Any]]

# How often a question about a suit that is trump stays one where there are other modes.
_ANY_MODE: Final = 0.5
# In the place of what an answer leaves out.
MISSING: Final = "(missing)"


@dataclass(frozen=True, slots=True)
class Question:
    """An operation with its input; whatever is asked is one, and holds what else is known of it."""

    operation: str
    input: Json

    @property
    def text(self) -> str:
        """What is asked as text, the same for the same question."""
        return canonical([self.operation, dict(self.input)])


@dataclass(frozen=True, slots=True)
class AnsweredQuestion(Question):
    """A question with the answer by some rules, as a message of the protocol, and the rules that were read for it."""

    answer: Json
    rules: frozenset[str] = frozenset()


class Seldom(NamedTuple):
    """Questions about what seldom happens: how large a share they are of all, and what makes them by given rules.

    What is made by the rules of a profile may remember what had its turn.
    """

    share: float
    source: Callable[[Ruleset], Callable[[Random], Fields]]


def _none(*_: Any) -> Iterator[Any]:
    return iter(())


@dataclass(frozen=True)
class Operation:
    """One operation: how its questions come about, what they are made of, and what counts of an answer."""

    name: str
    # How plainly a question shows people what is wrong: the plainest has the lowest.
    rank: int

    # The answer by the rules, where the engine does not know the operation by itself.
    answer: Answering | None = None

    # Where questions come from: by lot, about what seldom happens, from a played deal, or from many; how
    # one is changed.
    contrive: Contriver | None = None
    seldom: Seldom | None = None
    from_deal: OfDeal | None = None
    from_pool: Callable[[Ruleset], OfPool] | None = None
    vary: Sequence[Variation] = (varied,)

    # How many a round are contrived, and how many times slower than others more come as it goes on: 0 is never.
    each: int = 1
    slower: int = 0

    # The smaller questions that it is made of.
    parts: Callable[[Ruleset, Json], Iterator[Question]] = _none

    # Fields of a result that are sets, put in an order; the field that says why.
    in_order: InOrder = field(default_factory=dict)
    reasons: str | None = None

    # Whether it tells a game from its beginning, and takes long.
    is_recording: bool = False
    is_long: bool = False

    def contriving(self, rules: Ruleset) -> Callable[[Random], Fields]:
        """Return what contrives questions by the rules of a profile, a share of them about what seldom happens."""
        contrive = self.contrive
        assert contrive is not None, self.name
        draw: Callable[[Random], Fields] = partial(contrive, rules)
        if self.seldom is not None:
            share, about_seldom, any_draw = self.seldom.share, self.seldom.source(rules), draw
            draw = lambda random: about_seldom(random) if random.random() < share else any_draw(random)  # noqa: E731
        return self._in_any_mode(rules, partial(self.until_possible, rules, draw))

    def until_possible(self, rules: Ruleset, draw: Callable[[Random], Fields], random: Random) -> Fields:
        """Draw until a question can be at the table."""
        while why_impossible(rules, self.name, question := draw(random)) is not None:
            pass
        return question

    def _in_any_mode(self, rules: Ruleset, contrive: Callable[[Random], Fields]) -> Callable[[Random], Fields]:
        """Return what asks half of its questions with no trumps or with all, where there are such modes."""
        others = [mode.name for mode in rules.playable_modes if mode.kind != SUIT]
        if not others:
            return contrive

        def contriving(random: Random) -> Fields:
            question = contrive(random)
            if question.get("trump") not in SUITS or random.random() < _ANY_MODE:
                return question
            changed = {**question, "trump": random.choice(others)}
            return changed if self.is_wellformed(rules, changed) else question

        return contriving

    def varied(self, rules: Ruleset, question: Json, random: Random) -> Fields:
        """Return a question that differs in one thing from another; it may be none that is well-formed."""
        return random.choice(self.vary)(rules, question, random)

    def is_wellformed(self, rules: Ruleset, question: Json) -> bool:
        """Say whether this is a question by some rules: it has the form of one, can come up, and has an answer."""
        try:
            answer(self.name, rules, question)
        except BelotError:
            return False
        return True

    @property
    def title(self) -> Text:
        """What the operation is about, as a heading."""
        return text_of(_definition(f"{self.name}-input")["x-operation"]["title"])

    @property
    def asks(self) -> Text:
        """What is asked, as a sentence."""
        return text_of(_definition(f"{self.name}-input")["x-operation"]["asks"])

    @property
    def result_fields(self) -> tuple[str, ...]:
        """The fields that a result may have."""
        return tuple(_definition(f"{self.name}-result").get("properties", ()))

    def objects_in(self, result: Json) -> Iterator[tuple[str, Json, Sequence[str]]]:
        """Yield each object of a result, itself first: its place, the object, and the fields that it may have."""
        yield "result", result, self.result_fields
        for name, form in _definition(f"{self.name}-result").get("properties", {}).items():
            if known := form.get("items", {}).get("properties"):
                listed = result.get(name)
                for place, one in enumerate(listed if isinstance(listed, list) else ()):
                    if isinstance(one, Mapping):
                        yield f"result.{name}.{place}", one, tuple(known)

    def known_fields(self, question: Json) -> Fields:
        """Return a question without the fields that this version of the protocol does not know."""
        known = _definition(f"{self.name}-input").get("properties", question)
        return {key: value for key, value in question.items() if key in known}


def texts_sorted(value: Any) -> Any:
    """Put a list of texts in a fixed order, and leave everything else for the comparison to refuse."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return sorted(value)
    return value


def each_sorted(value: Any) -> Any:
    """Put each list of texts of a list in a fixed order."""
    return [texts_sorted(item) for item in value] if isinstance(value, list) else value


def _definition(name: str) -> Mapping[str, Any]:
    definitions = schema("protocol-operations")["$defs"]
    found: Mapping[str, Any] = definitions.get(name, {})
    return {**definitions[found["$ref"].rsplit("/", 1)[-1]], **found} if "$ref" in found else found
