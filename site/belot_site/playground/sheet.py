"""The score sheet of the page: a match told deal by deal, with the deal that is being counted beside it."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from belot_reference.bids import amount_json, amount_name
from belot_reference.compile import Ruleset
from belot_reference.counting import last_trick_bonus
from belot_reference.declarations import count_in
from belot_reference.errors import BadQuestionError
from belot_reference.mode import MODE_NAMES, Mode
from belot_reference.operations import answer, settle_sums
from belot_reference.possible import ImpossibleSumsError, belote_in, why_impossible
from belot_reference.questions import mode_named
from belot_reference.scoring import ALL_TRICKS, all_card_points, card_share, in_halves, on_paper, written
from belot_reference.sheet import reckoning
from belot_spec.card_names import MODE_KINDS

Json = dict[str, Any]

# What a deal was played for, where that is bid.
_CONTRACT: Final = ("trump", "bid", "raised")
# A number of points as somebody writes it.
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def keep_sheet(rules: Ruleset, question: Mapping[str, Any]) -> Json:
    """Return the sheet of ``deals``, and what the deal in the ``form`` would bring, where anything is filled in.

    The page may have written deals by other rules, so a row says if it cannot be by these. What comes after the end
    is not booked. Each row holds the form that its deal is corrected in. Where nobody said who dealt first, it was the
    last seat. Where what meets in a trick earns points, these stand ``apart``.
    """
    deals, form = question["deals"], question.get("form")
    dealer = rules.players - 1 if question.get("dealer") is None else question["dealer"]
    places = _possible(rules, dealer, deals)
    booked = [deals[place] for place in places]
    sheet = _booked(rules, dealer, booked)
    rows: list[Json] = [{"is": "impossible"} for _ in deals]
    for place in places[len(sheet["deals"]) :]:
        rows[place] = {"is": "after-the-end"}
    for place, line in zip(places, sheet["deals"], strict=False):
        rows[place] = {
            "is": _kind_of(rules, deals[place]),
            "dealer": line["dealer"],
            **_on_sheet(rules, line),
            "held": _figure(rules, line["held"]) if line["held"] else "",
            "totals": [_figure(rules, points) for points in line["totals"]],
            **({"apart": _apart(rules, deals[place], line["score"])} if rules.has_roem else {}),
            **_how_counted(rules, deals[place]),
        }
    kinds = {
        "scored": True,
        "passed": rules.value("bidding.must-name") == "nobody",
        "accusation": rules.value("penalties.fault") != "none",
    }
    return {
        "rows": [{**row, "form": _form_of(rules, deal)} for row, deal in zip(rows, deals, strict=True)],
        "asked": {"dealer": dealer, "deals": deals} if deals else None,
        "winner": sheet["winner"],
        "over": sheet["next_dealer"] is None,
        "next_dealer": sheet["next_dealer"],
        "goes_on_by": _goes_on_by(rules, sheet, booked),
        **_standing(rules, dealer, sheet["deals"], sum("passed" not in deal for deal in booked[: len(sheet["deals"])])),
        "kinds": [kind for kind, can_be in kinds.items() if can_be],
        "outranked": reads_outranked(rules),
        "declares": rules.value("declarations.played") == "all" or rules.has_roem,
        # Only where a fault brings all points of the deal does it matter what was declared, and who gets them.
        "fault_brings_all": _fault_brings_all(rules),
        "undeclared": [] if rules.has_roem else [mode.name for mode in rules.modes if not count_in(rules, mode)],
        "to_fill_in": _to_fill_in(rules),
        "belotes": None if rules.has_roem else {mode.name: belote_in(rules, mode) for mode in rules.modes},
        "apart": rules.has_roem,
        "raises": rules.value_or("bidding.raises", []),
        "amounts": [amount_json(amount) for amount in rules.auction.amounts],
        "counting": None if form is None else _as_written(rules, dealer, deals[: form.get("at")], form),
    }


def _fault_brings_all(rules: Ruleset) -> bool:
    return bool(rules.value("penalties.fault") == "innocent-gets-all")


def _as_written(rules: Ruleset, dealer: int, before: Sequence[Json], form: Json) -> Json:
    """Return what a form tells, and how its deal would stand on the sheet after the deals ``before``."""
    counting = _counting(rules, form)
    if "deal" not in counting or not _can_be(rules, dealer, counting["deal"]):
        return counting
    booked = [*(before[place] for place in _possible(rules, dealer, before)), counting["deal"]]
    lines = _booked(rules, dealer, booked)["deals"]
    return {**counting, **_on_sheet(rules, lines[-1])} if len(lines) == len(booked) else counting


def _on_sheet(rules: Ruleset, line: Json) -> Json:
    """Return what each side is written for a deal, and what it gets of what was held."""
    return {
        "written": [written(rules, points) if points >= 0 else _figure(rules, points) for points in line["score"]],
        "freed": [_figure(rules, points) if points else "" for points in line["freed"]],
    }


def belote_worth(rules: Ruleset) -> int:
    """Return the points of one belote; nothing where king and queen count in the trick that they meet in."""
    return 0 if rules.has_roem else int(rules.given("declarations.belote.points"))


def _to_fill_in(rules: Ruleset) -> dict[str, Json]:
    """Return what is to ``say`` of the card points of a mode that is no suit, and how many there are."""
    modes = [mode for mode in rules.modes if mode.name in MODE_KINDS]
    return {
        mode.name: {
            "say": "points-there" if card_share(rules, mode) == 1 else "points-before",
            "n": rules.points_in_deck(mode) + rules.value("scoring.last-trick"),
        }
        for mode in modes
    }


def _standing(rules: Ruleset, dealer: int, lines: Sequence[Json], scored: int) -> Json:
    """Return where each side stands, what is to ``say`` of that, and which part of the way has been gone.

    That is how far it has still to go, or how far it is ahead where a match is so many deals; there each has a dealer.
    """
    totals = lines[-1]["totals"] if lines else [0] * rules.side_count
    told: Json = {"totals": [_figure(rules, points) for points in totals]}
    if not rules.has_set_length:
        target: int = rules.given("match.target")
        apart = [("to-go", max(target - points, 0)) for points in totals]
        told |= {"target": _figure(rules, target), "say": "sheet-on"}
        told["gone"] = [min(max(points / target, 0), 1) for points in totals]
    else:
        length: int = rules.given("match.deals")
        told |= {"number": scored + 1, "length": length, "dealers": _dealers(rules, dealer, length)}
        told |= {
            "say": "sheet-deal" if scored < length else "sheet-more",
            "gone": [min(scored / length, 1)] * len(totals),
        }
        leads = [
            points - max(other for at, other in enumerate(totals) if at != side) for side, points in enumerate(totals)
        ]
        apart = [("ahead" if lead > 0 else "behind" if lead else "level", abs(lead)) for lead in leads]
    told["stands"] = [{"say": say, "n": _figure(rules, points)} for say, points in apart]
    return told


def _dealers(rules: Ruleset, dealer: int, length: int) -> list[int]:
    """Return who deals each of so many deals."""
    dealers = [dealer]
    while len(dealers) < length:
        dealers.append(dealers[-1] if rules.value("deal.next-dealer") == "same-seat" else rules.next_seat(dealers[-1]))
    return dealers


def _apart(rules: Ruleset, deal: Json, score: Sequence[int]) -> list[dict[str, str]]:
    """Return of each side its points and its roem as they are written, with the ``sign`` of what befell it.

    A side that fell, or made a fault, has that for its points. One that won every trick has it beside them, and what
    that brings among its roem.
    """
    found = [_cells(rules, *parts) for parts in _parts_apart(rules, deal)]
    sums = [points + roem for points, roem, _ in _parts_apart(rules, deal)]
    if sums == list(score):
        return found
    return [{"points": _figure(rules, points), "roem": "", "sign": ""} for points in score]


def _parts_apart(rules: Ruleset, deal: Json) -> list[tuple[int, int, str]]:
    if "scored" not in deal:
        told = deal["accusation"]
        guilty, roem = rules.side_of[told["of"]], told.get("declared", 0)
        everything = all_card_points(rules, rules.unsaid_mode)
        return [(0, 0, "fault") if side == guilty else (everything, roem, "") for side in range(rules.side_count)]
    contract, _, settled = settle_sums(rules, deal["scored"])
    fallen = rules.side_of[contract.taker] if settled.outcome == "fell" else None
    return [
        (
            int(won["cards"]),
            int(won["declarations"] + won[ALL_TRICKS]),
            "fell" if side == fallen else "all-tricks" if won[ALL_TRICKS] else "",
        )
        for side, won in enumerate(settled.sums)
    ]


def _cells(rules: Ruleset, points: int, roem: int, sign: str) -> dict[str, str]:
    if not points and sign:
        return {"points": "", "roem": "", "sign": sign}
    return {"points": _figure(rules, points), "roem": _figure(rules, roem) if roem else "", "sign": sign}


def _how_counted(rules: Ruleset, deal: Json) -> Json:
    """Return what a deal that was played was played for, by which side, and the steps by which it was settled."""
    if "scored" not in deal:
        return {}
    scored = deal["scored"]
    steps = _steps(rules, scored)
    contract = {key: scored[key] for key in _CONTRACT if key in scored}
    return {"taker": rules.side_of[scored["taker"]], **contract, "steps": steps, "parts": _parts(rules, scored, steps)}


def _steps(rules: Ruleset, scored: Json) -> dict[str, Sequence[int | str]]:
    return {row.what: row.figures for row in reckoning(rules, *settle_sums(rules, scored))}


def _parts(rules: Ruleset, scored: Json, steps: Mapping[str, Sequence[Any]]) -> list[list[tuple[str, int]]]:
    """Return of each side what its points for the contract are made of; nothing where they are no such sum.

    A part is a figure, with a name where that does not say enough: what all tricks bring, and what comes of the others.
    """
    before = list(steps)[: list(steps).index("counted")]
    kinds = [kind for kind in before if kind != "cards" or "cards-multiplied" not in before]
    gains = [{kind: steps[kind][side] for kind in kinds if steps[kind][side]} for side in range(len(steps["counted"]))]
    won = [side for side, own in enumerate(scored["sides"]) if own.get("tricks")]
    for side in won if len(won) == 1 and not rules.has_roem else ():
        if gained := gains[side].pop("all-or-none", 0):
            others = [kind for kind in _comes_over(rules) if kind in steps]
            theirs = sum(steps[kind][other] for kind in others for other in range(len(gains)) if other != side)
            is_instead = rules.value("scoring.all-tricks.counted") != "on-top"
            cards = gains[side].pop("cards-multiplied", gains[side].pop("cards", 0)) if is_instead else 0
            prime = {"all-tricks": cards + gained - theirs}
            gains[side] = (prime | gains[side] if cards else gains[side] | prime) | (
                {"theirs": theirs} if theirs else {}
            )
    return [
        [(kind if kind in ("all-tricks", "theirs") else "", figure) for kind, figure in parts.items()]
        if sum(parts.values()) == points and min(parts.values(), default=0) >= 0
        else []
        for parts, points in zip(gains, steps["counted"], strict=True)
    ]


def _comes_over(rules: Ruleset) -> list[str]:
    """Return the kinds of points that a side with every trick has of the others, as far as they count."""
    whose = rules.given("scoring.all-tricks.declarations")
    kinds = {"all-announced": ["declarations", "belote"], "all-that-count": ["declarations"]}.get(whose, [])
    counting = [kind for kind in kinds if kind in rules.value("scoring.contract-counts")]
    return [*counting, *(["outranked"] if whose == "all-announced" and "declarations" in counting else [])]


def _form_of(rules: Ruleset, deal: Json) -> Json:
    """Return what the form holds of a deal that stands on the sheet; what is left out is empty there."""
    side_of = rules.side_of
    if "passed" in deal:
        return {"kind": "passed"}
    if "accusation" in deal:
        told = deal["accusation"]
        declared = str(told.get("declared") or "")
        return {"kind": "accusation", "guilty": side_of[told["of"]], "by": side_of[told["by"]], "declared": declared}
    scored, sides = deal["scored"], deal["scored"]["sides"]
    points = belote_worth(rules) or 1
    return {
        "kind": "scored",
        "taker": side_of[scored["taker"]],
        "cards": [str(side["cards"]) for side in sides],
        "trickless": [not side["tricks"] for side in sides],
        **{kind: [str(side.get(kind) or "") for side in sides] for kind in ("declarations", "outranked")},
        "belote": [side.get("belote", 0) // points for side in sides],
        "trump": scored.get("trump"),
        "bid": str(scored.get("bid", "")),
        "raised": scored.get("raised", 1),
        "last": scored.get("last_trick"),
    }


def _counting(rules: Ruleset, form: Json) -> Json:
    """Return the deal that a form tells, or what is missing or wrong in it: as a number, or by the rules.

    ``outranked`` says whether some declarations that others beat are the one side's that has every trick.
    """
    is_scored, is_swept = form["kind"] == "scored", form["trickless"].count(False) == 1
    texts = [*form["cards"], *form["declarations"], *(form["outranked"] if is_swept else ()), form["declared"]]
    bad = next((text for text in texts if text.strip() and not _NUMBER.fullmatch(text.strip())), None)
    if bad is not None:
        return {"bad": bad, "outranked": is_swept}
    if not is_scored:
        return _ended(rules, form)
    return {**_counted(rules, form), "outranked": is_swept}


def _ended(rules: Ruleset, form: Json) -> Json:
    """Return a deal that nobody took, or that a fault ended: of two sides the other one saw it."""
    if form["kind"] == "passed":
        return {"deal": {"passed": True}}
    guilty, by = form["guilty"], form["by"]
    if guilty is not None and (rules.side_count == 2 or not _fault_brings_all(rules)):
        by = next(side for side in range(rules.side_count) if side != guilty)
    if None in (guilty, by) or by == guilty:
        return {"missing": ["who-pays"]}
    declared = {"declared": number} if (number := _number(form["declared"])) else {}
    seats = {"by": rules.side_of.index(by), "of": rules.side_of.index(guilty)}
    return {"deal": {"accusation": {**seats, "proved": True, **declared}}}


def _number(text: str) -> int | None:
    return int(text) if text.strip() else None


def reads_outranked(rules: Ruleset) -> bool:
    """Say whether declarations that others beat can be somebody's: of a side with every trick, at some tables."""
    return bool(rules.value_or("scoring.all-tricks.declarations", "none") == "all-announced")


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
    return {**(found.result or {}), "rules": found.rules}


def _goes_on_by(rules: Ruleset, sheet: Json, deals: Sequence[Json]) -> str | None:
    """Return the rule by which a match goes on though somebody has as many points as it is played to."""
    if not sheet["deals"] or sheet["next_dealer"] is None or rules.has_set_length:
        return None
    last, sides = sheet["deals"][-1], deals[len(sheet["deals"]) - 1].get("scored", {"sides": ()})["sides"]
    there = sum(points >= rules.given("match.target") for points in last["totals"])
    why = {
        "match.while-held": last["held"],
        "match.after-all-tricks": sum(side["tricks"] > 0 for side in sides) == 1,
        "match.ending-deal": True,
    }
    by = next((rule for rule, may_be in why.items() if may_be and rule in sheet["rules"]), None)
    return (by or ("match.both-over" if there > 1 else "match.target-reached")) if there else None


def _kind_of(rules: Ruleset, deal: Json) -> str:
    if "scored" not in deal:
        return next(iter(deal))
    outcome: str = (answer("score-deal", rules, deal["scored"], well_formed=True).result or {})["outcome"]
    return outcome


def _counted(rules: Ruleset, form: Json) -> Json:
    """Return the deal that a person counts, as ``match`` takes it, and how it ends; or what is still ``missing``.

    ``outranked`` declarations are told where somebody gets them. A contract that was bid for has ``trump`` and
    ``raised`` with it, and ``bid`` where numbers are bid. Where all cards are dealt, the last side has the rest.
    """
    sides, trickless = range(rules.side_count), form["trickless"]
    tricks = _tricks(rules, trickless)
    if tricks is None:
        return {"impossible": ImpossibleSumsError("sides: somebody wins a trick", "nobody").fault, "filled": []}
    bonus = last_trick_bonus(rules, tricks) if form["last"] is None else 0
    contract, taker = _contract(rules, form), form["taker"]
    unsaid = [key for key, value in (*contract.items(), ("taker", taker)) if value is None]
    if "trump" in unsaid:
        return {"missing": unsaid, "filled": []}
    mode = mode_named(rules, contract["trump"]) if contract else rules.unsaid_mode
    try:
        cards, filled = _filled(rules, form, mode, bonus)
    except ImpossibleSumsError as error:
        return {"impossible": error.fault, "filled": []}
    missing = [*unsaid, *(["cards"] if None in cards else [])]
    if missing:
        return {"missing": missing, "filled": filled}
    own = [{"cards": cards[side], "tricks": tricks[side]} for side in sides]
    most, worth = belote_in(rules, mode), belote_worth(rules)
    for side in sides:
        extra = {"declarations": _number(form["declarations"][side])}
        if trickless.count(False) == 1 and reads_outranked(rules):
            extra["outranked"] = _number(form["outranked"][side])
        # How many belotes, or their points.
        told = str(form["belote"][side])
        belotes = int(told) if _NUMBER.fullmatch(told) else -1
        extra["belote"] = belotes * worth if belotes <= max(most, 1) else belotes
        if most > 1 and extra["belote"] not in range(0, most * worth + 1, worth):
            return {"impossible": {"kind": "belotes", "n": told, "wanted": most}, "filled": filled}
        own[side].update({kind: points for kind, points in extra.items() if points})
    scored: Json = {"taker": rules.side_of.index(taker), **contract, "sides": own}
    if form["last"] is not None:
        scored["last_trick"] = form["last"]
    scored = _in_some_tricks(rules, {"scored": scored})["scored"]
    if isinstance(found := why_impossible(rules, "score-deal", scored), ImpossibleSumsError):
        return {"impossible": found.fault, "filled": filled, "asked": scored}
    reply = answer("score-deal", rules, scored, well_formed=True)
    steps = _steps(rules, scored)
    return {
        "deal": {"scored": scored},
        "filled": filled,
        "asked": scored,
        **reply.message(),
        "steps": steps,
        "parts": _parts(rules, scored, steps),
        "rules": sorted(reply.rules),
        # Tricks without a card point are so rare that the page asks.
        "pointless": next((side for side in sides if tricks[side] and not cards[side]), None),
    }


def _contract(rules: Ruleset, form: Json) -> Json:
    """Return what a deal was played for where that is bid, ``None`` where it is not said.

    In a count any suit is as good as another, and goes unsaid where there is nothing else.
    """
    if not rules.has_auction:
        return {}
    only = MODE_NAMES[0] if all(mode.name not in MODE_KINDS for mode in rules.modes) else None
    contract = {"trump": form["trump"] or only, "raised": form["raised"]}
    amounts = {amount_name(amount): amount_json(amount) for amount in rules.auction.amounts}
    return {**contract, "bid": amounts.get(form["bid"])} if rules.has_amounts else contract


def _tricks(rules: Ruleset, trickless: Sequence[bool]) -> list[int] | None:
    """Return so many tricks for each side that has one: how many makes no difference; nothing where nobody has."""
    winners = trickless.count(False)
    if not winners:
        return None
    each, rest = divmod(rules.hand_size, winners)
    first = trickless.index(False)
    return [0 if without else each + (rest if side == first else 0) for side, without in enumerate(trickless)]


def _filled(rules: Ruleset, form: Json, mode: Mode, bonus: int) -> tuple[list[int | None], list[int | None]]:
    """Return the card points of each side, and which of them were filled in.

    Raises ``ImpossibleSumsError`` where one side has more than there are, though others say nothing yet.
    """
    cards, discards = [_number(text) for text in form["cards"]], rules.value_or("deal.taker-discards", 0)
    empty = [points is None for points in cards]
    for side in range(len(cards)):
        if empty[side] and form["trickless"][side] and not discards:
            cards[side] = 0
    dealt = rules.players * rules.hand_size + discards
    everything, together = rules.points_in_deck(mode) + bonus, sum(points or 0 for points in cards)
    if together > everything and None in cards:
        raise ImpossibleSumsError("sides: too many card points", "cards", n=together, wanted=everything)
    if cards.count(None) == 1 and dealt == rules.deck.bit_count():
        cards[cards.index(None)] = everything - together
    return cards, [points if nothing else None for points, nothing in zip(cards, empty, strict=True)]
