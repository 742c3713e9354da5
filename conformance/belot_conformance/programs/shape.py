"""How a program wants its questions, and which fields its answers give, as it says in the handshake."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from belot_reference.mode import MODE_NAMES

Deals = Literal["deck", "hands", "play", "tricks"]
DEALS: Final[tuple[Deals, ...]] = get_args(Deals)
Announcing = Literal["players", "automatic"]
LastTrick = Literal["in-cards", "apart"]

# The fields of the answer to `hello` that say so; each may be left out.
SHAPE_FIELDS: Final = ("deals", "announcing", "last_trick", "fields", "knows")
# The kinds of calls that a program may not know; it passes, and bids in the modes that it knows.
CALLS: Final = ("capot", "double", "redouble")
_KNOWN: Final[Mapping[str, tuple[str, ...]]] = {"modes": MODE_NAMES, "calls": CALLS}


class WrongShapeError(Exception):
    """A field that says no shape: its name, what was said, and the form that is right."""

    def __init__(self, name: str, said: object, form: str) -> None:
        super().__init__(f"{name} is no shape of a question: {form}")
        self.name = name
        self.said = said
        self.form = form


@dataclass(frozen=True, slots=True)
class Shape:
    """How questions are put to a program: the same cases, told in the way in which it was built.

    ``deals`` is how it is given the cards of a whole deal: the deck before dealing, the hands that were dealt, the same
    without the bidding, or the tricks alone. With ``announcing`` automatic nobody says or shows anything in it,
    nor for ``belote``. ``last_trick`` is whether the last trick's bonus stands in the cards of a side or is told apart.
    ``fields`` names, for each operation that gives only some fields of its result, those that are compared. ``knows``
    holds the ``modes`` and the ``calls`` that it knows, where it says which: of others it is asked nothing.
    """

    deals: Deals = "deck"
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    announcing: Announcing = "players"
    last_trick: LastTrick = "in-cards"
    knows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Whether every question is put as it stands in its case, and every field compared."""
        return self == _PLAIN

    def as_json(self) -> dict[str, Any]:
        """Return what is said of it in the handshake; only ``deals`` is always there."""
        own = {name: getattr(self, name) for name in SHAPE_FIELDS}
        for name in ("fields", "knows"):
            own[name] = {key: list(names) for key, names in own[name].items()}
        return {name: said for name, said in own.items() if name == "deals" or said != getattr(_PLAIN, name)}


_PLAIN: Final = Shape()


def read_shape(said: Mapping[str, Any]) -> Shape:
    """Return the shape that the fields of a handshake ask for; raises ``WrongShapeError``."""
    deals = _choice("deals", said, DEALS)
    announcing = _choice("announcing", said, get_args(Announcing))
    last_trick = _choice("last_trick", said, get_args(LastTrick))
    return Shape(deals, _fields(said.get("fields")), announcing, last_trick, _knows(said.get("knows")))


def _choice(name: str, said: Mapping[str, Any], choices: tuple[Any, ...]) -> Any:
    came = said.get(name)
    if came is None:
        return choices[0]
    if isinstance(came, str) and came in choices:
        return came
    first, *others = (f'"{choice}"' for choice in choices)
    raise WrongShapeError(name, came, f"{first}, which it is if left out, or {', '.join(others)}")


def _fields(said: object) -> dict[str, tuple[str, ...]]:
    if said is None:
        return {}
    if isinstance(said, Mapping) and all(_is_list_of_texts(names) for names in said.values()):
        return {str(operation): tuple(names) for operation, names in said.items()}
    raise WrongShapeError("fields", said, 'for each operation a list of fields, {"score-deal": ["points", "outcome"]}')


def _knows(said: object) -> dict[str, tuple[str, ...]]:
    if said is None:
        return {}
    if isinstance(said, Mapping) and all(
        key in _KNOWN and isinstance(names, list | tuple) and all(name in _KNOWN[key] for name in names)
        for key, names in said.items()
    ):
        return {str(key): tuple(names) for key, names in said.items()}
    form = " and ".join(f'"{key}", a list of {", ".join(names)}' for key, names in _KNOWN.items())
    raise WrongShapeError("knows", said, f'an object with {form} (either may be left out), {{"calls": ["double"]}}')


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, str) for item in value)
