"""One step leads from a statement, a ruling or a rule to rules, values, rulings, cases and the page of the site."""

import re
from pathlib import Path

from belot_conformance.rules.reading import statement_path
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.trace import about_rule, about_ruling, about_statement
from belot_spec.languages import Language
from belot_spec.spec import Spec
from suite_testing import flat, house_rules, in_both_languages, run, told


def shown(*arguments: str, columns: int = 80) -> str:
    done = run("spec", "show", *arguments, columns=columns)
    assert done.exit_code == 0, done.output
    assert all(len(line) <= columns and not line.endswith(" ") for line in done.stdout.splitlines())
    return flat(done.stdout)


@in_both_languages
def test_a_statement_leads_to_rules_values_rulings_cases_and_its_page(spec: Spec, language: Language) -> None:
    text = shown("BL-171", "--lang", language)
    for rule in spec.sources["BL"].homes["BL-171"].rules:
        assert f"{spec.rules[rule].title.in_language(language)} ({rule})" in text
    sentence = told("spec", "show", "bela-4", "play.void.partner-winning")["rule"]["sentence"][language]
    assert re.search(rf"bela-4(, [\w, -]+)?: {re.escape(' '.join(sentence.split()))}", text)
    assert "BL-171, BL-173;" in text
    for ruling in ("G-02", "BL-R3"):
        assert f"{ruling}: {spec.rulings[ruling].title.in_language(language)}" in text
    assert "bc-0072" in text
    assert text.endswith(f"/{language}/sources/bl/#bl-171")


def test_with_a_profile_only_its_values_rulings_and_cases_are_shown(spec: Spec) -> None:
    found = told("spec", "show", "bela-3", "BL-171")
    values = {rule["id"]: [value["profile"] for value in rule["values"]] for rule in found["rules"]}
    assert set(map(tuple, values.values())) == {("bela-3",)}
    assert {case["profile"].split("+")[0] for case in found["cases"]} == {"bela-3"}
    rulings = {ruling["id"] for ruling in told("spec", "show", "belote", "BL-105")["rulings"]}
    assert rulings == {name for name in ("G-16", "FR-R4") if "BL-105" in spec.rulings[name].statements}
    printed = spec.rulings["BN-E1"].printed
    assert printed is not None
    assert flat(printed.nl) in shown("BN-E1", "--lang", "nl")


def test_statements_lead_to_all_that_names_them(spec: Spec) -> None:
    cases = load_cases()
    for source in spec.sources.values():
        for statement in source.statement_ids()[::40]:
            found = about_statement(statement, spec)
            rules = {rule["id"]: rule for rule in found["rules"]}
            assert set(source.homes[statement].rules) <= set(rules)
            citing = {
                (rule, variant)
                for variant in spec.playable()
                for rule, setting in spec.profile(variant).settings.items()
                if statement in setting.cite
            }
            resting = {
                (name, value["profile"]) for name, rule in rules.items() for value in rule["values"] if value["rests"]
            }
            assert resting == citing
            assert {case["id"] for case in found["cases"]} == {
                case.id for case in cases if statement in case.statements
            }
            assert found["page"] == statement_path(statement)


@in_both_languages
def test_a_ruling_leads_to_the_rules_that_rest_on_it_or_that_it_touches(spec: Spec, language: Language) -> None:
    text = shown("BL-R13", "--lang", language)
    ruling = spec.rulings["BL-R13"]
    assert all(f"({rule})" in text for rule in ruling.rules)
    assert all(" ".join(refused.changes.in_language(language).split()) in text for refused in ruling.refused)
    assert text.endswith(f"/{language}/rulings/bl/#bl-r13")
    for name in [*spec.rulings][::6]:
        rules = {rule["id"]: rule for rule in about_ruling(name, spec)["rules"]}
        for variant in spec.playable():
            for rule, setting in spec.profile(variant).settings.items():
                value = [one for one in rules.get(rule, {"values": []})["values"] if one["profile"] == variant]
                assert [one["rests"] for one in value] == [True] or setting.ruling != name


def test_house_rules_lead_to_the_cases_of_the_variant_they_change(tmp_path: Path) -> None:
    house = house_rules(tmp_path, {"match.target": 501}, "bela-4+pass")
    for name in ("BL-207", "G-05", "match.target"):
        found, own = told("spec", "show", str(house), name), told("spec", "show", "bela-4", name)
        assert (found["profile"], found["variant"]) == ("our-table", "bela-4")
        assert found["cases"] == own["cases"] != []
        assert f"Gevallen bij bela-4: {len(own['cases'])}" in shown(str(house), name, "--lang", "nl")


@in_both_languages
def test_a_rule_leads_to_every_variant_its_statements_rulings_and_cases(spec: Spec, language: Language) -> None:
    text = shown("match.claim", "--lang", language)
    assert all(variant in text for variant in spec.playable())
    assert "bela-4+pass" in text
    assert "BL-R13: " in text
    assert "BL-231..238" in text
    assert text.endswith(f"/{language}/rules/match.claim/")
    found = about_rule("match.claim", spec)
    assert {case["id"] for case in found["cases"]} == {case.id for case in load_cases() if "match.claim" in case.rules}
    here = shown("bela-4", "match.claim", "--lang", language)
    assert "BL-231..238" in here
    assert here.endswith(f"/{language}/rules/match.claim/")
