"""What somebody has still to write in a spec: texts, and the rules by which a variant differs."""

from collections.abc import Iterator
from typing import Any, Final

from belot_spec.catalogue import value_key
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem
from belot_spec.load.documents import read_document
from belot_spec.spec import Spec
from belot_spec.variants import Variant

# How a text begins that stands for one to be written.
TO_WRITE: Final = "TO WRITE:"


def unwritten(spec: Spec) -> Iterator[Problem]:
    """Yield what is still to be written of the variants and the sources, each at its place."""
    for variant in spec.variants.values():
        yield from _texts(variant.document, variant.document.data, ())
        if _is_a_copy(variant, spec):
            yield variant.document.problem(("rules",), f"plays as {variant.parent} does; write the rules that differ")
    for source in spec.sources.values():
        document = read_document(source.path)
        yield from _texts(document, document.data, ())


def _texts(document: Document, told: Any, at: KeyPath) -> Iterator[Problem]:
    if isinstance(told, str) and told.startswith(TO_WRITE):
        yield document.problem(at, f"still to be written: {told.removeprefix(TO_WRITE).strip()}")
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in inner:
        yield from _texts(document, value, (*at, key))


def _is_a_copy(variant: Variant, spec: Spec) -> bool:
    """Say whether a variant has no value and no option that the playable one which it extends has not."""
    if variant.parent not in spec.playable() or variant.abstract or variant.options:
        return False
    own, base = (spec.profile(name).settings for name in (variant.id, variant.parent))
    return own.keys() == base.keys() and all(value_key(own[one].value) == value_key(base[one].value) for one in own)
