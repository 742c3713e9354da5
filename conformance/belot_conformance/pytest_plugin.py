"""The cases as tests of pytest: ``pytest --belot-target="node bela.js"``.

Without that option nothing happens, and nothing of the suite is imported. With it every applicable case is a test
item below ``belot``, asked when it is run; each worker of pytest-xdist opens the target for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

if TYPE_CHECKING:
    from belot_conformance.programs.reference import Reference
    from belot_conformance.programs.target import Limits, Target
    from belot_conformance.programs.targets import TargetName
    from belot_conformance.suite.verdicts import Planned

_NODE: Final = "belot"
_INCIDENT: Final = "belot_incident"
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "target": {"help": 'The program to check: "node bela.js", http://…, python:MODULE:NAME or reference.'},
    "profile": {"help": "Ask every case that applies to this profile (bela-4+length-counts, house-rules.yaml)."},
    "operation": {"action": "append", "default": [], "help": "Ask only this operation; may be repeated."},
    "deadline": {"metavar": "SECONDS", "type": float, "default": 5.0, "help": "Seconds per answer (5)."},
    "fuzz": {
        "metavar": "SECONDS",
        "type": float,
        "help": "Put random questions too, for so many seconds; one test more.",
    },
    "seed": {"metavar": "NUMBER", "type": int, "default": 1, "help": "Seed of the random questions (1)."},
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that begin with ``--belot``."""
    group = parser.getgroup("belot", "conformance of a belot program")
    for name, about in _OPTIONS.items():
        group.addoption(f"--belot-{name}", **{"metavar": name.upper(), **about})


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, before any worker is started; raises ``UsageError`` for a name that does not exist."""
    target, profile, operations, deadline, fuzz, seed = (config.getoption(f"--belot-{name}") for name in _OPTIONS)
    if target is None:
        return
    from belot_conformance.house_suite.planning import plan_profile
    from belot_conformance.programs.reference import reference_for
    from belot_conformance.programs.target import Limits
    from belot_conformance.programs.targets import read_target_text
    from belot_conformance.suite.selection import Selection
    from belot_spec.errors import BelotError

    for option, seconds in (("deadline", deadline), ("fuzz", fuzz)):
        if seconds is not None and not 0 < seconds < inf:
            raise pytest.UsageError(f"--belot-{option} is a number of seconds above 0, not {seconds:g}")
    try:
        name = read_target_text(target)
        selection = Selection(profile=profile, operations=tuple(operations))
        reference = reference_for(profile)
        plan = plan_profile(selection, reference)
    except BelotError as error:
        raise pytest.UsageError(f"belot: {error}") from None
    suite = _Suite(name, profile, Limits(answer=deadline), reference)
    for planned in plan:
        case = planned.case
        words = (case.operation, planned.profile, case.title.en, case.title.nl)
        suite.tests.append(_Test(case.id, f"{case.id} {case.title.en}", words, partial(suite.put_case, planned)))
    if fuzz is not None:
        put = partial(suite.put_random, fuzz, seed, selection.operations)
        suite.tests.append(_Test("fuzz", "random questions", (), put))
    config.pluginmanager.register(suite, "belot-suite")


class _Test(NamedTuple):
    """What is put to the program: its name and title, what else it is found by, and what puts it."""

    name: str
    title: str
    words: tuple[str, ...]
    put: Callable[[pytest.Item], None]


class _NotPassedError(Exception):
    """A test that did not pass; its message is the report of it."""


class _Suite:
    """The part of the plugin that works once a target is given, which is opened when the first case is asked."""

    def __init__(self, name: TargetName, profile: str | None, limits: Limits, reference: Reference) -> None:
        self.tests: list[_Test] = []
        self._asked_with = (*(("--profile", profile) if profile else ()), *name.arguments)
        self._name = name
        self._profile = profile
        self._limits = limits
        self._reference = reference
        self._target: Target | None = None
        self._asked_as = ""
        self._told = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the cases before -k, --lf and the like choose among the items."""
        collector = _Collector.from_parent(session, name=_NODE, nodeid=_NODE, suite=self)
        report = session.ihook.pytest_make_collect_report(collector=collector)
        session.ihook.pytest_collectreport(report=report)
        items += report.result

    def pytest_unconfigure(self) -> None:
        """Let go of the program."""
        if self._target is not None:
            self._target.close()
            self._target = None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the faults that no case could be blamed for, those of all workers."""
        for reports in terminalreporter.stats.values():
            for report in reports:
                for name, value in getattr(report, "user_properties", ()):
                    if name == _INCIDENT and report.when == "call":
                        terminalreporter.write_line(f"belot: incident: {value}")

    def put_case(self, planned: Planned, item: pytest.Item) -> None:
        """Put one case for one profile; skipped where it lies outside what the program declares."""
        from belot_conformance.house_suite.planning import name_in
        from belot_conformance.reports.terminal import failure_text
        from belot_conformance.suite.verdicts import judge_all

        opened = self._opened()
        if planned.rules is not None and self._profile is not None:
            self._asked_as = name_in(opened.hello, planned.rules)
        (verdict,) = judge_all(opened, [replace(planned, asked_as=self._asked_as)])
        item.user_properties += [(_INCIDENT, incident) for incident in self._new_incidents()]
        if verdict.outcome == "unsupported":
            pytest.skip(verdict.detail)
        if verdict.outcome != "passed":
            raise _NotPassedError(failure_text(verdict, self._reference.spec, self._asked_with))

    def put_random(self, seconds: float, seed: int, operations: tuple[str, ...], _: pytest.Item) -> None:
        """Put random questions for some seconds."""
        from belot_conformance.fuzz.causes import causes_of, time_for_causes
        from belot_conformance.fuzz.fuzzing import Fuzz, Limit, streams_for
        from belot_conformance.reports.fuzz_page import Fuzzed, print_fuzzed
        from belot_conformance.text.terminal import as_text
        from belot_spec.errors import BelotError

        opened, spec = self._opened(), self._reference.spec
        try:
            running = Fuzz(opened, streams_for([opened.hello], self._profile, operations, self._reference, seed))
            outcome = running.run(limit := Limit(seconds=seconds))
            causes = causes_of(outcome, opened, spec, seconds=time_for_causes(limit))
        except BelotError as error:
            raise _NotPassedError(f"belot: {error}") from None
        run = Fuzzed(opened.hello, None, seed, outcome, running.streams, causes, self._new_incidents())
        if not run.passed:
            raise _NotPassedError(as_text(lambda page: print_fuzzed(page, run, spec), 80))

    def _opened(self) -> Target:
        from belot_conformance.programs.targets import open_target

        if self._target is None:
            self._target = open_target(self._name, self._limits, self._reference)
        return self._target

    def _new_incidents(self) -> Sequence[str]:
        """Return the incidents that were not returned before."""
        found = self._target.incidents[self._told :] if self._target else ()
        self._told += len(found)
        return found


class _Collector(pytest.Collector):
    """All cases, as if they stood in one file."""

    def __init__(self, *, suite: _Suite, **node: Any) -> None:
        super().__init__(**node)
        self._suite = suite

    def collect(self) -> Iterator[pytest.Item]:
        """Give one item per planned case, in their order, and one for all random questions if they are wanted."""
        for test in self._suite.tests:
            yield _Item.from_parent(self, name=test.name, test=test)


class _Item(pytest.Item):
    """Something that is put to the program, and fails with a report in words."""

    def __init__(self, *, test: _Test, **node: Any) -> None:
        super().__init__(**node)
        self._test = test
        self.extra_keyword_matches |= {*test.words}

    def runtest(self) -> None:
        """Put it to the program."""
        from belot_conformance.programs.target import StartError

        try:
            self._test.put(self)
        except StartError as error:
            self.session.shouldfail = "the belot program could not be started"
            raise _NotPassedError(str(error)) from None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what did not pass as ``belot check`` and ``belot fuzz`` do."""
        if isinstance(excinfo.value, _NotPassedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int, str]:
        """Return what stands above a failure."""
        return self.config.rootpath / _NODE, 0, self._test.title
