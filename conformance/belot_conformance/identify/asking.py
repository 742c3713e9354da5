"""Asking a live program for its rules: the suite's questions first, then those that tell what still fits apart."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any, Final

from belot_conformance.house_suite.planning import called, is_known
from belot_conformance.house_suite.questions import table_case, table_questions
from belot_conformance.identify.budget import BUDGET, IdentifyBudget, clock, set_clock
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.further import Effort, Further, FurtherQuestion, OtherCards, dealt_otherwise
from belot_conformance.identify.identification import Identification, Identified, Unseen
from belot_conformance.programs.answer_book import BookTarget
from belot_conformance.programs.descendants import work_of_programs
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar, progress_bar
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Answer
from belot_conformance.questions.operations import RECORDINGS
from belot_conformance.questions.stream import EVERY_OPERATION, laid_out_questions
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.selection import plan_own
from belot_conformance.suite.verdicts import Planned, Verdict, judge_each
from belot_reference.compile import Ruleset
from belot_spec.catalogue import same_text
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec

# What was not asked says nothing.
_NOT_ASKED: Final = frozenset(("unsupported", "skipped", "not_run", "suite_error"))
_FURTHER_ID: Final = "further-"
_DECLARED: Final = "declarations."


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a program was asked for, what was found, and the questions by their ids.

    Of these ``again`` were answered in earlier runs, and of those so many were asked again and ``confirmed``.
    ``unseen`` are the rules that nothing shows. What ``told_to_end`` the search is to be raised once this is told.
    """

    profile: str
    asked_as: str
    found: Identified
    planned: Mapping[str, Planned]
    again: int
    confirmed: int
    unseen: Unseen
    told_to_end: KeyboardInterrupt | None = None


def identify_program(
    target: BookTarget, wanted: Profile | None, reference: Reference, budget: IdentifyBudget = BUDGET
) -> Inquiry:
    """Ask a program and search for its rules; ``wanted`` are those that the tester says it plays.

    Without them the search begins at the first variant that the program declares. Raises ``ChangedError`` if it does
    not answer as in earlier runs; these are forgotten by then, and it can be asked anew.
    """
    return _Interview(target, reference, budget).run(wanted)


def identify_each(target: BookTarget, reference: Reference, budget: IdentifyBudget = BUDGET) -> Iterator[Inquiry]:
    """Yield what is found for each variant that a program declares, or once if it declares none that is known.

    The seconds of the budget are shared out among them. Raises ``ChangedError`` as ``identify_program`` does.
    """
    begun: list[Profile | None] = [*map(reference.profile, declared(target.hello, reference.spec))]
    each = replace(budget, seconds=budget.seconds / max(1, len(begun)))
    for begin in begun or [None]:
        yield (inquiry := _Interview(target, reference, each).run(None, begin))
        if inquiry.told_to_end is not None:
            return


def declared(hello: Hello, spec: Spec) -> list[ProfileName]:
    """Return the variants that a program declares, each as it names it first; none if one of its names is no variant's.

    A single name that nobody knows is taken for house rules, with which a program may list what they build on.
    """
    if sum(not is_known(name, spec) for name in hello.profiles) == 1:
        return []
    found: dict[str, ProfileName] = {}
    for name in hello.profiles:
        if is_known(name, spec):
            found.setdefault(name.variant, name.plain)
    return list(found.values())


def observations_of(verdicts: Sequence[Verdict], answers: Mapping[str, Answer]) -> Iterator[Observation]:
    """Yield what a program answered to what it was asked, all for one profile; what was not asked is left out."""
    for verdict in verdicts:
        answer = answers.get(verdict.planned.case.id)
        if answer is not None and verdict.outcome not in _NOT_ASKED:
            yield Observation.of_case(verdict.planned.case, answer.message())


class _Interview:
    def __init__(self, target: BookTarget, reference: Reference, budget: IdentifyBudget = BUDGET) -> None:
        self._budget = replace(budget.begun(), told_to_end=[])
        self._target = target
        self._reference = reference
        self._spec = reference.spec
        self._planned: dict[str, Planned] = {}
        self._seen: list[Observation] = []
        self._asked_as = ""
        self._before, self._confirmed = target.from_before, target.confirmed
        self._effort = Effort(budget.effort)
        self._played: Mapping[str, str] = {}
        self._untold: set[str] = set()
        self._lots = -1
        self._searching: Identification

    def run(self, wanted: Profile | None, begin: Profile | None = None) -> Inquiry:
        """Search around a profile, or anywhere from the variant to ``begin`` with."""
        hello = self._target.hello
        if wanted is not None:
            profile = wanted
            self._asked_as = called(profile, hello, self._spec)[0]
        elif begin is not None:
            self._asked_as, profile = begin.id, begin
        else:
            profile = self._guessed(hello)
        known = [one for one in _laid_out(profile.id, self._reference) if one.case.operation in hello.operations]
        self._put([*_suite_of(profile.id, self._reference), *known])
        with counting_bar(_SEARCHING, self._budget.rounds) as advance:
            found = self._searched(profile, is_named=wanted is not None)
            try:
                # What was cut short goes on, before questions are drawn that tell more of what was found.
                if found.is_cut:
                    found = self._onwards(is_named=wanted is not None)
                for _ in range(self._budget.rounds - 1):
                    advance(1)
                    if self._budget.is_over:
                        found = replace(found, is_cut=True)
                        break
                    found = self._with_its_cards(found, is_named=wanted is not None)
                    before = len(self._seen)
                    self._put([*self._telling(found)])
                    # Too few answers may speak for what is left over, so that more are asked for at once.
                    if found.groups or len(self._seen) == before:
                        self._put([*self._about(found)])
                    if len(self._seen) == before and not found.is_cut:
                        break
                    found = self._onwards(is_named=wanted is not None)
                # Further questions were held against rules that fit by then.
                self._target.confirm(found.told_wrong)
            except KeyboardInterrupt as told:
                self._budget.note(told)
                found = replace(found, is_cut=True)
        return Inquiry(
            profile.id,
            self._asked_as,
            found,
            self._planned,
            self._target.from_before - self._before,
            self._target.confirmed - self._confirmed,
            self._searching.unseen(self._budget.to_tell),
            next(iter(self._budget.told_to_end or ()), None),
        )

    def _searched(self, profile: Profile, *, is_named: bool) -> Identified:
        self._searching = self._search()
        return self._searching.around([profile]) if is_named else self._searching.anywhere([profile])

    def _onwards(self, guesses: Sequence[Mapping[str, Any]] = (), *, is_named: bool) -> Identified:
        """Search on from where the search before ended; one that is told to end on the way leaves that as it was."""
        searching = self._search(self._searching, guesses)
        found = searching.onwards(is_named=is_named)
        self._searching = searching
        return found

    def _search(
        self, before: Identification | None = None, guesses: Sequence[Mapping[str, Any]] = ()
    ) -> Identification:
        declared = [name for name in self._target.hello.profiles if is_known(name, self._spec)]
        plain = [name.plain for name in declared]
        return Identification(self._seen, self._spec, before, budget=self._budget.half, guesses=guesses, declared=plain)

    def _with_its_cards(self, found: Identified, *, is_named: bool) -> Identified:
        """Return what is found, once a program that answers with errors was asked for its cards."""
        is_other_deck = found.may_have_other_cards
        if not is_other_deck and not dealt_otherwise(found):
            return found
        before = len(self._seen)
        other = OtherCards(found.played[0], self._spec, self._target.hello.operations, self._answered)
        guesses = other.guesses(is_other_deck=is_other_deck)
        if len(self._seen) == before:
            return found
        return self._onwards(guesses, is_named=is_named)

    def _answered(self, rules: Ruleset, drawn: Sequence[FurtherQuestion]) -> dict[str, Observation]:
        """Return what the program answers to questions of some rules, by their names."""
        self._put([*_planned(rules, drawn)])
        seen = {one.id: one for one in self._seen}
        return {one.name: seen[name] for one in drawn if (name := f"{_FURTHER_ID}{one.name}") in seen}

    def _guessed(self, hello: Hello) -> Profile:
        """Return the variant to begin with: the one declared, or where its name is no variant here, the likeliest."""
        strangers = [name for name in hello.profiles if not is_known(name, self._spec)]
        if known := declared(hello, self._spec):
            self._asked_as = known[0]
            return self._spec.profile(known[0])
        self._asked_as = strangers[0] if strangers else self._spec.playable()[0]
        self._put([one for variant in self._spec.playable() for one in self._probes(variant)])
        return Identification(self._seen, self._spec, budget=self._budget).likeliest()

    def _probes(self, variant: str) -> list[Planned]:
        declared = (one for one in _probes_of(variant) if one.case.operation in self._target.hello.operations)
        return [replace(one, rules=self._spec.profile(variant)) for one in islice(declared, self._budget.probes)]

    def _put(self, planned: Sequence[Planned]) -> None:
        """Put questions to the program that were not put before, and keep what it answers."""
        by_id = {one.case.id: replace(one, asked_as=self._asked_as) for one in planned}
        new = [one for name, one in by_id.items() if name not in self._planned]
        self._planned |= {one.case.id: one for one in new}
        before = work_of_programs()
        with progress_bar(_ASKING, len(new)) as answered:
            verdicts = list(judge_each(self._target, new, answered))
        self._target.confirm({one.planned.case.id for one in verdicts if one.outcome != "passed"})
        # The program works within the same seconds; one that was started anew by then began at nothing.
        set_clock(clock() + max(0.0, work_of_programs() - before))
        self._planned |= {one.planned.case.id: one.planned for one in verdicts}
        self._seen += observations_of(verdicts, self._target.answers)

    def _telling(self, found: Identified) -> Iterator[Planned]:
        """Yield questions that tell apart what fits equally, unless such questions did not tell it before."""
        untold = [one for one in found.findings if one.values or one.alike]
        text = repr([(one.rule, one.value, one.values, one.alike) for one in untold])
        if untold and text not in self._untold:
            self._untold.add(text)
            rules = {one.rule for one in untold} | {other.rule for one in untold for other in one.alike}
            further = self._drawing(found, self._searching.operations_reading(rules))
            yield from _planned(further.rules, further.telling(found))

    def _about(self, found: Identified) -> Iterator[Planned]:
        """Yield questions about every rule of those found, unless they were asked for the same ones."""
        played = {rule: canonical(setting.value) for rule, setting in found.played[0].settings.items()}
        untold = {one.rule for one in found.findings if one.values or one.alike}
        new = {rule: text for rule, text in played.items() if rule not in untold and self._played.get(rule) != text}
        if not new:
            return
        self._played = played
        # Where hardly an answer is right by any rules, no further one tells what it would take.
        wanted = EVERY_OPERATION - found.hopeless
        if all(value.isdigit() for value in new.values()):
            # By another number nothing comes up that never did, but what spoke against other values may no longer.
            further = self._drawing(found, wanted & self._searching.operations_reading(new))
            near = [one for rule in new for one in further.about(rule, *self._searching.last)]
            near += further.near(*self._searching.last, is_glance=True)
        else:
            self._effort.untold.clear()
            further = self._drawing(found, wanted)
            # Of a program that is broken all over, no question tells what it would play.
            is_broken = sum(group.count for group in found.groups) > self._budget.broken_all_over * len(self._seen)
            near = [] if is_broken else [*further.near(*self._searching.last)]
        meetings = further.meetings() if any(rule.startswith(_DECLARED) for rule in new) else ()
        yield from _planned(further.rules, [*further.some_of_each(), *meetings, *near])

    def _drawing(self, found: Identified, wanted: frozenset[str] = EVERY_OPERATION) -> Further:
        """Return what draws questions by the rules found, of some operations if any of them can be asked."""
        self._lots += 1
        operations = EVERY_OPERATION.intersection(self._target.hello.operations)
        asked = wanted & operations or operations
        return Further(found.played[0], self._spec, self._lots, self._effort, asked, self._budget)


def _planned(rules: Ruleset, drawn: Iterable[FurtherQuestion]) -> Iterator[Planned]:
    for one in {each.name: each for each in drawn}.values():
        title = same_text(one.name)
        yield table_case(one.rules or rules, one.operation, f"{_FURTHER_ID}{one.name}", title, one.input)


@lru_cache(maxsize=8)
def _suite_of(profile: str, reference: Reference) -> list[Planned]:
    return [*table_questions(load_cases(), reference.ruleset(profile), reference).asked]


@lru_cache(maxsize=8)
def _laid_out(profile: str, reference: Reference) -> list[Planned]:
    """Return the questions of a profile by which rules do not hide each other."""
    rules = reference.ruleset(profile)
    named = (
        (f"laid-out-{profile}-{place:04}", one) for place, one in enumerate(laid_out_questions(rules, EVERY_OPERATION))
    )
    return [table_case(rules, operation, name, same_text(name), question) for name, (operation, question) in named]


@cache
def _probes_of(variant: str) -> list[Planned]:
    """Return the small questions of a variant that somebody worked out."""
    small = (case for case in load_cases() if case.origin != "derived" and case.operation not in RECORDINGS)
    return [one for one in plan_own(small) if one.profile == variant]


_ASKING: Final = "asking"
_SEARCHING: Final = "searching"


_LABEL: Final = "searching for the rules that explain wrong answers"
# With fewer answers than this it takes longer to start another process.
_WORTH_A_PROCESS: Final = 400


# The profiles that were asked of one variant and its options, or one that the tester named, and the answers for them.
_Group = tuple[Sequence[Profile], Sequence[Observation]]


def explain(
    verdicts: Sequence[Verdict], answers: Mapping[str, Answer], reference: Reference, budget: IdentifyBudget = BUDGET
) -> list[Identified]:
    """Return what explains the wrong answers of each variant that has any; those of right programs are not searched.

    The seconds of the budget are shared out among the variants, or each would be waited for.
    """
    groups = list(_groups(verdicts, answers, reference))
    if not groups:
        return []
    each = replace(budget, seconds=budget.seconds / len(groups), jobs=budget.jobs if len(groups) == 1 else 1)
    many = sum(len(seen) for _, seen in groups) > _WORTH_A_PROCESS
    found = []
    with counting_bar(_LABEL, len(groups)) as advance:
        for one in in_processes(partial(_searched, each), groups, (os.cpu_count() or 1) if many else 1):
            found.append(one)
            advance(1)
    return found


def _searched(budget: IdentifyBudget, group: _Group) -> Identified:
    contexts, observations = group
    return Identification(observations, default_spec(), budget=budget).around(contexts)


def _groups(verdicts: Sequence[Verdict], answers: Mapping[str, Answer], reference: Reference) -> Iterator[_Group]:
    by_variant: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome not in _NOT_ASKED and verdict.planned.case.id in answers:
            by_variant.setdefault(verdict.planned.profile.variant, []).append(verdict)
    for told in by_variant.values():
        if all(verdict.outcome == "passed" for verdict in told):
            continue
        by_length = sorted(told, key=lambda one: len(one.planned.profile))
        asked = {one.planned.profile: one.planned.rules for one in by_length}
        profiles = [rules or reference.profile(name) for name, rules in asked.items()]
        numbers = {name: number for number, name in enumerate(asked)}
        cases = ((one.planned.case, numbers[one.planned.profile]) for one in told)
        yield profiles, [Observation.of_case(case, answers[case.id].message(), number) for case, number in cases]
