"""The command ``belot impact``: what it says of a change, in every form and both languages."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.changes.editions import EditionError
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import Question
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.selection import differing_rules, plan_for
from belot_conformance.text.markdown import as_markdown
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_spec.load.schemas import explain
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Spec
from belot_workshop.impact import impact as impact_module
from belot_workshop.impact.comparison import SimulationSetup
from belot_workshop.impact.impact import Impact, PositionSearch, as_json, changed_profiles, measure_impact
from belot_workshop.impact.report import as_html, figure, print_impact
from process_testing import made_once
from suite_testing import run

pytestmark = pytest.mark.long

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "impact"
NO_UNDERTRUMP = "belote+no-undertrump"


def rules_file(folder: Path, name: str, rules: str, base: str = "belote") -> str:
    path = folder / f"{name}.yaml"
    path.write_text(f"id: {name}\nbase: {base}\nrules: {rules}\n", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module", autouse=True)
def prepared_once() -> Iterator[None]:
    """Plan the cases of a shipped game, and ask them all in search of positions, only once for all the tests."""
    plans: dict[str, Any] = {}
    searches: dict[tuple[str, int, int], PositionSearch] = {}

    def planned(cases: list[Case], name: str, reference: Reference) -> Any:
        if name.endswith(".yaml"):
            return plan_for(cases, name, reference)
        return plans.get(name) or plans.setdefault(name, plan_for(cases, name, reference))

    def prepared(old: Ruleset, questions: list[Question], *, seed: int) -> PositionSearch:
        if old.profile.id not in plans:
            return PositionSearch(old, questions, seed=seed)
        key = (old.profile.id, len(questions), seed)
        return searches.get(key) or searches.setdefault(key, PositionSearch(old, questions, seed=seed))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impact_module, "plan_for", planned)
        patch.setattr(impact_module, "PositionSearch", prepared)
        yield


def measured_once(folders: pytest.TempPathFactory, setting: SimulationSetup, deals: int) -> Impact:
    return made_once(folders, f"impact-of-{setting.new}", lambda _: measure_impact(setting, deals, jobs=1))


@pytest.fixture(scope="module")
def undertrump(tmp_path_factory: pytest.TempPathFactory) -> Impact:
    return measured_once(tmp_path_factory, SimulationSetup("belote", NO_UNDERTRUMP, "random", 7), 150)


@pytest.fixture(scope="module")
def two_games(tmp_path_factory: pytest.TempPathFactory) -> Impact:
    """Many rules at once, some of which only matter along with others, and other units of score points."""
    return measured_once(tmp_path_factory, SimulationSetup("belotten", "belote", "sensible", 2), 60)


@cache
def impact_of(name: str) -> Impact:
    return measure_impact(SimulationSetup("belote", str(EXAMPLES / name), "random", 1), 1, jobs=1)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Callable[[Impact], None]:
    place = "belot_workshop.impact.command.measure_impact"
    return lambda known: monkeypatch.setattr(place, lambda *_, **__: known)


def test_every_case_that_changes_is_told_with_both_answers_and_its_rule(undertrump: Impact, spec: Spec) -> None:
    assert undertrump.cases
    known = {case.id: case for case in load_cases()}
    for one in undertrump.cases:
        assert one.rules == ("play.void.opponent-ruffed",)
        case = known[one.case.id]
        before, after = (answer(case.operation, rules, case.input) for rules in (undertrump.old, undertrump.new))
        assert before.message() != after.message()
        assert one.before != one.after
    changed = {one.case.id for one in undertrump.cases}
    assert "bc-0072" not in changed


def test_of_several_changes_each_case_names_the_one_that_causes_it(tmp_path: Path) -> None:
    both = rules_file(
        tmp_path, "two-changes", "{scoring.tie: {value: taker-falls}, play.void.opponent-ruffed: {value: [any]}}"
    )
    found = measure_impact(SimulationSetup("belote", both, "random", 1), 1, jobs=1)
    assert found.cases is not None
    by_operation = {(one.case.operation, one.rules) for one in found.cases}
    assert ("legal-cards", ("play.void.opponent-ruffed",)) in by_operation
    assert ("score-deal", ("scoring.tie",)) in by_operation


def test_two_games_are_compared_rule_by_rule_and_in_card_points(two_games: Impact, undertrump: Impact) -> None:
    together = [rule.id for rule in two_games.rules if rule.alone is None]
    assert {"declarations.sequence-classes", "scoring.rounding"} <= {*together}
    assert two_games.shown is not None
    assert sum(one.position is not None for one in two_games.shown.values()) > 0.8 * len(two_games.rules)
    for found, unit in ((two_games, "card"), (undertrump, "score")):
        assert as_json(found)["simulation"]["points"]["unit"] == unit
        assert explain(as_json(found), "impact") == []


def test_the_same_seed_gives_the_same_answer_whatever_the_number_of_processes() -> None:
    arguments = ["belote", NO_UNDERTRUMP, "--deals", "20", "--seed", "3", "--format", "json"]
    one, other = (run("impact", *arguments, "--jobs", jobs).stdout for jobs in ("1", "2"))
    assert one == other
    assert json.loads(one)["simulation"]["deals"]["whole"] >= 20


def markdown(found: Impact) -> str:
    return as_markdown(lambda page: print_impact(page, found))


def test_the_text_fits_the_terminal_and_holds_the_figures(
    two_games: Impact, measured: Callable[[Impact], None]
) -> None:
    measured(two_games)
    done = run("impact", "belotten", "belote")
    assert done.exit_code == 0, done.output
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert not any(line.endswith(" ") for line in done.stdout.splitlines())
    for word in ("smallest position", "95 % interval"):
        assert word in done.stdout
    assert "hand 9♠ 9♥" in done.stdout or "A♥" in done.stdout


def test_the_page_needs_nothing_else_and_draws_the_positions(undertrump: Impact) -> None:
    page = as_html(undertrump)
    for outside in ("http:", "https:", "//", "<script", "url("):
        assert outside not in page.replace("<!doctype html>", "")
    assert page.count('class="plot"') == 3
    assert 'data-mark="legal"' in page
    assert "prefers-color-scheme: dark" in page
    assert undertrump.simulated is not None
    assert (figure(0.5), figure(-1.234), figure(-0.001)) == ("0.50", "−1.23", "0.00")
    decisions = undertrump.simulated.sums.shares()["decisions"]
    assert decisions is not None
    shown = figure(100 * decisions.value)
    assert f"<td>{shown}&nbsp;%</td>" in page
    assert f">{shown} %</text>" in page


def test_nothing_to_compare_is_said_and_not_simulated() -> None:
    done = run("impact", "belote", "belote", "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["rules"], found["simulation"], found["interrupted"]) == ([], None, False)
    assert "No rule differs" in run("impact", "belote", "belote").stdout


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.yaml")))
def test_the_example_changes_are_shown_by_a_position(name: str) -> None:
    found = impact_of(name)
    assert found.cases
    assert found.shown is not None
    assert any(one.position for one in found.shown.values())


def test_two_files_of_house_rules_may_have_the_same_id(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old = rules_file(tmp_path / "old", "our-table", "{match.target: {value: 301}}")
    new = rules_file(tmp_path / "new", "our-table", "{match.target: {value: 51}}")
    done = run("impact", old, new, "--deals", "10", "--jobs", "1", "--format", "json")
    assert done.exit_code == 0, done.output
    assert [rule["id"] for rule in json.loads(done.stdout)["rules"]] == ["match.target"]


def test_other_cards_are_refused(tmp_path: Path) -> None:
    fewer = rules_file(tmp_path, "fewer", "{deck.removed-cards: {value: [7S, 7H, 7D, 7C]}}", "bela-2")
    done = run("impact", "bela-2", fewer)
    assert done.exit_code == 2
    assert "deck.removed-cards" in done.output


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_an_interrupted_simulation_prints_it(form: str, undertrump: Impact, measured: Callable[[Impact], None]) -> None:
    assert undertrump.simulated is not None
    measured(replace(undertrump, simulated=replace(undertrump.simulated, interrupted=True)))
    done = run("impact", "belote", NO_UNDERTRUMP, "--format", form)
    assert done.exit_code == 130
    if form == "json":
        found = json.loads(done.stdout)
        assert found["interrupted"]
        assert found["simulation"]["deals"]["whole"] >= 20
        assert explain(found, "impact") == []
    else:
        assert "INTERRUPTED" in done.stdout
        assert "0." in done.stdout


@pytest.mark.parametrize("at", [
    "impact.ProfileChange.changed_cases", "impact.ProfileChange.planned_cases",
    "impact.PositionSearch",
])  # fmt: skip
def test_an_interrupt_before_the_simulation_leaves_parts_undone(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"belot_workshop.impact.{at}", interrupted)
    found = measure_impact(SimulationSetup("belote", NO_UNDERTRUMP, "random", 1), 10, jobs=1)
    assert found.interrupted
    assert found.simulated is None
    assert (found.cases is None) == at.startswith("impact.ProfileChange")
    assert explain(as_json(found), "impact") == []
    assert as_html(found)
    assert markdown(found)


@pytest.mark.parametrize(("name", "form"), [
    ("impact.html", "html"), ("impact.JSON", "json"), ("impact.md", "markdown"), ("impact.txt", "text"),
    ("i", "text"),
])  # fmt: skip
def test_the_suffix_of_the_file_says_the_format_unless_it_is_named(
    name: str, form: str, tmp_path: Path, undertrump: Impact, measured: Callable[[Impact], None]
) -> None:
    measured(undertrump)
    arguments = ("belote", NO_UNDERTRUMP)
    path = tmp_path / name
    done = run("impact", *arguments, "--out", str(path))
    assert (done.exit_code, done.stdout) == (0, "")
    assert path.read_text(encoding="utf-8") == run("impact", *arguments, "--format", form).stdout
    assert run("impact", *arguments, "--out", str(path), "--format", "text").exit_code == 0
    assert path.read_text(encoding="utf-8") == run("impact", *arguments).stdout


def test_the_answers_of_a_changed_case_are_shown_where_they_differ() -> None:
    """A match that goes on alike for long differs late, where a line would be cut."""
    found = impact_of("tie-falls.yaml")
    lines = markdown(found).splitlines()
    places = [place for place, line in enumerate(lines) if line.startswith("- bc-")]
    assert len(places) == len(found.cases or ())
    for place in places:
        before, after = (line.partition(": ")[2] for line in lines[place + 1 : place + 3])
        assert before != after, lines[place]


def test_of_whole_rules_every_variant_that_is_played_otherwise_is_told(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "spec", tmp_path / "spec")
    changes = {"belotten": ("match.target: {value: 100", "150"), "open-belot": ("match.target: {value: 1001", "901")}
    for name, (stands, value) in changes.items():
        path = tmp_path / "spec" / "variants" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        assert stands in text
        path.write_text(text.replace(stands, f"match.target: {{value: {value}"), encoding="utf-8")
    with changed_profiles(str(tmp_path), str(root)) as changed:
        assert [(one.own, one.new) for one in changed] == [(name, name) for name in changes]
        befores = [open_profile(one.old) for one in changed]
        assert [one.value("match.target") for one in befores] == [150, 901]
        assert all(
            differing_rules(one, default_spec().profile(name)) == {"match.target"}
            for one, name in zip(befores, changes, strict=True)
        )
    with changed_profiles(str(root), str(tmp_path), "open-belot") as changed:
        (only,) = changed
        assert (only.old, open_profile(only.new).value("match.target")) == ("open-belot", 901)
    with pytest.raises(EditionError, match="play belote alike"), changed_profiles(str(root), str(tmp_path), "belote"):
        pass
