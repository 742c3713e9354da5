"""Positions drawn for a page: the cards as pictures with names, what is asked, and the answer in words beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from belot_conformance.card_svg import Mark, card_svg, suit_svg
from belot_conformance.cases import Case, Expectation
from belot_reference.bidding import bid, start_bidding
from belot_reference.cards import CARD_BY_NAME, suit_of
from belot_reference.compile import Ruleset
from belot_reference.errors import Refusal
from belot_reference.play import Table, legal_cards, table_of, winning_seat
from belot_reference.questions import bid_named, set_named, suit_named
from belot_site.edition import Edition
from belot_site.tables import deal_table, match_table

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Position:
    """A case as people see it: the picture, the answers that are right in words, and why, rule by rule."""

    figure: Markup
    answers: tuple[str, ...]
    why: tuple[tuple[str, str], ...]


def position(case: Case, edition: Edition) -> Position:
    """Return a case drawn and told in the language of an edition."""
    drawn = _Drawing(case, edition)
    figure = _FIGURES[case.operation](drawn)
    return Position(figure, tuple(_answer(drawn, one) for one in case.expected), tuple(drawn.why()))


class _Drawing:
    """What the drawing of one case needs: its input, its first answer, and the rules of its profile."""

    def __init__(self, case: Case, edition: Edition) -> None:
        self.case, self.edition = case, edition
        self.input: Json = case.input
        self.rules: Ruleset = edition.library.reference.ruleset(case.profile)
        first = case.expected[0]
        self.result: Json = first.fields if first.kind == "result" else {}
        self.refused: Json | None = first.fields if first.kind == "rejected" else None

    def word(self, key: str, **values: object) -> str:
        return self.edition.word(key, **values)

    def player(self, seat: int) -> str:
        return self.word("player", n=seat)

    def side(self, side: int) -> str:
        seats = [str(seat) for seat in range(self.rules.players) if self.rules.side_of[seat] == side]
        return self.player(int(seats[0])) if len(seats) == 1 else self.word("pair", one=seats[0], other=seats[1])

    def card(self, card: str, caption: str = "", mark: Mark | None = None) -> Markup:
        """Return one card with what is said of it below."""
        below = Markup('<span class="below">{}</span>').format(caption) if caption else ""
        picture = Markup(card_svg(card, self.edition.language, mark))
        return Markup('<span class="placed">{}{}</span>').format(picture, below)

    def row(self, label: str, cards: Iterable[Markup], note: str = "") -> Markup:
        """Return cards side by side with a label before them and a note after them."""
        inside = Markup("").join(cards) or Markup('<span class="none">{}</span>').format(self.word("no-cards"))
        after = Markup('<span class="note">{}</span>').format(note) if note else ""
        return Markup('<div class="row"><span class="label">{}</span><span class="cards">{}</span>{}</div>').format(
            label, inside, after
        )

    def plain_row(self, label: str, cards: Sequence[str], note: str = "") -> Markup:
        return self.row(label, (self.card(card) for card in cards), note)

    def trump(self) -> Markup:
        suit = self.input["trump"]
        name = self.edition.suit(suit)
        return Markup('<div class="row trump"><span class="label">{}</span><span>{} {}</span></div>').format(
            self.word("trump"), Markup(suit_svg(suit)), name
        )

    def why(self) -> Iterable[tuple[str, str]]:
        """Yield the rules that decide with their sentences: the one that binds this hand first, then those pinned."""
        settings = self.rules.profile.settings
        rules = [*_binding_rule(self), *self.case.rules]
        for rule in dict.fromkeys(rules):
            if rule in settings:
                yield rule, self.edition.sentence(rule, settings[rule].value)


def _figure(*rows: Markup) -> Markup:
    return Markup('<div class="position">{}</div>').format(Markup("").join(rows))


def _binding_rule(drawn: _Drawing) -> list[str]:
    if drawn.case.operation != "legal-cards":
        return []
    found = legal_cards(
        drawn.rules, suit_named(drawn.input["trump"]), set_named(drawn.input["hand"]), _table(drawn, 0, "trick")
    )
    return [found.rule]


def _table(drawn: _Drawing, leader: int, field: str) -> Table:
    cards = [CARD_BY_NAME[card] for card in drawn.input[field]]
    return table_of(drawn.rules, suit_named(drawn.input["trump"]), leader, cards)


def _legal_cards(drawn: _Drawing) -> Markup:
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
    return _figure(*rows, drawn.row(drawn.word("your-hand"), allowed))


def _trick_winner(drawn: _Drawing) -> Markup:
    leader, cards = drawn.input["leader"], drawn.input["cards"]
    placed = []
    for index, card in enumerate(cards):
        seat = (leader + index) % drawn.rules.players
        led = f"{drawn.player(seat)} {drawn.word('leads')}" if index == 0 else drawn.player(seat)
        placed.append(drawn.card(card, f"{led}, {drawn.word('wins')}" if seat == drawn.result.get("winner") else led))
    return _figure(drawn.trump(), drawn.row(drawn.word("trick"), placed))


def _card_points(drawn: _Drawing) -> Markup:
    trump = suit_named(drawn.input["trump"])
    worth = (
        drawn.card(card, str(drawn.rules.points_of(trump, 1 << CARD_BY_NAME[card]))) for card in drawn.input["cards"]
    )
    note = drawn.word("with-last-trick") if drawn.input.get("last_trick") else ""
    return _figure(drawn.trump(), drawn.row(drawn.word("cards"), worth, note))


def _declarations(drawn: _Drawing) -> Markup:
    rows = [drawn.plain_row(drawn.word("your-hand"), drawn.input["hand"])]
    for found in drawn.result.get("sets", ()):
        for index, cards in enumerate(found["declarations"]):
            last = index == len(found["declarations"]) - 1
            note = drawn.word("points", n=found["points"]) if last and "points" in found else ""
            label = drawn.word("declaration") if index == 0 else drawn.word("together-with")
            rows.append(drawn.plain_row(label, cards, note))
    return _figure(*rows)


def _compare_declarations(drawn: _Drawing) -> Markup:
    rows = [drawn.trump()]
    points = drawn.result.get("points", ())
    for seat, declared in enumerate(drawn.input["announced"]):
        label = f"{drawn.player(seat)} {drawn.word('leads')}" if seat == drawn.input["leader"] else drawn.player(seat)
        if not declared:
            rows.append(drawn.row(label, (), ""))
        for index, cards in enumerate(declared):
            last = index == len(declared) - 1
            scored = drawn.word("points", n=points[seat]) if last and seat < len(points) else ""
            best = drawn.word("best") if last and seat == drawn.result.get("winner") else ""
            rows.append(drawn.plain_row(label, cards, ", ".join(filter(None, (best, scored)))))
    return _figure(*rows)


def _belote(drawn: _Drawing) -> Markup:
    placed = []
    for index, play in enumerate(drawn.input["plays"]):
        said = drawn.word("says-belote") if play.get("call") else drawn.word("says-nothing")
        refused = drawn.refused is not None and drawn.refused.get("at") == index
        caption = f"{said}, {drawn.word('refused')}" if refused else said
        placed.append(drawn.card(play["card"], caption, "illegal" if refused else None))
    return _figure(
        drawn.trump(),
        drawn.plain_row(drawn.word("your-hand"), drawn.input["hand"]),
        drawn.row(drawn.word("plays"), placed),
    )


def _said(drawn: _Drawing, bid: str) -> str:
    return drawn.word("passes") if bid == "pass" else drawn.word("takes", suit=drawn.edition.suit(bid))


def _bids(drawn: _Drawing) -> Iterable[tuple[int, str]]:
    """Yield each bid with the seat whose turn it was; nothing after a bid that the rules refuse has a turn."""
    turn_up = drawn.input.get("turn_up")
    bidding = start_bidding(drawn.rules, drawn.input["dealer"], turn_up and suit_of(CARD_BY_NAME[turn_up]))
    for said in drawn.input["bids"]:
        yield bidding.turn, said
        try:
            bidding = bid(drawn.rules, bidding, bid_named(said))
        except Refusal:
            return


def _bidding(drawn: _Drawing) -> Markup:
    dealer = drawn.input["dealer"]
    rows = []
    if "turn_up" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("turn-up"), [drawn.input["turn_up"]]))
    rows.append(_line(drawn.word("dealer"), drawn.player(dealer)))
    steps = []
    for index, (seat, said) in enumerate(_bids(drawn)):
        refused = drawn.refused is not None and drawn.refused.get("at") == index
        step = f"{drawn.player(seat)} {_said(drawn, said)}"
        steps.append(f"{step} ✗ {drawn.word('refused')}" if refused else step)
    return _figure(*rows, _steps(steps))


def _line(label: str, text: str) -> Markup:
    return Markup('<div class="row"><span class="label">{}</span><span>{}</span></div>').format(label, text)


def _steps(steps: Sequence[str]) -> Markup:
    if not steps:
        return Markup("")
    lines = Markup("").join(Markup("<li>{}</li>").format(step) for step in steps)
    return Markup('<ol class="steps" start="0">{}</ol>').format(lines)


def _hands(drawn: _Drawing, hands: Sequence[Sequence[str]]) -> list[Markup]:
    return [drawn.plain_row(drawn.player(seat), cards) for seat, cards in enumerate(hands)]


def _piles(drawn: _Drawing, piles: Sequence[Sequence[Sequence[str]]]) -> list[Markup]:
    """Return two rows a player: the open cards, and below them the covered ones."""
    rows = []
    for seat, own in enumerate(piles):
        rows.append(drawn.plain_row(f"{drawn.player(seat)}, {drawn.word('open')}", [pile[0] for pile in own]))
        covered = [pile[1] for pile in own if len(pile) > 1]
        rows.append(drawn.plain_row(f"{drawn.player(seat)}, {drawn.word('covered')}", covered))
    return rows


def _deal(drawn: _Drawing) -> Markup:
    rows = [_line(drawn.word("dealer"), drawn.player(drawn.input["dealer"]))]
    prepared = [field for field in ("cut", "shuffles") if field in drawn.input]
    rows += [_line(drawn.word(f"deal-{field}"), str(drawn.input[field])) for field in prepared]
    rows.append(_line(drawn.word("taker"), drawn.player(drawn.input["taker"])))
    rows.append(drawn.plain_row(drawn.word("deck"), drawn.input["deck"]))
    if drawn.result.get("turn_up"):
        rows.append(drawn.plain_row(drawn.word("turn-up"), [drawn.result["turn_up"]]))
    rows += _hands(drawn, drawn.result.get("hands", ()))
    rows += _piles(drawn, drawn.result.get("piles", ()))
    return _figure(*rows)


def _score_deal(drawn: _Drawing) -> Markup:
    sides = [drawn.side(side) for side in range(drawn.rules.side_count)]
    taker = _line(drawn.word("taker"), drawn.player(drawn.input["taker"]))
    return _figure(taker, deal_table(drawn.edition, drawn.case.id, sides, drawn.input["sides"], drawn.result))


def _match(drawn: _Drawing) -> Markup:
    sides = [drawn.side(side) for side in range(drawn.rules.side_count)]
    totals = drawn.input.get("totals", [0] * len(sides))
    return _figure(match_table(drawn.edition, drawn.case.id, sides, totals, drawn.input["deals"], drawn.result))


def _penalty(drawn: _Drawing) -> Markup:
    accused = drawn.word("accuses", by=drawn.input["accuser"], of=drawn.input["accused"])
    at = drawn.result.get("at")
    played = (
        drawn.card(card, drawn.word("fault") if index == at else "", "illegal" if index == at else None)
        for index, card in enumerate(drawn.input["plays"])
    )
    first = _line(drawn.word("leader"), drawn.player(drawn.input["leader"]))
    plays = drawn.row(drawn.word("plays"), played)
    return _figure(drawn.trump(), first, *_hands(drawn, drawn.input["hands"]), plays, _steps([accused]))


def _replay(drawn: _Drawing) -> Markup:
    rows = [_line(drawn.word("dealer"), drawn.player(drawn.input["dealer"]))]
    rows += _hands(drawn, drawn.input.get("hands", ()))
    rows += _piles(drawn, drawn.input.get("piles", ()))
    if "turn_up" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("turn-up"), [drawn.input["turn_up"]]))
    if "deck" in drawn.input:
        rows.append(drawn.plain_row(drawn.word("deck"), drawn.input["deck"]))
    at = None if drawn.refused is None else drawn.refused.get("at")
    steps = [
        f"{_told(drawn, action)} ✗ {drawn.word('refused')}" if index == at else _told(drawn, action)
        for index, action in enumerate(drawn.input["actions"])
    ]
    return _figure(*rows, _steps(steps))


def _told(drawn: _Drawing, action: Json) -> str:
    """Return what a player does, in words."""
    e, who = drawn.edition, drawn.player(action["seat"])
    if "bid" in action:
        return f"{who} {_said(drawn, action['bid'])}"
    parts = [drawn.word("does-play", card=e.short_card(action["play"]))] if "play" in action else []
    parts += [
        drawn.word("does-announce", cards=" ".join(map(e.short_card, cards))) for cards in action.get("announce", ())
    ]
    if "discard" in action:
        parts.append(drawn.word("does-discard", cards=" ".join(map(e.short_card, action["discard"]))))
    if "look" in action:
        parts.append(drawn.word("does-look", n=action["look"]))
    parts += [drawn.word(f"does-{kind}") for kind in ("belote", "show", "exchange", "claim") if action.get(kind)]
    parts += [drawn.word(f"does-make-{kind}") for kind in action.get("made", ())]
    return f"{who} {', '.join(parts)}"


_FIGURES: Final[Mapping[str, Callable[[_Drawing], Markup]]] = {
    "legal-cards": _legal_cards,
    "trick-winner": _trick_winner,
    "card-points": _card_points,
    "declarations": _declarations,
    "compare-declarations": _compare_declarations,
    "belote": _belote,
    "bidding": _bidding,
    "deal": _deal,
    "score-deal": _score_deal,
    "match": _match,
    "penalty": _penalty,
    "replay": _replay,
}


def _answer(drawn: _Drawing, expected: Expectation) -> str:
    """Return an expectation as a sentence."""
    if expected.kind == "rejected":
        return drawn.word("answer-refused", reason=drawn.word(f"reason-{expected.fields['reason']}"))
    told = _ANSWERS.get(drawn.case.operation)
    return told(drawn, expected.fields) if told else ""


def _told_legal(drawn: _Drawing, result: Json) -> str:
    return drawn.word("answer-legal", cards=drawn.edition.cards(result["cards"]))


def _told_winner(drawn: _Drawing, result: Json) -> str:
    card = drawn.input["cards"][(result["winner"] - drawn.input["leader"]) % drawn.rules.players]
    return drawn.word("answer-winner", n=result["winner"], card=drawn.edition.card(card))


def _told_points(drawn: _Drawing, result: Json) -> str:
    return drawn.word("answer-points", n=result["points"])


def _told_declarations(drawn: _Drawing, result: Json) -> str:
    if not result.get("sets", True):
        return drawn.word("answer-no-declaration")
    return drawn.word("answer-declarations", n=result["best_points"]) if "best_points" in result else ""


def _told_best(drawn: _Drawing, result: Json) -> str:
    if result.get("wins_match"):
        return drawn.word("answer-belot", n=result["winner"])
    if "winner" not in result:
        return ""
    if result["winner"] is None:
        return drawn.word("answer-no-best")
    return drawn.word("answer-best", n=result["winner"])


def _told_bidding(drawn: _Drawing, result: Json) -> str:
    if result["state"] == "taken" and "trump" in result:
        return drawn.word("answer-taken", n=result["taker"], suit=drawn.edition.suit(result["trump"]))
    if result["state"] == "open" and "choices" in result:
        said = [drawn.word("pass") if choice == "pass" else drawn.edition.suit(choice) for choice in result["choices"]]
        return drawn.word("answer-open", n=result["turn"], choices=", ".join(said))
    return drawn.word("answer-failed") if result["state"] == "failed" else ""


def _told_outcome(drawn: _Drawing, result: Json) -> str:
    return drawn.word(f"answer-{result['outcome']}") if "outcome" in result else ""


def _told_match(drawn: _Drawing, result: Json) -> str:
    if "winner" not in result:
        return ""
    return (
        drawn.word("answer-on")
        if result["winner"] is None
        else drawn.word("answer-match", who=drawn.side(result["winner"]))
    )


def _told_penalty(drawn: _Drawing, result: Json) -> str:
    return drawn.word("answer-proved" if result["proved"] else "answer-not-proved") if "proved" in result else ""


def _told_replay(drawn: _Drawing, result: Json) -> str:
    ended = drawn.word(f"answer-ended-{result['ended']}") if "ended" in result else ""
    return " ".join(filter(None, (ended, _told_outcome(drawn, result))))


_ANSWERS: Final[Mapping[str, Callable[[_Drawing, Json], str]]] = {
    "legal-cards": _told_legal,
    "trick-winner": _told_winner,
    "card-points": _told_points,
    "declarations": _told_declarations,
    "compare-declarations": _told_best,
    "belote": _told_points,
    "bidding": _told_bidding,
    "score-deal": _told_outcome,
    "match": _told_match,
    "penalty": _told_penalty,
    "replay": _told_replay,
}


def deck_row(edition: Edition, ranks: Sequence[str], suit: str, points: Mapping[str, int]) -> Markup:
    """Return the cards of a suit from high to low, each with what it is worth."""
    cards = Markup("").join(
        Markup('<span class="placed">{}<span class="below">{}</span></span>').format(
            Markup(card_svg(rank + suit, edition.language)), points.get(rank, 0)
        )
        for rank in ranks
    )
    return Markup('<div class="position"><div class="row"><span class="cards">{}</span></div></div>').format(cards)
