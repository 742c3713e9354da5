"""Texts that stand beside others, in a file of their own: what is missing or wrong there is named."""

import shutil
from pathlib import Path

import pytest

from belot_spec.data import spec_folder
from belot_spec.errors import SpecError
from belot_spec.languages import IN_PLACE, decimal_number, grouped_number
from belot_spec.load.figures import figure_problems
from belot_spec.load.lint import untranslated
from belot_spec.load.spec import load_spec
from belot_spec.spec import Spec
from belot_spec.wording import card_words, sentence, sentence_text

PLAY = "rules/play.fr.yaml"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def told(spec: Spec, rule: str, language: str, variant: str = "belote") -> str:
    settings = spec.profile(variant).settings
    return sentence(spec.rules[rule], settings[rule].value, language, spec.glossary, settings)


def test_nothing_is_missing_that_players_read(spec: Spec) -> None:
    assert [str(one) for one in untranslated(spec)] == []


@pytest.mark.parametrize(("file", "old", "place"), [
    (PLAY, "    title: L'entame\n", "rules.play.lead.title"),
    ("variants/belote.fr.yaml", "  target-301: {title: En 301}\n", "options.target-301.title"),
    ("glossary.fr.yaml", "  J: valet\n", "ranks.J"),
    ("rules/match.fr.yaml", "        reach: l'atteindre suffit\n", "rules.match.target-reached.short.values.reach"),
])  # fmt: skip
def test_a_gap_is_told_with_its_place(copy: Path, file: str, old: str, place: str) -> None:
    edit(copy / file, old, "")
    (found,) = untranslated(load_spec(copy))
    assert (found.key, found.message) == (place, "French lacks this")


def test_a_sentence_of_which_a_part_is_missing_is_told_whole_in_english(copy: Path, spec: Spec) -> None:
    """The words for the last of the items of a list are taken out; the rest of the sentence is there in French."""
    rule = "play.void.opponent-winning"
    assert told(spec, rule, "fr") != told(spec, rule, "en")
    edit(copy / PLAY, "  any: n'importe quelle carte\n", "")
    less = load_spec(copy)
    assert told(less, rule, "fr") == told(spec, rule, "en")
    assert told(less, "play.first-leader", "fr") == told(spec, "play.first-leader", "fr")
    settings = less.profile("belote").settings
    text = sentence_text(less.rules[rule], settings[rule].value, less.glossary, settings)
    assert text.as_json().keys() == {*IN_PLACE}


WRONG = (
    ("rules/play.de.yaml", "title: Das Spiel\n", "no language de stands beside others"),
    ("rules/plays.fr.yaml", "title: Le jeu\n", "there is no plays.yaml whose texts these could be"),
    ("rules/play.fr.yaml", "rules:\n  play.leed:\n    title: X\n", "there is no such key in the file that this says in French"),
    ("rules/bidding.fr.yaml", "topic: jeu\n", "there is no text here that could be said in French"),
    ("rules/scoring.fr.yaml",
     "rules:\n  scoring.tie:\n    wording:\n      alternatives:\n        - when: {deal.players: [2]}\n          text: X\n",
     "not one item of the list is about the same"),
    ("rules/deck.fr.yaml", "rules:\n  deck.trump-order:\n    wording:\n      text: Des atouts.\n", "French nothing"),
    ("rules/match.fr.yaml",
     "rules:\n  match.target-reached:\n    short:\n      values: {reach: il suffit tout à fait de l'atteindre}\n",
     "must have at most 24 characters"),
)  # fmt: skip


@pytest.mark.parametrize(("file", "text", "message"), WRONG)
def test_what_is_wrong_in_a_translation_is_told_in_its_own_file(copy: Path, file: str, text: str, message: str) -> None:
    (copy / file).write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_spec(copy)
    assert any(message in str(one) and one.file == copy / file for one in caught.value.problems), str(caught.value)


def test_a_wrong_figure_in_a_translation_is_named_in_its_own_file(copy: Path) -> None:
    edit(copy / "variants" / "belote.fr.yaml", "{title: En 301}", "{title: En 302}")
    found = [one.message for one in figure_problems(load_spec(copy)) if one.file.name == "belote.fr.yaml"]
    assert any("302 is no number" in one for one in found)


def test_languages_write_numbers_and_cards_in_their_own_way(spec: Spec) -> None:
    assert [grouped_number(12345, one) for one in ("en", "nl", "fr")] == ["12,345", "12.345", "12\u202f345"]
    assert [decimal_number("1.5", one) for one in ("en", "nl", "fr")] == ["1.5", "1,5", "1,5"]
    cards = [card_words(card, one, spec.glossary) for one in ("en", "nl", "fr") for card in ("QS", "7D")]
    assert cards == ["queen of spades", "7 of diamonds", "schoppendame", "ruiten 7", "dame de pique", "7 de carreau"]
