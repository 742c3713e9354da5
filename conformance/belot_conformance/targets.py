"""What can be put under test, and how each is opened."""

from collections.abc import Sequence

from belot_conformance.reference import reference_target
from belot_conformance.runner import CommandTarget, Limits, Target


def open_target(command: Sequence[str], profile: str | None, limits: Limits) -> Target:
    """Open a program by its command, or the reference in this process if there is none.

    Raises ``StartError`` for a program that cannot be started or shakes hands wrongly.
    """
    if command:
        return CommandTarget(command, limits)
    return reference_target([profile] if profile else [])
