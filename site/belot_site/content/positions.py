"""Cases drawn for a page: the cards as pictures with names, what is asked, and the right answer as a sentence."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation
from belot_conformance.text.brief import brief
from belot_reference.bidding import start_bidding
from belot_reference.bids import CAPOT, CAPOT_NAME, amount_of_bid, bid_named, mode_of_bid
from belot_reference.card_svg import Mark
from belot_reference.cards import CARD_BY_NAME, EVERY_SUIT, ONLY
from belot_reference.contract import DealContract
from belot_reference.operations import settle_sums
from belot_reference.play import RunningTrick, legal_cards, table_of, winning_seat
from belot_reference.questions import contract_named, mode_named, set_named
from belot_reference.replay import settle_tricks
from belot_reference.scoring import Settlement, Tally
from belot_reference.sentences import REASONS
from belot_reference.sheet import reckoning
from belot_site.content.drawing import Drawing, figure, steps, table
from belot_site.content.edition import SiteEdition, seat_letter

Json = Mapping[str, Any]

# What is asked about one hand or a few cards names no seat; every other drawing does, but sums of pairs.
_WITHOUT_SEATS: Final = frozenset(("legal-cards", "card-points", "declarations", "belote", "roem"))


class Position(NamedTuple):
    """A case as people see it: the picture, the answers that are right in words, and why, rule by rule."""

    figure: Markup
    answers: tuple[str, ...]
    why: tuple[tuple[str, str], ...]
    names_seats: bool


def position(case: Case, edition: SiteEdition) -> Position:
    """Return a case drawn and told in the language of an edition; many are shown on several pages."""
    key = case.id, case.profile
    if key not in edition.drawn:
        drawn = Drawing(case, edition)
        picture = _FIGURES.get(case.operation, _plainly)(drawn)
        answers = tuple(_answer(drawn, one) for one in case.expected)
        has_seats = case.operation not in _WITHOUT_SEATS and not (case.operation == "score-deal" and _in_pairs(drawn))
        edition.drawn[key] = Position(picture, answers, tuple(_why(drawn)), has_seats)
    found: Position = edition.drawn[key]
    return found


def _why(drawn: Drawing) -> Iterator[tuple[str, str]]:
    """Yield the rules that decide with their sentences: the one that binds this hand first, then those pinned."""
    rules, profile = list(drawn.case.rules), drawn.rules.profile
    if drawn.case.operation == "legal-cards":
        mode = mode_named(drawn.rules, drawn.input["trump"])
        rules.insert(0, legal_cards(drawn.rules, mode, set_named(drawn.input["hand"]), _trick(drawn)).rule)
    yield from ((one, drawn.edition.sentence(one, profile)) for one in dict.fromkeys(rules) if one in profile.settings)


def _trick(drawn: Drawing) -> RunningTrick:
    """Return the trick of a question about one hand, in which nobody has a seat."""
    cards = [CARD_BY_NAME[card] for card in drawn.input["trick"]]
    return table_of(drawn.rules, mode_named(drawn.rules, drawn.input["trump"]), 0, cards)


def _legal_cards(drawn: Drawing) -> Markup:
    trick, chosen = drawn.input["trick"], drawn.result.get("cards", ())
    winning = winning_seat(drawn.rules, _trick(drawn))
    pairs = _in_pairs(drawn)
    placed = []
    for index, card in enumerate(trick):
        caption = drawn.word("partner" if pairs and len(trick) - index == 2 else "opponent")
        caption += f" {drawn.word('leads')}" if index == 0 else ""
        placed.append(drawn.card(card, f"{caption}, {drawn.word('wins-now')}" if index == winning else caption))
    marks: dict[str, Mark] = {card: "legal" if card in chosen else "illegal" for card in drawn.input["hand"]}
    said: dict[Mark, str] = {"legal": drawn.word("may"), "illegal": drawn.word("may-not")}
    allowed = (drawn.card(card, said[mark], mark) for card, mark in marks.items())
    rows = [drawn.row(drawn.word("trick"), placed)] if trick else []
    return figure(drawn.trump(), *rows, drawn.row(drawn.word("your-hand"), allowed))


def _trick_winner(drawn: Drawing) -> Markup:
    leader, placed = drawn.input["leader"], []
    for index, card in enumerate(drawn.input["cards"]):
        seat = (leader + index) % drawn.rules.players
        who = drawn.in_trick(seat, leader)
        placed.append(drawn.card(card, f"{who}, {drawn.word('wins')}" if seat == drawn.result.get("winner") else who))
    return figure(drawn.trump(), drawn.row(drawn.word("trick"), placed))


def _card_points(drawn: Drawing) -> Markup:
    mode, cards = mode_named(drawn.rules, drawn.input["trump"]), drawn.input["cards"]
    worth = (drawn.card(card, str(drawn.rules.points_of(mode, ONLY[CARD_BY_NAME[card]]))) for card in cards)
    note = drawn.word("with-last-trick") if drawn.input.get("last_trick") else ""
    return figure(drawn.trump(), drawn.row(drawn.word("cards"), worth, note))


def _roem(drawn: Drawing) -> Markup:
    return figure(drawn.trump(), drawn.cards("trick", drawn.input["cards"]))


def _declarations(drawn: Drawing) -> Markup:
    rows = [drawn.cards("your-hand", drawn.input["hand"])]
    for found in drawn.result.get("sets", ()):
        *others, last = found["declarations"]
        note = drawn.word("points", n=found["points"]) if "points" in found else ""
        for index, cards in enumerate((*others, last)):
            label = drawn.word("declaration" if index == 0 else "together-with")
            rows.append(drawn.plain_row(label, cards, note if index == len(others) else ""))
    return figure(*rows)


def _compare_declarations(drawn: Drawing) -> Markup:
    rows, points = [drawn.trump()], drawn.result.get("points", ())
    for seat, declared in enumerate(drawn.input["announced"]):
        label = drawn.in_trick(seat, drawn.input["leader"])
        best = drawn.word("best") if seat == drawn.result.get("winner") else ""
        scored = drawn.word("points", n=points[seat]) if seat < len(points) else ""
        note = ", ".join(filter(None, (best, scored))) if declared else ""
        for index, cards in enumerate(declared or [()]):
            rows.append(drawn.plain_row(label, cards, note if index == len(declared) - 1 else ""))
    return figure(*rows)


def _compare_hands(drawn: Drawing) -> Markup:
    rows, points = [drawn.trump()], drawn.result.get("points", ())
    for seat, hand in enumerate(drawn.input["hands"]):
        best = drawn.word("best") if seat == drawn.result.get("winner") else ""
        scored = drawn.word("points", n=points[seat]) if seat < len(points) and points[seat] else ""
        label = drawn.in_trick(seat, drawn.input["leader"])
        rows.append(drawn.plain_row(label, hand, ", ".join(filter(None, (best, scored)))))
    return figure(*rows)


def _belote(drawn: Drawing) -> Markup:
    placed, calls = [], 0
    for index, play in enumerate(drawn.input["plays"]):
        said = drawn.belote(calls) if play.get("call") else drawn.word("says-nothing")
        calls += bool(play.get("call"))
        caption = f"{said}, {drawn.word('refused')}" if index == drawn.refused else said
        placed.append(drawn.card(play["card"], caption, "illegal" if index == drawn.refused else None))
    return figure(drawn.trump(), drawn.cards("your-hand", drawn.input["hand"]), drawn.row(drawn.word("plays"), placed))


def _bidding(drawn: Drawing) -> Markup:
    turn_up = [drawn.cards("turn-up", [drawn.input["turn_up"]])] if "turn_up" in drawn.input else []
    first, players = start_bidding(drawn.rules, drawn.input["dealer"], None).turn, drawn.rules.players
    # Nothing after a bid that the rules refuse has a turn.
    bids = drawn.input["bids"] if drawn.refused is None else drawn.input["bids"][: drawn.refused + 1]
    told = (f"{drawn.player((first + place) % players)} {drawn.said(bid)}" for place, bid in enumerate(bids))
    return figure(*turn_up, drawn.who("dealer", drawn.input["dealer"]), _steps(drawn, told))


def _steps(drawn: Drawing, told: Iterable[str]) -> Markup:
    """Return what was done one after the other, with a mark at what the rules refuse."""
    refused = f" ✗ {drawn.word('refused')}"
    return steps(f"{step}{refused}" if index == drawn.refused else step for index, step in enumerate(told))


def _hands(drawn: Drawing, held: Json) -> list[Markup]:
    """Return the cards of each player, in piles two rows: the open ones, and below them the covered ones."""
    rows = [drawn.plain_row(drawn.player(seat), cards) for seat, cards in enumerate(held.get("hands", ()))]
    for seat, own in enumerate(held.get("piles", ())):
        for name, cards in (("open", [pile[0] for pile in own]), ("covered", [pile[1] for pile in own if pile[1:]])):
            rows.append(drawn.plain_row(f"{drawn.player(seat)}, {drawn.word(name)}", cards))
    return rows


def _deal(drawn: Drawing) -> Markup:
    rows = [drawn.who("dealer", drawn.input["dealer"])]
    rows += [drawn.fact(f"deal-{field}", drawn.input[field]) for field in ("cut", "shuffles") if field in drawn.input]
    rows += [drawn.who("taker", drawn.input["taker"]), drawn.cards("deck", drawn.input["deck"])]
    if drawn.result.get("turn_up"):
        rows.append(drawn.cards("turn-up", [drawn.result["turn_up"]]))
    rows += _hands(drawn, {"hands": drawn.result.get("hands", drawn.result.get("before", ()))})
    for seat, cards in enumerate(drawn.result.get("untouched", ())):
        rows += [drawn.plain_row(f"{drawn.player(seat)}, {drawn.word('untouched')}", cards)] if cards else []
    return figure(*rows, *_hands(drawn, {"piles": drawn.result.get("piles", ())}))


def _count(drawn: Drawing, contract: DealContract, tallies: Sequence[Tally], settlement: Settlement) -> Markup:
    """Return the steps from what each side brings in to the sheet, one column a side, leaving out what nobody has."""
    rows: list[tuple[str, Sequence[Any]]] = [(drawn.word("row-won"), [tally.tricks for tally in tallies])]
    reckoned = reckoning(drawn.rules, contract, tallies, settlement)
    rows += [
        (drawn.word(f"raised-{contract.raised}" if row.what == "raised" else f"row-{row.what}"), row.figures)
        for row in reckoned
        if row.what == "cards" or any(row.figures)
    ]
    if [*map(str, settlement.score)] != [*map(str, rows[-1][1])]:
        rows.insert(-1, (drawn.word("result-score"), settlement.score))
    if settlement.held:
        rows.append((drawn.word("result-held"), [settlement.held, *[""] * (len(drawn.sides) - 1)]))
    sides = [_side_of(drawn, side) for side in range(len(drawn.sides))]
    return table(drawn.word("count-of", name=drawn.case.id), ["", *sides], rows)


def _in_pairs(drawn: Drawing) -> bool:
    return bool(drawn.rules.value("deal.sides") == "partners-opposite")


def _side_of(drawn: Drawing, side: int) -> str:
    """Return what a side of a deal is called that somebody took: where pairs play, by that alone."""
    if not _in_pairs(drawn):
        return drawn.side(side)
    return drawn.word("side-takers" if side == drawn.rules.side_of[drawn.input["taker"]] else "side-others")


def _score_deal(drawn: Drawing) -> Markup:
    rows = [drawn.trump()] if "trump" in drawn.input else []
    if not _in_pairs(drawn):
        rows.append(drawn.who("taker", drawn.input["taker"]))
    if "last_trick" in drawn.input:
        rows.append(drawn.fact("row-last", _side_of(drawn, drawn.input["last_trick"])))
    return figure(*rows, _count(drawn, *settle_sums(drawn.rules, drawn.input)))


def _settle_tricks(drawn: Drawing) -> Markup:
    rows = [drawn.trump(), drawn.who("taker", drawn.input["taker"])]
    each, _, tallies, settlement = settle_tricks(drawn.rules, drawn.input)
    for seat, declared in enumerate(drawn.input.get("announced", ())):
        rows += [drawn.plain_row(drawn.player(seat), cards, drawn.word("row-declarations")) for cards in declared]
    for trick, points in zip(drawn.input["tricks"], each, strict=True):
        label = drawn.in_trick(trick["leader"], trick["leader"])
        rows.append(drawn.plain_row(label, trick["cards"], drawn.word("points", n=points)))
    if "discarded" in drawn.input:
        rows.append(drawn.cards("tally-discarded", drawn.input["discarded"]))
    return figure(*rows, _count(drawn, contract_named(drawn.rules, drawn.input), tallies, settlement))


def _match(drawn: Drawing) -> Markup:
    """Return the deals one below the other: what happened, what was written and what had hung, and the totals after."""
    totals, lines = drawn.input.get("totals") or [0] * len(drawn.sides), drawn.result.get("deals", ())
    held = drawn.input.get("held", 0)
    rows: list[tuple[str, Sequence[Any]]] = (
        [(drawn.word("before"), ["", *totals, held or ""])] if any(totals) or held else []
    )
    for index, deal in enumerate(drawn.input["deals"]):
        told = lines[index] if index < len(lines) else {}
        freed = told.get("freed", [0] * len(drawn.sides))
        written = zip(told.get("score", ()), freed, strict=False)
        score = " · ".join(f"{own} + {more}" if more else str(own) for own, more in written)
        figures = [score, *told.get("totals", [""] * len(drawn.sides)), told.get("held") or ""]
        rows.append((_happened(drawn, index, deal), figures))
    head = [drawn.word("deal"), drawn.word("result-score"), *drawn.sides, drawn.word("result-held")]
    if not held and not any(told.get("held") for told in lines):
        # Where nothing is held, a column for it would push the totals off a phone.
        head, rows = head[:-1], [(label, figures[:-1]) for label, figures in rows]
    return figure(table(drawn.word("count-of", name=drawn.case.id), head, rows))


def _happened(drawn: Drawing, index: int, deal: Json) -> str:
    if "scored" in deal:
        cards = " · ".join(str(side["cards"]) for side in deal["scored"]["sides"])
        return drawn.word("deal-scored", n=index + 1, taker=seat_letter(deal["scored"]["taker"]), cards=cards)
    if "accusation" in deal:
        told = deal["accusation"]
        kind = "deal-accused" if told["proved"] else "deal-accused-wrongly"
        return drawn.word(kind, n=index + 1, by=seat_letter(told["by"]), of=seat_letter(told["of"]))
    return drawn.word("deal-passed", n=index + 1)


def _penalty(drawn: Drawing) -> Markup:
    accused = drawn.word("accuses", by=seat_letter(drawn.input["accuser"]), of=seat_letter(drawn.input["accused"]))
    at, fault = drawn.result.get("at"), drawn.word("fault")
    played = (
        drawn.card(card, fault, "illegal") if index == at else drawn.card(card)
        for index, card in enumerate(drawn.input["plays"])
    )
    leader, plays = drawn.who("leader", drawn.input["leader"]), drawn.row(drawn.word("plays"), played)
    return figure(drawn.trump(), leader, *_hands(drawn, drawn.input), plays, steps([accused]))


def _replay(drawn: Drawing) -> Markup:
    rows, totals = [drawn.who("dealer", drawn.input["dealer"])], drawn.input.get("totals", ())
    if any(totals):
        # A claim hangs on the score before the deal.
        told = "; ".join(f"{drawn.side(side)}: {total}" for side, total in enumerate(totals))
        rows.append(drawn.fact("score-before", told))
    rows += _hands(drawn, drawn.input)
    if "turn_up" in drawn.input:
        rows.append(drawn.cards("turn-up", [drawn.input["turn_up"]]))
    if "deck" in drawn.input:
        rows.append(drawn.cards("deck", drawn.input["deck"]))
    return figure(*rows, _steps(drawn, _actions(drawn)))


def _actions(drawn: Drawing) -> Iterator[str]:
    """Yield what each player does, in words."""
    card, calls = drawn.edition.short_card, Counter[int]()
    for action in drawn.input["actions"]:
        seat = action["seat"]
        if "bid" in action:
            yield f"{drawn.player(seat)} {drawn.said(action['bid'])}"
            continue
        parts = [drawn.word("does-play", card=card(action["play"]))] if "play" in action else []
        announced = (" ".join(map(card, cards)) for cards in action.get("announce", ()))
        parts += [drawn.word("does-announce", cards=cards) for cards in announced]
        if "discard" in action:
            parts.append(drawn.word("does-discard", cards=" ".join(map(card, action["discard"]))))
        if "look" in action:
            parts.append(drawn.word("does-look", n=action["look"]))
        if action.get("belote"):
            parts.append(drawn.belote(calls[seat]))
            calls[seat] += 1
        parts += [drawn.word(f"does-{kind}") for kind in ("show", "exchange", "claim") if action.get(kind)]
        parts += [drawn.word(f"does-make-{kind}") for kind in action.get("made", ())]
        yield f"{drawn.player(seat)} {', '.join(parts)}"


def _perft(drawn: Drawing) -> Markup:
    leader, depth = drawn.who("leader", drawn.input["leader"]), drawn.fact("cards-to-play", drawn.input["depth"])
    return figure(drawn.trump(), leader, *_hands(drawn, drawn.input), depth)


def _plainly(drawn: Drawing) -> Markup:
    """Tell a question of which there is no picture."""
    return Markup('<div class="position"><p>{}</p></div>').format(brief(drawn.input))


_FIGURES: Final[Mapping[str, Callable[[Drawing], Markup]]] = {
    "legal-cards": _legal_cards, "trick-winner": _trick_winner, "card-points": _card_points, "belote": _belote,
    "declarations": _declarations, "compare-declarations": _compare_declarations, "compare-hands": _compare_hands,
    "bidding": _bidding, "deal": _deal, "score-deal": _score_deal, "settle-tricks": _settle_tricks, "match": _match,
    "penalty": _penalty, "replay": _replay, "perft": _perft, "roem": _roem,
}  # fmt: skip


def _answer(drawn: Drawing, expected: Expectation) -> str:
    """Return an expectation as a sentence; nothing where there is none for it."""
    result, word = expected.fields, drawn.word
    if expected.kind == "rejected":
        reason = drawn.edition.text(REASONS[result["reason"]])
        return word("answer-unfinished" if result["reason"] == "unfinished" else "answer-refused", reason=reason)
    match drawn.case.operation:
        case "legal-cards":
            return word("answer-legal", cards=drawn.edition.cards(result["cards"]))
        case "trick-winner":
            card = drawn.input["cards"][(result["winner"] - drawn.input["leader"]) % drawn.rules.players]
            return word("answer-winner", n=seat_letter(result["winner"]), card=drawn.edition.card(card))
        case "card-points" | "belote" | "roem":
            return word("answer-points", n=result["points"])
        case "declarations" if "best_points" in result or not result.get("sets", True):
            key = "answer-declarations" if result.get("sets", True) else "answer-no-declaration"
            return word(key, n=result.get("best_points"))
        case "compare-declarations" | "compare-hands" if "winner" in result:
            if result["winner"] is None:
                return word("answer-apart" if any(result.get("points", ())) else "answer-no-best")
            return word("answer-belot" if result.get("wins_match") else "answer-best", n=seat_letter(result["winner"]))
        case "bidding":
            return _bidding_answer(drawn, result)
        case "match" if "winner" in result:
            return _match_answer(drawn, result)
        case "penalty" if "proved" in result:
            return word("answer-proved" if result["proved"] else "answer-not-proved")
        case "score-deal" | "settle-tricks" | "replay":
            ended = [word(f"answer-ended-{result['ended']}")] if "ended" in result else []
            return " ".join([*ended, *([word(f"answer-{result['outcome']}")] if "outcome" in result else [])])
        case "perft":
            return word("answer-count", n=result["count"])
    return ""


def _match_answer(drawn: Drawing, result: Json) -> str:
    if result["winner"] is not None:
        return drawn.word("answer-match", who=drawn.side(result["winner"]))
    # An expectation may leave out who deals next: it then is of a match that goes on.
    return drawn.word("answer-on" if result.get("next_dealer", 0) is not None else "answer-drawn")


def _bidding_answer(drawn: Drawing, result: Json) -> str:
    if result["state"] == "taken" and "trump" in result:
        if "raised" in result:
            told = drawn.trump_named(result["trump"], result["raised"], result.get("bid"))
            return drawn.word("answer-contract", n=seat_letter(result["taker"]), contract=told)
        return drawn.word("answer-taken", n=seat_letter(result["taker"]), suit=drawn.edition.suit(result["trump"]))
    if result["state"] == "open" and "choices" in result:
        said = ", ".join(_choices(drawn, result["choices"]))
        return drawn.word("answer-open", n=seat_letter(result["turn"]), choices=said)
    return drawn.word("answer-failed") if result["state"] == "failed" else ""


def _choices(drawn: Drawing, choices: Sequence[str]) -> Iterator[str]:
    """Yield what may be said; of numbers the lowest and the highest, in any suit, and capot."""
    bids = {name: bid_named(name) or 0 for name in choices}
    yield from (drawn.edition.bid(name) for name, bid in bids.items() if not amount_of_bid(bid))
    numbered = [bid for bid in bids.values() if amount_of_bid(bid)]
    amounts = {amount_of_bid(bid) for bid in numbered}
    if numbers := sorted(amounts - {CAPOT}):
        low, high = numbers[0], numbers[-1]
        told = str(low) if low == high else drawn.word("answer-numbers", low=low, high=high)
        in_all = any(mode_of_bid(bid) not in EVERY_SUIT for bid in numbered)
        yield drawn.word("answer-amounts-all" if in_all else "answer-amounts", numbers=told)
    if CAPOT in amounts:
        yield CAPOT_NAME
