"""The command ``belot fuzz``: random questions without end, until something is wrong or the time is up."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from belot_conformance.cli.common import (
    COPIES,
    COPIES_NOW,
    EXIT_FAILED,
    SECONDS,
    TargetCommand,
    asking_options,
    echo,
    named_target,
    number_option,
    opened_target,
    tell_page,
)
from belot_conformance.fuzz.alone import run_alone
from belot_conformance.fuzz.causes import causes_of, time_for_causes, write_cases
from belot_conformance.fuzz.fuzzing import Fuzz, Limit, streams_for
from belot_conformance.fuzz.making import Makers, makers_for
from belot_conformance.programs.progress import asking, waiting
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.programs.target import Target
from belot_conformance.programs.targets import TargetName, read_target_text
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.reports.fuzz_page import Fuzzed, alone_json, fuzzed_json, print_alone, print_fuzzed
from belot_spec.errors import nearest

_SECONDS: Final = 60.0
_AGAINST: Final = 'Compare with this second program instead of the rules; a command in quotes: "node bela.js".'


@click.command(cls=TargetCommand, renamed=COPIES_NOW)
@click.option("--against", metavar="TARGET", help=_AGAINST)
@click.option("--alone", is_flag=True, help="Hold the program's answers against each other; no rules are compared.")
@click.option("--profile", help="Ask by these rules (bela-4+length-counts, house-rules.yaml).")
@click.option("--operation", "operations", multiple=True, help="Ask only this operation; may be repeated.")
@click.option("--seconds", type=SECONDS, help="Stop asking after so many seconds; 60 unless told otherwise.")
@number_option("--questions", "Stop after so many questions.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw; the same seed asks the same.")
@click.option("--write", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Write each cause as a file of cases here.")  # fmt: skip
@COPIES
@asking_options
def fuzz(context: click.Context, /, target: str | None, **given: Any) -> None:
    """Put random questions to a program, and show what goes wrong.

    It asks until the time is up, and shows each cause of wrong answers once. TARGET is as for belot check. Deals,
    matches and positions are drawn by the rules that the program declares, or by --profile, with more of what seldom
    happens. The answers are compared with the rules, with --against with those of a second program, and with --alone
    with one another: with suits relabelled, seats turned, parts of deals asked for. Each cause is shown by the smallest
    question that was found for it; where a time was set, that is looked for as long again at most, or ten seconds, and
    said where it was cut short. Exit code: 0 nothing was wrong, 1 something was, 2 wrong usage, 3 the program could not
    be started or reached, or shook hands wrongly.
    """
    name = named_target(context, target)
    for operation in given["operations"]:
        if operation not in OPERATIONS:
            hint = nearest(operation, OPERATIONS) or f"; there are: {', '.join(OPERATIONS)}"
            raise click.UsageError(f"there is no operation {operation}{hint}")
    seconds, questions = given["seconds"], given["questions"]
    limit = Limit(questions, _SECONDS if seconds is None and questions is None else seconds)
    reference = reference_for(given["profile"])
    if given["alone"]:
        _alone(name, given, limit, reference)
    if given["folder"] is not None:
        # Whoever asks for an hour is told at once that nothing can be written there.
        given["folder"].mkdir(parents=True, exist_ok=True)
    run = _run(name, given, limit, reference)
    tell_page(given["form"], lambda page: print_fuzzed(page, run, reference.spec), lambda: fuzzed_json(run))
    if given["folder"] is not None:
        for path in write_cases(given["folder"], run.causes):
            echo(f"wrote {path}", err=True)
    sys.exit(0 if run.passed else EXIT_FAILED)


def _run(name: TargetName, given: dict[str, Any], limit: Limit, reference: Reference) -> Fuzzed:
    with ExitStack() as stack:
        # Before the program, so that they hold none of its pipes.
        makers = stack.enter_context(Makers(makers_for(limit.questions)))
        target = stack.enter_context(opened_target(name, given["limits"], reference, given["copies"]))
        other = None
        if given["against"] is not None:
            against = read_target_text(given["against"])
            other = stack.enter_context(opened_target(against, given["limits"], reference, given["copies"]))
        hellos = [target.hello, *([other.hello] if other else [])]
        streams = streams_for(hellos, given["profile"], given["operations"], reference, given["seed"])
        running = Fuzz(target, streams, other, makers)
        with asking(limit.questions, limit.seconds) as advance:
            outcome = running.run(limit, advance)
        makers.close()
        with waiting("looking for the causes, and for the smallest question of each"):
            causes = causes_of(outcome, target, reference.spec, other, time_for_causes(limit))
    return Fuzzed(
        target.hello, other.hello if other else None, given["seed"], outcome, running.streams, causes,
        _incidents(target, other),
    )  # fmt: skip


def _incidents(target: Target, other: Target | None) -> list[str]:
    """Return what went wrong at no question in particular, until the programs ended; of two with their names."""
    if other is None:
        return list(target.incidents)
    return [f"{one.hello.name}: {incident}" for one in (target, other) for incident in one.incidents]


def _alone(name: TargetName, given: dict[str, Any], limit: Limit, reference: Reference) -> NoReturn:
    """Hold a program's answers against each other, print what cannot be, and exit."""
    if given["against"] is not None or given["folder"] is not None:
        raise click.UsageError("--alone compares a program with nothing else, and writes no cases")

    with opened_target(name, given["limits"], reference, given["copies"]) as target:
        streams = streams_for([target.hello], given["profile"], given["operations"], reference, given["seed"])
        with asking(limit.questions, limit.seconds) as advance:
            found = run_alone(target, streams, limit, given["seed"], advance)
        hello = target.hello
    found.incidents = target.incidents
    tell_page(given["form"], lambda page: print_alone(page, hello, found), lambda: alone_json(hello, found))
    sys.exit(0 if found.passed else EXIT_FAILED)
