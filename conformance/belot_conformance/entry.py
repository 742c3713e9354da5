"""The way into ``belot``: whoever interrupts it is heard from the first moment, and nobody sees a traceback for it."""

# What the module signal is made of: Python has it from its start, and to import signal itself takes longer than to
# come here.
import _signal  # type: ignore[import-not-found, unused-ignore]
import os
import sys


def run() -> None:
    """Run the command, which ends the process with its exit code.

    An interrupt that comes before, while Python itself starts, is answered by Python.
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, lambda number, _: os._exit(128 + number))
    from belot_conformance.programs.collector import collect_seldom
    from belot_conformance.programs.ending import SIGNALS, heed_from_now_on

    collect_seldom()
    _fill_what_is_closed()
    if not os.environ.get("COLUMNS", "").isdecimal() or not int(os.environ["COLUMNS"]):
        os.environ.pop("COLUMNS", None)  # a terminal without columns is none that says how many it has
    heed_from_now_on()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # What an encoding has no signs for is written out.
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    # Imported only now, when an interrupt is heard: it takes long.
    from belot_conformance.cli.main import main

    try:
        main()
    finally:
        # Python forgets its own handlers while it ends, but not this.
        for number in SIGNALS:
            _signal.signal(number, _signal.SIG_IGN)
        _let_go_of_output()


def _fill_what_is_closed() -> None:
    """Put something in the place of each closed stream, or a file that is opened later would be taken for it.

    What is printed to a closed output is an error as on a full disk; what is said to a closed stderr is lost.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _let_go_of_output() -> None:
    """Leave nothing to be written by Python at its end, which could only complain that it is impossible."""
    for number, stream in enumerate((sys.stdout, sys.stderr), start=1):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
