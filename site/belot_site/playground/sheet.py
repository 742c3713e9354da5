"""The score sheet of the page: a match told deal by deal, with the deal that is being counted beside it."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from belot_reference.bids import amount_json
from belot_reference.compile import Ruleset
from belot_reference.counting import last_trick_bonus
from belot_reference.errors import BadQuestionError
from belot_reference.mode import Mode
from belot_reference.operations import answer, settle_sums
from belot_reference.possible import why_impossible
from belot_reference.questions import mode_named
from belot_reference.reckoning import reckoning
from belot_reference.scoring import in_halves, on_paper, written
from belot_reference.sums import ImpossibleSumsError

Json = dict[str, Any]

# What a deal was played for, where that is bid.
_CONTRACT: Final = ("trump", "bid", "raised")


def keep_sheet(rules: Ruleset, question: Mapping[str, Any]) -> Json:
    """Return the sheet of ``deals``, and what the ``counting`` deal would bring, where there is one.

    The page may have written deals by other rules, so a row says if it cannot be by these. What comes after somebody
    has won is not booked.
    """
    deals, counting = question["deals"], question.get("counting")
    places = _possible(rules, question["dealer"], deals)
    booked = [deals[place] for place in places]
    found = _booked(rules, question["dealer"], booked)
    rows: list[Json] = [{"is": "impossible"} for _ in deals]
    for place in places[len(found["deals"]) :]:
        rows[place] = {"is": "after-the-end"}
    for place, line in zip(places, found["deals"], strict=False):
        rows[place] = {
            "is": _kind_of(rules, deals[place]),
            "dealer": line["dealer"],
            "written": [written(rules, points) if points >= 0 else _figure(rules, points) for points in line["score"]],
            "freed": [_figure(rules, points) if points else "" for points in line["freed"]],
            "held": _figure(rules, line["held"]) if line["held"] else "",
            "totals": [_figure(rules, points) for points in line["totals"]],
            **{key: deals[place]["scored"][key] for key in _CONTRACT if key in deals[place].get("scored", {})},
        }
    return {
        "rows": rows,
        "winner": found["winner"],
        "next_dealer": found["next_dealer"],
        "target": _figure(rules, rules.value("match.target")),
        "passes": rules.value("bidding.must-name") == "nobody",
        "penalties": rules.value("penalties.fault") != "none",
        "outranked": reads_outranked(rules),
        "declares": rules.value("declarations.played") == "all",
        "raises": rules.value_or("bidding.raises", []),
        "amounts": [amount_json(amount) for amount in rules.auction.amounts],
        "counting": None if counting is None else _counted(rules, counting),
    }


def reads_outranked(rules: Ruleset) -> bool:
    """Say whether declarations that others beat can be somebody's: of a side with every trick, at some tables."""
    return bool(rules.value("scoring.all-tricks.declarations") == "all-announced")


def _figure(rules: Ruleset, points: int) -> str:
    return f"{'-' if points < 0 else ''}{on_paper(abs(points), in_halves(rules))}"


def _possible(rules: Ruleset, dealer: int, deals: Sequence[Json]) -> list[int]:
    """Return the places of the deals that these rules know, in their order."""
    return [place for place, deal in enumerate(deals) if _can_be(rules, dealer, deal)]


def _can_be(rules: Ruleset, dealer: int, deal: Json) -> bool:
    try:
        asked = {"dealer": dealer, "deals": [_in_some_tricks(rules, deal)]}
        found = answer("match", rules, asked, well_formed=True)
        return found.result is not None and why_impossible(rules, "match", asked) is None
    except BadQuestionError:
        return False


def _in_some_tricks(rules: Ruleset, deal: Json) -> Json:
    """Return a deal in which nobody counted tricks with as many as its card points can be won in, if there are such.

    How many a side has won makes no difference, only whether it has won any.
    """
    if "scored" not in deal:
        return deal
    sides = deal["scored"]["sides"]
    each = [range(1, rules.hand_size + 1) if side["tricks"] else (0,) for side in sides]
    counts = (tricks for tricks in product(*each) if sum(tricks) == rules.hand_size)
    for tricks in sorted(counts, key=max):
        told = [{**side, "tricks": won} for side, won in zip(sides, tricks, strict=True)]
        counted: Json = {"scored": {**deal["scored"], "sides": told}}
        if why_impossible(rules, "score-deal", counted["scored"]) is None:
            return counted
    return deal


def _booked(rules: Ruleset, dealer: int, deals: Sequence[Json]) -> Json:
    """Return the answer of ``match`` to as many of the deals as there are until somebody wins."""
    if not deals:
        return {"deals": [], "winner": None, "next_dealer": dealer}
    found = answer("match", rules, {"dealer": dealer, "deals": deals}, well_formed=True)
    if found.rejected is not None:
        return _booked(rules, dealer, deals[: found.rejected["at"]])
    result: Json = dict(found.result or {})
    return result


def _kind_of(rules: Ruleset, deal: Json) -> str:
    if "scored" not in deal:
        return next(iter(deal))
    outcome: str = (answer("score-deal", rules, deal["scored"], well_formed=True).result or {})["outcome"]
    return outcome


def _counted(rules: Ruleset, told: Json) -> Json:
    """Return the deal that a person counts, as ``match`` takes it, and how it ends; or what is still ``missing``.

    Per side there are ``cards`` (``None`` where nothing is written), ``trickless``, ``declarations`` and those that
    were ``outranked``, which are told where somebody gets them; belote is by how many each side has. A contract that
    was bid for has ``trump`` and ``raised`` with it, and ``bid``, which is read where numbers are bid. Where all cards
    are dealt, the last side has the rest.
    """
    sides, trickless = range(rules.side_count), told["trickless"]
    tricks = _tricks(rules, trickless)
    if tricks is None:
        raise ImpossibleSumsError("sides: somebody wins a trick", "nobody")
    bonus = last_trick_bonus(rules, tricks) if told["last"] is None else 0
    contract: Json = {key: told[key] for key in _CONTRACT if key in told and (key != "bid" or rules.has_amounts)}
    unsaid = [key for key, value in (*contract.items(), ("taker", told["taker"])) if value is None]
    if "trump" in unsaid:
        return {"missing": unsaid, "filled": [None for _ in sides]}
    mode = mode_named(rules, told["trump"]) if contract else rules.unsaid_mode
    try:
        cards, filled = _filled(rules, told, mode, bonus)
    except ImpossibleSumsError as error:
        return {"impossible": error.fault, "filled": [None for _ in sides]}
    missing = [*unsaid, *(["cards"] if None in cards else [])]
    if missing:
        return {"missing": missing, "filled": filled}
    own = [{"cards": cards[side], "tricks": tricks[side]} for side in sides]
    for side in sides:
        extra = {"declarations": told["declarations"][side]}
        if trickless.count(False) == 1 and reads_outranked(rules):
            extra["outranked"] = told["outranked"][side]
        extra["belote"] = told["belote"][side] * rules.value("declarations.belote.points")
        own[side].update({kind: points for kind, points in extra.items() if points})
    scored: Json = {"taker": told["taker"], **contract, "sides": own}
    if told["last"] is not None:
        scored["last_trick"] = told["last"]
    scored = _in_some_tricks(rules, {"scored": scored})["scored"]
    if isinstance(found := why_impossible(rules, "score-deal", scored), ImpossibleSumsError):
        return {"impossible": found.fault, "filled": filled, "asked": scored}
    told_of = answer("score-deal", rules, scored, well_formed=True)
    settled = settle_sums(rules, scored)
    return {
        "deal": {"scored": scored},
        "filled": filled,
        "asked": scored,
        **told_of.message(),
        "steps": {row.what: row.figures for row in reckoning(rules, *settled)},
        "rules": sorted(told_of.rules),
    }


def _tricks(rules: Ruleset, trickless: Sequence[bool]) -> list[int] | None:
    """Return so many tricks for each side that has one: how many makes no difference; nothing where nobody has."""
    winners = trickless.count(False)
    if not winners:
        return None
    each, rest = divmod(rules.hand_size, winners)
    first = trickless.index(False)
    return [0 if without else each + (rest if side == first else 0) for side, without in enumerate(trickless)]


def _filled(rules: Ruleset, told: Json, mode: Mode, bonus: int) -> tuple[list[int | None], list[int | None]]:
    """Return the card points of each side, and which of them were filled in.

    Raises ``ImpossibleSumsError`` where one side has more than there are, though others say nothing yet.
    """
    told_cards, discards = told["cards"], rules.value_or("deal.taker-discards", 0)
    empty = [points is None for points in told_cards]
    cards: list[int | None] = list(told_cards)
    for side in range(len(cards)):
        if empty[side] and told["trickless"][side] and not discards:
            cards[side] = 0
    dealt = rules.players * rules.hand_size + discards
    everything, together = rules.points_in_deck(mode) + bonus, sum(points or 0 for points in cards)
    if together > everything and None in cards:
        raise ImpossibleSumsError("sides: too many card points", "cards", n=together, wanted=everything)
    if cards.count(None) == 1 and dealt == rules.deck.bit_count():
        cards[cards.index(None)] = everything - together
    return cards, [points if nothing else None for points, nothing in zip(cards, empty, strict=True)]
