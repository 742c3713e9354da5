"""Copies of the project in which it is recorded or broken, each with an environment that imports the copy."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from typing import Final

import psutil

from belot_spec.errors import BelotError
from belot_workshop.breaks.drawing import Break
from belot_workshop.breaks.recording import INTO, ROOT

WORK: Final = Path(ROOT) / "build" / "breaks"
_A_WHILE: Final = 1800.0
_TOPS: Final = ("reference_impl", "conformance", "site")
_BEGIN: Final = (
    f'import os; "{INTO}" in os.environ and __import__("belot_workshop.breaks.recording", fromlist=["start"]).start()'
)


class CloneError(BelotError):
    """A copy does not import its own code, or there is no git to say what to copy."""


def product_files() -> list[str]:
    """Return the paths of all files of the project."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError) as error:
        raise CloneError("git cannot say which files belong to the project") from error
    return [name for name in listed if (Path(ROOT) / name).is_file()]


@dataclass(frozen=True, slots=True)
class Clone:
    """A copy of the project, or of another such copy, below ``build/breaks``."""

    root: Path
    source: Path = Path(ROOT)

    @classmethod
    def make(cls, name: str, files: Iterable[str], source: Path = Path(ROOT)) -> "Clone":
        """Make it anew, and show that what is broken in it is broken for whoever imports it."""
        clone = cls(WORK / name, source)
        shutil.rmtree(clone.root, ignore_errors=True)
        for path in files:
            (clone.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / path, clone.root / path)
        if (modules := Path(ROOT) / "site" / "node_modules").exists():
            (clone.root / "site" / "node_modules").symlink_to(modules.resolve())
        clone._make_environment()
        for top in ("belot_spec", "belot_reference", "belot_conformance", "belot_site"):
            module = next(clone.root.glob(f"*/{top}/__init__.py"))
            whole = module.read_bytes()
            module.write_bytes(whole + b"\nraise SystemExit(77)\n")
            broken = clone.run(["python", "-c", f"import {top}"], 60)
            module.write_bytes(whole)
            if (broken, clone.run(["python", "-c", f"import {top}"], 60)) != (77, 0):
                raise CloneError(f"{clone.root} does not import its own {top}")
        clone.run(["python", "-m", "kernel_testing"], _A_WHILE)
        return clone

    def _make_environment(self) -> None:
        own, ours = self.root / ".venv", Path(sys.prefix) / "bin"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", own], check=True)
        packages = sysconfig.get_path("purelib", vars={"base": str(own), "platbase": str(own)})
        lines = (*(str(self.root / top) for top in _TOPS), sysconfig.get_path("purelib"), _BEGIN)
        Path(packages, "clone.pth").write_text("\n".join(lines) + "\n")
        for script in ours.iterdir():
            with suppress(UnicodeDecodeError, OSError):
                first, _, rest = script.read_text().partition("\n")
                if first.startswith(f"#!{ours}") and not (own / "bin" / script.name).exists():
                    (own / "bin" / script.name).write_text(f"#!{own}/bin/python\n{rest}")
                    (own / "bin" / script.name).chmod(0o755)

    def run(self, command: Sequence[str | Path], seconds: float, more: Mapping[str, str] | None = None) -> int | None:
        """Run a program of its environment, with all that it prints in ``run.log``; ``None`` if it did not end."""
        name, *rest = command
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
        environment |= {
            "XDG_CACHE_HOME": str(self.root / ".cache"),
            "PATH": f"{self.root / '.venv/bin'}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self.root / ".venv"),
        }
        browsers = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"
        environment.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(browsers))
        with (
            self.root.with_suffix(".log").open("wb") as log,
            subprocess.Popen(
                [self.root / ".venv" / "bin" / name, *rest],
                cwd=self.root,
                env=environment | dict(more or {}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as run,
        ):
            try:
                return run.wait(seconds)
            except subprocess.TimeoutExpired:
                for child in psutil.Process(run.pid).children(recursive=True):
                    child.kill()
                return None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(run.pid, SIGKILL)

    def printed(self) -> str:
        """Return what the last program printed."""
        return self.root.with_suffix(".log").read_text(errors="replace")

    @contextmanager
    def broken(self, one: Break) -> Iterator[None]:
        """Break it; at the end it is as it was, with nothing left that it worked out meanwhile."""
        path = self.root / one.file
        path.write_bytes(one.text)
        try:
            yield
        finally:
            shutil.copy2(self.source / one.file, path)
            for left in (*self.root.glob(".cache/*/*"), self.root / ".hypothesis", self.root / "build"):
                # Kernels are kept by what they are compiled from, and take a minute.
                if not left.name.startswith("kernels-"):
                    shutil.rmtree(left, ignore_errors=True)
