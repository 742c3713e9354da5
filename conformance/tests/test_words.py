"""What the programs say: all languages fill the same places, and every text that is asked for is there."""

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import belot_conformance
import belot_reference
import belot_spec
import belot_workshop
from belot_spec.languages import LANGUAGES
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import document_problems
from belot_spec.load.translations import read_translated
from belot_spec.words import English, Words, words_file

# Words that say how a value came about, in names, and one that stands for no number: how many there are, which only falls.
GONE = {"told": 365, "found": 559, "noticed": 10, "so many": 170}

PACKAGES = tuple(one.__name__ for one in (belot_spec, belot_reference, belot_conformance, belot_workshop))


@cache
def _modules(package: str) -> Sequence[tuple[Path, ast.Module]]:
    paths = sorted(words_file(package).parent.rglob("*.py"))
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def _tables_of(tree: ast.Module) -> dict[str, str]:
    found = {}
    for node in tree.body:
        match node:
            case ast.AnnAssign(
                target=ast.Name(id=name),
                value=ast.Call(func=ast.Name(id="Words" | "English"), args=[_, ast.Constant(value=table)]),
            ):
                found[name] = str(table)
    return found


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _in_every_language(package: str) -> Sequence[str]:
    """Return the tables of texts; those of messages are in English alone."""
    tables = read_document(words_file(package)).data
    return [name for name, table in tables.items() if not any(isinstance(one, str) for one in table.values())]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_words_of_a_package_fit_their_schema_and_stand_in_tables_that_are_used(package: str) -> None:
    document = read_translated(words_file(package))
    assert document_problems(document, "words") == []
    used = [table for _, tree in _modules(package) for table in _tables_of(tree).values()]
    for template in words_file(package).parent.rglob("*.j2"):
        used += re.findall(r'say[(,] ?"([a-z-]+)"', template.read_text(encoding="utf-8"))
    assert {*used} == {*document.data}


@pytest.mark.parametrize("package", PACKAGES)
def test_all_languages_fill_the_same_places(package: str) -> None:
    odd = {
        f"{table}.{name}"
        for table in _in_every_language(package)
        for name, text in Words(package, table).items()
        if any(_places(told) != _places(text.en) for told in text.as_json().values())
    }
    assert odd == set()


@pytest.mark.parametrize("package", [one for one in PACKAGES if one != belot_workshop.__name__])
def test_every_text_that_players_see_is_there_in_every_language(package: str) -> None:
    missing = [
        f"{table}.{name}: {language}"
        for table in _in_every_language(package)
        for name, text in Words(package, table).items()
        for language in LANGUAGES
        if not text.has(language)
    ]
    assert missing == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_text_that_is_asked_for_by_name_is_there_and_gets_all_that_it_is_filled_with(package: str) -> None:
    wrong = []
    for path, tree in _modules(package):
        tables = _tables_of(tree)
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="say" | "filled"),
                    args=[ast.Constant(value=str(key)), *_],
                    keywords=keywords,
                ) if name in tables:
                    table = English(package, tables[name])
                    given = {one.arg for one in keywords}
                    text = table.get(key)
                    text = text["en"] if isinstance(text, Mapping) else text
                    if text is None or not (None in given or _places(text) <= given):
                        wrong.append(f"{path.name}:{node.lineno}: {key}")
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if name in tables:
                    if key not in English(package, tables[name]):
                        wrong.append(f"{path.name}:{node.lineno}: {key}")
    assert wrong == []


def test_words_that_say_nothing_of_what_a_thing_is_grow_fewer(root: Path) -> None:
    counts: Counter[str] = Counter()
    for path in (
        path for folder in ("reference_impl", "conformance", "site") for path in (root / folder).rglob("*.py")
    ):
        if {"tests", "node_modules", "build"} & set(path.relative_to(root).parts):
            continue
        text = path.read_text(encoding="utf-8")
        counts["so many"] += len(re.findall(r"\bso many\b", text, re.IGNORECASE))
        for node in ast.walk(ast.parse(text)):
            stored = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""
            name = getattr(node, "name", None) or getattr(node, "arg", None) or stored
            counts.update(
                word.lower() for word in re.findall("[A-Za-z][a-z]*", name) if not isinstance(node, ast.alias)
            )
    assert {word: counts[word] for word, most in GONE.items() if counts[word] > most} == {}
