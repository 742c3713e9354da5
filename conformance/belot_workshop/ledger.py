"""Published programs: getting them, measuring what they play, and ``belot lab ledger``, which does both."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import psutil
import yaml

from belot_conformance.cli.common import EXIT_FAILED, SECONDS, echo
from belot_conformance.explain.budget import BUDGET
from belot_conformance.explain.overlay import overlay_values
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.protocol import encode_hello, suite_version
from belot_conformance.programs.published import PublishedProgram, load_programs, program_files
from belot_spec.data import refuse_installed
from belot_spec.errors import BelotError, nearest
from belot_spec.files import read_text
from belot_spec.shipped import default_spec
from belot_spec.whole_file import write_whole

# What lets node run TypeScript, and JavaScript that leaves out the endings of files.
_RUNNER: Final = "tsx@4"
_MOST_SECONDS: Final = 300.0


class NotGotError(BelotError):
    """A program cannot be had here; the message says why."""


def get_program(program: PublishedProgram, folder: Path) -> list[str]:
    """Get a program into a folder of its own below ``folder``; return the command that serves it.

    What is there already is taken as it is. Raises ``NotGotError``.
    """
    if program.adapter is None or program.adapter_file is None:
        raise NotGotError("its adapter is compiled together with it; compile the two, and name them with --served-by")
    own, got = folder / program.id, program.got
    own.mkdir(parents=True, exist_ok=True)
    packages = [f"{got['package']}=={got['version']}"] if "index" in got else list(got.get("needs", ()))
    tree = [] if "index" in got else [str(_tree(got, own / "tree"))]
    if program.adapter["run"] == "node":
        _run([_tool("npm"), "install", "--prefix", str(own), "--no-audit", "--no-fund", _RUNNER, *packages])
        runner = [_tool("node"), str(own / "node_modules" / "tsx" / "dist" / "cli.mjs")]
    else:
        runner = [str(_environment(own / "venv", packages))]
    return [*runner, str(program.adapter_file), *tree]


def _environment(folder: Path, packages: Sequence[str]) -> Path:
    """Make an environment of Python with some packages; return its interpreter."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", str(folder)])
    if packages:
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
    return python


def _tree(got: Mapping[str, Any], folder: Path) -> Path:
    """Fetch one commit of a repository, without its history."""
    git = [_tool("git"), "-C", str(folder)]
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _run([*git, "init", "--quiet"])
    _run([*git, "fetch", "--quiet", "--depth", "1", got["repository"], got["commit"]])
    _run([*git, "checkout", "--quiet", "--force", got["commit"]])
    return folder


def _tool(name: str) -> str:
    if (found := shutil.which(name)) is None:
        raise NotGotError(f"{name} is not installed here")
    return found


def _run(command: Sequence[str]) -> None:
    # Nobody is there to be asked for a name and a password.
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            command, check=False, env=environment, capture_output=True, text=True, timeout=_MOST_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotGotError(f"{shlex.join(command)}: {error}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "it failed").splitlines()[-1]
        raise NotGotError(f"{shlex.join(command)}: {said}")


# Deals of a log, and the seed of those who play them.
_DEALS: Final = ("300", "1")
# A log says nothing by itself: the rules that it is searched around.
_LOG_DECLARES: Final = {"profiles": ["belote"], "operations": ["replay"], "deals": "tricks"}
# How often what was found is held to a check, and what that names added.
_CHECKS: Final = 2
# What the answer to hello says of the program, and not of how it is asked.
_OF_THE_PROGRAM: Final = ("protocol", "name", "version", "language", "window")
_MARK: Final = "measured:\n"


class _OnFewLines(dict[str, Any]):
    """A mapping that is written without a line of its own for each thing in it."""


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(
    _OnFewLines, lambda dumper, one: dumper.represent_mapping("tag:yaml.org,2002:map", one, flow_style=True)
)


class NotMeasuredError(BelotError):
    """A program could not be measured; the message says why."""


def measure(
    program: PublishedProgram, command: Sequence[str], seconds: float, start: Path | None = None
) -> dict[str, Any]:
    """Ask a program what it plays, and return what its entry holds of that.

    What ``belot identify`` finds is held to ``belot check``, which asks much more: what that names is added, and of
    what no question tells nothing is known. ``seconds`` is how long the processor may search at a time.

    Raises ``NotMeasuredError``.
    """
    options = ["--with-oddities", "--seconds", str(seconds), "--format", "json"]
    with TemporaryDirectory() as folder:
        if program.adapter is not None and program.adapter["run"] == "log":
            log = Path(folder) / "deals.jsonl"
            write_whole(log, _output([*command, *_DEALS]), durable=False)
            given = ["--records", str(log), "--profile", _LOG_DECLARES["profiles"][0], *options]
            return measurement(_LOG_DECLARES, *_identified(given))
        around = ["--profile", str(start)] if start else []
        found, spent = _identified(["--fresh", *options, *around, "--", *command])
        if start:
            read = yaml.safe_load(read_text(start))
            rules = {rule: one["value"] for rule, one in read["rules"].items()}
            found |= {"base": read["base"], "overlay": together(read["base"], rules | found["overlay"])}
        file, known = Path(folder) / "measured.yaml", dict(found["overlay"])
        for _ in range(_CHECKS):
            checked = _said("check", [*options[1:], "--profile", _profile(file, found["base"], known), "--", *command])
            more = {rule: value for one in checked["diagnosis"] for rule, value in one["rules"].items()}
            if more.items() <= known.items():
                break
            known = together(found["base"], known | more)
        if known != found["overlay"]:
            profile = _profile(file, found["base"], known)
            again, _ = _identified(["--fresh", *options, "--profile", profile, "--", *command])
            values = together(found["base"], known | again["overlay"])
            found = {**again, "base": found["base"], "overlay": values}
        found["explained"] = max(0, wrong_by(found["base"], command) - _count(found))
        [table] = checked["tables"]
        untold = [rule for rule in (*table["unpinned"], *table["unobservable"]) if rule not in found["overlay"]]
        return measurement(_declared(command), {**found, "untold": untold}, spent)


def wrong_by(base: str, command: Sequence[str]) -> int:
    """Return how many answers of a program are wrong by the rules of a game alone, in a first look at it."""
    found, _ = _identified(["--fresh", "--seconds", "0.1", "--format", "json", "--profile", base, "--", *command])
    return _count(found)


def _profile(file: Path, base: str, values: Mapping[str, Any]) -> str:
    """Return a name for a base with some other values: that of the file that they are written to, if there are any."""
    rules = {rule: {"value": value} for rule, value in values.items()}
    write_whole(file, json.dumps({"id": file.stem, "base": base, "rules": rules}), durable=False)
    return str(file) if values else base


def together(base: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from a base, of rules that matter with all of them."""
    profile = default_spec().profile(base)
    return overlay_values(profile, changed_profile(profile, values, default_spec()))


def measurement(declares: Mapping[str, Any], found: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Return what an entry holds of a program, from what it declares and what ``belot identify`` found.

    ``seconds`` are those of the processor that the command and the program took.
    """
    wrong_groups, unsupported = _wrong_groups(found), found["unsupported"]
    unexplained = [
        {
            "operation": group["operation"],
            "fields": group["fields"],
            "answers": group["count"],
            "smallest": _exchange(group["smallest"]),
        }
        for group in (*wrong_groups, *unsupported)
    ]
    if records := found.get("records"):
        asked, wrong = records["judged"], records["wrong"]
    else:
        asked, wrong = found["asked"]["questions"], _count(found)
    program = found.get("program_seconds", 0.0)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "suite": suite_version(),
        "declares": dict(declares),
        "base": found["base"],
        "rules": {rule: {"value": value} for rule, value in found["overlay"].items()},
        "untold": found["untold"],
        **({"unexplained": unexplained} if unexplained else {}),
        **({"cut_short": True} if found["cut_short"] and unexplained else {}),
        "answers": {
            "asked": asked,
            "wrong": wrong,
            "explained": found["explained"],
            "seconds": round(seconds - program, 1),
            "program_seconds": round(program, 1),
        },
    }


def _count(found: Mapping[str, Any]) -> int:
    """Return how many answers are wrong by what was found."""
    return sum(group["count"] for group in _wrong_groups(found))


def _wrong_groups(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*found["broken"], *_of_broken_fields(found)]


def _of_broken_fields(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return, as groups, the answers that are wrong in nothing but fields that no rules explain."""
    return [
        {"operation": operation, "fields": fields, "count": count, "smallest": found["spoiled_smallest"][operation]}
        for operation, fields in found["broken_fields"].items()
        if (count := found["spoiled"].get(operation, 0))
    ]


def _exchange(smallest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question with both answers; of the one expected only the fields that came are kept."""
    came, expected = smallest["came"], smallest["expected"]
    if "result" in came and "result" in expected:
        expected = {"result": {field: expected["result"].get(field) for field in came["result"]}}
    return {
        name: _OnFewLines(one) for name, one in (("input", smallest["input"]), ("came", came), ("expected", expected))
    }


def write_measured(path: Path, measured: Mapping[str, Any]) -> None:
    """Put what was measured at the end of an entry, in place of what stands there."""
    kept = read_text(path).partition(f"\n{_MARK}")[0].rstrip("\n")
    text = yaml.dump(
        {"measured": dict(measured)},
        None,
        _Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=118,
        default_flow_style=None,
    )
    write_whole(path, f"{kept}\n{text}")


def _declared(command: Sequence[str]) -> dict[str, Any]:
    reply = json.loads(_output(command, encode_hello(suite_version()).decode()).splitlines()[0])
    return {key: value for key, value in reply["result"].items() if key not in _OF_THE_PROGRAM}


def _output(command: Sequence[str], said: str = "") -> str:
    done = subprocess.run(command, check=False, input=said, capture_output=True, text=True, encoding="utf-8")
    if not done.stdout:
        raise NotMeasuredError(f"it said nothing: {done.stderr.strip()[-400:]}")
    return done.stdout


def _identified(given: Sequence[str]) -> tuple[dict[str, Any], float]:
    """Return what ``belot identify`` found, and the seconds of processor that it and the program took."""
    before = psutil.Process().cpu_times()
    found = _said("identify", given)["found"][0]
    after = psutil.Process().cpu_times()
    return found, after.children_user + after.children_system - before.children_user - before.children_system


def _said(command: str, given: Sequence[str]) -> dict[str, Any]:
    belot = [sys.executable, "-m", "belot_conformance", command, *given]
    done = subprocess.run(belot, check=False, capture_output=True, text=True)
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise NotMeasuredError(f"belot {command}: {done.stderr.strip()[-400:]}") from None
    return told


@click.command("ledger")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--in-place", "write", is_flag=True, help="Write what was measured into the entries.")
@click.option("--served-by", metavar="COMMAND", help="Ask the one program by this command, and get nothing.")
@click.option(
    "--around",
    "start",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Search around these house rules, read in the source of the one program.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("build") / "ledger",
    show_default=True,
    help="Where programs are kept.",
)
@click.option(
    "--seconds", type=SECONDS, default=BUDGET.seconds, show_default=True, help="How long the processor may search."
)
@click.option("--told", is_flag=True, help="Say of how many wrong answers the entries tell why, and ask nothing.")
def ledger(
    names: tuple[str, ...], start: Path | None, *, write: bool, served_by: str | None, told: bool, **given: Any
) -> None:
    """Measure what published programs play.

    All of the ledger are got and measured, or those that are named.

    Exit code: 0 if each plays what its entry says, or was written; 1 if one plays otherwise, cannot be had or cannot be
    measured.
    """
    if write:
        refuse_installed("the ledger")
    programs = load_programs()
    for name in names:
        if name not in programs:
            known = ", ".join(programs)
            raise click.UsageError(f"no program {name} in the ledger{nearest(name, programs)} (known: {known})")
    chosen = [programs[name] for name in names or programs]
    for option, used in (("--served-by COMMAND", served_by), ("--around FILE", start)):
        if used and len(chosen) != 1:
            raise click.UsageError(f"{option} is of one program: name it")
    if told:
        _say_what_is_told(chosen)
        return
    folder, seconds = given["folder"].resolve(), given["seconds"]
    good = [_measured(one, served_by, folder, seconds, start, write=write) for one in chosen]
    sys.exit(0 if all(good) else EXIT_FAILED)


def _say_what_is_told(programs: Sequence[PublishedProgram]) -> None:
    """Say how many wrong answers rules explain, and how many of the others are of a kind that a bug or remark names."""
    sums = [0, 0, 0, 0]
    echo(f"{'wrong answers told by':26} rules   bugs  remark nothing")
    for one in programs:
        if (measured := one.measured) is None:
            continue
        row = [measured.explained, *one.told, measured.wrong - sum(one.told)]
        echo(f"{one.id:26} {''.join(f'{number:5}   ' for number in row)}")
        sums = [*map(sum, zip(sums, row, strict=True))]
    every = max(1, sum(sums))
    echo(f"{'all':26} {''.join(f'{number:5}   ' for number in sums)}")
    echo(f"{100 * sum(sums[:2]) / every:.1f} of 100 by rules and bugs, {100 * sum(sums[:3]) / every:.1f} with remarks")


def _measured(
    program: PublishedProgram, served_by: str | None, folder: Path, seconds: float, start: Path | None, *, write: bool
) -> bool:
    """Measure one program and say what came of it; return whether its entry says so too."""
    try:
        command = shlex.split(served_by) if served_by else get_program(program, folder)
        found = measure(program, command, seconds, start)
    except (NotGotError, NotMeasuredError) as error:
        echo(f"· {program.id}: {error}")
        return False
    known = program.measured
    same = known is not None and (known.base, dict(known.rules)) == (found["base"], _values(found))
    answers = found["answers"]
    echo(
        f"{'✓' if same else '≠'} {program.id} {program.version}: {found['base']}, but for {len(found['rules'])} rules; "
        f"{answers['wrong']} of {answers['asked']} answers wrong by these, in {answers['seconds']} s "
        f"and {answers['program_seconds']} of its own"
    )
    if write:
        write_measured(next(path for path in program_files() if path.stem == program.id), found)
    return same or write


def _values(found: dict[str, Any]) -> dict[str, Any]:
    return {rule: setting["value"] for rule, setting in found["rules"].items()}
