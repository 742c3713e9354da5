"""Pages about the rules for people at a terminal: variants, profiles, differences, and what one name leads to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from belot_conformance.rules.reading import HOME_WORDS, STATUS_WORDS, Json, rulings_shown, value_text, where_it_matters
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_conformance.text.terminal import TerminalPage
from belot_spec.catalogue import text_of
from belot_spec.languages import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "show")
_LINK_WORDS: Final = Words(__name__, "links")
# Marks an option, or a value of one, that tables and programs play and no source of its variant says (G-23).
_UNSOURCED: Final = "°"
_SITE: Final = "http://127.0.0.1:8000"


def print_variants(page: Page, variants: Sequence[Json], language: Language) -> None:
    """Print the variants with their sources, players, target, values by status and options."""
    _tell(page, "variants.j2", language, variants=variants)


def marked(text: str, unsourced: bool) -> str:
    """Return a text with the mark of what no source of the variant says, if it is that."""
    return f"{text}{_UNSOURCED}" if unsourced else text


def legend(unsourced: bool, language: Language) -> str:
    """Return what the mark means, if anything on the page has it."""
    return f"{_UNSOURCED} {_WORDS.in_language(language)['unsourced']}" if unsourced else ""


def print_shown(page: Page, kind: str, found: Json, language: Language) -> None:
    """Print what ``belot spec show`` found: a profile, or what a statement, a ruling, a rule or a word leads to."""
    _tell(page, "show.j2", language, kind=kind, one=found)


def _tell(page: Page, template: str, language: Language, **facts: Any) -> None:
    words, links = (table.in_language(language) for table in (_WORDS, _LINK_WORDS))
    reading = _Reading(language)
    tell(
        page, template, 8, "belot_conformance.rules", **facts,
        w=words, l=links, t=reading.say, agreeing=reading.agreeing, status=reading.status, marked=marked,
        home=lambda kind: HOME_WORDS[kind].in_language(language),
        where=lambda needs: where_it_matters(needs).in_language(language),
        named=lambda ruling: ", ".join([*ruling["variants"], *(f"+{option}" for option in ruling["options"])]),
        value_text=value_text, rulings_shown=rulings_shown,
        legend_text=legend(unsourced=True, language=language), site=f"{_SITE}/{language}",
    )  # fmt: skip


def print_comparison(page: TerminalPage, found: Json, language: Language) -> None:
    """Print the rules on which profiles differ: two profiles as columns, more as a list below each rule."""
    reading, words = _Reading(language), _WORDS.in_language(language)
    for profile in found["profiles"]:
        page.line(f"{profile['id']}: {reading.say(profile['name'])}", hang=2, style="bold")
    page.line(words["compared" if found["different"] else "same"].format(**found))
    for topic in found["topics"]:
        page.heading(reading.title(topic))
        if len(found["profiles"]) == 2:
            page.columns([profile["id"] for profile in found["profiles"]], style="underline")
        for rule in topic["rules"]:
            page.blank()
            page.line(reading.title(rule), hang=2, style="bold")
            values = rule["values"]
            agreeing = reading.agreeing(values)
            if rule["equal"] and len(agreeing) == 1:
                page.line(f"{words['equal']}: {reading.text(values[0])}", indent=2, hang=2)
            elif len(values) == 2:
                page.columns([reading.text(entry) for entry in values])
            else:
                for names, text, _ in agreeing:
                    page.line(f"{', '.join(names)}: {text}", indent=2, hang=2)
    shown = (entry for topic in found["topics"] for rule in topic["rules"] for entry in rule["values"])
    if said := legend(any(entry.get("unsourced") for entry in shown), language):
        page.blank()
        page.line(said, hang=2)


class _Reading:
    """What rules and their values are called in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def say(self, text: Mapping[str, str]) -> str:
        return text_of(text).in_language(self._language)

    def title(self, entry: Json) -> str:
        return f"{self.say(entry['title'])} ({entry['id']})"

    def status(self, entry: Json) -> str:
        return STATUS_WORDS[entry["status"]].in_language(self._language)

    def text(self, entry: Json) -> str:
        """Return the sentence of a value, or that the rule does not matter there."""
        if not entry["matters"]:
            return _WORDS.in_language(self._language)["absent"]
        return marked(self.say(entry["sentence"]), entry["unsourced"])

    def agreeing(self, entries: Iterable[Json]) -> list[tuple[list[str], str, str]]:
        """Return values that are told alike together: whose they are, the sentence, and what they rest on if known."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for entry in entries:
            grounds = self._grounds(entry)
            value = value_text(entry["value"]) if entry["matters"] and not grounds else ""
            found.setdefault((value, self.text(entry), grounds), []).append(entry["profile"])
        return [(names, text, grounds) for (_, text, grounds), names in found.items()]

    def _grounds(self, entry: Json) -> str:
        """Return what a value rests on in a few words, where that is known: ``ruled; BL-171, BL-173; ruling BL-R3``."""
        if "cite" not in entry:
            return ""
        parts = [self.status(entry), ", ".join(entry["cite"])]
        parts += (
            [_LINK_WORDS.in_language(self._language)["by"].format(ruling=entry["ruling"])] if entry["ruling"] else []
        )
        return f"[{'; '.join(filter(None, parts))}]"
