"""What an answer says wrong, as a short text that two programs share if they are wrong in the same way."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from belot_conformance.diagnosis.mutations import canonical
from belot_conformance.programs.protocol import Reply
from belot_conformance.suite.cases import Case
from belot_conformance.suite.compare import REASON_FIELDS, differences, in_fixed_order

RIGHT: Final = ""
NO_ANSWER: Final = "!"
_LENGTH: Final = 4


def signature(case: Case, reply: Reply) -> str:
    """Return ``RIGHT`` for an answer that fits the case, ``NO_ANSWER`` for an error, else a digest of the answer.

    Only what the case compares goes into the digest, in a fixed order, so that programs agree whatever else they say.
    """
    if reply.kind not in ("result", "rejected"):
        return NO_ANSWER
    if not differences(case.operation, case.expected, reply):
        return RIGHT
    fields = {field for one in case.expected if one.kind == reply.kind for field in one.fields}
    fields.discard(REASON_FIELDS.get(case.operation, ""))
    said = {field: _compared(case, reply, field) for field in sorted(fields)}
    return sha256(canonical([reply.kind, said]).encode()).hexdigest()[:_LENGTH]


def _compared(case: Case, reply: Reply, field: str) -> Any:
    values: Mapping[str, Any] = reply.value
    came = values.get(field)
    return in_fixed_order(case.operation, field, came) if reply.kind == "result" else came
