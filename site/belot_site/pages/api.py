"""The library's page: every name that ``import belot_reference`` promises, with its signature and what it says."""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import belot_reference
from belot_site.content.edition import SiteEdition
from belot_site.content.library import SITE_FOLDER
from belot_spec.files import read_text
from belot_spec.load.documents import read_document

# ``belot_reference.view.View`` and ``pathlib.Path`` are told by their last names.
_MODULE: Final = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")
_FIRST: Final = "Game"
_LINE: Final = 80


@dataclass(frozen=True, slots=True)
class ApiEntry:
    """One name of the library: how it is written, and its paragraphs."""

    name: str
    signature: str
    paragraphs: tuple[str, ...]
    members: tuple["ApiEntry", ...] = ()


def library_page(edition: SiteEdition) -> Mapping[str, Any]:
    """Return what the page is made of: the entries told in the language of an edition, and the example of its page."""
    return {"entries": entries(edition.language), "example": _example()}


def entries(language: str) -> list[ApiEntry]:
    """Return the names of the library, the game first; in English they say what their docstrings say."""
    names = sorted(belot_reference.__all__, key=lambda name: (name != _FIRST, name))
    return [_entry(name, language) for name in names]


def _entry(name: str, language: str) -> ApiEntry:
    found = getattr(belot_reference, name)
    members = tuple(_members(name, found, language)) if isinstance(found, type) else ()
    told_apart = isinstance(found, type) and issubclass(found, Exception)
    signature = "" if told_apart else _written(name, found)
    return ApiEntry(name, signature, _paragraphs(name, found, language), members)


def _members(owner: str, found: type, language: str) -> Iterator[ApiEntry]:
    """Yield the public methods and properties of a class; its fields stand in its signature."""
    for name, member in vars(found).items():
        if name.startswith("_") or (not isinstance(member, property | classmethod) and not inspect.isfunction(member)):
            continue
        full = f"{owner}.{name}"
        yield ApiEntry(full, _signature(name, member), _paragraphs(full, member, language))


def _signature(name: str, member: Any) -> str:
    if isinstance(member, property):
        return _short(f"{name}: {inspect.signature(member.fget).return_annotation}") if member.fget else name
    return _written(name, member.__func__ if isinstance(member, classmethod) else member)


def _written(name: str, found: Any) -> str:
    signature = inspect.signature(found)
    kept = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
    written = _short(f"{name}{signature.replace(parameters=kept)}").removesuffix(" -> None")
    if len(written) <= _LINE:
        return written
    listed = "".join(f"    {one},\n" for one in _listed(kept))
    return _short(f"{name}(\n{listed}){written.rpartition(')')[2]}")


def _listed(parameters: Iterable[inspect.Parameter]) -> Iterator[str]:
    """Yield parameters as they are written, with a star before the first of those that are given by name."""
    starred = False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield str(one)


def _short(text: str) -> str:
    """Return a signature without the names of modules, and without quotes around the names of classes."""
    plain = re.sub(r"<class '([^']+)'>", r"\1", text)
    plain = re.sub(r"'([A-Z]\w*)'", r"\1", plain)
    return _MODULE.sub("", plain)


def _paragraphs(name: str, found: Any, language: str) -> tuple[str, ...]:
    text = dutch()[name] if language == "nl" else inspect.getdoc(found) or ""
    return tuple(" ".join(part.split()).replace("``", "`") for part in text.split("\n\n"))


@cache
def dutch() -> Mapping[str, str]:
    """Return in Dutch what each name of the library says."""
    found: Mapping[str, str] = read_document(Path(__file__).with_name("api_nl.yaml")).data
    return found


def _example() -> str:
    page = read_text(SITE_FOLDER.parent / "conformance/docs/library.md")
    found = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]
