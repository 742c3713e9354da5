"""Deals and matches recorded under a table's own rules, as rich in rare things as those of a variant."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from belot_conformance.recording.deals import RecordedDeal, choose_rare, random_deal
from belot_conformance.recording.matches import DealPool, random_match
from belot_conformance.recording.rarities import DEALS, MATCHES, title_of
from belot_conformance.suite.cases import Case
from belot_conformance.suite.selection import OWN_DEAL, OWN_MATCH
from belot_conformance.suite.verdicts import Planned
from belot_conformance.table.questions import TableQuestion, expectation_of
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_spec.catalogue import Text
from belot_spec.words import Words

DEALS_EACH: Final = 100
MATCHES_EACH: Final = 10
DEAL_CANDIDATES: Final = 500
MATCH_CANDIDATES: Final = 120

_WORDS: Final = Words(__name__, "own-deals")


def own_recordings(rules: Ruleset, seed: str, deals: int, matches: int) -> list[TableQuestion]:
    """Return so many deals and matches recorded under a profile's own rules, chosen for the rare things in them.

    The same rules and seed give the same recordings. What was rare stands in their tags.
    """
    random = Random(f"table {seed}")
    candidates = [random_deal(rules, random) for _ in range(DEAL_CANDIDATES)] if deals or matches else []
    found = [*_deals(rules, choose_rare(candidates, deals, random))]
    pool = DealPool(rules, candidates)
    if matches and not pool.is_empty:
        played = [random_match(rules, pool, random) for _ in range(MATCH_CANDIDATES)]
        for number, match in enumerate(choose_rare(played, matches, random), start=1):
            title = title_of(_WORDS["match"], number, match.tags, MATCHES)
            found.append(table_case(rules, "match", f"{OWN_MATCH}{number:02}", title, match.question, match.tags))
    return found


def _deals(rules: Ruleset, chosen: list[RecordedDeal]) -> Iterator[TableQuestion]:
    for number, deal in enumerate(chosen, start=1):
        title = title_of(_WORDS["deal"], number, deal.tags, DEALS)
        yield table_case(rules, "replay", f"{OWN_DEAL}{number:03}", title, deal.question, deal.tags)


def table_case(
    rules: Ruleset,
    operation: str,
    case_id: str,
    title: Text,
    question: Mapping[str, Any],
    tags: tuple[str, ...] = (),
) -> TableQuestion:
    """Return a question made for this table as a planned case, with the reference's answer as what is expected."""
    answered = answer(operation, rules, question)
    case = Case(
        id=case_id,
        title=title,
        operation=operation,
        profile=rules.profile.id,
        input=question,
        expected=(expectation_of(answered),),
        rules=(),
        statements=(),
        rulings=(),
        origin="derived",
        note=None,
        printed=None,
        tags=tags,
        behaviour=_WORDS["behaviour"],
        why=_WORDS["why"],
        path=Path(),
        line=0,
    )
    planned = Planned(case, rules.profile.id, provenance="derived", rules=rules.profile)
    return TableQuestion(planned, answered.rules)
