"""Drawing breaks by lot: a line of the product, and one small thing in it that is made wrong."""

import ast
import json
import random
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

import jinja2
import yaml

_PAIRS: Final = (("==", "!="), ("===", "!=="), ("<", "<="), (">", ">="), ("in", "not in"), ("is", "is not"))
_FLIPPED: Final = {**dict(_PAIRS), **{other: one for one, other in _PAIRS}}
_COMPARES: Final = re.compile(rb"not\s+in\b|is\s+not\b|[=!<>]=|[<>]|\bis\b|\bin\b")
_SIGN: Final = re.compile(rb"(?<=\s)(?:[=!]==?|[<>]=?)(?=\s)")
_NUMBER: Final = re.compile(rb"(?<![\w.\"'#&-])\d+(?![\w.\"'%])")
_WORD: Final = re.compile(rb"(?<![A-Za-z\\])[A-Za-z]{3,}")
_STRINGS: Final = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_CALL: Final = re.compile(rb"(?m)^[ \t]*(?!const|let|import|export|function|class|//|\*)([\w.$]+[^\n]*;)[ \t]*$")
_TAG: Final = re.compile(rb"(?s)\{[{%].*?[}%]\}")
_TEXT: Final = re.compile(rb"(?s)(?<=[>}])[^<>{}]+(?=[<{])|^[^<>{}\n]+$", re.MULTILINE)
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SIMPLE: Final = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Raise, ast.Continue, ast.Break, ast.Delete, ast.Expr,
)  # fmt: skip
_TOLD: Final = ("reports", "cli", "text")


@dataclass(frozen=True, slots=True)
class Spot:
    """What can be made wrong in a file: from one byte to another, and what stands there then."""

    kind: str
    start: int
    end: int
    put: bytes


@dataclass(frozen=True, slots=True)
class Break:
    """One break: where it stands, what kind it is, the lines before and after, and the whole file after."""

    layer: str
    file: str
    line: int
    kind: str
    before: str
    after: str
    text: bytes

    def told(self) -> dict[str, Any]:
        """Return it as it is listed."""
        return {name: getattr(self, name) for name in ("layer", "file", "line", "kind", "before", "after")}


def layers(files: Collection[str]) -> dict[str, list[str]]:
    """Sort the files of the product, by their paths in the clone, into the five layers; the rest is left out."""
    found: dict[str, list[str]] = {name: [] for name in ("spec", "engine", "suite", "reports", "site")}
    for name in sorted(files):
        top, *rest = name.split("/")
        place = rest[0] if rest else ""
        if top == "spec" and place != "worth" and name.endswith((".yaml", ".json")):
            found["spec"].append(name)
        elif "tests" in rest or not _spots_of(name):
            continue
        elif place in ("belot_spec", "belot_reference"):
            found["engine"].append(name)
        elif place == "belot_conformance" and "adapter_templates" not in rest:
            found["reports" if rest[1] in (*_TOLD, "words.yaml", "words.fr.yaml") else "suite"].append(name)
        elif top == "site" and place in ("belot_site", "assets", "playground", "theme"):
            found["site"].append(name)
    return found


def draw(root: Path, files: Collection[str], seed: int, count: int) -> list[Break]:
    """Draw so many breaks, as many of each layer, and in each as many of every kind; each on another line.

    A line is drawn from all lines of the layer that can be broken so, whatever file it stands in.
    """
    drawn, lot = [], random.Random(seed)
    for place, (layer, names) in enumerate(layers(files).items()):
        lines: dict[str, dict[tuple[str, int], list[Spot]]] = defaultdict(lambda: defaultdict(list))
        for name in names:
            source = (root / name).read_bytes()
            for spot in (_spots_of(name) or _nothing)(source):
                lines[spot.kind][name, source.count(b"\n", 0, spot.start) + 1].append(spot)
        pools = {kind: sorted(lines[kind].items()) for kind in sorted(lines)} or {"": []}
        share, used = count * (place + 1) // 5 - count * place // 5, set[tuple[str, int]]()
        # Fewer than there are kinds are not always of the first ones.
        turns, first = 0, lot.randrange(len(pools))
        while len(used) < share and any(pools.values()):
            pool = [*pools.values()][(first + turns) % len(pools)]
            turns += 1
            while pool:
                (name, line), spots = pool.pop(lot.randrange(len(pool)))
                made = (name, line) not in used and _made(root, layer, name, line, lot.choice(spots))
                if made:
                    used.add((name, line))
                    drawn.append(made)
                    break
    return drawn


def _made(root: Path, layer: str, name: str, line: int, spot: Spot) -> Break | None:
    source = (root / name).read_bytes()
    text = source[: spot.start] + spot.put + source[spot.end :]
    if text == source or not _reads(name, text):
        return None
    first = source.rfind(b"\n", 0, spot.start) + 1
    before = source[first : (source + b"\n").index(b"\n", spot.end)]
    after = text[first : first + len(before) + len(text) - len(source)]
    return Break(layer, name, line, spot.kind, before.decode().strip(), after.decode().strip(), text)


def _reads(name: str, text: bytes) -> bool:
    """Say whether a file can still be parsed."""
    try:
        match Path(name).suffix:
            case ".py":
                compile(text, name, "exec", dont_inherit=True)
            case ".yaml":
                yaml.compose(text, Loader=yaml.CSafeLoader)
            case ".json":
                json.loads(text)
            case ".js" if shutil.which("node"):
                command = ["node", "--check", "--input-type=module", "-"]
                return subprocess.run(command, input=text, capture_output=True, check=False).returncode == 0
            case ".md" | ".html" | ".j2":
                jinja2.Environment().parse(text.decode())
    except (SyntaxError, ValueError, yaml.YAMLError, jinja2.TemplateError):
        return False
    return True


def _spots_of(name: str) -> Callable[[bytes], Iterator[Spot]] | None:
    path = Path(name)
    if path.suffix in (".md", ".html", ".j2"):
        return _in_template if {"templates", "output", "theme"} & set(path.parts) else None
    return {".py": _in_python, ".yaml": _in_yaml, ".json": _in_yaml, ".js": _in_javascript}.get(path.suffix)


def _nothing(_: bytes) -> Iterator[Spot]:
    yield from ()


def _numbers(start: int, told: bytes) -> Iterator[Spot]:
    number = int(told)
    for other in (number + 1, number - 1):
        if other >= 0:
            yield Spot("number", start, start + len(told), b"%d" % other)


def _messages(start: int, told: bytes) -> Iterator[Spot]:
    """Yield every word in a text with another last letter, so that no line grows."""
    for word in _WORD.finditer(told):
        put = word[0][:-1] + (b"z" if word[0].endswith(b"x") else b"x")
        yield Spot("message", start + word.start(), start + word.end(), put)


def _blank(text: bytes, what: str) -> bytes:
    return re.sub(what.encode(), lambda found: b" " * len(found[0]), text)


class _Python(ast.NodeVisitor):
    """Finds what can be wrong in code: not in annotations and docstrings, nor in what f-strings work out."""

    def __init__(self, source: bytes) -> None:
        self.found: list[Spot] = []
        self._source, self._inside = source, False
        self._starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def _begin(self, node: Any) -> int:
        return int(self._starts[node.lineno - 1] + node.col_offset)

    def _end(self, node: Any) -> int:
        return int(self._starts[node.end_lineno - 1] + node.end_col_offset)

    def generic_visit(self, node: ast.AST) -> None:
        if self._inside and isinstance(node, _SIMPLE):
            self.found.append(Spot("dropped", self._begin(node), self._end(node), b"pass"))
        outside, self._inside = self._inside, self._inside or isinstance(node, ast.FunctionDef)
        for field, value in ast.iter_fields(node):
            if field not in ("annotation", "returns"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)
        self._inside = outside

    def visit_Expr(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        told = _blank(self._source[self._begin(node) : self._end(node)], r"\{(?:[^{}]|\{[^{}]*\})*\}")
        self.found += _messages(self._begin(node), told)

    def visit_Constant(self, node: ast.Constant) -> None:
        told = self._source[self._begin(node) : self._end(node)]
        if isinstance(node.value, str):
            self.found += _messages(self._begin(node), told)
        elif told.isdigit():
            self.found += _numbers(self._begin(node), told)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, right in pairwise((node.left, *node.comparators)):
            if sign := _COMPARES.search(self._source, self._end(left), self._begin(right)):
                put = _FLIPPED[b" ".join(sign[0].split()).decode()].encode()
                self.found.append(Spot("comparison", sign.start(), sign.end(), put))
        self.generic_visit(node)


def _in_python(source: bytes) -> Iterator[Spot]:
    code = _Python(source)
    code.visit(ast.parse(source))
    yield from code.found


def _scalars(node: yaml.Node | None, key: str = "") -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Yield the values of a document, each with the key that it stands under."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _scalars(value, str(name.value))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _scalars(item, key)
    elif isinstance(node, yaml.ScalarNode):
        yield key, node


def _in_yaml(source: bytes) -> Iterator[Spot]:
    """Yield what can be wrong in the values of a file of YAML or JSON: numbers, names of values, words of texts."""
    text = source.decode()
    at = [0, *accumulate(len(letter.encode()) for letter in text)]
    found = [*_scalars(yaml.compose(text, Loader=yaml.CSafeLoader))]
    names: dict[str, set[str]] = defaultdict(set)
    for key, node in found:
        if _NAME.fullmatch(node.value) and node.tag.endswith(":str"):
            names[key].add(node.value)
    for key, node in found:
        start, end = at[node.start_mark.index], at[node.end_mark.index]
        told = source[start:end]
        if node.tag.endswith(":int") and told.isdigit():
            yield from _numbers(start, told)
        elif node.tag.endswith(":bool"):
            yield Spot("value", start, end, b"false" if told == b"true" else b"true")
        elif node.value in names[key]:
            for other in sorted(names[key] - {node.value}):
                yield Spot("value", start, end, told.replace(node.value.encode(), other.encode()))
        elif node.tag.endswith(":str"):
            yield from _messages(start, told)


def _in_javascript(source: bytes) -> Iterator[Spot]:
    bare = _blank(source, r"(?s)/\*.*?\*/|(?<![:\"'])//[^\n]*")
    for string in _STRINGS.finditer(bare):
        yield from _messages(string.start(), _blank(string[0], r"\$\{[^}]*\}"))
    code = _STRINGS.sub(lambda string: b" " * len(string[0]), bare)
    for sign in _SIGN.finditer(code):
        yield Spot("comparison", sign.start(), sign.end(), _FLIPPED[sign[0].decode()].encode())
    for number in _NUMBER.finditer(code):
        yield from _numbers(number.start(), number[0])
    for call in _CALL.finditer(code):
        if all(call[1].count(pair[:1]) == call[1].count(pair[1:]) for pair in (b"()", b"[]", b"{}")):
            yield Spot("dropped", call.start(1), call.end(1), b";")


def _in_template(source: bytes) -> Iterator[Spot]:
    for tag in _TAG.finditer(source):
        code = _STRINGS.sub(lambda string: b" " * len(string[0]), tag[0])
        for sign in _SIGN.finditer(code):
            at = tag.start() + sign.start()
            yield Spot("comparison", at, at + len(sign[0]), _FLIPPED[sign[0].decode()].encode())
        for number in _NUMBER.finditer(code):
            yield from _numbers(tag.start() + number.start(), number[0])
        if tag[0].startswith(b"{{"):
            yield Spot("dropped", tag.start(), tag.end(), b"")
    for told in _TEXT.finditer(_TAG.sub(lambda tag: b"{" + b" " * (len(tag[0]) - 2) + b"}", source)):
        yield from _messages(told.start(), told[0])
