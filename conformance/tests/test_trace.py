"""The trace finds each kind of gap between sources, rules and cases; and what belot spec new writes."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.trace import SpecTrace, as_json, statements_by_rule, trace
from belot_spec.errors import BelotError
from belot_spec.load.lint import check_citations, check_short_words
from belot_spec.load.spec import load_spec
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_workshop.scaffolds import write_source, write_variant
from suite_testing import Belot, run

TRACE = """\
trace:
  BN-001: {rules: [deck.order, deck.jokers]}
  BN-002: {rules: [deck.size, deck.shuffled, deck.jokers], example: true}
  BN-003..004: {rules: [deck.duty]}
  BN-005: {reason: repetition, see: BN-003}
"""
CASE = """\
operation: legal-cards
profile: child
behaviour: {en: Something, nl: Iets}
why: {en: Because, nl: Omdat}
cases:
  - id: bc-9001
    title: {en: An invented case, nl: Een verzonnen geval}
    input: {hand: []}
    expect: {result: {cards: []}}
    rules: []
    statements: [BN-002]
    rulings: [BN-R1]
    origin: by-hand
"""


@pytest.fixture
def folder(tmp_path: Path, root: Path) -> Path:
    shutil.copytree(root / "reference_impl/tests/small_spec", tmp_path / "spec")
    source = tmp_path / "spec/sources/one.yaml"
    source.write_text(source.read_text(encoding="utf-8") + TRACE, encoding="utf-8")
    cases = tmp_path / "cases/legal-cards"
    cases.mkdir(parents=True)
    (cases / "one.yaml").write_text(CASE, encoding="utf-8")
    return tmp_path


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def traced(folder: Path) -> SpecTrace:
    return trace(load_spec(folder / "spec"), load_cases(folder / "cases"))


def test_a_spec_without_gaps_has_none(folder: Path) -> None:
    found = traced(folder)
    assert found.gaps == ()
    assert (found.with_home, found.statements) == (5, 5)
    assert found.kinds == {"BN": {"rules": 3, "example": 1, "repetition": 1}}
    assert found.fed_by["deck.duty"] == ("BN-003", "BN-004")


@pytest.mark.parametrize(("file", "before", "after", "message"), [
    ("spec/sources/one.yaml", "BN-003..004", "BN-003", "one.yaml:12: BN-004: has no home"),
    ("spec/sources/one.yaml", "  BN-001: {rules: [deck.order, deck.jokers]}\n", "", "one.yaml:1: BN-001: has no"),
    ("spec/sources/one.yaml", "[deck.duty]", "[deck.duti]", "one.yaml:12: BN-003: feeds the rule deck.duti, which"),
    ("spec/sources/one.yaml", "see: BN-003", "see: BN-004..003", "BN-005: the run BN-004..003 ends before it starts"),
    ("spec/sources/one.yaml", "see: BN-003", "see: BN-006", "one.yaml:13: BN-005: repeats BN-006, which is no"),
    ("spec/sources/one.yaml", "see: BN-003", "terms: [trik]", "BN-005: names the term trik, which the glossary lacks"),
    ("spec/sources/one.yaml", "see: BN-003", "ruling: BN-R2", "BN-005: names the ruling BN-R2, which does not"),
    ("cases/legal-cards/one.yaml", "[BN-002]", "[]", "one.yaml:11: BN-002: is a worked example that no case names"),
    ("cases/legal-cards/one.yaml", "    rulings: [BN-R1]\n", "", "rulings.yaml:7: rulings.BN-R1: no case names"),
])  # fmt: skip
def test_a_gap_is_named_with_file_and_line(folder: Path, file: str, before: str, after: str, message: str) -> None:
    change(folder / file, before, after)
    assert message in "\n".join(map(str, traced(folder).gaps))


def test_a_value_without_a_citation_needs_a_principle_and_a_ruled_one_a_ruling(folder: Path) -> None:
    spec = load_spec(folder / "spec")
    child = spec.variants["child"]
    option = child.options["many-jokers"]
    unruled = replace(option, settings={"deck.size": replace(option.settings["deck.size"], ruling=None)})
    variants = {**spec.variants, "child": replace(child, options={"many-jokers": unruled})}
    (gap,) = trace(replace(spec, variants=variants), load_cases(folder / "cases")).gaps
    assert "child.yaml:18: options.many-jokers.rules.deck.size: is ruled and names no ruling" in str(gap)
    change(folder / "spec/rulings.yaml", "kind: principle", "kind: erratum\n    printed: {en: x, nl: x}")
    assert "child.yaml:8: rules.deck.shuffled: has neither a citation" in "\n".join(map(str, traced(folder).gaps))


def test_a_ruling_that_no_value_names_lists_the_rules_that_it_touches(folder: Path) -> None:
    words = "title: {en: x, nl: x}, reading: {en: x, nl: x}}\n  BN-R1:"
    change(folder / "spec/rulings.yaml", "  BN-R1:", f"  BN-R2: {{kind: ruling, {words}")
    change(folder / "cases/legal-cards/one.yaml", "[BN-R1]", "[BN-R1, BN-R2]")
    assert [str(gap) for gap in traced(folder).gaps] == [
        f"{folder}/spec/rulings.yaml:7: rulings.BN-R2: no value names this ruling; list the rules that it touches"
    ]
    change(folder / "spec/rulings.yaml", "{kind: ruling", "{kind: ruling, rules: [deck.duty]")
    assert traced(folder).gaps == ()


def test_unfed_rules_and_strange_citations_are_gaps(folder: Path) -> None:
    change(folder / "spec/sources/one.yaml", "deck.order, deck.jokers", "deck.order")
    change(folder / "spec/sources/one.yaml", "deck.shuffled, deck.jokers", "deck.shuffled")
    change(folder / "spec/sources/one.yaml", "reason: repetition, see: BN-003", "reason: heading")
    gaps = "\n".join(map(str, traced(folder).gaps))
    assert "deck.yaml:13: rules.deck.jokers: no statement feeds this rule" in gaps
    assert "parent.yaml:8: rules.deck.duty.cite: BN-005: the trace does not lead to this rule" in gaps
    assert "child.yaml:14: options.large-deck.rules.deck.jokers.cite: BN-002" in gaps


def test_every_rule_is_fed_and_every_citation_leads_to_its_rule() -> None:
    assert [str(gap) for gap in trace(default_spec(), load_cases()).gaps] == []


def test_the_trace_for_programs_holds_the_same_with_the_home_of_each_statement(folder: Path) -> None:
    change(
        folder / "spec/sources/one.yaml",
        "BN-003..004: {rules: [deck.duty]",
        "BN-004: {rules: [deck.duty], note: {en: more, nl: meer}",
    )
    change(folder / "spec/sources/one.yaml", "see: BN-003", "terms: [trick], see: BN-004")
    data = as_json(traced(folder))
    assert (data["statements"], data["with_home"]) == (5, 4)
    assert data["sources"] == {"BN": {"rules": 2, "example": 1, "no home": 1, "repetition": 1}}
    assert "BN-003" in [gap["key"] for gap in data["gaps"]]
    assert data["homes"]["BN-002"] == {"kind": "example", "rules": ["deck.size", "deck.shuffled", "deck.jokers"]}
    assert data["homes"]["BN-004"] == {"kind": "rules", "rules": ["deck.duty"], "note": {"en": "more", "nl": "meer"}}
    assert data["homes"]["BN-005"] == {"kind": "repetition", "rules": [], "see": "BN-004", "terms": ["trick"]}


def test_the_command_counts_every_statement_and_exits_by_the_gaps(belot: Belot) -> None:
    told = json.loads(belot("spec", "trace", "--format", "json").stdout)
    done = belot("spec", "trace")
    assert done.returncode == (1 if told["gaps"] else 0), done.stderr
    assert f"{told['with_home']} of {told['statements']} statements have a home" in done.stdout.splitlines()


def test_the_trace_names_every_statement_of_a_rule_within_the_width() -> None:
    done = run("spec", "trace", columns=40)
    assert all(len(line) <= 40 for line in done.stdout.splitlines())
    text = " ".join(done.stdout.split())
    for rule, statements in statements_by_rule(default_spec()).items():
        assert f"{rule} ← {', '.join(statements)}" in text


@pytest.fixture
def writable(root: Path, spec: Spec, tmp_path: Path) -> Spec:
    shutil.copytree(root / "spec", tmp_path / "spec")
    return replace(spec, folder=tmp_path / "spec")


@pytest.mark.parametrize("variant", ["bela-3", "coinche"])
def test_a_variant_made_of_any_other_loads_and_rests_on_what_that_one_rests_on(variant: str, writable: Spec) -> None:
    write_variant(writable, "ours", variant)
    loaded = load_spec(writable.folder)
    check_citations(loaded)
    check_short_words(loaded)
    assert loaded.profile("ours").settings == loaded.profile(variant).settings
    assert loaded.options_of("ours") == loaded.options_of(variant)


def test_a_source_is_begun_beside_a_variant_that_does_not_load_yet(writable: Spec) -> None:
    (writable.folder / "variants" / "ours.yaml").write_text("id: ours\nextends: nobody\n", encoding="utf-8")
    assert "ZZ-001..002: [ours]" in write_source(writable.folder, "ZZ", "ours", "en", 2).read_text(encoding="utf-8")


def test_nothing_is_written_over_a_file(writable: Spec) -> None:
    path = writable.folder / "variants" / "ours.yaml"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(BelotError, match=r"ours\.yaml is there already"):
        write_variant(writable, "ours", "bela-4")
    assert path.read_text(encoding="utf-8") == "mine"
