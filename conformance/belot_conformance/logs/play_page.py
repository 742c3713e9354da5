"""A played deal as a page of text: the deal, the bidding, each trick with what was forced, and the count."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from belot_conformance.logs.played import Play, PlayedDeal, count_rows, deciding_rules
from belot_conformance.text.brief import SUIT_SIGNS
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_reference.bids import Bid, bid_name, bid_of
from belot_reference.cards import Card, CardSet, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.declarations import Declaration
from belot_reference.mode import Mode
from belot_reference.sheet import bid_text
from belot_reference.view import INDICES
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.languages import Language
from belot_spec.spec import Spec
from belot_spec.wording import sentence
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "play")


_PACKAGE: Final = "belot_conformance.logs"


def print_deal(page: Page, deal: PlayedDeal, spec: Spec, language: Language, *, noted: bool = False) -> None:
    """Print a played deal from the cut to the score; one that was ``noted`` comes from no seed."""
    facts = {**_Words(deal, spec, language).facts(), "deal": deal, "noted": noted}
    tell(page, "play.j2", 8, _PACKAGE, part="beginning", **facts)
    for number, trick in enumerate(deal.tricks, start=1):
        tell(page, "play.j2", 14, _PACKAGE, part="trick", number=number, trick=trick, **facts)
    tell(page, "play.j2", 8, _PACKAGE, part="count", rows=count_rows(deal), deciding=deciding_rules(deal), **facts)


class _Words:
    """What is said of one deal in one language."""

    def __init__(self, deal: PlayedDeal, spec: Spec, language: Language) -> None:
        self.deal = deal
        self.rules: Ruleset = deal.rules
        self.spec = spec
        self.language = language
        self.words = _WORDS.in_language(language)

    def facts(self) -> dict[str, Any]:
        """Return what the template says its parts with."""
        mode, sides = self.deal.contract.mode.number, [self._side(side) for side in range(self.rules.side_count)]
        return {
            "w": self.words, "text": self._say, "card": self._card, "cards": self._cards, "player": self._player,
            "bid": self._bid, "declarations": self._declarations, "remarks": self._remarks, "sentence": self._sentence,
            "profile": self.rules.profile, "name": self.rules.profile.name.in_language(self.language),
            "has_auction": self.rules.has_auction, "has_roem": self.rules.has_roem, "sides_alone": sides,
            "sides": sides if self.rules.side_count < self.rules.players else (),
            "trump": self._bid(mode), "called": self._bid(bid_of(mode, self.deal.contract.bid or 0)),
        }  # fmt: skip

    def _sentence(self, rule: str) -> str:
        settings = self.rules.profile.settings
        return sentence(self.spec.rules[rule], self.rules.value(rule), self.language, self.spec.glossary, settings)

    def _remarks(self, play: Play) -> Iterator[str]:
        if play.forced_by:
            yield self._forced(play)
        if play.announced:
            yield self._say("announces", what=self._declarations(play.announced))
        if play.shown:
            yield self._say("shows", what=self._declarations(play.shown))
        if play.belote:
            yield self.words[f"belote{min(play.belote, 2)}"]
        if play.turned is not None:
            yield self._say("turns", card=self._card(play.turned))
        if play.made:
            what = self.words["made_and"].join(self.words[kind] for kind in play.made)
            yield self._say("makes", what=what, points=play.made_points)

    def _forced(self, play: Play) -> str:
        """Say which cards could be played, or where they are nearly all which could not, and by which rules."""
        legal, refused = play.legal.bit_count(), play.hand & ~play.legal
        return self._say(
            "one" if legal == 1 else "all_but" if refused.bit_count() <= 2 and legal > 4 else "some",
            cards=self._cards(play.legal, self.deal.contract.mode),
            refused=self._cards(refused, self.deal.contract.mode),
            n=legal,
            held=play.hand.bit_count(),
            rules=", ".join(play.forced_by),
        )

    def _declarations(self, declarations: Sequence[Declaration]) -> str:
        return ", ".join(
            f"{self.words[declaration.kind]} {self._run(declaration)} ({declaration.points})"
            for declaration in declarations
        )

    def _run(self, declaration: Declaration) -> str:
        """Return the cards of a declaration, the highest in sequence order first."""
        position = self.rules.sequence_position
        cards = sorted(cards_in(declaration.cards), key=lambda card: (-position[rank_of(card)], card))
        return " ".join(map(self._card, cards))

    def _say(self, name: str, /, **values: Any) -> str:
        return self.words[name].format(**values)

    def _cards(self, cards: CardSet, mode: Mode | None) -> str:
        """Return cards suit by suit, the strongest first."""
        return " ".join(map(self._card, sorted(cards_in(cards), key=lambda card: self._place(card, mode))))

    def _place(self, card: Card, mode: Mode | None) -> tuple[int, int]:
        strength = self.rules.plain_strength if mode is None else mode.strength[suit_of(card)]
        return suit_of(card), -strength[rank_of(card)]

    def _card(self, card: Card) -> str:
        rank = CARD_NAMES[card][:-1]
        index = INDICES[rank].in_language(self.language) if rank in INDICES else rank
        return index + SUIT_SIGNS[SUITS[suit_of(card)]]

    def _player(self, seat: int) -> str:
        return self.words["player"].format(n=seat)

    def _bid(self, bid: Bid) -> str:
        return "" if bid is None else bid_text(bid_name(bid), self.language)

    def _side(self, side: int) -> str:
        seats = [str(seat) for seat in range(self.rules.players) if self.rules.side_of[seat] == side]
        return self._player(int(seats[0])) if len(seats) == 1 else f" {self.words['and']} ".join(seats)
