"""The messages of the protocol, version 1: what is sent to a program, and what may come back.

PROTOCOL.md is the page for people. This module turns questions into lines and lines into replies, and refuses
every line that is not a reply. It knows nothing of processes, time limits or expectations.
"""

import json
import math
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NoReturn, cast, get_args

import orjson

from belot_conformance.text.printable import cut, printable
from belot_reference.mode import MODE_NAMES
from belot_spec.files import TwiceError, once
from belot_spec.profile_name import ProfileName

PROTOCOL_VERSION: Final = 1
HELLO_ID: Final = "hello"

ReplyKind = Literal["result", "rejected", "unsupported", "error"]
REPLY_KINDS: Final[tuple[ReplyKind, ...]] = ("result", "rejected", "unsupported", "error")

# Far more than any answer needs, and far less than what makes Python's recursive code fail later on.
MAX_DEPTH: Final = 64
MAX_SHOWN: Final = 120
# Characters kept of each name that a program gives itself; a profile may be the path of a file.
LONGEST_NAME: Final = 200
_LONGEST_PROFILE: Final = 4096

# A number of 19 digits may be larger than 64 bits.
_LONG_NUMBER: Final = b"0" * 19
_DIGITS_ALIKE: Final = bytes.maketrans(b"123456789", b"000000000")
_A_REPLY_IS: Final = "a reply is one JSON object on one line of UTF-8"
_TOO_DEEP: Final = f"the line is nested deeper than {MAX_DEPTH} levels"


Deals = Literal["deck", "hands", "play", "tricks"]
DEALS: Final[tuple[Deals, ...]] = get_args(Deals)
Announcing = Literal["players", "automatic"]
LastTrick = Literal["in-cards", "apart"]
Declared = Literal["sums", "announced"]

# The fields of the answer to `hello` that say so; each may be left out.
SHAPE_FIELDS: Final = ("deals", "announcing", "last_trick", "declared", "fields", "knows")
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
    """How questions are put to a program: the same cases, in the form for which it was built.

    ``deals`` is how it is given the cards of a whole deal: the deck before dealing, the hands that were dealt, the same
    without the bidding, or the tricks alone. With ``announcing`` automatic nobody says or shows anything in it,
    nor for ``belote``. ``last_trick`` is whether its bonus is counted in the cards of a side or given apart;
    ``declared`` whether a deal by its tricks tells what declarations are worth, or what each seat announced.
    ``fields`` names, for each operation that gives only some fields of its result, those that are compared. ``knows``
    holds the ``modes`` and the ``calls`` that it knows, where it says which: of others it is asked nothing.
    """

    deals: Deals = "deck"
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    announcing: Announcing = "players"
    last_trick: LastTrick = "in-cards"
    knows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    declared: Declared = "sums"

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
    declared = _choice("declared", said, get_args(Declared))
    return Shape(deals, _fields(said.get("fields")), announcing, last_trick, _knows(said.get("knows")), declared)


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


class ProtocolViolation(Exception):
    """A line that the protocol does not allow; `question_id` is the id it carries, if one can be read."""

    kind: Literal["protocol_violation", "crashed"] = "protocol_violation"

    def __init__(self, message: str, question_id: str | None = None) -> None:
        super().__init__(message)
        self.question_id = question_id


@dataclass(frozen=True, slots=True)
class Hello:
    """What a program says about itself in the handshake; `window` counts requests and is at least 1."""

    protocol: int
    name: str
    version: str
    language: str
    profiles: tuple[ProfileName, ...]
    operations: tuple[str, ...]
    window: int = 1
    shape: Shape = field(default_factory=Shape)
    _names: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make ready for being asked of every case what is declared."""
        object.__setattr__(self, "_names", frozenset(self.profiles))

    def declares(self, profile: ProfileName) -> bool:
        """Say whether a profile is declared, by its name or as its variant with any options."""
        return not self._names.isdisjoint(profile.covered_by)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a program; it never holds what is expected."""

    id: str
    op: str
    profile: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a program answered to one question; `seconds` run from sending to answer.

    The value of a `result` is an object; of `rejected` an object with `reason` and perhaps `at`; of
    `unsupported` a string or true; of `error` a string.
    """

    id: str
    kind: ReplyKind
    value: Any
    seconds: float = 0.0

    def message(self) -> dict[str, Any]:
        """Return its fields without its id."""
        return {self.kind: self.value}


def encode_line(message: Mapping[str, Any]) -> bytes:
    """Write one message as one line; TypeError or ValueError for what JSON or UTF-8 cannot say."""
    return _ENCODER.encode(message).encode() + b"\n"


def suite_version() -> str:
    """Return the version of this suite, ``0`` where it runs without being installed."""
    from importlib import metadata

    try:
        return metadata.version("belot-conformance")
    except metadata.PackageNotFoundError:
        return "0"


def encode_hello(suite: str) -> bytes:
    """Write the request that opens a conversation; `suite` is the version of this suite."""
    offer = {"protocol": [PROTOCOL_VERSION], "suite": suite}
    return encode_line({"id": HELLO_ID, "op": "hello", "input": offer})


def encode_request(question: Request) -> bytes:
    """Write one question as one line; TypeError or ValueError for what JSON or UTF-8 cannot say."""
    message = {"id": question.id, "op": question.op, "profile": question.profile, "input": question.input}
    try:
        return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        # The fast writer knows no integers of more than 64 bits.
        return encode_line(message)


def parse_reply(line: bytes) -> Reply:
    """Read one line as a reply, its `seconds` still 0; ProtocolViolation for every other line."""
    return Reply(*read_reply(line))


def read_reply(line: bytes) -> tuple[str, ReplyKind, Any]:
    """Read the id, the kind and the value of the reply on one line; ProtocolViolation for every other line."""
    message = _parse_object(line)
    question_id = message.get("id")
    if not isinstance(question_id, str):
        raise _violation("the reply has no `id` that is a string", message, "a reply repeats the request's `id`")
    kinds = [kind for kind in REPLY_KINDS if message.get(kind) is not None]
    if len(kinds) != 1:
        held = " and ".join(f"`{kind}`" for kind in kinds) or "no `result`, `rejected`, `unsupported` or `error`"
        right = "a reply holds exactly one of `result`, `rejected`, `unsupported` and `error`"
        raise _violation(f"the reply holds {held}", message, right, question_id)
    (kind,) = kinds
    has_form, form = _FORMS[kind]
    if not has_form(message[kind]):
        raise _violation(f"the reply's `{kind}` has the wrong form", message[kind], f"`{kind}` is {form}", question_id)
    return question_id, kind, message[kind]


def has_its_form(kind: object, value: object) -> bool:
    """Say whether something is a kind of reply, and a value one of that kind."""
    return kind in REPLY_KINDS and _FORMS[kind][0](value)


def parse_hello(reply: Reply) -> Hello:
    """Read the answer to the handshake; ProtocolViolation when a field is missing, wrong or not offered."""
    if reply.id != HELLO_ID:
        raise _violation("the first reply is not to `hello`", reply.id, "answer the request `hello` first")
    if reply.kind != "result":
        raise _violation(f"`hello` was answered with `{reply.kind}`", reply.value, "answer it with `result`")
    fields = reply.value
    protocol = _field(fields, "protocol", "an integer")
    if protocol != PROTOCOL_VERSION:
        raise _violation("the program speaks another protocol", protocol, f"offered was {PROTOCOL_VERSION}")
    window = 1 if fields.get("window") is None else _field(fields, "window", "an integer")
    if window < 1:
        raise _violation("`window` in the answer to `hello` is too small", window, "it is 1 or more")
    name, version, language = (
        cut(_field(fields, one, "a string"), LONGEST_NAME) for one in ("name", "version", "language")
    )
    profiles, operations = (_field(fields, one, "a list of strings") for one in ("profiles", "operations"))
    try:
        shape = read_shape(fields)
    except WrongShapeError as wrong:
        raise _wrong_field(wrong.name, wrong.said, wrong.form) from None
    profiles = tuple(ProfileName(cut(one, _LONGEST_PROFILE)) for one in profiles)
    operations = tuple(cut(one, LONGEST_NAME) for one in operations)
    return Hello(protocol, name, version, language, profiles, operations, window, shape)


def shorten(came: bytes | str) -> str:
    """Show on one line what came from a program, at most `MAX_SHOWN` characters of it."""
    start = came[: 4 * MAX_SHOWN]
    text = printable(start.decode("utf-8", "backslashreplace") if isinstance(start, bytes) else start)
    if len(text) <= MAX_SHOWN and len(start) == len(came):
        return text
    return text[: MAX_SHOWN - 1] + "…"


def _parse_object(line: bytes) -> dict[str, Any]:
    value = _read(line)
    if not isinstance(value, dict):
        raise _violation("the line is JSON but not an object", line)
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _is_too_deep(value):
        raise _violation(_TOO_DEEP, line)
    return cast("dict[str, Any]", value)


def _read(line: bytes) -> Any:
    # The fast reader makes floats of long integers; what it refuses, the other explains. Of a key that stands twice it
    # drops one, and with it a colon; an escape may hide a colon.
    if _LONG_NUMBER not in line.translate(_DIGITS_ALIKE) and b"\\" not in line:
        with suppress(orjson.JSONDecodeError):
            value = orjson.loads(line)
            if orjson.dumps(value).count(b":") == line.count(b":"):
                return value
    return _read_carefully(line)


def _read_carefully(line: bytes) -> Any:
    try:
        text = line.decode("utf-8")
        if not text.strip():
            raise ProtocolViolation(f"the line is empty; {_A_REPLY_IS}")
        if line.startswith(BOM_UTF8):
            raise _violation("the line begins with a byte order mark", line, "write UTF-8 without one")
        value = _DECODER.decode(text)
        if b"\\u" in line and not _is_too_deep(value):
            _ENCODER.encode(value).encode()
        return value
    except UnicodeDecodeError as error:
        wrong = f"the line is not UTF-8 (byte 0x{line[error.start]:02x} at position {error.start})"
    except UnicodeEncodeError:
        wrong = "the line holds half a surrogate pair, which is no character"
    except json.JSONDecodeError as error:
        wrong = f"the line is not JSON ({error.msg} at column {error.colno})"
    except RecursionError:
        wrong = _TOO_DEEP
    except TwiceError as error:
        wrong = f"the key {shorten(str(error))} stands twice in one object"
    except _NumberError as error:
        wrong = f"the line holds a number that cannot be read ({error})"
    except ValueError:
        wrong = f"the line holds an integer of more than {sys.get_int_max_str_digits()} digits"
    raise _violation(wrong, line)


def _is_too_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        lists = [item for item in level if isinstance(item, list)]
        objects = [item for item in level if isinstance(item, dict)]
        level = [child for item in lists for child in item]
        level += [child for item in objects for child in item.values()]
        if not level:
            return False
    return True


def _is_rejection(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("reason"), str):
        return False
    at = value.get("at")
    return at is None or (_is_integer(at) and at >= 0)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _field(fields: Mapping[str, Any], name: str, form: str) -> Any:
    """Return a field of the answer to `hello` that has one of the forms known here."""
    if name not in fields:
        *free, last = (f"`{one}`" for one in ("window", *SHAPE_FIELDS))
        right = f"only {', '.join(free)} and {last} may be left out"
        raise _violation(f"`{name}` is missing in the answer to `hello`", fields, right)
    if not _IS_OF_FORM[form](fields[name]):
        raise _wrong_field(name, fields[name], form)
    return fields[name]


def _wrong_field(name: str, value: object, form: str) -> ProtocolViolation:
    return _violation(f"`{name}` in the answer to `hello` has the wrong form", value, f"it is {form}")


def _violation(wrong: str, came: object, right: str = _A_REPLY_IS, question_id: str | None = None) -> ProtocolViolation:
    """Say what is wrong with what came, which is a whole line or a value of one."""
    shown = shorten(came if isinstance(came, bytes) else _ENCODER.encode(came))
    return ProtocolViolation(f"{wrong}: {shown}; {right}", question_id)


class _NumberError(ValueError):
    """A number that JSON or a float does not have."""


def _refuse_constant(name: str) -> NoReturn:
    raise _NumberError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _NumberError(f"{shorten(digits)} is too large")
    return number


# The form of each kind of reply, and its description.
_FORMS: Final[Mapping[ReplyKind, tuple[Callable[[object], bool], str]]] = {
    "result": (lambda value: isinstance(value, dict), "an object"),
    "rejected": (_is_rejection, '{"reason": string}, with or without `at` (0, 1, 2, …)'),
    "unsupported": (lambda value: value is True or isinstance(value, str), "a string, or true"),
    "error": (lambda value: isinstance(value, str), "a string"),
}
_IS_OF_FORM: Final[Mapping[str, Callable[[object], bool]]] = {
    "an integer": _is_integer,
    "a string": lambda value: isinstance(value, str),
    "a list of strings": lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
}

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=once)
