"""``score``: what a deal is worth that is told by its tricks, and the sheet of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from belot_reference.action import Action
from belot_reference.compile import Ruleset, rules_by
from belot_reference.contract import DealContract
from belot_reference.counting import Count, count_deal
from belot_reference.deal import Ending, open_deal
from belot_reference.errors import BadQuestionError, brief, whole_number
from belot_reference.match import Match, book_ended, start_match
from belot_reference.play import CompletedTrick, first_leader
from belot_reference.possible import why_impossible
from belot_reference.questions import check_form, contract_named
from belot_reference.replay import apply_all, deal_of_tricks, settle_tricks
from belot_reference.roem import roem_by_trick
from belot_reference.scoring import Outcome
from belot_reference.sheet import Contract, DealScore, Score, reckoning, score_of, settled_score
from belot_reference.view import Trick
from belot_spec.card_names import CARD_NAMES

Told = Trick | Mapping[str, Any]
_FIELDS = ("taker", "trump", "tricks", "bid", "raised", "discarded", "sides")
_KINDS = ("cards", "declarations", "outranked", "belote")


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What a deal is worth, and how that comes about.

    ``tricks`` are the tricks with their winners, and ``trick_points`` the card points of each. By side, in card points:
    ``cards`` (with the bonus of the last trick), ``declarations`` that count, those ``outranked``, ``belote``, what was
    ``counted`` when the contract was judged, and the ``points`` that it then was given; in score points its ``score``,
    ``written`` on the sheet as it stands there, and what is ``held`` for a later deal. ``steps`` lead from the cards to
    what is written. Where eight in a row won the match ``ended`` says so and ``winner`` which side, and nothing is
    counted. Printed, it is a table of the steps.
    """

    profile: str
    contract: Contract
    ended: Ending
    tricks: tuple[Trick, ...]
    trick_points: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    declarations: tuple[int, ...] = ()
    outranked: tuple[int, ...] = ()
    belote: tuple[int, ...] = ()
    counted: tuple[int, ...] = ()
    outcome: Outcome | None = None
    points: tuple[int, ...] = ()
    score: tuple[int, ...] = ()
    written: tuple[str, ...] = ()
    held: int = 0
    winner: int | None = None
    steps: tuple[tuple[str, tuple[int | str, ...]], ...] = ()

    def _repr_html_(self) -> str:
        from belot_reference.pictures import reckoning_html

        return reckoning_html(self)

    def __str__(self) -> str:
        rows = [(what.replace("-", " "), figures) for what, figures in self.steps]
        said = f"{self.profile}, seat {self.contract.taker} at {self.contract.called}: {self.outcome or self.ended}"
        return "\n".join(
            (said, *(f"{what:<20}{''.join(f'{figure:>7}' for figure in figures)}" for what, figures in rows))
        )


@overload
def score(
    profile: str | Path,
    deals: None = None,
    *,
    taker: int,
    trump: str,
    tricks: Sequence[Told],
    bid: int | str | None = None,
    raised: int = 1,
    discarded: Sequence[str] = (),
    sides: Sequence[Mapping[str, int]] | None = None,
) -> Reckoning: ...


@overload
def score(profile: str | Path, deals: Sequence[Mapping[str, Any] | None], *, dealer: int | None = None) -> Score: ...


def score(
    profile: str | Path, deals: Sequence[Mapping[str, Any] | None] | None = None, **told: Any
) -> Reckoning | Score:
    """Return what a deal is worth that is told by its tricks; of a list of such deals the score sheet.

    ``taker``, ``trump``, ``bid`` and ``raised`` are the contract, ``tricks`` all tricks in order, each a ``Trick`` or
    ``{"leader": 0, "cards": ["7S", …]}``, and ``discarded`` the cards that the taker laid away. As the tricks tell what
    everybody held, each is taken to announce and say all that he may, of several choices what is worth most, and a card
    that was not allowed is a ``Refusal``. Who knows what was announced tells it as ``sides``, for each side what counts
    (``{"declarations": 20, "belote": 20}``): then only that counts, and whether the cards were allowed is not asked.

    A deal of a list is a mapping with these names, or ``None`` where nobody took. ``dealer`` deals the first one: the
    last seat unless you say otherwise. Raises ``BadQuestionError`` for tricks that no deal has.
    """
    rules = rules_by(profile)
    if deals is None:
        return _reckoned(rules, _told("score", told))[2]
    if unknown := told.keys() - {"dealer"}:
        raise BadQuestionError(f"score: beside a list of deals stands dealer alone, not {', '.join(sorted(unknown))}")
    first = told.get("dealer")
    match = start_match(rules, rules.players - 1 if first is None else whole_number("dealer", first))
    return _sheet(rules, match, deals)


def _told(place: str, told: Any) -> dict[str, Any]:
    """Return what a deal is told by; raises ``BadQuestionError`` for other names than those."""
    if not isinstance(told, Mapping) or (told.keys() - {*_FIELDS}) or not told.keys() >= {*_FIELDS[:3]}:
        named = ", ".join(map(str, told)) if isinstance(told, Mapping) else brief(told)
        wanted = f"{', '.join(_FIELDS[:3])} and, where they are there, {', '.join(_FIELDS[3:])}"
        raise BadQuestionError(f"{place}: a deal tells {wanted}, not {named or 'nothing'}")
    return {name: value for name, value in told.items() if (value is not None and value != ()) or name == "tricks"}


def _question(told: Mapping[str, Any]) -> dict[str, Any]:
    tricks = told["tricks"]
    if isinstance(tricks, Sequence) and not isinstance(tricks, str):
        tricks = [{"leader": one.leader, "cards": list(one.cards)} if isinstance(one, Trick) else one for one in tricks]
    raised = {} if told.get("raised", 1) == 1 else {"raised": told["raised"]}
    lists = {name: list(told[name]) for name in ("discarded", "sides") if name in told}
    rest = {name: told[name] for name in ("taker", "trump", "bid") if name in told}
    return {**rest, **raised, "tricks": tricks, **lists}


def _reckoned(rules: Ruleset, told: Mapping[str, Any]) -> tuple[DealContract, Count | None, Reckoning]:
    question = _question(told)
    check_form("settle-tricks", rules, question)
    if error := why_impossible(rules, "settle-tricks", question):
        raise error
    contract = contract_named(rules, question)
    if "sides" in question:
        points, played, tallies, settlement = settle_tricks(rules, question)
        return _with_count(
            rules,
            contract,
            played,
            Count(tuple(points), roem_by_trick(rules, contract.mode, played), tuple(tallies), settlement),
        )
    return _played(rules, contract, question)


def _played(
    rules: Ruleset, contract: DealContract, question: Mapping[str, Any]
) -> tuple[DealContract, Count | None, Reckoning]:
    """Return the count of a deal in which everybody announces and says all that he may."""
    leader = question["tricks"][0]["leader"]
    dealers = [seat for seat in range(rules.players) if first_leader(rules, seat, contract.taker) == leader]
    if not dealers:
        raise BadQuestionError(f"tricks.0.leader: seat {leader} does not lead first in {rules.profile.id} then")
    settle_tricks(rules, question)  # raises for tricks that are not those of a deal
    whole = deal_of_tricks({**question, "dealer": dealers[0]}, rules.players)
    actions = tuple(map(Action.from_json, whole.pop("actions")))
    state = apply_all(rules, open_deal(rules, whole), actions, automatic=True)
    assert state.play is not None
    if state.ended != "played":
        assert state.ended is not None
        tricks = _tricks(state.play.tricks)
        found = Reckoning(rules.profile.id, _contract(contract), state.ended, tricks, winner=state.winner)
        return contract, None, found
    return _with_count(rules, contract, state.play.tricks, count_deal(rules, state))


def _with_count(
    rules: Ruleset, contract: DealContract, tricks: Sequence[CompletedTrick], count: Count
) -> tuple[DealContract, Count, Reckoning]:
    settled = count.settlement
    cards, declarations, outranked, belote = (tuple(count.of_sides(kind)) for kind in _KINDS)
    found = Reckoning(
        profile=rules.profile.id,
        contract=_contract(contract),
        ended="played",
        tricks=_tricks(tricks),
        trick_points=count.trick_points,
        cards=cards,
        declarations=declarations,
        outranked=outranked,
        belote=belote,
        counted=settled.counted,
        outcome=settled.outcome,
        points=settled.points,
        score=settled.score,
        written=settled.written,
        held=settled.held,
        steps=tuple((row.what, row.figures) for row in reckoning(rules, contract, count.tallies, settled)),
    )
    return contract, count, found


def _contract(told: DealContract) -> Contract:
    return Contract(told.taker, told.mode.name, 1, told.raised, told.bid_json().get("bid"))


def _tricks(tricks: Sequence[CompletedTrick]) -> tuple[Trick, ...]:
    return tuple(Trick(one.leader, tuple(CARD_NAMES[card] for card in one.cards), one.winner) for one in tricks)


def _sheet(rules: Ruleset, match: Match, deals: Sequence[Mapping[str, Any] | None]) -> Score:
    if not isinstance(deals, Sequence) or isinstance(deals, str):
        raise BadQuestionError(f"deals: a list of deals stands here, not {brief(deals)}")
    lines: list[DealScore] = []
    for number, told in enumerate(deals):
        try:
            contract, count, found = (None, None, None) if told is None else _reckoned(rules, _told("deal", told))
        except BadQuestionError as error:
            raise BadQuestionError(f"deals.{number}: {error}") from None
        tallies = () if count is None else count.tallies
        settlement = None if count is None else count.settlement
        match, line = book_ended(rules, match, settlement, contract, None if found is None else found.winner, tallies)
        ended: Ending = "passed" if found is None else found.ended
        lines.append(settled_score(ended, None if found is None else found.contract, settlement, line))
    return score_of(rules, match, lines)
