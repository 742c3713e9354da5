"""A Python object under test: a program of its own that imports the object and speaks the protocol."""

import sys

from belot_conformance.programs.process import StartError
from belot_conformance.programs.python_program import COMPLAINT
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.target import Limits


def open_python(name: str, limits: Limits) -> CommandTarget:
    """Open the object ``module:name``; StartError when it cannot be imported, found, made or asked."""
    # Without -P a file of the current folder could stand in for a module that the suite itself needs.
    command = [sys.executable, "-P", "-m", "belot_conformance.programs.python_program", name]
    try:
        return CommandTarget(command, limits)
    except StartError as error:
        before, found, complaint = error.stderr.rpartition(f"\n{COMPLAINT}")
        why = complaint if found else error.reason.rpartition(" did not shake hands: ")[2]
        raise StartError(f"python:{name} cannot be asked: {why}", before.strip() if found else error.stderr) from None
