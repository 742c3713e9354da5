"""The common mistakes of programs as people read them: first those that are other values of rules, then the others."""

from typing import Final

from belot_conformance.identify.overlay import as_yaml
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "mistakes")


def print_mistakes(page: Page, language: Language) -> None:
    """Print each mistake by its name, with what it is like and the values that it plays."""
    values, faults = load_mistakes().values(), load_faults().values()
    for key, listed in (("values", values), ("faults", faults)):
        page.heading(_WORDS.say(key, language, n=len(listed)))
        for mistake in listed:
            page.line(mistake.name, style="bold")
            page.line(mistake.title.in_language(language), indent=2)
            for rule, value in mistake.values.items():
                page.line(f"{rule}: {as_yaml(value)}", indent=2, hang=2, style="dim")
