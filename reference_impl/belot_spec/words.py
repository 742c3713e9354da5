"""What the programs say: tables of texts in every language, and of messages in English, as data in each package."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Text, text_by, text_of, told_in
from belot_spec.languages import Language

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
        """Return a text in one language, or whole in English, with its values filled in, in that language too."""
        return told_in(language, partial(self._told, name, values))

    def filled(self, name: str, /, **values: Any) -> Text:
        """Return a text with its values filled in, in the languages in which it and each of them are there."""
        return text_by(partial(self._told, name, values))

    def _told(self, name: str, values: Mapping[str, Any], language: Language) -> str:
        own = {key: value.only(language) if isinstance(value, Text) else value for key, value in values.items()}
        return self[name].only(language).format(**own)

    def _texts(self) -> Mapping[str, Text]:
        return _texts_of(words_file(self._package), self._table)


class English(Mapping[str, str]):
    """One table of messages of the ``words.yaml`` of a package: a command line and its reports are in English alone."""

    def __init__(self, module: str, table: str) -> None:
        self._package = module.partition(".")[0]
        self._table = table

    def __getitem__(self, name: str) -> str:
        return self._messages()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._messages())

    def __len__(self) -> int:
        return len(self._messages())

    def say(self, name: str, /, **values: Any) -> str:
        """Return a message with its values filled in."""
        return self[name].format(**values)

    def _messages(self) -> Mapping[str, str]:
        return _tables(words_file(self._package))[self._table]


def joined(separator: str, texts: Iterable[Text]) -> Text:
    """Return texts one after the other, in the languages in which each of them is there."""
    parts = list(texts)
    return text_by(lambda language: separator.join(part.only(language) for part in parts))


@cache
def words_file(package: str) -> Path:
    """Return the file in which the texts of a package stand."""
    return Path(str(import_module(package).__file__)).with_name(FILE)


@cache
def _tables(path: Path) -> Mapping[str, Mapping[str, Any]]:
    from belot_spec.load.translations import read_translated

    # Held to its schema by the tests: a program that only says something does not check it again.
    tables: Mapping[str, Mapping[str, Any]] = read_translated(path).data
    return tables


@cache
def _texts_of(path: Path, table: str) -> Mapping[str, Text]:
    return {key: text_of(text) for key, text in _tables(path)[table].items()}
