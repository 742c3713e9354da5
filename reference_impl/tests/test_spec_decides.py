"""The spec decides: the engine knows the rules that exist, and profiles are what their names say."""

import re

import pytest

from belot_spec.conditions import condition_of, holds
from belot_spec.errors import UnknownNameError
from belot_spec.languages import COMPLETE
from belot_spec.spec import Spec
from belot_spec.wording import sentence


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_value_of_every_variant_reads_as_a_sentence(spec: Spec, language: str) -> None:
    for variant in spec.nameable():
        settings = spec.profile(variant).settings
        for rule, setting in settings.items():
            words = sentence(
                spec.rules[rule], setting.value, "en" if language == "en" else "nl", spec.glossary, settings
            )
            assert words.endswith(".")
            assert "{" not in words


def test_an_option_changes_only_the_rules_it_names(spec: Spec) -> None:
    for variant in spec.nameable():
        plain = spec.profile(variant).settings
        for name, option in spec.options_of(variant).items():
            changed = spec.profile(f"{variant}+{name}").settings
            differing = {rule for rule in changed if changed[rule] != plain.get(rule)}
            assert differing <= option.settings.keys()


def test_options_that_contradict_each_other_are_refused_by_name(spec: Spec) -> None:
    with pytest.raises(
        UnknownNameError,
        match=r"belot-in-trump-only and belot-as-quint contradict each other: both set declarations\.eight-in-a-row",
    ):
        spec.profile("bela-4+belot-in-trump-only+belot-as-quint")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bela-5", "there is no variant bela-5; did you mean bela-4?"),
        ("bela", "there is no variant bela; did you mean bela-4?"),
        ("bela-4+lenght-counts", "has no option lenght-counts; did you mean length-counts?"),
        ("bela-4+", r"has no option \(empty\)"),
        ("belotten+undertrump-forced+undertrump-forced", "names the option undertrump-forced twice"),
    ],
)
def test_an_unknown_profile_is_refused_with_the_nearest_name(spec: Spec, name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        spec.profile(name)


def _occurs(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?:s|es|en|n)?(?!\w)", text, re.IGNORECASE) is not None


def test_the_words_for_a_thing_occur_only_where_it_exists(spec: Spec) -> None:
    """Nobody reads of a turn-up where none is turned, nor of a partner where nobody has one; options are read too."""
    terms = {name: condition_of(term["needs"]) for name, term in spec.glossary.terms.items() if "needs" in term}
    assert terms.keys() >= {"turn-up", "partner"}
    for name, condition in terms.items():
        profiles = [spec.profile(variant).settings for variant in spec.nameable()]
        met = [holds(condition, {rule: setting.value for rule, setting in settings.items()}) for settings in profiles]
        assert any(met), f"{name} exists nowhere"
        assert not all(met), f"{name} exists everywhere"
    found = []
    for variant in spec.nameable():
        for name in (variant, *(f"{variant}+{option}" for option in spec.options_of(variant))):
            settings = spec.profile(name).settings
            values = {rule: setting.value for rule, setting in settings.items()}
            absent = [term for term, condition in terms.items() if not holds(condition, values)]
            for rule, value in values.items():
                for language in COMPLETE:
                    words = sentence(spec.rules[rule], value, language, spec.glossary, settings)
                    found += [
                        (name, rule, words) for term in absent if _occurs(spec.glossary.terms[term][language], words)
                    ]
    assert not found
