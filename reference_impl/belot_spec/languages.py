"""The languages that texts are written in: what each calls itself, and how it writes numbers and cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Language: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language, by its own name and in English.

    Everything is told in one that is complete; in any other only what concerns its ``variants`` has to be.
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
    variants: tuple[str, ...] | None = None
    direction: Literal["ltr", "rtl"] = "ltr"
    sticking: str = ""
    quotes: tuple[str, str] = ("“", "”")

    @property
    def is_complete(self) -> bool:
        """Whether every text has to be there in it."""
        return self.variants is None

    def tells(self, variant: str) -> bool:
        """Say whether what concerns a variant has to be there in it."""
        return self.variants is None or variant in self.variants


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
        variants=("belote", "bulgarian-belot", "contree", "coinche"),
        sticking=";:?!»",
        quotes=("« ", " »"),
    ),
)
TONGUES: Final[Mapping[Language, Tongue]] = {one.id: one for one in _TONGUES}
LANGUAGES: Final = tuple(TONGUES)
COMPLETE: Final = tuple(one.id for one in _TONGUES if one.is_complete)
PARTIAL: Final = tuple(one.id for one in _TONGUES if not one.is_complete)
# What is told whole in this one where another lacks a part of it.
FALLBACK: Final[Language] = "en"


def grouped_number(number: int, language: Language) -> str:
    """Return a whole number with its thousands apart, as people write it."""
    return f"{number:,}".replace(",", TONGUES[language].thousands)


def decimal_number(text: str, language: Language) -> str:
    """Return a number that is written with a decimal point as people write it."""
    return text.replace(".", TONGUES[language].decimal)
