"""The engine as the playground asks it, in a browser: positions as JSON texts, put to several variants at once.

This module runs under Pyodide as well, with the standard library alone: the rules come as JSON that
was checked when the site was built. What is asked was put together by the page; nothing here reads a file.
"""

import json
from functools import cache, lru_cache
from typing import Any, Final

from belot_reference.cards import CARD_BY_NAME, cards_in, names_of
from belot_reference.compile import Reading, Ruleset, compile_profile
from belot_reference.errors import BadQuestionError, said_of
from belot_reference.operations import answer
from belot_reference.play import legal_cards, refusing_rule, table_of, winning_seat
from belot_reference.possible import ImpossibleSumsError, why_impossible
from belot_reference.questions import check_table, mode_named, set_named
from belot_reference.sentences import Sentence
from belot_site.playground.line import read_line, write_line
from belot_site.playground.own_rules import bare_rules, checked
from belot_site.playground.sheet import keep_sheet
from belot_spec.card_names import CARD_NAMES
from belot_spec.catalogue import Setting, same_text
from belot_spec.errors import BelotError
from belot_spec.json_schema import faults, in_whole_numbers
from belot_spec.playability import refuse_unplayable
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import bring_rules, shipped_rules
from belot_spec.spec import profile_of

Json = dict[str, Any]

_RULES: Final[dict[str, Any]] = {}
# So many cards a browser can try in every order while somebody waits.
MOST_TO_PLAY: Final = 8


def use_rules(text: str) -> None:
    """Take the rules of all variants, as ``rules_as_json`` of the playground's page gives them."""
    _RULES.clear()
    _RULES.update(json.loads(text))
    bring_rules(bare_rules(_RULES))
    ruleset_of.cache_clear()
    _fault_in_form.cache_clear()


@cache
def ruleset_of(name: str, changes: str = "{}") -> Ruleset:
    """Return the compiled rules of ``variant+option+…`` with a table's own values, given as JSON."""
    named = ProfileName(name)
    told = _RULES["variants"][named.variant]
    values = {**told["settings"]}
    for option in named.options:
        values.update(told["options"][option])
    values.update(in_whole_numbers(json.loads(changes)))
    settings = {rule: Setting(value, "stated", (), None) for rule, value in values.items()}
    profile = profile_of(name, same_text(named.variant), settings, shipped_rules())
    refuse_unplayable(name, profile.settings)
    return compile_profile(profile)


def ask(text: str) -> str:
    """Answer a question of the page, a JSON text, by a JSON text; what cannot be answered has ``error``.

    The profile ``own`` is that of the question's ``table``: a base with options, and values of its own.
    """
    asked = json.loads(text)
    if asked["ask"] == "table":
        return json.dumps(checked(_RULES, asked["input"]))
    if asked["ask"] == "line":
        return json.dumps(read_line(_RULES, ruleset_of, asked["input"]))
    return json.dumps({name: _answered(_ASKED[asked["ask"]], asked, name) for name in asked["profiles"]})


def _answered(function: Any, asked: Json, name: str) -> Json:
    try:
        table: Json = asked["table"] if name == "own" else {"base": name, "changes": {}}
        rules = ruleset_of(table["base"], json.dumps(table["changes"]))
        found: Json = function(rules, asked["input"])
        return found
    except ImpossibleSumsError as error:
        return {"error": str(error), "impossible": error.fault}
    except BadQuestionError as error:
        said = said_of(error)
        if not isinstance(said, Sentence):
            return {"error": str(error)}
        # As a program hears it, and for the page, which has the words of its language.
        return {"error": said.filled_from(_RULES["sentences"]), "said": said.to_json()}
    except BelotError as error:
        return {"error": str(error)}
    except (KeyError, ValueError, IndexError, TypeError, StopIteration, AttributeError) as error:
        # A position that an address brought along and no table can have.
        return {"error": f"{type(error).__name__}: {error}"}


def _operation(rules: Ruleset, question: Json) -> Json:
    """Return what the protocol would reply to a question of the right form, with the rules that were consulted."""
    asked = question["input"]
    check_table(rules, asked)
    if asked.get("depth", 0) > MOST_TO_PLAY:
        return {"fault": {"kind": "maximum", "place": "depth", "value": asked["depth"], "wanted": MOST_TO_PLAY}}
    told = answer(question["op"], rules, asked, well_formed=True)
    # Hands that are laid out on the page may be unfinished.
    if isinstance(error := why_impossible(rules, question["op"], asked), ImpossibleSumsError):
        raise error
    return {**told.message(), "rules": sorted(told.rules)}


@lru_cache(maxsize=1)
def _fault_in_form(operation: str, asked: str) -> Json | None:
    # The form is the same at every table of which the same is asked.
    shared = {**_RULES["shared"], **_RULES["forms"]}
    return next(faults(json.loads(asked), shared[f"{operation}-input"], shared), None)


def _question(rules: Ruleset, question: Json) -> Json:
    """Return what the protocol would reply to whatever somebody wrote, or the ``fault`` in its form."""
    fault = _fault_in_form(question["op"], json.dumps(question["input"]))
    return _operation(rules, question) if fault is None else {"fault": fault}


def _as_line(rules: Ruleset, question: Json) -> Json:
    """Return a question as a line of the notation: none where it has another form, or none of its own."""
    # Hands that are compared are of the page itself, and some may be empty still.
    if question["op"] != "compare-hands" and _fault_in_form(question["op"], json.dumps(question["input"])) is not None:
        return {"line": ""}
    return write_line(rules, question)


def _may_play(rules: Ruleset, question: Json) -> Json:
    """Return which cards of a hand may be played to a trick, and for each other card the rule that forbids it."""
    mode, hand = mode_named(rules, question["trump"]), set_named(question["hand"])
    cards = [CARD_BY_NAME[card] for card in question["trick"]]
    outside = [CARD_NAMES[card] for card in [*cards, *cards_in(hand)] if not rules.deck >> card & 1]
    if outside or len(cards) >= rules.players:
        return {"outside": outside, "full": len(cards) >= rules.players}
    reading = Reading(rules)
    table = table_of(reading, mode, 0, cards)
    legal = legal_cards(reading, mode, hand, table)
    refused = cards_in(hand & ~legal.cards)
    return {
        "cards": names_of(legal.cards),
        "rule": legal.rule,
        "refused": {CARD_NAMES[card]: refusing_rule(rules, mode, card, legal) for card in refused},
        "winning": winning_seat(rules, table),
    }


def _play_deal(rules: Ruleset, question: Json) -> Json:
    """Return how a deal against sensible players stands; what that takes is loaded when it is first asked."""
    from belot_site.playground.deal import play_deal

    return play_deal(rules, question)


_ASKED: Final = {
    "may": _may_play, "question": _question, "operation": _operation, "sheet": keep_sheet, "deal": _play_deal,
    "as-line": _as_line,
}  # fmt: skip
