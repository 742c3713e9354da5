"""Drawing breaks by lot: a line of the product, and one small thing in it that is made wrong."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

LAYERS: Final = ("spec", "engine", "suite", "reports", "site")
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

# What can be made wrong in a file: its kind, from which byte to which, and what stands there then.
Spot = tuple[str, int, int, bytes]


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

    def entry(self) -> dict[str, Any]:
        """Return it as it is listed."""
        return {name: getattr(self, name) for name in ("layer", "file", "line", "kind", "before", "after")}


def draw(root: Path, files: Collection[str], seed: int, count: int) -> list[Break]:
    """Draw so many breaks, as many of each layer, and in each as many of every kind; each on another line.

    A line is drawn from all lines of the layer that can be broken so, whatever file it stands in.
    """
    drawn, lot = [], Random(seed)
    for place, layer in enumerate(LAYERS):
        lines: dict[str, dict[tuple[str, int], list[Spot]]] = defaultdict(lambda: defaultdict(list))
        for name in sorted(name for name in files if _layer(name) == layer):
            source = (root / name).read_bytes()
            for spot in _FINDERS[Path(name).suffix](source):
                lines[spot[0]][name, source.count(b"\n", 0, spot[1]) + 1].append(spot)
        pools = [sorted(lines[kind].items()) for kind in sorted(lines)]
        share, used = count * (place + 1) // len(LAYERS) - count * place // len(LAYERS), set[tuple[str, int]]()
        # Where fewer are drawn than there are kinds, these are not always the first ones.
        turn = lot.randrange(len(pools)) if pools else 0
        while len(used) < share and any(pools):
            if pool := pools[turn % len(pools)]:
                at, spots = pool.pop(lot.randrange(len(pool)))
                if at not in used:
                    used.add(at)
                    drawn.append(_made(root, layer, *at, lot.choice(spots)))
            turn += 1
    return drawn


def _layer(name: str) -> str | None:
    """Return the layer of the product that a file of the project belongs to, by its path; ``None`` for the rest."""
    top, place, *rest = [*name.split("/"), "", ""]
    suffix, parts = Path(name).suffix, set(Path(name).parts)
    if suffix not in _FINDERS or parts & {"tests", "adapter_templates"}:
        return None
    if top == "spec":
        return "spec" if place != "worth" and suffix in (".yaml", ".json") else None
    if suffix in (".md", ".html", ".j2") and not parts & {"templates", "output", "theme"}:
        return None
    if place == "belot_conformance":
        return "reports" if rest[0] in ("reports", "cli", "text", "words.yaml", "words.fr.yaml") else "suite"
    if place in ("belot_spec", "belot_reference"):
        return "engine"
    return "site" if top == "site" and place in ("belot_site", "assets", "playground", "theme") else None


def _made(root: Path, layer: str, name: str, line: int, spot: Spot) -> Break:
    kind, start, end, put = spot
    source = (root / name).read_bytes()
    text = source[:start] + put + source[end:]
    first = source.rfind(b"\n", 0, start) + 1
    before = source[first : (source + b"\n").index(b"\n", end)]
    after = text[first : first + len(before) + len(text) - len(source)]
    return Break(layer, name, line, kind, before.decode().strip(), after.decode().strip(), text)


def _numbers(start: int, told: bytes) -> Iterator[Spot]:
    for other in (int(told) + 1, int(told) - 1):
        if other >= 0:
            yield "number", start, start + len(told), b"%d" % other


def _messages(start: int, text: bytes) -> Iterator[Spot]:
    """Yield every word in a text with another last letter, so that no line grows."""
    for word in _WORD.finditer(text):
        put = word[0][:-1] + (b"z" if word[0].endswith(b"x") else b"x")
        yield "message", start + word.start(), start + word.end(), put


def _signs(start: int, code: bytes) -> Iterator[Spot]:
    """Yield the comparisons and numbers of code in which strings are blank."""
    for sign in _SIGN.finditer(code):
        yield "comparison", start + sign.start(), start + sign.end(), _FLIPPED[sign[0].decode()].encode()
    for number in _NUMBER.finditer(code):
        yield from _numbers(start + number.start(), number[0])


def _blank(text: bytes, what: str | re.Pattern[bytes]) -> bytes:
    return re.sub(what.encode() if isinstance(what, str) else what, lambda found: b" " * len(found[0]), text)


def _in_python(source: bytes) -> Iterator[Spot]:
    """Yield what can be wrong in code: not in annotations and docstrings, nor in what f-strings work out."""
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    nodes = [*ast.walk(ast.parse(source))]
    left_out = {one for node in nodes for name in ("annotation", "returns") if (one := getattr(node, name, None))}
    left_out |= {node for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    inside = {below for node in nodes if isinstance(node, ast.FunctionDef) for below in ast.walk(node)}
    strings = {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    left_out |= {below for node in left_out for below in ast.walk(node)}

    def place(node: Any) -> tuple[int, int]:
        begin, end = starts[node.lineno - 1], starts[node.end_lineno - 1]
        return begin + node.col_offset, end + node.end_col_offset

    for node in nodes:
        if node in left_out:
            continue
        if isinstance(node, _SIMPLE) and node in inside:
            yield "dropped", *place(node), b"pass"
        elif isinstance(node, ast.JoinedStr):
            begin, end = place(node)
            yield from _messages(begin, _blank(source[begin:end], r"\{(?:[^{}]|\{[^{}]*\})*\}"))
        elif isinstance(node, ast.Constant) and node not in strings:
            begin, end = place(node)
            if isinstance(node.value, str):
                yield from _messages(begin, source[begin:end])
            elif source[begin:end].isdigit():
                yield from _numbers(begin, source[begin:end])
        elif isinstance(node, ast.Compare):
            for left, right in pairwise((node.left, *node.comparators)):
                if sign := _COMPARES.search(source, place(left)[1], place(right)[0]):
                    put = _FLIPPED[b" ".join(sign[0].split()).decode()].encode()
                    yield "comparison", sign.start(), sign.end(), put


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
            yield "value", start, end, b"false" if told == b"true" else b"true"
        elif node.value in names[key]:
            for other in sorted(names[key] - {node.value}):
                yield "value", start, end, told.replace(node.value.encode(), other.encode())
        elif node.tag.endswith(":str"):
            yield from _messages(start, told)


def _in_javascript(source: bytes) -> Iterator[Spot]:
    bare = _blank(source, r"(?s)/\*.*?\*/|(?<![:\"'])//[^\n]*")
    for string in _STRINGS.finditer(bare):
        yield from _messages(string.start(), _blank(string[0], r"\$\{[^}]*\}"))
    code = _blank(bare, _STRINGS)
    yield from _signs(0, code)
    for call in _CALL.finditer(code):
        if all(call[1].count(pair[:1]) == call[1].count(pair[1:]) for pair in (b"()", b"[]", b"{}")):
            yield "dropped", call.start(1), call.end(1), b";"


def _in_template(source: bytes) -> Iterator[Spot]:
    for tag in _TAG.finditer(source):
        yield from _signs(tag.start(), _blank(tag[0], _STRINGS))
        if tag[0].startswith(b"{{"):
            yield "dropped", tag.start(), tag.end(), b""
    for text in _TEXT.finditer(_TAG.sub(lambda tag: b"{" + b" " * (len(tag[0]) - 2) + b"}", source)):
        yield from _messages(text.start(), text[0])


_FINDERS: Final[Mapping[str, Callable[[bytes], Iterator[Spot]]]] = {
    ".py": _in_python, ".yaml": _in_yaml, ".json": _in_yaml, ".js": _in_javascript,
    ".md": _in_template, ".html": _in_template, ".j2": _in_template,
}  # fmt: skip
