"""The file of a new variant or source: it loads, and lint names what is still to be written in it."""

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import click

from belot_conformance.cli.common import LazyGroup, echo, number_option
from belot_spec.data import refuse_installed, schema, spec_folder
from belot_spec.errors import BelotError, UnknownNameError, nearest
from belot_spec.files import read_text
from belot_spec.load.lint import TO_WRITE
from belot_spec.load.schemas import explain_by
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.variants import resolved_settings, settled
from belot_spec.whole_file import write_whole

# Statements are numbered in three digits.
MOST_STATEMENTS: Final = 999
_ID: Final = re.compile(r"^id: *[\"']?([\w-]+)", re.MULTILINE)
_VARIANT: Final = """\
# yaml-language-server: $schema=../schema/variant.schema.json
id: {id}
extends: {base}
name: {name}
summary: {summary}
# What differs from {base}, a rule a line:  scoring.tie: {{value: taker-falls, status: stated, cite: [{cite}]}}
rules: {{}}
"""
_SOURCE: Final = """\
# yaml-language-server: $schema=../schema/source.schema.json
id: {id}
title: {title}
region: {region}
language: {language}
# A collection of documents names them under documents:, and tells each statement, with those that say so:
# statements: {{{id}-001: {{text: {{en: …, nl: …}}, documents: [D1]}}}}
statements: {statements}
parts:
  {run}: [{variant}]
# The home of each statement or run:  {id}-001: {{rules: [scoring.tie]}}  or, if it feeds none,  {{reason: history}}
trace: {{}}
"""


class ScaffoldError(BelotError):
    """A new variant or source cannot have its name."""


def write_variant(spec: Spec, name: str, base: str) -> Path:
    """Write the file of a variant that so far plays as another does, and return it.

    Raises ``ScaffoldError`` for a name that is taken or has not the right form, ``UnknownNameError`` for the base.
    """
    _check("variant", name, spec.variants, {"$ref": "common.schema.json#/$defs/name"})
    _check_variant(base, spec.variants)
    text = _VARIANT.format(
        id=name,
        base=base,
        name=_to_write("its name"),
        summary=_to_write("what sets it apart, in a sentence"),
        cite=f"{next(iter(spec.sources))}-001",
    )
    return _written(spec.folder / "variants" / f"{name}.yaml", text)


def write_source(folder: Path, name: str, variant: str, language: str, statements: int) -> Path:
    """Write the file of a source about a variant, whose statements have no homes yet, into a spec, and return it.

    The spec need not load: it may not before the source is there that a new variant cites.

    Raises ``ScaffoldError`` for an id that is taken or has not the right form, ``UnknownNameError`` for the variant.
    """
    _check("source", name, _ids(folder / "sources"), schema("source")["properties"]["id"])
    _check_variant(variant, _ids(folder / "variants"))
    text = _SOURCE.format(
        id=name,
        title=_to_write("what the document is called"),
        region=_to_write("where they play so"),
        language=language,
        statements=statements,
        run=f"{name}-001..{statements:03d}",
        variant=variant,
    )
    return _written(folder / "sources" / f"{name.lower()}.yaml", text)


def _ids(folder: Path) -> list[str]:
    """Return the ids of the files of a folder as they stand there, whatever else is wrong with them."""
    ids = (_ID.search(read_text(path)) for path in sorted(folder.glob("*.yaml")))
    return [one[1] for one in ids if one]


def source_languages() -> list[str]:
    """Return the languages that a source may be in."""
    return [*schema("source")["properties"]["language"]["enum"]]


def _check(kind: str, name: str, taken: Collection[str], form: Mapping[str, Any]) -> None:
    for _, message in explain_by(name, form):
        raise ScaffoldError(f"{kind} {name}: {message}")
    if name in taken:
        raise ScaffoldError(f"there is already a {kind} {name}")


def _check_variant(name: str, known: Collection[str]) -> None:
    if name not in known:
        raise UnknownNameError(f"there is no variant {name}{nearest(name, known)}")


def _to_write(what: str) -> str:
    """Return a text that stands for one to be written, in every language that it needs."""
    languages = schema("common")["$defs"]["text"]["required"]
    return "{" + ", ".join(f"{one}: {json.dumps(f'{TO_WRITE} {what}')}" for one in languages) + "}"


def _written(path: Path, text: str) -> Path:
    if path.exists():
        raise ScaffoldError(f"{path} is there already")
    write_whole(path, text)
    return path


@click.group(cls=LazyGroup)
def new() -> None:
    """Begin a new variant or source."""


@new.command("variant")
@click.argument("name", metavar="ID")
@click.option("--extends", "base", required=True, metavar="BASE", help="The variant as which it plays so far.")
def new_variant(name: str, base: str) -> None:
    """Write the file of a variant that so far plays as BASE does.

    With its rules, options, rulings and right to cite. belot spec lint then names what is still to be written.
    Rules that BASE leaves open need a value first.
    """
    refuse_installed("every variant")
    spec = default_spec()
    echo(f"{write_variant(spec, name, base)}: belot spec lint names what is still to be written")
    _, lacking = settled(resolved_settings(spec.variants[base], spec.variants), spec.rules)
    if lacking:
        echo(f"first give the rules a value that {base} leaves open: {', '.join(lacking)}")


@new.command("source")
@click.argument("name", metavar="ID")
@click.option("--about", "variant", required=True, metavar="VARIANT", help="The variant that it speaks of.")
@number_option("--statements", "How many statements it has.", 1, most=MOST_STATEMENTS)
@click.option("--written-in", "language", type=click.Choice(source_languages()), default="en", help="Its language.")
def new_source(name: str, variant: str, statements: int, language: str) -> None:
    """Write the file of a source with two capitals as its ID.

    Its statements have numbers. belot spec lint then names the texts that are still to be written, and belot spec trace
    the statements of which nothing says what becomes of them.
    """
    refuse_installed("every source")
    path = write_source(spec_folder(), name, variant, language, statements)
    echo(f"{path}: belot spec lint and belot spec trace name what is still to be written")
