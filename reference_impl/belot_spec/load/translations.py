"""Texts in a language that stands beside: ``play.fr.yaml`` beside ``play.yaml``.

It has the same keys, and under them one text in place of one by language. What a list holds is found by what it is
about: the item with the same ``when``, ``rule``, ``rules``, ``says`` or ``id``, and a text by its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from belot_spec import files
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.languages import BESIDE, IN_PLACE, TONGUES
from belot_spec.load.documents import read_document

# By what an item of a list is known: the first of these that it has; after that, what it says is a text.
_ABOUT: Final = ("when", "rule", "rules", "says", "id")


def read_translated(path: Path, most: int = files.MAX_BYTES) -> Document:
    """Read a YAML file with what the files beside it say in other languages.

    Raises ``SpecError`` as ``read_document`` does, and for a text in such a language that stands under no key of ours.
    """
    document = read_document(path, most)
    for language in BESIDE:
        beside = path.with_name(f"{path.stem}.{language}{path.suffix}")
        if beside.is_file():
            document = _with(document, read_document(beside, most), language)
    return document


def translated_files(folder: Path) -> list[Path]:
    """Return the YAML files of a folder that are no translation; raise ``SpecError`` for one of no file or language."""
    found = sorted(folder.glob("*.yaml"))
    refuse(problem for path in found if "." in path.stem for problem in _stray(path))
    return [path for path in found if "." not in path.stem]


def _stray(path: Path) -> Iterator[Problem]:
    name, _, language = path.stem.rpartition(".")
    if language not in BESIDE:
        known = ", ".join(f"{name}.{one}.yaml" for one in BESIDE)
        message = f"no language {language} stands beside others{nearest(language, BESIDE)}; known: {known}"
        yield Problem(path, 1, "", message)
    elif not path.with_name(f"{name}.yaml").is_file():
        yield Problem(path, 1, "", f"there is no {name}.yaml whose texts these could be")


def _with(document: Document, other: Document, language: str) -> Document:
    problems: list[Problem] = []
    data = _merged(document.data, other.data, (), language, other, problems)
    refuse(problems)
    return replace(document, data=data, others={**document.others, language: other})


def _merged(own: Any, other: Any, at: KeyPath, language: str, document: Document, problems: list[Problem]) -> Any:
    """Return a value with what another says in a language under the same keys."""
    if isinstance(own, Mapping) and own.keys() >= {*IN_PLACE} and not isinstance(other, Mapping):
        return {**own, language: other}
    if isinstance(own, Mapping) and isinstance(other, Mapping):
        merged = dict(own)
        for key, value in other.items():
            if key == language and own.keys() >= {*IN_PLACE}:
                merged[key] = value
            elif key not in own:
                message = f"there is no such key in the file that this says in {TONGUES[language].english}"
                problems.append(document.problem((*at, key), message + nearest(str(key), map(str, own))))
            else:
                merged[key] = _merged(own[key], value, (*at, key), language, document, problems)
        return merged
    if (
        isinstance(own, Sequence)
        and isinstance(other, Sequence)
        and not isinstance(own, str)
        and not isinstance(other, str)
    ):
        return _merged_lists(own, other, at, language, document, problems)
    problems.append(document.problem(at, f"there is no text here that could be said in {TONGUES[language].english}"))
    return own


def _merged_lists(
    own: Sequence[Any], other: Sequence[Any], at: KeyPath, language: str, document: Document, problems: list[Problem]
) -> Any:
    merged = list(own)
    for index, item in enumerate(other):
        known = [key for key in _ABOUT if key in item] if isinstance(item, Mapping) else []
        about = {key: item[key] for key in known[:1]}
        if about:
            places = [place for place, one in enumerate(own) if {key: one.get(key) for key in about} == about]
        else:
            places = [index] if len(other) == len(own) else []
        if len(places) != 1:
            message = "not one item of the list is about the same" if about else "the list has not as many items"
            problems.append(document.problem((*at, index), message))
            continue
        said = {key: value for key, value in item.items() if key not in about} if about else item
        merged[places[0]] = _merged(own[places[0]], said, (*at, index), language, document, problems)
    return merged
