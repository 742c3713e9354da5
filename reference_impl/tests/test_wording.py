"""Wording: how lists, classes and tables of numbers become words, and how words follow the other rules."""

from pathlib import Path
from typing import Any

import pytest

from belot_spec.catalogue import Rule
from belot_spec.load.catalogue import load_catalogue
from belot_spec.shipped import default_spec
from belot_spec.spec import Glossary, Spec
from belot_spec.variants import Setting
from belot_spec.wording import sentence, sentence_text

CATALOGUE = """\
topic: deck
title: {en: Deck, nl: Spel}
rules:
  deck.pairs:
    title: {en: Pairs, nl: Koppels}
    question: {en: Pairs?, nl: Koppels?}
    value: {type: boolean}
    wording:
      values:
        "true": {en: "Pairs.", nl: "Koppels."}
        "false": {en: "Nobody has a partner.", nl: "Niemand heeft een maat."}
  deck.lengths:
    title: {en: Lengths, nl: Lengtes}
    question: {en: Lengths?, nl: Lengtes?}
    value: {type: object, patternProperties: {"^[3-8]$": {$ref: "values.schema.json#/$defs/points"}}, additionalProperties: false}
    wording:
      entry: {en: "{value} for {key}", nl: "{value} voor {key}"}
      nothing: {en: "nothing for {key}", nl: "niets voor {key}"}
      run: {last: "8", to: {en: "{first} to {last}", nl: "{first} tot {last}"}, up: {en: "{first} or more", nl: "{first} of meer"}}
      leave-out:
        "8": {deck.pairs: [true]}
      text: {en: "{value}.", nl: "{value}."}
  deck.ranks:
    title: {en: Ranks, nl: Kaarten}
    question: {en: Ranks?, nl: Kaarten?}
    value: {$ref: "values.schema.json#/$defs/rank-points"}
    wording:
      entry: {en: "{key}: {value}", nl: "{key}: {value}"}
      separator: {en: "; ", nl: "; "}
      text: {en: "{value}.", nl: "{value}."}
  deck.classes:
    title: {en: Classes, nl: Klassen}
    question: {en: Classes?, nl: Klassen?}
    value: {$ref: "values.schema.json#/$defs/rank-classes"}
    wording:
      separator: {en: ", then ", nl: ", dan "}
      alike: {en: "{items} alike", nl: "{items} gelijk"}
      leave-out:
        "7": {deck.ranks: [{"7": 0}]}
      text: {en: "{value}.", nl: "{value}."}
  deck.packets:
    title: {en: Packets, nl: Pakjes}
    question: {en: Packets?, nl: Pakjes?}
    value: {$ref: "values.schema.json#/$defs/packets"}
    wording:
      items:
        "1": {en: "1 card", nl: "1 kaart"}
      entry: {en: "{value} cards", nl: "{value} kaarten"}
      repeated: {en: "{times} times {item}", nl: "{times} keer {item}"}
      empty: {en: "None.", nl: "Geen."}
      text: {en: "{value}.", nl: "{value}."}
      alternatives:
        - when: {deck.pairs: [true]}
          text: {en: "{value} for each pair.", nl: "{value} voor elk koppel."}
  deck.duty:
    title: {en: Duty, nl: Plicht}
    question: {en: Duty?, nl: Plicht?}
    value: {$ref: "values.schema.json#/$defs/ladder"}
    wording:
      items:
        higher_of_led_suit: {en: a higher card, nl: een hogere kaart}
        led_suit: {en: a card of the suit, nl: een kaart van de kleur}
        higher_trump: {en: a higher trump, nl: een hogere troef}
        higher_trump_or_plain: {en: a higher trump or no trump, nl: een hogere troef of geen troef}
        no_lower_trump_if_higher: {en: "if a higher trump is held, one or no trump", nl: "met een hogere troef: zo een of geen troef"}
        lower_trump: {en: a lower trump, nl: een lagere troef}
        trump: {en: a trump, nl: een troef}
        any: {en: any card, nl: een kaart}
      separator: {en: "; else ", nl: "; anders "}
      separators:
        trump: {en: "; with no trump, ", nl: "; zonder troef "}
      values:
        "[any]": {en: "What you like.", nl: "Wat je wilt."}
      alternatives:
        - when: {deck.pairs: [true], deck.duty: [trump]}
          text: {en: "First {value}.", nl: "Eerst {value}."}
        - when: {deck.pairs: [true]}
          values:
            "[any]": {en: "What your partner likes.", nl: "Wat je maat wil."}
          text: {en: "Second {value}.", nl: "Tweede {value}."}
      text: {en: "Play {value}.", nl: "Speel {value}."}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rule]:
    folder = tmp_path_factory.mktemp("rules")
    Path(folder / "deck.yaml").write_text(CATALOGUE, encoding="utf-8")
    return load_catalogue(folder)


@pytest.fixture
def glossary(spec: Spec) -> Glossary:
    return spec.glossary


def beside(**values: Any) -> dict[str, Setting]:
    return {f"deck.{name}": Setting(value, "stated", (), None) for name, value in values.items()}


@pytest.mark.parametrize(
    ("rule", "value", "others", "words"),
    [
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
    ],
)  # fmt: skip
def test_a_value_reads_as_its_wording_and_the_other_rules_say(
    rule: str, value: Any, others: dict[str, Any], words: str, rules: dict[str, Rule], glossary: Glossary
) -> None:
    assert sentence(rules[f"deck.{rule}"], value, "en", glossary, beside(**others)) == words


def test_the_last_two_of_several_are_joined_in_the_language_of_the_sentence(
    rules: dict[str, Rule], glossary: Glossary
) -> None:
    value = [["Q", "K", "A"], ["J"]]
    assert sentence(rules["deck.classes"], value, "nl", glossary, {}) == "dame, heer en aas gelijk, dan boer."


def test_nobody_redoubles_in_words_where_a_double_is_the_last_one() -> None:
    spec = default_spec()
    for way in ("answer-alone", "redouble-ends"):
        changed = {"bidding.raises": [2], "bidding.after-double": way}
        settings = {**spec.profile("contree").settings}
        settings |= {rule: Setting(value, "stated", (), None) for rule, value in changed.items()}
        told = sentence_text(spec.rules["bidding.after-double"], way, spec.glossary, settings)
        assert "redouble" not in told.en, way
        assert "recontra" not in told.nl, way
        assert "surcontr" not in told.in_language("fr"), way
