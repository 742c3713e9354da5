"""What a release says at a terminal once it is made: what is in it, and what remains to be done."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from belot_conformance.text.page import Page
from belot_spec.catalogue import Language, Text
from belot_workshop.changes.diff_page import step_sentence, summary
from belot_workshop.releases.release import Draft

_WORDS: Final[Mapping[str, Text]] = {
    "made": Text(
        "{version}: {rules} rules, {cases} cases, {files} files; {manifest} lists them",
        "{version}: {rules} regels, {cases} gevallen, {files} bestanden; {manifest} somt ze op",
    ),
    "cases": Text(
        "Cases: {new} added, {changed} changed, {dropped} retired.",
        "Gevallen: {new} erbij, {changed} veranderd, {dropped} weg.",
    ),
    "first": Text("The first release.", "De eerste uitgave."),
    "next": Text("Now commit {ledger}, and tag it v{version}.", "Zet nu {ledger} in git, met v{version} als tag."),
}


def print_release(page: Page, draft: Draft, manifest: Mapping[str, Any], place: Path, language: Language) -> None:
    """Print a release that was made."""
    counts = {**manifest, "files": len(manifest["files"]), "manifest": place}
    page.line(_WORDS["made"].in_language(language).format(**counts), style="bold", hang=2)
    if draft.diff is not None:
        page.line(f"{draft.diff.old} → {draft.diff.new}: {summary(draft.diff, language)}", hang=2)
    if draft.previous is None:
        page.line(_WORDS["first"].in_language(language))
    else:
        page.line(step_sentence(draft.step, language))
    cases = draft.cases
    numbers = {"new": len(cases.new), "changed": len(cases.changed), "dropped": len(cases.dropped)}
    page.line(_WORDS["cases"].in_language(language).format(**numbers))
    ledger = f"cases/{draft.ledger.path.name}"
    page.line(_WORDS["next"].in_language(language).format(ledger=ledger, version=draft.version))
