"""A log judged in the browser: what ``belot audit`` says of it, and ``belot identify --records``, as JSON for a page.

The page brings a file; nothing leaves the machine. ``stand_ins.install`` comes before this is imported.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from belot_conformance.explain.budget import BUDGET
from belot_conformance.explain.records import Audited, NoAnswersError, Recorded, explain_records
from belot_conformance.logs.audit import judged_records, sole_reason, tallies_of
from belot_conformance.logs.played import moment_before
from belot_conformance.logs.records import LogLine, lines_of
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.reports.explained import identified_facts
from belot_conformance.rules.reading import as_runs, ruling_path, statement_path
from belot_conformance.suite.judge import OTHER_KIND, smallest
from belot_conformance.suite.verdicts import Verdict
from belot_conformance.text.brief import brief
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_reference.questions import contract_named
from belot_reference.scoring import settle
from belot_reference.sentences import REASONS
from belot_reference.sheet import reckoning
from belot_spec.errors import BelotError, Problem, SpecError
from belot_spec.languages import FALLBACK
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence

Json = dict[str, Any]
# Wrong records after which it is given up, as `belot audit` does; a page shows the first of them.
_MOST_WRONG: Final = 1000
_FIELDS: Final = 6
# What is shown in cards of a question that is no deal.
_ASKED: Final = ("trump", "trick", "hand", "cards")
# Fields of a deal that follow from how it is settled.
_SETTLED: Final = frozenset(("counted", "outcome", "points", "score", "written"))
_IN_CARDS: Final = ("legal-cards", "trick-winner", "card-points", "declarations")
_WANTED: Final = "A log is JSON Lines, a record on each line, or deals in the notation."


def judge(name: str, profile: str, seconds: float) -> str:
    """Return as JSON what becomes of a file: ``error``, or the records that are wrong and the rules that were played.

    Without a ``profile`` each record is judged by the rules that it names. Where none does, the likeliest rules are
    searched for; else the search is made where something is wrong.
    """
    path, wanted = Path(name), profile or None
    try:
        return json.dumps(_judged(path, wanted, seconds), ensure_ascii=False)
    except SpecError as error:
        first, *others = error.problems
        more = f" And {len(others)} more." if others else ""
        return json.dumps({"error": f"Line {first.line}: {_why(first).rstrip('.?')}.{more} {_WANTED}"})
    except BelotError as error:
        return json.dumps({"error": str(error).replace(str(path), "The file")})


def _judged(path: Path, wanted: str | None, seconds: float) -> Json:
    reference, faults = reference_for(wanted), list[Problem]()
    named: set[ProfileName] = set()
    wrong: list[Verdict] = []
    records = 0
    for one in _records(path, wanted, faults):
        records += 1
        named.add(one.profile)
        wrong += [] if one.wrong is None else [one.wrong]
        if len(wrong) + len(faults) >= _MOST_WRONG:
            break
    nameless = [fault for fault in faults if "no profile stands here" in fault.message]
    if not records and not nameless:
        if not faults:
            return {"error": f"There is no record in this file. {_WANTED}"}
        raise SpecError(faults[:1])
    facts: Json = {
        "file": path.name,
        "records": records,
        "wrong": len(wrong),
        "gave_up": len(wrong) + len(faults) >= _MOST_WRONG,
        "profiles": [_profile(reference.profile(one)) for one in sorted(named)],
        "reason": sole_reason(wrong),
        "rows": [_row(one, reference) for one in wrong],
        "no_records": [{"line": fault.line, "why": _why(fault)} for fault in faults if fault not in nameless],
        "found": [],
    }
    if wrong or not records:
        audited = Audited(records, {one.planned.profile for one in wrong}, {(one.file, one.line) for one in faults})
        facts["found"] = _found(path, wanted, reference, seconds, Audited() if not records else audited)
    return facts


def _why(fault: Problem) -> str:
    return f"{fault.key}: {fault.message}" if fault.key else fault.message


def _records(path: Path, wanted: str | None, faults: list[Problem]) -> Iterator[Any]:
    lines: Iterable[LogLine] = takewhile(lambda _: len(faults) < _MOST_WRONG, lines_of(path, wanted))
    with (
        counting_bar("judging every record", path.stat().st_size) as advance,
        closing(judged_records(lines, wanted, faulty=lambda error: faults.extend(error.problems))) as every,
    ):
        for one in every:
            advance(one.size)
            yield one


def _profile(profile: Profile) -> Json:
    return {"id": profile.id, "name": profile.name.in_language(FALLBACK), "variant": profile.id.variant}


@cache
def _rule(rule: str, profile: ProfileName, reference: Reference) -> Json:
    own = reference.profile(profile)
    return {"id": rule, "path": f"rules/{rule}/", **_says(rule, own, reference.spec)}


def _says(rule: str, own: Profile, spec: Spec) -> Json:
    setting = own.settings[rule]
    rests = [[run, statement_path(run)] for run in as_runs(setting.cite)]
    return {
        "sentence": sentence(spec.rules[rule], setting.value, FALLBACK, spec.glossary, own.settings),
        "rests": [*rests, *([[setting.ruling, ruling_path(setting.ruling)]] if setting.ruling else [])],
    }


def _row(wrong: Verdict, reference: Reference) -> Json:
    """Return where a record is wrong: the move that the rules refuse, with its cards, or the fields that differ."""
    case, profile = wrong.planned.case, wrong.planned.profile
    row: Json = {"line": case.line, "profile": profile, "reason": wrong.detail}
    refused = next((one.expected.get("rejected") for one in wrong.differences if one.field == OTHER_KIND), None)
    if refused:
        row["reason"] = REASONS[refused["reason"]].in_language(FALLBACK)
        if (rule := case.expected[0].rule) is not None:
            row["rule"] = _rule(rule, profile, reference)
        at = refused.get("at")
        if at is not None:
            actions = case.input.get("actions", [])
            move = moment_before(case.operation, reference.profile(profile), case.input, at)
            row["move"] = {"at": at, **move, **({"action": actions[at]} if at < len(actions) else {})}
        return row
    differing = smallest(case.operation, wrong.differences)
    told = [(one.field, brief(one.came, one.expected), brief(one.expected, one.came)) for one in differing[:_FIELDS]]
    asked = {name: case.input[name] for name in _ASKED if name in case.input and case.operation in _IN_CARDS}
    if case.operation == "legal-cards":
        found = answer(case.operation, reference.ruleset(profile), case.input).result or {}
        row["rule"] = next((_rule(rule, profile, reference) for rule in found["illegal"].values()), None)
    if case.operation == "replay" and _SETTLED & {one.field for one in differing}:
        row["steps"] = _steps(reference.ruleset(profile), case.input)
    return {**row, "asked": asked, "fields": told, "more": max(0, len(differing) - _FIELDS)}


def _steps(rules: Ruleset, deal: Mapping[str, Any]) -> list[Json]:
    """Return the steps by which a deal is settled that give a side anything; none where its result tells too little."""
    result = answer("replay", rules, deal).result
    if result is None or result["ended"] != "played":
        return []
    contract, tallies = contract_named(rules, result), tallies_of(rules, result)
    settled = settle(rules, contract, tallies)
    rows = reckoning(rules, contract, tallies, settled) if list(settled.score) == result["score"] else ()
    return [{"step": row.what.replace("-", " "), "figures": row.figures} for row in rows if any(row.figures)]


def _found(path: Path, wanted: str | None, reference: Reference, seconds: float, audited: Audited) -> list[Json]:
    try:
        every = explain_records([path], wanted, reference, replace(BUDGET, seconds=seconds), audited)
    except NoAnswersError:
        return []
    return [_identified(one, wanted, reference, path.name) for one in every]


def _identified(one: Recorded, wanted: str | None, reference: Reference, name: str) -> Json:
    spec, held_to = reference.spec, one.named if wanted is None else ProfileName(wanted)
    facts = identified_facts(one.found, spec, {"records": one.as_json(name)}, held_to, ())
    rules = [
        {
            **{key: rule[key] for key in ("rule", "right", "wrong", "looks_like_a_mistake")},
            "sentence": rule["sentence"][FALLBACK],
            "own": rule["own_sentence"] and rule["own_sentence"][FALLBACK],
            "equal": [one[FALLBACK] for one in rule["equal_sentences"]],
            "path": f"rules/{rule['rule']}/",
        }
        for rule in facts["rules"]
    ]
    groups = [{**{key: group.get(key) for key in ("count", "shared", "said", "records")}} for group in facts["broken"]]
    records = facts["records"]
    return {
        "base": _profile(one.found.base), "held_to": held_to, "departs": facts["departs"], "rules": rules,
        "judged": records["judged"], "wrong": records["wrong"], "searched": records["searched"], "groups": groups,
        "cut_short": facts["cut_short"],
    }  # fmt: skip
