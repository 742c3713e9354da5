"""The questions that people argue about: a file that is refused, and what the pages answer in each variant."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from markupsafe import escape

from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.questions import VariantAnswer, answers_of, questions, read_questions
from belot_spec.errors import SpecError

WANTED = 20


@pytest.fixture(scope="module")
def found(edition: SiteEdition) -> Mapping[str, Sequence[VariantAnswer]]:
    return {variant: answers_of(edition, variant) for variant in edition.library.variants}


def test_each_variant_answers_twenty_questions_and_more(found: Mapping[str, Sequence[VariantAnswer]]) -> None:
    assert {variant: len(answers) for variant, answers in found.items() if len(answers) < WANTED} == {}


def test_each_answer_is_the_variants_own_with_a_position_that_pins_it_there(
    found: Mapping[str, Sequence[VariantAnswer]], edition: SiteEdition
) -> None:
    for variant, answers in found.items():
        settings = edition.library.profile(variant).settings
        for answer in answers:
            rule = answer.question.rule
            assert answer.setting is settings[rule]
            assert answer.short == edition.short(rule, settings[rule].value) != ""
            assert edition.stated(rule, variant) in answer.sentence
            assert answer.case.profile == variant, (variant, answer.question.id)
            assert rule in answer.case.rules, (variant, answer.question.id)
            assert "<" in answer.drawn.figure


def test_the_case_that_is_chosen_for_a_question_is_the_one_that_is_drawn(
    found: Mapping[str, Sequence[VariantAnswer]], library: Library
) -> None:
    drawn = {question.id: set[str]() for question in questions(library)}
    for answers in found.values():
        for answer in answers:
            drawn[answer.question.id].add(answer.case.id)
    assert all(drawn.values()), "every question is answered by some variant"
    assert [question.id for question in questions(library) if not question.shown <= drawn[question.id]] == []


def test_what_the_others_say_is_every_other_answer_and_never_the_own_one(
    found: Mapping[str, Sequence[VariantAnswer]], library: Library
) -> None:
    for variant, answers in found.items():
        for answer in answers:
            settings = library.settings(answer.question.rule)
            differing = {name for name in settings if settings[name].value != settings[variant].value}
            assert {name for names in answer.others.values() for name in names} == differing
            assert answer.short not in answer.others


def test_the_page_of_a_question_tells_every_variant_that_has_it_and_each_has_its_place_with_the_variant(
    texts: Mapping[str, str], edition: SiteEdition, library: Library
) -> None:
    for question in questions(library):
        text = texts[f"questions/{question.id}"]
        for variant in library.settings(question.rule):
            assert f">{escape(edition.variant_name(variant))}</a>" in text, (question.id, variant)
            short = edition.short(question.rule, library.settings(question.rule)[variant].value)
            assert f"<strong>{escape(short)}</strong>" in text, (question.id, variant)
            if any(one.question is question for one in answers_of(edition, variant)):
                assert f'id="{question.id}"' in texts[f"variants/{variant}/questions"], (question.id, variant)


RIGHT = """
one:
  ask: {en: "Must I?", nl: "Moet ik?"}
  rules: [play.lead]
  shown: [bc-0035]
  words: {en: [lead], nl: [uitkomen]}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("play.lead", "play.leed", "there is no rule play.leed; did you mean play.lead?"),
        ("Moet ik?", "Moet ik.", "a question ends with a question mark"),
        (", nl: [uitkomen]", "", "a question has ask, rules, words, in English and Dutch"),
        ("[lead]", "[lead, 252]", "252 is a number; put it in quotes"),
        ("bc-0035", "bc-0036", "bc-0036 is no case that a person wrote for play.lead"),
        ("rules:", "rule:", "a question has ask, rules, words, in English and Dutch"),
    ],
)
def test_a_question_that_nobody_could_answer_is_refused(
    library: Library, tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(RIGHT.replace(right, wrong), encoding="utf-8")
    with pytest.raises(SpecError, match=r"questions\.yaml:\d+: ") as caught:
        read_questions(path, library)
    assert message in str(caught.value)


def test_the_same_question_twice_is_refused(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(RIGHT + RIGHT.replace("one:", "two:").lstrip(), encoding="utf-8")
    with pytest.raises(SpecError, match="one asks the same"):
        read_questions(path, library)
