"""Shares of work among processes: in order, drawn as they are needed, and ended with whoever asked for them."""

import os
import signal
from functools import partial
from itertools import count
from multiprocessing import active_children

import pytest

from belot_conformance.programs.process_pool import in_processes


def _added(made: int, number: int) -> int:
    return number + made


def _interrupted(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    return number


def _stuck_after_the_first(number: int) -> int:
    if number:
        signal.pause()
    return number


def _faulty(number: int) -> int:
    if number:
        signal.pause()
    raise ValueError("the first share is faulty")


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_order_from_prepared_processes(jobs: int) -> None:
    assert list(in_processes(_added, range(20), jobs, partial(int, "100"))) == list(range(100, 120))


@pytest.mark.parametrize("jobs", [1, 2])
def test_shares_without_end_are_drawn_as_they_are_needed(jobs: int) -> None:
    numbers = in_processes(_added, count(), jobs, int)
    assert [next(numbers) for _ in range(30)] == list(range(30))
    numbers.close()
    assert active_children() == []


def test_an_interrupt_is_for_the_process_that_people_talk_to() -> None:
    assert list(in_processes(_interrupted, range(4), 2)) == list(range(4))


def test_who_stops_ends_processes_that_are_in_the_middle_of_a_share() -> None:
    numbers = in_processes(_stuck_after_the_first, range(9), 2)
    assert next(numbers) == 0
    with pytest.raises(KeyboardInterrupt):
        numbers.throw(KeyboardInterrupt)
    assert active_children() == []


def _deaf_after_the_first(number: int) -> int:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return _stuck_after_the_first(number)


def test_a_process_that_does_not_hear_it_is_ended_all_the_same() -> None:
    """A process that has just begun may lose a signal."""
    numbers = in_processes(_deaf_after_the_first, range(9), 2)
    assert next(numbers) == 0
    numbers.close()
    assert active_children() == []


def test_a_faulty_share_ends_the_others() -> None:
    with pytest.raises(ValueError, match="the first share is faulty"):
        list(in_processes(_faulty, range(9), 2))
    assert active_children() == []
