"""The name of a profile is read in one place, and nothing is lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_spec.profile_name import ProfileName


@given(st.text(alphabet="ab+*-4", max_size=12))
def test_a_name_is_written_as_it_was_read(text: str) -> None:
    name = ProfileName(text)
    assert name == text
    assert ProfileName.of(name.variant, *name.options) == text
    assert name.plain == text.removesuffix("+*")
    assert name.with_any is text.endswith("+*")


@pytest.mark.parametrize(("declared", "asked", "covered"), [
    ("belote", "belote", True), ("belote", "belote+a", False), ("belote+a", "belote", False),
    ("belote+a+b", "belote+b+a", False), ("belote+*", "belote", True), ("belote+*", "belote+a+b", True),
    ("belote+*", "bela-4+a", False), ("belote+a+*", "belote+a+b", False),
])  # fmt: skip
def test_a_declared_name_covers_itself_and_with_a_star_any_options(declared: str, asked: str, covered: bool) -> None:
    assert ProfileName(declared).covers(ProfileName(asked)) is covered
