"""Writing recorded deals and matches as cases: ``belot cases record`` makes all of these files.

The same engine and spec record the same cases. An id belongs to a place in a file; a case that was released keeps its
id, and what is recorded in its place gets a new one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from belot_conformance.house_suite.questions import table_case
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import RecordedDeal, choose_rare, random_deal
from belot_conformance.questions.dealt import settling_of
from belot_conformance.questions.matches import DealPool, RecordedMatch, random_match
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.rarities import DEALS, MATCHES, title_of
from belot_conformance.situations.covering import planned_coverings
from belot_conformance.suite.case_text import case_lines
from belot_conformance.suite.cases import SUFFIX, Case, case_files, load_cases, write_json_lines
from belot_conformance.suite.judge import Expectation, fields_apart
from belot_conformance.suite.ledger import Ledger, digests_of, read_ledger
from belot_conformance.suite.selection import plan_for
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.catalogue import Text
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from belot_spec.words import Words

# The order gives the ids and is never changed; a variant that is not among them takes the next free ones.
VARIANTS: Final = (
    "belotten", "denderbelot", "denderbelot-3", "belote", "bela-4", "bela-3", "bela-2", "open-belot",
    "bulgarian-belot", "contree", "coinche", "klaverjas-rotterdams", "klaverjas-amsterdams",
)  # fmt: skip
SEED: Final = "belot-1"
DEALS_EACH: Final = 100
MATCHES_EACH: Final = 10
FIRST_DEAL: Final = 3000
FIRST_MATCH: Final = 3800
# Variants whose ids by place were given away by the time they came: those of their deals, matches and settled deals.
FIRST_IDS: Final = {
    "contree": (6500, 6600, 6610),
    "coinche": (6620, 6720, 6730),
    "klaverjas-rotterdams": (9240, 9340, 9350),
    "klaverjas-amsterdams": (9360, 9460, 9470),
}
# So many deals of each variant are asked again by their tricks.
SETTLED_EACH: Final = 10
FIRST_SETTLED: Final = 5220
WITH_OPTIONS: Final = 15
DEAL_CANDIDATES: Final = 1500
MATCH_CANDIDATES: Final = 400
OPTION_CANDIDATES: Final = 1500
RARE_OPTION_CANDIDATES: Final = 15_000
GIVE_UP_AFTER: Final = 600

_WORDS: Final = Words(__name__, "recorder")


def recorded_variants(wanted: Sequence[str], spec: Spec) -> tuple[str, ...]:
    """Return the variants to record, all if none are named; raises ``UnknownNameError``."""
    known = (*VARIANTS, *(name for name in spec.playable() if name not in VARIANTS))
    for name in wanted:
        if name not in known:
            raise UnknownNameError(f"no deals are recorded of {name}{nearest(name, known)}")
    return tuple(wanted) or known


def record_variant(spec: Spec, variant: str, folder: Path) -> Iterator[tuple[Path, int]]:
    """Record a variant's deals and matches into a folder of cases; yield each file and how many cases it has."""
    rules = compile_profile(spec.profile(variant))
    random = Random(f"{SEED}:{variant}")
    place = VARIANTS.index(variant) if variant in VARIANTS else len(VARIANTS)
    by_place = (
        FIRST_DEAL + DEALS_EACH * place,
        FIRST_MATCH + MATCHES_EACH * place,
        FIRST_SETTLED + SETTLED_EACH * place,
    )
    first_deal, first_match, first_settled = FIRST_IDS.get(variant, by_place)
    candidates = [random_deal(rules, random) for _ in range(DEAL_CANDIDATES)]
    optional = list(deals_with_options(spec, variant, WITH_OPTIONS, random))
    deals = [*choose_rare(candidates, DEALS_EACH - len(optional), random), *optional]
    cases = _deal_cases(spec, variant, first_deal, deals)
    yield _write(folder, "replay", variant, "deals", cases)
    cases = _settled_cases(rules, first_settled, deals)
    yield _write(folder, "settle-tricks", variant, "settled", cases)
    matches = record_matches(spec, variant, DealPool(rules, candidates), random)
    cases = [
        _case(
            first_match + number - 1,
            title_of(_WORDS["match"], number, match.tags, MATCHES),
            variant,
            match,
            match.result,
        )
        for number, match in enumerate(matches, start=1)
    ]
    yield _write(folder, "match", variant, "matches", cases)


def deals_with_options(spec: Spec, variant: str, number: int, random: Random) -> Iterator[RecordedDeal]:
    """Yield deals played with each option of a variant, about ``number`` in all and at least two with each."""
    plain = compile_profile(spec.profile(variant))
    options = spec.options_of(variant)
    for option in options:
        rules = compile_profile(spec.profile(ProfileName.of(variant, option)))
        wanted = max(2, number // len(options))
        for deals in _by_effect(plain, rules, wanted, random):
            chosen = choose_rare(deals, wanted, random)
            wanted -= len(chosen)
            yield from chosen


def _by_effect(plain: Ruleset, rules: Ruleset, wanted: int, random: Random) -> tuple[list[RecordedDeal], ...]:
    """Record deals with an option; return those that count otherwise without it, then those in which it mattered.

    An option mattered if the same players would have done something else without it. Last come the other deals. Where
    few deals count otherwise, but some do, the search goes on until there are as many as wanted.
    """
    found: tuple[list[RecordedDeal], ...] = ([], [], [])
    for number in range(RARE_OPTION_CANDIDATES):
        if number == GIVE_UP_AFTER and len(found[2]) == number:
            break
        if len(found[0]) >= (2 * wanted if number < OPTION_CANDIDATES else wanted if found[0] else 0):
            break
        seed = random.getrandbits(64)
        deal, without = (random_deal(one, Random(seed)) for one in (rules, plain))
        if answer("replay", plain, deal.question).message() != answer("replay", rules, deal.question).message():
            found[0].append(deal)
        else:
            found[1 if without.question != deal.question else 2].append(deal)
    return found


def record_matches(spec: Spec, variant: str, pool: DealPool, random: Random) -> list[RecordedMatch]:
    """Return a variant's matches, the last ones with each option that a score sheet shows."""
    optional = [
        ProfileName.of(variant, name)
        for name, option in spec.options_of(variant).items()
        if any(rule.startswith(("match.target", "penalties.")) for rule in option.settings)
    ]
    matches: list[RecordedMatch] = []
    for profile, number in ((variant, MATCHES_EACH - len(optional)), *((profile, 1) for profile in optional)):
        rules = compile_profile(spec.profile(profile))
        candidates = [random_match(rules, pool, random) for _ in range(MATCH_CANDIDATES)]
        matches += choose_rare(candidates, number, random)
    return matches


def _deal_cases(spec: Spec, variant: str, first: int, deals: Sequence[RecordedDeal]) -> list[dict[str, Any]]:
    reference = Reference(spec)
    cases = []
    for number, deal in enumerate(deals, start=1):
        answered = answer("replay", reference.ruleset(deal.profile), deal.question)
        assert answered.result is not None, answered.rejected
        title = title_of(_WORDS["deal"], number, deal.tags, DEALS)
        cases.append(_case(first + number - 1, title, variant, deal, answered.result))
    return cases


def _settled_cases(rules: Ruleset, first: int, deals: Sequence[RecordedDeal]) -> list[dict[str, Any]]:
    """Return the first deals that were played out by the variant as it is, each settled by its tricks."""
    variant = rules.profile.id
    played = [deal for deal in deals if deal.profile == variant and deal.state.ended == "played"]
    cases = []
    for number, deal in enumerate(played[:SETTLED_EACH], start=1):
        asked = RecordedDeal(variant, settling_of(rules, deal.state), deal.state, ())
        answered = answer("settle-tricks", rules, asked.question)
        assert answered.result is not None, answered.rejected
        title = _WORDS.filled("settled", n=number)
        cases.append(_case(first + number - 1, title, variant, asked, answered.result))
    return cases


def _case(
    number: int, title: Text, variant: str, recorded: RecordedDeal | RecordedMatch, result: Mapping[str, Any]
) -> dict[str, Any]:
    profile = {} if recorded.profile == variant else {"profile": recorded.profile}
    tags = {"tags": list(recorded.tags)} if recorded.tags else {}
    return {
        "id": f"bc-{number}",
        "title": title.as_json(),
        **profile,
        "input": recorded.question,
        "expect": {"result": result},
        "rules": [],
        "statements": [],
        "origin": "derived",
        **tags,
    }


def _write(folder: Path, operation: str, variant: str, what: str, cases: Iterable[dict[str, Any]]) -> tuple[Path, int]:
    says, why = (_WORDS[f"{what}-behaviour"].as_json(), _WORDS[f"{what}-reason"].as_json())
    header = {"operation": operation, "profile": variant, "behaviour": says, "why": why}
    path = folder / operation / f"recorded-{variant}{SUFFIX}"
    ledger = read_ledger(folder)
    written = list(cases)
    if ledger.entries or variant not in VARIANTS:
        elsewhere = {case_id for case_id, _, _ in case_lines(one for one in case_files(folder) if one != path)}
        written = with_lasting_ids(operation, variant, written, ledger, elsewhere)
    write_json_lines(path, header, written)
    return path, len(written)


# Where ids begin that belong to no place.
FIRST_FREE: Final = 3880
_LARGEST: Final = 9999


def with_lasting_ids(
    operation: str, variant: str, cases: Sequence[Mapping[str, Any]], ledger: Ledger, taken: Iterable[str]
) -> list[dict[str, Any]]:
    """Return recorded cases with ids that a release leaves them; ``taken`` are those of all other files.

    A case that was released, and is recorded the same again, keeps its id. Any other has that of its place, if its
    variant has one and no released case had it, or else the next free one.
    """
    released = {
        (entry.question, entry.expectation): case_id
        for case_id, entry in ledger.entries.items()
        if entry.retired is None
    }
    kept = [released.get(_digests(operation, variant, case)) for case in cases]
    used = {*ledger.entries, *taken} | (set() if variant in VARIANTS else {case["id"] for case in cases})
    known = used | {case["id"] for case in cases}
    free = (one for one in (f"bc-{number}" for number in range(FIRST_FREE, _LARGEST + 1)) if one not in known)
    return [
        {**case, "id": own or (case["id"] if case["id"] not in used else next(free))}
        for case, own in zip(cases, kept, strict=True)
    ]


def _digests(operation: str, variant: str, case: Mapping[str, Any]) -> tuple[str, str]:
    expected = [Expectation("result", case["expect"]["result"])]
    return digests_of(operation, case.get("profile", variant), case["input"], expected)


NAME: Final = f"situations{SUFFIX}"
FIRST: Final = 7000
# How many times as long as at a table is drawn towards what is seldom.
_LONGER: Final = 12

_SITUATION_WORDS: Final = Words(__name__, "situations")


def record_situations(spec: Spec, folder: Path) -> Iterator[tuple[Path, int]]:
    """Add what cases lack to a folder of cases; yield each file and how many cases it has.

    What was drawn before stays under its id as long as its answer is still right.
    """
    reference, cases = Reference(spec), load_cases(folder)
    known = [one for one in cases if one.path.name != NAME or _is_right(reference, one)]
    used = [int(name[3:]) for name in (*(one.id for one in cases), *read_ledger(folder).entries)]
    first, made = max([FIRST, *(number + 1 for number in used if number > FIRST)]), list[Case]()
    for variant in VARIANTS:
        made += _lacking(reference, variant, [*known, *made], first + len(made))
    for operation in OPERATIONS:
        kept = [one for one in known if one.path.name == NAME and one.operation == operation]
        if own := [_case_json(one) for one in (*kept, *made) if one.operation == operation]:
            path = folder / operation / NAME
            says, why = (_SITUATION_WORDS[what].as_json() for what in ("behaviour", "reason"))
            header = {"operation": operation, "profile": VARIANTS[0], "behaviour": says, "why": why}
            write_json_lines(path, header, own)
            yield path, len(own)


def _is_right(reference: Reference, case: Case) -> bool:
    return not fields_apart(
        case.operation, case.expected[0].message, reference.reply(case.operation, case.profile, case.input)
    )


def _lacking(reference: Reference, variant: str, cases: Sequence[Case], first: int) -> list[Case]:
    """Return cases for the situations of a variant that those that hold for it ask about too seldom."""
    rules = reference.ruleset(variant)
    found = planned_coverings(rules, plan_for(cases, variant, reference), OPERATIONS)
    made = list[Case]()
    for operation, covering in found.items():
        drawn = [(one, answer(operation, rules, one).message()) for one in covering.drawn(_LONGER)]
        # What was drawn early may be spared by what came later.
        for question in [one for one, message in drawn if not covering.spare(one, message)]:
            number = first + len(made)
            title = _SITUATION_WORDS.filled("title", title=OPERATIONS[operation].title, n=number - FIRST + 1)
            made.append(table_case(rules, operation, f"bc-{number}", title, question).case)
    return made


def _case_json(case: Case) -> dict[str, Any]:
    (expected,) = case.expected
    profile = {} if case.profile == VARIANTS[0] else {"profile": str(case.profile)}
    told = {"id": case.id, "title": case.title.as_json(), **profile, "input": dict(case.input)}
    return {**told, "expect": dict(expected.message), "rules": [], "statements": [], "origin": "derived"}
