"""Gives one answer of each kind."""

from miniature import Request, send, serve  # type: ignore[import-not-found]

KINDS: dict[str, Request] = {
    "q1": {"rejected": {"reason": "illegal-card", "at": 0}},
    "q2": {"rejected": {"reason": "bad-cut"}},
    "q3": {"unsupported": "seven players"},
    "q4": {"unsupported": True},
    "q5": {"error": "out of luck", "traceback": ["a field that nobody knows"]},
}


def answer(request: Request) -> None:
    send({"id": request["id"], **KINDS.get(request["id"], {"result": request["input"]})})


serve(answer)
