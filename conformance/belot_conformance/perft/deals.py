"""The published deals with the numbers of their sequences: ``cases/perft/``, a file for each profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from belot_reference.compile import Ruleset
from belot_reference.perft import Plays, opened
from belot_reference.play import PlayState
from belot_spec.data import cases_folder
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.files import read_json


@dataclass(frozen=True, slots=True)
class Last:
    """The same deal when so many tricks are left: who leads, what is held, and the sequences to its end."""

    tricks: int
    leader: int
    hands: Sequence[Sequence[str]]
    count: int


@dataclass(frozen=True, slots=True)
class Deal:
    """A published deal: ``counts`` are the sequences of one card, of two, and so on.

    ``piles`` stand in the place of ``hands`` where cards lie open and covered. ``lasts`` are empty there.
    """

    name: str
    trump: str
    leader: int
    hands: Sequence[Sequence[str]]
    piles: Sequence[Sequence[Sequence[str]]]
    counts: Sequence[int]
    lasts: Sequence[Last]

    def start(self, rules: Ruleset) -> tuple[Plays, PlayState]:
        """Return what counts the deal, and the play before its first card."""
        held = {"piles": self.piles} if self.piles else {"hands": self.hands}
        return opened(rules, {"trump": self.trump, "leader": self.leader, **held})

    def ending(self, rules: Ruleset, last: Last) -> tuple[Plays, PlayState]:
        """Return what counts the last tricks, and the play before them."""
        return opened(rules, {"trump": self.trump, "leader": last.leader, "hands": last.hands})


@dataclass(frozen=True, slots=True)
class Bids:
    """The sequences of one bid, of two, and so on, of a deal without or with a card turned up in a suit."""

    turn_up: str | None
    counts: Sequence[int]


@dataclass(frozen=True, slots=True)
class Published:
    """All that is published for a profile; ``unseen`` are the mutants of its rules of play that change no count."""

    profile: str
    deals: Sequence[Deal]
    bidding: Sequence[Bids]
    told: int
    unseen: Sequence[str]


def folder() -> Path:
    """Return where the published deals stand."""
    return cases_folder() / "perft"


def published_profiles() -> list[str]:
    """Return the profiles for which deals are published."""
    return sorted(path.stem for path in folder().glob("*.json"))


def published(profile: str) -> Published:
    """Return what is published for a profile; raises ``UnknownNameError`` if nothing is."""
    known = published_profiles()
    if profile not in known:
        hint = nearest(profile, known) or f"; there are deals for {', '.join(known)}"
        raise UnknownNameError(f"no deals are published for {profile}{hint}")
    return published_from(read_json(folder() / f"{profile}.json"))


def published_from(data: Mapping[str, Any]) -> Published:
    """Return what a file of published deals says."""
    deals = [
        Deal(
            one["name"],
            one["trump"],
            one["leader"],
            one.get("hands", ()),
            one.get("piles", ()),
            one["counts"],
            [Last(**last) for last in one.get("lasts", ())],
        )
        for one in data["deals"]
    ]
    bidding = [Bids(one.get("turn_up"), one["counts"]) for one in data["bidding"]]
    return Published(data["profile"], deals, bidding, data["mutants"]["told"], data["mutants"]["unseen"])


def deal_named(found: Published, name: str) -> Deal:
    """Return a deal by its name; raises ``UnknownNameError``."""
    by_name = {deal.name: deal for deal in found.deals}
    if name not in by_name:
        raise UnknownNameError(f"there is no deal {name}{nearest(name, by_name) or ': ' + ', '.join(by_name)}")
    return by_name[name]
