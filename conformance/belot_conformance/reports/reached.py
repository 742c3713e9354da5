"""What random questions have reached of the rules of each profile; for people and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from belot_conformance.questions.rarities import DEALS, MATCHES
from belot_conformance.questions.stream import Stream
from belot_conformance.text.page import Page
from belot_spec.words import English

# More profiles than these are told together.
_ROWS: Final = 12
_NAMED: Final = 6
_LADDERS: Final = ("play.lead", "play.follow.", "play.void.", "play.trump-led.")


def print_reached(page: Page, streams: Sequence[Stream], words: English) -> None:
    """Print what was reached in each profile, and the rules that no answer has read yet."""
    headings = [words.say(name) for name in ("profile", "read", "rungs", "nodes", "refusals", "rare")]
    rows = [(stream.rules.profile.id, *(_of(*pair) for pair in _reached(stream).values())) for stream in streams]
    page.heading(words.say("coverage"))
    page.table(headings, rows[:_ROWS])
    if len(rows) > _ROWS:
        page.line(words.say("more", n=len(rows) - _ROWS))
    for stream in streams[:_ROWS]:
        if unread := unread_rules(stream):
            some = ", ".join(unread[:_NAMED]) + (" …" if len(unread) > _NAMED else "")
            page.line(words.say("unread", profile=stream.rules.profile.id, rules=some), hang=2)


def _of(reached: int, possible: int | None) -> str:
    return f"{reached}" if possible is None else f"{reached}/{possible}"


def unread_rules(stream: Stream) -> list[str]:
    """Return the rules that no answer has read yet; those about how scores are written for people are none."""
    known = stream.rules.profile.settings
    return [
        rule for rule in known if rule not in stream.coverage.reached.rules and not rule.startswith("presentation.")
    ]


def _reached(stream: Stream) -> Mapping[str, tuple[int, int | None]]:
    """Return what was reached, and of how much where that is known; not everything can happen at every table."""
    reached, settings = stream.coverage.reached, stream.rules.profile.settings
    rules = [rule for rule in settings if not rule.startswith("presentation.")]
    rungs = sum(len(settings[rule].value) for rule in settings if rule.startswith(_LADDERS))
    return {
        "rules": (len(reached.rules & set(rules)), len(rules)),
        "rungs": (len(reached.rungs), rungs),
        "trick_nodes": (len(reached.nodes), None),
        "refusals": (len(reached.reasons), None),
        "rare_things": (len(reached.rare & {*DEALS, *MATCHES}), None),
    }


def reached_json(streams: Sequence[Stream]) -> dict[str, Any]:
    """Return what was reached in each profile as JSON values."""
    return {
        stream.rules.profile.id: {
            **{name: {"reached": one, "possible": all_} for name, (one, all_) in _reached(stream).items()},
            "unread": unread_rules(stream),
        }
        for stream in streams
    }
