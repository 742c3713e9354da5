"""Which cases are asked: chosen by profile, operation, rule, statement, ruling, id, tag, origin, or a sample."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, get_args

from belot_conformance.programs.reference import Came, Reference, put
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case, Origin, load_cases
from belot_conformance.suite.trace import statement_homes
from belot_conformance.suite.verdicts import PROVENANCES, Planned, Provenance
from belot_reference.bids import CAPOT_NAME, amount_named, amount_of_bid, bid_named, is_bid_name
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.possible import why_impossible
from belot_reference.questions import check_table
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.register import expand_statements, reversed_run, unknown_statement
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec

Names = tuple[str, ...]

_WILD: Final = frozenset("*?[")
_SHOWN: Final = 3
_LISTED: Final = 40
# The ids of questions that are made for one table begin so: recorded by its own rules, and found to test them.
OWN_DEAL: Final = "own-deal-"
OWN_MATCH: Final = "own-match-"
FOUND: Final = "found-"
TABLE_IDS: Final = (OWN_DEAL, OWN_MATCH, FOUND)
# Those of the questions with which a check ends, however they came about.
DRAWN: Final = "drawn-"
RETOLD: Final = "retold-"
AGAIN: Final = "again-"
LAST_IDS: Final = (DRAWN, RETOLD)


@dataclass(frozen=True, slots=True)
class Selection:
    """What to ask: a case must fit every kind that is named, and one of the names of that kind.

    ``rules`` and ``consults`` are rule ids or the beginnings of them (``play.void``), ``statements`` ids or runs
    (``BL-140..154``), ``cases`` ids or patterns (``bc-00*``). ``sample`` is how many to draw of what fits. The cases
    are those of the folder ``cases_from`` if one is named, and those that ship with this package if not.
    """

    profile: str | None = None
    operations: Names = ()
    rules: Names = ()
    consults: Names = ()
    statements: Names = ()
    rulings: Names = ()
    cases: Names = ()
    tags: Names = ()
    origins: Names = ()
    worked_only: bool = False
    sample: int | None = None
    seed: int = 0
    cases_from: Path | None = None

    @property
    def narrows(self) -> bool:
        """Whether it leaves out cases that its profile would be asked."""
        return bool(self.narrowing)

    @property
    def narrowing(self) -> str:
        """The options that leave out cases which the profile would be asked, as they are typed."""
        sample = [f"--sample {self.sample} --sample-seed {self.seed}"] if self.sample is not None else []
        return " ".join([*chain(*self.kinds()), *sample])

    def kinds(self) -> list[list[str]]:
        """Return each kind of what a case must be, as its options are typed: one of them is to fit."""
        kinds = [[f"{option} {name}" for name in getattr(self, kind)] for kind, option in OPTIONS.items()]
        kinds += [["--worked-only"] if self.worked_only else []]
        kinds += [[f"--from {self.cases_from}"] if self.cases_from is not None else []]
        return [kind for kind in kinds if kind]

    def __str__(self) -> str:
        """Return the selection as it is typed."""
        return f"--profile {self.profile} {self.narrowing}".rstrip() if self.profile else self.narrowing


OPTIONS: Final[Mapping[str, str]] = {
    "operations": "--operation",
    "rules": "--rule",
    "consults": "--consults",
    "statements": "--statement",
    "rulings": "--ruling",
    "cases": "--case",
    "tags": "--tag",
    "origins": "--origin",
}


def plan_variants(selection: Selection, reference: Reference | None = None) -> list[Planned]:
    """Return the cases that a selection leaves, each for the profile it was written for, in the order of their ids.

    Raises ``UnknownNameError`` for a name that does not exist, and if nothing is left to ask.
    """
    return narrowed(plan_own(chosen_cases(selection, reference)), selection)


def chosen_cases(selection: Selection, reference: Reference | None = None) -> list[Case]:
    """Return the cases that fit a selection, whatever the profile; raises ``UnknownNameError`` for unknown names."""
    cases = load_cases(selection.cases_from)
    _refuse_unknown(selection, cases)
    chosen = [case for case in cases if _fits(case, selection)]
    if wanted := selection.consults:
        own = reference or Reference()
        chosen = [case for case in chosen if any(is_below(rule, wanted) for rule in consulted_rules(case, own))]
    return chosen


def narrowed(plan: Iterable[Planned], selection: Selection) -> list[Planned]:
    """Return what a selection leaves of a plan: what fits it, only worked-out answers if it says so, and the sample.

    Raises ``UnknownNameError`` if nothing is left to ask.
    """
    trusted = ("worked-out",) if selection.worked_only else PROVENANCES
    kept = [one for one in plan if one.provenance in trusted and _fits(one.case, selection)]
    if not kept:
        typed = [" or ".join(kind) for kind in selection.kinds()]
        typed += [f"--profile {selection.profile}"] if selection.profile else []
        raise UnknownNameError(f"no case fits {' and '.join(typed)}")
    return kept if selection.sample is None else draw(kept, selection.sample, selection.seed)


def draw(plan: Sequence[Planned], number: int, seed: int) -> list[Planned]:
    """Draw a number of cases, in the order of the plan: those whose id and the seed have the lowest SHA-256.

    The same seed draws the same cases on every machine, and a larger sample holds the smaller one.
    """
    by_lot = sorted(plan, key=lambda planned: hashlib.sha256(f"{seed}:{planned.case.id}".encode()).digest())
    drawn = {planned.case.id for planned in by_lot[:number]}
    return [planned for planned in plan if planned.case.id in drawn]


def rule_names(spec: Spec) -> list[str]:
    """Return the ids of the rules, and the beginnings of them (``play.void``)."""
    parts = [rule.split(".") for rule in spec.rules]
    return sorted({".".join(part[:length]) for part in parts for length in range(1, len(part) + 1)})


def _refuse_unknown(selection: Selection, cases: Sequence[Case]) -> None:
    """Raise ``UnknownNameError`` for the first name that does not exist, with the nearest that does."""
    _check("operation", selection.operations, lambda: list(OPERATIONS))
    _check("rule", (*selection.rules, *selection.consults), lambda: rule_names(default_spec()))
    _check("ruling", selection.rulings, lambda: list(default_spec().rulings))
    _check("tag", selection.tags, lambda: sorted({tag for case in cases for tag in case.tags}))
    _check("origin", selection.origins, lambda: list(get_args(Origin)))
    ids = [case.id for case in cases]
    # Which questions are made for one table is known when they are made.
    of_table = (*TABLE_IDS, *LAST_IDS) if selection.profile is not None else ()
    named = [name for name in selection.cases if not name.startswith(of_table)]
    _check("case", [name for name in named if not is_pattern(name)], lambda: ids)
    for pattern in filter(is_pattern, named):
        if not any(fnmatchcase(case, pattern) for case in ids):
            raise UnknownNameError(f"no case has an id like {pattern}; ids are {_some(ids)}")
    known = statement_homes(default_spec()) if selection.statements else {}
    for run in selection.statements:
        if missing := [one for one in expand_statements([run]) if one not in known]:
            raise UnknownNameError(reversed_run(run) or unknown_statement(missing[0], default_spec().sources))


def _check(kind: str, names: Collection[str], list_known: Callable[[], Collection[str]]) -> None:
    known = list_known() if names else ()
    for name in names:
        if name not in known:
            hint = nearest(name, known) or f"; there are: {_some(sorted(known), _LISTED)}"
            raise UnknownNameError(f"there is no {kind} {name}{hint}")


def is_pattern(name: str) -> bool:
    """Say whether a case is named by a pattern and not by its id."""
    return not _WILD.isdisjoint(name)


def _some(names: Sequence[str], most: int = _SHOWN) -> str:
    shown = ", ".join(names[:most])
    return f"{shown}, …" if len(names) > most else shown


def _fits(case: Case, wanted: Selection) -> bool:
    """Say whether a case fits all that can be seen without asking the engine."""
    named = (
        (wanted.operations, (case.operation,)),
        (wanted.origins, (case.origin,)),
        (wanted.tags, case.tags),
        (wanted.rulings, case.rulings),
        (expand_statements(wanted.statements), case.statements),
    )
    return (
        all(not names or not set(names).isdisjoint(own) for names, own in named)
        and (not wanted.rules or any(is_below(rule, wanted.rules) for rule in case.rules))
        and (not wanted.cases or any(fnmatchcase(case.id, name) for name in wanted.cases))
    )


def is_below(rule: str, beginnings: Names) -> bool:
    """Say whether a rule has one of these ids, or an id that begins with one."""
    return any(rule == beginning or rule.startswith(f"{beginning}.") for beginning in beginnings)


def consulted_rules(case: Case, reference: Reference) -> frozenset[str]:
    """Return the rules that the engine consults for a case in the case's own profile, with those the case pins."""
    return reference.consulted(case.operation, case.profile, case.input) | frozenset(case.rules)


def differing_rules(own: Profile, other: Profile) -> frozenset[str]:
    """Return the rules of two profiles that only one of them has, or that have another value there."""
    return frozenset(
        rule
        for one, another in ((own, other), (other, own))
        for rule, setting in one.settings.items()
        if not another.plays(rule, setting.value)
    )


def applies(
    case: Case,
    profile: Profile,
    reference: Reference,
    differing: frozenset[str] | None = None,
    ask: Callable[[Case], Came] | None = None,
) -> bool:
    """Say whether a case holds for a profile: all rules that it consults there have the value of its own profile.

    What is asked of the form of its table has to be alike as well. What the answer consults there is what it consults
    in its own profile, if none of that differs. ``differing`` are the rules that differ and ``ask`` what answers a
    case by the rules of the profile, where they are at hand.
    """
    own, other = reference.ruleset(case.profile), reference.ruleset(profile.id)
    if differing is None:
        differing = differing_rules(own.profile, profile)
    if not differing.isdisjoint(case.rules) or not can_occur(case, own, other):
        return False
    if not differing:
        return True
    # The engine is asked last, because that takes longest.
    came = ask(case) if ask else put(case.operation, other, case.input)
    if not differing.isdisjoint(came.rules) or not came.form.isdisjoint(own.form ^ other.form):
        return False
    # A rule that is not there cannot be consulted there, and may be what the answer rests on in its own profile.
    absent = differing - other.profile.settings.keys()
    return not absent or absent.isdisjoint(reference.consulted(case.operation, case.profile, case.input))


def can_occur(case: Case, own: Ruleset, other: Ruleset) -> bool:
    """Say whether the other game can bring what a case of its own speaks of: cards, sums, and numbers to bid."""
    lacking = {*own.auction.amounts}.difference(other.auction.amounts) if other.has_amounts else ()
    if lacking and not _amounts_in(case.input).isdisjoint(lacking):
        return False
    with suppress(BadQuestionError):
        check_table(other, case.input)
        return why_impossible(other, case.operation, case.input) is None
    return True


def _amounts_in(value: Any) -> set[int]:
    """Return the numbers that were bid in what a question holds, in a contract or by the name of a bid."""
    amounts, waiting = set[int | None](), [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if is_bid_name(one):
                amounts.add(amount_of_bid(bid_named(one) or 0))
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, Mapping):
            waiting += one.values()
            if isinstance(bid := one.get("bid"), int) or bid == CAPOT_NAME:
                amounts.add(amount_named(bid))
    return {amount for amount in amounts if amount}


def plan_own(cases: Iterable[Case]) -> list[Planned]:
    """Plan every case for its own profile."""
    return [Planned(case, case.profile, provenance=provenance_of(case)) for case in cases]


def provenance_of(case: Case) -> Provenance:
    """Return where the expectation of a case comes from: somebody worked it out, or it was recorded."""
    return "derived" if case.origin == "derived" else "worked-out"


def plan_for(cases: Iterable[Case], profile_name: str, reference: Reference) -> list[Planned]:
    """Plan the cases that apply to a profile, whichever profile they were written for."""
    profile = reference.ruleset(profile_name).profile
    differing = cache(lambda own: differing_rules(reference.ruleset(own).profile, profile))
    return [Planned(case, profile.id) for case in cases if applies(case, profile, reference, differing(case.profile))]
