"""Changing values in files of cases: only those values change, whatever the layout around them."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_conformance.suite.case_text import CaseTextError, Rewrite, flow, rewritten
from belot_conformance.suite.cases import case_files
from belot_spec.load.documents import parse_document

PATH = Path("cases/legal-cards/some.yaml")
HEAD = "operation: legal-cards\n# a remark on top\nprofile: bela-4\ncases:\n"
FLOW = """\
  - id: bc-0001  # the first
    expect: {result: {cards: [KS], points: 2}}   # as the source says
    origin: by-hand    # on paper

  # about the next
  - id: bc-0002
    expect: {result: {cards: [QS]}}
    origin: by-hand
"""
BLOCK = """\
  - id: bc-0001
    expect:
      result:
        cards:
          - KS
          - "9S"   # why the nine
        # between
        tricks:
          - {winner: 1, points: 10}
          - {winner: 0, points: 4}
    origin: by-hand
  # at the end
"""
INLINE = "  - {id: bc-0001, expect: {result: {cards: [KS]}}, origin: by-hand, rules: []}\n"


@pytest.mark.parametrize(("text", "values", "changes"), [
    (FLOW, {"id": "bc-0099"}, [("id: bc-0001", "id: bc-0099")]),
    (FLOW, {"expect": {"result": {"cards": ["KS", "9S"], "points": 2}}}, [("[KS]", "[KS, 9S]")]),
    (FLOW, {"expect": {"result": {"cards": ["KS"], "points": 3}}}, [("points: 2", "points: 3")]),
    (FLOW, {"expect": {"rejected": {"reason": "illegal-card"}}}, [("{result: {cards: [KS], points: 2}}", "{rejected: {reason: illegal-card}}")]),
    (FLOW, {"origin": "derived", "review": "r changed: see"}, [("by-hand    # on paper", 'derived    # on paper\n    review: "r changed: see"')]),
    (BLOCK, {"expect": {"result": {"cards": ["KS", "9S"], "tricks": [{"winner": 1, "points": 10}, {"winner": 0, "points": 5}]}}}, [("points: 4", "points: 5")]),
    (BLOCK, {"expect": {"result": {"cards": ["AS"], "tricks": [{"winner": 1, "points": 10}, {"winner": 0, "points": 4}]}}}, [('cards:\n          - KS\n          - "9S"', "cards: [AS]")]),
    (BLOCK, {"expect": {"rejected": {"at": 1, "reason": "must-name"}}}, [(BLOCK[BLOCK.index("expect:") : BLOCK.index("\n    origin")], "expect: {rejected: {at: 1, reason: must-name}}")]),
    (INLINE, {"origin": "derived", "review": "why"}, [("by-hand", "derived, review: why")]),
])  # fmt: skip
def test_only_the_values_change(text: str, values: dict[str, Any], changes: list[tuple[str, str]]) -> None:
    wanted = HEAD + text
    for before, after in changes:
        assert before in wanted
        wanted = wanted.replace(before, after, 1)
    assert rewritten(PATH, HEAD + text, [Rewrite("bc-0001", values)]) == wanted


def test_several_cases_of_a_file_are_rewritten_at_once_and_line_ends_of_another_system_stay() -> None:
    both = [Rewrite("bc-0002", {"origin": "derived"}), Rewrite("bc-0001", {"id": "bc-0009", "review": "why"})]
    found = rewritten(PATH, (HEAD + FLOW).replace("\n", "\r\n"), both)
    data = parse_document(PATH, found.replace("\r\n", "\n")).data
    told = [(one["id"], one["origin"], one.get("review")) for one in data["cases"]]
    assert told == [("bc-0009", "by-hand", "why"), ("bc-0002", "derived", None)]
    assert "# on paper\r\n    review: why\r\n" in found


@pytest.mark.parametrize("head", [FLOW, BLOCK, INLINE], ids=["flow", "block", "inline"])
def test_a_key_that_is_taken_away_leaves_the_text_as_it_was_without_it(head: str) -> None:
    waiting = rewritten(PATH, HEAD + head, [Rewrite("bc-0001", {"review": "why: one, two"})])
    assert waiting != HEAD + head
    assert rewritten(PATH, waiting, [Rewrite("bc-0001", {}, without=("review",))]) == HEAD + head


def test_a_file_that_would_not_say_what_it_should_is_refused() -> None:
    # With the key and the value on lines of their own there is no place for a key below them.
    text = HEAD + "  - id: bc-0001\n    expect: {result: {cards: [KS]}}\n    ? origin\n    : by-hand\n"
    with pytest.raises(CaseTextError, match=r"some.yaml cannot be changed line by line; change bc-0001 by hand"):
        rewritten(PATH, text, [Rewrite("bc-0001", {"origin": "derived", "review": "why"})])


def test_values_may_end_in_the_middle_of_a_line_or_fill_several() -> None:
    for text in (
        "  - {id: bc-0001, expect: {result: {cards: [KS]}},\n     origin: by-hand, # on paper\n     rules: []}\n",
        "  - id: bc-0001\n    expect: {result: {cards: [KS]}}\n    origin: >-\n      by-hand\n    rules: []\n",
    ):
        done = rewritten(PATH, HEAD + text, [Rewrite("bc-0001", {"origin": "derived", "review": "why"})])
        (case,) = parse_document(PATH, done).data["cases"]
        assert (case["origin"], case["review"], case["rules"]) == ("derived", "why", [])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=8) | st.sampled_from(["9", "10S", "no", "1:30", "0E0", "null", "yes", "~"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=30)
@given(json_values)
def test_a_value_on_one_line_reads_back_as_itself(value: Any) -> None:
    try:
        read = parse_document(PATH, f"key: {flow(value)}\n").data["key"]
    except Exception as error:
        # Characters that no file of cases may hold are refused by the reader, never misread.
        assert "not allowed" in str(error) or "not YAML" in str(error), error  # noqa: PT017
        return
    assert read == value


def test_a_fifth_of_the_shipped_files_can_be_rewritten(root: Path) -> None:
    for path in [*case_files(root / "cases")][::5]:
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".yaml" or len(text) > 12_000:
            continue
        last = parse_document(path, text).data["cases"][-1]["id"]
        changed = rewritten(path, text, [Rewrite(last, {"id": "bc-9999", "review": "why"})])
        assert changed.replace("bc-9999", last).replace("    review: why\n", "") == text, path
