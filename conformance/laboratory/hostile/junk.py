"""Texts, numbers, bytes and values that somebody might give a program who wants to see it fall."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

TEXTS: Final = (
    "", " ", "\x1b[2J\x1b]0;pwned\x07", "\u202etxet", "\u200b", "\xa0", "\x9b2J", "..", "/", "~", "-", "--", "@", "*", "[", "%s", "{0}",
    "a" * 5000, "ë" * 300, "\ud800", "\udcff", "bc-0001", "belote", "bela-4+pass", "belote+", "+", "a+b+c", "nan", "inf", "1e999", "-1",
    "0", "999999999999999999999", "1.5", "BL-074..073", "BL-1..BL-99999999", "x.yaml", "/dev/zero", "/dev/full", "/proc/self/mem", "http://",
    "http://[", "http://localhost:99999", "http://xn--a/", "https://\x00", "python:", "python:os:system", "python:a.b:c", "reference",
    "junit:", "json:/dev/full", "x.pdf", "HEAD", "1.2.3", "null", "true", "no", "{}", "<script>", "$(id)", "; id", "\n", "a\nb", "🂡", "\ufeff",
)  # fmt: skip
NUMBERS: Final = (0, -1, 1, 2**31, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308)


def text(random: Random) -> str:
    """Return a text that is no plain name."""
    if random.random() < 0.7:
        return random.choice(TEXTS)
    return "".join(chr(random.choice((random.randrange(1, 0x100), random.randrange(1, 0xD800)))) for _ in range(9))


def value(random: Random, depth: int = 3) -> Any:
    """Return a value of JSON of any shape."""
    kinds: list[Callable[[], Any]] = [
        lambda: text(random), lambda: random.choice(NUMBERS), lambda: random.choice((None, True, False)),
    ]  # fmt: skip
    if depth:
        kinds += [
            lambda: [value(random, depth - 1) for _ in range(random.randrange(4))],
            lambda: {text(random): value(random, depth - 1) for _ in range(random.randrange(4))},
        ]
    return random.choice(kinds)()


def changed(original: Any, random: Random) -> Any:
    """Return a value with something in it replaced, left out, put in or repeated."""
    if isinstance(original, dict) and original and random.random() < 0.85:
        key = random.choice(list(original))
        kind = random.random()
        if kind < 0.6:
            return {**original, key: changed(original[key], random)}
        if kind < 0.8:
            return {name: one for name, one in original.items() if name != key}
        return {**original, text(random): value(random)}
    if isinstance(original, list) and original and random.random() < 0.85:
        place = random.randrange(len(original))
        kind = random.random()
        if kind < 0.6:
            return [*original[:place], changed(original[place], random), *original[place + 1 :]]
        return original[:place] + original[place + 1 :] if kind < 0.8 else [*original, original[place]]
    return value(random)


def as_json(something: Any, random: Random) -> bytes:
    """Return a value as JSON, sometimes with a key twice or half a character."""
    found = json.dumps(something, ensure_ascii=random.random() < 0.8)
    if random.random() < 0.1:
        found = found.replace("{", '{"id": 1, "id": 2, ', 1)
    return found.encode("utf-8", "surrogatepass")


def damaged(data: bytes, random: Random) -> bytes:
    """Return bytes with a piece cut out, doubled, overwritten or moved; sometimes something else altogether."""
    if not data or random.random() < 0.1:
        return random.choice(
            (b"", b"\0" * 50, b"[" * 50_000, b'{"a":' * 50_000, b"\xff\xfe", b"- " * 9000, b"\n" * 9000)
        )
    start, length = random.randrange(len(data)), random.choice((1, 1, 1, 5, 200))
    piece = data[start : start + length]
    put = random.choice(
        (b"", piece * 2, random.randbytes(length), b"\x1b[2J", b"\xe2\x80\xae", b"\xc2\xa0", b"&a *a", b"!!x ", b": ")
    )
    return data[:start] + put + data[start + length :]
