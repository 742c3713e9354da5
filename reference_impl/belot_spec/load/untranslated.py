"""What a language that stands beside others still lacks of what players read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem
from belot_spec.languages import BESIDE, IN_PLACE, TONGUES
from belot_spec.load.translations import read_translated, translated_files
from belot_spec.spec import Spec


def untranslated(spec: Spec) -> Iterator[Problem]:
    """Yield each text of rules, variants that are no drafts, and the glossary that such a language lacks.

    A folder that has no file in a language is not told in it.
    """
    for language in BESIDE:
        if not any(spec.folder.rglob(f"*.{language}.yaml")):
            continue
        for document in _read_by_players(spec):
            for at, text in _texts(document.data, ()):
                if language not in text:
                    yield document.problem(at, f"{TONGUES[language].english} lacks this")


def _read_by_players(spec: Spec) -> Iterator[Document]:
    drafts = {name for name, variant in spec.variants.items() if variant.draft}
    for folder in ("rules", "variants"):
        for path in translated_files(spec.folder / folder):
            if folder == "rules" or path.stem not in drafts:
                yield read_translated(path)
    yield read_translated(spec.folder / "glossary.yaml")


def _texts(part: Any, at: KeyPath) -> Iterator[tuple[KeyPath, Mapping[str, str]]]:
    """Yield each text by language of a part of a document, with its place."""
    if isinstance(part, Mapping):
        if part.keys() >= {*IN_PLACE}:
            yield at, part
        else:
            for key, inner in part.items():
                yield from _texts(inner, (*at, key))
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for index, inner in enumerate(part):
            yield from _texts(inner, (*at, index))
