"""Compiling kernels with numba, which says nothing about its types: the one place that knows of it."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import types
from numba.extending import intrinsic

from belot_spec.cache import own_folder
from belot_spec.files import read_bytes

Function = TypeVar("Function", bound=Callable[..., Any])


# What stands beside the kernels and goes into none.
_NOT_COMPILED: Final = ("needed", "compiled", "perft")


# No kernel makes an array, so none needs to be counted; that would cost more than playing a card.
_HOW: Final[dict[str, Any]] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}


def _digest() -> str:
    """Return a digest of all that kernels are compiled from: numba itself looks at the one file alone."""
    digest = hashlib.sha256(numba.__version__.encode())
    here = Path(__file__).resolve().parent
    for path in sorted(here.glob("*.py")):
        if path.stem not in _NOT_COMPILED:
            digest.update(read_bytes(path))
    for name in ("streams", "bids", "mode"):
        digest.update(read_bytes(here.parent / f"belot_reference/{name}.py"))
    return digest.hexdigest()[:16]


# Where compiled kernels are kept, ``None`` where nothing can be kept.
_FOLDER = own_folder(f"kernels-{_digest()}")


def is_compiled(name: str) -> bool:
    """Say whether a function that Python calls is kept compiled."""
    return _FOLDER is not None and any(_FOLDER.rglob(f"*.{name}-*.nbc"))


def kernel(function: Function) -> Function:
    """Compile a function that kernels call; it is compiled along with what calls it, and kept there."""
    return cast(Function, numba.njit(function, no_cpython_wrapper=True, **_HOW))


def kept_kernel(function: Function) -> Function:
    """Compile a function that Python calls, when it is first called, and keep it for the next process."""
    before = numba.config.CACHE_DIR
    try:
        if _FOLDER is not None:
            numba.config.CACHE_DIR = str(_FOLDER)
        compiled: Any = numba.njit(function, cache=_FOLDER is not None, nogil=True, **_HOW)
    finally:
        numba.config.CACHE_DIR = before
    return cast(Function, compiled)


@intrinsic  # type: ignore[untyped-decorator]
def _size_of(context: Any, cards: Any) -> Any:
    def written(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.ctpop(given[0])

    return types.int64(types.int64), written


@intrinsic  # type: ignore[untyped-decorator]
def _lowest_of(context: Any, cards: Any) -> Any:
    def written(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.cttz(given[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), written


# How many cards a set has, and the first card of a set that is not empty.
size_of: Callable[[Any], Any] = _size_of
lowest_of: Callable[[Any], Any] = _lowest_of
