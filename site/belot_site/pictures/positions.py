"""Cases drawn for a page: the cards as pictures with names, what is asked, and the right answer as a sentence."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation
from belot_conformance.text.brief import brief
from belot_conformance.text.card_svg import Mark
from belot_reference.bidding import start_bidding
from belot_reference.bids import CAPOT, CAPOT_NAME, amount_of_bid, bid_named, mode_of_bid
from belot_reference.cards import CARD_BY_NAME, EVERY_SUIT, ONLY
from belot_reference.contract import DealContract
from belot_reference.mode import Mode
from belot_reference.operations import settle_sums
from belot_reference.play import RunningTrick, legal_cards, table_of, winning_seat
from belot_reference.questions import contract_named, mode_named, set_named
from belot_reference.replay import settle_tricks
from belot_reference.scoring import Settlement, Tally
from belot_reference.sentences import REASONS
from belot_reference.sheet import reckoning
from belot_site.content.edition import SiteEdition, seat_letter
from belot_site.pictures.drawing import Drawing, figure, line, steps, table

Json = Mapping[str, Any]

# What is asked about one hand or a few cards names no seat; every other drawing does.
_WITHOUT_SEATS: Final = frozenset(("legal-cards", "card-points", "declarations", "belote"))


@dataclass(frozen=True, slots=True)
class Position:
    """A case as people see it: the picture, the answers that are right in words, and why, rule by rule."""

    figure: Markup
    answers: tuple[str, ...]
    why: tuple[tuple[str, str], ...]
    names_seats: bool


def position(case: Case, edition: SiteEdition) -> Position:
    """Return a case drawn and told in the language of an edition; many are shown on several pages."""
    table = case.id, case.profile
    if table not in edition.drawn:
        edition.drawn[table] = _position(case, edition)
    found: Position = edition.drawn[table]
    return found


def _position(case: Case, edition: SiteEdition) -> Position:
    drawn = Drawing(case, edition)
    picture = _FIGURES.get(case.operation, _plainly)(drawn)
    answers = tuple(_answer(drawn, one) for one in case.expected)
    return Position(picture, answers, tuple(_why(drawn)), case.operation not in _WITHOUT_SEATS)


def _why(drawn: Drawing) -> Iterable[tuple[str, str]]:
    """Yield the rules that decide with their sentences: the one that binds this hand first, then those pinned."""
    profile = drawn.rules.profile
    for rule in dict.fromkeys((*_binding_rule(drawn), *drawn.case.rules)):
        if rule in profile.settings:
            yield rule, drawn.edition.sentence(rule, profile)


def _binding_rule(drawn: Drawing) -> list[str]:
    if drawn.case.operation != "legal-cards":
        return []
    found = legal_cards(drawn.rules, _mode(drawn), set_named(drawn.input["hand"]), _table(drawn, 0, "trick"))
    return [found.rule]


def _mode(drawn: Drawing) -> Mode:
    return mode_named(drawn.rules, drawn.input["trump"])


def _table(drawn: Drawing, leader: int, field: str) -> RunningTrick:
    cards = [CARD_BY_NAME[card] for card in drawn.input[field]]
    return table_of(drawn.rules, _mode(drawn), leader, cards)


def _legal_cards(drawn: Drawing) -> Markup:
    trick, hand = drawn.input["trick"], drawn.input["hand"]
    chosen = drawn.result.get("cards", ())
    winning = winning_seat(drawn.rules, _table(drawn, 0, "trick"))
    pairs = drawn.rules.value("deal.sides") == "partners-opposite"
    captions = []
    for index in range(len(trick)):
        who = drawn.word("partner" if pairs and len(trick) - index == 2 else "opponent")
        led = f"{who} {drawn.word('leads')}" if index == 0 else who
        captions.append(f"{led}, {drawn.word('wins-now')}" if index == winning else led)
    marks: dict[str, Mark] = {card: "legal" if card in chosen else "illegal" for card in hand}
    rows = [drawn.trump()]
    if trick:
        placed = (drawn.card(card, caption) for card, caption in zip(trick, captions, strict=True))
        rows.append(drawn.row(drawn.word("trick"), placed))
    allowed = (
        drawn.card(card, drawn.word("may" if mark == "legal" else "may-not"), mark) for card, mark in marks.items()
    )
    return figure(*rows, drawn.row(drawn.word("your-hand"), allowed))


def _trick_winner(drawn: Drawing) -> Markup:
    leader, cards = drawn.input["leader"], drawn.input["cards"]
    placed = []
    for index, card in enumerate(cards):
        seat = (leader + index) % drawn.rules.players
        who = drawn.in_trick(seat, leader)
        placed.append(drawn.card(card, f"{who}, {drawn.word('wins')}" if seat == drawn.result.get("winner") else who))
    return figure(drawn.trump(), drawn.row(drawn.word("trick"), placed))


def _card_points(drawn: Drawing) -> Markup:
    mode = _mode(drawn)
    worth = (
        drawn.card(card, str(drawn.rules.points_of(mode, ONLY[CARD_BY_NAME[card]]))) for card in drawn.input["cards"]
    )
    note = drawn.word("with-last-trick") if drawn.input.get("last_trick") else ""
    return figure(drawn.trump(), drawn.row(drawn.word("cards"), worth, note))


def _declarations(drawn: Drawing) -> Markup:
    rows = [drawn.plain_row(drawn.word("your-hand"), drawn.input["hand"])]
    for found in drawn.result.get("sets", ()):
        for index, cards in enumerate(found["declarations"]):
            last = index == len(found["declarations"]) - 1
            note = drawn.word("points", n=found["points"]) if last and "points" in found else ""
            label = drawn.word("declaration") if index == 0 else drawn.word("together-with")
            rows.append(drawn.plain_row(label, cards, note))
    return figure(*rows)


def _compare_declarations(drawn: Drawing) -> Markup:
    rows = [drawn.trump()]
    points = drawn.result.get("points", ())
    for seat, declared in enumerate(drawn.input["announced"]):
        label = drawn.in_trick(seat, drawn.input["leader"])
        if not declared:
            rows.append(drawn.row(label, (), ""))
        for index, cards in enumerate(declared):
            last = index == len(declared) - 1
            scored = drawn.word("points", n=points[seat]) if last and seat < len(points) else ""
            best = drawn.word("best") if last and seat == drawn.result.get("winner") else ""
            rows.append(drawn.plain_row(label, cards, ", ".join(filter(None, (best, scored)))))
    return figure(*rows)


def _compare_hands(drawn: Drawing) -> Markup:
    points = drawn.result.get("points", ())
    rows = [drawn.trump()]
    for seat, hand in enumerate(drawn.input["hands"]):
        label = drawn.in_trick(seat, drawn.input["leader"])
        scored = drawn.word("points", n=points[seat]) if seat < len(points) and points[seat] else ""
        best = drawn.word("best") if seat == drawn.result.get("winner") else ""
        rows.append(drawn.plain_row(label, hand, ", ".join(filter(None, (best, scored)))))
    return figure(*rows)


def _belote(drawn: Drawing) -> Markup:
    placed, calls = [], 0
    for index, play in enumerate(drawn.input["plays"]):
        said = drawn.belote(calls) if play.get("call") else drawn.word("says-nothing")
        calls += bool(play.get("call"))
        caption = f"{said}, {drawn.word('refused')}" if index == drawn.refused else said
        placed.append(drawn.card(play["card"], caption, "illegal" if index == drawn.refused else None))
    return figure(
        drawn.trump(),
        drawn.plain_row(drawn.word("your-hand"), drawn.input["hand"]),
        drawn.row(drawn.word("plays"), placed),
    )


def _bids(drawn: Drawing) -> Iterable[tuple[int, str]]:
    """Yield each bid with the seat whose turn it was; nothing after a bid that the rules refuse has a turn."""
    first = start_bidding(drawn.rules, drawn.input["dealer"], None).turn
    told = drawn.input["bids"] if drawn.refused is None else drawn.input["bids"][: drawn.refused + 1]
    for place, said in enumerate(told):
        yield (first + place) % drawn.rules.players, said


def _bidding(drawn: Drawing) -> Markup:
    dealer = drawn.input["dealer"]
    rows = []
    if "turn_up" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("turn-up"), [drawn.input["turn_up"]]))
    rows.append(line(drawn.word("dealer"), drawn.player(dealer)))
    told = []
    for index, (seat, said) in enumerate(_bids(drawn)):
        step = f"{drawn.player(seat)} {drawn.said(said)}"
        told.append(f"{step} ✗ {drawn.word('refused')}" if index == drawn.refused else step)
    return figure(*rows, steps(told))


def _hands(drawn: Drawing, hands: Sequence[Sequence[str]]) -> list[Markup]:
    return [drawn.plain_row(drawn.player(seat), cards) for seat, cards in enumerate(hands)]


def _piles(drawn: Drawing, piles: Sequence[Sequence[Sequence[str]]]) -> list[Markup]:
    """Return two rows a player: the open cards, and below them the covered ones."""
    rows = []
    for seat, own in enumerate(piles):
        rows.append(drawn.plain_row(f"{drawn.player(seat)}, {drawn.word('open')}", [pile[0] for pile in own]))
        covered = [pile[1] for pile in own if len(pile) > 1]
        rows.append(drawn.plain_row(f"{drawn.player(seat)}, {drawn.word('covered')}", covered))
    return rows


def _deal(drawn: Drawing) -> Markup:
    rows = [line(drawn.word("dealer"), drawn.player(drawn.input["dealer"]))]
    prepared = [field for field in ("cut", "shuffles") if field in drawn.input]
    rows += [line(drawn.word(f"deal-{field}"), str(drawn.input[field])) for field in prepared]
    rows.append(line(drawn.word("taker"), drawn.player(drawn.input["taker"])))
    rows.append(drawn.plain_row(drawn.word("deck"), drawn.input["deck"]))
    if drawn.result.get("turn_up"):
        rows.append(drawn.plain_row(drawn.word("turn-up"), [drawn.result["turn_up"]]))
    rows += _hands(drawn, drawn.result.get("hands", drawn.result.get("before", ())))
    for seat, cards in enumerate(drawn.result.get("untouched", ())):
        rows += [drawn.plain_row(f"{drawn.player(seat)}, {drawn.word('untouched')}", cards)] if cards else []
    rows += _piles(drawn, drawn.result.get("piles", ()))
    return figure(*rows)


def _count(drawn: Drawing, contract: DealContract, tallies: Sequence[Tally], settlement: Settlement) -> Markup:
    """Return the steps from what each side brings in to the sheet, one column a side, leaving out what nobody has."""
    rows: list[tuple[str, Sequence[Any]]] = [(drawn.word("row-won"), [tally.tricks for tally in tallies])]
    steps = reckoning(drawn.rules, contract, tallies, settlement)
    rows += [(drawn.word(f"row-{row.what}"), row.figures) for row in steps if row.what == "cards" or any(row.figures)]
    rows.insert(-1, (drawn.word("result-score"), settlement.score))
    if settlement.held:
        rows.append((drawn.word("result-held"), [settlement.held, *[""] * (len(drawn.sides) - 1)]))
    return table(drawn.word("count-of", name=drawn.case.id), ["", *drawn.sides], rows)


def _score_deal(drawn: Drawing) -> Markup:
    settled = settle_sums(drawn.rules, drawn.input)
    last = [line(drawn.word("row-last"), drawn.side(drawn.input["last_trick"]))] if "last_trick" in drawn.input else []
    taker = line(drawn.word("taker"), drawn.player(drawn.input["taker"]))
    bid_for = [drawn.trump()] if "trump" in drawn.input else []
    return figure(*bid_for, taker, *last, _count(drawn, *settled))


def _settle_tricks(drawn: Drawing) -> Markup:
    rows = [drawn.trump(), line(drawn.word("taker"), drawn.player(drawn.input["taker"]))]
    each, _, tallies, settlement = settle_tricks(drawn.rules, drawn.input)
    for trick, points in zip(drawn.input["tricks"], each, strict=True):
        label = drawn.in_trick(trick["leader"], trick["leader"])
        rows.append(drawn.plain_row(label, trick["cards"], drawn.word("points", n=points)))
    if "discarded" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("tally-discarded"), drawn.input["discarded"]))
    return figure(*rows, _count(drawn, contract_named(drawn.rules, drawn.input), tallies, settlement))


def _match(drawn: Drawing) -> Markup:
    """Return the deals one below the other: what happened, what was written, and the totals after it."""
    totals, lines = drawn.input.get("totals", ()), drawn.result.get("deals", ())
    rows: list[tuple[str, Sequence[Any]]] = [(drawn.word("before"), ["", *totals, ""])] if any(totals) else []
    for index, deal in enumerate(drawn.input["deals"]):
        told = lines[index] if index < len(lines) else {}
        score = " · ".join(map(str, told["score"])) if "score" in told else ""
        figures = [score, *told.get("totals", [""] * len(drawn.sides)), told.get("held") or ""]
        rows.append((_happened(drawn, index, deal), figures))
    head = [drawn.word("deal"), drawn.word("result-score"), *drawn.sides, drawn.word("result-held")]
    if not any(told.get("held") for told in lines):
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
    at = drawn.result.get("at")
    played = (
        drawn.card(card, drawn.word("fault") if index == at else "", "illegal" if index == at else None)
        for index, card in enumerate(drawn.input["plays"])
    )
    first = line(drawn.word("leader"), drawn.player(drawn.input["leader"]))
    plays = drawn.row(drawn.word("plays"), played)
    return figure(drawn.trump(), first, *_hands(drawn, drawn.input["hands"]), plays, steps([accused]))


def _replay(drawn: Drawing) -> Markup:
    rows = [line(drawn.word("dealer"), drawn.player(drawn.input["dealer"]))]
    rows += _standing(drawn)
    rows += _hands(drawn, drawn.input.get("hands", ()))
    rows += _piles(drawn, drawn.input.get("piles", ()))
    if "turn_up" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("turn-up"), [drawn.input["turn_up"]]))
    if "deck" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("deck"), drawn.input["deck"]))
    calls: Counter[int] = Counter()
    told = []
    for index, action in enumerate(drawn.input["actions"]):
        step = _told(drawn, action, calls[action["seat"]])
        calls[action["seat"]] += bool(action.get("belote"))
        told.append(f"{step} ✗ {drawn.word('refused')}" if index == drawn.refused else step)
    return figure(*rows, steps(told))


def _perft(drawn: Drawing) -> Markup:
    first = line(drawn.word("leader"), drawn.player(drawn.input["leader"]))
    held = [*_hands(drawn, drawn.input.get("hands", ())), *_piles(drawn, drawn.input.get("piles", ()))]
    return figure(drawn.trump(), first, *held, line(drawn.word("cards-to-play"), str(drawn.input["depth"])))


def _standing(drawn: Drawing) -> list[Markup]:
    """Return the score before the deal, where there is one: a claim hangs on it."""
    totals = drawn.input.get("totals", ())
    told = "; ".join(f"{drawn.side(side)}: {total}" for side, total in enumerate(totals))
    return [line(drawn.word("score-before"), told)] if any(totals) else []


def _told(drawn: Drawing, action: Json, calls: int) -> str:
    """Return what a player does, in words; ``calls`` is how often he said belote before."""
    e, who = drawn.edition, drawn.player(action["seat"])
    if "bid" in action:
        return f"{who} {drawn.said(action['bid'])}"
    parts = [drawn.word("does-play", card=e.short_card(action["play"]))] if "play" in action else []
    parts += [
        drawn.word("does-announce", cards=" ".join(map(e.short_card, cards))) for cards in action.get("announce", ())
    ]
    if "discard" in action:
        parts.append(drawn.word("does-discard", cards=" ".join(map(e.short_card, action["discard"]))))
    if "look" in action:
        parts.append(drawn.word("does-look", n=action["look"]))
    if action.get("belote"):
        parts.append(drawn.belote(calls))
    parts += [drawn.word(f"does-{kind}") for kind in ("show", "exchange", "claim") if action.get(kind)]
    parts += [drawn.word(f"does-make-{kind}") for kind in action.get("made", ())]
    return f"{who} {', '.join(parts)}"


def _plainly(drawn: Drawing) -> Markup:
    """Tell a question of which there is no picture."""
    return Markup('<div class="position"><p>{}</p></div>').format(brief(drawn.input))


_FIGURES: Final[Mapping[str, Callable[[Drawing], Markup]]] = {
    "legal-cards": _legal_cards,
    "trick-winner": _trick_winner,
    "card-points": _card_points,
    "declarations": _declarations,
    "compare-declarations": _compare_declarations,
    "compare-hands": _compare_hands,
    "belote": _belote,
    "bidding": _bidding,
    "deal": _deal,
    "score-deal": _score_deal,
    "settle-tricks": _settle_tricks,
    "match": _match,
    "penalty": _penalty,
    "replay": _replay,
    "perft": _perft,
}


def _answer(drawn: Drawing, expected: Expectation) -> str:
    """Return an expectation as a sentence; nothing where there is none for it."""
    result = expected.fields
    if expected.kind == "rejected":
        return drawn.word("answer-refused", reason=drawn.edition.text(REASONS[result["reason"]]))
    match drawn.case.operation:
        case "legal-cards":
            return drawn.word("answer-legal", cards=drawn.edition.cards(result["cards"]))
        case "trick-winner":
            card = drawn.input["cards"][(result["winner"] - drawn.input["leader"]) % drawn.rules.players]
            return drawn.word("answer-winner", n=seat_letter(result["winner"]), card=drawn.edition.card(card))
        case "card-points" | "belote":
            return drawn.word("answer-points", n=result["points"])
        case "declarations":
            return _told_declarations(drawn, result)
        case "compare-declarations" | "compare-hands":
            return _told_best(drawn, result)
        case "bidding":
            return _bid_jsonding(drawn, result)
        case "match":
            return _told_match(drawn, result)
        case "penalty" if "proved" in result:
            return drawn.word("answer-proved" if result["proved"] else "answer-not-proved")
        case "score-deal" | "settle-tricks" | "replay":
            ended = drawn.word(f"answer-ended-{result['ended']}") if "ended" in result else ""
            outcome = drawn.word(f"answer-{result['outcome']}") if "outcome" in result else ""
            return " ".join(filter(None, (ended, outcome)))
        case "perft":
            return drawn.word("answer-count", n=result["count"])
        case _:
            return ""


def _told_declarations(drawn: Drawing, result: Json) -> str:
    if not result.get("sets", True):
        return drawn.word("answer-no-declaration")
    return drawn.word("answer-declarations", n=result["best_points"]) if "best_points" in result else ""


def _told_best(drawn: Drawing, result: Json) -> str:
    if result.get("wins_match"):
        return drawn.word("answer-belot", n=seat_letter(result["winner"]))
    if "winner" not in result:
        return ""
    if result["winner"] is None:
        return drawn.word("answer-no-best")
    return drawn.word("answer-best", n=seat_letter(result["winner"]))


def _bid_jsonding(drawn: Drawing, result: Json) -> str:
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
    bids = {bid: bid_named(bid) for bid in choices}
    amounts = [amount_of_bid(bid) for bid in bids.values() if bid is not None and amount_of_bid(bid)]
    yield from (drawn.edition.bid(name) for name, bid in bids.items() if bid is None or not amount_of_bid(bid))
    if numbers := sorted({*amounts} - {CAPOT}):
        in_all = any(
            mode_of_bid(bid) not in EVERY_SUIT for bid in bids.values() if bid is not None and amount_of_bid(bid)
        )
        low, high = numbers[0], numbers[-1]
        told = str(low) if low == high else drawn.word("answer-numbers", low=low, high=high)
        yield drawn.word("answer-amounts-all" if in_all else "answer-amounts", numbers=told)
    if CAPOT in amounts:
        yield CAPOT_NAME


def _told_match(drawn: Drawing, result: Json) -> str:
    if "winner" not in result:
        return ""
    if result["winner"] is None:
        return drawn.word("answer-on")
    return drawn.word("answer-match", who=drawn.side(result["winner"]))
