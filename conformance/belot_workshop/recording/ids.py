"""The ids of recorded cases: that of the place in the file, unless a release gave this or another case that id."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from belot_conformance.suite.case_text import case_lines
from belot_conformance.suite.cases import Expectation, case_files
from belot_conformance.suite.ledger import Ledger, digests_of

# Where ids begin that belong to no place.
FIRST_FREE: Final = 3880
_LARGEST: Final = 9999


def with_lasting_ids(
    operation: str, variant: str, cases: Sequence[Mapping[str, Any]], ledger: Ledger, taken: Iterable[str]
) -> list[dict[str, Any]]:
    """Return recorded cases with ids that a release leaves them; ``taken`` are those of all other files.

    A case that was released, and is recorded the same again, keeps its id. Any other has that of its place, if no
    released case had it, or else the next free one.
    """
    released = {
        (entry.question, entry.expectation): case_id
        for case_id, entry in ledger.entries.items()
        if entry.retired is None
    }
    kept = [released.get(_digests(operation, variant, case)) for case in cases]
    used = {*ledger.entries, *taken}
    free = _free(used | {case["id"] for case in cases})
    return [
        {**case, "id": own or (case["id"] if case["id"] not in used else next(free))}
        for case, own in zip(cases, kept, strict=True)
    ]


def ids_elsewhere(folder: Path, written: Path) -> set[str]:
    """Return the ids of all cases of a folder but those in one file."""
    return {case_id for case_id, _, _ in case_lines(path for path in case_files(folder) if path != written)}


def _digests(operation: str, variant: str, case: Mapping[str, Any]) -> tuple[str, str]:
    expected = [Expectation("result", case["expect"]["result"])]
    return digests_of(operation, case.get("profile", variant), case["input"], expected)


def _free(used: set[str]) -> Iterator[str]:
    yield from (f"bc-{number}" for number in range(FIRST_FREE, _LARGEST + 1) if f"bc-{number}" not in used)
