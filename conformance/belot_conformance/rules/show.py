"""Pages about the rules for people at a terminal: variants, a profile, one rule, and differences."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from belot_conformance.rules.reading import STATUS_WORDS, Json, rulings_shown, value_text, where_it_matters
from belot_conformance.text.page import Page
from belot_conformance.text.terminal import TerminalPage
from belot_spec.catalogue import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "show")
# Marks an option, or a value of one, that tables and programs play and no source of its variant says (G-23).
_UNSOURCED: Final = "°"


def print_variants(page: Page, variants: Sequence[Json], language: Language) -> None:
    """Print the variants with their sources, players, target, values by status and options."""
    words = _WORDS.in_language(language)
    for variant in variants:
        facts = [words["players"].format(n=variant["players"]), words["target"].format(n=variant["target"])]
        page.line(f"{variant['id']}: {variant['name'][language]}, {', '.join(facts)}", hang=2, style="bold")
        page.line(variant["summary"][language], indent=2)
        for source in variant["sources"]:
            page.labelled(words["sources"], f"{source['id']}: {source['region'][language]}", indent=2, width=8)
        page.labelled(words["counts"], words["values"].format(**variant["values"]), indent=2, width=8)
        for index, option in enumerate(variant["options"]):
            told = f"+{option['id']}: {marked(option['title'][language], option['unsourced'])}"
            page.labelled("" if index else words["options"], told, indent=2, width=8)
        page.blank()
    page.line(words["kinds"])
    print_legend(page, any(option["unsourced"] for variant in variants for option in variant["options"]), language)


def print_profile(page: Page, profile: Json, language: Language) -> None:
    """Print the rules of a profile by topic, and then the readings of the rulings on them."""
    words = _WORDS.in_language(language)
    rules = [rule for topic in profile["topics"] for rule in topic["rules"]]
    page.line(f"{profile['profile']}: {profile['name'][language]}, {words['rules'].format(n=len(rules))}", style="bold")
    for topic in profile["topics"]:
        page.heading(f"{topic['title'][language]} ({topic['id']})")
        for rule in topic["rules"]:
            page.blank()
            page.line(f"{rule['title'][language]} ({rule['id']})", indent=2, hang=2, style="bold")
            _print_setting(page, rule, language)
    rulings = rulings_shown(rules)
    if rulings:
        page.heading(words["rulings"])
        for ruling in rulings:
            page.blank()
            page.line(ruling_name(ruling, language), indent=2, style="bold")
            page.line(ruling["reading"][language], indent=4)
    print_legend(page, any(rule["unsourced"] for rule in rules), language)


def marked(text: str, unsourced: bool) -> str:
    """Return a text with the mark of what no source of the variant says, if it is that."""
    return f"{text}{_UNSOURCED}" if unsourced else text


def print_legend(page: Page, unsourced: bool, language: Language) -> None:
    """Say what the mark means, if anything on the page has it."""
    if unsourced:
        page.blank()
        page.line(f"{_UNSOURCED} {_WORDS.in_language(language)['unsourced']}", hang=2)


def _print_setting(page: Page, rule: Json, language: Language) -> None:
    """Print the sentence of a rule's value, and on what it rests."""
    words = _WORDS.in_language(language)
    page.line(marked(rule["sentence"][language], rule["unsourced"]), indent=4)
    page.labelled(words["value"], value_text(rule["value"]), indent=4, width=8)
    cited = ", ".join(rule["cite"])
    status = STATUS_WORDS[rule["status"]].in_language(language)
    page.labelled(words["status"], f"{status}{f'; {cited}' if cited else ''}", indent=4, width=8)
    if rule["ruling"] is not None:
        page.labelled(words["ruling"], ruling_name(rule["ruling"], language), indent=4, width=8)
    for index, ruling in enumerate(rule["see"]):
        page.labelled("" if index else words["see"], ruling_name(ruling, language), indent=4, width=8)


def ruling_name(ruling: Json, language: Language) -> str:
    """Return the id of a ruling with its title."""
    return f"{ruling['id']}: {ruling['title'][language]}"


def print_rule(page: Page, found: Json, language: Language) -> None:
    """Print one rule of a profile, the other variants beside it, the rulings on it and the readings refused."""
    words, rule = _WORDS.in_language(language), found["rule"]
    page.line(f"{rule['title'][language]} ({rule['id']})", style="bold")
    page.line(rule["question"][language], indent=2)
    page.heading(f"{found['profile']}: {found['name'][language]}")
    if rule["matters"]:
        _print_setting(page, rule, language)
    else:
        page.line(words["nowhere"].format(where=where_it_matters(rule["needs"]).in_language(language)), indent=4)
    if found["options"]:
        page.heading(words["option"])
        for option in found["options"]:
            told = marked(option["sentence"][language], option["unsourced"])
            page.line(f"+{option['id']}: {told}", indent=2, hang=4)
    page.heading(words["others"])
    _print_values(page, found["others"], language)
    for ruling in rulings_shown([rule]):
        page.heading(f"{words['ruling'].capitalize()} {ruling_name(ruling, language)}")
        print_reading(page, ruling, language)
    print_legend(page, any(one.get("unsourced") for one in (rule, *found["others"], *found["options"])), language)


def print_reading(page: Page, ruling: Json, language: Language) -> None:
    """Print how a ruling reads its statements, and the readings that it refuses."""
    page.line(ruling["reading"][language], indent=2)
    for refused in ruling["refused"]:
        page.line(f"{_WORDS.in_language(language)['refused']}: {refused['reading'][language]}", indent=2, hang=2)
        page.line(refused["changes"][language], indent=4)


def _print_values(page: Page, values: Sequence[Json], language: Language) -> None:
    """Print the sentences of several profiles, those that agree together."""
    for text, names in _agreeing(values, language):
        page.line(f"{', '.join(names)}: {text}", indent=2, hang=2)


def _agreeing(values: Iterable[Json], language: Language) -> list[tuple[str, list[str]]]:
    found: dict[tuple[str, str], list[str]] = {}
    for entry in values:
        key = value_text(entry["value"]) if entry["matters"] else ""
        found.setdefault((key, text_of(entry, language)), []).append(entry["profile"])
    return [(text, names) for (_, text), names in found.items()]


def text_of(entry: Json, language: Language) -> str:
    """Return the sentence of a value, or that the rule does not matter there."""
    if not entry["matters"]:
        return _WORDS.in_language(language)["absent"]
    return marked(entry["sentence"][language], entry["unsourced"])


def print_comparison(page: TerminalPage, found: Json, language: Language) -> None:
    """Print the rules on which profiles differ: two profiles as columns, more as a list below each rule."""
    words = _WORDS.in_language(language)
    names = [f"{profile['id']}: {profile['name'][language]}" for profile in found["profiles"]]
    summary = words["compared"] if found["different"] else words["same"]
    for name in names:
        page.line(name, hang=2, style="bold")
    page.line(summary.format(**found))
    for topic in found["topics"]:
        page.heading(f"{topic['title'][language]} ({topic['id']})")
        if len(names) == 2:
            page.columns([profile["id"] for profile in found["profiles"]], style="underline")
        for rule in topic["rules"]:
            page.blank()
            _print_compared(page, rule, language)
    shown = (entry for topic in found["topics"] for rule in topic["rules"] for entry in rule["values"])
    print_legend(page, any(entry.get("unsourced") for entry in shown), language)


def _print_compared(page: TerminalPage, rule: Json, language: Language) -> None:
    page.line(f"{rule['title'][language]} ({rule['id']})", hang=2, style="bold")
    values: Sequence[Any] = rule["values"]
    if rule["equal"] and len(_agreeing(values, language)) == 1:
        page.line(f"{_WORDS.in_language(language)['equal']}: {text_of(values[0], language)}", indent=2, hang=2)
    elif len(values) == 2:
        page.columns([text_of(entry, language) for entry in values])
    else:
        _print_values(page, values, language)
