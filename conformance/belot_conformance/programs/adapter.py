"""Starting an adapter: a small working program to copy, in a language of choice."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import Final

from belot_spec.errors import BelotError
from belot_spec.files import read_text
from belot_spec.load.documents import read_document
from belot_spec.whole_file import write_new
from belot_spec.words import English

WORDS: Final = English(__name__, "adapter")
_TEMPLATES: Final = Path(__file__).parent / "adapter_templates"
# What a template holds once, and an adapter for each operation.
_PLACE: Final = re.compile(r"^[ \t]*(?:#|//) <place>\n(.*?)^[ \t]*(?:#|//) </place>\n", re.DOTALL | re.MULTILINE)


class AdapterError(BelotError):
    """The adapter cannot be written where it was asked for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The program of a new adapter, the command that runs it in its folder, and the one that builds it, if any.

    ``names`` are what it calls the profiles, the operations and how questions should come.
    """

    program: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    names: tuple[str, str, str] = ("PROFILES", "OPERATIONS", "SHAPE")


ADAPTERS: Final[dict[str, Kind]] = {
    "python": Kind("adapter.py", ("python3", "adapter.py")),
    "javascript": Kind("adapter.js", ("node", "adapter.js")),
    "typescript": Kind("adapter.ts", ("node", "adapter.ts")),
    "go": Kind(
        "adapter.go",
        ("./adapter",),
        ("go", "build", "-o", "adapter", "adapter.go"),
        ("profiles", "operations", "shape"),
    ),
    "rust": Kind(
        "adapter.rs",
        ("./adapter",),
        ("rustc", "-O", "--edition", "2021", "adapter.rs"),
        ("PROFILES", "OPERATIONS", "DEALS"),
    ),
    "java": Kind("Adapter.java", ("java", "Adapter"), ("javac", "Adapter.java")),
}


def write_adapter(language: str, folder: Path) -> Kind:
    """Write an adapter and its README into a folder, made if need be; return what runs it there.

    Raises ``AdapterError``, with nothing written, when a file of that name is there already. What cannot be written
    whole, because the disk is full, leaves no file and no folder behind.
    """
    kind = ADAPTERS[language]
    template = read_text(_TEMPLATES / language / kind.program)
    contents = {kind.program: with_places(template), "README.md": _readme(language)}
    if folder.exists() and not folder.is_dir():
        raise AdapterError(f"{folder} is not a folder; name one that is, or one that is not there yet")
    there = [name for name in contents if (folder / name).exists() or (folder / name).is_symlink()]
    if there:
        raise AdapterError(
            f"{folder} holds {' and '.join(there)} already, and nothing is overwritten; name another folder"
        )
    made, written = [one for one in (folder, *folder.parents) if not one.exists()], list[Path]()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            write_new(folder / name, text)
            written.append(folder / name)
    except BaseException:
        with suppress(OSError):
            for path in written:
                path.unlink()
            for one in made:
                one.rmdir()
        raise
    return kind


def places() -> dict[str, dict[str, list[str]]]:
    """Return for each operation the lines that stand at its place: what it is ``asked``, and its ``result``."""
    found: dict[str, dict[str, list[str]]] = read_document(_TEMPLATES / "places.yaml").data
    return found


def with_places(template: str) -> str:
    """Return a template with its one place repeated for each operation that the template does not answer itself."""

    def repeated(found: re.Match[str]) -> str:
        stub = found[1].splitlines(keepends=True)
        return "".join(line for operation, lines in places().items() for line in _place(stub, operation, lines))

    return _PLACE.sub(repeated, template)


def _place(stub: Sequence[str], operation: str, lines: dict[str, list[str]]) -> Iterator[str]:
    for line in stub:
        name = next((name for name in lines if f"{{{name}}}" in line), None)
        if name is None:
            yield line.replace("{operation}", operation)
            continue
        before, _, after = line.partition(f"{{{name}}}")
        # The second line of a text stands under the first, behind the mark of a comment.
        mark = before[: len(before) - len(before.lstrip("# \t/"))].rstrip()
        for number, text in enumerate(lines[name]):
            yield f"{before if number == 0 else mark.ljust(len(before))}{text}{after}"


def _readme(language: str) -> str:
    kind = ADAPTERS[language]
    text = read_text(_TEMPLATES / "README.md")
    build = f"$ {join(kind.build)}\n" if kind.build else ""
    needs = WORDS.say(f"needs-{language}")
    profiles, operations, shape = kind.names
    more = WORDS.say("shape-goes-on") if shape == "DEALS" else ""
    names = {"profiles": profiles, "operations": operations, "shape": f"`{shape}`{more}"}
    return text.format(program=kind.program, command=join(kind.command), build=build, needs=needs, **names)
