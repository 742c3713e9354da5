"""The variant by which the fewest answers of a program are wrong: where it names none, or seems to play another one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from belot_conformance.explain.answers import Answered, distance, fields_wrong
from belot_conformance.house_suite.planning import is_known
from belot_conformance.programs.protocol import Request
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import Target
from belot_conformance.questions.operations import RECORDINGS
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.selection import plan_own
from belot_conformance.suite.verdicts import Planned
from belot_spec.spec import Profile
from belot_spec.words import English

# Small questions of each variant by which a program of an unknown name is taken for one of them.
_PROBES: Final = 6
# Of the answers about a variant so many are held against others, where so large a share of them is wrong; another one
# is named if by it so much fewer are. A few answers, as those of a case that is asked again, are right by chance.
_FEWEST: Final = 10
_LOOKED_AT: Final = 120
_MANY: Final = 0.25
_FEWER: Final = 0.5
# An error is right where a question makes no sense, which says nothing of what is played.
_ANSWERS: Final = ("result", "rejected")
_WORDS: Final = English(__name__, "nearest")


def likeliest(target: Target, reference: Reference) -> tuple[Profile, list[Answered]]:
    """Return the variant by which the fewest small answers are wrong, of a program that names none, and these."""
    strangers = [name for name in target.hello.profiles if not is_known(name, reference.spec)]
    name = strangers[0] if strangers else reference.spec.playable()[0]
    small = [one for one in load_cases() if one.origin != "derived" and one.operation not in RECORDINGS]
    probes: list[Planned] = []
    for variant in reference.spec.playable():
        own = [
            one for one in plan_own(small) if one.profile == variant and one.case.operation in target.hello.operations
        ]
        probes += own[:: max(1, len(own) // _PROBES)][:_PROBES]
    answers = target.ask([Request(one.case.id, one.case.operation, name, one.case.input) for one in probes])
    seen = [Answered(one.case.operation, one.case.input, one.case.id, answers[one.case.id].message()) for one in probes]
    return reference.profile(_least_wrong(seen, reference)[0]), seen


def nearest(answers: Sequence[Answered], reference: Reference) -> list[Profile]:
    """Return all variants, those by which the fewest answers are wrong first, of equals those that miss them least."""

    def far(variant: str) -> tuple[int, int]:
        rules = reference.ruleset(variant)
        said = [(one, put(one.operation, rules, one.input).message()) for one in answers]
        return sum(bool(fields_wrong(*pair, ())) for pair in said), sum(distance(*pair) for pair in said)

    return [reference.profile(one) for one in sorted(reference.spec.playable(), key=far)]


def nearest_notes(target: Target, answers: Iterable[tuple[Profile, Answered]], reference: Reference) -> Iterator[str]:
    """Yield what to check a program as, where it names nothing that is known or its answers fit another variant.

    ``answers`` are those that it gave, each with the profile by which it was judged.
    """
    asked: dict[str, list[Answered]] = {}
    for profile, one in answers:
        asked.setdefault(profile.base.variant, []).append(one)
    if not asked:
        profile, seen = likeliest(target, reference)
        right = len(seen) - _wrong(seen, profile.id, reference)
        if right > _FEWER * len(seen):
            yield _WORDS.say("unnamed", profile=profile.id, right=right, n=len(seen))
    for variant, ones in asked.items():
        small = [one for one in ones if one.kind in _ANSWERS and one.operation not in RECORDINGS]
        some = small[:: max(1, len(small) // _LOOKED_AT)]
        own = _wrong(some, variant, reference)
        if len(some) >= _FEWEST and own >= _MANY * len(some):
            other, wrong = _least_wrong(some, reference)
            if wrong < _FEWER * own:
                told = {"own": len(some) - own, "right": len(some) - wrong, "n": len(some)}
                yield _WORDS.say("other", variant=variant, profile=other, **told)


def _least_wrong(seen: Sequence[Answered], reference: Reference) -> tuple[str, int]:
    counted = Counter({variant: -_wrong(seen, variant, reference) for variant in reference.spec.playable()})
    [(variant, wrong)] = counted.most_common(1)
    return variant, -wrong


def _wrong(seen: Sequence[Answered], variant: str, reference: Reference) -> int:
    rules = reference.ruleset(variant)
    said = ((one, put(one.operation, rules, one.input).message()) for one in seen)
    return sum(one.kind not in _ANSWERS or bool(fields_wrong(one, by, ())) for one, by in said)
