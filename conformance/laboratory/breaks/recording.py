"""What every test runs and reads: begun in each process of a recorded run, before anything of ours is imported.

What is recorded belongs to a unit: a test, a fixture that tests share, or a function whose result is kept, with whoever
used it. What runs outside of them, or fills a property that is kept, belongs to all who touch the file.
"""

import atexit
import functools
import os
import pickle
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

INTO: Final = "BELOT_BREAKS_INTO"
_UNIT: Final = "BELOT_BREAKS_UNIT"
PACKAGES: Final = (
    "reference_impl/belot_spec", "reference_impl/belot_reference", "conformance/belot_conformance", "site/belot_site",
)  # fmt: skip
ROOT: Final = str(Path(__file__).resolve().parents[3]) + "/"
SHARED: Final = "shared:"

Lines = dict[str, set[int]]
# The recording of this process, once it is begun.
STARTED: Final[list["Recording"]] = []


class Recording:
    """The record of one process; which unit is at work decides where lines go."""

    def __init__(self, into: str) -> None:
        from coverage import Coverage
        from coverage.numbits import numbits_union, nums_to_numbits

        self._into, self._packed, self._united = Path(into), nums_to_numbits, numbits_union
        self._live: dict[str, Lines] = defaultdict(dict)
        self.lines: dict[str, dict[str, bytes]] = defaultdict(dict)
        self.files: dict[str, set[str]] = defaultdict(set)
        self.uses: dict[str, set[str]] = defaultdict(set)
        self.cost: dict[str, float] = defaultdict(float)
        self._unit = os.environ.get(_UNIT, "")
        coverage = Coverage(
            data_file=None, config_file=False, branch=False, messages=False, source=[ROOT + one for one in PACKAGES]
        )
        coverage.start()
        self._collector: Any = coverage._collector
        self._enter(self._unit)

    def _enter(self, unit: str) -> None:
        """Let the lines go to a unit; functions that run already go on with theirs."""
        self._unit = unit
        self._collector.data = lines = self._live[unit]
        for tracer in self._collector.tracers:
            tracer.data = lines

    @contextmanager
    def of(self, unit: str, told: bool = False) -> Iterator[None]:
        """Let what runs belong to a unit, in processes started meanwhile too if it is ``told``; who works uses it."""
        self.used(unit)
        before, environment = self._unit, os.environ.get(_UNIT, "")
        self._enter(unit)
        if told:
            os.environ[_UNIT] = unit
        try:
            yield
        finally:
            self._enter(before)
            if told:
                os.environ[_UNIT] = environment

    def used(self, *units: str) -> None:
        """Note that the unit at work rests on others."""
        self.uses[self._unit].update(units)

    def opened(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note a file of the clone that is opened, and is no code."""
        if event == "open" and isinstance(path := arguments[0], str):
            path = path if path.startswith("/") else f"{os.getcwd()}/{path}"  # noqa: PTH109
            name = path.removeprefix(ROOT)
            if name != path and not name.startswith((".", "build/")) and not name.endswith((".py", ".pyc")):
                self.files[self._unit].add(name)

    def fold(self) -> None:
        """Make what was recorded small."""
        for unit, lines in self._live.items():
            kept = self.lines[unit]
            for path, numbers in lines.items():
                if numbers:
                    packed, name = self._packed(numbers), path.removeprefix(ROOT)
                    kept[name] = self._united(kept[name], packed) if name in kept else packed
        self._live.clear()
        self._enter(self._unit)

    def write(self) -> None:
        """Leave the record in its folder."""
        self.fold()
        told = {name: dict(getattr(self, name)) for name in ("lines", "files", "uses", "cost")}
        with suppress(OSError):
            (self._into / f"{os.getpid()}.pickle").write_bytes(pickle.dumps(told))

    def begin_anew(self) -> None:
        """Forget what the process did that this one was forked off from."""
        self._live.clear()
        for kept in (self.lines, self.files, self.uses, self.cost):
            kept.clear()
        self._enter(self._unit)


def _is_ours(function: Any) -> bool:
    return str(getattr(getattr(function, "__code__", None), "co_filename", "")).startswith(ROOT)


def _as_unit(kept: "Recording", unit: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        with kept.of(unit):
            return function(*arguments, **named)

    return call


def _noting(kept: "Recording", real: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``lru_cache`` as it is, but that a function of ours is a unit, and each call of it notes who uses it."""

    def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
        if callable(maxsize):
            return lru_cache()(maxsize)

        def decorate(function: Any) -> Any:
            if not _is_ours(function):
                return real(maxsize, typed)(function)
            unit = f"kept:{function.__module__}.{function.__qualname__}"
            cached = real(maxsize, typed)(_as_unit(kept, unit, function))

            @functools.wraps(function)
            def call(*arguments: Any, **named: Any) -> Any:
                kept.uses[kept._unit].add(unit)
                return cached(*arguments, **named)

            for name in ("cache_clear", "cache_info", "cache_parameters"):
                setattr(call, name, getattr(cached, name))
            return call

        return decorate

    return lru_cache


def start() -> None:
    """Begin to record, in this process and in those that it forks off."""
    if STARTED:  # What starts it stands in a file that Python reads twice where lib64 is another name of lib.
        return
    kept = Recording(os.environ[INTO])
    STARTED.append(kept)
    functools.lru_cache = _noting(kept, functools.lru_cache)
    functools.cache = functools.lru_cache(None)

    class Property(functools.cached_property[Any]):
        def __init__(self, function: Callable[[Any], Any]) -> None:
            unit = f"{SHARED}{function.__qualname__}"
            super().__init__(_as_unit(kept, unit, function) if _is_ours(function) else function)

    functools.cached_property = Property  # type: ignore[assignment, misc]
    sys.addaudithook(kept.opened)
    atexit.register(kept.write)
    os.register_at_fork(after_in_child=kept.begin_anew)
    end = os._exit

    def write_and_end(code: int) -> None:
        kept.write()
        end(code)

    os._exit = write_and_end  # type: ignore[assignment]
