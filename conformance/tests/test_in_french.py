"""What commands tell with ``--lang fr``: whole in French, for the game of which nothing is missing in it."""

import json
import re
import shutil
from pathlib import Path

import pytest

from belot_spec.data import spec_folder
from belot_spec.languages import LANGUAGES, TONGUES
from belot_spec.shipped import default_spec
from belot_spec.wording import sentence
from suite_testing import PROGRAMS, Belot

WRONG = ("--", "python3", str(PROGRAMS / "answers_wrongly.py"))


def test_check_tells_its_verdict_in_french(belot: Belot) -> None:
    done = belot("check", "--profile", "belote", "--operation", "card-points", "--lang", "fr", "reference")
    assert done.returncode == 0
    assert "◐ JUSTE EN PARTIE" in done.stdout
    assert re.search(r"répond\s+juste\s+à\s+ce\s+qui\s+a\s+été\s+demandé", done.stdout)
    assert "passed" not in done.stdout


def test_a_failure_and_its_reports_are_told_in_every_language(belot: Belot, tmp_path: Path) -> None:
    page, data = tmp_path / "report.html", tmp_path / "report.json"
    reports = ("--report", str(page), "--report", str(data))
    asked = ("--profile", "belote", "--operation", "card-points", "--worked-only", "--show", "1")
    done = belot("check", *asked, "--lang", "fr", *reports, *WRONG)
    assert "✗ FAUX" in done.stdout
    assert "attendu" in done.stdout
    assert re.search(r"Les (atouts|cartes hors\s+atout)\s+valent,\s+en\s+points", done.stdout)
    html = page.read_text(encoding="utf-8")
    assert '<html lang="fr">' in html
    for one in TONGUES.values():
        assert f'data-language="{one.id}" lang="{one.id}">{one.name}</button>' in html
    # A title of a case is in English for who reads French; what is there in French hides its English.
    assert re.search(r'<span lang=en class="not-fr">What went wrong</span>', html)
    assert "<span lang=fr>Ce qui est faux</span>" in html
    assert "html[lang=fr] .not-fr" in html
    assert not re.search(r'<span lang=en class="not-fr">[^<]*</span>(?!<span lang=nl>)', html)
    cases = json.loads(data.read_text(encoding="utf-8"))["cases"]
    told = [one["rule_sentences"] for one in cases if "rule_sentences" in one]
    assert told
    assert all(one.keys() == {*LANGUAGES} and one["fr"].keys() == one["en"].keys() for one in told)


@pytest.mark.parametrize("variant", (TONGUES["fr"].variants or ())[:1])
def test_spec_show_tells_a_game_in_french(belot: Belot, variant: str) -> None:
    done = belot("spec", "show", variant, "--lang", "fr")
    text = " ".join(done.stdout.split())
    spec = default_spec()
    settings = spec.profile(variant).settings
    for rule, setting in settings.items():
        told = sentence(spec.rules[rule], setting.value, "fr", spec.glossary, settings)
        english = sentence(spec.rules[rule], setting.value, "en", spec.glossary, settings)
        assert told in text, rule
        assert english not in text, rule


def test_lint_names_what_is_missing_by_language_and_variant(belot: Belot, tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    path = folder / "rules" / "play.fr.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("    title: L'entame\n", ""), encoding="utf-8")
    done = belot("spec", "lint", str(folder))
    assert re.search(
        r"^fr, belote: .*rules\.play\.lead\.title: French lacks this, which belote needs$", done.stdout, re.MULTILINE
    )
