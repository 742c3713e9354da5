"""The commands of ``belot`` that need no program: a deal, the notation, baselines and common mistakes."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    FORMAT,
    LANGUAGE,
    echo,
    echo_json,
    echo_page,
    selection_options,
    tell_page,
)
from belot_conformance.explain.overlay import as_yaml
from belot_conformance.house_suite.planning import plan_profile
from belot_conformance.logs.noted import problem, refused_in, transcript_of
from belot_conformance.logs.played import Play, PlayedDeal, count_rows, deciding_rules, play_random_deal, tell
from belot_conformance.logs.records import read_whole
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.programs.reference import reference_for
from belot_conformance.reports.scores import scores_json, scores_told
from belot_conformance.suite.baselines import SEED, baseline_scores
from belot_conformance.suite.selection import Selection
from belot_conformance.text.brief import SUIT_SIGNS
from belot_conformance.text.page import Page
from belot_conformance.text.printable import printable_lines
from belot_conformance.text.template import tell as tell_template
from belot_conformance.text.terminal import TerminalPage
from belot_reference.bids import Bid, bid_name, bid_of
from belot_reference.cards import Card, CardSet, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.declarations import Declaration
from belot_reference.errors import NotationError, Refusal
from belot_reference.game import engine_of, noted_game
from belot_reference.mode import Mode
from belot_reference.notation import Transcript
from belot_reference.sheet import bid_text
from belot_reference.view import INDICES
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.errors import BelotError, SpecError
from belot_spec.languages import Language
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Spec
from belot_spec.wording import sentence
from belot_spec.words import Words


@click.command()
@selection_options
@click.option("--seed", "guesses", type=int, default=SEED, show_default=True, help="The same seed, the same guesses.")
@FORMAT
def baselines(selection: Selection, guesses: int, form: str) -> None:
    """Score programs that know nothing, to hold a score against.

    All cards are legal, the first card, no declarations, always yes or no, guesses. A score is worth what it has above
    these.
    """
    reference = reference_for(selection.profile)
    plan = plan_profile(selection, reference)
    scores = baseline_scores(plan, reference, seed=guesses)
    found = {"planned": len(plan), "baselines": scores_json(scores)}
    tell_page(form, lambda page: tell_template(page, "scores.j2", **scores_told(scores)), lambda: found)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--profile", help="What to play by (bela-3, belote+target-301, house-rules.yaml).")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed, the same deal.")
@FORMAT
@LANGUAGE
def play(file: Path | None, profile: str | None, seed: int, form: str, language: Any) -> None:
    """Play a deal, and say which rule forced a choice.

    It is a random one, or that of FILE in the notation; - is stdin. Of a deal that is not over, or whose deck is not
    known, the table is shown as it then is. With --format json: the deal as the operation "replay" takes it.
    """
    spec = default_spec()
    if file is not None:
        _play_again(file, profile, form, language)
        return
    if profile is None:
        raise click.UsageError("Missing option '--profile', or a FILE in the notation.")
    deal = play_random_deal(compile_profile(open_profile(profile, spec)), seed)
    if form == "json":
        echo_json(deal.question, indent=None)
    else:
        print_deal(TerminalPage(), deal, spec, language)


def _play_again(file: Path, profile: str | None, form: str, language: Any) -> None:
    """Tell the last deal of a file in the notation."""
    transcript = transcript_of(file, read_whole(file), profile, language)
    try:
        game = noted_game(transcript, profile)
    except NotationError as error:
        raise SpecError([problem(file, error, language)]) from None
    except Refusal as refusal:
        raise BelotError(f"{file}:{refusal}") from None
    deal = game.to_record()["deals"][-1]
    if form == "json":
        echo_json(deal, indent=None)
        return
    rules, state = engine_of(game)
    if "cut" in deal and state.ended == "played":
        print_deal(TerminalPage(), tell(rules, 0, deal), default_spec(), language, noted=True)
    else:
        echo_page(printable_lines(f"{game.text(language)}\n"))


@click.command()
@FORMAT
def mistakes(form: str) -> None:
    """List the common mistakes, which belot answer can make.

    belot answer --mistake NAME serves a program that makes one. Most are another value of a rule, which stands beside
    them as in a file of house rules. Those at the end are none.
    """
    values, faults = load_mistakes(), load_faults()
    told: dict[str, Any] = {"as_yaml": as_yaml, "values": values, "faults": faults}
    both = [one for listed in (values, faults) for one in listed.values()]
    found = [
        {"name": one.name, "title": one.title.as_json(), "rules": dict(one.values)}
        | ({"variant": one.variant, "case": one.case} if one.case else {})
        for one in both
    ]
    tell_page(
        form,
        lambda page: tell_template(page, "mistakes.j2", 12, **told),
        lambda: found,
    )


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--profile", help="The rules by which all of it is judged; left out, those that each deal names.")
@click.option("--to", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="As what.")
def notation(files: tuple[Path, ...], profile: str | None, form: str) -> None:
    """Check deals and matches in the notation, and write them anew.

    FILE holds text in the notation, or JSON: lines for belot audit, questions of replay, or the record of a game; - is
    stdin. With --to json each deal is a line of JSON, to put to any program or for belot audit. What is not in the
    notation, or is refused by the rules, is told on stderr by line and column. Exit code: 0 all is right, 1 the rules
    refuse something, 2 wrong usage or something that is not in the notation.
    """
    refused = False
    for path in files:
        transcript = transcript_of(path, read_whole(path), profile)
        if form == "json":
            for told in transcript.to_json():
                echo_json(told, None)
        else:
            echo_page(printable_lines(str(transcript)))
        for fault in _refusals(path, transcript, profile):
            refused = True
            echo(fault, err=True)
    sys.exit(EXIT_FAILED if refused else 0)


def _refusals(path: Path, transcript: Transcript, profile: str | None) -> Iterator[str]:
    fault: NotationError
    for fault in refused_in(transcript, profile):
        yield f"{path}:{fault.placed('en')}"


# A played deal as a page of text: the deal, the bidding, each trick with what was forced, and the count.


_WORDS: Final = Words(__name__, "play")


_PACKAGE: Final = "belot_conformance.logs"


def print_deal(page: Page, deal: PlayedDeal, spec: Spec, language: Language, *, noted: bool = False) -> None:
    """Print a played deal from the cut to the score; one that was ``noted`` comes from no seed."""
    facts = {**_Words(deal, spec, language).facts(), "deal": deal, "noted": noted}
    tell_template(page, "play.j2", 8, _PACKAGE, part="beginning", **facts)
    for number, trick in enumerate(deal.tricks, start=1):
        tell_template(page, "play.j2", 14, _PACKAGE, part="trick", number=number, trick=trick, **facts)
    tell_template(
        page, "play.j2", 8, _PACKAGE, part="count", rows=count_rows(deal), deciding=deciding_rules(deal), **facts
    )


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
