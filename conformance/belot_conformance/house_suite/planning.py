"""What one run asks: the cases of every variant that a program declares, or the whole table that a tester names."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from belot_conformance.house_suite.drawn import DRAWN_EACH, drawn_questions, retold_questions, towards_situations
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.house_suite.table import TableSuite, variant_tables, whole_table
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference, reference_for
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import EVERY_OPERATION
from belot_conformance.situations.covering import Covering, planned_coverings
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.selection import (
    LAST_IDS,
    TABLE_IDS,
    Selection,
    chosen_cases,
    narrowed,
    plan_for,
    plan_variants,
)
from belot_conformance.suite.verdicts import Planned
from belot_reference.compile import Ruleset
from belot_spec.errors import BelotError, closest
from belot_spec.profile_name import ProfileName, names_file
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.words import English

WORDS: Final = English(__name__, "planning")
# Of the names that a program declares so many are told, and the others counted.
_MOST_NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class Planning:
    """The plan of a run, the tables that were looked at whole, and what the tester should know about the names.

    ``part`` is whether rules of the tester's table that answers would show are left untested, ``drawn`` what is asked
    at the end and counted apart. ``situations`` say of each profile how often each of each operation is asked about.
    """

    plan: Sequence[Planned]
    tables: Sequence[TableSuite] = ()
    notes: Sequence[str] = ()
    part: bool = False
    drawn: Sequence[Planned] = ()
    situations: Mapping[str, Mapping[str, Covering]] = field(default_factory=dict)


def plan_run(selection: Selection, hello: Hello, reference: Reference, drawn: int = DRAWN_EACH) -> Planning:
    """Return what a program is asked, as it introduced itself; raises ``UnknownNameError`` if nothing fits.

    With a profile the tester's word counts: its rules are asked whatever the program declared.
    """
    if selection.profile is not None:
        return _plan_profile(selection, selection.profile, hello, reference, drawn)
    plan = plan_variants(selection, reference)
    notes = _strangers(hello, reference.spec)
    if selection.narrows:
        return Planning(plan, (), notes)
    tables = variant_tables(plan, hello, reference)
    for profile in declared_tables(hello, reference.spec):
        tables.append(whole_table(load_cases(), reference.ruleset(profile), reference, _operations(hello), hello.shape))
        plan += [one.at(one.profile) for one in tables[-1].plan]
    profiles = [table.profile.id for table in tables] or [one.profile for one in plan if hello.declares(one.profile)]
    shared = [*_shared(hello, reference)]
    last, situations = _drawn(dict.fromkeys(profiles), plan, drawn, hello, reference, shared)
    return Planning(plan, tables, notes, _leave_untested(tables), [*shared, *last], situations)


def _shared(hello: Hello, reference: Reference) -> Iterator[Planned]:
    """Yield the cases of other profiles that hold for a variant that a program declares, asked for that variant."""
    for variant in map(ProfileName, reference.spec.playable()):
        for one in plan_for(load_cases(), variant, reference) if hello.declares(variant) else ():
            if one.case.profile != variant:
                yield replace(one, provenance="shared").at(variant)


def _plan_profile(selection: Selection, name: str, hello: Hello, reference: Reference, drawn: int) -> Planning:
    rules = _named(name, reference)
    asked_as, note = called(rules.profile, hello, reference.spec)
    notes = [*([note] if note else []), *_strangers(hello, reference.spec, name)]
    table = _table(selection, rules, hello, reference).called(asked_as)
    last, situations = list[Planned](), dict[str, Mapping[str, Covering]]()
    if not selection.narrows or any(one.startswith(LAST_IDS) for one in selection.cases):
        last, situations = _drawn([rules.profile.id], table.plan, drawn, hello, reference)
        last = [replace(one, asked_as=asked_as) for one in last]
    if selection.narrows:
        return Planning(narrowed([*table.plan, *last], selection), (), notes, part=True)
    return Planning(narrowed(table.plan, selection), [table], notes, _leave_untested([table]), last, situations)


def plan_profile(selection: Selection, reference: Reference | None = None) -> list[Planned]:
    """Return what a selection asks of any program: of its profile everything that the whole table has."""
    reference = reference or reference_for(selection.profile)
    if selection.profile is None:
        return plan_variants(selection, reference)
    rules = _named(selection.profile, reference)
    return narrowed(_table(selection, rules, reference.hello(), reference).plan, selection)


def _named(name: str, reference: Reference) -> Ruleset:
    """Return the rules that the tester named, by their name or by their file."""
    return reference.ruleset(reference.profile(name).id)


def _table(selection: Selection, rules: Ruleset, hello: Hello, reference: Reference) -> TableSuite:
    """Return what a program is asked by a profile: its whole table, or the cases chosen and nothing that they test."""
    # Whoever wants so little that nobody looks for more questions may still name one of those.
    if selection.narrows and not any(name.startswith((*TABLE_IDS, *LAST_IDS)) for name in selection.cases):
        found = table_questions(chosen_cases(selection, reference), rules, reference)
        return TableSuite(rules.profile, found.asked, found.left_out)
    return whole_table(load_cases(), rules, reference, _operations(hello), hello.shape)


def _operations(hello: Hello) -> frozenset[str]:
    return EVERY_OPERATION.intersection(hello.operations)


def _drawn(
    profiles: Collection[str],
    plan: Sequence[Planned],
    number: int,
    hello: Hello,
    reference: Reference,
    shared: Sequence[Planned] = (),
) -> tuple[list[Planned], dict[str, Mapping[str, Covering]]]:
    """Return the questions with which a check ends, and how often each situation of each profile is asked about.

    Of those drawn by lot, so many are shared out among profiles. What situations lack is drawn too, but of variants:
    their own cases have them.
    """
    found, situations = list[Planned](), dict[str, Mapping[str, Covering]]()
    for place, profile in enumerate(profiles) if number else ():
        rules, own = reference.ruleset(profile), [one for one in plan if one.profile == profile]
        retold = [*retold_questions(rules, own, hello.operations)]
        share = number * (place + 1) // len(profiles) - number * place // len(profiles)
        drawn = [*drawn_questions(rules, share, hello.operations, [*own, *retold])]
        also = [one for one in shared if one.profile == profile]
        covered = planned_coverings(rules, [*own, *also, *drawn], hello.operations)
        if profile not in reference.spec.playable():
            drawn += towards_situations(rules, covered, [*own, *retold, *drawn])
        found += [*retold, *drawn]
        situations[profile] = covered
    return found, situations


def _leave_untested(tables: Sequence[TableSuite]) -> bool:
    """Say whether rules that answers would show are untested, as the program does not declare what would show them."""
    return any(test.undeclared for table in tables for test in table.tests)


def called(rules: Profile, hello: Hello, spec: Spec) -> tuple[str, str | None]:
    """Return what a program calls a profile that the tester says it plays, and a sentence where that is another name.

    Its own name if it declares that; else the one table of its own or the one profile that it declares, else the
    profile on which the rules are built. A program that declares none of these is asked by the profile's name.
    """
    profile = rules.id
    if hello.declares(profile):
        return profile, None
    own = [name for name in hello.profiles if not is_known(name, spec)]
    if len(own) == 1:
        name = own[0]
    elif len(hello.profiles) == 1:
        name = hello.profiles[0].plain
    else:
        name = rules.base if hello.declares(rules.base) else profile
    if not hello.profiles:
        return name, WORDS.say("unnamed", profile=profile)
    more = len(hello.profiles) - _MOST_NAMED
    declared = ", ".join(hello.profiles[:_MOST_NAMED]) + (f", … (+{more:,})" if more > 0 else "")
    return name, WORDS.say("otherwise", profile=profile, declared=declared, name=name)


def name_in(hello: Hello, rules: Profile) -> str:
    """Return what a program calls a profile that the tester named."""
    return called(rules, hello, default_spec())[0]


def objection(name: ProfileName, spec: Spec) -> str | None:
    """Say why a declared name is no profile, with options or with ``+*``; ``None`` if it is one.

    A file is never opened because a program names it: only the tester says which file holds its rules.
    """
    if names_file(name.plain):
        return "a file of house rules is named by who checks, not by the program"
    if name.with_any and name.plain.options:
        return f"+* stands for any options of a variant, so it follows the variant itself: {name.variant}+*"
    try:
        spec.profile(name.plain)
    except BelotError as error:
        return str(error)
    return None


def is_known(name: ProfileName, spec: Spec) -> bool:
    """Say whether a declared name is a variant, with options or with ``+*``."""
    # What is wrong with a name takes long to say, and a program may declare a hundred thousand.
    known = _options(spec).get(name.variant)
    return known is not None and known.issuperset(name.plain.options) and objection(name, spec) is None


@lru_cache(maxsize=4)
def _options(spec: Spec) -> Mapping[str, frozenset[str]]:
    return {variant: frozenset(spec.options_of(variant)) for variant in spec.nameable()}


def declared_tables(hello: Hello, spec: Spec) -> list[ProfileName]:
    """Return the profiles with options that a program declares by name, each of which is asked whole."""
    names = dict.fromkeys(hello.profiles)
    return [one for one in names if one.options and not one.with_any and is_known(one, spec)]


def misdeclared(hello: Hello, spec: Spec, profile: str | None) -> Iterator[tuple[str, str]]:
    """Yield what a program declares that does not exist: whether profiles or operations, and a sentence.

    Which rules it plays is the tester's word, if there is one.
    """
    strangers = [name for name in hello.profiles if not is_known(name, spec)] if profile is None else []
    for name in strangers[:_MOST_NAMED]:
        said = WORDS.say("unknown-profile", profile=name, why=objection(name, spec))
        yield "profiles", f"{said} {WORDS['name-the-rules']}"
    operations = [operation for operation in hello.operations if operation not in OPERATIONS]
    for operation in operations[:_MOST_NAMED]:
        guess = closest(operation, OPERATIONS)
        said = WORDS.say("misspelt" if guess else "unknown-operation", operation=operation, guess=guess)
        yield "operations", said
    for about, names in (("profiles", strangers), ("operations", operations)):
        if len(names) > _MOST_NAMED:
            yield about, WORDS.say(f"more-{about}", n=f"{len(names) - _MOST_NAMED:,}")


def _strangers(hello: Hello, spec: Spec, profile: str | None = None) -> list[str]:
    """Return what to do about names that the suite does not know, and about programs that declare no profile."""
    none = [] if hello.profiles or profile is not None else [WORDS["none"]]
    return none + [said for _, said in misdeclared(hello, spec, profile)]
