"""The command ``belot check``: put the cases to a program."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from belot_conformance.cli.common import (
    BRIEF,
    COPIES,
    COPIES_NOW,
    EXIT_FAILED,
    EXIT_PART,
    SAMPLE_NOW,
    SECONDS,
    TargetCommand,
    asked_with_options,
    asking_options,
    echo_json,
    exit_after_reports,
    given_options,
    named_target,
    number_option,
    opened_target,
    selection_options,
)
from belot_conformance.explain.asking import answers_of, explain_checked
from belot_conformance.explain.budget import BUDGET
from belot_conformance.explain.nearest import nearest_notes
from belot_conformance.fuzz.shrinker import with_smaller
from belot_conformance.house_suite.drawn import DRAWN_EACH, again_questions
from belot_conformance.house_suite.planning import plan_run
from belot_conformance.programs.answer_book import AnswerBook, BookTarget
from belot_conformance.programs.progress import progress_bar, waiting
from belot_conformance.programs.protocol import suite_version
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.programs.targets import TargetName
from belot_conformance.reports.expected import (
    ExpectedFile,
    hold_against,
    print_expected,
    read_expected,
    updated,
    with_skips,
)
from belot_conformance.reports.files import report_files, write_reports
from belot_conformance.reports.report import Run, as_json
from belot_conformance.reports.scores import scores_told
from belot_conformance.reports.terminal import print_report
from belot_conformance.suite.baselines import OWN, baseline_scores, score_of
from belot_conformance.suite.selection import Selection
from belot_conformance.suite.verdicts import Askable, Planned, Verdict, judge, judge_all, with_reasons
from belot_conformance.text.template import tell
from belot_conformance.text.terminal import TerminalPage
from belot_spec.spec import Spec

# The options that make a difference to how one case is asked and judged.
_ASKED_WITH: Final = ("profile", "deadline", "start", "reasons", "drawn")
_DRAWN_HELP: Final = "Questions by lot to end with, the same each time; 0 leaves out all that is no case."
# Whoever checks waits half as long again for what explains the wrong answers, or so many seconds.
_LEAST_SECONDS: Final = 4.0
_SECONDS_HELP: Final = (
    "How long the processor may search for the rules that explain wrong answers; unless told otherwise, half of what "
    "the check took, and at least 4."
)
_EXPECTED_HELP: Final = "Failures that are expected; one that is listed does not fail the run."


@click.command(cls=TargetCommand, renamed={**COPIES_NOW, **SAMPLE_NOW})
@selection_options
@number_option("--max-faults", "Crashes, broken and late replies after which it is given up.", 20)
@COPIES
@click.option("--reasons", is_flag=True, help="Also compare the rules behind refusals and illegal cards.")
@click.option("--expected", "expected_path", type=click.Path(path_type=Path), metavar="FILE", help=_EXPECTED_HELP)
@click.option("--update-expected", is_flag=True, help="Write that FILE anew, so that it says what the program does.")
@click.option("--baselines", "with_baselines", is_flag=True, help="Show the scores of programs that know nothing too.")
@number_option("--show", "Failures to print in full.", 10, least=0)
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FILE",
    help="Also write a report: .json, .xml (JUnit), .html or .md; or KIND:FILE, as in junit:out; may be repeated.",
)
@number_option("--drawn", _DRAWN_HELP, DRAWN_EACH, least=0)
@BRIEF
@click.option("--allow-incidents", is_flag=True, help="Pass even if the program crashes and no case can be blamed.")
@click.option("--seconds", type=SECONDS, help=_SECONDS_HELP)
@click.option("--no-search", is_flag=True, help="Say what is wrong, and search for no rules that explain it.")
@asking_options
def check(context: click.Context, /, target: str | None, selection: Selection, **given: Any) -> None:
    """Put the cases to a program and say what is wrong with it.

    TARGET is the word "reference" for the engine in this process, "--" and the command of a program that speaks the
    protocol, an address (http://…, https://…) where one listens, or python:MODULE:NAME for a Python object. With
    --profile everything is asked and judged by those rules, whatever the program calls itself. Exit code: 0 all
    passed, 1 something failed, 2 wrong usage or a faulty spec, 3 the program could not be started or reached, or shook
    hands wrongly, 4 all passed but rules of --profile stay untested because the program does not declare what would
    show them.
    """
    given["limits"] = replace(given["limits"], faults=given["max_faults"])
    files = report_files(given["reports"])
    name = named_target(context, target)
    expected = _expected_file(given["expected_path"], selection, is_written=given["update_expected"])
    asked_with = (*given_options(context, _ASKED_WITH), *name.arguments)
    reference = reference_for(selection.profile)
    run = _run(name, selection, given, expected, asked_with, reference)
    run = replace(run, asked=asked_with_options(context), target=name.arguments)
    unwritten = write_reports(files, run, reference.spec)
    _print(run, selection, given, reference.spec)
    exit_after_reports(unwritten, _exit_code(run, selection))


def _exit_code(run: Run, selection: Selection) -> int:
    """Return how the run ended as an exit code.

    Whoever names the rules wants to know whether the program plays by them all; whoever chose a part of the questions,
    or asks a program about what it declares, knows that this is a part.
    """
    if not run.passed:
        return EXIT_FAILED
    return EXIT_PART if run.part and selection.profile is not None and not selection.narrows else 0


def _run(
    name: TargetName,
    selection: Selection,
    given: dict[str, Any],
    expected: ExpectedFile | None,
    asked_with: tuple[str, ...],
    reference: Reference,
) -> Run:
    """Open the target, ask it what the selection leaves for what it declares, and judge the answers."""
    began, work, reasons = time.monotonic(), time.process_time(), given["reasons"]
    opened = opened_target(name, given["limits"], reference, given["copies"])
    # Asked for everything, with the book in which belot identify finds its answers.
    with BookTarget(opened, AnswerBook.of(name, opened.hello, asks_again=True)) as target:
        planning = plan_run(selection, target.hello, reference, given["drawn"])
        plan, last = (_completed(some, expected, reasons, reference) for some in (planning.plan, planning.drawn))
        number = sum(map(Askable(target.hello).is_declared, (*plan, *last)))
        with progress_bar("asking", number) as answered:
            asked = judge_all(target, [*plan, *last], answered, reasons)
            told = asked if given["no_search"] else with_smaller(opened, asked, target.answers, reference)
        verdicts = [*told, *(_asked_again(target, asked) if given["drawn"] and last else ())]
        # The search compares whole answers, and of what may be said not all is expected of who does not know all.
        whole = [one for one in asked if not (target.hello.shape.knows and _has_choices(one))]
        searched = () if given["no_search"] else whole
        half = round((time.process_time() - work) / 2, 1)
        budget = replace(BUDGET, seconds=given["seconds"] or max(_LEAST_SECONDS, half))
        explained = explain_checked(searched, target.answers, reference, target, budget)
        notes = [*planning.notes, *([] if given["no_search"] else _nearest(target, whole, reference))]
        hello, incidents = target.hello, target.incidents
    checked, scores = None, None
    if expected is not None:
        profile = verdicts[0].planned.profile if selection.profile else None
        checked = hold_against(expected, verdicts, profile, selection.narrows)
        checked = updated(checked, profile) if given["update_expected"] else checked
        verdicts = list(checked.verdicts)
    of_cases, seconds = verdicts[: len(plan)], time.monotonic() - began
    if given["with_baselines"]:
        scores = {OWN: score_of(of_cases), **baseline_scores(plan, reference, hello)}
    return Run(
        hello,
        name.text,
        suite_version(),
        of_cases,
        incidents,
        seconds,
        asked_with,
        expected=checked,
        baselines=scores,
        explained=explained,
        tables=planning.tables,
        notes=notes,
        part=planning.part,
        narrowed=selection.narrows,
        incidents_allowed=given["allow_incidents"],
        drawn=verdicts[len(plan) :],
        situations=planning.situations,
    )


def _print(run: Run, selection: Selection, given: dict[str, Any], spec: Spec) -> None:
    if given["form"] == "json":
        echo_json(as_json(run, spec))
        return
    page = TerminalPage()
    print_report(page, run, spec, given["show"], brief=given["brief"])
    if run.expected is not None and not given["brief"]:
        print_expected(page, run.expected, selection.narrows)
    if run.baselines is not None:
        tell(page, "scores.j2", **scores_told(run.baselines))


def _expected_file(path: Path | None, selection: Selection, *, is_written: bool) -> ExpectedFile | None:
    """Read the file of expected failures before anything is asked; raises ``SpecError`` for a faulty one."""
    if path is None:
        if is_written:
            raise click.UsageError("--update-expected says to write the file of --expected FILE; name one")
        return None
    if is_written and selection.narrows:
        raise click.UsageError(f"--update-expected needs the outcome of all cases; leave out {selection.narrowing}")
    return read_expected(path, may_be_missing=is_written)


def _completed(
    plan: Sequence[Planned], expected: ExpectedFile | None, reasons: bool, reference: Reference
) -> list[Planned]:
    """Return the plan with what is to be skipped, and with the rules that refuse where they are asked for."""
    if expected is not None:
        plan = with_skips(plan, expected)
    if reasons:
        plan = with_reasons(plan, reference)
    return list(plan)


def _nearest(target: BookTarget, verdicts: Sequence[Verdict], reference: Reference) -> Iterator[str]:
    """Yield which variant a program seems to play, where it names none or its answers fit another one."""
    answers = answers_of(verdicts, target.answers)
    by_profile = ((planned.rules or reference.profile(planned.profile), one) for planned, one in answers)
    yield from nearest_notes(target, by_profile, reference)


def _has_choices(verdict: Verdict) -> bool:
    return any("choices" in one.fields for one in verdict.planned.case.expected)


def _asked_again(target: BookTarget, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Ask some questions a second time, and hold the answers against the first ones: whoever remembers may differ."""
    planned = again_questions(verdicts, target.answers)
    with waiting("asking some questions a second time"):
        answers = target.ask_anew([one.request() for one in planned])
    return [judge(one, answers[one.case.id]) for one in planned]
