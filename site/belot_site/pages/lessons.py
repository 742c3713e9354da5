"""Learning a variant: taps, each on a position of one of its deals, then the deal, and what one says aloud."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_conformance.logs.played import PlayedDeal, tell
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library, sources_of
from belot_site.content.story import Story
from belot_site.pages.lesson_steps import Step, Teacher
from belot_site.pages.page import SitePage
from belot_spec.catalogue import holds, text_of
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.load.translations import read_translated
from belot_spec.whole_file import write_whole
from belot_workshop.lesson_deals import LessonError, best_lesson

_PARTS: Final = Path(__file__).with_name("learn.yaml")
_DEALS: Final = Path(__file__).with_name("lesson_deals.json")


@cache
def lesson_texts() -> Mapping[str, Any]:
    """Return what lessons are made of: the gist, the steps, what is said."""
    found: Mapping[str, Any] = read_translated(_PARTS).data
    return found


@cache
def lesson_deals() -> Mapping[str, Mapping[str, Any]]:
    """Return for each variant the deals that its lesson shows by name, as inputs of ``replay``."""
    found: Mapping[str, Mapping[str, Any]] = read_json(_DEALS, MAX_OF_OURS)
    return found


def write_lessons(library: Library, variants: Sequence[str], advance: Callable[[str], object]) -> None:
    """Choose the deals of some variants anew, of all if none is named, and keep them; ``advance`` hears of each.

    Raises ``UnknownNameError`` for a variant that cannot be played.
    """
    for name in variants:
        if name not in library.variants:
            raise UnknownNameError(f"there is no variant {name} to teach{nearest(name, library.variants)}")
    found = {name: deals for name, deals in lesson_deals().items() if name in library.variants}
    for name in sorted(variants or library.variants):
        found[name] = best_lesson(library.reference.ruleset(name))
        advance(name)
    lines = (f"{json.dumps(name)}: {json.dumps(found[name], separators=(',', ':'))}" for name in sorted(found))
    write_whole(_DEALS, "{\n" + ",\n".join(lines) + "\n}\n")


def lessons_of(edition: SiteEdition, variant: str) -> list[PlayedDeal]:
    """Return the deals that the lesson of a variant shows, played again by its rules; the first is told whole.

    Raises ``LessonError`` if none were chosen yet.
    """
    if variant not in lesson_deals():
        raise LessonError(
            f"the variant {variant} has no lesson yet; choose its deals: python -m belot_site lessons {variant}"
        )
    rules = edition.library.reference.ruleset(variant)
    return [tell(rules, 0, question) for question in lesson_deals()[variant].values()]


def lesson_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the lesson of each variant."""
    for variant in edition.variants:
        title = edition.word("learn-title", name=edition.variant_name(variant))
        context, front = _context(edition.at(variant), variant), {"search": {"boost": 2}}
        yield SitePage(f"variants/{variant}/learn", "learn.md", title, context, front=front, profile=variant)


def _context(edition: SiteEdition, variant: str) -> dict[str, Any]:
    profile, (deal, *others) = edition.library.profile(variant), lessons_of(edition, variant)
    language, said = _said_aloud(edition, variant)
    return {
        "variant": edition.library.spec.variants[variant],
        "profile": profile,
        "gist": list(gist(edition, variant)),
        "steps": list(lesson_steps(edition, variant, [deal, *others])),
        "has_hungarian_pack": profile.plays("presentation.cards", "hungarian"),
        "said": said,
        # What is spoken at the table.
        "tongue": language,
        "story": Story(deal, edition, brief=True),
    }


def lesson_steps(edition: SiteEdition, variant: str, deals: Sequence[PlayedDeal]) -> Iterator[Step]:
    """Yield the steps for which a game has the rules, and its deals a position."""
    values = _values(edition, variant)
    for name, told in lesson_texts()["steps"].items():
        own = [deal for deal in deals if deal.contract.mode.kind == told.get("contract", "suit")]
        if own and holds(told.get("needs", {}), values) and (step := Teacher(own, edition).step(name, told)):
            yield step


def _values(edition: SiteEdition, variant: str) -> dict[str, Any]:
    return {rule: setting.value for rule, setting in edition.library.profile(variant).settings.items()}


def gist(edition: SiteEdition, variant: str) -> Iterator[str]:
    """Yield what a game is about, in a sentence each."""
    values = _values(edition, variant)
    for part in lesson_texts()["gist"]:
        if part["rule"] not in values:
            continue
        own = part.get("values", {}).get(values[part["rule"]])
        others = (one["says"] for one in part.get("alternatives", ()) if holds(one["when"], values))
        told = edition.text(text_of(next(others, own))) if own else edition.stated(part["rule"], variant)
        yield told.format(players=edition.word(f"number-{values['deal.players']}"))


def _said_aloud(edition: SiteEdition, variant: str) -> tuple[str, list[dict[str, str]]]:
    """Return what is said at a table where a game is at home, as far as its rules give occasion, and its language."""
    source, values = sources_of(edition.library.profile(variant))[0], _values(edition, variant)
    told = lesson_texts()["said"].get(source, {"lang": "", "phrases": ()})
    phrases = [phrase for phrase in told["phrases"] if holds(phrase.get("needs", {}), values)]
    return told["lang"], [{"says": one["says"], "means": edition.text(text_of(one["means"]))} for one in phrases]
