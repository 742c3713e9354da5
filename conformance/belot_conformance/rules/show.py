"""Pages about the rules for people at a terminal: variants, profiles, differences, and what one name leads to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from belot_conformance.rules.reading import HOME_WORDS, STATUS_WORDS, Json, rulings_shown, value_text, where_it_matters
from belot_conformance.text.page import Page
from belot_conformance.text.terminal import TerminalPage
from belot_spec.catalogue import text_of
from belot_spec.languages import FALLBACK, TONGUES, Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "show")
_LINK_WORDS: Final = Words(__name__, "links")
# Marks an option, or a value of one, that tables and programs play and no source of its variant says (G-23).
_UNSOURCED: Final = "°"
_TITLED: Final = 6
_NAMED: Final = 60
_SITE: Final = "http://127.0.0.1:8000"


def print_variants(page: Page, variants: Sequence[Json], language: Language) -> None:
    """Print the variants with their sources, players, target, values by status and options."""
    words = _WORDS.in_language(language)
    for variant in variants:
        facts = [words["players"].format(n=variant["players"]), words["target"].format(n=variant["target"])]
        page.line(
            f"{variant['id']}: {text_of(variant['name']).in_language(language)}, {', '.join(facts)}",
            hang=2,
            style="bold",
        )
        page.line(text_of(variant["summary"]).in_language(language), indent=2)
        for source in variant["sources"]:
            page.labelled(
                words["sources"],
                f"{source['id']}: {text_of(source['region']).in_language(language)}",
                indent=2,
                width=8,
            )
        page.labelled(words["counts"], words["values"].format(**variant["values"]), indent=2, width=8)
        for index, option in enumerate(variant["options"]):
            told = f"+{option['id']}: {marked(text_of(option['title']).in_language(language), option['unsourced'])}"
            page.labelled("" if index else words["options"], told, indent=2, width=8)
        page.blank()
    page.line(words["kinds"])
    print_legend(page, any(option["unsourced"] for variant in variants for option in variant["options"]), language)


def marked(text: str, unsourced: bool) -> str:
    """Return a text with the mark of what no source of the variant says, if it is that."""
    return f"{text}{_UNSOURCED}" if unsourced else text


def print_legend(page: Page, unsourced: bool, language: Language) -> None:
    """Say what the mark means, if anything on the page has it."""
    if unsourced:
        page.blank()
        page.line(f"{_UNSOURCED} {_WORDS.in_language(language)['unsourced']}", hang=2)


def print_shown(page: Page, kind: str, found: Json, language: Language) -> None:
    """Print what ``belot spec show`` found: a profile, or what a statement, a ruling or a rule leads to."""
    told = _RulesPage(page, language)
    printers = {
        "statement": told.statement,
        "ruling": told.ruling,
        "rule": told.rule,
        "rule-here": told.rule_here,
        "profile": told.profile,
        "word": told.word,
    }
    printers[kind](found)


def print_comparison(page: TerminalPage, found: Json, language: Language) -> None:
    """Print the rules on which profiles differ: two profiles as columns, more as a list below each rule."""
    _RulesPage(page, language).comparison(found, page)


class _RulesPage:
    """A page about rules in one language."""

    def __init__(self, page: Page, language: Language) -> None:
        self._page = page
        self._language = language
        self._words = _WORDS.in_language(language)
        self._link_words = _LINK_WORDS.in_language(language)

    def _say(self, text: Mapping[str, str]) -> str:
        return text_of(text).in_language(self._language)

    def profile(self, profile: Json) -> None:
        """Print the rules of a profile by topic, and then the readings of the rulings on them."""
        page, words = self._page, self._words
        rules = [rule for topic in profile["topics"] for rule in topic["rules"]]
        title = f"{profile['profile']}: {self._say(profile['name'])}, {words['rules'].format(n=len(rules))}"
        page.line(title, style="bold")
        for topic in profile["topics"]:
            page.heading(self._title(topic))
            for rule in topic["rules"]:
                page.blank()
                page.line(self._title(rule), indent=2, hang=2, style="bold")
                self._setting(rule)
        if rulings := rulings_shown(rules):
            page.heading(words["rulings"])
        for ruling in rulings:
            page.blank()
            page.line(self._name(ruling), indent=2, style="bold")
            page.line(self._say(ruling["reading"]), indent=4)
        print_legend(page, any(rule["unsourced"] for rule in rules), self._language)

    def rule_here(self, found: Json) -> None:
        """Print a rule as a profile plays it beside the other variants, and the rulings and all else it leads to."""
        page, words, rule = self._page, self._words, found["rule"]
        self._question(rule)
        page.heading(f"{found['profile']}: {self._say(found['name'])}")
        if rule["matters"]:
            self._setting(rule)
        else:
            where = where_it_matters(rule["needs"]).in_language(self._language)
            page.line(words["nowhere"].format(where=where), indent=4)
        if found["options"]:
            page.heading(words["option"])
        for option in found["options"]:
            told = marked(self._say(option["sentence"]), option["unsourced"])
            page.line(f"+{option['id']}: {told}", indent=2, hang=4)
        page.heading(words["others"])
        self._values(found["others"])
        self._readings(rulings_shown([rule]))
        unsourced = any(one.get("unsourced") for one in (rule, *found["others"], *found["options"]))
        print_legend(page, unsourced, self._language)
        self._ways(found, f"--rule {rule['id']}")

    def rule(self, found: Json) -> None:
        """Print a rule as every variant plays it, with the rulings, statements, cases and page that it leads to."""
        self._question(found)
        self._page.heading(self._link_words["played"])
        self._values(found["values"])
        if found["options"]:
            self._page.heading(self._link_words["options"])
            self._values(found["options"])
        self._readings(found["rulings"])
        self._ways(found, f"--rule {found['id']}")

    def statement(self, found: Json) -> None:
        """Print what became of a statement: its rules as they are played, the rulings on it, its cases and its page."""
        page, words, language, name = self._page, self._link_words, self._language, found["statement"]
        page.line(f"{name}: {HOME_WORDS[found['kind']].in_language(language)} {found.get('see', '')}", style="bold")
        page.line(f"{text_of(found['source']['title']).in_language(language)}.", indent=2)
        self._collected(found)
        for term in found["terms"]:
            page.line(
                f"{text_of(term).in_language(language)}: {text_of(term['meaning']).in_language(language)}",
                indent=2,
                hang=2,
            )
        if "note" in found:
            page.line(text_of(found["note"]).in_language(language), indent=2, hang=2)
        if not found["rules"]:
            page.line(words["no-rule"], indent=2)
        self._rules(found)
        if found["rulings"]:
            page.heading(words["rulings"])
        for ruling in found["rulings"]:
            page.line(self._name(ruling), indent=2, hang=2, style="bold")
            page.line(text_of(ruling["reading"]).in_language(language), indent=4)
        self._ways(found, f"--statement {name}")

    def _collected(self, found: Json) -> None:
        """Print what a statement of a collection says, the documents that say so, and those that say otherwise."""
        page, words = self._page, self._link_words
        if "documents" not in found:
            return
        page.line(self._say(found["text"]), indent=2)
        if found["differs"]:
            page.line(words["differs"].format(names=", ".join(found["differs"])), indent=2, hang=2)
        page.heading(words["documents"])
        for one in found["documents"]:
            told = f"{one['id']} {one['title']}: {self._say(one['about'])}; {one['where']} ({words[one['read']]})"
            page.line(told, indent=2, hang=4)
        if found["departing"]:
            page.heading(words["departing"])
        for other in found["departing"]:
            page.line(self._departing(other), indent=2, hang=4)

    def ruling(self, found: Json) -> None:
        """Print a ruling, the readings it refuses, the rules that it decides or touches, its cases and its page."""
        page, words = self._page, self._link_words
        page.line(self._name(found), hang=2, style="bold")
        names = ", ".join([*found["variants"], *(f"+{option}" for option in found["options"])])
        page.line(f"{words['variants'].format(names=names or words['every'])}.", indent=2)
        if found["printed"] is not None:
            page.line(f"{words['printed']}: {self._say(found['printed'])}", indent=2, hang=2)
        self._reading(found)
        self._rules(found)
        self._ways(found, f"--ruling {found['id']}")

    def word(self, found: Json) -> None:
        """Print what a player's word leads to: what it means, and the questions and rules that it is about."""
        page = self._page
        page.line(self._words["word"].format(word=found["word"]), style="bold")
        for term in found["terms"]:
            page.line(f"{self._say(term['called'])}: {self._say(term['meaning'])}", indent=2, hang=2)
        for question in found["questions"]:
            page.blank()
            page.line(self._say(question["ask"]), indent=2, hang=2)
            for rule in question["rules"]:
                page.line(self._title(rule), indent=4, hang=2)
                if "matters" in rule:
                    page.line(self._text(rule), indent=6)

    def comparison(self, found: Json, page: TerminalPage) -> None:
        """Print the rules on which profiles differ on a page that has columns."""
        for profile in found["profiles"]:
            page.line(f"{profile['id']}: {self._say(profile['name'])}", hang=2, style="bold")
        page.line(self._words["compared" if found["different"] else "same"].format(**found))
        for topic in found["topics"]:
            page.heading(self._title(topic))
            if len(found["profiles"]) == 2:
                page.columns([profile["id"] for profile in found["profiles"]], style="underline")
            for rule in topic["rules"]:
                page.blank()
                page.line(self._title(rule), hang=2, style="bold")
                values = rule["values"]
                if rule["equal"] and len(self._agreeing(values)) == 1:
                    page.line(f"{self._words['equal']}: {self._text(values[0])}", indent=2, hang=2)
                elif len(values) == 2:
                    page.columns([self._text(entry) for entry in values])
                else:
                    self._values(values)
        shown = (entry for topic in found["topics"] for rule in topic["rules"] for entry in rule["values"])
        print_legend(page, any(entry.get("unsourced") for entry in shown), self._language)

    def _title(self, entry: Json) -> str:
        return f"{self._say(entry['title'])} ({entry['id']})"

    def _name(self, ruling: Json) -> str:
        return f"{ruling['id']}: {self._say(ruling['title'])}"

    def _question(self, rule: Json) -> None:
        self._page.line(self._title(rule), style="bold")
        self._page.line(self._say(rule["question"]), indent=2)

    def _setting(self, rule: Json) -> None:
        """Print the sentence of a rule's value, and on what it rests."""
        page, words = self._page, self._words
        page.line(self._text(rule), indent=4)
        page.labelled(words["value"], value_text(rule["value"]), indent=4, width=8)
        rests = "; ".join(filter(None, [self._status(rule), ", ".join(rule["cite"])]))
        page.labelled(words["status"], rests, indent=4, width=8)
        for index, other in enumerate(rule["departing"]):
            page.labelled("" if index else words["departing"], self._departing(other), indent=4, width=8)
        if rule["ruling"] is not None:
            page.labelled(words["ruling"], self._name(rule["ruling"]), indent=4, width=8)
        for index, ruling in enumerate(rule["see"]):
            page.labelled("" if index else words["see"], self._name(ruling), indent=4, width=8)

    def _departing(self, other: Json) -> str:
        return f"{other['statement']} ({', '.join(other['documents'])}): {self._say(other['text'])}"

    def _status(self, entry: Json) -> str:
        return STATUS_WORDS[entry["status"]].in_language(self._language)

    def _readings(self, rulings: Iterable[Json]) -> None:
        for ruling in rulings:
            self._page.heading(f"{self._link_words['ruling']} {self._name(ruling)}")
            self._reading(ruling)

    def _reading(self, ruling: Json) -> None:
        """Print how a ruling reads its statements, and the readings that it refuses."""
        self._page.line(self._say(ruling["reading"]), indent=2)
        for refused in ruling["refused"]:
            self._page.line(f"{self._words['refused']}: {self._say(refused['reading'])}", indent=2, hang=2)
            self._page.line(self._say(refused["changes"]), indent=4)

    def _rules(self, found: Json) -> None:
        """Print rules with the values that rest on what was asked about, then those of the same game that do not."""
        page, words = self._page, self._link_words
        if found["rules"]:
            page.heading(words["rules"])
        for rule in found["rules"]:
            page.line(self._title(rule), indent=2, hang=2, style="bold")
            entries = [*rule["values"], *rule["options"]]
            resting = [entry for entry in entries if entry["matters"] and entry["rests"]]
            others = [one for one in rule["values"] if one not in resting and (one["related"] or found["profile"])]
            self._values(resting, 4)
            self._values(others, 4, f" ({words['elsewhere']})" if resting else "")
            if not resting and not others:
                page.line(words["nowhere"], indent=4)

    def _values(self, entries: Sequence[Json], indent: int = 2, remark: str = "") -> None:
        """Print the sentences of values with what they rest on, if that is known, equal ones together."""
        for (_, text, grounds), names in self._agreeing(entries).items():
            self._page.line(f"{', '.join(names)}{remark}: {text}", indent=indent, hang=2)
            if grounds:
                self._page.line(grounds, indent=indent + 2, hang=2)

    def _agreeing(self, entries: Sequence[Json]) -> dict[tuple[str, str, str], list[str]]:
        found: dict[tuple[str, str, str], list[str]] = {}
        for entry in entries:
            grounds = self._grounds(entry)
            value = value_text(entry["value"]) if entry["matters"] and not grounds else ""
            found.setdefault((value, self._text(entry), grounds), []).append(entry["profile"])
        return found

    def _text(self, entry: Json) -> str:
        """Return the sentence of a value, or that the rule does not matter there."""
        if not entry["matters"]:
            return self._words["absent"]
        return marked(self._say(entry["sentence"]), entry["unsourced"])

    def _grounds(self, entry: Json) -> str:
        """Return what a value rests on in a few words, where that is known: ``ruled; BL-171, BL-173; ruling BL-R3``."""
        if "cite" not in entry:
            return ""
        parts = [self._status(entry), ", ".join(entry["cite"])]
        parts += [self._link_words["by"].format(ruling=entry["ruling"])] if entry["ruling"] else []
        return f"[{'; '.join(filter(None, parts))}]"

    def _ways(self, found: Json, option: str) -> None:
        """Print the statements, the cases, some with their titles, how to ask them, and the page of the site."""
        page, words, cases = self._page, self._link_words, found["cases"]
        if found.get("statements"):
            page.heading(words["statements"])
            page.line(", ".join(found["statements"]), indent=2)
        where = words["in"].format(variant=found["variant"]) if found["variant"] else ""
        page.heading(words["cases"].format(n=len(cases), where=where))
        for case in cases[:_TITLED]:
            page.line(f"{case['id']} {self._say(case['title'])}", indent=2, hang=2)
        names = [case["id"] for case in cases[_TITLED:_NAMED]]
        if names:
            left = [words["more"].format(n=len(cases) - _NAMED)] if len(cases) > _NAMED else []
            page.line(", ".join([*names, *left]), indent=2)
        if cases:
            page.line(words["ask"].format(command=f"belot check {option} -- ./my-belot"), indent=2, hang=2)
        page.heading(words["page"])
        language = self._language if TONGUES[self._language].is_complete else FALLBACK
        page.line(f"{_SITE}/{language}/{found['page']}", indent=2)
