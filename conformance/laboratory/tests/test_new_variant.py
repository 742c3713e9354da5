"""The chapter on a new variant, followed to the letter: the variant comes of its steps alone."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

CHAPTER: Final = "A new variant, from scaffold to site"
PACKAGES: Final = ("reference_impl", "conformance", "site")
LEFT_OUT: Final = shutil.ignore_patterns("node_modules", "__pycache__", "tests", "ledger", "build")
MADE: Final = """
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.output.build import pages_of
from belot_site.pages.page import Printer
from belot_site.pages.playground import playground_data
from belot_site.pages.questions import answers_of

for language in ("en", "nl"):
    edition = SiteEdition(Library(), language)
    printer = Printer(edition)
    for page in pages_of(edition):
        if page.profile == "short-bela" or "short-bela" in page.path:
            print("PAGE", page.path, len(printer.text_of(page)), "501" in printer.text_of(page))
    print("PLAYGROUND", len(playground_data(edition)["examples"]["short-bela"]), len(answers_of(edition, "short-bela")))
"""


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    for top in ("spec", "cases", *PACKAGES):
        shutil.copytree(root / top, tmp_path / top, ignore=LEFT_OUT)
    (tmp_path / "conformance" / "ledger" / "programs").mkdir(parents=True)
    shutil.copyfile(root / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def in_copy(copy: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(copy / top) for top in PACKAGES), "COLUMNS": "200"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, encoding="utf-8", check=False)


def steps(root: Path) -> Iterator[tuple[str, str]]:
    page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    chapter = page.partition(f"## {CHAPTER}\n")[2].partition("\n## ")[0]
    for kind, block in re.findall(r"```(console|yaml)\n(.*?)```", chapter, re.DOTALL):
        if kind == "console":
            yield from (("run", line.removeprefix("$ ")) for line in block.splitlines())
        else:
            name, _, text = block.partition("\n")
            yield name.removeprefix("# "), text


@pytest.mark.long
def test_a_new_variant_comes_of_the_steps_of_the_chapter_alone(root: Path, copy: Path) -> None:
    runs: list[tuple[str, int, str]] = []
    free = ""
    for what, text in steps(root):
        if what == "run":
            words = shlex.split(text)
            rest = words[1:] if words[0] == "python" else ["-m", "belot_conformance", *words[1:]]
            done = in_copy(copy, *rest)
            runs.append((text, done.returncode, done.stdout + done.stderr))
            said = re.search(r"the next free id is (bc-\d+)", done.stdout)
            free = said[1] if said else free
        else:
            (copy / what).write_text(text.replace("bc-NNNN", free), encoding="utf-8")
    scaffolded = [told for command, code, told in runs if code]
    assert [command for command, code, _ in runs if code] == ["belot spec lint"], runs
    # It names what a person has to write, and nothing else.
    faults = [re.sub(r":\d+", "", line).removeprefix("belot: ") for line in scaffolded[0].splitlines()]
    assert faults == [
        *(f"spec/variants/short-bela.yaml: name.{one}: still to be written: its name" for one in ("en", "nl")),
        *(
            f"spec/variants/short-bela.yaml: summary.{one}: still to be written: what sets it apart, in a sentence"
            for one in ("en", "nl")
        ),
        "spec/variants/short-bela.yaml: rules: plays as bela-4 does; write the rules that differ",
        *(
            f"spec/sources/zz.yaml: title.{one}: still to be written: what the document is called"
            for one in ("en", "nl")
        ),
        *(f"spec/sources/zz.yaml: region.{one}: still to be written: where they play so" for one in ("en", "nl")),
        *(f"spec/variants/short-bela.yaml: {one}: French lacks this" for one in ("name", "summary")),
        "spec/variants/short-bela.yaml: id: no case is about short-bela; write one for every rule that differs (cases/README.md)",
    ]
    (checked,) = (told for command, _, told in runs if command.startswith("belot check"))
    assert "plays by the rules of short-bela" in checked
    made = in_copy(copy, "-c", MADE)
    assert made.returncode == 0, made.stderr
    pages = {line.split()[1]: line.endswith("True") for line in made.stdout.splitlines() if line.startswith("PAGE")}
    assert pages["variants/short-bela"] is True
    assert "variants/short-bela/learn" in pages
    playground = [line.split()[1:] for line in made.stdout.splitlines() if line.startswith("PLAYGROUND")]
    assert [(int(examples), int(answers) > 20) for examples, answers in playground] == [(4, True)] * 2
