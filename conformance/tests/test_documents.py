"""What the pages promise is true: the protocol's transcript and lists, the figures and examples, and the links."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml

from belot_conformance.programs import protocol
from belot_conformance.programs.python_object import PythonObject
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.trace import show
from belot_spec.data import schema
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import is_valid
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec

PROVINCE = re.compile(
    r"(east|west)[ -]fl[ae]\w+|flemish brabant|limburg|antwerp|(oost|west)-?vla\w+|vlaams-?brabant", re.IGNORECASE
)


@pytest.fixture(scope="module")
def protocol_page(root: Path) -> str:
    return (root / "conformance/PROTOCOL.md").read_text(encoding="utf-8")


def test_the_transcript_is_what_is_sent_taken_and_answered(protocol_page: str, reference: Reference) -> None:
    sent, said = (re.findall(rf"^{mark} (.*)$", protocol_page, re.MULTILINE) for mark in "→←")
    (hello, *requests), (about, *replies) = ([json.loads(line) for line in lines] for lines in (sent, said))
    assert protocol.encode_hello(hello["input"]["suite"]).decode() == sent[0] + "\n"
    declared = protocol.parse_hello(protocol.parse_reply(said[0].encode()))
    assert declared.name == "my-bela"
    assert is_valid(about["result"], "protocol-reply", "hello")
    assert {kind for kind in protocol.REPLY_KINDS for reply in replies if kind in reply} == set(protocol.REPLY_KINDS)
    for line, request, told, reply in zip(sent[1:], requests, said[1:], replies, strict=True):
        assert is_valid(request, "protocol-request")
        assert is_valid(reply, "protocol-reply")
        assert protocol.encode_request(protocol.Request(**request)).decode() == line + "\n"
        assert protocol.parse_reply(told.encode()).id == request["id"] == reply["id"]
        assert request["op"] in declared.operations
        assert request["profile"] in declared.profiles
        answered = reference.reply(request["op"], request["profile"], request["input"])
        assert "error" not in answered
        if "result" in reply:
            assert answered["result"] == reply["result"]
        if "rejected" in reply:
            assert answered["rejected"] | {"rule": ""} == reply["rejected"] | {"rule": ""}


def test_the_python_object_of_the_page_answers_as_the_page_says(protocol_page: str) -> None:
    (source,) = re.findall(r"^```python\n(.*?)^```$", protocol_page, re.MULTILINE | re.DOTALL)
    module = ModuleType("page")
    module.__dict__["my_engine"] = SimpleNamespace(winner=lambda trump, leader, cards: leader)
    exec(source, module.__dict__)
    found = PythonObject(module.__dict__["Adapter"](), module)
    assert found.hello() == protocol.Hello(1, "my-belot", "0.1", "Python", (ProfileName("bela-4"),), ("trick-winner",))
    question = {"trump": "S", "leader": 3, "cards": ["10D", "AD", "7C", "QD"]}
    assert found.reply("trick-winner", "bela-4", question) == {"result": {"winner": 3}}


def test_the_page_the_schema_and_the_engine_know_the_same_operations_and_reasons(protocol_page: str) -> None:
    headings = set(re.findall(r"^### ([a-z-]+)$", protocol_page, re.MULTILINE))
    assert headings == set(OPERATIONS) == set(schema("protocol-operations")["$defs"]["operation"]["enum"])
    for reason in schema("protocol-reply")["$defs"]["reason"]["enum"]:
        assert f"`{reason}`" in protocol_page, reason


def test_the_match_of_the_page_is_played_and_its_sheet_printed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (root / "conformance/docs/library.md").read_text(encoding="utf-8")
    source, *others = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(source.splitlines()) < 12
    random.seed(1)
    names: dict[str, Any] = {"__name__": "page"}
    exec(source, names)
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("belotten, to 100")
    assert last in ("0+2 won", "1+3 won")
    for other in others:
        exec(other, names)
    shown = capsys.readouterr().out
    assert "▸ seat 2  ♠ Q 10  ♥ –  ♦ –  ♣ –\n" in shown
    assert shown.splitlines()[-1] in ("0+2 won", "1+3 won")


def test_every_input_and_every_reply_of_the_reference_fits_the_schemas(cases: list[Case], reference: Reference) -> None:
    for case in cases:
        assert is_valid(dict(case.input), "protocol-operations", f"{case.operation}-input"), case.id
    for case in cases[::5]:
        reply = {"id": case.id, **reference.reply(case.operation, case.profile, case.input)}
        assert is_valid(reply, "protocol-reply"), case.id
        if "result" in reply:
            assert is_valid(reply["result"], "protocol-operations", f"{case.operation}-result"), case.id


def test_readme_and_changelog_count_the_cases_there_are(root: Path, cases: list[Case]) -> None:
    page = (root / "README.md").read_text(encoding="utf-8")
    counts = Counter(case.operation for case in cases)
    shown = re.findall(r"^([a-z-]+) +(\d+) +(\d+) +·$", page, re.MULTILINE)
    assert shown
    for operation, planned, passed in shown:
        assert int(planned) == int(passed) == counts[operation], operation
    assert f"plays by the rules it declares: {len(cases)} of {len(cases)} passed." in " ".join(page.split())
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    made = Counter((case.operation, case.path.name[:3]) for case in cases if case.path.suffix == ".jsonl")
    assert f"{len(cases) - made.total():,} written by hand for {len(OPERATIONS)} operations" in changelog
    assert f"{made['replay', 'rec']} recorded deals and {made['match', 'rec']} recorded matches" in changelog
    assert f"{sum(n for (_, name), n in made.items() if name == 'sit'):,} drawn towards situations" in changelog


def test_the_id_of_a_rule_leads_to_the_line_of_the_engine_as_contributing_says(root: Path, spec: Spec) -> None:
    engine = root / "reference_impl/belot_reference"
    code = "\n".join(path.read_text(encoding="utf-8") for path in engine.glob("*.py"))
    for rule in spec.rules.values():
        assert rule.topic == "presentation" or f'"{rule.id}"' in code, rule.id


def test_what_the_pages_show_of_the_spec_can_be_shown(root: Path, spec: Spec) -> None:
    pages = "".join(
        (root / page).read_text(encoding="utf-8") for page in ("conformance/docs/reading.md", "CONTRIBUTING.md")
    )
    shown = re.findall(r"belot spec show ([\w.+-]+)(?: ([\w.-]*[a-zA-Z]\S*))?(?=`| )", pages)
    assert {("BL-171", ""), ("bela-4", "BL-R3"), ("denderbelot", "play")} <= set(shown)
    for name, part in shown:
        assert show(name, part or None, spec)[1]


def test_the_example_of_the_page_about_cases_is_the_beginning_of_its_file(root: Path) -> None:
    page = (root / "cases/README.md").read_text(encoding="utf-8")
    (example,) = (
        yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    )
    (link,) = re.findall(r"\]\((legal-cards/[^)]+)\)", page)
    file = yaml.safe_load((root / "cases" / link).read_text(encoding="utf-8"))
    assert example == file | {"cases": file["cases"][: len(example["cases"])]}


def test_links_between_pages_lead_somewhere(root: Path) -> None:
    pages = [page for folder in (".", "cases", "spec", "conformance") for page in (root / folder).glob("*.md")]
    pages += [*(root / "conformance/docs").rglob("*.md"), *(root / "conformance/examples").glob("*/README.md")]
    assert len(pages) > 20
    for path in pages:
        # What is shown is no link.
        text = re.sub(r"`[^`\n]*\]\([^`\n]*`", "", path.read_text(encoding="utf-8"))
        for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
            linked = path.parent / target if target else path
            assert linked.exists(), f"{path} links to {target}"
            assert not heading or heading in _anchors(linked), f"{path} links to {target}#{heading}"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_nobody_says_in_which_province_belotten_is_played(root: Path) -> None:
    """Its author says only that it is played "where I come from" (BN-001), in Dutch; no statement names a province."""
    texts = [root / "README.md", *(root / "spec").rglob("*.yaml"), *(root / "site/belot_site").rglob("*.yaml")]
    texts += [*(root / "site/belot_site").rglob("*.md"), *(root / "cases").rglob("*.md")]
    named = {path.name: found[0] for path in texts if (found := PROVINCE.search(path.read_text(encoding="utf-8")))}
    assert named == {}


@pytest.fixture(scope="module")
def dutch(root: Path) -> dict[Path, list[str]]:
    """Return every Dutch text of the rules, rulings, glossary, cases, mistakes and the site, by file."""
    folders = ("spec", "cases", "conformance/belot_conformance", "conformance/belot_workshop", "site/belot_site")
    files = [path for folder in folders for path in (root / folder).rglob("*.yaml")]
    return {path: list(_texts_in(read_document(path).data, "nl")) for path in files}


def _texts_in(data: Any, language: str) -> Iterator[str]:
    entries = data.items() if isinstance(data, dict) else ((None, item) for item in data)
    for key, value in entries:
        if key == language and isinstance(value, str):
            yield value
        elif isinstance(value, (dict, list)):
            yield from _texts_in(value, language)


@pytest.mark.parametrize("words", [
    # What is led is *waarmee uitgekomen is*; *vragen* is to choose trump.
    r"\bgevraagde\b",
    r"(troef|kleur|zeven|acht|negen|tien|boer|dame|heer|aas) gevraagd\b",
    r"(om|naar) (die|een|de) kleur gevraagd",
    r"klassen van",
    r"test ?case",  # geval
    r"bron drukt",  # een bron schrijft; in een bron staat iets
    r"\bhet belot\b|\bbelot dat\b",
    r"\bhet (derde|vierde|vijfde) (tot|in troef)\b|\b(derde|vierde|vijfde) dat\b",  # de derde die
    r"(?-i:(?!\AV\Z)\b[QV]\b)",  # the queen: D, or dame; V alone is verzaken, on a sheet
])  # fmt: skip
def test_dutch_uses_the_words_of_players(words: str, dutch: dict[Path, list[str]]) -> None:
    pattern = re.compile(words, re.IGNORECASE)
    assert [(path.name, text) for path, there in dutch.items() for text in there if pattern.search(text)] == []
