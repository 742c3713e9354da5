"""The command ``belot identify``: which rules a program plays."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    SECONDS,
    TargetCommand,
    asking_options,
    echo,
    named_target,
    opened_target,
    tell_page,
)
from belot_conformance.explain.asking import declared, identify_program
from belot_conformance.explain.budget import BUDGET
from belot_conformance.explain.explanation import Explanation
from belot_conformance.explain.overlay import write_overlay
from belot_conformance.explain.records import explain_records
from belot_conformance.logs.shares import files_in
from belot_conformance.programs.answer_book import AnswerBook, BookTarget, ChangedError
from belot_conformance.programs.descendants import work_of_programs
from belot_conformance.programs.process_pool import on_cluster
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.programs.targets import TargetName
from belot_conformance.reports.explained import identified_facts, print_identified
from belot_kernel.needed import need

# What one variant is, and what is said of it.
_Told = tuple[Explanation, Mapping[str, Any]]


def _gone(_: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None:
        raise click.UsageError(
            f"{parameter.opts[0]} is gone: the search takes one process and ten seconds; --seconds N gives it more"
        )


@click.command(cls=TargetCommand)
@click.option(
    "--records", "log", type=click.Path(path_type=Path), metavar="FILE", help="Read a log instead, as belot audit does."
)
@click.option("--scheduler", metavar="ADDRESS", help="Read records on the Dask cluster there (extra [cluster]).")
@click.option("--profile", help="Search around these rules (bela-4+length-counts, house-rules.yaml).")
@click.option("--write", "path", type=click.Path(path_type=Path), metavar="FILE", help="Write the rules found here.")
@click.option("--with-oddities", is_flag=True, help="Write what looks like a mistake as a house rule too.")
@click.option("--fresh", is_flag=True, help="Ask everything again, also what was answered within the hour.")
@click.option("--jobs", hidden=True, expose_value=False, callback=_gone)
@click.option(
    "--seconds", type=SECONDS, default=BUDGET.seconds, show_default=True, help="How long the processor may search."
)
@asking_options
def identify(context: click.Context, /, target: str | None, profile: str | None, **given: Any) -> None:
    """Search for the rules that a program plays.

    It tells the nearest variant, what differs from it, and what no rules explain. TARGET is as for belot check. The
    cases that hold for what the program declares are asked, then questions on which the rules found part from others:
    a rule is named only where whole answers come out right by it. Answers given within the last hour, to belot check
    too, are taken: only the wrong ones and some right ones are asked for again, and everything if one of these differs.
    With --write FILE.yaml the rules found become house rules, for belot check --profile FILE.yaml; of a program of
    several variants one file each, named after them. A value that no source, no ruling and no program measured before
    plays looks like a mistake: it is told first, and written only with --with-oddities. --records FILE takes the
    answers from a log of deals in place of a program: the rules are searched for in some of its records, and all of
    them are judged by the rules found. Exit code: 0 it plays what it declares, or by --profile what you say, 1 it plays
    another game or by other rules, or some answers are right by no rules, 2 wrong usage, 3 the program could not be
    started or reached, or shook hands wrongly.
    """
    path: Path | None = given["path"]
    if path is not None and path.suffix not in (".yaml", ".yml"):
        raise click.UsageError(f"--write {path}: house rules stand in a file whose name ends in .yaml")
    reference = reference_for(profile)
    if given["scheduler"] is not None:
        need("distributed", "--scheduler", "cluster")
    if (log := given["log"]) is not None:
        if target is not None or context.meta.get("command"):
            raise click.UsageError("--records FILE stands in place of a program: name one of the two")
        program, every = log.name, _read(log, profile, reference, given)
    else:
        program, every = _asked(named_target(context, target), profile, context.obj, reference, given)
    facts = [told for _, told in every]
    tell_page(
        given["form"],
        lambda page: print_identified(page, program, facts, reference.spec),
        lambda: {"program": program, "found": facts},
    )
    for found, _told in every if path is not None else ():
        assert path is not None
        named = path if len(every) == 1 else path.with_stem(f"{path.stem}-{found.asked[0].id.variant}")
        oddities = given["with_oddities"]
        echo(write_overlay(named, found, reference.spec, with_oddities=oddities), err=True)
    sys.exit(EXIT_FAILED if any(found.left or told["departs"] for found, told in every) else 0)


def _read(log: Path, profile: str | None, reference: Reference, given: dict[str, Any]) -> list[_Told]:
    by = None if given["scheduler"] is None else partial(on_cluster, given["scheduler"])
    files = tuple(files_in([log]))
    if not files:
        raise click.UsageError(f"--records {log}: there is no file in this folder")
    every = explain_records(files, profile, reference, replace(BUDGET, seconds=given["seconds"]), by=by)
    told: list[_Told] = []
    for one in every:
        held_to = one.named if profile is None else reference.profile(profile).id
        subject, oddities = {"records": one.as_json(log.name)}, given["with_oddities"]
        facts = identified_facts(one.found, reference.spec, subject, held_to, (), with_oddities=oddities)
        told.append((one.found, {**facts, "left": one.wrong}))
    return told


def _asked(
    name: TargetName, profile: str | None, began: float, reference: Reference, given: dict[str, Any]
) -> tuple[str, list[_Told]]:
    """Ask a program, in a command that ``began`` after so many seconds of the processor."""
    opened = opened_target(name, given["limits"], reference)
    book = AnswerBook.of(name, opened.hello, asks_again=given["fresh"])
    wanted = None if profile is None else reference.profile(profile)
    budget = replace(BUDGET, seconds=given["seconds"])
    with BookTarget(opened, book) as target:
        try:
            inquiries = identify_program(target, reference, wanted, budget, began)
        except ChangedError:
            # Nothing of earlier runs is left to differ from.
            inquiries = identify_program(target, reference, wanted, budget, began)
        is_held_to = profile is not None or bool(declared(target.hello, reference.spec))
        told: list[_Told] = []
        for one in inquiries:
            asked = {"profile": one.asked_as, "questions": one.questions, "kept": one.kept, "confirmed": one.confirmed}
            facts = identified_facts(
                one.found, reference.spec, {"asked": asked, "program_seconds": round(work_of_programs(), 2)},
                one.profile if is_held_to else None, target.hello.operations, with_oddities=given["with_oddities"],
            )  # fmt: skip
            told.append((one.found, facts))
        return target.hello.name, told
