"""What is wrong, in sentences by their names: of a text in the notation, of a question, and of what the rules refuse.

A sentence has no language until somebody tells it; printed, it is in English.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_spec.catalogue import Text, text_by
from belot_spec.languages import FALLBACK, Language
from belot_spec.words import Words

NOTATION: Final = Words(__name__, "notation")
REFUSED: Final = Words(__name__, "refused")
REASONS: Final = Words(__name__, "reasons")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence by its name in the tables ``notation`` and ``refused`` of ``words.yaml``, and what is filled in.

    ``of`` is the field that it is about, by the name that it has in the protocol; the sentence begins with it.
    """

    name: str
    values: Mapping[str, Any]
    of: str = ""

    @property
    def text(self) -> Text:
        """The sentence in all languages."""
        told = {key: value.text if isinstance(value, Sentence) else value for key, value in self.values.items()}
        text = (NOTATION if self.name in NOTATION else REFUSED).filled(self.name, **told)
        return text_by(lambda language: f"{self.of}: {text.only(language)}") if self.of else text

    def __str__(self) -> str:
        return self.text.in_language(FALLBACK)

    def filled_from(self, words: Mapping[str, str]) -> str:
        """Return the sentence by words of one language, by their names, for whoever has not the tables."""
        told = {
            key: value.filled_from(words) if isinstance(value, Sentence) else value
            for key, value in self.values.items()
        }
        text = words[self.name].format(**told)
        return f"{self.of}: {text}" if self.of else text

    def to_json(self) -> dict[str, Any]:
        """Return the sentence for whoever has the words: its ``name``, and ``values`` that may be such sentences."""
        told = {key: value.to_json() if isinstance(value, Sentence) else value for key, value in self.values.items()}
        return {"name": self.name, "values": told, **({"of": self.of} if self.of else {})}

    def within(self, place: str) -> "Sentence":
        """Return the sentence as it is told of what stands at a place of a greater whole."""
        return replace(self, of=f"{place}.{self.of}" if self.of else place)

    def without(self, place: str) -> "Sentence":
        """Return the sentence as it is told by who knows that it is about that place."""
        return replace(self, of="" if self.of == place else self.of.removeprefix(f"{place}."))


def say(name: str, /, *, of: str = "", **values: "str | int | Text | Sentence") -> Sentence:
    """Return a sentence, about a field if one is named."""
    return Sentence(name, values, of)


def sentences_in(tell: Callable[[Text], str]) -> dict[str, str]:
    """Return every sentence by its name, as whoever asks tells a text."""
    return {name: tell(text) for table in (NOTATION, REFUSED) for name, text in table.items()}


def in_english_and(english: str, other: Sentence | str) -> Text:
    """Return what is told in its own words in English, and by a sentence or a word in every other language."""

    def tell(language: Language) -> str:
        if language == FALLBACK:
            return english
        return other.text.only(language) if isinstance(other, Sentence) else other

    return text_by(tell)
