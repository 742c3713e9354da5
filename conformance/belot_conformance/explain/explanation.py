"""What explains the answers of a program: the rules that it plays otherwise, and what is left that no rules explain."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.contrast.probe import Rival
from belot_conformance.contrast.proofs import proved_alike
from belot_conformance.explain.answers import (
    ANSWERS,
    SAME,
    UNSUPPORTED,
    Answered,
    Ignored,
    Message,
    never_given,
    says_nothing,
)
from belot_conformance.explain.budget import BUDGET, Budget, Clock
from belot_conformance.explain.common import Shared, common
from belot_conformance.explain.confirm import Ask, Confirming
from belot_conformance.explain.known_ways import known_ways, sentence_of
from belot_conformance.explain.lab import Changes, Lab, Slot, State
from belot_conformance.explain.peel import Search
from belot_conformance.explain.values import rule_values
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.situations.views import Put
from belot_spec.catalogue import Text
from belot_spec.errors import UnknownNameError, UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

# A field that is wrong in so large a share of the answers of an operation, and in so many, is not compared any more.
_BROKEN: Final = 0.5
_BROKEN_FEWEST: Final = 5
# Values that fit equally are looked for while no more than these are found.
_EQUALS: Final = 12


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what the program answered, and what other rules say; ``note`` is what a record tells otherwise."""

    id: str
    operation: str
    input: Mapping[str, Any]
    came: Message
    said: Message
    note: Text | None = None


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
        return [*shared, sentence_of(self.known)] if self.known else shared


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """A rule that a program plays otherwise: its value, and the ids of the answers that are right by it alone.

    ``own`` is the value of the profile asked for, ``None`` where the rule does not matter there. ``values`` fit
    equally, and so do the rules of ``alike``, each with its value. It ``is_odd``, and looks like a mistake, if no
    variant, option or document and no program measured before plays it.
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


@dataclass(frozen=True)
class Explanation:
    """What was found: the profiles asked for, those that are played, and what no rules explain.

    ``base`` is what is played in the fewest words, with the ``findings`` as what differs from it. ``asked_wrong`` are
    the ids of the answers that are wrong by the profiles asked for, ``wrong`` of those that are wrong by the rules
    found too. ``missing`` are fields that the program never gives, ``broken`` those that no rules explain; neither is
    compared, and ``spoiled`` says for each operation how many answers are wrong in them alone. ``unsupported`` is what
    the program says it cannot answer. It ``is_cut`` where the time was over before all was looked at; ``tried`` counts
    the answers that were worked out.
    """

    base: Profile
    asked: Sequence[Profile]
    played: Sequence[Profile]
    findings: Sequence[RuleFinding]
    answers: Sequence[Answered]
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
) -> Explanation:
    """Return what explains the answers to questions about some profiles of one variant.

    With ``ask`` a rule is named only once further answers speak for it. With ``declared`` what is found may be told as
    another variant than the one asked for; those declared cost nothing to say.
    """
    clock = clock or Clock(budget.seconds)
    silent = says_nothing(answers)
    lab = Lab(contexts, spec)
    missing = never_given([one for one in answers if one.id not in silent])
    lab.ignore(missing)
    lab.add(one for one in answers if one.id not in silent)
    search = Search(lab, budget, clock)
    search.run(begin)
    broken = _broken(search)
    if broken:
        lab.ignore(
            {name: missing.get(name, frozenset()) | broken.get(name, frozenset()) for name in {*missing, *broken}}
        )
        search.run()
    confirming = Confirming(search, ask)
    confirming.run()
    described = _described(search, declared)
    mute = _still_wrong(described, [one for one in answers if one.id in silent], silent)
    return _told(described, confirming, mute, silent, missing, broken)


def _still_wrong(search: Search, silent: Sequence[Answered], kinds: Mapping[str, str]) -> list[Answered]:
    """Return what says nothing, without the errors and the operations that are right by the rules found after all."""
    lab = Lab(search.lab.contexts, search.lab.spec)
    lab.ignore(search.lab.ignored)
    told = [one for one in silent if one.kind in ANSWERS]
    lab.add(told)
    wrong = {told[place].id for place in lab.wrong_by(search.state)}
    alike = {one.operation for one in told if one.id in wrong and kinds[one.id] == SAME}
    return [one for one in silent if one.kind not in ANSWERS or one.id in wrong or one.operation in alike]


def _broken(search: Search) -> dict[str, frozenset[str]]:
    """Return for each operation the fields in which most of its answers are wrong by whatever rules were tried.

    Some field has to be left, or nothing is compared any more. Of records all that stands there is compared.
    """
    lab, wrong, given = search.lab, dict[tuple[str, str], int](), dict[tuple[str, str], int]()
    fields: dict[str, set[str]] = {}
    for place, one in enumerate(lab.answers):
        found = lab.predict(place, search.state)
        if found is None or one.is_partial or one.kind != "result" or "result" not in found.message:
            continue
        for name in found.message["result"]:
            given[one.operation, name] = given.get((one.operation, name), 0) + 1
            fields.setdefault(one.operation, set()).add(name)
        for name in found.wrong:
            wrong[one.operation, name] = wrong.get((one.operation, name), 0) + 1
    broken: dict[str, frozenset[str]] = {}
    for (operation, name), number in wrong.items():
        if number >= max(_BROKEN_FEWEST, _BROKEN * given.get((operation, name), number)):
            broken[operation] = broken.get(operation, frozenset()) | {name}
    # Only what is right elsewhere tells that a field alone is broken.
    return {name: found for name, found in broken.items() if fields[name] - found - lab.ignored.get(name, frozenset())}


def _described(search: Search, declared: Sequence[ProfileName] | None) -> Search:
    """Return a search for the same rules told in the fewest words: another variant, or options, where that is shorter.

    Of several profiles asked for nothing is told otherwise.
    """
    lab = search.lab
    if len(lab.contexts) > 1:
        return search
    own, rules = lab.contexts[0], lab.rules(0, search.state)
    assert rules is not None
    played, read = rules.profile, frozenset[str]().union(*(search._reads(place) for place in range(len(lab.answers))))
    names = [own.id.variant] if declared is None or own.id.variant not in lab.spec.variants else lab.spec.playable()
    best, fewest = own, float(len(search.state.changes))
    if own.id.variant not in lab.spec.variants and declared is None:
        return search
    for variant in dict.fromkeys([own.id.variant, *names]):
        begun = own if variant == own.id.variant else _profile(lab.spec, variant)
        if begun is None:
            continue
        for profile in _with_options(begun, played, read, lab.spec):
            differing = sum(
                not profile.plays(rule, setting.value) for rule, setting in played.settings.items() if rule in read
            )
            is_said = declared and any(one.variant == variant for one in declared)
            words = differing + len(set(profile.id.options) ^ set(own.id.options)) * 0.9
            words += 0 if variant == own.id.variant or is_said else 1.5
            if words < fewest - 0.5:
                best, fewest = profile, words
    if best is own:
        return search
    found = Lab([best], lab.spec)
    found.ignore(lab.ignored)
    found.add(lab.answers)
    told = Search(found, search.budget, search.clock)
    told.tried, found.tried = search.tried, lab.tried
    changes = {
        found.slot(0, rule): setting.value
        for rule, setting in played.settings.items()
        if rule in read and not best.plays(rule, setting.value)
    }
    told.state = found.state(changes)
    told.wrong = found.wrong_by(told.state)
    if len(told.wrong) > len(search.wrong) or not found.is_playable(told.state):
        return search
    told.prune()
    return told if len(told.state.changes) < len(search.state.changes) else search


def _profile(spec: Spec, name: str) -> Profile | None:
    try:
        return spec.profile(name)
    except (UnknownNameError, UnplayableError):
        return None


def _with_options(begun: Profile, played: Profile, read: frozenset[str], spec: Spec) -> Iterator[Profile]:
    """Yield a profile, then with one more option each time whose every rule is played so, and of which one was read."""
    yield begun
    for option, one in spec.options_of(begun.id.variant).items() if begun.id.variant in spec.variants else ():
        helps = [rule for rule, setting in one.settings.items() if played.plays(rule, setting.value)]
        already = [rule for rule, setting in one.settings.items() if begun.plays(rule, setting.value)]
        if len(helps) == len(one.settings) > len(already) and not read.isdisjoint(helps):
            longer = _profile(spec, ProfileName.of(begun.id, option))
            if longer is not None:
                begun = longer
                yield begun


def _told(
    search: Search,
    confirming: Confirming,
    silent: Sequence[Answered],
    kinds: Mapping[str, str],
    missing: Ignored,
    broken: Ignored,
) -> Explanation:
    lab, state = search.lab, search.state
    # Told as another profile the answers are the same, in their order; what was asked for is not.
    begun, fresh = confirming.search.lab, frozenset[int]().union(*confirming.fresh.values())
    asked = begun.wrong_by(begun.base) - fresh
    findings = [_finding(search, slot, asked) for slot in state.changes]
    groups = [*_groups(search), *_silent_groups(silent, kinds)]
    return Explanation(
        base=lab.contexts[0],
        asked=begun.contexts,
        played=[_played(lab, context, state) for context in range(len(lab.contexts))],
        findings=sorted(findings, key=lambda one: (one.is_odd, -len(one.right), one.rule)),
        answers=[one for place, one in enumerate(lab.answers) if place not in fresh],
        asked_wrong=frozenset(lab.answers[place].id for place in asked) | frozenset(one.id for one in silent),
        wrong=frozenset(lab.answers[place].id for place in search.wrong - fresh) | frozenset(one.id for one in silent),
        groups=sorted((one for one in groups if one.fields != (UNSUPPORTED,)), key=_by_count),
        unsupported=sorted((one for one in groups if one.fields == (UNSUPPORTED,)), key=_by_count),
        missing=missing,
        broken=broken,
        spoiled=_spoiled(search),
        unseen=_unread(search),
        confirmed=sum(map(len, confirming.fresh.values())),
        tried=lab.tried,
        seconds=search.budget.seconds,
        is_cut=search.is_cut,
    )


def _by_count(one: Unexplained) -> tuple[int, str, tuple[str, ...]]:
    return -one.count, one.operation, one.fields


def _played(lab: Lab, context: int, state: State) -> Profile:
    values = {slot[0]: value for slot, value in state.changes.items() if lab.has(context, slot)}
    return changed_profile(lab.contexts[context], values, lab.spec)


def _finding(search: Search, slot: Slot, asked: Set[int]) -> RuleFinding:
    lab, value, rule = search.lab, search.state.changes[slot], slot[0]
    without = lab.without(search.state, [slot])
    if not lab.is_playable(without):
        without = lab.base
    own = Confirming(search, None)
    telling = own._made_right(slot, without)
    right = [place for place in telling if place in asked] or telling
    worse = sum(lab.is_right(place, without) for place in search.wrong)
    context = next((number for number in range(len(lab.contexts)) if lab.has(number, slot)), 0)
    values, alike = list[Any](), list[tuple[str, Any]]()
    for changes in own.equals(slot):
        ((other, each),) = changes.items()
        if _is_proved(lab, context, search.state, without, changes):
            continue
        if other == slot:
            values.append(each)
        elif other[0] not in (one for one, _ in alike):
            alike.append((other[0], each))
        if len(values) + len(alike) >= _EQUALS:
            break
    return RuleFinding(
        rule,
        lab.own(slot),
        value,
        tuple(lab.answers[place].id for place in right),
        worse,
        tuple(one for number, one in enumerate(lab.contexts) if lab.has(number, slot)),
        _example(search, right[0], without) if right else None,
        tuple(values),
        tuple(alike),
        is_odd=not rule_values(lab.spec).is_played(rule, value),
    )


def _is_proved(lab: Lab, context: int, state: State, without: State, changes: Changes) -> bool:
    """Say whether another change provably plays the same game, so that it is no other value."""
    rules, other = lab.rules(context, state), lab.rules(context, lab.state(changes, without))
    if rules is None or other is None:
        return False
    return bool(proved_alike(rules, Rival.of(rules, other), lab.spec))


def _example(search: Search, place: int, state: State) -> Example:
    one, said = search.lab.answers[place], search.lab.predict(place, state)
    return Example(one.id, one.operation, one.input, one.came, {} if said is None else said.message)


def _groups(search: Search) -> Iterator[Unexplained]:
    """Yield what no rules explain by operation and fields, with what all wrong answers of the operation share."""
    lab, found = search.lab, dict[tuple[str, tuple[str, ...]], list[int]]()
    for place in sorted(search.wrong, key=lab.size.__getitem__):
        said = lab.predict(place, search.state)
        found.setdefault((lab.answers[place].operation, said.wrong if said is not None else ()), []).append(place)
    for (operation, fields), places in found.items():
        wrong, right = _compared(search, operation, places)
        yield Unexplained(
            operation,
            fields,
            len(places),
            _example(search, places[0], search.state),
            common(wrong, right),
            tried=search.tried.singly.issuperset(places),
            ids=tuple(lab.answers[place].id for place in places),
            known=known_ways(wrong, right, lab.spec),
        )


def _compared(search: Search, operation: str, wrong: Sequence[int]) -> Iterator[list[Put]]:
    """Yield wrong answers, and the right ones of the operation, as questions with what is right."""
    lab = search.lab
    right = [place for place, one in enumerate(lab.answers) if one.operation == operation and place not in search.wrong]
    for places in (wrong, right):
        yield [put for put in (_put(search, place) for place in places) if "error" not in put.message]


def _put(search: Search, place: int) -> Put:
    lab = search.lab
    one, said = lab.answers[place], lab.predict(place, search.state)
    rules = lab.rules(one.context, search.state)
    assert rules is not None
    assert said is not None
    return Put(rules, one.operation, one.input, said.message)


def _silent_groups(silent: Sequence[Answered], kinds: Mapping[str, str]) -> Iterator[Unexplained]:
    found: dict[tuple[str, str], list[Answered]] = {}
    for one in sorted(silent, key=lambda one: len(str(one.input))):
        found.setdefault((one.operation, kinds[one.id]), []).append(one)
    for (operation, kind), ones in found.items():
        example = Example(ones[0].id, operation, ones[0].input, ones[0].came, {})
        yield Unexplained(operation, (kind,), len(ones), example, ids=tuple(one.id for one in ones))


def _spoiled(search: Search) -> dict[str, Unexplained]:
    """Return for each operation with fields that are not compared how many answers are wrong in them alone."""
    lab = search.lab
    if not lab.ignored:
        return {}
    whole = Lab(lab.contexts, lab.spec)
    whole.add(one for one in lab.answers if one.operation in lab.ignored)
    found: dict[str, list[int]] = {}
    for place in sorted(whole.wrong_by(search.state), key=whole.size.__getitem__):
        found.setdefault(whole.answers[place].operation, []).append(place)
    ids = {lab.answers[place].id for place in search.wrong}
    told = Search(whole, search.budget, search.clock)
    return {
        operation: Unexplained(
            operation,
            tuple(sorted(lab.ignored[operation])),
            sum(whole.answers[place].id not in ids for place in places),
            _example(told, places[0], search.state),
        )
        for operation, places in found.items()
    }


def _unread(search: Search) -> tuple[str, ...]:
    """Return the rules of what is played that no answer read: of those nothing is known."""
    read = frozenset[str]().union(*(search._reads(place) for place in range(len(search.lab.answers))))
    rules = search.lab.rules(0, search.state)
    settings = {} if rules is None else rules.profile.settings
    return tuple(one for one in search.lab.spec.rules if one in settings and one not in read)
