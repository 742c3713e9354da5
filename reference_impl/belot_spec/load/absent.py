"""Sentences that speak of what does not exist in a variant: of a partner where everybody plays alone."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from belot_spec.conditions import condition_of, holds
from belot_spec.errors import Problem, refuse
from belot_spec.languages import LANGUAGES
from belot_spec.load.documents import read_document
from belot_spec.spec import Spec
from belot_spec.wording import sentence


def check_absent_things(spec: Spec) -> None:
    """Raise ``SpecError`` with each sentence that names what a variant, alone or with an option, has not."""
    refuse([*_faults(spec)])


def is_absent(term: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Say whether the thing of a term does not exist by these values of rules."""
    unless = condition_of(term.get("unless", {}))
    return not holds(condition_of(term.get("needs", {})), values) or (bool(unless) and holds(unless, values))


def _faults(spec: Spec) -> Iterator[Problem]:
    terms, seen = spec.glossary.terms, set[tuple[str, str]]()
    for variant in spec.nameable():
        for name in (variant, *(f"{variant}+{option}" for option in spec.options_of(variant))):
            settings = spec.profile(name).settings
            values = {rule: setting.value for rule, setting in settings.items()}
            absent = [term for term in terms.values() if is_absent(term, values)]
            for rule, value in values.items() if absent else ():
                # The rule by which a thing does not exist says so.
                gone = [term for term in absent if rule not in {**term.get("needs", {}), **term.get("unless", {})}]
                for language in LANGUAGES:
                    told = sentence(spec.rules[rule], value, language, spec.glossary, settings)
                    words = [term[language] for term in gone if _occurs(term[language], told)]
                    if words and (rule, told) not in seen:
                        seen.add((rule, told))
                        document = read_document(spec.folder / "rules" / f"{spec.rules[rule].topic}.yaml")
                        message = f"speaks of {words[0]} in {name}, which has none: {told}"
                        yield document.problem(("rules", rule, "wording"), message)


def _occurs(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?:s|es|en|n)?(?!\w)", text, re.IGNORECASE) is not None
