"""The doors of ``belot`` that need no program: files, flags, house rules and reports."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import click
import yaml
from click.testing import CliRunner

from belot_conformance.cli.main import main
from belot_conformance.questions.deals import random_deal
from belot_reference.compile import compile_profile
from belot_spec.catalogue import random_values
from belot_spec.errors import SpecError, UnknownNameError, UnplayableError
from belot_spec.shipped import default_spec, open_profile
from laboratory.hostile.judging import Misbehaved, Try, as_json, changed, damaged, run, text

_OVERLAY: Final = """id: ours
base: belotten
rules:
  match.target: {value: 51}
  play.void.opponent-ruffed: {value: [higher_trump, trump, any]}
"""
_EXPECTED: Final = """expected:
  - case: bc-0072
    outcome: failed
    reason: so
  - {case: bc-00*, outcome: skipped, reason: x}
"""
_RECORD: Final = (
    b'{"profile": "bela-4", "input": {"dealer": 3, "hands": [], "actions": []}, "result": {"score": [62, 100]}}\n'
)
_FEW: Final = ("--operation", "belote", "--sample", "2")
# Quick whatever they are given; every other command is long by nature, or writes where it should not, and is tried
# with a flag that does not exist.
_SHORT: Final = frozenset({
    "smoke", "audit", "adapter new", "adapter try", "report compare", "report matrix", "report badge", "spec list", "spec show",
    "spec compare", "play", "mistakes", "cases show",
})  # fmt: skip


def files(one: Try) -> None:
    """Give a command a file that is damaged, or that is no ordinary file."""
    command, suffix, contents = one.random.choice(_reading())
    path = one.folder / f"it{suffix}"
    _make(one, path, contents)
    run(one, [word if word != "FILE" else str(path) for word in command])


@cache
def _reading() -> list[tuple[tuple[str, ...], str, bytes]]:
    overlay, expected = _OVERLAY.encode(), _EXPECTED.encode()
    report = json.dumps(_report()).encode()
    return [
        (("spec", "show", "FILE"), ".yaml", overlay),
        (("spec", "compare", "belotten", "FILE"), ".yaml", overlay),
        (("play", "--profile", "FILE"), ".yaml", overlay),
        (("check", "reference", *_FEW, "--expected", "FILE"), ".yaml", expected),
        (("report", "badge", "FILE"), ".json", report),
        (("report", "compare", "FILE", "FILE"), ".json", report),
        (("audit", "FILE"), ".jsonl", _RECORD),
        (("audit", "FILE"), ".jsonl.gz", b"\x1f\x8b\x08\x00" + _RECORD),
        (("check", "reference", *_FEW, "--report", "FILE"), ".html", b"old"),
        (("check", "reference", *_FEW, "--report", "FILE"), ".json", b"[]"),
        (("cases", "export", *_FEW, "FILE"), "", b"old"),
        (("adapter", "new", "--language", "python", "FILE"), "", b"old"),
    ]


def _make(one: Try, path: Path, contents: bytes) -> None:
    kind = one.random.choice(("damaged", "damaged", "damaged", "pipe", "folder", "device", "loop", "large", "missing"))
    if kind == "damaged":
        for _ in range(one.random.randrange(1, 4)):
            contents = damaged(contents, one.random)
        path.write_bytes(contents)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(10**11)
    elif kind in ("device", "loop"):
        path.symlink_to(
            path if kind == "loop" else one.random.choice(("/dev/zero", "/dev/full", "/dev/null", "/proc/self/mem"))
        )


@cache
def _commands() -> dict[str, click.Command]:
    def below(group: click.Command, *words: str) -> Iterator[tuple[str, click.Command]]:
        for word, command in getattr(group, "commands", {}).items():
            yield from below(command, *words, word)
        if not hasattr(group, "commands"):
            yield " ".join(words), group

    return dict(below(main))


def flags(one: Try) -> None:
    """Call a command with words that mean nothing, or nothing good."""
    name, command = one.random.choice(sorted(_commands().items()))
    words = name.split()
    for parameter in one.random.choices(command.params, k=one.random.randrange(4)) if command.params else ():
        if isinstance(parameter, click.Option):
            words.append(one.random.choice(parameter.opts))
        if not getattr(parameter, "is_flag", False) or one.random.random() < 0.1:
            words.append(text(one.random).replace("\0", ""))
    if name not in _SHORT or one.random.random() < 0.1:
        words.append(f"--{text(one.random)[:40]}-no-such-flag")
    run(one, words)


def overlays(one: Try) -> None:
    """Play by house rules drawn by lot: what the schemas and the lint let through can be played."""
    spec, random = default_spec(), one.random
    base = random.choice(spec.playable())
    settings = spec.profile(base).settings
    values: dict[str, Any] = {}
    for rule in random.sample(sorted(settings), random.randint(1, 6)):
        for found in random_values(spec.rules[rule], settings[rule].value, random):
            values[rule] = found
            break
    told = {"id": "ours", "base": base, "rules": {rule: {"value": found} for rule, found in values.items()}}
    path = one.folder / "ours.yaml"
    path.write_text(yaml.safe_dump(told, allow_unicode=True), "utf-8")
    one.said = f"belot play --profile {path} with {told}"
    with suppress(SpecError, UnknownNameError, UnplayableError):
        profile = open_profile(str(path), spec)
        try:
            random_deal(compile_profile(profile), random)
        except Exception as error:
            raise Misbehaved(f"accepted and cannot be played: {type(error).__name__}: {error}") from error


@cache
def _report() -> dict[str, Any]:
    asked = ["check", "reference", *_FEW, "--format", "json"]
    found: dict[str, Any] = json.loads(CliRunner().invoke(main, asked).stdout)
    case = {**found["cases"][0], "outcome": "failed", "detail": "x"} if found["cases"] else None
    return found if case is None else {**found, "cases": [*found["cases"][1:], case]}


def reports(one: Try) -> None:
    """Read a report in which something is otherwise."""
    report: Any = _report()
    for _ in range(one.random.randrange(1, 4)):
        report = changed(report, one.random)
    data = as_json(report, one.random)
    (one.folder / "odd.json").write_bytes(damaged(data, one.random) if one.random.random() < 0.2 else data)
    (one.folder / "good.json").write_text(json.dumps(_report()), "utf-8")
    command = one.random.choice((["badge", "odd.json"], ["compare", "odd.json", "good.json"], ["compare", "good.json", "odd.json"],
                                 ["matrix", "good.json", "odd.json"]))  # fmt: skip
    forms = ("svg", "json") if command[0] == "badge" else ("text", "json", "markdown")
    run(one, ["report", *command, "--format", one.random.choice(forms)])


DOORS: Final[dict[str, Callable[[Try], None]]] = {
    "files": files, "flags": flags, "overlays": overlays, "reports": reports,
}  # fmt: skip
