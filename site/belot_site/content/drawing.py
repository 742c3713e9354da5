"""What every picture is made of: cards in rows with labels, steps, and tables of figures."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from markupsafe import Markup

from belot_conformance.suite.cases import Case
from belot_reference.card_svg import Mark, card_svg, suit_svg
from belot_reference.compile import Ruleset
from belot_site.content.edition import SiteEdition, seat_letter
from belot_spec.card_names import SUITS
from belot_spec.languages import Language
from belot_spec.spec import Profile

Json = Mapping[str, Any]

# The suit that is trump in a picture that is of no deal.
SUIT_OF_TRUMP: Final = "H"
# What is no bid in the bidding, and what somebody does who says it.
_SAID: Final = {"pass": "passes", "double": "doubles", "redouble": "redoubles"}


@cache
def _placed(card: str, language: Language, caption: str, mark: Mark | None) -> Markup:
    # The same few cards are drawn tens of thousands of times.
    below = Markup('<span class="below">{}</span>').format(caption) if caption else ""
    return Markup('<span class="placed">{}{}</span>').format(Markup(card_svg(card, language, mark)), below)


class Pictures:
    """Draws cards in rows, and names seats and sides, in one language and by one set of rules."""

    def __init__(self, rules: Ruleset, edition: SiteEdition) -> None:
        self.rules, self.edition = rules, edition.at(rules.profile.id)

    def word(self, key: str, **values: object) -> str:
        """Return one of the site's own texts."""
        return self.edition.word(key, **values)

    def player(self, seat: int) -> str:
        """Return the name of a seat: people give it a letter, the protocol a number."""
        return self.word("player", n=seat_letter(seat))

    def in_trick(self, seat: int, leader: int) -> str:
        """Return the name of a seat, with that he leads if he does."""
        return f"{self.player(seat)} {self.word('leads')}" if seat == leader else self.player(seat)

    def side(self, side: int) -> str:
        """Return who plays on a side."""
        seats = [seat for seat in range(self.rules.players) if self.rules.side_of[seat] == side]
        if len(seats) == 1:
            return self.player(seats[0])
        one, other = map(seat_letter, seats)
        return self.word("pair", one=one, other=other)

    @property
    def sides(self) -> list[str]:
        """Who plays on each side."""
        return [self.side(side) for side in range(self.rules.side_count)]

    def belote(self, before: int) -> str:
        """Return what somebody says who said it for this pair before, so many times: belote first, then rebelote."""
        again = before > 0 and self.rules.value("declarations.belote.calls") != "first-card"
        return self.word("does-rebelote" if again else "does-belote")

    def card(self, card: str, caption: str = "", mark: Mark | None = None) -> Markup:
        """Return one card with what is said of it below."""
        return _placed(card, self.edition.language, caption, mark)

    def row(self, label: str, cards: Iterable[Markup], note: str = "") -> Markup:
        """Return cards side by side with a label before them and a note after them."""
        inside = Markup("").join(cards) or Markup('<span class="none">{}</span>').format(self.word("no-cards"))
        after = Markup('<span class="note">{}</span>').format(note) if note else ""
        return _ROW.format(label, Markup('<span class="cards">{}</span>{}').format(inside, after))

    def plain_row(self, label: str, cards: Iterable[str], note: str = "") -> Markup:
        """Return cards side by side with nothing said below them."""
        return self.row(label, (self.card(card) for card in cards), note)

    def cards(self, key: str, cards: Iterable[str]) -> Markup:
        """Return cards side by side, called by one of the site's own texts."""
        return self.plain_row(self.word(key), cards)

    def fact(self, key: str, text: object) -> Markup:
        """Return a text behind one of the site's own."""
        return line(self.word(key), str(text))

    def who(self, key: str, seat: int) -> Markup:
        """Return who it is that one of the site's own texts names."""
        return self.fact(key, self.player(seat))

    def trump_is(self, mode: str, raised: int = 1, bid: int | str | None = None) -> Markup:
        """Return the line that says what trump is, no suit and all of them too, with what was bid and how raised."""
        told = self.trump_named(mode, raised, bid)
        if mode not in SUITS or bid is not None:
            return self.fact("contract", told)
        return Markup('<div class="row trump"><span class="label">{}</span><span>{} {}</span></div>').format(
            self.word("trump"), Markup(suit_svg(mode)), told
        )

    def trump_named(self, mode: str, raised: int, bid: int | str | None = None) -> str:
        """Return what a contract is played at, with its number where one was bid, and whether it is doubled."""
        name = self.edition.mode(mode) if bid is None else self.edition.bid(f"{bid}{mode}")
        return f"{name}, {self.word(f'raised-{raised}')}" if raised > 1 else name

    def said(self, bid: str) -> str:
        """Return what a player does in the bidding: he passes, takes a suit, bids, doubles or redoubles."""
        if bid in _SAID:
            return self.word(_SAID[bid])
        return self.word("bids" if self.rules.has_auction else "takes", suit=self.edition.bid(bid))


class Drawing(Pictures):
    """What the drawing of one case needs: its input, its first answer, and the rules of its profile."""

    def __init__(self, case: Case, edition: SiteEdition) -> None:
        super().__init__(edition.library.reference.ruleset(case.profile), edition)
        self.case = case
        self.input: Json = case.input
        first = case.expected[0]
        self.result: Json = first.fields if first.kind == "result" else {}
        # Which of the things that were done one after the other is refused, if any is.
        self.refused: int | None = first.fields.get("at") if first.kind == "rejected" else None

    def trump(self) -> Markup:
        """Return the line that says what trump is."""
        return self.trump_is(self.input["trump"], self.input.get("raised", 1), self.input.get("bid"))


_ROW: Final = Markup('<div class="row"><span class="label">{}</span>{}</div>')
_TABLE: Final = Markup(
    '<div class="scroll" role="region" tabindex="0" aria-label="{}"><table class="count">'
    "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
)


def figure(*rows: Markup) -> Markup:
    """Return rows as one drawing."""
    return Markup('<div class="position">{}</div>').format(Markup("").join(rows))


def line(label: str, text: str) -> Markup:
    """Return a row of text with a label before it."""
    return _ROW.format(label, Markup("<span>{}</span>").format(text))


def steps(told: Iterable[str]) -> Markup:
    """Return what happened one after the other, numbered as people count."""
    lines = _each("<li>{}</li>", told)
    return Markup('<ol class="steps">{}</ol>').format(lines) if lines else lines


def table(label: str, head: Sequence[str], rows: Iterable[tuple[str, Sequence[Any]]]) -> Markup:
    """Return figures as a table with a name for each row and each column."""
    heads = (Markup('<th scope="col">{}</th>' if name else "<td></td>").format(name) for name in head)
    body = (Markup('<tr><th scope="row">{}</th>{}</tr>').format(name, _each("<td>{}</td>", own)) for name, own in rows)
    return _TABLE.format(label, Markup("").join(heads), Markup("").join(body))


def _each(form: str, values: Iterable[object]) -> Markup:
    return Markup("").join(Markup(form).format(value) for value in values)


# In which order cards lie that have values of their own, and of which suit they are shown.
_DECKS: Final = {
    "trump": ("trump", SUIT_OF_TRUMP), "plain": ("plain", "S"),
    "no-trump": ("plain", "S"), "all-trump": ("trump", SUIT_OF_TRUMP),
}  # fmt: skip


def decks(edition: SiteEdition, profile: Profile) -> dict[str, Markup]:
    """Return the two orders of the cards, trump in one suit and the others in another, each card with its worth.

    Where cards have values of their own at no trumps and at all trumps, these contracts follow, each in its order.
    """
    found = {}
    for kind, (order, suit) in _DECKS.items():
        if (points := profile.settings.get(f"scoring.{kind}-points")) is not None:
            ranks = profile.value(f"deck.{order}-order")
            cards = [_placed(rank + suit, edition.language, str(points.value.get(rank, 0)), None) for rank in ranks]
            row = Markup('<div class="row"><span class="cards">{}</span></div>').format(Markup("").join(cards))
            found[kind] = figure(row)
    return found


def order_note(edition: SiteEdition, variant: str) -> str:
    """Return what is to be known of the two orders; where a game has other modes, which of the two counts in each."""
    settings = edition.library.profile(variant).settings
    kinds = [mode.kind for mode in edition.library.reference.ruleset(variant).modes if mode.kind != "suit"]
    shared = [kind for kind in kinds if f"scoring.{kind.removesuffix('s')}-points" not in settings]
    return " ".join(edition.word(key) for key in ("order-note", *(f"order-note-{kind}" for kind in shared)))
