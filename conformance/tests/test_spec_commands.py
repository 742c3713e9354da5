"""The commands ``belot spec list``, ``show`` and ``compare``: what they print for people and as JSON."""

import subprocess
import sys
from pathlib import Path

import pytest

from belot_conformance.rules.reading import as_runs, one_rule, value_text
from belot_spec.languages import LANGUAGES, Language
from belot_spec.register import expand_statements
from belot_spec.spec import Spec
from belot_spec.wording import sentence
from suite_testing import VARIANTS, flat, house_rules, in_both_languages, of_each_variant, run, told


def text_of(*arguments: str, columns: int = 80) -> str:
    done = run(*arguments, columns=columns)
    assert done.exit_code == 0, done.output
    assert all(len(line) <= columns for line in done.stdout.splitlines())
    assert not any(line.endswith(" ") for line in done.stdout.splitlines())
    return done.stdout


def words_of(spec: Spec, rule: str, profile: str, language: Language) -> str:
    found = spec.profile(profile)
    return flat(sentence(spec.rules[rule], found.value(rule), language, spec.glossary, found.settings))


@pytest.fixture
def house(tmp_path: Path) -> str:
    return str(house_rules(tmp_path, {"match.target": 51}, "belotten"))


@in_both_languages
def test_list_names_every_variant_with_its_options(spec: Spec, language: Language) -> None:
    text = flat(text_of("spec", "list", "--lang", language))
    for variant in spec.playable():
        assert f"{variant}: {spec.variants[variant].name.in_language(language)}" in text
        for option in spec.options_of(variant).values():
            assert f"+{option.id}: {flat(option.title.in_language(language))}" in text


def test_list_as_json_counts_every_value_once(spec: Spec) -> None:
    found = told("spec", "list")
    assert [variant["id"] for variant in found] == list(spec.playable())
    for variant in found:
        profile = spec.profile(variant["id"])
        values = dict(variant["values"])
        assert values.pop("all") == sum(values.values()) == len(profile.settings)
        plays_to = (variant["players"], variant["target"], variant.get("deals"))
        settings = (profile.settings.get(rule) for rule in ("deal.players", "match.target", "match.deals"))
        assert plays_to == tuple(setting and setting.value for setting in settings)
        assert [option["id"] for option in variant["options"]] == list(spec.options_of(variant["id"]))
        assert set(variant["name"]) & set(variant["summary"]) & set(variant["sources"][0]["region"]) >= {*LANGUAGES}
    sources = {variant["id"]: [one["id"] for one in variant["sources"]] for variant in found}
    assert (sources["belotten"], sources["denderbelot-3"], sources["belote"]) == (["BN"], ["WB"], ["FR"])


@in_both_languages
@of_each_variant
def test_show_tells_every_rule_with_value_citations_and_ruling(spec: Spec, variant: str, language: Language) -> None:
    text = flat(text_of("spec", "show", variant, "--lang", language))
    for rule, setting in spec.profile(variant).settings.items():
        told = text[text.index(f"({rule})") :]
        assert told.startswith(f"({rule}) {words_of(spec, rule, variant, language)}")
        assert value_text(setting.value) in told
        assert ", ".join(as_runs(setting.cite)) in told
        if setting.ruling is not None:
            assert f"{setting.ruling}: {flat(spec.rulings[setting.ruling].title.in_language(language))}" in told
            assert flat(spec.rulings[setting.ruling].reading.in_language(language)) in told
    for rule in spec.rules.keys() - spec.profile(variant).settings.keys():
        assert f"({rule})" not in text


@of_each_variant
def test_show_as_json_holds_the_same_values_as_the_spec(spec: Spec, variant: str) -> None:
    found = told("spec", "show", variant)
    shown = {rule["id"]: rule for topic in found["topics"] for rule in topic["rules"]}
    settings = spec.profile(variant).settings
    assert list(shown) == list(settings)
    for rule_id, rule in shown.items():
        assert rule["value"] == settings[rule_id].value
        assert rule["status"] == settings[rule_id].status
        assert expand_statements(rule["cite"]) == settings[rule_id].cite
        assert (rule["ruling"] or {}).get("id") == settings[rule_id].ruling
        languages = set(rule["sentence"]) & set(rule["question"]) & set(rule["title"])
        assert languages >= {*LANGUAGES}


def test_a_topic_is_shown_without_the_others_and_house_rules_as_such(house: str) -> None:
    assert [topic["id"] for topic in told("spec", "show", "belotten", "play")["topics"]] == ["play"]
    text = text_of("spec", "show", "belotten", "play", "--lang", "nl")
    assert "Het spelen (play)" in text
    assert "(scoring." not in text
    rule = told("spec", "show", house, "match.target")["rule"]
    assert (rule["value"], rule["status"], rule["cite"], rule["ruling"]) == (51, "house", [], None)
    assert "our-table" in text_of("spec", "show", house)
    assert "huisregel" in text_of("spec", "show", house, "match.target", "--lang", "nl")


@in_both_languages
def test_show_of_one_rule_sets_every_other_variant_beside_it(spec: Spec, language: Language) -> None:
    for rule in [*spec.rules.values()][::8]:
        text = flat(text_of("spec", "show", "denderbelot", rule.id, "--lang", language))
        assert rule.question.in_language(language) in text
        for variant in spec.playable():
            if rule.id in spec.profile(variant).settings:
                assert words_of(spec, rule.id, variant, language) in text
        others = one_rule(spec.profile("denderbelot"), rule.id, spec)["others"]
        assert {other["profile"] for other in others} == set(VARIANTS) - {"denderbelot"}
        setting = spec.profile("denderbelot").settings.get(rule.id)
        if setting is not None and setting.ruling is not None:
            for refused in spec.rulings[setting.ruling].refused:
                assert flat(refused.reading.in_language(language)) in text
                assert flat(refused.changes.in_language(language)) in text


def test_a_rule_that_does_not_matter_says_where_it_does() -> None:
    text = flat(text_of("spec", "show", "bela-3", "play.void.partner-winning"))
    assert "does not apply here, only where deal.sides is partners-opposite." in text
    dutch = flat(text_of("spec", "show", "bela-3", "play.void.partner-winning", "--lang", "nl"))
    assert "speelt hier niet, enkel als deal.sides partners-opposite is." in dutch
    rule = told("spec", "show", "bela-3", "play.void.partner-winning")["rule"]
    assert rule["matters"] is False
    assert rule["needs"] == {"deal.sides": ["partners-opposite"]}


@pytest.mark.parametrize("variant", ["belote", "bela-3", "contree"])
def test_compare_shows_exactly_what_differs(spec: Spec, variant: str) -> None:
    one, other = spec.profile("belotten").settings, spec.profile(variant).settings
    different = {
        rule
        for rule in one.keys() | other.keys()
        if rule not in one or rule not in other or one[rule].value != other[rule].value
    }
    found = told("spec", "compare", "belotten", variant)
    shown = [rule["id"] for topic in found["topics"] for rule in topic["rules"]]
    assert shown == [rule for rule in spec.rules if rule in different]
    assert found["different"] == len(different)
    everything = told("spec", "compare", "belotten", variant, "--all")
    assert sum(len(topic["rules"]) for topic in everything["topics"]) == len(one.keys() | other.keys())


@in_both_languages
def test_two_profiles_stand_in_columns(spec: Spec, language: Language) -> None:
    text = text_of("spec", "compare", "belote", "bela-3", "--lang", language)
    left = flat(" ".join(line[:38] for line in text.splitlines()))
    right = flat(" ".join(line[41:] for line in text.splitlines()))
    for topic in told("spec", "compare", "belote", "bela-3")["topics"]:
        for rule in topic["rules"]:
            assert f"({rule['id']})" in flat(text)
            first, second = rule["values"]
            assert not first["matters"] or words_of(spec, rule["id"], "belote", language) in left
            assert not second["matters"] or words_of(spec, rule["id"], "bela-3", language) in right


def test_more_profiles_stand_in_a_list_those_that_agree_together(spec: Spec) -> None:
    text = flat(text_of("spec", "compare", "belote", "belotten", "bela-4", "--lang", "nl"))
    assert f"belote, bela-4: {words_of(spec, 'deal.cut-required', 'belote', 'nl')}" in text
    assert f"belotten: {words_of(spec, 'deal.cut-required', 'belotten', 'nl')}" in text
    assert "bela-4: (speelt hier niet)" in text


def test_equal_profiles_differ_in_nothing_and_house_rules_in_theirs(house: str) -> None:
    pair = ("bela-4+pass+length-counts", "bela-4+length-counts+pass")
    assert "The same in all" in text_of("spec", "compare", *pair)
    assert told("spec", "compare", *pair)["different"] == 0
    found = told("spec", "compare", "belotten", house)
    assert [rule["id"] for topic in found["topics"] for rule in topic["rules"]] == ["match.target"]
    assert "belotten" in text_of("spec", "compare", *VARIANTS[:2], *VARIANTS[4:5], "--all", columns=60)


def test_help_loads_neither_the_spec_nor_rich(root: Path) -> None:
    code = (
        "import sys, belot_conformance.cli.main\n"
        "print([name for name in ('rich', 'yaml', 'belot_spec.spec') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("word", "rule"), [
    ("capot", "scoring.all-tricks.points"), ("hanging", "scoring.tie"),
    ("Pisser", "play.void.opponent-ruffed"), ("litige", "scoring.tie"),
])  # fmt: skip
def test_a_players_word_leads_to_the_questions_and_rules_that_it_is_about(word: str, rule: str) -> None:
    first = told("spec", "show", word)["questions"][0]["rules"][0]
    assert first["id"] == rule
    here = flat(text_of("spec", "show", "bela-4", word))
    assert f"({rule})" in here
    assert (
        flat(told("spec", "show", "bela-4", rule)["rule"].get("sentence", {}).get("en", "does not apply here")) in here
    )


@in_both_languages
def test_a_statement_of_a_collection_tells_its_documents_and_those_that_differ(spec: Spec, language: Language) -> None:
    source = spec.sources["BG"]
    text = flat(text_of("spec", "show", "BG-049", "--lang", language))
    assert flat(source.told["BG-049"].text.in_language(language)) in text
    for name in ("D5", "D9", "D10", "D13"):
        assert f"{name} {source.documents[name].title}: {source.documents[name].about.in_language(language)}" in text
    differing = f"BG-050 (D6, D11): {source.told['BG-050'].text.in_language(language)}"
    assert flat(differing) in text
    assert "BG-049" in flat(text_of("spec", "show", "BG-050", "--lang", language)).split("D6")[0]


def test_what_other_documents_say_stands_with_the_value_that_it_is_about() -> None:
    rules = {
        rule["id"]: [other["statement"] for other in rule["departing"]]
        for topic in told("spec", "show", "bulgarian-belot")["topics"]
        for rule in topic["rules"]
    }
    assert rules["play.trump-led.partner-winning"] == ["BG-050"]
    assert rules["deal.cut-required"] == ["BG-006"]
    # It rests on the same statement, and what differs there is not about who cuts.
    assert rules["deal.cutter"] == []
    assert "but BG-050 (D6, D11)" in flat(text_of("spec", "show", "bulgarian-belot", "play"))
    # Where documents contradict one another, only those that say something else than the value.
    other = told("spec", "show", "coinche", "scoring.contract-needs")["rule"]["departing"]
    assert [one["statement"] for one in other] == ["CO-129", "CO-134", "CO-135"]


def test_what_no_source_of_a_variant_says_has_one_mark_wherever_it_is_told(spec: Spec) -> None:
    """The options that rest on G-23, and the five that FR-R3, FR-R10, WB3-R1 and WB3-R5 fill in."""
    legend, seen = "° played at tables or by programs; no source of this variant says it.", set()
    listed = {variant["id"]: variant["options"] for variant in told("spec", "list")}
    whole = flat(text_of("spec", "list"))
    assert legend in whole
    shown = dict[tuple[str, bool], str]()
    for variant in spec.playable():
        for option, said in zip(spec.options_of(variant).values(), listed[variant], strict=True):
            unsourced = all(one.status == "filled" for one in option.settings.values())
            assert said["unsourced"] == unsourced
            assert f"+{option.id}: {flat(option.title.en)}{'°' if unsourced else ''}" in whole
            seen |= {one.ruling for one in option.settings.values()} if unsourced else set()
            shown.setdefault((variant, unsourced), option.id)
    assert seen == {"G-23", "FR-R3", "FR-R10", "WB3-R1", "WB3-R5"}
    # Of each variant one option with the mark and one without.
    for (variant, unsourced), option_id in shown.items():
        name, rule = f"{variant}+{option_id}", next(iter(spec.options_of(variant)[option_id].settings))
        for words in (("compare", variant, name), ("diff", variant, name), ("show", name, rule)):
            text = flat(text_of("spec", *words))
            assert (legend in text) == unsourced == ("°" in text.replace(legend, "")), words
