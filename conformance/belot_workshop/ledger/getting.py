"""Getting a published program onto this machine, and the command by which its adapter serves it."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.published import PublishedProgram
from belot_spec.errors import BelotError

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
