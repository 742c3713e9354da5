"""Wrong programs, drawn by lot or listed, of which it is known what is wrong: how many are noticed, and how well."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, median_high
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, Final, Literal, NoReturn, TypeVar

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, PROCESSES, echo, echo_json
from belot_conformance.contrast.probe import Budget, Probe, Rival, answered, is_other, proved_alike
from belot_conformance.explain.answers import Answered
from belot_conformance.explain.asking import identify_program
from belot_conformance.explain.common import common
from belot_conformance.explain.explanation import Explanation, RuleFinding
from belot_conformance.explain.lab import Lab
from belot_conformance.fuzz.fuzzing import Seen, Tabled
from belot_conformance.fuzz.shrinker import smallest_of
from belot_conformance.house_suite.drawn import again_questions
from belot_conformance.house_suite.planning import plan_run
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.house_suite.table import TableSuite, whole_table
from belot_conformance.mistakes.coded import KINDS, Asked, Kind
from belot_conformance.mistakes.killing import Row, load_matrix, suite_for, the_reference
from belot_conformance.mistakes.mutations import changed_profile, compile_changed, compile_mutant, load_faults, rival_of
from belot_conformance.programs.answer_book import AnswerBook, BookTarget
from belot_conformance.programs.collector import collect_seldom
from belot_conformance.programs.descendants import work_of_programs
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, put, reply_of
from belot_conformance.programs.target import FunctionTarget, Limits
from belot_conformance.programs.targets import TargetName, open_target
from belot_conformance.questions.operation import AnsweredQuestion
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import EVERY_OPERATION, Stream, random_questions
from belot_conformance.situations.views import Put, look
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import Expectation, differences, fields_apart
from belot_conformance.suite.selection import Selection
from belot_conformance.suite.verdicts import Planned, Verdict, judge_each
from belot_kernel.needed import need
from belot_reference.cards import CARD_BY_NAME
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import random_values
from belot_spec.errors import BelotError, UnplayableError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_workshop.impact.command import variants_named
from laboratory import lot
from laboratory.faults import FAULTS, CodedFault, spoiled
from laboratory.lot import RandomTable, TrialProgram, random_table

Result = TypeVar("Result")
Message = Mapping[str, Any]


@click.group()
def bars() -> None:
    """Count how many wrong programs are noticed, and how well."""


_ONE_VARIANT: Final = click.option(
    "--variant", callback=lambda _, __, name: name and variants_named("--variant", [name])[0],
    help="Draw only programs that play this variant, with or without options.",
)  # fmt: skip
_SEED: Final = click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")


def _number(name: str, default: int, text: str, least: int = 0) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(name, type=click.IntRange(min=least), default=default, show_default=True, help=text)


def _report(
    form: str,
    seed: int,
    found: Iterable[Result],
    lines: Callable[[Result], Iterable[str]],
    total: Callable[[Sequence[Result]], tuple[list[str], bool]],
) -> NoReturn:
    """Print each result as it comes and what comes of all; end with 0 if the bar is reached, with 1 if not."""
    results = []
    for one in found:
        results.append(one)
        for line in lines(one) if form == "text" else ():
            echo(line)
    said, is_met = total(results)
    if form == "json":
        echo_json({"seed": seed, "met": is_met, "tried": [asdict(one) for one in results]})  # type: ignore[call-overload]
    else:
        echo("\n".join(said))
    sys.exit(0 if is_met else EXIT_FAILED)


def _counted(label: str, number: int, found: Iterable[Result]) -> Iterator[Result]:
    with counting_bar(label, number) as advance:
        for one in found:
            yield one
            advance(1)


# Random house rules: the right program passes the suite, and every program fails that plays them but for one value of
# which an answer shows that it is another.  That is found out by questions that the suite did not draw.

# A value that no answer of so many deals by either rules shows counts as unobservable.
_INDEPENDENT_DEALS: Final = 60
_TRIES: Final = 4000
# A wrong program has failed with its first wrong answer.
_AT_ONCE: Final = 16


@dataclass(slots=True)
class TableResult:
    """What came of house rules: whether the right program passed, how many wrong ones failed, and which did not.

    Of the values that are no error, ``proved`` provably play the same game, and of ``unobservable`` no question was
    found that shows them. ``seconds`` are those of the first suite and of a second one.
    """

    name: str
    base: str
    rules: Mapping[str, Any]
    answers: Mapping[str, int]
    right_passes: bool
    seconds: tuple[float, float]
    caught: int = 0
    missed: list[dict[str, Any]] = field(default_factory=list)
    proved: int = 0
    unobservable: int = 0


@bars.command("tables")
@_number("--tables", 60, "House rules to draw.", least=1)
@_number("--mutants", 40, "Wrong programs for each.")
@_SEED
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Keep the rules here.")
@_ONE_VARIANT
@FORMAT
def tables_bar(tables: int, mutants: int, seed: int, keep: Path | None, variant: str | None, form: str) -> None:
    """Try the suite with house rules drawn by lot.

    Under each the right program must pass and all programs with one other value fail.
    """
    with TemporaryDirectory() as scratch:
        if form == "text":
            echo("table        rules  right   wrong: failed passed  first s  later s  w. out/derived/found")
        found = try_tables(keep or Path(scratch), tables, mutants, seed, variant)
        _report(form, seed, found, _table_lines, _tables_total)


def _table_lines(one: TableResult) -> Iterator[str]:
    answers = "/".join(str(one.answers[name]) for name in ("worked-out", "derived", "found"))
    yield (
        f"{one.name:<13}{len(one.rules):>5}  {'passes' if one.right_passes else 'FAILS':<6}{one.caught:>15}"
        f"{len(one.missed):>7}{one.seconds[0]:>9.1f}{one.seconds[1]:>9.1f}  {answers}"
    )
    for missed in one.missed:
        yield "  passed with {rule} {value!r}; {operation} shows it: {input}".format(**missed)


def _tables_total(found: Sequence[TableResult]) -> tuple[list[str], bool]:
    right, caught = sum(one.right_passes for one in found), sum(one.caught for one in found)
    missed = sum(len(one.missed) for one in found)
    proved, unseen = sum(one.proved for one in found), sum(one.unobservable for one in found)
    return [
        f"the right program passed at {right} of {len(found)} tables",
        f"{caught} of {caught + missed} wrong programs failed",
        f"{proved} more play the same game, as was proved; of {unseen} more no question was found that tells them",
    ], right == len(found) and not missed


def try_tables(folder: Path, tables: int, mutants: int, seed: int, variant: str | None = None) -> Iterator[TableResult]:
    """Yield what came of so many random tables, of any variant or of one, with so many wrong programs each."""
    for number in range(tables):
        random = Random(f"{seed} {number}")
        table = random_table(default_spec(), folder / f"table-{seed}-{number:02}.yaml", random, variant=variant)
        yield _try_table(table, mutants, random)


def _try_table(table: RandomTable, mutants: int, random: Random) -> TableResult:
    spec = default_spec()
    reference = Reference(extra_profiles=[str(table.path)])
    rules = reference.ruleset(table.profile.id)
    began = monotonic()
    suite = whole_table(load_cases(), rules, reference, EVERY_OPERATION)
    first, began = monotonic() - began, monotonic()
    whole_table(load_cases(), rules, reference, EVERY_OPERATION)
    passes, seconds = not _fails(suite.plan, rules), (round(first, 2), round(monotonic() - began, 2))
    tried = TableResult(
        table.path.stem,
        table.base,
        dict(table.values),
        {str(name): n for name, n in suite.provenances.items()},
        passes,
        seconds,
    )
    for rule, value, changed in _wrong_programs(table, spec, random):
        rival = Rival(changed, {rule: value})
        if tried.caught + len(tried.missed) == mutants:
            break
        # Questions whose answers rest on the rule come first.
        if _fails(sorted(suite.plan, key=lambda one, rule=rule: rule not in one.rests_on), changed):  # type: ignore[misc]
            tried.caught += 1
        elif proved_alike(rules, rival, spec):
            tried.proved += 1
        elif shown := _shown(suite, rules, rival, rule):
            tried.missed.append({"rule": rule, "value": value, "operation": shown.operation, "input": shown.input})
        else:
            tried.unobservable += 1
    return tried


def _wrong_programs(table: RandomTable, spec: Spec, random: Random) -> Iterator[tuple[str, Any, Ruleset]]:
    """Yield programs that play another value of one rule, each once, as long as there are any."""
    seen: list[tuple[str, Any]] = []
    settings = table.profile.settings
    for _ in range(_TRIES):
        rule = random.choice(sorted(settings))
        for value in random_values(spec.rules[rule], settings[rule].value, random, tries=1):
            if (rule, value) not in seen:
                seen.append((rule, value))
                with suppress(UnplayableError):
                    yield rule, value, compile_changed(table.profile, {rule: value}, spec)


def _fails(plan: Sequence[Planned], rules: Ruleset) -> bool:
    """Say whether a program that plays by these rules answers any question wrongly; the first one settles it."""
    hello = Reference().hello()
    target = FunctionTarget(hello, lambda operation, _, question: put(operation, rules, question).message())
    for start in range(0, len(plan), _AT_ONCE):
        asked = [replace(planned, asked_as=rules.profile.id) for planned in plan[start : start + _AT_ONCE]]
        if any(verdict.outcome != "passed" for verdict in judge_each(target, asked)):
            return True
    return False


def _shown(suite: TableSuite, rules: Ruleset, rival: Rival, rule: str) -> AnsweredQuestion | None:
    """Return a question, of others than the suite drew, to which the two rulesets answer otherwise.

    Of the operations whose questions consulted the rule before, if there are any.
    """
    consulting = frozenset(one.case.operation for one in suite.plan if rule in one.rests_on)
    budget = Budget(_INDEPENDENT_DEALS, Random(f"{rules.profile.id} {rule}").randrange(2, 1 << 30))
    drawn = (budget.questions(played, consulting or EVERY_OPERATION) for played in (rules, rival.rules))
    shown = (Probe(answered(rules, some), partial(is_other, reasons=True)).first(rival) for some in drawn)
    return next((one for one in shown if one is not None), None)


# Mistakes in the code that are no value of a rule, against the whole check of some profiles and of random tables.

_LONG_STREAM: Final = 20_000
# Of the observable faults so large a share may pass.
_MOST_PASSING: Final = 0.01
_PROFILES: Final = ("bela-4", "belotten", "open-belot", "contree", "coinche", "bulgarian-belot")


@dataclass(slots=True)
class FaultsResult:
    """Of one profile: the observable faults, and those that pass the cases alone and the whole check."""

    profile: str
    observable: list[str] = field(default_factory=list)
    pass_cases: list[str] = field(default_factory=list)
    passing: list[str] = field(default_factory=list)


@bars.command("faults")
@click.option(
    "--profile", "profiles", multiple=True, default=_PROFILES, show_default=True, help="Rules to try; repeat."
)
@_number("--tables", 6, "House rules drawn besides.")
@click.option("--variant", "variants", multiple=True, default=_PROFILES[3:], show_default=True,
              help="What these build on, in turn; repeat.")  # fmt: skip
@_SEED
@FORMAT
def faults_bar(profiles: tuple[str, ...], tables: int, variants: tuple[str, ...], seed: int, form: str) -> None:
    """Try mistakes that are no value of a rule.

    Of those that random questions show, under 1 % may pass a check.
    """
    with TemporaryDirectory() as scratch:
        _report(form, seed, try_faults(profiles, tables, Path(scratch), seed, variants), _fault_lines, _faults_total)


def _fault_lines(one: FaultsResult) -> Iterator[str]:
    yield (
        f"{one.profile}: of {len(FAULTS)} faults {len(one.observable)} are observable; "
        f"{len(one.pass_cases)} pass the cases, {len(one.passing)} the whole check"
    )
    yield from (f"  passes: {name}" for name in one.passing)


def _faults_total(found: Sequence[FaultsResult]) -> tuple[list[str], bool]:
    observable, passing = sum(len(one.observable) for one in found), sum(len(one.passing) for one in found)
    before = sum(len(one.pass_cases) for one in found)
    line = f"of {observable} observable faults {before} pass the cases, {passing} the whole check"
    return [line], passing < _MOST_PASSING * observable


def try_faults(
    profiles: Sequence[str], tables: int, folder: Path, seed: int, variants: Sequence[str]
) -> Iterator[FaultsResult]:
    """Yield what came of the faults under some profiles, and at tables drawn by lot of the variants in turn."""
    for profile in profiles:
        yield _try_faults(profile, Reference(), seed)
    for number in range(tables):
        path, random = folder / f"coded-{seed}-{number:02}.yaml", Random(f"coded {seed} {number}")
        table = random_table(default_spec(), path, random, variant=variants[number % len(variants)])
        yield _try_faults(table.profile.id, Reference(extra_profiles=[str(table.path)]), seed)


def _try_faults(profile: str, reference: Reference, seed: int) -> FaultsResult:
    rules = reference.ruleset(profile)
    stream, shown = Stream(rules, seed), list[Asked]()
    while len(shown) < _LONG_STREAM:
        shown += [Asked(one.operation, one.input, reference, profile, one.answer) for one in stream.round()]
    planning = plan_run(Selection(profile=profile), reference.hello(), reference)
    plan = [*planning.plan, *planning.drawn]
    asked = [
        Asked(case.operation, case.input, reference, profile, put(case.operation, rules, case.input).message())
        for case in (one.case for one in plan)
    ]
    found = FaultsResult(profile)
    for fault in FAULTS:
        if next(spoiled(fault, shown), None) is None:
            continue
        found.observable.append(fault.name)
        wrong = dict(spoiled(fault, asked))
        failed = [place for place, came in wrong.items() if _differs(plan[place], came)]
        if not any(place < len(planning.plan) for place in failed):
            found.pass_cases.append(fault.name)
        if not failed and not _differs_again(fault, plan, asked, wrong):
            found.passing.append(fault.name)
    return found


def _differs(planned: Planned, came: Message) -> bool:
    return bool(differences(planned.case.operation, planned.case.expected, reply_of("", came)))


def _differs_again(
    fault: CodedFault, plan: Sequence[Planned], asked: Sequence[Asked], wrong: Mapping[int, Message]
) -> bool:
    """Say whether one of the questions that are asked twice is answered otherwise the second time."""
    verdicts = [Verdict(one, "passed") for one in plan]
    came = {one.case.id: reply_of("", wrong.get(n, asked[n].right)) for n, one in enumerate(plan)}
    last = again_questions(verdicts, {name: reply for name, reply in came.items() if isinstance(reply, Reply)})
    right = {one.case.id: answer for one, answer in zip(plan, asked, strict=True)}
    second = [right[one.case.id.removeprefix("again-")] for one in last]
    changed = dict(spoiled(fault, [*asked, *second]))
    return any(_differs(one, changed.get(len(asked) + n, second[n].right)) for n, one in enumerate(last))


# What identify names of programs that hide rules, asked over the protocol.

# The share of the observable rules that is named exactly, the programs of which one may name a rule that is not played,
# and the seconds of the command's own processor, in the middle and at most.
_EXACT: Final = 0.95
_ONE_FALSE_IN: Final = 60
_MIDDLE: Final = 5.0
_MOST: Final = 10.0
_HEADINGS: Final = ("program", "hid", "obs", "exact", "tied", "other", "miss", "false", "wrong", "left", "own", "its")
_ROW: Final = "{:<32}{:>4}{:>4}{:>6}{:>5}{:>6}{:>5}{:>6}{:>6}{:>5}{:>6}{:>6}"
Outcome = Literal["exact", "tied", "other", "missed"]
# On a busy machine a program may be slow to start.
_LIMITS: Final = Limits(start=60, answer=60)


@dataclass(frozen=True, slots=True)
class Trial:
    """A program to try: its number in the lot of a seed, between how many values it hides, and its variant if named.

    It is served in a process of its own, or answers ``here``.
    """

    seed: int
    number: int
    sizes: tuple[int, int]
    variant: str | None = None
    here: bool = False

    @property
    def command(self) -> TargetName:
        """What serves the program."""
        words = [self.seed, self.number, *self.sizes] + [self.variant] * (self.variant is not None)
        return TargetName("command", (sys.executable, "-m", "laboratory.lot", *map(str, words)))


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one program.

    ``rules`` says of each observable rule what was named, ``false`` has what was named and is not so, with its value.
    ``before`` are the answers wrong by what it declares, ``left`` those that no rules explain, ``spoiled`` those that
    are another question's.
    """

    number: int
    declared: str
    operations: int
    hidden: Mapping[str, Any]
    rules: Mapping[str, Outcome]
    false: Mapping[str, Any]
    named: Mapping[str, Any]
    base: str
    before: int
    left: int
    spoiled: int
    tried: int
    is_cut: bool
    seconds: float
    program_seconds: float

    def count(self, outcome: Outcome) -> int:
        """Return of how many observable rules this came."""
        return sum(one == outcome for one in self.rules.values())


@bars.command("rules")
@_number("--programs", 60, "Programs to draw.", least=1)
@click.option(
    "--hidden", "sizes", type=(click.IntRange(min=1), click.IntRange(min=1)), default=(2, 12), metavar="LEAST MOST",
    show_default=True, help="Between how many other values each has, besides those of its options.",
)  # fmt: skip
@_number("--first", 0, "Number of the first of them.")
@_SEED
@click.option(
    "--here", is_flag=True, help="Let the programs answer in the process that asks: quicker, nearly the same."
)
@_ONE_VARIANT
@PROCESSES
@FORMAT
def rules_bar(programs: int, first: int, jobs: int, form: str, **drawn: Any) -> None:
    """Count how often identify names hidden rules.

    They are drawn by lot: house rules of any variant with any options. A third of them give another answer of the same
    operation in two of a hundred, a third answer only some operations. A rule is observable if, without it, an answer
    is another one to a question that the suite asks. Seconds are those of the processor, the command's own from its
    first import, the program's apart.
    """
    if form == "text":
        echo(_ROW.format(*_HEADINGS))
    trials = [Trial(number=number, **drawn) for number in range(first, first + programs)]
    # Each is asked in a process of its own, as a command is.
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        found = _counted("programs", programs, pool.map(try_one, trials))
        _report(form, drawn["seed"], found, _rule_lines, _rules_total)


def _rule_lines(one: Tried) -> Iterator[str]:
    yield _row(f"{one.number} {one.declared}", [one], (one.seconds, one.program_seconds))
    for rule, outcome in one.rules.items():
        if outcome != "exact":
            named = f", named {one.named[rule]}" if outcome == "other" else ""
            yield f"    {outcome}: {rule} is {one.hidden[rule]}{named}"
    for rule, value in one.false.items():
        yield f"    FALSE: {rule} is not {value}"


def _row(name: str, some: Sequence[Tried], seconds: tuple[float, float]) -> str:
    outcomes = [sum(one.count(outcome) for one in some) for outcome in ("exact", "tied", "other", "missed")]
    numbers = (
        sum(len(one.hidden) for one in some), sum(len(one.rules) for one in some), *outcomes,
        sum(len(one.false) for one in some), sum(one.before for one in some), sum(one.left for one in some),
    )  # fmt: skip
    return _ROW.format(name[:31], *numbers, *(f"{one:.1f}" for one in seconds))


def _rules_total(found: Sequence[Tried]) -> tuple[list[str], bool]:
    own = [one.seconds for one in found]
    middle, most = median_high(own), max(own)
    observable, exact = sum(len(one.rules) for one in found), sum(one.count("exact") for one in found)
    spoiled, programs = sum(one.spoiled for one in found), median_high(one.program_seconds for one in found)
    lines = [
        _row(f"{len(found)} programs, in the middle", found, (middle, programs)),
        f"exact: {exact} of {observable} observable ({100 * exact / max(1, observable):.1f} %)",
        f"own seconds: {middle:.1f} in the middle, {most:.1f} at most; {spoiled} answers were spoiled",
    ]
    few_false = sum(len(one.false) for one in found) <= max(1, len(found) // _ONE_FALSE_IN)
    return lines, exact >= _EXACT * observable and few_false and middle <= _MIDDLE and most <= _MOST


def try_one(trial: Trial) -> Tried:
    """Ask one program for its rules; to draw it is no part of the seconds, and to begin is."""
    collect_seldom()
    default_spec()
    before = process_time()
    drawn = lot.draw(trial.seed, trial.number, trial.sizes, trial.variant)
    before = process_time() - before
    opened = drawn.program.target() if trial.here else open_target(trial.command, _LIMITS)
    with BookTarget(opened, AnswerBook()) as target:
        [inquiry] = identify_program(target, Reference(), began=before)
        seconds, program_seconds = process_time() - before, drawn.program.seconds or work_of_programs()
    found, (observable, spoiled) = inquiry.found, observed(drawn)
    judged = Judged(drawn, found)
    return Tried(
        trial.number,
        drawn.declared.id,
        len(drawn.program.operations),
        drawn.hidden,
        {rule: judged.outcome(rule) for rule in observable},
        {rule: value for rule, value in judged.named.items() if judged.is_false(rule, observable)},
        judged.named,
        found.base.id,
        len(found.asked_wrong),
        found.left,
        spoiled,
        found.tried,
        found.is_cut,
        round(seconds - drawn.program.seconds, 2),
        round(program_seconds, 2),
    )


def observed(drawn: lot.Drawn) -> tuple[list[str], int]:
    """Return the rules without which an answer is another one that is not spoiled, and how many answers are spoiled.

    Of what a rule cannot be taken out alone, that goes with it is taken out too.
    """
    reference, program = the_reference(), drawn.program
    planned = table_questions(load_cases(), reference.ruleset(drawn.declared.id), reference).asked
    asked = [one.case for one in planned if one.case.operation in program.operations]
    clean = [one for one in asked if not program.is_spoiled(one.operation, one.input)]
    lab = Lab([drawn.declared], reference.spec)
    for one in clean:
        came = put(one.operation, program.rules, one.input).message()
        if "error" not in came:  # else no answer by any rules
            lab.add([Answered(one.operation, one.input, one.id, came, expected=one.expected)])
    slots = {rule: lab.slot(0, rule) for rule in drawn.hidden}
    full = lab.changed(lab.base, {slots[rule]: value for rule, value in drawn.hidden.items()})
    found = []
    for rule in drawn.hidden:
        without = lab.without(full, slots[rule])
        if lab.is_playable(without) and lab.wrong_by(without) - lab.wrong_by(full):
            found.append(rule)
    return found, len(asked) - len(clean)


@dataclass
class Judged:
    """What was found of a program, held against what it plays."""

    drawn: lot.Drawn
    found: Explanation
    named: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        declared, [played] = self.drawn.declared, self.found.played
        self.named = {one.rule: one.value for one in self.found.findings}
        if self.found.base.id.variant == declared.id.variant:
            for rule, one in self.found.base.settings.items():
                if played.plays(rule, one.value) and not declared.plays(rule, one.value):
                    self.named[rule] = one.value

    def outcome(self, rule: str) -> Outcome:
        """Say what was named of an observable rule."""
        value = self.drawn.hidden[rule]
        if self.found.played[0].plays(rule, value) or self._is_proved(rule):
            return "exact"
        if any(self._ties(one, rule, value) for one in self.found.findings):
            return "tied"
        return "other" if rule in self.named else "missed"

    def is_false(self, rule: str, observable: list[str]) -> bool:
        """Say whether a rule is named that is not hidden, or that no answer shows with a value that is not played."""
        rules, value = self.drawn.program.rules, self.named[rule]
        if rule in observable or rules.profile.plays(rule, value) or self._is_proved(rule):
            return False
        hidden = self.drawn.hidden.items()
        return not any(one.rule == rule and self._ties(one, *other) for one in self.found.findings for other in hidden)

    def _ties(self, one: RuleFinding, rule: str, value: Any) -> bool:
        tied = [(one.rule, each) for each in one.values] + [*one.alike]
        return (rule, canonical(value)) in [(name, canonical(each)) for name, each in tied]

    def _is_proved(self, rule: str) -> bool:
        """Say whether a rule, alone or with those of its kind, provably says the same as what is played."""
        spec, true, played = default_spec(), self.drawn.program.rules, self.found.played[0]
        other = Rival.of(true, compile_profile(played)).values
        same_kind = [one for one in other if spec.rules[one].shape is spec.rules[rule].shape]
        for values in (
            {rule: other.get(rule)},
            {one: other[one] for one in same_kind},
            # A rule in place of another one, or of several that then matter no more.
            *({rule: other.get(rule), one: other[one]} for one in other if one != rule),
        ):
            with suppress(BelotError):
                named = {one: value for one, value in values.items() if value is not None}
                rival = Rival.of(true, compile_profile(changed_profile(true.profile, named, spec)))
                if rule in rival.values and proved_alike(true, rival, spec):
                    return True
        return False


# What the wrong answers of a program have in common whose mistake is no rule, and whether it is so of other questions.

_DRAWN: Final = 1500
_ROUNDS: Final = 60
_LONG_ROUNDS: Final = 120
# What may come of a mistake, the worst first.
_VERDICTS: Final = ("untrue", "nothing", "mostly", "wherever")
# So large a share of the fresh questions of which it is said must be wrong.
_HOLDS: Final = {"mostly": 0.5, "wherever": 0.8}
# The seeds of the questions from which is worked out what is shared, and of those that it is held against.
_SEED_OF_ASKED: Final = 7
_SEED_OF_FRESH: Final = 8
# Of all mistakes something true is said, and of all "wherever".
_TRUE: Final = 2 / 3
_WHEREVER: Final = 1 / 2


@dataclass(frozen=True, slots=True)
class SharedResult:
    """What is said of the wrong answers of one mistake, and how many of the fresh questions with it are wrong."""

    name: str
    variant: str
    operation: str
    is_held_out: bool
    verdict: str
    wrong: int
    sentence: str = ""
    fresh_wrong: int = 0
    fresh: int = 0
    seconds: float = 0.0


@bars.command("mistakes")
@click.argument("words", nargs=-1)
@FORMAT
def mistakes_bar(words: tuple[str, ...], form: str) -> None:
    """Say what the wrong answers of programs share.

    Of two mistakes in three something must be said that holds of other questions too, of half "wherever", those held
    out among them. With WORDS only those are asked whose names have them.
    """
    kinds = [kind for kind in KINDS.values() if all(word in kind.name for word in words)]
    found = (min(_ask_kind(kind), key=lambda one: -_VERDICTS.index(one.verdict)) for kind in kinds)
    _report(form, _SEED_OF_ASKED, found, _shared_lines, _shared_total)


def _shared_lines(one: SharedResult) -> Iterator[str]:
    held_out = ", held out" if one.is_held_out else ""
    yield f"{one.verdict}: {one.name} ({one.variant}, {one.operation}{held_out})"
    if one.sentence:
        yield f"  {one.sentence}; of others {one.fresh_wrong} of {one.fresh}; {one.seconds:.2f} s"
    else:
        yield f"  nothing is said of {one.wrong} wrong answers"


def _shared_total(found: Sequence[SharedResult]) -> tuple[list[str], bool]:
    lines = []
    for held_out in (False, True):
        verdicts = Counter(one.verdict for one in found if one.is_held_out == held_out)
        listed = ", ".join(f"{verdict} {verdicts[verdict]}" for verdict in reversed(_VERDICTS))
        lines.append(f"{verdicts.total()} kinds{' held out' if held_out else ''}: {listed}")
    both = Counter(one.verdict for one in found)
    true = both["wherever"] + both["mostly"]
    return lines, true >= _TRUE * len(found) and both["wherever"] >= _WHEREVER * len(found)


def _ask_kind(kind: Kind) -> Iterator[SharedResult]:
    """Yield what is said of a kind's answers to each operation that it has wrong answers to."""
    variant = load_faults()[kind.name].variant
    for operation in kind.operations:
        about = (kind.name, variant, operation, kind.is_held_out)
        wrong, right = _judged(kind, _asked(variant, operation))
        began = process_time()
        shared = common(wrong, right) if wrong else None
        seconds = round(process_time() - began, 2)
        if shared is None:
            yield SharedResult(*about, "nothing", len(wrong))
            continue
        more, others = _judged(kind, _drawn(variant, operation, _SEED_OF_FRESH))
        fresh_wrong = sum(shared.situation.holds(look(one)) for one in more)
        fresh = fresh_wrong + sum(shared.situation.holds(look(one)) for one in others)
        said = "wherever" if shared.is_always else "mostly"
        verdict = said if fresh_wrong >= _HOLDS[said] * fresh else "untrue"
        yield SharedResult(*about, verdict, len(wrong), str(shared.sentence), fresh_wrong, fresh, seconds)


def _judged(kind: Kind, puts: Sequence[Put]) -> tuple[list[Put], list[Put]]:
    wrong, right = list[Put](), list[Put]()
    for one in puts:
        asked = Asked(one.operation, one.input, the_reference(), one.rules.profile.id, one.answer)
        (wrong if fields_apart(one.operation, one.answer, kind.answer(asked)) else right).append(one)
    return wrong, right


@cache
def _asked(profile: str, operation: str) -> Sequence[Put]:
    """Return the cases that hold for a profile and questions by lot, each with the right answer."""
    suite = suite_for(profile, load_cases(), the_reference())
    cases = [one.case.input for one in suite.planned if one.profile == profile and one.case.operation == operation]
    return [*_answered(profile, operation, cases), *_drawn(profile, operation, _SEED_OF_ASKED)]


@cache
def _drawn(profile: str, operation: str, seed: int) -> Sequence[Put]:
    rounds = _LONG_ROUNDS if OPERATIONS[operation].is_long else _ROUNDS
    found = random_questions(the_reference().ruleset(profile), rounds, seed, [operation])
    return _answered(profile, operation, [one.input for one in islice(found, _DRAWN)])


def _answered(profile: str, operation: str, questions: Sequence[Mapping[str, Any]]) -> list[Put]:
    rules = the_reference().ruleset(profile)
    messages = [(one, the_reference().reply(operation, profile, one)) for one in questions]
    return [Put(operation, question, rules, message) for question, message in messages if "error" not in message]


# After how many random questions each mutant is found that a case notices, and by how small a one.  They are those of
# ``belot fuzz`` with one seed; for one that only cases of an option notice, of that option.

_FEW: Final = 2_000
# The share that has to be found within few questions, and how many more cards or actions an example may have.
_SOON: Final = 0.95
_MORE: Final = 1
# Questions that show a program's mistake are looked for among so many.
_LOOKED_AT: Final = 4_000


@dataclass(frozen=True, slots=True)
class FuzzResult:
    """One wrong program: the number of the question that found it, ``None`` if none did.

    ``pieces`` are the cards and actions of the smallest question shown for it, ``known`` those of the smallest case
    that notices it; ``None`` where nothing was made smaller.
    """

    profile: str
    rule: str
    change: str
    first: int | None
    operation: str = ""
    pieces: int | None = None
    known: int | None = None

    @property
    def is_large(self) -> bool:
        """Whether the question shown for it is larger than it need be."""
        return self.pieces is not None and self.known is not None and self.pieces > self.known + _MORE


@dataclass(frozen=True, slots=True)
class FuzzShare:
    """The wrong programs that one profile's questions are put to, and of which of them the example is made smaller."""

    profile: str
    mutants: tuple[str, ...]
    seed: int
    most: int
    shrunk: frozenset[str]


@bars.command("fuzz")
@click.option("--profile", "profiles", multiple=True, help="Only wrong programs of this profile; may be repeated.")
@_number("--questions", 20_000, "At most so many.", least=_FEW + 1)
@_number("--shrink", 200, "Examples to make smaller.")
@_SEED
@PROCESSES
@FORMAT
def fuzz_bar(profiles: tuple[str, ...], questions: int, shrink: int, seed: int, jobs: int, form: str) -> None:
    """Say how soon belot fuzz finds wrong programs.

    Its questions are put to every mutant that a case notices, common mistakes among them. All must be found, 95 of 100
    within 2,000 questions, and no example may have more than one card or action more than the smallest case that
    notices the same.
    """
    shares = fuzz_shares(profiles, seed, questions, shrink)
    tried = _counted("profiles", len(shares), in_processes(_try_share, shares, jobs))
    _report(form, seed, (one for some in tried for one in some), _fuzz_lines, _fuzz_total)


def _fuzz_lines(one: FuzzResult) -> Iterator[str]:
    if one.first is None:
        yield f"! not found: {one.profile} {one.rule}: {one.change}"
    if one.is_large:
        yield f"! large: {one.profile} {one.rule}: {one.change} ({one.operation}: {one.pieces}, case {one.known})"


def _fuzz_total(found: Sequence[FuzzResult]) -> tuple[list[str], bool]:
    numbers = sorted(one.first for one in found if one.first is not None)
    soon, large = sum(number <= _FEW for number in numbers), sum(one.is_large for one in found)
    shrunk = sum(one.pieces is not None and one.known is not None for one in found)
    middle, most = (numbers[len(numbers) // 2], numbers[-1]) if numbers else (0, 0)
    lines = [
        f"{len(numbers)} of {len(found)} wrong programs found, {soon} within {_FEW:,} questions",
        f"by question {middle:,} in the middle, {most:,} at most",
        f"of {shrunk} examples made smaller, {shrunk - large} are at most one piece larger than the smallest case",
    ]
    return lines, len(numbers) == len(found) and soon >= _SOON * len(found) and not large


def fuzz_shares(profiles: Sequence[str], seed: int, most: int, sample: int) -> list[FuzzShare]:
    """Return what is tried, profile by profile; of so many programs, drawn by lot, the example is made smaller."""
    rows = [row for row in load_matrix().rows.values() if row.killed_by]
    wanted = [row for row in rows if not profiles or row.mutant.profile in profiles or _asked_by(row) in profiles]
    drawn = Random(f"fuzz bar {seed}").sample(wanted, min(sample, len(wanted)))
    shrunk = frozenset(row.mutant.id for row in drawn)
    shared: dict[str, list[str]] = {}
    for row in wanted:
        shared.setdefault(_asked_by(row), []).append(row.mutant.id)
    return [FuzzShare(name, tuple(ids), seed, most, shrunk) for name, ids in shared.items()]


def _asked_by(row: Row) -> str:
    """Return the profile by whose questions a mutant is looked for: its own if any case of that notices it."""
    profiles = sorted(_profiles_of_cases()[case] for case in row.killed_by)
    return row.mutant.profile if row.mutant.profile in profiles else profiles[0]


@cache
def _profiles_of_cases() -> Mapping[str, str]:
    return {case.id: case.profile for case in load_cases()}


def _try_share(share: FuzzShare) -> list[FuzzResult]:
    rules = Reference().ruleset(share.profile)
    left, found = [load_matrix().rows[name] for name in share.mutants], list[FuzzResult]()
    stream, drawn = Stream(rules, share.seed), list[AnsweredQuestion]()
    for most in (_FEW, share.most):
        before = len(drawn)
        while len(drawn) < most:
            drawn += stream.round()
        probe, numbers = Probe(drawn[before:]), {id(one): number for number, one in enumerate(drawn, 1)}
        shown = [probe.first(rival_of(row.mutant, rules.profile, default_spec())) for row in left]
        tried = [(row, None if one is None else numbers[id(one)]) for row, one in zip(left, shown, strict=True)]
        found += [_fuzz_result(row, first, rules, drawn, share) for row, first in tried if first is not None]
        left = [row for row, first in tried if first is None]
        if not left:
            break
    return found + [FuzzResult(share.profile, row.mutant.rule, row.mutant.change, None) for row in left]


def _fuzz_result(
    row: Row, first: int, rules: Ruleset, drawn: Sequence[AnsweredQuestion], share: FuzzShare
) -> FuzzResult:
    mutant = row.mutant
    about = (share.profile, mutant.rule, mutant.change, first)
    if mutant.id not in share.shrunk:
        return FuzzResult(*about)
    changed = compile_mutant(mutant, rules.profile, default_spec())
    until = max(first, min(_LOOKED_AT, len(drawn)))
    readers = [place for place in range(until) if not drawn[place].rules.isdisjoint(mutant.values)]
    wrong = [seen for place in readers if (seen := _seen(place, drawn[place], rules, changed)).fields]
    smallest = smallest_of(TrialProgram(changed.profile.id, changed).target(), wrong)
    known = _smallest_case(row, smallest.operation, rules)
    return FuzzResult(*about, smallest.operation, _pieces(smallest.input), known)


def _seen(place: int, one: AnsweredQuestion, rules: Ruleset, changed: Ruleset) -> Seen:
    came = reply_of("", put(one.operation, changed, one.input).message())
    expected = Expectation.of(one.operation, one.answer)
    fields = expected.apart(one.operation, came.message())
    table = Tabled(rules, rules.profile.id)
    return Seen(
        one.operation, one.input, one.answer, one.rules,
        number=place + 1, table=table, expected=expected, came=came, fields=fields,
    )  # fmt: skip


def _smallest_case(row: Row, operation: str, rules: Ruleset) -> int | None:
    """Return how large the smallest case is that notices a mutant, of the same operation if there is one.

    A case of another game that these rules could not ask is none: a trick of two cards says nothing of one of four.
    """
    killing = (case for case in load_cases() if case.id in row.killed_by)
    cases = [case for case in killing if OPERATIONS[case.operation].is_wellformed(rules, case.input)]
    alike = [case for case in cases if case.operation == operation] or cases
    return min((_pieces(case.input) for case in alike), default=None)


def _pieces(question: Any) -> int:
    """Return how many cards and actions there are in a question."""
    if isinstance(question, Mapping):
        return ("seat" in question) + sum(map(_pieces, question.values()))
    if isinstance(question, list):
        return sum(map(_pieces, question))
    return question in CARD_BY_NAME if isinstance(question, str) else 0


# A log judged by one worker of a cluster and by two.

_FASTER: Final = 1.7


@bars.command("audit")
@_number("--deals", 200_000, "Whole deals in the log.", least=1)
def audit_bar(deals: int) -> None:
    """Judge a log by one worker of a cluster and by two.

    Two must be at least 1.7 times as fast as one, and every run, one that loses a worker in the middle too, must say
    what this machine says alone. Needs the extra [cluster] and a quiet machine; the log is kept in build/audit.
    """
    need("distributed", "belot lab bars audit", "cluster")
    from laboratory.audit_bar import Judged, judged_in_turn, log_of

    def lines(one: Judged) -> Iterator[str]:
        said = "says the same" if one.is_same else "! says something else"
        yield f"{one.by}: {one.seconds:.1f} s, {deals / one.seconds:,.0f} deals a second; {said}"

    def total(found: Sequence[Judged]) -> tuple[list[str], bool]:
        times = {by: [one.seconds for one in found if one.by == by] for by in ("one worker", "two workers")}
        ratio = median(one / two for one, two in zip(*times.values(), strict=True))
        is_met = ratio >= _FASTER and all(one.is_same for one in found)
        return [f"two workers are {ratio:.2f} times as fast as one"], is_met

    _report("text", 1, judged_in_turn(log_of(deals)), lines, total)


# The kernel held against the engine, field by field.


@bars.command("kernel")
@_number("--deals", 200_000, "Of each variant.")
@_number("--others", 5_000, "Of each other profile.")
@_number("--overlays", 50, "House rules to draw.")
@_SEED
@click.option("--variant", "variants", multiple=True, help="Only this one and what builds on it; may be repeated.")
@PROCESSES
def kernel_bar(deals: int, others: int, overlays: int, seed: int, variants: tuple[str, ...], jobs: int) -> None:
    """Compare the kernel with the engine, field by field.

    By variants, options, and house rules drawn by lot. Half of them are played by random players, half by sensible
    ones. Needs the extra [fast]. No deal may differ.
    """
    need("numba", "belot lab bars kernel")
    from belot_workshop.impact.kernel import make_ready
    from laboratory.kernel_bar import Compared, compare_share, shares_of

    def lines(one: Compared) -> Iterator[str]:
        name, share = Path(one.share.profile).stem, one.share
        yield f"{name}, {share.player}, seed {share.seed}: " + (one.why_not or f"{one.deals:,} deals")
        yield from one.differing[:3]

    def total(found: Sequence[Compared]) -> tuple[list[str], bool]:
        differing = sum(len(one.differing) for one in found)
        line = f"{sum(one.deals for one in found):,} deals of {len(profiles)} profiles compared: {differing} differ"
        return [line], not differing

    make_ready()
    with TemporaryDirectory() as folder:
        profiles = _kernel_profiles(variants, (deals, others, overlays), seed, Path(folder))
        shares = shares_of(profiles, seed)
        found = _counted("shares", len(shares), in_processes(compare_share, shares, jobs))
        _report("text", seed, found, lines, total)


def _kernel_profiles(variants: Sequence[str], numbers: tuple[int, int, int], seed: int, folder: Path) -> dict[str, int]:
    spec, (deals, others, overlays) = default_spec(), numbers
    wanted = variants_named("--variant", variants)
    profiles = dict.fromkeys(wanted, deals)
    profiles |= {ProfileName.of(variant, option): others for variant in wanted for option in spec.options_of(variant)}
    tables = (random_table(spec, folder / f"lot-{number}.yaml", Random(f"{seed} {number}")) for number in count())
    drawn = (table for table in tables if ProfileName(table.base).variant in wanted)
    profiles |= {str(table.path): others for table in islice(drawn, overlays)}
    return {profile: number for profile, number in profiles.items() if number}
