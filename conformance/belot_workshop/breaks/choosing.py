"""Which tests a break is put to: those that run its line or read its file, cheapest first."""

import ast
import pickle
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from belot_workshop.breaks.drawing import Break
from belot_workshop.breaks.recording import PACKAGES, SHARED


def merged(folder: Path) -> dict[str, Any]:
    """Return what all processes of a recorded run left in a folder, as one record."""
    from coverage.numbits import numbits_union

    lines: dict[str, dict[str, bytes]] = defaultdict(dict)
    sets: dict[str, dict[str, set[str]]] = {"files": defaultdict(set), "uses": defaultdict(set)}
    cost: dict[str, float] = defaultdict(float)
    for path in sorted(folder.glob("*.pickle")):
        told = pickle.loads(path.read_bytes())
        for unit, files in told["lines"].items():
            for name, bits in files.items():
                lines[unit][name] = numbits_union(lines[unit].get(name, b""), bits)
        for kind, found in sets.items():
            for unit, names in told[kind].items():
                found[unit] |= names
        for test, seconds in told["cost"].items():
            cost[test] += seconds
    return {"lines": dict(lines), "cost": dict(cost), **{kind: dict(found) for kind, found in sets.items()}}


class Choice:
    """A record of a tree of files, asked which tests a break of it could matter to."""

    def __init__(self, root: Path, record: Mapping[str, Any]) -> None:
        self.root, self.names, self._record = root, record.get("names", ()), record
        self.cost: Mapping[str, float] = record["cost"]
        self._tests_of: dict[str, set[str]] = defaultdict(set)
        for test in self.cost:
            seen, todo = {test}, [test]
            while todo:
                new = record["uses"].get(todo.pop(), set()) - seen
                seen |= new
                todo += new
            for unit in seen:
                self._tests_of[unit].add(test)
        self._units_by_file: dict[str, set[str]] = defaultdict(set)
        for found in (record["lines"], record["files"]):
            for unit, files in found.items():
                for name in files:
                    self._units_by_file[name].add(unit)
        self._importers = _importers(root)

    def tests(self, one: Break) -> list[str]:
        """Return them: those that run it themselves, those that rest on what ran it, those that touch its file.

        Where it runs only when it is imported, or in compiled code, first those that run what is in the file or what
        imports it, step by step.
        """
        if one.file.endswith(".py"):
            source = (self.root / one.file).read_text()
            wanted = statement_lines(source, one.line)
            units = self._running(one.file, wanted)
            tiers = [units & set(self.cost), self._resting(units)]
            if wanted[0] not in function_lines(source) or not units:
                tiers = [*self._steps(one.file), self._resting(units)]
            elif any(_is_shared(unit) for unit in units):
                tiers.append(self._touching(one.file))
        else:
            units = self._units_by_file[one.file]
            tiers = [units & set(self.cost), self._resting(units)]
            if not units or any(_is_shared(unit) for unit in units):
                beside = re.sub("(/templates)?(/(en|nl))?/[^/]*$", "/", one.file)
                near = {
                    unit for name, found in self._units_by_file.items() if name.startswith(beside) for unit in found
                }
                tiers.append(self._resting(near) if beside.startswith(PACKAGES) else set(self.cost))
        chosen: dict[str, None] = {}
        for found in tiers:
            chosen |= dict.fromkeys(self._cheapest_first(found - set(chosen)))
        return [*chosen]

    def _steps(self, name: str) -> Iterator[set[str]]:
        """Yield the tests that touch a file, those that touch what imports it, and on until there are some."""
        tier, seen, found = {name}, {name}, set[str]()
        while tier and (len(seen) == 1 or not found):
            yield (found := {test for module in tier for test in self._touching(module)})
            tier = {further for module in tier for further in self._importers[module]} - seen
            seen |= tier

    def _touching(self, name: str) -> set[str]:
        """Return the tests that rest on anything in a function of a file."""
        return self._resting(self._running(name, function_lines((self.root / name).read_text())))

    def _running(self, name: str, wanted: Collection[int]) -> set[str]:
        """Return the units that ran any of some lines of a file."""
        bits = sum(1 << line for line in wanted)
        lines = self._record["lines"]
        return {
            unit
            for unit in self._units_by_file[name]
            if int.from_bytes(lines.get(unit, {}).get(name, b""), "little") & bits
        }

    def _resting(self, units: Iterable[str]) -> set[str]:
        return {test for unit in units if not _is_shared(unit) for test in self._tests_of[unit]}

    def _cheapest_first(self, tests: set[str]) -> list[str]:
        """Order them roughly by what they take, those of a module together; modules by what all theirs take."""
        modules: dict[tuple[int, str], list[str]] = defaultdict(list)
        for test in tests:
            rough = sum(self.cost[test] > most for most in (0.3, 3))
            modules[rough, test.partition("::")[0]].append(test)
        ordered = sorted(modules.items(), key=lambda one: (one[0][0], sum(self.cost[test] for test in one[1]), one[0]))
        return [test for _, found in ordered for test in sorted(found, key=lambda test: (self.cost[test], test))]


def _is_shared(unit: str) -> bool:
    return not unit or unit.startswith(SHARED)


def function_lines(source: str) -> set[int]:
    """Return the lines in the bodies of functions."""
    return {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def statement_lines(source: str, line: int) -> range:
    """Return the lines of the smallest statement around a line; of one that holds others, those before the first."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            if line <= max(end, node.lineno):
                found = range(node.lineno, max(end, node.lineno) + 1)
    return found


def _importers(root: Path) -> dict[str, set[str]]:
    """Return, by file of the packages, those that import it."""
    files = {
        str(path.relative_to((root / package).parent).with_suffix("")).replace("/", "."): str(path.relative_to(root))
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
    }
    found: dict[str, set[str]] = defaultdict(set)
    for name in files.values():
        for module in _imported((root / name).read_text()):
            if module in files:
                found[files[module]].add(name)
    return found


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
