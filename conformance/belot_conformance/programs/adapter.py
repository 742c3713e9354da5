"""Starting an adapter: a small working program to copy, in a language of choice."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from belot_spec.catalogue import Language
from belot_spec.errors import BelotError
from belot_spec.words import Words

AdapterLanguage = Literal["python", "javascript"]

WORDS: Final = Words(__name__, "adapter")
_TEMPLATES: Final = Path(__file__).parent / "adapter_templates"


class AdapterError(BelotError):
    """The adapter cannot be written where it was asked for."""


@dataclass(frozen=True, slots=True)
class _Kind:
    program: str
    command: tuple[str, ...]


ADAPTERS: Final[dict[AdapterLanguage, _Kind]] = {
    "python": _Kind("adapter.py", ("python3", "adapter.py")),
    "javascript": _Kind("adapter.js", ("node", "adapter.js")),
}


def write_adapter(kind: AdapterLanguage, folder: Path, language: Language) -> tuple[str, ...]:
    """Write an adapter and its README into a folder, made if need be; return the command that runs it there.

    Raises ``AdapterError``, with nothing written, when a file of that name is there already.
    """
    templates = _TEMPLATES / kind
    program = ADAPTERS[kind].program
    contents = {
        program: (templates / program).read_text(encoding="utf-8"),
        "README.md": (templates / f"README.{language}.md").read_text(encoding="utf-8"),
    }
    if folder.exists() and not folder.is_dir():
        raise AdapterError(f"{folder} is not a folder; name one that is, or one that is not there yet")
    there = [name for name in contents if (folder / name).exists() or (folder / name).is_symlink()]
    if there:
        raise AdapterError(
            f"{folder} holds {' and '.join(there)} already, and nothing is overwritten; name another folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        with (folder / name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return ADAPTERS[kind].command
