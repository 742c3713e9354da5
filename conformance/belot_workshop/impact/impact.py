"""What a change of rules does: to the cases, to the smallest positions that show it, and to simulated deals."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from belot_conformance.changes.diff import known_worth
from belot_conformance.changes.editions import Edition, EditionError, open_editions
from belot_conformance.contrast.probe import Budget, Contrast, Probe, answered, is_other
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.protocol import suite_version
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.operation import AnsweredQuestion, Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import candidates, shrink, size
from belot_conformance.rules.reading import Json, comparison
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.judge import fields_apart, kind_of, without_reasons
from belot_conformance.suite.selection import plan_for
from belot_conformance.text.terminal import say_aside
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.errors import UnplayableError
from belot_spec.load.worth import Worth
from belot_spec.shipped import default_spec, open_profile
from belot_spec.whole_file import write_whole
from belot_workshop.impact.comparison import SimulationSetup, check_comparable, units
from belot_workshop.impact.simulation import Simulated, simulate

IMPACT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class RuleImpact:
    """A rule that differs, as ``reading.comparison`` tells it; ``alone`` is the old game with only this rule changed.

    ``alone`` is ``None`` where the change makes sense only along with others: then the whole new game shows it.
    """

    rule: Json
    alone: Ruleset | None

    @property
    def id(self) -> str:
        """The id of the rule."""
        return str(self.rule["id"])


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case with another answer: before, after (``error`` where it can no longer be asked), the rules that cause it.

    Both hold only the fields that differ, where both are results.
    """

    case: Case
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The smallest position that shows a rule's change, if any was found, and among how many questions."""

    position: Contrast | None
    tried: int


@dataclass(frozen=True, slots=True)
class Impact:
    """Everything that is known of a change; an interrupt leaves the parts that were not done ``None``."""

    old: Ruleset
    new: Ruleset
    rules: Sequence[RuleImpact]
    player: str
    seed: int
    deals_asked: int
    cases_asked: int | None = None
    cases: Sequence[ChangedCase] | None = None
    shown: Mapping[str, Shown] | None = None
    simulated: Simulated | None = None

    @property
    def interrupted(self) -> bool:
        """Whether an interrupt left anything out."""
        if self.cases is None or self.shown is None or len(self.shown) < len(self.rules):
            return True
        return self.simulated.interrupted if self.simulated is not None else bool(self.rules)

    @property
    def worth(self) -> Mapping[str, Sequence[Worth]]:
        """What is known beforehand, by rule, of how often deals end otherwise by its change alone."""
        return known_worth(default_spec(), [(self.old.profile.id, self.old.profile, self.new.profile)])

    @property
    def in_card_points(self) -> bool:
        """Whether points are card points, because the two games write in other units."""
        return units(self.old, self.new) != (1, 1)


class ProfileChange:
    """Two profiles by name, whose impact is measured part by part, by the cases of the old one or of its ``own``.

    Raises ``UnknownNameError`` or ``SpecError`` for a profile, and ``UnplayableError`` for two that no deal can be
    played by.
    """

    def __init__(self, old: str, new: str, own: str | None = None) -> None:
        self._spec = default_spec()
        self._names = (old, new)
        self._own = own or old
        self.old, self.new = (compile_profile(open_profile(name)) for name in self._names)
        check_comparable(self.old, self.new)
        found = comparison(self._names, self._spec)
        self.rules = [self._changed(rule) for topic in found["topics"] for rule in topic["rules"]]

    def _changed(self, rule: Json) -> RuleImpact:
        """Return a changed rule with the old game in which nothing else is changed, if it can be played."""
        old, new = self.old.profile, self.new.profile
        if rule["id"] not in old.settings or rule["id"] not in new.settings:
            return RuleImpact(rule, None)
        lent = {name: setting.value for name, setting in new.settings.items() if name not in old.settings}
        values = {**lent, rule["id"]: new.value(rule["id"])}
        try:
            alone = compile_profile(old.with_values(old.id, values, self._spec.rules))
            check_comparable(self.old, alone)
        except (UnplayableError, KeyError):
            return RuleImpact(rule, None)
        return RuleImpact(rule, alone)

    def planned_cases(self) -> list[Case]:
        """Return the cases that hold for the profile whose cases are asked."""
        name = self._own
        return [planned.case for planned in plan_for(load_cases(), name, Reference(extra_profiles=[name]))]

    def changed_cases(self, cases: Sequence[Case]) -> list[ChangedCase]:
        """Return the cases to which the new rules give another answer."""
        found = (self._changed_case(case) for case in cases)
        return [case for case in found if case is not None]

    def _changed_case(self, case: Case) -> ChangedCase | None:
        changed = {rule.id for rule in self.rules}
        asked = answer(case.operation, self.old, case.input)
        if asked.rests_on.isdisjoint(changed):
            return None
        came = put(case.operation, self.new, case.input)
        operation, before, after = case.operation, asked.message(), came.message()
        if not fields_apart(operation, before, after):
            return None
        causes = [
            rule.id
            for rule in self.rules
            if rule.alone and fields_apart(operation, before, put(operation, rule.alone, case.input).message())
        ]
        together = [rule.id for rule in self.rules if rule.id in asked.rests_on | came.rests_on]
        shown = (without_reasons(operation, one) for one in (before, after))
        return ChangedCase(case, *differing_fields(*shown), tuple(causes or together))


def differing_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two answers with only the fields in which they differ, where both are results."""
    if "result" not in before or "result" not in after:
        return dict(before), dict(after)
    early, late = before["result"], after["result"]
    keys = [key for key in early if early[key] != late.get(key)] or list(early)
    return {"result": {key: early[key] for key in keys}}, {"result": {key: late[key] for key in keys if key in late}}


def measure_impact(
    setting: SimulationSetup, deals: int, *, own: str | None = None, jobs: int = 1, scheduler: str | None = None
) -> Impact:
    """Measure a change; an interrupt (Ctrl-C) ends it early, with what is known so far.

    Asked are the cases of the old profile, or of another one (``own``). The same arguments give the same impact,
    whatever the number of processes. Raises what ``ProfileChange`` raises.
    """
    change = ProfileChange(setting.old, setting.new, own)
    known: dict[str, Any] = {}
    shown: dict[str, Shown] = {}
    try:
        cases = change.planned_cases()
        known.update(cases_asked=len(cases), cases=change.changed_cases(cases))
        if change.rules:
            known["shown"] = shown
            search = PositionSearch(change.old, cases, seed=setting.seed)
            with counting_bar("positions", len(change.rules)) as advance:
                for rule in change.rules:
                    # Changed alone if that can be, else along with all others.
                    shown[rule.id] = Shown(*search.smallest(rule.alone or change.new, [rule.id]))
                    advance(1)
            with counting_bar("deals", deals) as advance:
                known["simulated"] = simulate(setting, deals, jobs=jobs, scheduler=scheduler, advance=advance)
        else:
            known["shown"] = {}
    except KeyboardInterrupt:
        pass
    return Impact(change.old, change.new, change.rules, setting.player, setting.seed, deals, **known)


def as_json(found: Impact) -> Json:
    """Return an impact as ``spec/schema/impact.schema.json`` describes it."""
    return {
        "impact": IMPACT_VERSION,
        "suite": suite_version(),
        "old": _profile(found.old),
        "new": _profile(found.new),
        "interrupted": found.interrupted,
        "rules": [_rule(rule, found) for rule in found.rules],
        "cases": None if found.cases is None else _cases(found, found.cases),
        "simulation": None if found.simulated is None else _simulation(found, found.simulated),
    }


def _profile(rules: Ruleset) -> Json:
    return {"id": str(rules.profile.id), "name": rules.profile.name.as_json()}


def _rule(rule: RuleImpact, found: Impact) -> Json:
    before, after = rule.rule["values"]
    shown = (found.shown or {}).get(rule.id)
    entry = {
        "id": rule.id,
        "title": rule.rule["title"],
        "before": _value(before),
        "after": _value(after),
        "alone": rule.alone is not None,
        "cases": None if found.cases is None else [one.case.id for one in found.cases if rule.id in one.rules],
    }
    if shown is None:
        return {**entry, "tried": None, "position": None}
    return {**entry, "tried": shown.tried, "position": shown.position and asdict(shown.position)}


def _value(entry: Json) -> Json:
    return {key: entry[key] for key in ("matters", "value", "sentence") if key in entry}


def _cases(found: Impact, cases: Sequence[ChangedCase]) -> Json:
    changed = [
        {
            **one.case.named(),
            "input": one.case.input,
            "before": one.before,
            "after": one.after,
            "rules": list(one.rules),
        }
        for one in cases
    ]
    return {"asked": found.cases_asked, "changed": changed}


def _simulation(found: Impact, simulated: Simulated) -> Json:
    sums = simulated.sums
    means = {name: one and one.as_json() for name, one in sums.means().items()}
    length = means.pop("length")
    return {
        "player": found.player,
        "seed": found.seed,
        "asked": found.deals_asked,
        "interrupted": simulated.interrupted,
        **{name: one and one.as_json() for name, one in sums.shares().items()},
        "undecided": sums.undecided,
        "points": {"unit": "card" if found.in_card_points else "score", **means},
        "length": length,
        "changes": [{"change": change, "deals": sums.changes[change]} for change in sorted(sums.changes)],
    }


_NO_NAME: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class ChangedProfile:
    """Two profiles by names that the rules of today know, and the one whose cases are asked."""

    old: str
    new: str
    own: str


@contextmanager
def changed_profiles(old: str, new: str, wanted: str | None = None) -> Iterator[list[ChangedProfile]]:
    """Yield two profiles as they are, or of two whole editions the variants that they play otherwise.

    ``wanted`` names one profile of the editions. Raises what ``open_editions`` does, and ``EditionError`` where nothing
    differs or a rule is no more.
    """
    with open_editions(old, new) as editions, TemporaryDirectory(prefix="belot-") as folder:
        if editions[0].profile is not None:
            if wanted is not None:
                raise EditionError(f"--profile {wanted}: {old} and {new} are profiles already")
            yield [ChangedProfile(old, new, old)]
            return
        found = []
        for name in [wanted] if wanted else default_spec().playable():
            if wanted or all(name in edition.spec.playable() for edition in editions):
                values = [_unlike_today(name, edition) for edition in editions]
                if values[0] != values[1]:
                    pairs = zip(editions, values, ("old", "new"), strict=True)
                    before, after = (_named(name, *pair, Path(folder)) for pair in pairs)
                    found.append(ChangedProfile(before, after, name))
        if not found:
            raise EditionError(
                f"{old} and {new} play {wanted or 'every variant'} alike; belot spec diff says what else changed"
            )
        yield found


def _unlike_today(name: str, edition: Edition) -> dict[str, Any]:
    """Return the values of a profile in an edition that are others today."""
    then, now = edition.spec.profile(name), default_spec().profile(name)
    if gone := sorted(then.settings.keys() - default_spec().rules.keys()):
        raise EditionError(f"{edition.name} plays {name} by {', '.join(gone)}, which is no rule any more")
    if later := sorted(now.settings.keys() - edition.spec.rules.keys()):
        say_aside(f"{edition.name} has no rule {', '.join(later)}: played as today")
    return {rule: one.value for rule, one in then.settings.items() if not now.plays(rule, one.value)}


def _named(name: str, edition: Edition, values: dict[str, Any], side: str, folder: Path) -> str:
    """Return the name of a profile with other values: its own if there are none, else a file of house rules."""
    if not values:
        return name
    base = default_spec().profile(name)
    title = json.dumps({language: f"{text}, {edition.name}" for language, text in base.name.as_json().items()})
    lines = [
        f"id: {_NO_NAME.sub('-', f'{name} of {edition.name}'.lower()).strip('-')}",
        f"name: {title}",
        f"base: {name}",
        "rules:",
    ]
    lines += [f"  {rule}: {{value: {json.dumps(value)}}}" for rule, value in values.items()]
    path = folder / f"{side}-{name}.yaml"
    write_whole(path, "\n".join([*lines, ""]), durable=False)
    return str(path)


# The smallest question that shows what a changed rule changes: found among cases and random questions, then shrunk.


SEARCHED_DEALS: Final = 40
_TRIED_PER_OPERATION: Final = 3


class PositionSearch:
    """The questions among which positions are looked for; asked once by the old rules, whatever has changed.

    Rules that only matter in the new game are always looked for in one and the same new game.
    """

    def __init__(self, old: Ruleset, questions: Iterable[Question], *, seed: int, deals: int = SEARCHED_DEALS) -> None:
        self._old = old
        self._budget = Budget(deals, seed)
        self._probe = Probe(answered(old, chain(questions, self._budget.questions(old))))
        self._probe_of_new: Probe[AnsweredQuestion] | None = None

    def _probes(self, new: Ruleset, wanted: frozenset[str]) -> Iterator[Iterable[AnsweredQuestion]]:
        """Yield the questions to try: for rules that only matter in the new game also what happens in that game."""
        if not wanted.isdisjoint(self._old.profile.settings):
            yield self._probe.reading(wanted)
            return
        if self._probe_of_new is None:
            self._probe_of_new = Probe(answered(self._old, self._budget.questions(new)))
        yield from (self._probe, self._probe_of_new)

    def smallest(self, new: Ruleset, rules: Iterable[str]) -> tuple[Contrast | None, int]:
        """Return the smallest position that is answered otherwise by new rules, and how many questions were tried.

        Only questions that consult one of the rules are tried, before or after.
        """
        wanted = frozenset(rules)
        tried = 0
        differing: dict[str, list[Contrast]] = {}
        for one in chain.from_iterable(self._probes(new, wanted)):
            after = put(one.operation, new, one.input)
            # Rules that only matter in the new game can be consulted only by its own answers.
            if after.answer is None or wanted.isdisjoint(one.rules | after.rests_on):
                continue
            tried += 1
            if is_other(one, after):
                contrast = Contrast(one.operation, one.input, one.answer, after.message())
                differing.setdefault(one.operation, []).append(contrast)
        for operation in sorted(OPERATIONS, key=lambda name: OPERATIONS[name].rank):
            if operation in differing:
                first = sorted(differing[operation], key=_order)[:_TRIED_PER_OPERATION]
                best = min((self._shrunk(one, new, wanted) for one in first), key=_order)
                plain = (without_reasons(operation, one) for one in (best.before, best.after))
                return Contrast(operation, best.input, *plain), tried
        return None, tried

    def _shrunk(self, one: Contrast, new: Ruleset, wanted: frozenset[str]) -> Contrast:
        """Return a question made smaller while both answers stay of their kinds and one of the rules is consulted."""

        def smaller(found: Contrast) -> Iterator[Contrast]:
            for question in candidates(self._old, found.input):
                came = put(one.operation, self._old, question), put(one.operation, new, question)
                if came[0].answer is not None and not wanted.isdisjoint(came[0].rests_on | came[1].rests_on):
                    yield Contrast(one.operation, question, *(each.message() for each in came))

        def first(some: Sequence[Contrast]) -> Contrast | None:
            return next((each for each in some if _kinds(each) == _kinds(one) and _differs(each)), None)

        return shrink(one, smaller, first)


def _kinds(one: Contrast) -> list[str]:
    return [kind_of(one.before), kind_of(one.after)]


def _differs(one: Contrast) -> bool:
    return bool(fields_apart(one.operation, one.before, one.after))


def _order(one: Contrast) -> tuple[bool, int, str]:
    """Return what puts the better of two positions first: one that somebody allows, then the smaller."""
    return "allowed" not in _kinds(one), size(one.input), str(one.input)
