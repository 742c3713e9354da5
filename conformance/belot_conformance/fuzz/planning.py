"""What is asked of a program that is fuzzed: which profiles, and which operations of those it declares."""

from collections.abc import Sequence
from typing import Final

from belot_conformance.house_suite.planning import called, is_known
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import Stream
from belot_spec.errors import BelotError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from belot_spec.words import English

_MANY: Final = 16
_WORDS: Final = English(__name__, "fuzz-planning")


class NothingToAskError(BelotError):
    """Nothing that a program declares can be asked of it."""


def streams_for(
    hellos: Sequence[Hello], profile: str | None, operations: Sequence[str], reference: Reference, seed: int
) -> list[tuple[Stream, str]]:
    """Return a stream for each profile that all programs play, with what the first one calls it.

    A profile that the tester names is asked whatever was declared. Raises ``NothingToAskError``.
    """
    declared = set(OPERATIONS).intersection(*(hello.operations for hello in hellos))
    wanted = declared & set(operations) if operations else declared
    if not wanted:
        raise NothingToAskError(_WORDS.say("no_operation"))
    if profile is not None:
        rules = reference.ruleset(reference.profile(profile).id)
        name, _ = called(rules.profile, hellos[0], reference.spec)
        return [(Stream(rules, seed, wanted), name)]
    names = [name for name in _declared(hellos[0], reference.spec) if all(hello.declares(name) for hello in hellos)]
    if not names:
        raise NothingToAskError(_WORDS.say("no_profile"))
    # Many profiles are mostly options of the same variants, so that little of what is asked is new for long.
    later = {"other_suits_after": 0} if len(names) > _MANY else {}
    return [(Stream(reference.ruleset(name), seed, wanted, **later), name) for name in names]


def _declared(hello: Hello, spec: Spec) -> list[ProfileName]:
    """Return the profiles that a program declares; of a variant with any options each option alone."""
    found: list[ProfileName] = []
    for name in hello.profiles:
        if not is_known(name, spec):
            continue
        found.append(name.plain)
        if name.with_any:
            found += [ProfileName.of(name.plain, option) for option in spec.options_of(name.plain)]
    return list(dict.fromkeys(found))
