"""A Python object as a program under test: how it is found by its name, and what it must have to answer.

An object answers by methods named after the operations, ``legal_cards(profile, input)``, or by being called itself
with ``(operation, profile, input)``. ``python -m`` of this module with ``MODULE:NAME`` serves it in a process of its
own, so that an endless loop, a crash or a flood of output costs it what it costs any other program. What it prints goes
to stderr, and it finds nothing on stdin.
"""

import importlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final

from belot_conformance.programs.protocol import (
    PROTOCOL_VERSION,
    REPLY_KINDS,
    SHAPE_FIELDS,
    Hello,
    Shape,
    WrongShapeError,
    read_shape,
)
from belot_conformance.programs.serving import serve
from belot_conformance.questions.operations import OPERATIONS
from belot_spec.errors import BelotError, nearest
from belot_spec.profile_name import ProfileName

_CALLED: Final = ("operation", "profile", "input")
_NOTHING: Final = object()


class PythonObjectError(BelotError):
    """There is no such object, or it cannot be asked."""


class PythonObject:
    """An object that answers questions, whichever of the two forms it has."""

    def __init__(self, answering: Any, module: ModuleType) -> None:
        self._answering = answering
        self._module = module
        found = {operation: getattr(answering, _method_name(operation), None) for operation in OPERATIONS}
        self._methods = {operation: method for operation, method in found.items() if callable(method)}
        if not self._methods and not _takes(answering, len(_CALLED)):
            known = ", ".join(map(_method_name, OPERATIONS))
            raise PythonObjectError(
                f"{_describe(answering)} has no method named after an operation ({known}) "
                f"and cannot be called with ({', '.join(_CALLED)})"
            )

    def hello(self) -> Hello:
        """Return what the object says about itself; raises `PythonObjectError` for an attribute that is wrong."""
        return Hello(
            protocol=PROTOCOL_VERSION,
            name=self._text("name", _own_name(self._answering)),
            version=self._text("version", "0"),
            language=self._text("language", "Python"),
            profiles=tuple(map(ProfileName, self._texts("profiles", ()))),
            operations=self._operations(),
            shape=self._shape(),
        )

    def reply(self, operation: str, profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Ask the object; its result, or the reply that it gave itself; what it raises is an error."""
        method = self._methods.get(operation)
        if self._methods and method is None:
            return {"unsupported": f"there is no method {_method_name(operation)}"}
        try:
            came = method(profile, question) if method else self._answering(operation, profile, question)
        except BaseException as error:  # whatever it raises, SystemExit too, is an error of this question only
            return {"error": what_was_raised(error)}
        if not isinstance(came, Mapping):
            return {"error": f"{operation} returned {_describe(came)}, where a mapping is due"}
        fields = dict(came)
        return fields if any(kind in fields for kind in REPLY_KINDS) else {"result": fields}

    def _operations(self) -> tuple[str, ...]:
        declared = self._texts("operations", tuple(self._methods))
        for operation in declared:
            if self._methods and operation not in self._methods:
                wanted = f"{_method_name(operation)}{nearest(operation, self._methods)}"
                raise PythonObjectError(f"it declares the operation {operation}, but has no method {wanted}")
        return declared

    def _shape(self) -> Shape:
        said = {name: self._attribute(name, None) for name in SHAPE_FIELDS}
        try:
            # A module may well have a function of that name.
            return read_shape({name: value for name, value in said.items() if not callable(value)})
        except WrongShapeError as wrong:
            due = f"its attribute {wrong.name} is {_describe(wrong.said)}, where it is {wrong.form}"
            raise PythonObjectError(due) from None

    def _text(self, attribute: str, otherwise: str) -> str:
        value = self._attribute(attribute, otherwise)
        if not isinstance(value, str):
            raise PythonObjectError(f"its attribute {attribute} is {_describe(value)}, where a text is due")
        return value

    def _texts(self, attribute: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        value = self._attribute(attribute, otherwise)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            raise PythonObjectError(f"its attribute {attribute} is {_describe(value)}, where a list of texts is due")
        if not value:
            example = f'{attribute} = ["{_EXAMPLES[attribute]}"]'
            raise PythonObjectError(f"it does not say its {attribute}; give it an attribute such as {example}")
        return tuple(value)

    def _attribute(self, name: str, otherwise: Any) -> Any:
        """Look on the object; a function may leave its attributes to its module."""
        if inspect.isroutine(self._answering):
            otherwise = getattr(self._module, name, otherwise)
        return getattr(self._answering, name, otherwise)


_EXAMPLES: Final = {"profiles": "bela-4", "operations": "legal-cards"}


def load_object(name: str) -> PythonObject:
    """Import ``module:name``, from the current folder too; a class or a function without parameters makes the object.

    Raises ``PythonObjectError`` when it cannot be imported, found, made or asked.
    """
    module_name, _, path = name.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    module = _guarded(f"importing {module_name}", lambda: importlib.import_module(module_name))
    found: Any = module
    for part in path.split("."):
        inside = found
        found = getattr(inside, part, _NOTHING)
        if found is _NOTHING:
            known = [known for known in dir(inside) if not known.startswith("_")]
            raise PythonObjectError(f"{_describe(inside)} has no {part}{nearest(part, known)}")
    if inspect.isclass(found) or (inspect.isroutine(found) and _takes(found, 0)):
        found = _guarded(f"calling {path}()", found)
    return PythonObject(found, module)


def what_was_raised(error: BaseException) -> str:
    """Describe an exception on one line: its type, its words, and the place in the other program where it arose."""
    words = " ".join("".join(traceback.format_exception_only(error)[-1:]).split())
    if isinstance(error, SyntaxError) and error.filename:
        return f"{words} ({Path(error.filename).name}, line {error.lineno})"
    ours = (__file__, importlib.__file__)
    frames = traceback.extract_tb(error.__traceback__)
    places = [one for one in frames if one.filename not in ours and not one.filename.startswith("<frozen ")]
    return f"{words} ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else words


def _guarded(doing: str, work: Callable[[], Any]) -> Any:
    """Do what runs code of another program, which may raise anything."""
    try:
        return work()
    except BaseException as error:
        raise PythonObjectError(f"{doing} failed: {what_was_raised(error)}") from None


def _method_name(operation: str) -> str:
    return operation.replace("-", "_")


def _takes(candidate: Any, count: int) -> bool:
    """Whether something can be called with that number of arguments, or says nothing of its parameters."""
    try:
        inspect.signature(candidate).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        pass
    return True


def _own_name(answering: Any) -> str:
    own = getattr(answering, "__name__", None)
    return own if isinstance(own, str) else type(answering).__name__


def _describe(value: Any) -> str:
    if isinstance(value, ModuleType):
        return f"the module {value.__name__}"
    if inspect.isclass(value) or inspect.isroutine(value):
        return f"{value.__qualname__}"
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    return f"an object of type {type(value).__name__}"


EXIT_NOT_STARTED = 3
COMPLAINT = "belot: "


def main(name: str) -> None:
    """Serve the object of that name; exits with 3, and one message on stderr, when it cannot be asked."""
    requests, replies = _take_pipes()
    try:
        found = load_object(name)
        found.hello()
    except PythonObjectError as error:
        sys.stderr.write(f"\n{COMPLAINT}{error}\n")
        sys.exit(EXIT_NOT_STARTED)
    serve(found, requests, replies)


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Keep stdin and stdout for the protocol, and leave the object an empty stdin and the way to stderr."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, replies


if __name__ == "__main__":
    main(sys.argv.pop())
