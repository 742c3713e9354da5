"""House rules as a file: what was found, so that a program can be checked by it."""

import json
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import yaml

from belot_conformance.explain.explanation import Explanation
from belot_conformance.mistakes.mutations import changed_profile
from belot_spec.errors import UnplayableError
from belot_spec.playability import refuse_unplayable
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole
from belot_spec.wording import sentence
from belot_spec.words import English

_WORDS: Final = English(__name__, "overlay")
_WIDTH: Final = 72


def overlay_values(base: Profile, played: Profile) -> dict[str, Any]:
    """Return the values that make house rules of a base: those that differ, and those that the base has not."""
    return {rule: setting.value for rule, setting in played.settings.items() if not base.plays(rule, setting.value)}


def without_oddities(found: Explanation, spec: Spec) -> Profile:
    """Return what is played without what looks like a mistake; what nobody could play without stays."""
    odd = {one.rule: one.own for one in found.odd if one.own is not None}
    made = changed_profile(found.played[0], odd, spec)
    try:
        refuse_unplayable(made.id, made.settings)
    except UnplayableError:
        return found.played[0]
    return made


def overlay_text(name: str, base: Profile, played: Profile, spec: Spec) -> str:
    """Return the file of house rules that plays as was found, with a comment for each rule; "" if nothing differs."""
    lines = [*_wrapped(_WORDS.say("head", base=base.id), "# "), f"id: {name}", f"base: {base.id}", "rules:"]
    values = overlay_values(base, played)
    for rule, value in values.items():
        lines += _wrapped(sentence(spec.rules[rule], value, "en", spec.glossary, played.settings), "  # ")
        # A value as YAML reads it, on as many lines as it takes.
        lines += [f"  {rule}:", *_wrapped(f"value: {as_yaml(value)}", "    ", "  ")]
    return "\n".join(lines) + "\n" if values else ""


def _wrapped(text: str, begin: str, hang: str = "") -> list[str]:
    indents = {"initial_indent": begin, "subsequent_indent": begin + hang}
    return wrap(text, _WIDTH + len(begin), break_long_words=False, break_on_hyphens=False, **indents)  # type: ignore[arg-type]


def write_overlay(path: Path, found: Explanation, spec: Spec, *, with_oddities: bool) -> str:
    """Write house rules to a file; return what to do with it, what was left out, or why nothing was written."""
    base, played = found.base, found.played[0] if with_oddities else without_oddities(found, spec)
    # A name for house rules that is no variant's, from the name of their file.
    made = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in path.stem.lower()).strip("-")
    made = made if made[:1].isalpha() else f"table-{made}".strip("-")
    name = f"{made}-house" if made in spec.variants else made
    if text := overlay_text(name, base, played, spec):
        write_whole(path, text)
    left = [one.rule for one in found.odd if not played.plays(one.rule, one.value)]
    key = "written" if text else "all_left_out" if left else "nothing"
    said = _WORDS.say(key, path=path, base=base.id)
    return f"{said}\n{_WORDS.say('left_out', rules=', '.join(left))}" if left else said


def as_yaml(value: Any) -> str:
    """Return a value of a rule on one line of YAML."""
    plain = json.loads(json.dumps(value))
    text: str = yaml.safe_dump(plain, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6)
    return text.removesuffix("\n").removesuffix("\n...")
