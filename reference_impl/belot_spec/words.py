"""What the programs say, in both languages: the tables of texts that stand as data in each package."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import LANGUAGES, Language, Text, text_of

FILE: Final = "words.yaml"


class Words(Mapping[str, Text]):
    """One table of the ``words.yaml`` of a package, read when the first of its texts is wanted."""

    def __init__(self, module: str, table: str) -> None:
        self._package = module.partition(".")[0]
        self._table = table

    def __getitem__(self, name: str) -> Text:
        return self._texts()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts())

    def __len__(self) -> int:
        return len(self._texts())

    def in_language(self, language: Language) -> dict[str, str]:
        """Return the texts in one language by their names."""
        return {name: text.in_language(language) for name, text in self.items()}

    def say(self, name: str, language: Language, /, **values: Any) -> str:
        """Return a text in one language with its values filled in; bilingual values are taken in that language."""
        told = {key: value.in_language(language) if isinstance(value, Text) else value for key, value in values.items()}
        return self[name].in_language(language).format(**told)

    def both(self, name: str, /, **values: Any) -> Text:
        """Return a text in both languages with its values filled in."""
        return Text(*(self.say(name, language, **values) for language in LANGUAGES))

    def _texts(self) -> Mapping[str, Text]:
        return _tables(words_file(self._package))[self._table]


def joined(separator: str, texts: Iterable[Text]) -> Text:
    """Return texts one after the other in both languages."""
    parts = list(texts)
    return Text(*(separator.join(part.in_language(language) for part in parts) for language in LANGUAGES))


@cache
def words_file(package: str) -> Path:
    """Return the file in which the texts of a package stand."""
    return Path(str(import_module(package).__file__)).with_name(FILE)


@cache
def _tables(path: Path) -> Mapping[str, Mapping[str, Text]]:
    from belot_spec.load.documents import read_document

    # Held to its schema by the tests: a program that only says something does not check it again.
    tables = read_document(path).data
    return {name: {key: text_of(text) for key, text in table.items()} for name, table in tables.items()}
