"""Wording: how lists, classes and tables become words, how words follow the other rules, and what players call a thing."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from belot_spec.catalogue import Rule, Setting, Text
from belot_spec.data import spec_folder
from belot_spec.errors import SpecError
from belot_spec.languages import IN_PLACE, Language
from belot_spec.load.catalogue import load_catalogue
from belot_spec.load.lint import check_absent_things, is_absent
from belot_spec.load.spec import load_spec
from belot_spec.own_words import OwnWord, in_own_words
from belot_spec.spec import Spec
from belot_spec.wording import sentence

CATALOGUE = """\
topic: deck
title: {en: Deck, nl: Spel}
rules:
  deck.pairs:
    value: {type: boolean}
    wording: {values: {"true": {en: "Pairs.", nl: "Koppels."}, "false": {en: "No partner.", nl: "Geen maat."}}}
  deck.lengths:
    value: {type: object, patternProperties: {"^[3-8]$": {$ref: "values.schema.json#/$defs/points"}}, additionalProperties: false}
    wording:
      entry: {en: "{value} for {key}", nl: "{value} voor {key}"}
      nothing: {en: "nothing for {key}", nl: "niets voor {key}"}
      run: {last: "8", to: {en: "{first} to {last}", nl: "{first} tot {last}"}, up: {en: "{first} or more", nl: "{first} of meer"}}
      leave-out: {"8": {deck.pairs: [true]}}
      text: {en: "{value}.", nl: "{value}."}
  deck.ranks:
    value: {$ref: "values.schema.json#/$defs/rank-points"}
    wording: {entry: {en: "{key}: {value}", nl: "{key}: {value}"}, separator: {en: "; ", nl: "; "}, text: {en: "{value}.", nl: "{value}."}}
  deck.classes:
    value: {$ref: "values.schema.json#/$defs/rank-classes"}
    wording:
      separator: {en: ", then ", nl: ", dan "}
      alike: {en: "{items} alike", nl: "{items} gelijk"}
      leave-out: {"7": {deck.ranks: [{"7": 0}]}}
      text: {en: "{value}.", nl: "{value}."}
  deck.packets:
    value: {$ref: "values.schema.json#/$defs/packets"}
    wording:
      items: {"1": {en: "1 card", nl: "1 kaart"}}
      entry: {en: "{value} cards", nl: "{value} kaarten"}
      repeated: {en: "{times} times {item}", nl: "{times} keer {item}"}
      empty: {en: "None.", nl: "Geen."}
      text: {en: "{value}.", nl: "{value}."}
      alternatives: [{when: {deck.pairs: [true]}, text: {en: "{value} for each pair.", nl: "{value} voor elk koppel."}}]
  deck.duty:
    value: {title: ladder, type: array, minItems: 1, uniqueItems: true, contains: {const: any}, items: {enum: [higher_of_led_suit, led_suit, higher_trump, higher_trump_or_plain, no_lower_trump_if_higher, lower_trump, trump, any]}}
    wording:
      items: ITEMS
      separator: {en: "; else ", nl: "; anders "}
      separators: {trump: {en: "; with no trump, ", nl: "; zonder troef "}}
      values: {"[any]": {en: "What you like.", nl: "Wat je wilt."}}
      alternatives:
        - {when: {deck.pairs: [true], deck.duty: [trump]}, text: {en: "First {value}.", nl: "Eerst {value}."}}
        - when: {deck.pairs: [true]}
          values: {"[any]": {en: "What your partner likes.", nl: "Wat je maat wil."}}
          text: {en: "Second {value}.", nl: "Tweede {value}."}
      text: {en: "Play {value}.", nl: "Speel {value}."}
"""
ASKED = "    title: {en: Title, nl: Titel}\n    question: {en: Which?, nl: Welke?}\n    value: "
DUTIES = {"led_suit": "a card of the suit", "higher_trump": "a higher trump", "trump": "a trump", "any": "any card"}
DUTIES |= dict.fromkeys(
    ("higher_of_led_suit", "higher_trump_or_plain", "no_lower_trump_if_higher", "lower_trump"), "another"
)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rule]:
    folder = tmp_path_factory.mktemp("rules")
    items = json.dumps({duty: {"en": words, "nl": words} for duty, words in DUTIES.items()})
    text = CATALOGUE.replace("    value: ", ASKED).replace("ITEMS", items)
    Path(folder / "deck.yaml").write_text(text, encoding="utf-8")
    return load_catalogue(folder, {}, {})


def beside(**values: Any) -> dict[str, Setting]:
    return {f"deck.{name}": Setting(value, "stated", (), None) for name, value in values.items()}


@pytest.mark.parametrize(("rule", "value", "others", "words"), [
    ("lengths", {"3": 20, "4": 50, "5": 100, "6": 100, "7": 100, "8": 100}, {}, "20 for 3, 50 for 4, 100 for 5 or more."),
    ("lengths", {"3": 20, "5": 100, "6": 100, "8": 500}, {}, "20 for 3, 100 for 5 to 6, 500 for 8."),
    ("lengths", {"3": 20, "6": 100, "7": 100, "8": 100}, {"pairs": True}, "20 for 3, 100 for 6 to 7."),
    ("lengths", {"3": 0, "4": 50, "8": 50}, {"pairs": True}, "nothing for 3, 50 for 4."),
    ("lengths", {"8": 50}, {"pairs": True}, "50 for 8."),
    ("ranks", {"7": 0, "8": 0, "9": 150, "10": 100, "J": 200, "Q": 100, "K": 100, "A": 100}, {},
     "jack: 200; 9: 150; 10, queen, king and ace: 100; 7 and 8: 0."),
    ("classes", [["7", "8"], ["10", "Q", "K"], ["J"]], {}, "7 and 8 alike, then 10, queen and king alike, then jack."),
    ("classes", [["7", "8"], ["J"]], {"ranks": {"7": 0, "8": 0}}, "8, then jack."),
    ("classes", [["7", "8"], ["J"]], {"ranks": {"7": 50, "8": 0}}, "7 and 8 alike, then jack."),
    ("classes", [["7"], ["J"]], {"ranks": {"7": 0}}, "jack."),
    ("packets", [3, 3], {}, "2 times 3 cards."),
    ("packets", [3, 3, 1], {"pairs": True}, "2 times 3 cards, 1 card for each pair."),
    ("packets", [], {"pairs": True}, "None."),
    ("duty", ["higher_trump", "trump", "any"], {}, "Play a higher trump; else a trump; with no trump, any card."),
    ("duty", ["trump", "any"], {"pairs": True}, "First a trump; with no trump, any card."),
    ("duty", ["led_suit", "any"], {"pairs": True}, "Second a card of the suit; else any card."),
    ("duty", ["any"], {}, "What you like."),
    ("duty", ["any"], {"pairs": True}, "What your partner likes."),
])  # fmt: skip
def test_a_value_reads_as_its_wording_and_the_other_rules_say(
    rule: str, value: Any, others: dict[str, Any], words: str, rules: dict[str, Rule], spec: Spec
) -> None:
    assert sentence(rules[f"deck.{rule}"], value, "en", spec.glossary, beside(**others)) == words


BELA = OwnWord(
    {"presentation.king-and-queen": ("bela",)},
    Text("belote", "belot"),
    Text("bela", "bela"),
    {"en": ("French belote",), "nl": ("open belot",)},
)


@pytest.mark.parametrize(("language", "text", "told"), [
    ("en", "Belote: say belote, or no belote counts.", "Bela: say bela, or no bela counts."),
    ("en", "Belotes, Belot and rebelote are other words.", "Belotes, Belot and rebelote are other words."),
    ("en", "French belote has belote too.", "French belote has bela too."),
    ("nl", "Open belot speel je met belot.", "Open belot speel je met bela."),
    ("nl", "Belotten en Denderbelot", "Belotten en Denderbelot"),
])  # fmt: skip
def test_only_the_whole_word_gives_way_and_keeps_its_capital(language: Language, text: str, told: str) -> None:
    assert in_own_words(text, language, [BELA], {"presentation.king-and-queen": "bela"}) == told


@pytest.mark.parametrize(("text", "told"), [
    ("contre", "coinche"),
    ("Un contre vaut le sept contre la retourne.", "Une coinche vaut le sept contre la retourne."),
    ("La contrée : une donne contrée.", "La contrée : une donne coinchée."),
])  # fmt: skip
def test_at_coinche_the_double_is_called_so_in_french(text: str, told: str, spec: Spec) -> None:
    values = {"bidding.amounts": "points", "declarations.played": "all"}
    assert in_own_words(text, "fr", spec.glossary.called, values) == told


def test_every_sentence_of_every_variant_says_what_its_players_say(spec: Spec) -> None:
    renamed = set()
    for variant in spec.nameable():
        settings = spec.profile(variant).settings
        own = settings["presentation.king-and-queen"].value
        for language in IN_PLACE:
            told = " ".join(
                sentence(spec.rules[rule], setting.value, language, spec.glossary, settings)
                for rule, setting in settings.items()
            )
            common = spec.glossary.terms["belote"][language]
            said = {word for word in (common, "bela") if re.search(rf"\b{word}\b", told, re.IGNORECASE)}
            due = {"bela": {"bela"}, "belote": {common}, "stuk": set()}
            assert said == due[own], (variant, language)
            if (own, language) == ("stuk", "nl"):
                assert not re.search(r"\b(gekocht|vrager|langt)\b", told)
        if own == "bela":
            renamed.add(variant)
    assert renamed >= {"bela-2", "bela-3", "bela-4", "open-belot"}


# Sentences that once said what no case plays: of a profile and a rule, words in English that stand there, or after "not" do not.
NOT_SO = """
bulgarian-belot scoring.rounding: each side gets at most one
coinche scoring.all-tricks.declarations: If the taker's side wins every trick, it scores all declarations that count
contree+defence-keeps-points scoring.fall-passes: not that loses a doubled deal
coinche+defence-keeps-points scoring.fall-passes: not that loses a doubled deal
contree scoring.all-tricks.declarations: has to give it up
bulgarian-belot scoring.all-tricks.declarations: not nothing of what the others announced
bulgarian-belot scoring.held-points: before any rounding
bulgarian-belot declarations.shared-cards: not whole
"""


@pytest.mark.parametrize("row", NOT_SO.strip().splitlines())
def test_a_sentence_says_what_its_cases_play(row: str, spec: Spec) -> None:
    place, words = row.split(": ", 1)
    profile, rule = place.split()
    settings = spec.profile(profile).settings
    told = sentence(spec.rules[rule], settings[rule].value, "en", spec.glossary, settings)
    assert (words.removeprefix("not ") in told) == (not words.startswith("not ")), told


def test_a_word_that_hangs_on_an_unknown_rule_is_refused_at_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    glossary = folder / "glossary.yaml"
    glossary.write_text(glossary.read_text().replace("{presentation.king-and-queen:", "{presentation.king-or-queen:"))
    with pytest.raises(SpecError) as refused:
        load_spec(folder)
    assert re.search(r"glossary\.yaml:\d+: .*there is no rule presentation\.king-or-queen", str(refused.value))
    assert "presentation.king-and-queen" in str(refused.value)


def test_the_words_for_a_thing_occur_only_where_it_exists(spec: Spec, tmp_path: Path) -> None:
    """Nobody reads of a turn-up where none is turned, nor of a partner where nobody has one; options are read too."""
    check_absent_things(spec)
    terms = {name: term for name, term in spec.glossary.terms.items() if "needs" in term}
    assert terms.keys() >= {"turn-up", "partner", "declaration"}
    profiles = [spec.profile(variant).settings for variant in spec.nameable()]
    for name, term in terms.items():
        absent = [is_absent(term, {rule: one.value for rule, one in settings.items()}) for settings in profiles]
        assert {*absent} == {True, False}, name
    for settings in profiles:
        for rule, setting in settings.items():
            words = sentence(spec.rules[rule], setting.value, "nl", spec.glossary, settings)
            assert re.fullmatch(r"[^{]*\.", words), (rule, words)
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    contree = folder / "variants" / "contree.yaml"
    contree.write_text(contree.read_text().replace("belote.points: {value: 20", "belote.points: {value: 0"))
    with pytest.raises(SpecError, match=r"\.wording: speaks of belote in coinche, which has none: "):
        check_absent_things(load_spec(folder))
