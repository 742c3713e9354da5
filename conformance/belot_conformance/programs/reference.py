"""The reference engine as a program under test: in this process, or over stdin and stdout."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from belot_conformance.programs.protocol import PROTOCOL_VERSION, REPLY_KINDS, Hello, Reply, ReplyKind
from belot_conformance.programs.protocol import suite_version as suite_version
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operations import OPERATIONS
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.errors import BadQuestionError
from belot_reference.operations import Answer, answer
from belot_reference.questions import check_input
from belot_reference.trace import ValuePart, rules_of_form
from belot_spec.errors import BelotError, UnknownNameError
from belot_spec.profile_name import ProfileName, names_file
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Profile, Spec

WINDOW: Final = 64
_NOTHING_CONSULTED: Final = BadQuestionError("")


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a question: an answer, or the error that says why there is none."""

    answer: Answer | None
    error: BelotError | None = None

    @property
    def rules(self) -> frozenset[str]:
        """The rules that were consulted, to answer or to see that nothing can be answered."""
        return self._consulted.rules

    @property
    def parts(self) -> frozenset[ValuePart]:
        """The parts that decided of rules of which nothing else did."""
        return self._consulted.parts

    @property
    def form(self) -> frozenset[str]:
        """The parts of the form of the table that were asked for to that end."""
        return self._consulted.form

    @property
    def _consulted(self) -> Answer | BadQuestionError:
        """What knows of what was consulted: the answer, or the error; another error consulted nothing."""
        if self.answer is not None:
            return self.answer
        return self.error if isinstance(self.error, BadQuestionError) else _NOTHING_CONSULTED

    @property
    def rests_on(self) -> frozenset[str]:
        """The rules that were consulted, and those that decide what was asked of the form."""
        return self.rules | rules_of_form(self.form)

    def message(self) -> dict[str, Any]:
        """Return the fields of a reply: a result, a refusal by the rules, or an error."""
        return {"error": str(self.error)} if self.answer is None else self.answer.message()

    def reply(self, question: str) -> Reply:
        """Return what came as the reply to the question of this id."""
        return reply_of(question, self.message())


def reply_of(question: str, message: Mapping[str, Any]) -> Reply:
    """Return the reply to the question of this id that holds these fields."""
    kind: ReplyKind = next(one for one in REPLY_KINDS if one in message)
    return Reply(question, kind, message[kind])


def put(
    operation: str, rules: Ruleset, question: Mapping[str, Any], *, well_formed: bool = False, can_be: bool = False
) -> Came:
    """Put a question to a compiled profile; whatever cannot be asked by it comes back as an error.

    The form of a question that is known to be ``well_formed`` is not looked at, and of one that ``can_be`` by other
    rules neither that nor whether a deal brings it by these.
    """
    try:
        return Came(answer(operation, rules, question, well_formed=well_formed, can_be=can_be))
    except BelotError as error:
        return Came(None, error)


def is_of_form(operation: str, question: Mapping[str, Any]) -> bool:
    """Say whether a question has the form that the protocol gives it, whatever is played."""
    with suppress(BadQuestionError):
        check_input(operation, question)
        return True
    return False


@cache
def _shipped_variants() -> Mapping[str, Ruleset]:
    return compiled_variants(default_spec())


def compiled_variants(spec: Spec) -> dict[str, Ruleset]:
    """Return every variant that can be played, compiled."""
    return {variant: compile_profile(spec.profile(variant)) for variant in spec.nameable()}


class Reference:
    """Answers questions by the engine; compiles each profile when it is first asked for."""

    def __init__(self, spec: Spec | None = None, extra_profiles: Iterable[str] = ()) -> None:
        self._spec = spec
        self._compiled = dict(_shipped_variants()) if spec is None else {}
        self._variants = tuple(self._compiled) if spec is None else spec.nameable()
        self._named = {name: open_profile(name, self.spec) for name in extra_profiles}
        self._named.update({profile.id: profile for profile in self._named.values()})

    def playing(self, profile: Profile) -> "Reference":
        """Know a profile of one's own too, under the name that it has; return this reference."""
        self._named[profile.id], self._compiled[profile.id] = profile, compile_profile(profile)
        return self

    @property
    def spec(self) -> Spec:
        """The spec; the one that ships with the engine is read only when more than its plain variants is needed."""
        return self._spec or default_spec()

    def hello(self) -> Hello:
        """Return what the reference says in the handshake: every variant, each with any options, and the extras."""
        names = [one for name in map(ProfileName, self._variants) for one in name.covered_by]
        names += [name for name in dict.fromkeys(one.id for one in self._named.values()) if name not in names]
        return Hello(
            protocol=PROTOCOL_VERSION,
            name="belot-reference",
            version=suite_version(),
            language="Python",
            profiles=tuple(names),
            operations=tuple(OPERATIONS),
            window=WINDOW,
        )

    def profile(self, name: str) -> Profile:
        """Return a profile by its name, or by the file it was read from; raises ``UnknownNameError``."""
        return self._named.get(name) or self.ruleset(name).profile

    def ruleset(self, profile: str) -> Ruleset:
        """Return a compiled profile; raises ``UnknownNameError`` for one that does not exist."""
        if profile not in self._compiled:
            if names_file(profile) and profile not in self._named:
                raise UnknownNameError(f"{profile} is not among the profiles this program was started with")
            found = self._named.get(profile) or self.spec.profile(profile)
            self._compiled[profile] = compile_profile(found)
        return self._compiled[profile]

    def reply(self, operation: str, profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a reply: a result, a refusal by the rules, or an error."""
        try:
            return self.answer(operation, profile, question).message()
        except BelotError as error:
            return {"error": str(error)}

    def consulted(self, operation: str, profile: str, question: Mapping[str, Any]) -> frozenset[str]:
        """Return the ids of the rules that the engine consults to answer a question."""
        return self.answer(operation, profile, question).rules

    def answer(self, operation: str, profile: str, question: Mapping[str, Any]) -> Answer:
        """Return the answer to a question, with what it rests on; raises ``BelotError`` where there is none."""
        return answer(operation, self.ruleset(profile), question)


class ServedReference:
    """The reference as other programs ask it: fields that this version of the protocol does not know are ignored."""

    def __init__(self, reference: Reference) -> None:
        self.hello = reference.hello
        self._reference = reference

    def reply(self, operation: str, profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a reply; see `Reference.reply`."""
        if operation not in OPERATIONS:
            return self._reference.reply(operation, profile, question)
        return self._reference.reply(operation, profile, OPERATIONS[operation].known_fields(question))


def reference_for(profile: str | None) -> Reference:
    """Return the one reference of a command, which knows the tester's profile, if there is one, besides its own."""
    return Reference(extra_profiles=[profile] if profile else [])


def reference_target(reference: Reference | None = None) -> FunctionTarget:
    """Return the reference as a target in this process."""
    reference = reference or Reference()
    return FunctionTarget(reference.hello(), reference.reply)
