"""A whole deal told with pictures: the hands, the bids, each trick with why every card was played, and the count."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from belot_conformance.logs.played import Play, PlayedDeal, PlayedTrick, count_rows, deciding_rules
from belot_reference.bids import amount_name, bid_name
from belot_reference.cards import NO_CARDS, Card, CardSet, card_set, cards_in, rank_of, suit_of
from belot_reference.declarations import Declaration, in_a_row
from belot_site.content.drawing import Pictures, figure, table
from belot_site.content.edition import SiteEdition, seat_letter
from belot_site.content.motive import Turn
from belot_site.content.motive import reason as why_played
from belot_spec.card_names import CARD_NAMES


class PlayReason(NamedTuple):
    """What one player did in a trick and why; the rules that bound him have their sentence where they first do so."""

    who: str
    did: str
    rules: tuple[tuple[str, str], ...]


class ToldTrick(NamedTuple):
    """A trick as a picture, with what each player did and why, who won it, and what each side has by then.

    In the last one nobody had a choice.
    """

    figure: Markup
    whys: tuple[PlayReason, ...]
    won: str
    standing: str
    is_last: bool


class Story(Pictures):
    """Tells one deal in one language, and a rule's sentence once.

    A brief one calls seats by letters alone; why a card was played is folded there, so that each trick has its rules.
    """

    def __init__(self, deal: PlayedDeal, edition: SiteEdition, name: str = "", brief: bool = False) -> None:
        super().__init__(deal.rules, edition)
        self._brief = brief
        self._title = self.word("count-of", name=name) if name else self.word("count-title")
        self.deal = deal
        self._told: set[str] = set()

    def player(self, seat: int) -> str:
        """Return the name of a seat, or its letter."""
        return seat_letter(seat) if self._brief else super().player(seat)

    def side(self, side: int) -> str:
        """Return who plays on a side, by names or by letters."""
        letters = [seat_letter(seat) for seat, own in enumerate(self.rules.side_of) if own == side]
        return f" {self.word('and')} ".join(letters) if self._brief else super().side(side)

    @property
    def dealt(self) -> Markup:
        """What lies before each player when the first card is played, with the dealer and the turn-up."""
        deal, turned = self.deal, self.deal.dealt.turn_up
        rows = [self.who("dealer", deal.dealt.dealer)]
        if turned is not None:
            rows.append(self.cards("turn-up", [CARD_NAMES[turned]]))
        bid = None if deal.contract.bid is None else amount_name(deal.contract.bid)
        rows.append(self.trump_is(deal.contract.mode.name, deal.contract.raised, bid))
        for seat, hand in enumerate(deal.hands):
            piles = deal.dealt.piles[seat] if deal.dealt.piles else ()
            # Each covered card lies below the open one that stands above it here.
            cards = [CARD_NAMES[pile[0]] for pile in piles] or self._sorted(hand)
            rows.append(self.plain_row(self.player(seat), cards))
            if piles:
                covered = [CARD_NAMES[pile[1]] for pile in piles]
                rows.append(self.plain_row(f"{self.player(seat)}, {self.word('covered')}", covered))
        if deal.discarded:
            rows.append(self.cards("tally-discarded", self._sorted(deal.discarded)))
        return figure(*rows)

    @property
    def bids(self) -> list[str]:
        """What each player said in turn."""
        found = []
        for passed, bids in groupby(self.deal.bids, key=lambda bid: bid.said is None):
            if passed and self._brief:
                found.append(self.word("pass-too", who=", ".join(self.player(bid.seat) for bid in bids)))
            else:
                found += [f"{self.player(bid.seat)} {self.said(bid_name(bid.said))}" for bid in bids]
        return found

    @property
    def announced(self) -> list[str]:
        """What was announced before the first card."""
        return [f"{self.player(one.seat)} {self._announces(one.declarations)}" for one in self.deal.announcements]

    @property
    def tricks(self) -> Iterator[ToldTrick]:
        """The tricks from the first to the last."""
        seen, points, roem = NO_CARDS, [0] * self.rules.side_count, [0] * self.rules.side_count
        for trick in self.deal.tricks:
            side = self.rules.side_of[trick.winner]
            points[side] += trick.points
            roem[side] += trick.roem
            yield self._trick(trick, seen, points, roem)
            seen |= cards_of(trick)

    @property
    def count(self) -> Markup:
        """Every figure of the count, down to what is written on the sheet; declarations only where there are any."""
        unheard = ("declarations",) if self.rules.value("declarations.played") == "belote-only" else ()
        counted = [row for row in count_rows(self.deal) if row.what not in unheard]
        if self._brief:
            # Where nobody fell and nothing was doubled, what is left after settling is what was counted.
            same = {row.figures for row in counted if row.what == "counted"}
            counted = [row for row in counted if row.what != "points" or row.figures not in same]
        rows = [(self._row_title(row.what), row.figures) for row in counted]
        return table(self._title, ["", *self.sides], rows)

    def _row_title(self, what: str) -> str:
        """Return what a row of the count holds; where figures are rounded, how that is done."""
        rounding = self.rules.profile.settings.get("scoring.rounding")
        if what != "written" or rounding is None:
            return self.word(f"row-{what}")
        return self.word("row-written-rounded", how=self.edition.short("scoring.rounding", rounding.value))

    @property
    def outcome(self) -> str:
        """Whether the taker made it."""
        return self.word(f"answer-{self.deal.count.settlement.outcome}")

    @property
    def deciding(self) -> list[tuple[str, str]]:
        """The rules that settled the deal, with their sentences."""
        return [(rule, self._sentence(rule)) for rule in deciding_rules(self.deal)]

    def _sentence(self, rule: str) -> str:
        return self.edition.sentence(rule, self.rules.profile)

    def _trick(self, trick: PlayedTrick, seen: CardSet, points: Sequence[int], roem: Sequence[int]) -> ToldTrick:
        if self._brief:
            self._told.clear()
        placed = [self.card(CARD_NAMES[play.card], self._caption(trick, play.seat)) for play in trick.plays]
        won = f"trick-won{'-roem' if trick.roem else ''}{'-brief' if self._brief else ''}"
        sides = "; ".join(
            f"{side}: {number}{self.word('roem-too', n=own) if own else ''}"
            for side, number, own in zip(self.sides, points, roem, strict=True)
        )
        return ToldTrick(
            figure(self.row("" if self._brief else self.word("trick"), placed)),
            tuple(self._why(trick, play, seen) for play in trick.plays),
            self.word(won, who=self.player(trick.winner), points=trick.points, roem=trick.roem),
            self.word("standing", sides=sides),
            trick is self.deal.tricks[-1],
        )

    def _caption(self, trick: PlayedTrick, seat: int) -> str:
        if self._brief:
            return seat_letter(seat)
        caption = self.in_trick(seat, trick.leader)
        return f"{caption}, {self.word('wins')}" if seat == trick.winner else caption

    def _why(self, trick: PlayedTrick, play: Play, seen: CardSet) -> PlayReason:
        why = self.word(f"why-{reason(self.deal, trick, play, seen)}")
        did = [f"{self.edition.short_card(CARD_NAMES[play.card])}: {why}"]
        if play.announced:
            did.append(self._announces(play.announced))
        if play.belote:
            did.append(self.belote(play.belote - 1))
        if play.shown:
            did.append(self.word("does-show"))
        if play.turned is not None:
            did.append(self.word("does-turn", card=self.edition.short_card(CARD_NAMES[play.turned])))
        did += [self.word(f"does-make-{kind}") for kind in play.made]
        new = [rule for rule in play.forced_by if rule not in self._told]
        self._told |= set(new)
        return PlayReason(self.player(play.seat), "; ".join(did), tuple((rule, self._sentence(rule)) for rule in new))

    def _announces(self, declarations: Sequence[Declaration]) -> str:
        rows = [([CARD_NAMES[card] for card in in_a_row(self.rules, one.cards)], one.points) for one in declarations]
        told = (f"{' '.join(map(self.edition.short_card, row))} ({self.word('points', n=n)})" for row, n in rows)
        return self.word("does-announce", cards=", ".join(told))

    def _sorted(self, cards: CardSet) -> list[str]:
        """Return cards suit by suit, the strongest first."""

        def place(card: Card) -> tuple[int, int]:
            strong = self.deal.contract.mode.strength[suit_of(card)]
            return suit_of(card), -strong[rank_of(card)]

        return [CARD_NAMES[card] for card in sorted(cards_in(cards), key=place)]


def reason(deal: PlayedDeal, trick: PlayedTrick, play: Play, seen: CardSet) -> str:
    """Return what a card is played for, as the end of a key in words.yaml; ``seen`` are the cards of earlier tricks."""
    if play.legal.bit_count() == 1 and play.turned is not None:
        return "only"
    before = tuple(one.card for one in trick.plays[: trick.plays.index(play)])
    turn = Turn(deal.contract.mode, trick.leader, before, play.seat, play.hand, play.legal, seen)
    return why_played(deal.rules, turn, play.card)


def cards_of(trick: PlayedTrick) -> CardSet:
    """Return the cards of a trick."""
    return card_set(play.card for play in trick.plays)
