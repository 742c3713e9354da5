"""JSON Schemas (draft 2020-12): fast validation; what is wrong is told by ``belot_spec.load.explanations``."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs

from belot_spec.data import schema_files
from belot_spec.document import Document, Explanation
from belot_spec.errors import Problem, refuse
from belot_spec.files import read_json
from belot_spec.load.translations import read_translated, translated_files

Validator = jsonschema_rs.Draft202012Validator

# A schema is found by an absolute address only.
_BASE: Final = "json-schema:///"


@cache
def _registry() -> jsonschema_rs.Registry:
    # Never a function that fetches them: an interrupt that is raised in one comes out as some error of the library.
    return jsonschema_rs.Registry([(_BASE + path.name, read_json(path)) for path in schema_files()])


def _reference(name: str, definition: str | None, base: str = "") -> dict[str, Any]:
    return {"$ref": f"{base}{name}.schema.json" + (f"#/$defs/{definition}" if definition else "")}


@cache
def _validator_of(name: str, definition: str | None) -> Validator:
    return Validator(_reference(name, definition, _BASE), registry=_registry())


def is_valid(instance: Any, name: str, definition: str | None = None) -> bool:
    """Say whether a value fits a schema, or one of the schema's ``$defs``; what is no JSON fits none."""
    try:
        return bool(_validator_of(name, definition).is_valid(instance))
    except ValueError:
        return False


def validator(contents: Mapping[str, Any]) -> Validator:
    """Return a validator for a schema that may refer to the project's own schemas by file name."""
    return Validator({"$id": f"{_BASE}value", **contents}, registry=_registry())


def explain(instance: Any, name: str, definition: str | None = None) -> list[Explanation]:
    """Return (key path, message) for each way in which a value does not fit a schema of the project."""
    try:
        return _explain(instance, _reference(name, definition), _validator_of(name, definition))
    except ValueError as error:
        return [((), f"is not made of what JSON knows: {error}")]


def explain_by(instance: Any, contents: Mapping[str, Any]) -> list[Explanation]:
    """Return (key path, message) for each way in which a value does not fit a schema."""
    return _explain(instance, contents, validator(contents))


def _explain(instance: Any, contents: Mapping[str, Any], fast: Validator) -> list[Explanation]:
    if fast.is_valid(instance):
        return []
    from belot_spec.load.explanations import explained

    # What the other validator, whose patterns are laxer, lets pass is told in the words of this one.
    plain = ((tuple(error.instance_path), str(error.message)) for error in fast.iter_errors(instance))
    return explained(instance, contents) or [*plain]


def explain_schema(contents: Mapping[str, Any]) -> list[Explanation]:
    """Return (key path, message) for each way in which a mapping is no JSON Schema."""
    if jsonschema_rs.meta.is_valid(dict(contents)):
        return []
    from belot_spec.load.explanations import explained_schema

    return explained_schema(contents)


def valid_documents(folder: Path, name: str, problems: list[Problem]) -> Iterator[Document]:
    """Yield the YAML files of a folder that fit a schema; what is wrong with the others is added to the problems."""
    for path in translated_files(folder):
        document = read_translated(path)
        wrong = document_problems(document, name)
        problems += wrong
        if not wrong:
            yield document


def check_document(document: Document, name: str) -> None:
    """Raise ``SpecError`` with the problems of a YAML file that does not fit its schema."""
    refuse(document_problems(document, name))


def document_problems(document: Document, name: str) -> list[Problem]:
    """Return the problems of a YAML file that does not fit its schema, in the order of their lines."""
    problems = (document.problem(path, message) for path, message in explain(document.data, name))
    return sorted(problems, key=lambda problem: problem.line)
