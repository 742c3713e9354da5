"""What became of each mutant: killed by a case, equivalent for a reason that a check proves, or a survivor."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.contrast.probe import Budget, Contrast, Probe, answered, is_duty, is_other, tricks_played_alike
from belot_conformance.mistakes.killing import Row, the_reference
from belot_conformance.mistakes.mutations import Mutant, rival_of
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import Advance, unseen
from belot_conformance.programs.reference import Came
from belot_conformance.questions.operation import AnsweredQuestion
from belot_spec.catalogue import Text, text_of
from belot_spec.document import Document
from belot_spec.errors import Problem, nearest
from belot_spec.files import canonical
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.variants import ancestry

Check = Literal["every-hand", "search", "unconsulted"]

# The list of equivalents was made with so many: some 50,000 questions a profile.
SEARCHED: Final = Budget(deals=240)

LIST: Final = Path(__file__).with_name("equivalents.yaml")


@dataclass(frozen=True, slots=True)
class EquivalentEntry:
    """A reason why some mutants are equivalent; without values, any value of the rules."""

    rules: tuple[str, ...]
    profiles: tuple[str, ...]
    values: tuple[Any, ...] | None
    check: Check
    reason: Text
    line: int

    def covers(self, mutant: Mutant) -> bool:
        """Say whether a mutant is one of those that the entry speaks of: of its profiles, or of one made of them."""
        return (
            any(fnmatchcase(mutant.rule, pattern) for pattern in self.rules)
            and any(fnmatchcase(name, pattern) for name in _line_of(mutant.profile) for pattern in self.profiles)
            and (self.values is None or any(canonical(value) == mutant.playing for value in self.values))
        )


@cache
def _line_of(profile: str) -> tuple[str, ...]:
    """Return a profile, and those with the same options of the variants that its own extends."""
    name, variants = ProfileName(profile), default_spec().variants
    return tuple(ProfileName.of(one.id, *name.options) for one in ancestry(variants[name.variant], variants))


@cache
def load_equivalents(path: Path = LIST) -> tuple[EquivalentEntry, ...]:
    """Load the list; raises ``SpecError`` for a faulty one."""
    document = read_document(path)
    check_document(document, "equivalents")
    return tuple(_entry(document, index, data) for index, data in enumerate(document.data["equivalents"]))


def _entry(document: Document, index: int, data: dict[str, Any]) -> EquivalentEntry:
    return EquivalentEntry(
        rules=tuple(data["rules"]),
        profiles=tuple(data.get("profiles", ["*"])),
        values=tuple(data["values"]) if "values" in data else None,
        check=data["check"],
        reason=text_of(data["reason"]),
        line=document.line(("equivalents", index)),
    )


def entry_for(mutant: Mutant, entries: Sequence[EquivalentEntry]) -> EquivalentEntry | None:
    """Return the first entry that speaks of a mutant."""
    return next((entry for entry in entries if entry.covers(mutant)), None)


def idle_entries(
    entries: Sequence[EquivalentEntry], survivors: Sequence[Mutant], spec: Spec, path: Path = LIST
) -> list[Problem]:
    """Return a problem for each entry, and each value of one, that no surviving mutant needs."""
    problems = []
    for entry in entries:
        covered = [mutant for mutant in survivors if entry.covers(mutant)]
        hint = nearest(entry.rules[0], spec.rules) if not any("*" in rule for rule in entry.rules) else ""
        if not covered:
            problems.append(
                Problem(path, entry.line, "rules", f"no surviving mutant is of {', '.join(entry.rules)}{hint}")
            )
        for value in entry.values or () if covered else ():
            if all(mutant.playing != canonical(value) for mutant in covered):
                message = f"no mutant with the value {canonical(value)} survives; leave it out"
                problems.append(Problem(path, entry.line, "values", message))
    return problems


Fate = Literal["killed", "equivalent", "survived"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a check: whether the mutant plays the same game, over how many trials, else where it differs."""

    alike: bool
    trials: int
    contrast: Contrast | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant's row and fate; for a mutant that no case kills also the list's entry, if any, and the proof."""

    row: Row
    fate: Fate
    entry: EquivalentEntry | None = None
    proof: Proof | None = None


def judge_rows(rows: Sequence[Row], *, jobs: int = 1, advance: Advance = unseen) -> list[Judged]:
    """Return the fate of every row's mutant, in order; survivors that are listed are put to the check they name.

    A survivor that is not listed is searched for a question that would notice it.
    """
    entries = load_equivalents()
    waiting = [row.mutant for row in rows if not row.killed_by]
    checks = {mutant.id: entry_for(mutant, entries) for mutant in waiting}
    proofs: dict[str, Proof] = {}
    shares = _by_profile(waiting)
    for share, proved in zip(shares, in_processes(_prove_share, shares, jobs), strict=True):
        proofs.update(zip((mutant.id for mutant in share), proved, strict=True))
        advance(len(share))
    return [_judged(row, checks.get(row.mutant.id), proofs.get(row.mutant.id)) for row in rows]


def _judged(row: Row, entry: EquivalentEntry | None, proof: Proof | None) -> Judged:
    if proof is None:
        return Judged(row, "killed")
    return Judged(row, "equivalent" if entry is not None and proof.alike else "survived", entry, proof)


def _by_profile(mutants: Iterable[Mutant]) -> list[list[Mutant]]:
    shares: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        shares.setdefault(mutant.profile, []).append(mutant)
    return list(shares.values())


def _prove_share(share: Sequence[Mutant]) -> list[Proof]:
    named = ((mutant, entry_for(mutant, load_equivalents())) for mutant in share)
    return [_proof(mutant, entry.check if entry else "search") for mutant, entry in named]


def _proof(mutant: Mutant, check: Check) -> Proof:
    spec, reference = default_spec(), the_reference()
    rules = reference.ruleset(mutant.profile)
    rival = rival_of(mutant, rules.profile, spec)
    if check == "every-hand":
        if not is_duty(mutant.values, spec):
            return Proof(alike=False, trials=0)
        trials = tricks_played_alike(rules, rival.rules)
        if trials:
            return Proof(alike=True, trials=trials)
    probe = _probe(mutant.profile)
    asked = sum(1 for _ in probe.reading(mutant.values))
    found = probe.smallest(rival)
    alike = found is None and (check == "search") == (asked > 0)
    return Proof(alike and check != "every-hand", asked, None if found is None else _contrast(*found))


def _contrast(one: AnsweredQuestion, came: Came) -> Contrast:
    return Contrast(one.operation, one.input, one.answer, came.message())


# The shares come by profile, and the questions of one take some 100 MB.
@lru_cache(maxsize=1)
def _probe(profile: str) -> Probe[AnsweredQuestion]:
    rules = the_reference().ruleset(profile)
    return Probe(answered(rules, SEARCHED.questions(rules)), partial(is_other, reasons=True))
