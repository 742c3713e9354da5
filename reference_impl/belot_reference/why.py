"""Why the rules refuse something: the rule, its sentence in both languages, and what it rests on."""

from dataclasses import dataclass

from belot_spec.catalogue import LANGUAGES, Text
from belot_spec.spec import Profile, default_spec
from belot_spec.wording import sentence


@dataclass(frozen=True, slots=True)
class Why:
    """The rule that refuses an action.

    ``sentence`` states it, in English (``.en``) and in Dutch (``.nl``); ``statements`` are the numbered statements of
    the sources that it rests on, and ``ruling`` the ruling that decided how to read them, if there is one.
    """

    rule: str
    sentence: Text
    statements: tuple[str, ...]
    ruling: str | None

    def __str__(self) -> str:
        ruling = () if self.ruling is None else (f"ruling {self.ruling}",)
        return f"{self.sentence.en} ({self.rule}; {', '.join((*self.statements, *ruling)) or 'house rule'})"


def why(profile: Profile, rule: str | None) -> Why | None:
    """Return what a rule says and rests on, ``None`` where none refuses or the one that does has no value here."""
    spec, settings = default_spec(), profile.settings
    if rule is None or rule not in settings:
        return None
    setting = settings[rule]
    words = (sentence(spec.rules[rule], setting.value, one, spec.glossary, settings) for one in LANGUAGES)
    return Why(rule, Text(*words), setting.cite, setting.ruling)
