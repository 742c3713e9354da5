"""The cases as tests of pytest: ``pytest --belot-target="node bela.js"``.

Without that option nothing happens, and nothing of the suite is imported. With it every applicable case is a test
item below ``belot``, asked when it is run; each worker of pytest-xdist opens the target for itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from belot_conformance.programs.reference import Reference
    from belot_conformance.programs.target import Limits, Target
    from belot_conformance.programs.targets import TargetName
    from belot_conformance.suite.verdicts import Planned, Verdict

# Seconds, the seed and the operations that are wanted, of random questions.
_Lot = tuple[float, int, tuple[str, ...]]

_NODE: Final = "belot"
_FUZZ: Final = "fuzz"
_INCIDENT: Final = "belot_incident"
_HELP: Final = {
    "target": 'The program to check: "node bela.js", http://…, python:MODULE:NAME or reference.',
    "profile": "Ask every case that applies to this profile (bela-4+length-counts, house-rules.yaml).",
    "operation": "Ask only this operation; may be repeated.",
    "deadline": "Seconds per answer (5).",
    "fuzz": "Put random questions too, for so many seconds; one test more.",
    "seed": "Seed of the random questions (1).",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that begin with ``--belot``."""
    group = parser.getgroup("belot", "conformance of a belot program")
    group.addoption("--belot-target", metavar="TARGET", help=_HELP["target"])
    group.addoption("--belot-profile", metavar="PROFILE", help=_HELP["profile"])
    group.addoption("--belot-operation", metavar="OPERATION", action="append", default=[], help=_HELP["operation"])
    group.addoption("--belot-deadline", metavar="SECONDS", type=float, default=5.0, help=_HELP["deadline"])
    group.addoption("--belot-fuzz", metavar="SECONDS", type=float, help=_HELP["fuzz"])
    group.addoption("--belot-seed", metavar="NUMBER", type=int, default=1, help=_HELP["seed"])


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, before any worker is started; raises ``UsageError`` for a name that does not exist."""
    target = config.getoption("--belot-target")
    if target is None:
        return
    from belot_conformance.house_suite.planning import plan_profile
    from belot_conformance.programs.reference import reference_for
    from belot_conformance.programs.target import Limits
    from belot_conformance.programs.targets import read_target_text
    from belot_conformance.suite.selection import Selection
    from belot_spec.errors import BelotError

    deadline, profile = config.getoption("--belot-deadline"), config.getoption("--belot-profile")
    fuzz = config.getoption("--belot-fuzz")
    for option, seconds in (("deadline", deadline), ("fuzz", fuzz)):
        if seconds is not None and not 0 < seconds < inf:
            raise pytest.UsageError(f"--belot-{option} is a number of seconds above 0, not {seconds:g}")
    try:
        name = read_target_text(target)
        selection = Selection(profile=profile, operations=tuple(config.getoption("--belot-operation")))
        reference = reference_for(profile)
        plan = plan_profile(selection, reference)
    except BelotError as error:
        raise pytest.UsageError(f"belot: {error}") from None
    program = _Program(name, profile, Limits(answer=deadline), reference)
    lot = None if fuzz is None else (fuzz, config.getoption("--belot-seed"), selection.operations)
    config.pluginmanager.register(_Suite(program, plan, lot), "belot-suite")


class _Program:
    """The target, opened when the first case is asked."""

    def __init__(self, name: TargetName, profile: str | None, limits: Limits, reference: Reference) -> None:
        self.asked_with = (*(("--profile", profile) if profile else ()), *name.arguments)
        self._name = name
        self._profile = profile
        self._limits = limits
        self.reference = reference
        self._target: Target | None = None
        self._asked_as = ""
        self._told = 0

    def judge(self, planned: Planned) -> Verdict:
        """Ask one case; raises ``StartError`` when the target cannot be opened."""
        from belot_conformance.house_suite.planning import name_in
        from belot_conformance.suite.verdicts import judge_all

        opened = self._opened()
        if planned.rules is not None and self._profile is not None:
            self._asked_as = name_in(opened.hello, planned.rules.id, self._profile)
        (verdict,) = judge_all(opened, [replace(planned, asked_as=self._asked_as)])
        return verdict

    def fuzz(self, lot: _Lot) -> str:
        """Put random questions; return what was found as text, "" for nothing. Raises ``StartError``."""
        from belot_conformance.fuzz.causes import causes_of, time_for_causes
        from belot_conformance.fuzz.fuzzing import Fuzz, Limit
        from belot_conformance.fuzz.planning import streams_for
        from belot_conformance.reports.fuzz_page import Fuzzed, print_fuzzed
        from belot_conformance.text.terminal import as_text

        opened, (seconds, seed, operations) = self._opened(), lot
        running = Fuzz(opened, streams_for([opened.hello], self._profile, operations, self.reference, seed))
        outcome = running.run(limit := Limit(seconds=seconds))
        causes = causes_of(outcome, opened, self.reference.spec, seconds=time_for_causes(limit))
        run = Fuzzed(opened.hello, None, seed, outcome, running.streams, causes, self.new_incidents())
        return "" if run.passed else as_text(lambda page: print_fuzzed(page, run, self.reference.spec, "en"), 80)

    def _opened(self) -> Target:
        from belot_conformance.programs.targets import open_target

        if self._target is None:
            self._target = open_target(self._name, self._limits, self.reference)
        return self._target

    def new_incidents(self) -> Sequence[str]:
        """Return the incidents that were not returned before."""
        found = self._target.incidents[self._told :] if self._target else ()
        self._told += len(found)
        return found

    def close(self) -> None:
        if self._target is not None:
            self._target.close()
            self._target = None


class _Suite:
    """The part of the plugin that works once a target is given."""

    def __init__(self, program: _Program, plan: Sequence[Planned], lot: _Lot | None) -> None:
        self._program = program
        self._plan = plan
        self._lot = lot

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the cases before -k, --lf and the like choose among the items."""
        collector = _Cases.from_parent(
            session, name=_NODE, nodeid=_NODE, program=self._program, plan=self._plan, lot=self._lot
        )
        report = session.ihook.pytest_make_collect_report(collector=collector)
        session.ihook.pytest_collectreport(report=report)
        items += report.result

    def pytest_unconfigure(self) -> None:
        """Let go of the program."""
        self._program.close()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the faults that no case could be blamed for, those of all workers."""
        for reports in terminalreporter.stats.values():
            for report in reports:
                for name, value in getattr(report, "user_properties", ()):
                    if name == _INCIDENT and report.when == "call":
                        terminalreporter.write_line(f"belot: incident: {value}")


class _Cases(pytest.Collector):
    """All cases, as if they stood in one file."""

    def __init__(self, *, program: _Program, plan: Sequence[Planned], lot: _Lot | None, **node: Any) -> None:
        super().__init__(**node)
        self._program = program
        self._plan = plan
        self._lot = lot

    def collect(self) -> Iterator[pytest.Item]:
        """Give one item per planned case, in their order, and one for all random questions if they are wanted."""
        for planned in self._plan:
            yield _CaseItem.from_parent(self, name=planned.case.id, planned=planned, program=self._program)
        if self._lot is not None:
            yield _FuzzItem.from_parent(self, name=_FUZZ, program=self._program, lot=self._lot)


class _NotPassedError(Exception):
    """A case that did not pass; its message is the report of it."""


class _Item(pytest.Item):
    """Something that is put to the program, and fails with a report in words."""

    def __init__(self, *, program: _Program, **node: Any) -> None:
        super().__init__(**node)
        self._program = program
        self._title = self.name

    def runtest(self) -> None:
        """Put it to the program."""
        from belot_conformance.programs.process import StartError

        try:
            self.put()
        except StartError as error:
            self.session.shouldfail = "the belot program could not be started"
            raise _NotPassedError(str(error)) from None

    def put(self) -> None:
        """Put it to the program; raises ``StartError`` where there is none."""
        raise NotImplementedError

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what did not pass as ``belot check`` and ``belot fuzz`` do."""
        if isinstance(excinfo.value, _NotPassedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int, str]:
        """Return what stands above a failure."""
        return self.config.rootpath / _NODE, 0, self._title


class _FuzzItem(_Item):
    """Random questions, for some seconds."""

    def __init__(self, *, lot: _Lot, **node: Any) -> None:
        super().__init__(**node)
        self._lot = lot
        self._title = "random questions"

    def put(self) -> None:
        """Put the questions to the program."""
        from belot_conformance.programs.process import StartError
        from belot_spec.errors import BelotError

        try:
            found = self._program.fuzz(self._lot)
        except StartError:
            raise
        except BelotError as error:
            raise _NotPassedError(f"belot: {error}") from None
        if found:
            raise _NotPassedError(found)


class _CaseItem(_Item):
    """One case for one profile."""

    def __init__(self, *, planned: Planned, **node: Any) -> None:
        super().__init__(**node)
        self._planned = planned
        case = planned.case
        self._title = f"{self.name} {case.title.en}"
        self.extra_keyword_matches |= {case.operation, planned.profile, case.title.en, case.title.nl}

    def put(self) -> None:
        """Put the case to the program; skipped where it lies outside what the program declares."""
        verdict = self._program.judge(self._planned)
        self.user_properties += [(_INCIDENT, incident) for incident in self._program.new_incidents()]
        if verdict.outcome == "unsupported":
            pytest.skip(verdict.detail)
        if verdict.outcome != "passed":
            from belot_conformance.reports.terminal import failure_text

            raise _NotPassedError(failure_text(verdict, self._program.reference.spec, "en", self._program.asked_with))
