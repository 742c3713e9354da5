"""The short words of values: which are refused, which are missing, and that those of the rules are there."""

import shutil
from pathlib import Path

import pytest

from belot_spec.errors import SpecError
from belot_spec.languages import LANGUAGES
from belot_spec.load.lint import check_short_words
from belot_spec.load.spec import load_spec
from belot_spec.spec import Spec

SMALL = Path(__file__).with_name("small_spec")
ORDER = "[J, 9, A, 10, K, Q, 8, 7]"
WORDS = {
    "deck.size": "{values: {small: {en: 32, nl: 32}, large: {en: more, nl: meer}}}",
    "deck.jokers": "{text: {en: '{value}', nl: '{value}'}}",
    "deck.shuffled": "{values: {'true': {en: ✓, nl: ✓}, 'false': {en: ✗, nl: ✗}}}",
    "deck.order": f"{{values: {{'{ORDER}': {{en: A K Q, nl: A H D}}}}}}",
    "deck.duty": "{values: {'[led_suit, trump, any]': {en: ✓, nl: ✓}, '[trump, any]': {en: ✗, nl: ✗}}}",
}


def small_spec(folder: Path, words: dict[str, str]) -> Path:
    shutil.copytree(SMALL, folder, dirs_exist_ok=True)
    path = folder / "rules" / "deck.yaml"
    text = path.read_text(encoding="utf-8")
    for rule, short in words.items():
        quoted = short.replace("en: 32, nl: 32", "en: '32', nl: '32'")
        text = text.replace(f"  {rule}:\n", f"  {rule}:\n    short: {quoted}\n")
    path.write_text(text, encoding="utf-8")
    return folder


def test_every_value_is_told_in_at_most_24_characters_and_other_values_in_other_words(spec: Spec) -> None:
    check_short_words(spec)
    told: dict[tuple[str, str], str] = {}
    for variant in spec.nameable():
        for name in (variant, *(f"{variant}+{option}" for option in spec.options_of(variant))):
            for rule, setting in spec.profile(name).settings.items():
                words = spec.rules[rule].short.of(setting.value)
                assert words is not None, (name, rule)
                assert all(0 < len(words.in_language(language)) <= 24 for language in LANGUAGES), (name, rule)
                if name == variant:
                    assert told.setdefault((rule, words.nl), str(setting.value)) == str(setting.value), rule


def test_a_small_spec_with_short_words_for_everything_is_right(tmp_path: Path) -> None:
    check_short_words(load_spec(small_spec(tmp_path, WORDS)))


@pytest.mark.parametrize(("rule", "words", "message"), [
    ("deck.size", "{values: {tiny: {en: a, nl: a}}}", "the rule cannot have this value"),
    ("deck.size", "{values: {smal: {en: a, nl: a}}}", "the rule cannot have this value; did you mean small?"),
    ("deck.order", "{values: {'[A, K]': {en: A, nl: A}}}", "the rule cannot have this value"),
    ("deck.order", "{values: {'[A, K': {en: A, nl: A}}}", "the rule cannot have this value"),
    ("deck.jokers", "{text: {en: some, nl: '{value}'}}", "need {value} in them"),
    ("deck.jokers", "{text: {en: '{value} of the jokers there', nl: '{value}'}}", "at most 24 characters, has 27"),
    ("deck.jokers", "{text: {en: '{value}'}}", "nl"),
])  # fmt: skip
def test_short_words_that_cannot_be(tmp_path: Path, rule: str, words: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_spec(small_spec(tmp_path, {rule: words}))
    assert message in str(caught.value)
    assert f"rules.{rule}.short" in str(caught.value)


@pytest.mark.parametrize(("rule", "words", "message"), [
    ("deck.size", "{values: {small: {en: a, nl: a}}}", "deck.yaml:6: rules.deck.size.short: the value large has no"),
    ("deck.shuffled", "{values: {'true': {en: ✓, nl: ✓}}}", "the value false has no short words"),
    ("deck.order", "{values: {'[A, K, Q, J, 10, 9, 8, 7]': {en: A, nl: A}}}", "rules.deck.order.value"),
    ("deck.jokers", "{values: {'1': {en: a, nl: a}}}", "options.large-deck.rules.deck.jokers.value: 2 has no short"),
])  # fmt: skip
def test_short_words_that_are_missing(tmp_path: Path, rule: str, words: str, message: str) -> None:
    spec = load_spec(small_spec(tmp_path, {**WORDS, rule: words}))
    with pytest.raises(SpecError) as caught:
        check_short_words(spec)
    assert message in str(caught.value)
