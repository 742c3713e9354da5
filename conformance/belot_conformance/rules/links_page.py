"""Pages at a terminal about what one statement, one ruling or one rule leads to."""

from collections.abc import Sequence
from typing import Final

from belot_conformance.rules.reading import HOME_WORDS, STATUS_WORDS, Json
from belot_conformance.rules.show import print_profile, print_reading, print_rule, ruling_name, text_of
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "links")
_TITLED: Final = 6
_NAMED: Final = 60
_SITE: Final = "http://127.0.0.1:8000"


def print_shown(page: Page, kind: str, found: Json, language: Language) -> None:
    """Print what ``belot spec show`` found: a profile, or what a statement, a ruling or a rule leads to."""
    printers = {
        "statement": _print_statement,
        "ruling": _print_ruling,
        "rule": _print_rule,
        "rule-here": _print_rule_here,
        "profile": print_profile,
    }
    printers[kind](page, found, language)


def _print_statement(page: Page, found: Json, language: Language) -> None:
    """Print what became of a statement: its rules as they are played, the rulings on it, its cases and its page."""
    words, name = _WORDS.in_language(language), found["statement"]
    kind = HOME_WORDS[found["kind"]].in_language(language)
    page.line(f"{name}: {kind} {found.get('see', '')}", style="bold")
    page.line(f"{found['source']['title'][language]}.", indent=2)
    for term in found["terms"]:
        page.line(f"{term[language]}: {term['meaning'][language]}", indent=2, hang=2)
    if "note" in found:
        page.line(found["note"][language], indent=2, hang=2)
    if found["rules"]:
        _print_rules(page, found, language)
    else:
        page.line(words["no-rule"], indent=2)
    if found["rulings"]:
        page.heading(words["rulings"])
    for ruling in found["rulings"]:
        page.line(ruling_name(ruling, language), indent=2, hang=2, style="bold")
        page.line(ruling["reading"][language], indent=4)
    _print_ways(page, found, f"--statement {name}", language)


def _print_ruling(page: Page, found: Json, language: Language) -> None:
    """Print a ruling, the readings it refuses, the rules that it decides or touches, its cases and its page."""
    words = _WORDS.in_language(language)
    page.line(ruling_name(found, language), hang=2, style="bold")
    names = ", ".join([*found["variants"], *(f"+{option}" for option in found["options"])])
    page.line(f"{words['variants'].format(names=names or words['every'])}.", indent=2)
    if found["printed"] is not None:
        page.line(f"{words['printed']}: {found['printed'][language]}", indent=2, hang=2)
    print_reading(page, found, language)
    if found["rules"]:
        _print_rules(page, found, language)
    _print_statements(page, found, language)
    _print_ways(page, found, f"--ruling {found['id']}", language)


def _print_rule(page: Page, found: Json, language: Language) -> None:
    """Print a rule as every variant plays it, with the rulings, statements, cases and page that it leads to."""
    words = _WORDS.in_language(language)
    page.line(f"{found['title'][language]} ({found['id']})", style="bold")
    page.line(found["question"][language], indent=2)
    page.heading(words["played"])
    _print_values(page, found["values"], 2, language)
    if found["options"]:
        page.heading(words["options"])
        _print_values(page, found["options"], 2, language)
    for ruling in found["rulings"]:
        page.heading(f"{words['ruling']} {ruling_name(ruling, language)}")
        print_reading(page, ruling, language)
    _print_statements(page, found, language)
    _print_ways(page, found, f"--rule {found['id']}", language)


def _print_rule_here(page: Page, found: Json, language: Language) -> None:
    """Print a rule as a profile plays it, with the statements, cases and page that it leads to."""
    print_rule(page, found, language)
    _print_statements(page, found, language)
    _print_ways(page, found, f"--rule {found['rule']['id']}", language)


def _print_rules(page: Page, found: Json, language: Language) -> None:
    """Print rules with the values that rest on what was asked about, and then those of the same game that do not."""
    words = _WORDS.in_language(language)
    page.heading(words["rules"])
    for rule in found["rules"]:
        page.line(f"{rule['title'][language]} ({rule['id']})", indent=2, hang=2, style="bold")
        entries = [*rule["values"], *rule["options"]]
        resting = [entry for entry in entries if entry["matters"] and entry["rests"]]
        others = [entry for entry in rule["values"] if entry not in resting and (entry["related"] or found["profile"])]
        _print_values(page, resting, 4, language)
        _print_values(page, others, 4, language, words["elsewhere"] if resting else "")
        if not resting and not others:
            page.line(words["nowhere"], indent=4)


def _print_values(page: Page, entries: Sequence[Json], indent: int, language: Language, remark: str = "") -> None:
    """Print the sentences of values with what they rest on, equal ones together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        groups.setdefault((text_of(entry, language), _grounds(entry, language)), []).append(entry["profile"])
    for (text, grounds), names in groups.items():
        shown = f"{', '.join(names)} ({remark})" if remark else ", ".join(names)
        page.line(f"{shown}: {text}", indent=indent, hang=2)
        if grounds:
            page.line(grounds, indent=indent + 2, hang=2)


def _grounds(entry: Json, language: Language) -> str:
    """Return what a value rests on in a few words: ``ruled; BL-171, BL-173; ruling BL-R3``."""
    if not entry["matters"]:
        return ""
    parts = [STATUS_WORDS[entry["status"]].in_language(language), ", ".join(entry["cite"])]
    parts += [_WORDS.in_language(language)["by"].format(ruling=entry["ruling"])] if entry["ruling"] else []
    return f"[{'; '.join(part for part in parts if part)}]"


def _print_statements(page: Page, found: Json, language: Language) -> None:
    if found["statements"]:
        page.heading(_WORDS.in_language(language)["statements"])
        page.line(", ".join(found["statements"]), indent=2)


def _print_ways(page: Page, found: Json, option: str, language: Language) -> None:
    """Print the cases, some with their titles, how to ask them, and the page of the site."""
    words, cases = _WORDS.in_language(language), found["cases"]
    where = words["in"].format(variant=found["variant"]) if found["variant"] else ""
    page.heading(words["cases"].format(n=len(cases), where=where))
    for case in cases[:_TITLED]:
        page.line(f"{case['id']} {case['title'][language]}", indent=2, hang=2)
    names = [case["id"] for case in cases[_TITLED:_NAMED]]
    left = [words["more"].format(n=len(cases) - _NAMED)] if len(cases) > _NAMED else []
    if names:
        page.line(", ".join([*names, *left]), indent=2)
    if cases:
        page.line(words["ask"].format(command=f"belot check {option} -- ./my-belot"), indent=2, hang=2)
    page.heading(words["page"])
    page.line(f"{_SITE}/{language}/{found['page']}", indent=2)
