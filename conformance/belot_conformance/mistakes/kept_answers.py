"""What mutants answered before, kept so that only what a change can touch is asked again."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import belot_reference
import belot_spec
from belot_conformance.suite.cases import Case
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.data import schema
from belot_spec.files import canonical, read_bytes
from belot_spec.spec import Profile

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
