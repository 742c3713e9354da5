"""Taking released cases out of the suite: the ledger keeps their ids, and a changed case goes on under a new one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from belot_conformance.suite.case_text import Rewrite, rewrite_file
from belot_conformance.suite.cases import Case, case_files, read_cases
from belot_conformance.suite.ledger import Ledger, RetireError, read_ledger
from belot_spec.errors import nearest
from belot_spec.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class Retirement:
    """An id that was retired, and the id under which its case goes on, if it does."""

    case: str
    by: str | None
    path: Path | None


def retire(
    folder: Path, ids: Sequence[str], reason: str, by: str | None = None, renew: bool = False
) -> list[Retirement]:
    """Retire released ids of a folder of cases in its ledger; with ``renew``, give each case a new id in its file.

    Raises ``RetireError`` for an id that is no released one, and for one that still stands in a file and is not
    renewed; then nothing is written.
    """
    cases = {case.id: case for case in read_cases(case_files(folder))}
    ledger = read_ledger(folder)
    _refuse_unknown(ids, cases, ledger)
    if by is not None and by not in cases:
        raise RetireError(f"there is no case {by} that could replace it{nearest(by, cases)}")
    free = ledger.free_ids(cases.values())
    done = []
    for case_id in ids:
        case = cases.get(case_id)
        if case is not None and not renew:
            raise RetireError(
                f"{case_id} still stands in {_place(case)}; take it out first, or give it a new id: --renew"
            )
        if case is None and renew:
            raise RetireError(f"{case_id} stands in no file, so it cannot get a new id; leave --renew out")
        done.append(Retirement(case_id, next(free) if renew else by, case.path if case else None))
    for one in done:
        ledger = ledger.retire(one.case, reason, one.by)
    for one in done:
        if one.path is not None and one.by is not None:
            rewrite_file(one.path, [Rewrite(one.case, {"id": one.by})])
    write_whole(ledger.path, ledger.text())
    return done


def gone(folder: Path) -> list[str]:
    """Return the released ids of a folder that stand in no file any more and are not retired."""
    present = {case.id for case in read_cases(case_files(folder))}
    entries = read_ledger(folder).entries
    return sorted(case_id for case_id, entry in entries.items() if case_id not in present and entry.retired is None)


def _refuse_unknown(ids: Sequence[str], cases: dict[str, Case], ledger: Ledger) -> None:
    for case_id in ids:
        if case_id not in ledger.entries and case_id not in cases:
            raise RetireError(f"there is no case {case_id}{nearest(case_id, [*cases, *ledger.entries])}")
        if ids.count(case_id) > 1:
            raise RetireError(f"{case_id} is named twice")


def _place(case: Case) -> str:
    return f"{case.path.parent.name}/{case.path.name}:{case.line}"
