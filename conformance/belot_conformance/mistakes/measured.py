"""What published programs were measured to play where no variant and no option does."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document

LIST: Final = Path(__file__).with_name("measured.yaml")


@cache
def load_measured(path: Path = LIST) -> Mapping[str, Mapping[str, Any]]:
    """Load the values of rules that each program plays; raises ``SpecError`` for a faulty list."""
    document = read_document(path)
    check_document(document, "measured")
    programs: Mapping[str, Mapping[str, Any]] = document.data["programs"]
    return programs
