"""The languages that texts are written in: what each calls itself, and how it writes numbers and cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Language: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language, by its own name and in English.

    The texts of one that stands ``beside`` are in files of their own, ``play.fr.yaml`` beside ``play.yaml``.
    ``compound`` puts tens and units together (``twenty-three``), the second form after a unit that ends in *e*;
    ``card`` puts together the name of a card, ``numbered`` that of one with a number where it is another.
    ``sticking`` are the signs that stand after a space and never begin a line.
    """

    id: Language
    name: str
    english: str
    thousands: str
    decimal: str
    compound: tuple[str, ...]
    card: str
    numbered: str | None = None
    beside: bool = False
    direction: Literal["ltr", "rtl"] = "ltr"
    sticking: str = ""
    quotes: tuple[str, str] = ("“", "”")


_TONGUES: Final = (
    Tongue("en", "English", "English", ",", ".", ("{ten}-{unit}",) * 2, "{rank} of {suit}"),
    Tongue("nl", "Nederlands", "Dutch", ".", ",", ("{unit}en{ten}", "{unit}ën{ten}"), "{suit}{rank}", "{suit} {rank}"),
    Tongue(
        "fr",
        "Français",
        "French",
        "\u202f",
        ",",
        ("{ten}-{unit}",) * 2,
        "{rank} de {suit}",
        beside=True,
        sticking=";:?!»",
        quotes=("« ", " »"),
    ),
)
TONGUES: Final[Mapping[Language, Tongue]] = {one.id: one for one in _TONGUES}
LANGUAGES: Final = tuple(TONGUES)
IN_PLACE: Final = tuple(one.id for one in _TONGUES if not one.beside)
BESIDE: Final = tuple(one.id for one in _TONGUES if one.beside)
# That of the pages for programmers, and of what only they read: cases, rulings, house rules that a table names itself.
FALLBACK: Final[Language] = "en"


def grouped_number(number: int, language: Language) -> str:
    """Return a whole number with its thousands apart, as people write it."""
    return f"{number:,}".replace(",", TONGUES[language].thousands)


def decimal_number(text: str, language: Language) -> str:
    """Return a number that is written with a decimal point as people write it."""
    return text.replace(".", TONGUES[language].decimal)
