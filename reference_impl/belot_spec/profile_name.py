"""The name of a profile, ``variant+option+…``, read where it comes in."""

from typing import Final, Self

_BETWEEN: Final = "+"
_ANY: Final = "*"
_FILES: Final = (".yaml", ".yml")


def names_file(text: str) -> bool:
    """Say whether what stands for a profile is the file of an overlay, and no name."""
    return text.endswith(_FILES)


class ProfileName(str):
    """A text that names a variant with options, whether or not there is such a profile.

    A program that declares ``variant+*`` plays it with any.
    """

    __slots__ = ("options", "variant")
    variant: str
    options: tuple[str, ...]

    def __new__(cls, text: str) -> Self:
        """Read a text; a name that was read is itself."""
        if isinstance(text, cls):
            return text
        named = super().__new__(cls, text)
        named.variant, *options = text.split(_BETWEEN)
        named.options = tuple(options)
        return named

    @classmethod
    def of(cls, variant: str, *options: str) -> Self:
        """Return the name of a variant with some options."""
        return cls(_BETWEEN.join((variant, *options)))

    @property
    def with_any(self) -> bool:
        """Say whether this name ends in ``+*``."""
        return self.options[-1:] == (_ANY,)

    @property
    def plain(self) -> "ProfileName":
        """Return this name without ``+*`` at its end."""
        return ProfileName.of(self.variant, *self.options[:-1]) if self.with_any else self

    @property
    def covered_by(self) -> tuple["ProfileName", ...]:
        """Return the names of which who declares one declares this: its own, and its variant with any options."""
        return self, ProfileName.of(self.variant, _ANY)

    def covers(self, other: "ProfileName") -> bool:
        """Say whether who declares this name declares the other."""
        return self in other.covered_by
