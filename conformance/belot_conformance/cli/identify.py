"""The command ``belot identify``: which rules a program plays."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any, Final

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    JOBS,
    SECONDS,
    TargetCommand,
    asking_options,
    echo,
    named_target,
    opened_target,
    tell_page,
)
from belot_conformance.identify.asking import Inquiry, declared, identify_each, identify_program
from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.identification import Identified
from belot_conformance.identify.log import identify_records
from belot_conformance.identify.overlay import write_overlay
from belot_conformance.programs.answer_book import AnswerBook, BookTarget, ChangedError
from belot_conformance.programs.descendants import work_of_programs
from belot_conformance.programs.process_pool import quiet_collector
from belot_conformance.programs.reference import reference_for
from belot_conformance.programs.targets import TargetName
from belot_conformance.reports.identified_page import (
    Subject,
    identified_json,
    log_read,
    print_identified,
    program_asked,
)
from belot_conformance.text.page import Page
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "identify-ending")


@click.command(cls=TargetCommand)
@click.option(
    "--records", "log", type=click.Path(path_type=Path), metavar="FILE", help="Read a log instead, as belot audit does."
)
@click.option("--profile", help="Search around these rules (bela-4+length-counts, house-rules.yaml).")
@click.option("--write", "path", type=click.Path(path_type=Path), metavar="FILE", help="Write the rules found here.")
@click.option("--with-oddities", is_flag=True, help="Write what looks like a mistake as a house rule too.")
@JOBS
@click.option("--fresh", is_flag=True, help="Ask everything again, also what was answered within the hour.")
@click.option(
    "--seconds", type=SECONDS, default=30.0, show_default=True, help="How long processors may search, all together."
)
@asking_options
def identify(context: click.Context, /, target: str | None, profile: str | None, **given: Any) -> None:
    """Search for the rules that a program plays.

    It tells the nearest variant, what differs from it, and what no rules explain. TARGET is as for belot
    check. The suite's questions are asked, and further ones that tell apart what still fits; of the answers given
    within the last hour, to belot check too, only the wrong ones and some right ones are asked for again, and
    everything is if one of these differs. With --write FILE.yaml the rules found become house rules, for belot check
    --profile FILE.yaml. A value that no source, no ruling and no program measured before plays looks like a mistake: it
    is told first, and written only with --with-oddities. --records FILE takes the answers from a log of deals in place
    of a program: the rules are searched for in some of its records, and all of them are judged by the rules found. Exit
    code: 0 it plays what it declares, or by --profile what you say, 1 it plays another game or by other rules, or some
    answers are right by no rules, 2 wrong usage, 3 the program could not be started or reached, or shook hands wrongly.
    """
    path: Path | None = given["path"]
    if path is not None and path.suffix not in (".yaml", ".yml"):
        raise click.UsageError(f"--write {path}: house rules stand in a file whose name ends in .yaml")
    budget = replace(BUDGET, seconds=given["seconds"], jobs=given["jobs"])
    if (log := given["log"]) is not None:
        if target is not None or context.meta.get("command"):
            raise click.UsageError("--records FILE stands in place of a program: name one of the two")
        every, told_to_end = [_read(log, profile, given["jobs"], given["seconds"])], None
    else:
        name = named_target(context, target)
        every, told_to_end = _asked(name, profile, budget, context.obj, given)
    spec, told = default_spec(), [(one.subject, one.found) for one in every]
    tell_page(
        given["form"],
        lambda page: _print(page, every, spec, given["language"]),
        lambda: identified_json(told, spec, with_oddities=given["with_oddities"]),
    )
    if path is not None:
        echo(write_overlay(path, told[0][1], spec, given["language"], with_oddities=given["with_oddities"]), err=True)
    if told_to_end is not None:
        raise told_to_end
    sys.exit(EXIT_FAILED if any(one.is_broken or one.departs for one in every) else 0)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Who was asked, and what was found."""

    subject: Subject
    found: Identified

    @property
    def is_broken(self) -> bool:
        """Whether some answers are right by no rules."""
        found = self.found
        return bool(found.groups or found.unsupported or found.missing or found.broken)

    @property
    def departs(self) -> bool:
        """Whether another game is played, or by other rules, than should be."""
        return self.subject.departs(self.found)


def _read(log: Path, profile: str | None, jobs: int, seconds: float) -> _Outcome:
    reference = reference_for(profile)
    with quiet_collector():
        recorded = identify_records(log, profile, reference, jobs, seconds)
    held_to = recorded.named if profile is None else reference.profile(profile).id
    return _Outcome(log_read(recorded, log.name, held_to), recorded.found)


def _asked(
    name: TargetName, profile: str | None, budget: IdentifyBudget, began: float, given: dict[str, Any]
) -> tuple[list[_Outcome], KeyboardInterrupt | None]:
    """Ask a program, in a command that ``began`` after so many seconds of the processor; say what ended it too.

    One of several variants that it declares has to be named if what is found is written to a file.
    """
    reference = reference_for(profile)
    opened = opened_target(name, given["limits"], reference)
    book = AnswerBook.of(name, opened.hello, asks_again=given["fresh"])
    with BookTarget(opened, book) as target, quiet_collector():
        variants = declared(target.hello, reference.spec)
        if given["path"] is not None and profile is None and len(variants) > 1:
            known = ", ".join(variants)
            raise click.UsageError(f"--write FILE is of one variant: name it with --profile, one of {known}")

        def inquired() -> list[Inquiry]:
            # What was worked before, by the program too, is a part of the seconds, but leaves at least half of them.
            before = process_time() - began + work_of_programs()
            left = replace(budget, seconds=max(budget.seconds - before, budget.seconds / 2))
            if profile is None:
                return list(identify_each(target, reference, left))
            return [identify_program(target, reference.profile(profile), reference, left)]

        try:
            found = inquired()
        except ChangedError:
            # Nothing of earlier runs is left to differ from.
            found = inquired()
        is_held_to = profile is not None or bool(variants)
        outcomes = [
            _Outcome(program_asked(one, target.hello, one.profile if is_held_to else None), one.found) for one in found
        ]
        return outcomes, found[-1].told_to_end


def _print(page: Page, every: Sequence[_Outcome], spec: Spec, language: Any) -> None:
    for number, one in enumerate(every):
        if number:
            page.blank()
        print_identified(page, one.subject, one.found, spec, language)
        if one.departs:
            page.blank()
            page.line(_WORDS.say("otherwise", language, profile=one.subject.held_to), style="bold")
