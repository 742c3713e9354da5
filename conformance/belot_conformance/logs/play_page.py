"""A played deal as a page of text: the deal, the bidding, each trick with what was forced, and the count."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from belot_conformance.logs.played import Play, PlayedDeal, PlayedTrick, count_rows, deciding_rules
from belot_conformance.text.brief import SUIT_SIGNS
from belot_conformance.text.page import Page
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


def print_deal(page: Page, deal: PlayedDeal, spec: Spec, language: Language, *, noted: bool = False) -> None:
    """Print a played deal from the cut to the score; one that was ``noted`` comes from no seed."""
    teller = _Teller(page, deal, spec, language, noted)
    teller.start()
    teller.bidding()
    teller.announcing()
    for number, trick in enumerate(deal.tricks, start=1):
        teller.trick(number, trick)
    teller.count()


class _Teller:
    """Prints the parts of one deal in one language."""

    def __init__(self, page: Page, deal: PlayedDeal, spec: Spec, language: Language, noted: bool) -> None:
        self.page = page
        self.deal = deal
        self.noted = noted
        self.rules: Ruleset = deal.rules
        self.spec = spec
        self.language = language
        self.words = _WORDS.in_language(language)

    def start(self) -> None:
        """Print who plays with whom, the cut, and what is dealt before the bidding."""
        deal, profile, dealt = self.deal, self.rules.profile, self.deal.dealt
        self.page.line(f"{profile.id}: {profile.name.in_language(self.language)}", style="bold")
        intro = self.words["noted"] if self.noted else self._say("intro", seed=deal.seed)
        self.page.line(f"{intro} {self._sides()} {self.words['ranks']}")
        if deal.shuffles > 1:
            self.page.line(self._say("again", n=deal.shuffles))
        self.page.heading(self.words["deal"])
        self._tell("deals", dealer=dealt.dealer, cutter=deal.cutter, cut=deal.question["cut"])
        self._tell("piles" if dealt.piles else "dealt")
        for seat, piles in enumerate(dealt.piles):
            text = " ".join(f"{self._card(top)}/{self._card(under)}" for top, under in piles)
            self.page.labelled(self._player(seat), text, indent=2, width=8)
        if not dealt.piles:
            self._hands(dealt.hands, None)
        if dealt.turn_up is not None:
            self._tell("turn_up", card=self._card(dealt.turn_up))

    def _sides(self) -> str:
        if self.rules.side_count == self.rules.players:
            return self.words["alone"]
        sides = [self._side(side) for side in range(self.rules.side_count)]
        return f"{self.words['versus'].join(sides)}."

    def bidding(self) -> None:
        """Print the bids, what the taker then does, and the hands."""
        deal, mode = self.deal, self.deal.contract.mode.number
        trump, called = self._bid(mode), self._bid(bid_of(mode, self.deal.contract.bid or 0))
        self.page.heading(self.words["bidding"])
        for number in sorted({bid.round for bid in deal.bids}):
            said = [
                self._say("passes" if bid.said is None else self._bids, n=bid.seat, suit=self._bid(bid.said))
                for bid in deal.bids
                if bid.round == number
            ]
            lead = "" if self.rules.has_auction else f"{self._say('round', n=number)} "
            self.page.line(f"{lead}{', '.join(said)}.", indent=2, hang=2)
        self._sentences(bid.forced_by for bid in deal.bids if bid.forced_by is not None)
        is_suit = deal.contract.mode.kind == "suit"
        self._tell("trump" if is_suit else "mode", suit=called, n=deal.contract.taker)
        if deal.contract.raised > 1:
            self._tell("doubled", n=deal.contract.raised)
        if deal.discarded:
            self._tell("discards", n=deal.contract.taker, cards=self._cards(deal.discarded, deal.contract.mode))
            self._sentences(["deal.taker-discards"])
        if deal.exchanged_by is not None and deal.dealt.turn_up is not None:
            card = self._card(deal.dealt.turn_up)
            self._tell("exchanges", n=deal.exchanged_by, seven=f"7{trump}", card=card)
            self._sentences(["deal.seven-exchange"])
        if not deal.dealt.piles:
            self._tell("hands")
            self._hands(deal.hands, deal.contract.mode)

    def announcing(self) -> None:
        """Print what is announced before the first lead, where anything is."""
        for one in self.deal.announcements:
            self._tell("says", hang=2, n=one.seat, what=self._declarations(one.declarations))
        if self.deal.announcements:
            self._sentences(["declarations.announced"])
            self._best()

    def trick(self, number: int, trick: PlayedTrick) -> None:
        """Print a trick: each card with what was said and why it was forced, then the winner and the rules."""
        self.page.heading(self._say("trick", number=number, n=trick.leader))
        for play in trick.plays:
            label = f"{self._player(play.seat)}  {self._card(play.card)}"
            self.page.labelled(label, "; ".join(self._remarks(play)), indent=2, width=14)
        won = next(play.card for play in trick.plays if play.seat == trick.winner)
        self._tell("wins", n=trick.winner, card=self._card(won), points=trick.points)
        self._sentences(rule for play in trick.plays for rule in play.forced_by)
        if number == 1 and not self.deal.announcements:
            self._best()

    def _best(self) -> None:
        """Print whose declaration is the best, if any is."""
        if self.deal.best_declaration is not None:
            self._tell("best", n=self.deal.best_declaration)
            self._sentences(["declarations.winner-scores"])

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

    def count(self) -> None:
        """Print every figure of the count, whether the taker made it, the rules that decided, and the score."""
        settlement = self.deal.count.settlement
        self.page.heading(self.words["count"])
        sides = [self._side(side) for side in range(self.rules.side_count)]
        rows = [(self.words[row.what], *map(str, row.figures)) for row in count_rows(self.deal)]
        self.page.table(["", *sides], rows, indent=2)
        if settlement.held:
            self._tell("held", n=settlement.held)
        self.page.blank()
        self.page.line(self._say(settlement.outcome, n=self.deal.contract.taker), indent=2, style="bold")
        self._sentences(deciding_rules(self.deal))

    def _say(self, name: str, /, **values: Any) -> str:
        return self.words[name].format(**values)

    def _tell(self, name: str, /, hang: int = 0, **values: Any) -> None:
        self.page.line(self._say(name, **values), indent=2, hang=hang)

    def _sentences(self, rules: Iterable[str]) -> None:
        """Print each rule once, with its sentence."""
        for rule in dict.fromkeys(rules):
            value = self.rules.value(rule)
            settings = self.rules.profile.settings
            words = sentence(self.spec.rules[rule], value, self.language, self.spec.glossary, settings)
            self.page.line(f"{rule}: {words}", indent=4, hang=2, style="dim")

    def _hands(self, hands: Sequence[CardSet], mode: Mode | None) -> None:
        for seat, hand in enumerate(hands):
            self.page.labelled(self._player(seat), self._cards(hand, mode), indent=4, width=8)

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

    @property
    def _bids(self) -> str:
        """What somebody does who says anything but pass."""
        return "bids" if self.rules.has_auction else "takes"

    def _bid(self, bid: Bid) -> str:
        return "" if bid is None else bid_text(bid_name(bid), self.language)

    def _side(self, side: int) -> str:
        seats = [str(seat) for seat in range(self.rules.players) if self.rules.side_of[seat] == side]
        return self._player(int(seats[0])) if len(seats) == 1 else f" {self.words['and']} ".join(seats)
