"""The command ``belot audit``: judge deals and matches that were really played."""

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    FORMAT,
    JOBS,
    SECONDS,
    RenamingCommand,
    asked_with_options,
    exit_after_reports,
    given_options,
    number_option,
    tell_page,
)
from belot_conformance.explain.budget import BUDGET
from belot_conformance.explain.records import Audited, NoAnswersError, Recorded, explain_records, is_read_again
from belot_conformance.logs.audit import (
    RecordVerdict,
    judged_on_cluster,
    judged_records,
    passed,
    sole_reason,
    words,
)
from belot_conformance.logs.records import LogLine, lines_of
from belot_conformance.logs.shares import files_in
from belot_conformance.programs.process_pool import on_cluster
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.protocol import PROTOCOL_VERSION, Hello, suite_version
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.reports.files import report_files, write_reports
from belot_conformance.reports.report import Run, as_json
from belot_conformance.reports.terminal import print_report
from belot_conformance.suite.verdicts import Verdict, count
from belot_kernel.needed import need
from belot_spec.errors import Problem, SpecError, refuse

_SECONDS_HELP: Final = "How long the processor may search for the rules that explain wrong records."


@click.command(cls=RenamingCommand, renamed={"--max-faults": "--max-wrong"})
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--profile", help="The rules by which all of it is judged; left out, those that each record names.")
@JOBS
@number_option("--line", "Judge this line alone.")
@number_option("--max-wrong", "Wrong records after which it is given up.", 1000)
@number_option("--show", "Wrong records to print.", 10, least=0)
@click.option("--seconds", type=SECONDS, default=BUDGET.seconds, show_default=True, help=_SECONDS_HELP)
@click.option("--no-search", is_flag=True, help="Say what is wrong, and search for no rules that explain it.")
@click.option("--scheduler", metavar="ADDRESS", help="Judge on the Dask cluster at this address (extra [cluster]).")
@click.option("--report", "reports", multiple=True, metavar="FILE", help="Also write a report, as belot check does.")
@FORMAT
@click.pass_context
def audit(context: click.Context, /, files: tuple[Path, ...], **given: Any) -> None:
    """Judge recorded deals and matches: no adapter, only a log.

    FILE holds JSON Lines or deals in the notation, packed with gzip or not, or it is a folder of such files; - is
    stdin. A line is a request of the protocol with its reply in one object, {"profile": …, "input": {…}, "result": {…}}
    (spec/schema/record.schema.json); what the log does not have is left out, and only what is there is compared. The
    rules that explain wrong records are searched for in some of them, in files that can be read again. Exit code: 0 all
    is right, 1 something is wrong, 2 wrong usage or a line that is no record; the others are judged all the same.
    """
    outputs = report_files(given["reports"])
    if given["scheduler"] is not None:
        need("distributed", "--scheduler", "cluster")
    named, files = files, tuple(files_in(files))
    reference = reference_for(given["profile"])
    spec = reference.spec
    faults: list[Problem] = []
    run = _run(files, named, given, given_options(context, ("profile",)), faults)
    every = _explained(files, run, reference, given, {(fault.file, fault.line) for fault in faults})
    # What a profile differs in from another game is told by the name of that game.
    notes = [
        words.say("played-as", profile=one.found.base.id, wrong=one.wrong, n=one.records)
        for one in every
        if one.found.base.id.variant not in {profile.variant for profile in run.hello.profiles}
    ]
    run = replace(run, explained=[one.found for one in every], notes=[*run.notes, *notes])
    run = replace(run, asked=asked_with_options(context))
    unwritten = write_reports(outputs, run, spec)
    # What all records have in common is shown once.
    show = given["show"] if sole_reason(run.verdicts) is None else min(1, given["show"])
    tell_page(given["form"], lambda page: print_report(page, run, spec, show), lambda: as_json(run, spec))
    exit_after_reports([*unwritten, *([str(SpecError(faults))] if faults else [])], 0 if run.passed else EXIT_FAILED)


def _run(
    files: tuple[Path, ...],
    given_files: tuple[Path, ...],
    given: dict[str, Any],
    asked_with: tuple[str, ...],
    faults: list[Problem],
) -> Run:
    began = time.monotonic()
    verdicts = _verdicts(files, given, faults)
    named = " ".join(map(str, given_files))
    if not verdicts:
        refuse(faults)
        raise click.UsageError(f"there is no record in {named}: a line that is not blank is one object of JSON")
    profiles = tuple(dict.fromkeys(verdict.planned.profile for verdict in verdicts))
    version = words["version"]
    operations = tuple(dict.fromkeys(verdict.planned.case.operation for verdict in verdicts))
    hello = Hello(PROTOCOL_VERSION, named, version, "JSON Lines", profiles, operations)
    gave_up = count(verdicts)["failed"] + len(faults) >= given["max_wrong"]
    reason = sole_reason(verdicts)
    notes = [] if reason is None else [words.say("one-reason", n=len(verdicts), reason=reason)]
    notes += [words.say("no-records", n=len(faults))] if faults else []
    notes += [words.say("given-up", n=given["max_wrong"])] if gave_up else []
    seconds = time.monotonic() - began
    return Run(
        hello, named, suite_version(), verdicts, (), seconds, asked_with, notes=notes, narrowed=True, unread=len(faults)
    )


def _explained(
    files: tuple[Path, ...], run: Run, reference: Reference, given: dict[str, Any], faulty: set[tuple[Path, int]]
) -> list[Recorded]:
    """Return the rules that explain wrong records, of those that were judged."""
    wrong = {one.planned.profile for one in run.verdicts if one.outcome != "passed"}
    if not wrong or given["no_search"] or given["line"] is not None or not all(map(is_read_again, files)):
        return []
    budget = replace(BUDGET, seconds=given["seconds"])
    try:
        return explain_records(files, given["profile"], reference, budget, Audited(len(run.verdicts), wrong, faulty))
    except NoAnswersError:
        return []


def _verdicts(files: tuple[Path, ...], given: dict[str, Any], faults: list[Problem]) -> list[Verdict]:
    """Judge every record, and keep the error of each line that is none.

    Those that are right share one verdict, so that a million of them take little memory.
    """
    most, shared, verdicts, wrong = given["max_wrong"], cache(passed), list[Verdict](), 0

    def is_enough(error: SpecError) -> bool:
        faults.extend(error.problems)
        return bool(wrong + len(faults) >= most)

    total = sum(path.stat().st_size for path in files if path.is_file())
    with counting_bar("auditing", total) as advance, closing(_judged(files, given, is_enough)) as every:
        for judged in every:
            verdicts.append(judged.wrong or shared(judged.operation, judged.profile))
            wrong += judged.wrong is not None
            advance(judged.size)
            if wrong + len(faults) >= most:
                break
    return verdicts


def _judged(
    files: tuple[Path, ...], given: dict[str, Any], faulty: Callable[[SpecError], bool]
) -> Generator[RecordVerdict, None, None]:
    """Judge the records here, or on a cluster, which reads the files itself; the verdicts are the same."""
    profile, address = given["profile"], given["scheduler"]
    if address is not None:
        if given["line"] is not None or not all(map(is_read_again, files)):
            raise click.UsageError("--scheduler judges whole files that every machine has: no --line, no pipe, no -")
        return judged_on_cluster(files, profile, partial(on_cluster, address), faulty=faulty)
    lines: Iterable[LogLine] = chain.from_iterable(lines_of(path, profile) for path in files)
    if (number := given["line"]) is not None:
        lines = list(islice((line for line in lines if line.number == number), 1))
        if not lines:
            raise click.UsageError(f"there is no record on line {number}")
    return judged_records(lines, profile, given["jobs"], faulty=faulty)
