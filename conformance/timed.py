"""Runs a command, and says how long it took: by the clock, and of the processor with all that it started.

It stands alone, as it times how the rest is set up.
"""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

_LOOK_AGAIN = 1.0


def main(what: str, *command: str) -> int:
    """Run the command, whose exit code is returned; ``make`` among them goes on sharing its jobs."""
    began, unwaited = time.monotonic(), dict[int, float]()
    with subprocess.Popen(command, close_fds=False) as run:
        while run.poll() is None:
            unwaited |= _parts_of_browsers()
            with suppress(subprocess.TimeoutExpired):
                run.wait(_LOOK_AGAIN)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    used = sum(os.times()[:4]) + sum(unwaited.values())
    print(f"{what}: {minutes} min {seconds} s, {used / 60:.1f} CPU min", flush=True)
    return run.returncode


def _parts_of_browsers() -> dict[int, float]:
    """Return what each part of a browser below us has used: none waits for it, whereby the system would count it."""
    parents, found = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            number, fields = int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()
            parents[number] = int(fields[1])
            if b"--type=" in (folder / "cmdline").read_bytes():
                found[number] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_ours(number: int) -> bool:
        return number == os.getpid() or (number in parents and is_ours(parents[number]))

    return {number: used for number, used in found.items() if is_ours(number)}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
