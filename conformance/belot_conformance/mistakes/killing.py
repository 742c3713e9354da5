"""Which cases notice which mutants: each is asked those that consult its rule, and what came of it is kept."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import belot_reference
import belot_spec
from belot_conformance.mistakes.mutations import Mutant, compile_mutant
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import Advance, unseen
from belot_conformance.programs.reference import Reference, put
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.judge import differences
from belot_conformance.suite.selection import applies
from belot_conformance.suite.verdicts import Planned
from belot_reference.compile import Ruleset
from belot_reference.operations import Answer
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.data import schema
from belot_spec.errors import UnplayableError
from belot_spec.files import MAX_OF_OURS, canonical, read_bytes, read_text
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole

# What mutants answered before, kept so that only what a change can touch is asked again.

_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class Noticed:
    """Whether a mutant's answer to a case is wrong, and the rules that it rests on."""

    is_wrong: bool
    consulted: frozenset[str]


@cache
def engine_digest() -> str:
    """Return a digest of the engine's own code: another engine may answer otherwise."""
    digest = sha256()
    for package in (belot_spec, belot_reference):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            digest.update(read_bytes(path))
    digest.update(canonical(schema("protocol-operations")).encode())
    return digest.hexdigest()[:_LENGTH]


class KeptAnswers:
    """The answers of one share of mutants, in one file of the user's cache."""

    def __init__(self, path: str | None, stored: dict[str, Any]) -> None:
        self._path = path
        self._rules: list[list[str]] = stored["rules"]
        self._mutants: dict[str, dict[str, list[Any]]] = stored["mutants"]
        self._numbers = {tuple(names): number for number, names in enumerate(self._rules)}
        self._changed = False

    @classmethod
    def none(cls) -> "KeptAnswers":
        """Return answers that are kept nowhere."""
        return cls(None, {"rules": [], "mutants": {}})

    @classmethod
    def load(cls, name: str) -> "KeptAnswers":
        """Return the answers kept under a name; none if there are none, or those of another engine."""
        key = sha256(f"{engine_digest()} {name}".encode()).hexdigest()[:_LENGTH]
        path = f"mutants/{key}.json"
        return cls(path, kept(cache_folder(), path, _checked) or {"rules": [], "mutants": {}})

    def of_mutant(self, mutant: str) -> "_Answers":
        """Return what one mutant answered."""
        return _Answers(self, self._mutants.setdefault(mutant, {}))

    def number_of(self, rules: frozenset[str]) -> int:
        """Return the number under which a set of rules is kept."""
        names = tuple(sorted(rules))
        if names not in self._numbers:
            self._numbers[names] = len(self._rules)
            self._rules.append(list(names))
        self._changed = True
        return self._numbers[names]

    def rules_of(self, number: int) -> tuple[str, ...]:
        """Return the set of rules that is kept under a number."""
        return tuple(self._rules[number])

    def save(self) -> None:
        """Write the answers whole or not at all; a cache that cannot be written is done without."""
        if self._path is None or not self._changed:
            return
        keep(cache_folder(), self._path, {"rules": self._rules, "mutants": self._mutants})


def _checked(stored: Any) -> dict[str, Any]:
    """Return answers as they were kept; raises ``TypeError`` for what has another shape."""
    rules, mutants = stored["rules"], stored["mutants"]
    if not (
        all(isinstance(name, str) for names in rules for name in names)
        and all(_is_entry(entry, len(rules)) for entries in mutants.values() for entry in entries.values())
    ):
        raise TypeError("no kept answers")
    return dict(stored)


def _is_entry(entry: Any, rules: int) -> bool:
    number, digest, is_wrong = entry
    return isinstance(number, int) and 0 <= number < rules and isinstance(digest, str) and isinstance(is_wrong, bool)


class _Answers:
    """What one mutant answered: for each case a digest of all that the answer rests on, and whether it is wrong."""

    def __init__(self, owner: KeptAnswers, entries: dict[str, list[Any]]) -> None:
        self._owner = owner
        self._entries = entries
        self._values: dict[tuple[str, int], str] = {}

    def get(self, case: Case, played: Profile) -> Noticed | None:
        """Return the kept answer to a case, ``None`` if the case or the value of a rule it rests on has changed since.

        ``played`` is the profile with the mutant's value in it.
        """
        entry = self._entries.get(case.id)
        if entry is None or entry[1] != self._digest(case, played, entry[0]):
            return None
        return Noticed(entry[2], frozenset(self._owner.rules_of(entry[0])))

    def keep(self, case: Case, played: Profile, rules: frozenset[str], *, is_wrong: bool) -> None:
        """Keep an answer with the rules that it rests on, those of the unchanged game and of the mutant."""
        number = self._owner.number_of(rules)
        self._entries[case.id] = [number, self._digest(case, played, number), is_wrong]

    def _digest(self, case: Case, played: Profile, number: int) -> str:
        values = self._values.get((played.id, number))
        if values is None:
            settings = played.settings
            of_rules = {rule: settings[rule].value for rule in self._owner.rules_of(number) if rule in settings}
            values = self._values[played.id, number] = canonical(of_rules)
        return sha256(f"{_case_text(case)} {played.id} {values}".encode()).hexdigest()[:_LENGTH]


_case_texts: dict[int, tuple[Case, str]] = {}


def _case_text(case: Case) -> str:
    """Return all of a case that its answer can depend on, as text; made once for each case object."""
    known = _case_texts.get(id(case))
    if known is None:
        expected = [[one.kind, dict(one.fields)] for one in case.expected]
        known = _case_texts[id(case)] = (case, canonical([case.operation, dict(case.input), expected]))
    return known[1]


# Which cases notice which mutants.


@dataclass(frozen=True, slots=True)
class Row:
    """A mutant, how many cases it was asked, and the cases that kill it: those to which its answer is wrong."""

    mutant: Mutant
    asked: int
    killed_by: frozenset[str]


@dataclass(frozen=True, slots=True)
class Suite:
    """The hand-written cases that can say something about the mutants of one profile, with the right answer to each."""

    profile: str
    planned: Sequence[Planned]
    answers: Sequence[Answer]
    reference: Reference


def hand_written(cases: Iterable[Case]) -> list[Case]:
    """Return the cases whose expectation somebody worked out: those of the sources and those made by hand."""
    return [case for case in cases if case.origin != "derived"]


def suite_for(name: str, cases: Iterable[Case], reference: Reference) -> Suite:
    """Return the suite of a profile: the cases of its own variant and option, and all others that apply to it."""
    profile = reference.ruleset(name).profile
    named = profile.id
    planned = []
    for case in cases:
        own = case.profile
        if own.variant == named.variant and set(named.options) <= set(own.options):
            planned.append(Planned(case, case.profile))
        elif applies(case, profile, reference):
            planned.append(Planned(case, named))
    came = ((one, put(one.case.operation, reference.ruleset(one.profile), one.case.input)) for one in planned)
    # A rule may be changed so that no deal brings what a case of its own variant asks; that one is not asked.
    answered = [(one, each.answer) for one, each in came if each.answer is not None]
    return Suite(name, [one for one, _ in answered], [each for _, each in answered], reference)


def run_mutant(mutant: Mutant, suite: Suite, spec: Spec, kept: KeptAnswers) -> Row:
    """Ask a mutant every case of its suite that consults the changed rule and has the rule's unchanged value.

    Where the form of the table is another one too, so is every case that asks for what is otherwise in it. What was
    asked before, of the same rules and the same engine, is not asked again.
    """
    original = _values_of(suite.reference.ruleset(suite.profile), mutant)
    rulesets: dict[str, Ruleset | None] = {}
    killed: set[str] = set()
    asked = 0
    known = kept.of_mutant(mutant.id)
    for planned, right in zip(suite.planned, suite.answers, strict=True):
        if right.rests_on.isdisjoint(mutant.values):
            continue
        unchanged = suite.reference.ruleset(planned.profile)
        if _values_of(unchanged, mutant) != original:
            continue
        case = planned.case
        if planned.profile not in rulesets:
            rulesets[planned.profile] = _compiled(mutant, unchanged.profile, spec)
        mutated = rulesets[planned.profile]
        if mutated is None or _is_blind(right, mutant, unchanged.form ^ mutated.form):
            continue
        noticed = known.get(case, mutated.profile)
        if noticed is None:
            noticed = _ask(case, mutated)
            known.keep(case, mutated.profile, right.rests_on | noticed.consulted, is_wrong=noticed.is_wrong)
        asked += 1
        if noticed.is_wrong:
            killed.add(case.id)
    return Row(mutant, asked, frozenset(killed))


def _is_blind(right: Answer, mutant: Mutant, other_form: frozenset[str]) -> bool:
    """Say whether a right answer neither consults a rule of a mutant nor asks for what its form has otherwise."""
    return right.rules.isdisjoint(mutant.values) and right.form.isdisjoint(other_form)


def _values_of(rules: Ruleset, mutant: Mutant) -> list[Any]:
    return [rules.value_or(rule, None) for rule in mutant.values]


def _compiled(mutant: Mutant, asked: Profile, spec: Spec) -> Ruleset | None:
    with suppress(UnplayableError):
        return compile_mutant(mutant, asked, spec)
    return None


def _ask(case: Case, rules: Ruleset) -> Noticed:
    came = put(case.operation, rules, case.input)
    return Noticed(bool(differences(case.operation, case.expected, came.reply(case.id))), came.rests_on)


def run_mutants(
    mutants: Sequence[Mutant], *, jobs: int = 1, fresh: bool = False, advance: Advance = unseen
) -> Iterator[Row]:
    """Yield the row of every mutant in order; ``advance`` hears how many are done as they are done."""
    for rows in in_processes(partial(_run_share, fresh=fresh), _shares(mutants), jobs):
        advance(len(rows))
        yield from rows


_SHARE = 40


def _shares(mutants: Sequence[Mutant]) -> list[list[Mutant]]:
    """Return the mutants in shares of one profile each, small enough to keep several processes busy."""
    shares: list[list[Mutant]] = []
    for mutant in mutants:
        if not shares or shares[-1][0].profile != mutant.profile or len(shares[-1]) >= _SHARE:
            shares.append([])
        shares[-1].append(mutant)
    return shares


def _run_share(share: Sequence[Mutant], fresh: bool) -> list[Row]:
    suite = _suite(share[0].profile)
    kept = KeptAnswers.none() if fresh else KeptAnswers.load(share[0].id)
    rows = [run_mutant(mutant, suite, default_spec(), kept) for mutant in share]
    kept.save()
    return rows


@cache
def the_reference() -> Reference:
    """Return the reference for the spec that ships with this package, which compiles each profile once."""
    return Reference(default_spec())


@lru_cache(maxsize=2)
def _suite(profile: str) -> Suite:
    return suite_for(profile, hand_written(load_cases()), the_reference())


MATRIX: Final = Path(__file__).with_name("kill_matrix.jsonl")


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows of all mutants by their ids; without ``killed_by`` a mutant plays the same game."""

    rows: Mapping[str, Row]

    def of_profile(self, profile: str) -> list[Row]:
        """Return the rows of a variant and of its options."""
        return [row for row in self.rows.values() if row.mutant.profile == profile]


@cache
def load_matrix(path: Path = MATRIX) -> Matrix:
    """Load the kept matrix; an empty one if there is none."""
    if not path.exists():
        return Matrix({})
    rows = [_row(json.loads(line)) for line in read_text(path, MAX_OF_OURS).splitlines()]
    return Matrix({row.mutant.id: row for row in rows})


def _row(data: dict[str, Any]) -> Row:
    mutant = Mutant(ProfileName(data["profile"]), data["rule"], data["value"], data["change"], data.get("also", {}))
    return Row(mutant, data["asked"], frozenset(data["killed_by"].split()))


def write_matrix(rows: Iterable[Row], path: Path = MATRIX) -> None:
    """Write a matrix, one mutant a line, whole or not at all."""
    write_whole(path, "".join(_line(row) for row in rows))


def _line(row: Row) -> str:
    data = {**row.mutant.as_json(), "asked": row.asked, "killed_by": " ".join(sorted(row.killed_by))}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def changed_rows(rows: Iterable[Row], kept: Matrix) -> list[Row]:
    """Return the rows that the kept matrix does not have, or has otherwise."""
    return [row for row in rows if kept.rows.get(row.mutant.id) != row]


@dataclass(frozen=True, slots=True)
class Thin:
    """Where the suite is thin: rules of a profile that one case alone pins, and cases that notice no mutant."""

    single: Sequence[tuple[str, str, str]]
    idle: Sequence[str]
    never_alone: Sequence[str]


def thin_places(rows: Iterable[Row], cases: Iterable[str]) -> Thin:
    """Return the rules that a single case pins, the cases that kill nothing, and those that never kill alone."""
    killers: dict[tuple[str, str], set[str]] = {}
    alone: set[str] = set()
    busy: set[str] = set()
    for row in rows:
        busy |= row.killed_by
        if len(row.killed_by) == 1:
            alone |= row.killed_by
        if row.killed_by:
            killers.setdefault((row.mutant.profile, row.mutant.rule), set()).update(row.killed_by)
    single = [(profile, rule, next(iter(found))) for (profile, rule), found in killers.items() if len(found) == 1]
    known = list(cases)
    return Thin(single, [case for case in known if case not in busy], [case for case in known if case not in alone])
