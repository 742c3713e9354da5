"""Common mistakes of programs: rule values that they play whatever the variant says, and the few that are none."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Text, text_of
from belot_spec.documents import read_document
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.schemas import check_document

LIST: Final = Path(__file__).with_name("mistakes.yaml")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake: its name, the values that are played, and words that complete *plays as if*.

    One that is no value of a rule has none, and words that complete *the program*.
    """

    name: str
    values: Mapping[str, Any]
    title: Text


@cache
def load_mistakes(path: Path = LIST) -> Mapping[str, Mistake]:
    """Load the list; raises ``SpecError`` for a faulty one."""
    document = read_document(path)
    check_document(document, "mistakes")
    return {
        name: Mistake(name, data["rules"], text_of(data["title"])) for name, data in document.data["mistakes"].items()
    }


@cache
def load_faults(path: Path = LIST) -> Mapping[str, Mistake]:
    """Load the mistakes that are no values of rules."""
    faults = read_document(path).data["faults"]
    return {name: Mistake(name, {}, text_of(data["title"])) for name, data in faults.items()}


def mistake_named(name: str) -> Mistake:
    """Return a mistake by name, one without values too; raises ``UnknownNameError``."""
    known = {**load_mistakes(), **load_faults()}
    if name not in known:
        hint = nearest(name, known) or "; belot mistakes lists them"
        raise UnknownNameError(f"there is no mistake {name}{hint}")
    return known[name]
