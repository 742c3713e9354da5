"""What is known beforehand of a changed value: how often simulated deals ended otherwise by it, if that still holds."""

from collections.abc import Iterable
from typing import Final

from belot_spec.catalogue import Language
from belot_spec.spec import Profile, Spec
from belot_spec.words import Words
from belot_spec.worth import PLAYERS, Worth, variant_worth

_WORDS: Final = Words(__name__, "worth")


def known_worth(spec: Spec, pairs: Iterable[tuple[str, Profile, Profile]]) -> dict[str, list[Worth]]:
    """Return by rule what its changes are worth in the variants of a spec, from their values to those of others."""
    found: dict[str, list[Worth]] = {}
    for variant, before, after in pairs:
        if variant not in spec.playable():
            continue
        for rule, setting in after.settings.items():
            if rule in before.settings and before.value(rule) != setting.value:
                worth = variant_worth(spec, variant).of_value(rule, setting.value)
                found.setdefault(rule, []).extend([] if worth is None else [worth])
    return found


def worth_sentence(worth: Worth, language: Language) -> str:
    """Say how many of a hundred deals end otherwise by a change, with both kinds of players.

    Of what only decides when a match ends, how many of a hundred matches another side wins.
    """
    figures = [worth.players[player] for player in PLAYERS if player in worth.players]
    shares = [one.matches if worth.of_match else one.deals for one in figures]
    told = [share.in_percent() if share else "–" for share in shares]
    deals = next(iter(worth.players.values())).simulated
    said = dict(zip(PLAYERS, told, strict=False))
    line = "match-line" if worth.of_match else "line"
    return _WORDS.say(line, language, variant=worth.variant, deals=deals, **{"random": "–", "sensible": "–", **said})
