"""What fuzzing found as case files, one for each cause, ready to be added to a suite."""

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from belot_conformance.fuzz.causes import Cause
from belot_conformance.suite.case_text import flow, quoted
from belot_spec.catalogue import Text
from belot_spec.files import canonical, read_text
from belot_spec.languages import COMPLETE
from belot_spec.whole_file import write_whole
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "fuzz-cases")
# Ids of what is found, far from those of the suite; whoever adds a case to it takes the next free one there.
_FIRST_ID: Final = 9001
_ID: Final = re.compile(r"^  - id: bc-(\d+)$", re.MULTILINE)


def write_cases(folder: Path, causes: Iterable[Cause]) -> list[Path]:
    """Write a file of cases for each cause, below a folder with the name of its operation; return the files.

    What another run wrote there stays, under ids of its own.
    """
    taken = {path: _ID.findall(read_text(path)) for path in sorted(folder.glob("*/fuzz-*.yaml"))}
    last = max((int(number) for numbers in taken.values() for number in numbers), default=_FIRST_ID - 1)
    free = count(last + 1)
    written = []
    for cause in causes:
        seen = cause.smallest
        asked = [seen.operation, seen.table.rules.profile.id, seen.question]
        digest = sha256(canonical(asked).encode()).hexdigest()[:8]
        path = folder / seen.operation / f"fuzz-{digest}.yaml"
        number = next(chain(taken.get(path, ()), free))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, case_text(cause, f"bc-{number}"))
        written.append(path)
    return written


def case_text(cause: Cause, case_id: str) -> str:
    """Return a cause as the text of a file of cases, the expectation being the answer of the rules."""
    seen = cause.smallest
    expected: dict[str, Any] = {seen.expected.kind: dict(seen.expected.fields)}
    if seen.expected.rule is not None:
        expected["rejected"]["rule"] = seen.expected.rule
    title = _title(cause)
    rules = [cause.rule] if cause.rule in seen.read else []
    lines = [
        f"operation: {seen.operation}",
        f"profile: {quoted(seen.table.rules.profile.id)}",
        *_bilingual("behaviour", _WORDS.filled("behaviour", operation=seen.operation), ""),
        *_bilingual("why", _WORDS["why"], ""),
        "cases:",
        f"  - id: {case_id}",
        *_bilingual("title", title, "    "),
        f"    input: {flow(_plain(seen.question))}",
        f"    expect: {flow(_plain(expected))}",
        f"    rules: {flow(rules)}",
        "    statements: []",
        "    origin: derived",
    ]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    """Return a value in which every list and mapping is of the plainest kind."""
    return json.loads(json.dumps(value))


def _title(cause: Cause) -> Text:
    seen = cause.smallest
    return _WORDS.filled("title", operation=seen.operation, fields=", ".join(seen.fields))


def _bilingual(key: str, text: Text, indent: str) -> list[str]:
    return [f"{indent}{key}:", *(f"{indent}  {lang}: {quoted(text.only(lang))}" for lang in COMPLETE)]
