"""What a release did to the cases: ids added, changed (which go on under another id), and retired."""

from dataclasses import dataclass
from typing import Any

from belot_conformance.suite.ledger import Ledger, Retired
from belot_workshop.changes.version import Step


@dataclass(frozen=True, slots=True)
class CaseChanges:
    """The ids that a release added, and those it retired; a retired case with another in its place was changed."""

    added: tuple[str, ...]
    retired: tuple[tuple[str, Retired], ...]
    first: bool

    @property
    def step(self) -> Step:
        """The step of the version that changes of the cases ask for by themselves; none in the first release."""
        if self.first:
            return "none"
        return "minor" if self.added else "patch" if self.retired else "none"

    @property
    def changed(self) -> tuple[tuple[str, Retired], ...]:
        """The retired ids that another case replaces."""
        return tuple(one for one in self.retired if one[1].by is not None)

    @property
    def dropped(self) -> tuple[tuple[str, Retired], ...]:
        """The retired ids that nothing replaces."""
        return tuple(one for one in self.retired if one[1].by is None)

    @property
    def new(self) -> tuple[str, ...]:
        """The added ids that replace no other."""
        replacing = {retired.by for _, retired in self.changed}
        return tuple(case_id for case_id in self.added if case_id not in replacing)

    def as_json(self) -> dict[str, Any]:
        """Return the changes as JSON."""
        return {
            "added": list(self.new),
            "changed": [{"id": case_id, "by": one.by, "reason": one.reason} for case_id, one in self.changed],
            "retired": [{"id": case_id, "reason": one.reason} for case_id, one in self.dropped],
        }


def changes_in(ledger: Ledger, version: str) -> CaseChanges:
    """Return what one release of a ledger did to the cases."""
    entries = sorted(ledger.entries.items())
    return CaseChanges(
        added=tuple(case_id for case_id, entry in entries if entry.release == version),
        retired=tuple(
            (case_id, entry.retired) for case_id, entry in entries if entry.retired and entry.retired.release == version
        ),
        first=bool(ledger.releases) and ledger.releases[0].version == version,
    )
