"""The name of a profile, ``variant+option+…``, read in one place."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_BETWEEN: Final = "+"
_ANY: Final = "*"
_FILES: Final = (".yaml", ".yml")


def names_file(text: str) -> bool:
    """Say whether what stands for a profile is the file of an overlay, and no name."""
    return text.endswith(_FILES)


@dataclass(frozen=True, slots=True)
class ProfileName:
    """A variant with options; a program that declares ``variant+*`` plays it with any."""

    variant: str
    options: tuple[str, ...] = ()

    @staticmethod
    @lru_cache(maxsize=1024)
    def parse(text: str) -> "ProfileName":
        """Return the name that a text holds, whether or not there is such a profile."""
        variant, *options = text.split(_BETWEEN)
        return ProfileName(variant, tuple(options))

    def __str__(self) -> str:
        """Return the text from which this name is read."""
        return _BETWEEN.join((self.variant, *self.options))

    @property
    def with_any(self) -> bool:
        """Say whether this name ends in ``+*``."""
        return self.options[-1:] == (_ANY,)

    @property
    def plain(self) -> "ProfileName":
        """Return this name without ``+*`` at its end."""
        return ProfileName(self.variant, self.options[:-1]) if self.with_any else self

    @property
    def covered_by(self) -> tuple["ProfileName", ...]:
        """Return the names of which who declares one declares this: its own, and its variant with any options."""
        return self, ProfileName(self.variant, (_ANY,))

    def covers(self, other: "ProfileName") -> bool:
        """Say whether who declares this name declares the other."""
        return self in other.covered_by
