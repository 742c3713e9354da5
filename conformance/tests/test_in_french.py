"""What commands tell of rules with ``--lang fr``: whole in French, for the game of which nothing is missing in it."""

import shutil
from pathlib import Path

from belot_spec.data import spec_folder
from belot_spec.shipped import default_spec
from belot_spec.wording import sentence
from suite_testing import Belot


def test_spec_show_tells_a_game_in_french(belot: Belot) -> None:
    variant = "bela-3"
    done = belot("spec", "show", variant, "--lang", "fr")
    text = " ".join(done.stdout.split())
    spec = default_spec()
    settings = spec.profile(variant).settings
    for rule, setting in settings.items():
        told = sentence(spec.rules[rule], setting.value, "fr", spec.glossary, settings)
        english = sentence(spec.rules[rule], setting.value, "en", spec.glossary, settings)
        assert told in text, rule
        assert english not in text, rule


def test_lint_names_what_is_missing_in_french(belot: Belot, tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    path = folder / "rules" / "play.fr.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("    title: L'entame\n", ""), encoding="utf-8")
    done = belot("spec", "lint", str(folder))
    assert done.returncode == 2
    assert "rules.play.lead.title: French lacks this" in done.stderr
