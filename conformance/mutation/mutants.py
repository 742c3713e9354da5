"""One wrong engine: what mutmut changed, named by the code and not by a number, and whether a case noticed."""

import ast
import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

Fate = Literal["noticed", "survived", "untried"]

_KEY: Final = re.compile(r"belot_reference\.(?P<module>\w+)\.(?P<generated>.+)__mutmut_\d+")
# The exit codes that mutmut keeps when pytest found nothing wrong, had nothing to run, or no test runs the function.
_SURVIVED: Final = (0, 5, 33)
# Those for a pytest that was interrupted, or broke down itself: neither says anything of the mutant.
_NOT_TRIED: Final = (None, 2, 3)


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A change of one function: where it stands (``module.function``), the code as it was and as it is now."""

    where: str
    was: str
    now: str

    @property
    def module(self) -> str:
        """The name of the engine's module."""
        return self.where.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant."""

    mutant: Mutant
    fate: Fate


def read_results(package: Path) -> list[Result]:
    """Return the results that mutmut left beside the mutated modules of a package, in the order of the code."""
    return [result for path in sorted(package.glob("*.py.meta")) for result in _results_of(path)]


def _results_of(meta: Path) -> Iterator[Result]:
    codes: dict[str, int | None] = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    functions = _functions(meta.with_suffix(""))
    for key, code in codes.items():
        named = _KEY.fullmatch(key)
        assert named is not None, key
        generated = named["generated"]
        was, now = change(functions[f"{generated}__mutmut_orig"], functions[key.rsplit(".", 1)[-1]])
        yield Result(Mutant(f"{named['module']}.{_plain_name(generated)}", was, now), _fate(code))


def _fate(code: int | None) -> Fate:
    if code in _NOT_TRIED:
        return "untried"
    return "survived" if code in _SURVIVED else "noticed"


def _functions(path: Path) -> dict[str, list[str]]:
    """Return the lines of every function and method of a file, each statement on one line whatever its layout was."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            name, node.name, node.decorator_list = node.name, "_", []
            found[name] = ast.unparse(node).splitlines()
    return found


def _plain_name(generated: str) -> str:
    """Return the name in the source of what mutmut calls ``x_function`` or ``xǁClassǁmethod``."""
    return generated[2:].replace("ǁ", ".")


def change(before: list[str], after: list[str]) -> tuple[str, str]:
    """Return the lines that differ, as they were and as they are now."""
    lines = [line for line in difflib.ndiff(before, after) if line[0] in "-+"]
    was, now = ([line[2:].strip() for line in lines if line[0] == sign] for sign in "-+")
    return " ⏎ ".join(was), " ⏎ ".join(now)
