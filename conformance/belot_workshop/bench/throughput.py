"""How many cases a second the runner puts to a program that answers at once, and in how much memory."""

import os
import resource
import statistics as stats
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.process_pool import quiet_collector
from belot_conformance.programs.protocol import encode_hello, encode_request
from belot_conformance.programs.reference import Reference, suite_version
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.serving import serve
from belot_conformance.programs.target import Limits
from belot_conformance.suite.selection import Selection, plan_variants
from belot_conformance.suite.verdicts import Planned, judge_each
from belot_spec.whole_file import write_whole
from belot_workshop.bench import instant_program

MILESTONES: Final = (100_000, 1_000_000)

_CHUNK: Final = 1 << 16


def measure_throughput(rounds: int) -> dict[str, Any]:
    """Put the whole suite to a program that answers at once; the figures are medians of the rounds.

    Beside it stands a bare echo: the same lines through the same pipes to a program that sends each back as it came,
    and nobody looks at them. It goes once line by line, each sent when the one before is back, as the plainest runner
    would; and once with as many lines open at the same time as this runner has.
    """
    plan = plan_variants(Selection())
    lines = _requests(plan)
    with _table(plan) as table, quiet_collector():
        # In turn, so that whatever else the machine does slows all three.
        figures = [
            (_cases_per_second(plan, table), _echo_per_second(lines, 1), _echo_per_second(lines, Limits().window))
            for _ in range(rounds)
        ]
    cases, one_by_one, at_once = zip(*figures, strict=True)
    return {
        "cases": len(plan),
        "megabytes_asked": round(sum(map(len, lines)) / 1e6, 2),
        "cases_per_second": round(stats.median(cases)),
        "bare_echo_lines_per_second": round(stats.median(one_by_one)),
        "ratio_to_bare_echo": _median_ratio(cases, one_by_one),
        "windowed_echo_lines_per_second": round(stats.median(at_once)),
        "ratio_to_windowed_echo": _median_ratio(cases, at_once),
    }


def _median_ratio(some: Sequence[float], others: Sequence[float]) -> float:
    return round(stats.median(one / other for one, other in zip(some, others, strict=True)), 2)


def measure_memory(cases: int) -> dict[str, Any]:
    """Put so many cases to a program that answers at once, the suite over and over; return speed and peak memory."""
    plan = plan_variants(Selection())
    peaks: dict[str, float] = {}
    passed = asked = 0
    with _table(plan) as table, CommandTarget(_command(table), Limits()) as target, quiet_collector():
        began = time.perf_counter()
        while asked < cases:
            for verdict in judge_each(target, islice(plan, cases - asked)):
                asked += 1
                passed += verdict.outcome == "passed"
                if asked in MILESTONES or asked == cases:
                    peaks[str(asked)] = _peak_megabytes()
        seconds = time.perf_counter() - began
    return {
        "cases": asked,
        "passed": passed,
        "seconds": round(seconds, 1),
        "cases_per_second": round(asked / seconds),
        "peak_megabytes": peaks,
    }


def _peak_megabytes() -> float:
    # Linux counts in kibibytes, macOS in bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)


def _command(table: str) -> list[str]:
    return [sys.executable, "-I", "-S", instant_program.__file__, table]


def _requests(plan: Sequence[Planned]) -> list[bytes]:
    return [encode_request(planned.case.question(planned.profile)) for planned in plan]


@contextmanager
def _table(plan: Sequence[Planned]) -> Iterator[str]:
    """Write the right replies to a plan, and the answer to ``hello``, into a file for the time of the measurement."""
    replies = BytesIO()
    serve(Reference(), BytesIO(encode_hello(suite_version()) + b"".join(_requests(plan))), replies)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replies.jsonl"
        write_whole(path, replies.getvalue(), durable=False)
        yield str(path)


def _cases_per_second(plan: Sequence[Planned], table: str) -> float:
    with CommandTarget(_command(table), Limits()) as target:
        began = time.perf_counter()
        passed = sum(verdict.outcome == "passed" for verdict in judge_each(target, plan))
        seconds = time.perf_counter() - began
    if passed < len(plan):
        raise AssertionError(f"{len(plan) - passed} right answers did not pass")
    return len(plan) / seconds


def _echo_per_second(lines: Sequence[bytes], window: int) -> float:
    """Send lines to a program that echoes them, so many at once, and read them back."""
    command = [sys.executable, "-I", "-S", instant_program.__file__, "echo"]
    with subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        stdin, stdout = process.stdin.fileno(), process.stdout.fileno()
        _echo(stdin, stdout, lines[:1], 1)
        began = time.perf_counter()
        _echo(stdin, stdout, lines, window)
        seconds = time.perf_counter() - began
        process.stdin.close()
    return len(lines) / seconds


def _echo(stdin: int, stdout: int, lines: Sequence[bytes], window: int) -> None:
    sent = back = 0
    while back < len(lines):
        if sent < len(lines) and sent - back <= window // 2:
            top = min(len(lines), back + window)
            data = memoryview(b"".join(lines[sent:top]))
            sent = top
            while data:
                data = data[os.write(stdin, data) :]
        back += os.read(stdout, _CHUNK).count(b"\n")
