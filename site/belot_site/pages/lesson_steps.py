"""The steps of a lesson: a position of a deal, what can be tapped there, and what the engine says of each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from belot_conformance.logs.played import Play, PlayedDeal, PlayedTrick, count_rows
from belot_reference.bidding import Bidding, bid, bid_choices, start_bidding
from belot_reference.bids import DOUBLE, Bid, amount_name, amount_of_bid, bid_name, mode_of_bid
from belot_reference.card_svg import suit_svg
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_set,
    cards_in,
    holds,
    suit_of,
)
from belot_reference.declarations import in_a_row
from belot_reference.mode import Mode
from belot_reference.operations import answer
from belot_reference.play import Legal, legal_cards, refusing_rule, table_of
from belot_reference.roem import roem_of
from belot_reference.scoring import card_factor
from belot_site.content.drawing import Pictures, table
from belot_site.content.edition import SiteEdition
from belot_site.pages.playground import seats_of
from belot_site.playground.deal import sorted_hand
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.catalogue import holds as plays
from belot_spec.catalogue import text_of
from belot_workshop.lesson_deals import taken_with

Json = Mapping[str, Any]


class Tap(NamedTuple):
    """What can be tapped: drawn, in words, whether it is right, and which verdict is said of it."""

    drawn: Markup
    name: str
    is_right: bool
    verdict: int


class Step(NamedTuple):
    """One step: what is told first, what is asked, what lies on the table, what can be tapped, and the verdicts."""

    id: str
    title: str
    before: tuple[str, ...]
    strips: Mapping[str, Sequence[tuple[str, int]]]
    ask: str
    table: Markup
    taps: tuple[Tap, ...]
    verdicts: tuple[tuple[str, ...], ...]
    where: str

    @property
    def right(self) -> list[Tap]:
        """What is right; what is said of any of it is the same."""
        return [tap for tap in self.taps if tap.is_right]


# A card or a word to tap, its name, whether it is right, and what is said of it.
_Choice = tuple[Markup, str, bool, tuple[str, ...]]


class Teacher(Pictures):
    """Makes the steps of a lesson from the deals that it has, the first that shows a thing before the others."""

    def __init__(self, deals: Sequence[PlayedDeal], edition: SiteEdition) -> None:
        super().__init__(deals[0].rules, edition)
        self._deals, self._seen = deals, seats_of(self.edition, self.rules)

    def step(self, name: str, texts: Json) -> Step | None:
        """Return a step as the texts of lessons tell it, or nothing where no deal has such a position."""
        made = _KINDS[texts.get("kind", name)](self, texts)
        if made is None:
            return None
        where, shown, choices = made
        said = list(dict.fromkeys(verdict for *_, verdict in choices))
        taps = tuple(Tap(drawn, name, is_right, said.index(verdict)) for drawn, name, is_right, verdict in choices)
        title, ask = (self.edition.text(text_of(texts[key])) for key in ("title", "ask"))
        strips = self._strips() if texts.get("strips") else {}
        return Step(
            name, title, tuple(self._before(texts)), strips, ask, Markup("").join(shown), taps, tuple(said), where
        )

    def _before(self, texts: Json) -> Iterator[str]:
        """Yield what is told before anything is asked: what words mean, and the sentences of rules."""
        for name in texts.get("terms", ()):
            term = self.edition.library.spec.glossary.terms[name]
            called, meaning = (self.edition.text(text_of(words)) for words in (term, term["meaning"]))
            yield self.word(
                "lesson-term", name=called[:1].upper() + called[1:], meaning=meaning[:1].lower() + meaning[1:]
            )
        profile = self.rules.profile
        for rules in texts.get("before", ()):
            own = [rule for rule in ([rules] if isinstance(rules, str) else rules) if rule in profile.settings]
            if own:
                yield " ".join(self.edition.sentence(rule, profile) for rule in own)
        if told := list(self._that_hold(texts.get("told", ()))):
            yield " ".join(told)
        if texts.get("total") and (last := self.rules.value("scoring.last-trick")):
            cards = self.rules.points_of(self._deals[-1].contract.mode, self.rules.deck)
            yield self.word("lesson-total", cards=cards, last=last, n=cards + last)

    def _strips(self) -> dict[str, list[tuple[str, int]]]:
        """Return the cards from high to low with what they are worth, trumps and others, as far as there are both."""
        mode, found = self._deals[0].contract.mode, {}
        for kind in ("trump", "plain"):
            suits = [suit for suit in EVERY_SUIT if mode.is_trump(suit) == (kind == "trump")]
            cards = [CARD_BY_NAME[rank + SUITS[suits[0]]] for rank in self._order(kind)] if suits else []
            if cards:
                title = self.word(f"{kind}-order" if mode.kind == "suit" else f"{mode.kind[:-1]}-order")
                worth = [self.rules.points_of(mode, ONLY[card]) for card in cards]
                names = [self.edition.short_card(CARD_NAMES[card])[:-1] for card in cards]
                found[title] = list(zip(names, worth, strict=True))
        return found

    def trump(self, texts: Json) -> "_Position | None":
        """Return a hand with which somebody took, and in which suit it is worth most."""
        for deal in self._deals:
            taken, mode = taken_with(deal), deal.contract.mode
            best = Suit(mode.number)
            own = {suit: taken.cards & SUIT_CARDS[suit] for suit in EVERY_SUIT if taken.cards & SUIT_CARDS[suit]}
            worth = {suit: self.rules.points_of(self.rules.modes[suit], cards) for suit, cards in own.items()}
            if all(worth[suit] < worth[best] for suit in own if suit != best):
                turned = ONLY[deal.dealt.turn_up] if deal.dealt.turn_up is not None else NO_CARDS
                rows = [
                    _cards([self.card(CARD_NAMES[card], said) for card in sorted_hand(self.rules, cards, mode)], kind)
                    for kind, said, cards in (
                        ("held", "", taken.cards & ~turned),
                        ("turned", self.word("try-turned-short"), taken.cards & turned),
                    )
                ]
                return "words", rows, [self._suit(suit, own, worth, best) for suit in own]
        return None

    def _suit(self, suit: Suit, own: Mapping[Suit, CardSet], worth: Mapping[Suit, int], best: Suit) -> _Choice:
        mode = self.rules.modes[suit]
        points = (
            f"{self.edition.short_card(CARD_NAMES[card])} {self.rules.points_of(mode, ONLY[card])}"
            for card in sorted_hand(self.rules, own[suit], mode)
        )
        name = self.edition.suit(SUITS[suit])
        worth_of_it = self.word("lesson-trumps", suit=name, cards=", ".join(points), n=worth[suit])
        more = () if suit == best else (self.word("lesson-more", suit=self.edition.suit(SUITS[best]), n=worth[best]),)
        drawn = Markup("{} {}").format(Markup(suit_svg(SUITS[suit])), name)
        return drawn, name, suit == best, (self._verdict(suit == best, worth_of_it, *more), self._orders())

    def auction(self, texts: Json) -> "_Position | None":
        """Return what may be said over a bid of the other side, best where much may be and much may not."""
        found = [one for deal in self._deals for one in self._overcalls(deal)]
        if not found:
            return None
        _, bids, bidding = max(found, key=lambda one: one[0])
        may = bid_choices(self.rules, bidding)
        before = " · ".join(
            f"{self._name(seat, bidding.turn)}: {self.edition.bid(bid_name(said))}" for seat, said in bids
        )
        shown = Markup('<div class="row"><span>{}</span></div>').format(before)
        free = "" if self.rules.has_amounts else self.word("lesson-say", what=", ".join(self._bid(one) for one in may))
        choices: list[_Choice] = []
        for one in self._sayable(bidding):
            name = self._bid(one)
            drawn = (
                Markup("{} {}").format(Markup(suit_svg(bid_name(one))), name)
                if bid_name(one) in SUITS
                else Markup("{}").format(name)
            )
            choices.append((drawn, name, one in may, (self._verdict(one in may, free).strip(), *self._stated(texts))))
        return "words", [shown], choices

    def _overcalls(self, deal: PlayedDeal) -> Iterator[tuple[int, list[tuple[int, Bid]], Bidding]]:
        """Yield the turns at which a bid of the other side stands that nobody doubled, with how well they teach."""
        bidding = start_bidding(self.rules, deal.dealt.dealer, None)
        for place, one in enumerate(deal.bids):
            standing, may = bidding.node.standing, bid_choices(self.rules, bidding)
            if standing is not None and DOUBLE in may:
                right = sum(said in may for said in self._sayable(bidding))
                yield (
                    min(right, len(self._sayable(bidding)) - right),
                    [(own.seat, own.said) for own in deal.bids[:place]],
                    bidding,
                )
            bidding = bid(self.rules, bidding, one.said, one.seat)

    def _sayable(self, bidding: Bidding) -> list[Bid]:
        """Return what can be tapped: to pass, to double, and bids; of numbers that which stands and its neighbours."""
        bids = [one for one in start_bidding(self.rules, bidding.dealer, None).node.choices if one is not None]
        standing = bidding.node.standing
        if standing is not None and standing.bid is not None:
            amounts = list(dict.fromkeys(map(amount_of_bid, bids)))
            at = amounts.index(standing.bid)
            suits = [suit for suit in EVERY_SUIT if suit != standing.mode.number]
            near = dict(zip(amounts[max(at - 1, 0) : at + 2], suits, strict=False))
            bids = [one for one in bids if near.get(amount_of_bid(one)) == mode_of_bid(one)]
        return [None, *bids, DOUBLE]

    def _bid(self, said: Bid) -> str:
        return self.edition.bid(bid_name(said))

    def declaration(self, texts: Json) -> "_Position | None":
        """Return a hand from which something is declared."""
        belote = self.rules.value_or("declarations.belote.points", 0)
        for deal in self._deals:
            before = [(one.declarations, deal.hands[one.seat]) for one in deal.announcements]
            for sets, hand in [*before, *((play.announced, play.hand) for _, play in _plays(deal))]:
                cards = card_set(card for one in sets for card in cards_in(one.cards))
                if cards and hand & ~cards:
                    said = [
                        self.word("lesson-set", cards=self._named(in_a_row(self.rules, one.cards)), n=one.points)
                        for one in sets
                    ]
                    pair_of = deal.contract.mode.pair_of
                    pairs = dict.fromkeys(pair_of[card] for card in cards_in(hand) if pair_of[card])
                    said += [
                        self.word("lesson-belote", cards=self._short(pair, deal.contract.mode), n=belote)
                        for pair in pairs
                        if belote and hand & pair == pair
                    ]
                    return self._hand(deal, hand, cards, self._stated(texts), *said)
        return None

    def king_and_queen(self, texts: Json) -> "_Position | None":
        """Return a hand with king and queen of trump when the first of them is played."""
        for deal in self._deals:
            for _, play in _plays(deal):
                pair = deal.contract.mode.pair_of[play.card]
                if play.belote == 1 and play.hand & pair == pair and play.hand & ~pair:
                    said = self.word("lesson-pair", cards=self._short(pair, deal.contract.mode))
                    return self._hand(deal, play.hand, pair, self._stated(texts), said)
        return None

    def roem(self, texts: Json) -> "_Position | None":
        """Return a trick with roem in it, of which some card has no part."""
        for deal, trick, cards in self._tricks():
            points = self._roem(deal, cards)
            # Without a card that has a part in it there is less.
            part = {card for card in cards if self._roem(deal, [one for one in cards if one != card]) < points}
            if part and len(part) < len(cards):
                own = self._named(in_a_row(self.rules, card_set(part)))
                said = self.word("lesson-roem", cards=own, n=points)
                return self._trick(deal, trick, part, self._stated(texts), said)
        return None

    def _roem(self, deal: PlayedDeal, cards: Sequence[Card]) -> int:
        return sum(roem_of(self.rules, deal.contract.mode, cards))

    def winner(self, texts: Json) -> "_Position | None":
        """Return a trick, best one that was ruffed or that somebody else than its leader took, and who took it."""

        def weight(found: tuple[PlayedDeal, PlayedTrick, Sequence[Card]]) -> tuple[bool, bool, int]:
            deal, trick, cards = found
            is_trump = [deal.contract.mode.is_trump(suit_of(card)) for card in cards]
            is_ruffed = any(is_trump) and not is_trump[0]
            return is_ruffed, trick.winner != trick.leader, len({suit_of(card) for card in cards})

        deal, trick, _ = max(self._tricks(), key=weight)
        won = next(play.card for play in trick.plays if play.seat == trick.winner)
        card, times = self.edition.short_card(CARD_NAMES[won]), card_factor(self.rules, deal.contract.mode)
        said = (
            self.word("lesson-won", card=card, n=trick.points)
            if times == 1
            else self.word("lesson-won-times", card=card, points=trick.points, times=times, n=trick.points * times)
        )
        orders = [self._orders()] if deal.contract.mode.kind == "suit" else []
        return self._trick(deal, trick, {won}, [*self._stated(texts), *orders], said)

    def legal(self, texts: Json) -> "_Position | None":
        """Return a position in which one of some rules decides; best one that forbids some of its suit."""

        def weight(found: tuple[PlayedDeal, PlayedTrick, Play]) -> tuple[int, bool, bool, int, int]:
            deal, _, play = found
            allowed, refused = list(cards_in(play.legal)), list(cards_in(play.hand & ~play.legal))
            is_plain = {*map(suit_of, allowed)}.isdisjoint(map(suit_of, refused))
            rank, few = texts["rules"].index(play.forced_by[0]), min(len(allowed), len(refused))
            return rank, is_plain, len(allowed) == 1, -few, self._deals.index(deal)

        known = [
            (deal, trick, play)
            for deal in self._deals
            for trick, play in _plays(deal)
            if len(play.forced_by) == 1 and play.forced_by[0] in texts["rules"]
        ]
        if not known:
            return None
        deal, trick, play = min(known, key=weight)
        mode, before = deal.contract.mode, [one.card for one in trick.plays[: trick.plays.index(play)]]
        decided = legal_cards(self.rules, mode, play.hand, table_of(self.rules, mode, trick.leader, before))
        shown = [self.trump_is(mode.name), self._lie(trick.plays[: len(before)], play.seat)]
        choices = [self._legal(card, mode, decided, texts) for card in sorted_hand(self.rules, play.hand, mode)]
        return "hand", shown, choices

    def _legal(self, card: Card, mode: Mode, decided: Legal, texts: Json) -> _Choice:
        may = holds(decided.cards, card)
        rule = decided.rule if may else refusing_rule(self.rules, mode, card, decided)
        allowed = self.word("lesson-may" if may else "lesson-may-not", cards=self._short(decided.cards, mode))
        told = [] if [*self._that_hold(texts["told"])] else [self.edition.sentence(rule, self.rules.profile)]
        # What is played in the like positions is told with it: with the partner winning, for one.
        return self._choice(card, may, (self._verdict(may, allowed), *told, *self._that_hold(texts.get("adds", ()))))

    def _that_hold(self, texts: Iterable[Json]) -> Iterator[str]:
        values = {rule: setting.value for rule, setting in self.rules.profile.settings.items()}
        return (self.edition.text(text_of(one["says"])) for one in texts if plays(one["when"], values))

    def count(self, texts: Json) -> "_Position | None":
        """Return what each side has after the last deal that is told, and whether the taker made it."""
        deal, me = self._deals[-1], self._deals[-1].contract.taker
        contract, outcome = deal.contract, deal.count.settlement.outcome
        order = sorted(range(self.rules.side_count), key=lambda side: self._side_from(side, me))
        names = [self._seen["sides"][self._side_from(side, me)] for side in order]
        rows = [(self.word(f"row-{row.what}"), row.figures) for row in count_rows(deal) if row.what in _COUNTED]
        own = [(name, [figures[side] for side in order]) for name, figures in rows if any(figures)]
        bid = None if contract.bid is None else amount_name(contract.bid)
        shown = [
            self.trump_is(contract.mode.name, contract.raised, bid),
            table(self.word("count-title"), ["", *names], own),
        ]
        written = [f"{name} {deal.count.settlement.written[side]}" for name, side in zip(names, order, strict=True)]
        said = self.word("lesson-written", written=", ".join(written))
        rounded = {"says": ()} if (sum_of_it := self._rounded(deal, order)) else {}
        said = f"{sum_of_it} {said}".strip()
        return "words", shown, self._outcomes(("made", "fell"), outcome, {**texts, **rounded}, said)

    def _rounded(self, deal: PlayedDeal, order: Sequence[int]) -> str:
        """Return how a deal is rounded where both sides together get one point more than each by itself, or nothing."""
        if not self.rules.profile.plays("scoring.rounding", "fewer-goes-up"):
            return ""
        settled, unit = deal.count.settlement, self.rules.value("scoring.sheet-unit")
        written, points = sum(settled.score), [settled.points[side] for side in order]
        down, rests = [one // unit for one in points], sorted(one % unit for one in points)
        if written != sum(down) + 1 or rests[-1] == rests[-2]:
            return ""
        return self.word(
            "lesson-rounded",
            points=" + ".join(map(str, points)), sum=sum(points), whole=written,
            down=" + ".join(map(str, down)), low=sum(down), more=rests[-1], fewer=rests[0],
        )  # fmt: skip

    def hanging(self, texts: Json) -> "_Position | None":
        """Return a deal in which both sides have half of the points."""
        mode = self._deals[0].contract.mode
        half = (self.rules.points_of(mode, self.rules.deck) + self.rules.value("scoring.last-trick")) // 2
        side = {"cards": half, "tricks": self.rules.hand_size // 2}
        trump = {"trump": mode.name} if self.rules.has_auction else {}
        settled = answer("score-deal", self.rules, {**trump, "taker": 0, "sides": [side, side]}).result
        if settled is None:
            return None
        names = self._seen["sides"]
        shown = [table(self.word("count-title"), ["", *names], [(self.word("row-counted"), [half, half])])]
        written = [f"{name} {points}" for name, points in zip(names, settled["score"], strict=True)]
        said = self.word("lesson-written", written=", ".join(written))
        return "words", shown, self._outcomes(("made", "fell", "tied"), str(settled["outcome"]), texts, said)

    def _outcomes(self, kinds: Sequence[str], outcome: str, texts: Json, said: str) -> list[_Choice]:
        choices: list[_Choice] = []
        for kind in kinds:
            name, is_right = self.word(f"answer-{kind}"), kind == outcome
            verdict = (self._verdict(is_right, self.word(f"answer-{outcome}")), *self._stated(texts), said)
            choices.append((Markup("{}").format(name), name, is_right, verdict))
        return choices

    def _side_from(self, side: int, me: int) -> int:
        """Return which side a side is to somebody: his own comes first."""
        seen: int = self._seen["side_of"][(self.rules.side_of.index(side) - me) % self.rules.players]
        return seen

    def _tricks(self) -> Iterator[tuple[PlayedDeal, PlayedTrick, Sequence[Card]]]:
        """Yield the tricks of all deals but the last of each, which is played of itself."""
        for deal in self._deals:
            yield from ((deal, trick, [play.card for play in trick.plays]) for trick in deal.tricks[:-1])

    def _lie(self, plays: Iterable[Play], me: int) -> Markup:
        return _cards([self.card(CARD_NAMES[play.card], self._name(play.seat, me)) for play in plays])

    def _name(self, seat: int, me: int) -> str:
        """Return who somebody is to another, who is himself ``me``."""
        name: str = self._seen["seats"][(seat - me) % self.rules.players]
        return name

    def _trick(
        self, deal: PlayedDeal, trick: PlayedTrick, right: Iterable[Card], rules: Iterable[str], said: str
    ) -> "_Position":
        own, last = set(right), trick.plays[-1].seat
        choices = [
            self._choice(
                play.card,
                play.card in own,
                (self._verdict(play.card in own, said), *rules),
                self._name(play.seat, last),
            )
            for play in trick.plays
        ]
        return "table", [self.trump_is(deal.contract.mode.name)], choices

    def _hand(self, deal: PlayedDeal, hand: CardSet, right: CardSet, rules: Iterable[str], *said: str) -> "_Position":
        mode = deal.contract.mode
        choices = [
            self._choice(card, holds(right, card), (self._verdict(holds(right, card), *said), *rules))
            for card in sorted_hand(self.rules, hand, mode)
        ]
        return "hand", [self.trump_is(mode.name)], choices

    def _choice(self, card: Card, is_right: bool, verdict: tuple[str, ...], caption: str = "") -> _Choice:
        name = CARD_NAMES[card]
        return self.card(name, caption), self.edition.card(name), is_right, verdict

    def _verdict(self, is_right: bool, *said: str) -> str:
        return " ".join([self.word("lesson-right" if is_right else "lesson-wrong"), *said])

    def _stated(self, texts: Json) -> list[str]:
        profile = self.rules.profile
        return [self.edition.sentence(rule, profile) for rule in texts.get("says", ()) if rule in profile.settings]

    def _orders(self) -> str:
        orders = {
            kind: " ".join(self.edition.short_card(rank + SUITS[0])[:-1] for rank in self._order(kind))
            for kind in ("trump", "plain")
        }
        return self.word("lesson-order", **orders)

    def _order(self, kind: str) -> list[str]:
        names = {CARD_NAMES[card] for card in cards_in(self.rules.deck)}
        return [rank for rank in self.rules.value(f"deck.{kind}-order") if rank + SUITS[0] in names]

    def _short(self, cards: CardSet, mode: Mode) -> str:
        return self._named(sorted_hand(self.rules, cards, mode))

    def _named(self, cards: Iterable[Card]) -> str:
        return " ".join(self.edition.short_card(CARD_NAMES[card]) for card in cards)


# Where there is something to tap, what lies on the table, and what can be tapped.
_Position = tuple[str, list[Markup], list[_Choice]]

_KINDS: Final[Mapping[str, Callable[[Teacher, Json], _Position | None]]] = {
    "trump": Teacher.trump, "declaration": Teacher.declaration, "belote": Teacher.king_and_queen, "roem": Teacher.roem,
    "winner": Teacher.winner, "legal": Teacher.legal, "count": Teacher.count,
    "auction": Teacher.auction, "hanging": Teacher.hanging,
}  # fmt: skip

# The rows of a count from what was won to what decides.
_COUNTED: Final = ("cards", "cards-multiplied", "declarations", "belote", "counted")


def _plays(deal: PlayedDeal) -> Iterator[tuple[PlayedTrick, Play]]:
    """Yield the plays of a deal with their tricks, but for those of the last trick."""
    yield from ((trick, play) for trick in deal.tricks[:-1] for play in trick.plays)


def _cards(drawn: Iterable[Markup], kind: str = "lie") -> Markup:
    return Markup('<div class="cards {}">{}</div>').format(kind, Markup("").join(drawn))
