"""What explains the answers of a program: the rules that it plays otherwise, and what is left that no rules explain."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, Final

from belot_conformance.explain.answers import (
    SAME,
    UNSUPPORTED,
    Answered,
    Ignored,
    Message,
    never_given,
    says_nothing,
)
from belot_conformance.explain.budget import BUDGET, Budget, Clock
from belot_conformance.explain.common import Shared, common, known_ways, ways_sentence
from belot_conformance.explain.confirm import SEARCHING, Ask, Confirming
from belot_conformance.explain.lab import Changes, Lab, Slot, State
from belot_conformance.explain.search import Search
from belot_conformance.programs.reference import Came
from belot_conformance.situations.views import Put
from belot_spec.catalogue import Text
from belot_spec.errors import UnknownNameError, UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

# A field that is wrong in so large a share of the answers of an operation, and in so many, is not compared any more.
_BROKEN: Final = 0.5
_BROKEN_FEWEST: Final = 5
# The share of the seconds, after them, in which other values that fit as well are looked for: a rule told without them
# says more than was seen. In ten programs out of time it took a third of that.
_TELLING: Final = 0.1


# A question, what the program answered, and what other rules say, as JSON values.
Example = Mapping[str, Any]


def example(one: Answered, said: Message, note: Text | None = None) -> Example:
    """Return an answered question and what other rules say; ``note`` is what a record tells otherwise."""
    told = {"id": one.id, "operation": one.operation, "input": dict(one.input)}
    told |= {"came": dict(one.came), "expected": dict(said)}
    return told if note is None else {**told, "note": note.as_json()}


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Answers of one operation that no rules explain: the fields in which they are wrong, how many, the smallest.

    ``fields`` of what is no answer at all holds its kind: an error, a crash. ``shared`` is what they have in common,
    ``known`` are statements that would answer them otherwise and have no value yet, ``places`` name the first records
    of a log. ``tried`` says whether all values were tried for each of them, and ``ids`` are all of them.
    """

    operation: str
    fields: tuple[str, ...]
    count: int
    example: Example
    shared: Shared | None = None
    places: tuple[str, ...] = ()
    tried: bool = False
    ids: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @property
    def said(self) -> list[str]:
        """What is said of them: what they have in common, and what our sources know of such."""
        shared = [] if self.shared is None else [self.shared.sentence]
        return [*shared, ways_sentence(self.known)] if self.known else shared


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """A rule that a program plays otherwise: its value, and the ids of the answers that are right by it alone.

    ``own`` is the value of the profile asked for, ``None`` where the rule does not matter there. ``values`` fit
    equally, and so do the rules of ``alike``, each with its value. It ``is_odd``, and looks like a mistake, if no
    variant, option or document and no program measured before plays it. What fits as well is ``all_tried`` unless the
    time was over before.
    """

    rule: str
    own: Any
    value: Any
    right: tuple[str, ...]
    wrong: int
    profiles: tuple[Profile, ...]
    example: Example | None
    values: tuple[Any, ...] = ()
    alike: tuple[tuple[str, Any], ...] = ()
    is_odd: bool = False
    all_tried: bool = True


@dataclass(frozen=True)
class Explanation:
    """What was found: the profiles asked for, those that are played, and what no rules explain.

    ``base`` is what is played in the fewest words, with the ``findings`` as what differs from it: a ``state`` of its
    ``lab``, which judges any other answer too. ``asked_wrong`` are
    the ids of the answers that are wrong by the profiles asked for, ``wrong`` of those that are wrong by the rules
    found too. ``missing`` are fields that the program never gives, ``broken`` those that no rules explain; neither is
    compared, and ``spoiled`` says for each operation how many answers are wrong in them alone. ``unsupported`` is what
    the program says it cannot answer. It ``is_cut`` where the time was over before all was looked at; ``tried`` counts
    the answers that were worked out.
    """

    base: Profile
    lab: Lab
    state: State
    asked: Sequence[Profile]
    played: Sequence[Profile]
    findings: Sequence[RuleFinding]
    asked_wrong: frozenset[str]
    wrong: frozenset[str]
    groups: Sequence[Unexplained]
    unsupported: Sequence[Unexplained]
    missing: Ignored
    broken: Ignored
    spoiled: Mapping[str, Unexplained]
    unseen: Sequence[str] = ()
    confirmed: int = 0
    tried: int = 0
    seconds: float = 0
    is_cut: bool = False

    @property
    def odd(self) -> list[RuleFinding]:
        """The rules with a value that looks like a mistake."""
        return [one for one in self.findings if one.is_odd]

    @property
    def explained(self) -> int:
        """How many answers that are wrong by the profiles asked for are right by the rules found."""
        return len(self.asked_wrong - self.wrong)

    def without(self, one: RuleFinding) -> State:
        """Return the rules found but for one of them."""
        return self.lab.without(self.state, self.lab.slot(self.lab.contexts.index(one.profiles[0]), one.rule))

    def is_right(self, one: Answered, state: State) -> bool:
        """Say whether another answer is right by some rules, or by those searched around where nobody could play so."""
        rules = self.lab.rules(one.context, state) or self.lab.rules(one.context, self.lab.base)
        assert rules is not None
        return self.lab.ignored.get(one.operation, frozenset()).issuperset(self.lab.said(one, rules))

    @property
    def left(self) -> int:
        """How many answers stay wrong, those too that are wrong in nothing but fields that no rules explain."""
        return sum(one.count for one in (*self.groups, *self.unsupported, *self.spoiled.values()))


def explain(  # noqa: PLR0913 - who asks, for how long and from where differs for a check, a program and a log
    contexts: Sequence[Profile],
    answers: Sequence[Answered],
    spec: Spec,
    ask: Ask | None = None,
    budget: Budget = BUDGET,
    *,
    clock: Clock | None = None,
    begin: Changes | None = None,
    declared: Sequence[ProfileName] | None = None,
    alone: bool = True,
    given: Mapping[str, Collection[str]] = MappingProxyType({}),
    known: Mapping[str, Came] = MappingProxyType({}),
) -> Explanation:
    """Return what explains the answers to questions about some profiles of one variant.

    With ``ask`` a rule is named only once further answers speak for it, and only where one may speak ``alone`` on the
    word of a single answer. With ``declared`` what is found may be told as another variant than the one asked for;
    those declared cost nothing to say. ``given`` are the fields that are given of operations with more, and ``known``
    is what comes of questions by the first profile.
    """
    kinds = says_nothing(answers)
    lab = Lab(contexts, spec, answers, given, known)
    lab.mute = {place: kinds[one.id] for place, one in enumerate(answers) if one.id in kinds}
    lab.ignored = missing = never_given([answers[place] for place in lab.live])
    clock = clock or Clock(budget.seconds)
    search = Search(lab, budget, clock if ask is None else clock.part(SEARCHING))
    search.move(lab.changed(lab.base, begin or {}))
    if speaking := _speaking(search):
        lab.mute = {place: kind for place, kind in lab.mute.items() if place not in speaking}
        search.move(search.state)
    search.run()
    # Where the time was over before, a rule may still be found that explains a field.
    if broken := {} if search.clock.is_over else _broken(search):
        lab.broken = broken
        lab.ignored = {
            name: missing.get(name, frozenset()) | broken.get(name, frozenset()) for name in (*missing, *broken)
        }
        search.move(search.state)
        search.run()
    was_cut, search.clock = search.clock.is_over, clock
    confirming = Confirming(search, ask, alone)
    confirming.run()
    # Told as another profile the answers are the same, in their order; what was asked for is not.
    told, fresh = _described(search, declared), confirming.fresh
    was_cut, told.clock = was_cut or confirming.was_cut, clock.longer(_TELLING * budget.seconds)
    asked, mute = lab.wrong_by(lab.base) - fresh, _still_wrong(told)
    found = told.lab
    groups = [
        *_groups(told, told.wrong, lambda place: found.wrong_in(place, told.state)),
        *_groups(told, mute, lambda place: (found.mute[place],)),
    ]
    groups.sort(key=lambda one: (-one.count, one.operation, one.fields))
    spoiled = [place for place in found.live if place not in told.wrong and told.said[place].wrong]
    # What few answers speak for is the likeliest to have others beside it.
    findings = [_finding(told, slot, asked) for slot in sorted(told.state.changes, key=told.strength)]
    played = [found.played(context, told.state) for context in range(len(contexts))]
    return Explanation(
        base=found.contexts[0],
        lab=found,
        state=told.state,
        asked=contexts,
        played=played,
        findings=sorted(findings, key=lambda one: (one.is_odd, -len(one.right), one.rule)),
        asked_wrong=frozenset(found.answers[place].id for place in asked | mute),
        wrong=frozenset(found.answers[place].id for place in (told.wrong - fresh) | mute),
        groups=[one for one in groups if one.fields != (UNSUPPORTED,)],
        unsupported=[one for one in groups if one.fields == (UNSUPPORTED,)],
        missing=missing,
        broken=broken,
        spoiled={
            one.operation: one
            for one in _groups(
                told, spoiled, lambda place: tuple(sorted(found.ignored[found.answers[place].operation]))
            )
        },
        unseen=tuple(one for one in spec.rules if one in played[0].settings and one not in told.read),
        confirmed=len(fresh),
        tried=lab.tried,
        seconds=budget.seconds,
        is_cut=was_cut and bool(told.wrong),
    )


def _speaking(search: Search) -> set[int]:
    """Return the answers of operations that say the same to everything, as one other value of a rule does."""
    lab, found = search.lab, set[int]()
    for operation in {lab.answers[place].operation for place, kind in lab.mute.items() if kind == SAME}:
        places = [place for place in lab.mute if lab.answers[place].operation == operation]
        wrong = lab.by_size(place for place in places if not lab.is_right(place, search.state))
        others = (state for _, _, state in search.steps(wrong[0], search.state)) if wrong else ()
        if any(all(lab.is_right(place, state) for place in (*wrong, *places)) for state in others):
            found.update(places)
    return found


def _still_wrong(search: Search) -> set[int]:
    """Return what says nothing, without the errors and the operations that are right by the rules found after all."""
    lab = search.lab
    wrong = {place for place in lab.mute if not lab.is_right(place, search.state)}
    alike = {lab.answers[place].operation for place in wrong if lab.mute[place] == SAME}
    return wrong | {place for place in lab.mute if lab.answers[place].operation in alike}


def _broken(search: Search) -> dict[str, frozenset[str]]:
    """Return for each operation the fields in which most of its answers are wrong by whatever rules were tried.

    Some field has to be left, or nothing is compared any more. Of records all that stands there is compared.
    """
    lab, wrong, given = search.lab, Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for place in lab.live:
        one, said = lab.answers[place], search.said[place]
        if not one.is_partial and one.kind == "result" and "result" in said.message:
            given.update((one.operation, name) for name in said.message["result"])
            wrong.update((one.operation, name) for name in lab.wrong_in(place, search.state))
    broken = {key for key, number in wrong.items() if number >= max(_BROKEN_FEWEST, _BROKEN * given[key])}
    fields = {name: frozenset(field for one, field in broken if one == name) for name, _ in broken}
    # Only what is right elsewhere tells that a field alone is broken.
    left = {name for name, field in given.keys() - broken if field not in lab.ignored.get(name, ())}
    return {name: some for name, some in fields.items() if name in left}


def _described(search: Search, declared: Sequence[ProfileName] | None) -> Search:
    """Return a search for the same rules told in the fewest words: another variant, or options, where that is shorter.

    Of several profiles asked for nothing is told otherwise.
    """
    lab, own, read = search.lab, search.lab.contexts[0], search.read
    is_own = own.id.variant not in lab.spec.variants
    if len(lab.contexts) > 1 or (is_own and declared is None):
        return search
    played = lab.played(0, search.state)
    values = {rule: one.value for rule, one in played.settings.items() if rule in read}
    known = {own.id.variant, *(one.variant for one in declared or ())}

    def words(profile: Profile) -> float:
        differing = sum(not profile.plays(rule, value) for rule, value in values.items())
        options = len(set(profile.id.options) ^ set(own.id.options))
        return differing + 0.9 * options + 1.5 * (profile.id.variant not in known)

    variants = () if is_own or declared is None else lab.spec.playable()
    begun = [own, *(lab.spec.profile(name) for name in variants if name != own.id.variant)]
    best = min(chain.from_iterable(_with_options(one, played, read, lab.spec) for one in begun), key=words)
    if best is own or words(best) >= len(search.state.changes) - 0.5:
        return search
    found = Lab([best], lab.spec, lab.answers, lab.given)
    found.ignored, found.broken, found.mute = lab.ignored, lab.broken, lab.mute
    told = Search(found, search.budget, search.clock)
    told.move(found.changed(found.base, {found.slot(0, rule): value for rule, value in values.items()}))
    if len(told.wrong) > len(search.wrong) or not found.is_playable(told.state):
        return search
    told.prune()
    told.done = search.done
    return told if len(told.state.changes) < len(search.state.changes) else search


def _with_options(begun: Profile, played: Profile, read: frozenset[str], spec: Spec) -> Iterator[Profile]:
    """Yield a profile, then with one more option each time whose every rule is played so, and of which one was read."""
    yield begun
    for option, one in spec.options_of(begun.id.variant).items() if begun.id.variant in spec.variants else ():
        helps = [rule for rule, setting in one.settings.items() if played.plays(rule, setting.value)]
        already = [rule for rule, setting in one.settings.items() if begun.plays(rule, setting.value)]
        if len(helps) == len(one.settings) > len(already) and not read.isdisjoint(helps):
            with suppress(UnknownNameError, UnplayableError):
                begun = spec.profile(ProfileName.of(begun.id, option))
                yield begun


def _finding(search: Search, slot: Slot, asked: Set[int]) -> RuleFinding:
    lab, value, without = search.lab, search.state.changes[slot], search.lab.without(search.state, slot)
    without = without if lab.is_playable(without) else lab.base
    telling = [*search.made_right(slot, without)]
    right = [place for place in telling if place in asked] or telling
    equal = [
        (other[0], each)
        for other, each, state in islice(search.instead(slot), search.budget.abreast)
        if not lab.is_proved(lab.contexts_of(slot)[0], search.state, state)
    ]
    return RuleFinding(
        slot[0],
        json.loads(slot[1]) if slot[1] else None,
        value,
        tuple(lab.answers[place].id for place in right),
        sum(lab.is_right(place, without) for place in search.wrong),
        tuple(lab.contexts[number] for number in lab.contexts_of(slot)),
        example(lab.answers[right[0]], lab.predict(right[0], without).message) if right else None,
        tuple(each for rule, each in equal if rule == slot[0]),
        tuple({rule: each for rule, each in reversed(equal) if rule != slot[0]}.items()),
        is_odd=not search.is_played(slot),
        all_tried=not search.clock.is_over,
    )


def _groups(search: Search, wrong: Iterable[int], fields: Callable[[int], tuple[str, ...]]) -> Iterator[Unexplained]:
    """Yield what no rules explain by operation and fields, the smallest first, with what the wrong ones share."""
    lab, found = search.lab, dict[tuple[str, tuple[str, ...]], list[int]]()
    for place in lab.by_size(wrong):
        found.setdefault((lab.answers[place].operation, fields(place)), []).append(place)
    for (operation, names), places in found.items():
        compared = _compared(search, operation, places) if search.wrong.issuperset(places) else ([], [])
        yield Unexplained(
            operation,
            names,
            len(places),
            example(lab.answers[places[0]], lab.predict(places[0], search.state).message),
            common(*compared),
            tried=search.is_tried({*places}),
            ids=tuple(lab.answers[place].id for place in places),
            known=known_ways(*compared, lab.spec),
        )


def _compared(search: Search, operation: str, wrong: Sequence[int]) -> tuple[list[Put], list[Put]]:
    """Return wrong answers, and the right ones of the operation, as questions with what is right."""
    lab = search.lab
    right = [place for place in lab.live if lab.answers[place].operation == operation and place not in search.wrong]

    def puts(places: Sequence[int]) -> Iterator[Put]:
        for place in places:
            one, said = lab.answers[place], search.said[place].message
            if "error" not in said and (rules := lab.rules(one.context, search.state)) is not None:
                yield Put(operation, one.input, rules, said)

    return [*puts(wrong)], [*puts(right)]
