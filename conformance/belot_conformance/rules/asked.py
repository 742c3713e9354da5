"""What players call things: the questions that they ask at the table, other words for these, and the glossary."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_conformance.rules.reading import Json, rule_in
from belot_spec.catalogue import holds, text_of
from belot_spec.load.translations import read_translated
from belot_spec.spec import Profile, Spec

# Each question with the rules that answer it, the foremost first, and other words to find it by.
QUESTIONS: Final = Path(__file__).with_name("questions.yaml")
_NO_NAMES: Final = ("meaning", "needs", "unless", "called")
# Words as short as these stand in too many texts.
_SHORT: Final = 3
_OTHER_LETTERS: Final = str.maketrans({"đ": "d", "ł": "l", "ø": "o", "œ": "oe", "æ": "ae", "ß": "ss"})


def unaccented(text: str) -> str:
    """Return a text without accents: ``stih`` for ``štih``, ``carre`` for ``carré``."""
    parts = unicodedata.normalize("NFD", text.translate(_OTHER_LETTERS))
    return "".join(part for part in parts if not unicodedata.combining(part))


def about_word(word: str, spec: Spec, profile: Profile | None = None) -> Json | None:
    """Return what a player's word leads to: terms, and questions with their rules; ``None`` where nobody says it.

    Questions that are found by just that word come first. With a profile, a rule has its value there.
    """
    said = [(_meets(word, _texts(term)), name, term) for name, term in spec.glossary.terms.items()]
    closest = max(how for how, *_ in said)
    terms = [
        {"id": name, "called": text_of(term).as_json(), "meaning": term["meaning"]}
        for how, name, term in said
        if how == closest > 0
    ]
    met = [(_meets(word, _texts(one["words"])), _meets(word, _texts(one["ask"])), one) for one in _questions()]
    found = sorted((one for one in met if one[0] or one[1]), key=lambda one: -one[0])
    questions = [
        {"ask": one["ask"], "rules": [_rule(rule, spec, profile) for rule in _rules(one, profile)]} for *_, one in found
    ]
    return {"word": word, "terms": terms, "questions": questions} if terms or questions else None


def ways_in(question: Json) -> Iterator[Json]:
    """Yield the ways to answer a question: of games that play otherwise, of most, of those without their rule."""
    yield from question.get("alternatives", ())
    yield question
    yield from question.get("otherwise", ())


def _rules(question: Json, profile: Profile | None) -> list[str]:
    """Return the rules that answer a question in a profile."""
    values = {rule: setting.value for rule, setting in profile.settings.items()} if profile else {}
    ways = (way for way in ways_in(question) if way["rules"][0] in values and holds(way.get("when", {}), values))
    rules: list[str] = next(ways, question)["rules"]
    return rules


def _rule(rule: str, spec: Spec, profile: Profile | None) -> Json:
    known = spec.rules[rule]
    return {"id": rule, "title": known.title.as_json()} if profile is None else rule_in(known, profile, spec)


def _meets(word: str, texts: Iterable[str]) -> int:
    """Return 2 for a word that is one of some texts, 1 for one that is among the words of one, else 0."""
    plain, among = _plain(word), [_plain(text) for text in texts]
    among_words = re.compile(rf"(?<!\w){re.escape(plain)}(?:s|e|en)?(?!\w)")
    return 2 if plain in among else int(len(plain) > _SHORT and any(map(among_words.search, among)))


def _plain(text: str) -> str:
    return unaccented(text.lower())


def _texts(data: Any) -> Iterator[str]:
    """Yield every text in a question or in a term of the glossary, but what the term means."""
    if isinstance(data, str):
        yield data
    else:
        inner = data if isinstance(data, list) else [part for key, part in data.items() if key not in _NO_NAMES]
        for part in inner:
            yield from _texts(part)


@cache
def _questions() -> tuple[Json, ...]:
    return tuple(read_translated(QUESTIONS).data.values())
