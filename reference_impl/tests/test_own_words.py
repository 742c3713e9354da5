"""What players of a variant call a thing: the word of the glossary gives way to theirs, and nothing else does."""

import re
import shutil
from pathlib import Path

import pytest

from belot_spec.catalogue import Text
from belot_spec.data import spec_folder
from belot_spec.errors import SpecError
from belot_spec.languages import COMPLETE, Language
from belot_spec.load.spec import load_spec
from belot_spec.own_words import OwnWord, in_own_words
from belot_spec.spec import Spec
from belot_spec.wording import sentence

BELA = OwnWord(
    {"presentation.king-and-queen": ("bela",)},
    Text("belote", "belot"),
    Text("bela", "bela"),
    {"en": ("French belote",), "nl": ("open belot",)},
)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "Belote: say belote, or no belote counts.", "Bela: say bela, or no bela counts."),
        ("en", "Belotes, Belot and rebelote are other words.", "Belotes, Belot and rebelote are other words."),
        ("en", "French belote has belote too.", "French belote has bela too."),
        ("nl", "Open belot speel je met belot.", "Open belot speel je met bela."),
        ("nl", "Belotten en Denderbelot", "Belotten en Denderbelot"),
    ],
)
def test_only_the_whole_word_gives_way_and_keeps_its_capital(language: Language, text: str, told: str) -> None:
    assert in_own_words(text, language, [BELA], {"presentation.king-and-queen": "bela"}) == told


def test_where_the_rules_have_other_values_nothing_changes() -> None:
    for values in ({}, {"presentation.king-and-queen": "belote"}):
        assert in_own_words("Say belote.", "en", [BELA], values) == "Say belote."


def test_the_names_of_games_stay_what_they_are(spec: Spec) -> None:
    games: tuple[tuple[Language, str], ...] = (("en", "French belote"), ("nl", "Franse belote"), ("nl", "open belot"))
    for language, game in games:
        assert in_own_words(game, language, spec.glossary.called, {"presentation.king-and-queen": "bela"}) == game


def test_every_sentence_of_every_variant_says_what_its_players_say(spec: Spec) -> None:
    renamed = set()
    for variant in spec.nameable():
        settings = spec.profile(variant).settings
        own = settings["presentation.king-and-queen"].value
        for language in COMPLETE:
            told = " ".join(
                sentence(spec.rules[rule], setting.value, language, spec.glossary, settings)
                for rule, setting in settings.items()
            )
            common = spec.glossary.terms["belote"][language]
            said = {word for word in (common, "bela") if re.search(rf"\b{word}\b", told, re.IGNORECASE)}
            assert said == ({"bela"} if own == "bela" else {common}), (variant, language)
        if own == "bela":
            renamed.add(variant)
    assert renamed >= {"bela-2", "bela-3", "bela-4", "open-belot"}


def test_a_word_that_hangs_on_an_unknown_rule_is_refused_at_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    glossary = folder / "glossary.yaml"
    glossary.write_text(glossary.read_text().replace("{presentation.king-and-queen:", "{presentation.king-or-queen:"))
    with pytest.raises(SpecError) as refused:
        load_spec(folder)
    assert re.search(r"glossary\.yaml:\d+: .*there is no rule presentation\.king-or-queen", str(refused.value))
    assert "presentation.king-and-queen" in str(refused.value)
