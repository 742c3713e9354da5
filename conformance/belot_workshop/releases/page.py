"""What a release says at a terminal once it is made: what is in it, and what remains to be done."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words
from belot_workshop.changes.diff_page import step_sentence, summary
from belot_workshop.releases.release import Draft

_WORDS: Final = Words(__name__, "release")


def print_release(page: Page, draft: Draft, manifest: Mapping[str, Any], place: Path, language: Language) -> None:
    """Print a release that was made."""
    counts = {**manifest, "files": len(manifest["files"]), "manifest": place}
    page.line(_WORDS.say("made", language, **counts), style="bold", hang=2)
    if draft.diff is not None:
        page.line(f"{draft.diff.old} → {draft.diff.new}: {summary(draft.diff, language)}", hang=2)
    if draft.previous is None:
        page.line(_WORDS["first"].in_language(language))
    else:
        page.line(step_sentence(draft.step, language))
    cases = draft.cases
    numbers = {"new": len(cases.new), "changed": len(cases.changed), "dropped": len(cases.dropped)}
    page.line(_WORDS.say("cases", language, **numbers))
    ledger = f"cases/{draft.ledger.path.name}"
    page.line(_WORDS.say("next", language, ledger=ledger, version=draft.version))
