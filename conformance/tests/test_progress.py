"""Whoever waits for a slow program is told what is being done and how long it will take, without a terminal too."""

from itertools import count
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from belot_conformance.programs import progress
from suite_testing import run


@pytest.fixture
def each_look_is_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=count().__next__))
    monkeypatch.setattr(progress, "Timer", MagicMock())


@pytest.mark.usefixtures("each_look_is_a_second")
@pytest.mark.parametrize(("arguments", "said"), [
    (("check", "--operation", "trick-winner", "--profile", "bela-4", "--sample", "40", "--no-search"), (
        "belot: asking: 10 of 40 in 10 s; about 30 s more", "belot: asking: 15 of 40 in 15 s; about 25 s more",
    )),
])  # fmt: skip
def test_on_a_pipe_a_slow_run_says_what_it_does_and_how_long(arguments: tuple[str, ...], said: tuple[str, ...]) -> None:
    done = run(*arguments, "reference")
    assert done.exit_code == 0, done.output
    assert [one for one in said if one not in done.stderr] == []
    assert len(done.stderr.splitlines()) < 12


@pytest.mark.usefixtures("each_look_is_a_second")
def test_what_ends_with_the_time_or_with_the_questions_ends_with_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.asking(1000, 15.0) as advance:
        for _ in range(11):
            advance(10)
    assert capsys.readouterr().err == "belot: asking: 100 of 1,000 in 10 s; about 5 s more\n"


@pytest.mark.usefixtures("each_look_is_a_second")
def test_of_what_has_not_begun_no_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.counting_bar("searching", 1) as advance:
        for _ in range(11):
            advance(0)
    assert capsys.readouterr().err == "belot: searching: 0 of 1 in 10 s\n"


def test_what_takes_long_to_come_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for first, said in ((0.0, "belot: waiting for nobody\n"), (1e6, "")):
        monkeypatch.setattr(progress, "_FIRST", first)
        with progress.waiting("waiting for nobody") as timer:
            if timer is not None and said:
                timer.join()
        assert capsys.readouterr().err == said


@pytest.mark.parametrize(("seconds", "told"), [
    (0, "0 s"), (89.4, "89 s"), (90, "1.5 min"), (599, "10.0 min"), (600, "10 min"), (5399, "90 min"), (5400, "1.5 h"), (90_000, "25 h"),
])  # fmt: skip
def test_a_duration_is_told_as_people_tell_it(seconds: float, told: str) -> None:
    assert progress._duration(seconds) == told
