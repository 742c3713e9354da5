"""New expectations for the cases that a changed rule concerns: proposed and explained, or left for people to decide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Came, Reference, put, reply_of
from belot_conformance.rules.reading import Json, sentences
from belot_conformance.suite.case_text import Rewrite, rewrite_file
from belot_conformance.suite.cases import SUFFIX, Case
from belot_conformance.suite.differing import order_is_free, smallest
from belot_conformance.suite.judge import Difference, Expectation, differences
from belot_conformance.suite.ledger import Ledger
from belot_conformance.suite.selection import differing_rules, is_below, rule_names
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_reference.compile import compile_profile
from belot_spec.catalogue import text_of
from belot_spec.errors import BelotError, UnknownNameError, nearest
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole
from belot_spec.words import English

Verdict = Literal["proposed", "source-example", "recorded", "unexplained", "alternatives", "unanswerable"]

VERDICTS: Final[tuple[Verdict, ...]] = (
    "proposed", "source-example", "alternatives", "unexplained", "unanswerable", "recorded",
)  # fmt: skip
# What a person has to decide; the run fails as long as there is any.
CONFLICTS: Final = ("source-example", "alternatives", "unexplained", "unanswerable")
UPDATE_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class CaseCause:
    """A rule by whose change an answer changed, and its sentences in both languages before and after.

    A rule that did not matter before or does not now has no sentence there; without an old spec none is known before.
    """

    rule: str
    before: Mapping[str, str] | None
    after: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Update:
    """A case whose expectation no longer is the engine's answer: what becomes of it, where they differ, and why."""

    case: Case
    verdict: Verdict
    differences: tuple[Difference, ...]
    causes: tuple[CaseCause, ...]
    expect: Mapping[str, Any] | None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class SpecChange:
    """A change of the rules: the spec now, the one before if it is known, and the rules that were named, if any."""

    new: Spec
    old: Spec | None = None
    named: tuple[str, ...] = ()

    def rules_of(self, profile: str) -> frozenset[str]:
        """Return the rules that changed for a profile; raises ``UnknownNameError`` if it does not exist any more."""
        after = self.new.profile(profile)
        if self.old is None:
            return frozenset(rule for rule in after.settings if is_below(rule, self.named))
        before = self.before(profile)
        return differing_rules(before, after) if before else frozenset()

    def before(self, profile: str) -> Profile | None:
        """Return a profile as it was, ``None`` where that is not known or there was none."""
        try:
            return self.old.profile(profile) if self.old else None
        except UnknownNameError:
            return None


def check_rules(names: Iterable[str], spec: Spec) -> None:
    """Raise ``UnknownNameError`` for a name that is no rule and not the beginning of one."""
    known = rule_names(spec)
    for name in names:
        if name not in known:
            raise UnknownNameError(f"there is no rule {name}{nearest(name, known)}")


def find_updates(cases: Sequence[Case], change: SpecChange) -> list[Update]:
    """Return what becomes of each case that consults a changed rule and whose answer is another now."""
    finder = _Finder(change)
    return [update for case in cases for update in finder.updates(case)]


class _Finder:
    """Asks the engine by the rules before and after the change."""

    def __init__(self, change: SpecChange) -> None:
        self._change = change
        self._new = Reference(change.new)
        self._old = None if change.old is None else Reference(change.old)
        self._rules_of = cache(change.rules_of)

    def updates(self, case: Case) -> Iterator[Update]:
        try:
            changed = self._rules_of(case.profile)
        except UnknownNameError as error:
            yield Update(case, "unanswerable", (), (), None, str(error))
            return
        if not changed:
            return
        came = put(case.operation, self._new.ruleset(case.profile), case.input)
        if came.answer is None:
            yield Update(case, "unanswerable", (), self._causes(case, changed), None, str(came.error))
            return
        reply = came.reply(case.id)
        found = _differences(case, reply)
        if not found:
            return
        concerned = changed & (came.rests_on | self._consulted_before(case) | set(case.rules))
        if not concerned:
            return
        verdict = self._verdict(case)
        causes = self._causes(case, self._decisive(case, concerned, reply))
        expect = _expectation(case, reply) if verdict == "proposed" else None
        if expect is not None:
            # Shown as it will be written.
            found = _differences(case, reply_of(case.id, expect))
        yield Update(case, verdict, tuple(smallest(case.operation, found)), causes, expect)

    def _consulted_before(self, case: Case) -> frozenset[str]:
        """Return what the answer by the old spec rests on; nothing where it is not known or could not answer."""
        try:
            return self._old.answer(case.operation, case.profile, case.input).rests_on if self._old else frozenset()
        except BelotError:
            return frozenset()

    def _verdict(self, case: Case) -> Verdict:
        if case.path.suffix == SUFFIX:
            return "recorded"
        if case.origin == "source-example":
            return "source-example"
        if len(case.expected) > 1:
            return "alternatives"
        if self._old is not None and not self._fitted_before(case, self._old):
            return "unexplained"
        return "proposed"

    def _fitted_before(self, case: Case, old: Reference) -> bool:
        said = old.reply(case.operation, case.profile, case.input)
        return "error" not in said and not _differences(case, reply_of(case.id, said))

    def _decisive(self, case: Case, concerned: frozenset[str], reply: Reply) -> frozenset[str]:
        """Return the changed rules that alone, put back, change the answer; all that are consulted if none does."""
        own = self._new.spec.profile(case.profile)
        before = self._change.before(case.profile)
        if before is None or len(concerned) == 1:
            return concerned
        known = [rule for rule in concerned if rule in before.settings and rule in self._change.new.rules]
        found = frozenset(rule for rule in known if self._matters(case, own, rule, before.value(rule), reply))
        return found or concerned

    def _matters(self, case: Case, own: Profile, rule: str, value: Any, reply: Reply) -> bool:
        try:
            without = own.with_values(own.id, {rule: value}, self._change.new.rules)
            came = put(case.operation, compile_profile(without), case.input)
        except (BelotError, KeyError):
            came = Came(None)
        if came.answer is None:
            # By one old value among the new ones nobody could play, so it does matter.
            return True
        given = Expectation("result" if reply.kind == "result" else "rejected", reply.value)
        return bool(differences(case.operation, [given], came.reply(case.id), reasons=True))

    def _causes(self, case: Case, rules: Iterable[str]) -> tuple[CaseCause, ...]:
        after, before = self._new.spec.profile(case.profile), self._change.before(case.profile)
        return tuple(
            CaseCause(rule, _words(rule, before, self._change.old), _words(rule, after, self._change.new))
            for rule in sorted(rules)
        )


def _words(rule: str, profile: Profile | None, spec: Spec | None) -> dict[str, str] | None:
    if profile is None or spec is None or rule not in profile.settings:
        return None
    return sentences(spec.rules[rule], profile, spec)


def _differences(case: Case, reply: Reply) -> list[Difference]:
    """Return how a reply differs from what a case expects, the reasons that it states among it."""
    return differences(case.operation, case.expected, reply, reasons=True)


def _expectation(case: Case, reply: Reply) -> Json:
    """Return the new expectation: of a result the fields that the case compares, with their items in the old order."""
    (old,) = case.expected
    if reply.kind == "rejected":
        keep = ("at", "reason", *(("rule",) if old.rule else ()))
        return {"rejected": {key: reply.value[key] for key in keep if key in reply.value}}
    if old.kind != "result":
        return {"result": dict(reply.value)}
    fields = {
        key: _in_old_order(value, reply.value[key])
        if order_is_free(case.operation, key, reply.value[key])
        else reply.value[key]
        for key, value in old.fields.items()
        if key in reply.value
    }
    return {"result": fields or dict(reply.value)}


def _in_old_order(old: Any, new: list[Any]) -> list[Any]:
    """Return a list with what was there before first, in the order it stood in, so that little moves."""
    return [*(one for one in old if one in new), *(one for one in new if one not in old)]


def apply_updates(updates: Sequence[Update], ledger: Ledger, cases: Sequence[Case]) -> dict[str, str]:
    """Write the proposals into their files; return the new id of each case that was released before.

    A rewritten case is marked as derived and as waiting for review. A released one goes on under a new id, and the old
    id is retired in the ledger. Raises ``CaseTextError`` for a file that cannot be changed, before that file is.
    """
    free = ledger.free_ids(cases)
    renewed: dict[str, str] = {}
    files: dict[Path, list[Rewrite]] = {}
    for update in updates:
        if update.verdict != "proposed":
            continue
        case, values = update.case, {"expect": update.expect, "origin": "derived", "review": review_note(update)}
        if case.id in ledger.entries:
            values["id"] = renewed[case.id] = next(free)
            ledger = ledger.retire(case.id, review_note(update), renewed[case.id])
        files.setdefault(case.path, []).append(Rewrite(case.id, values))
    for path, rewrites in files.items():
        rewrite_file(path, rewrites)
    if renewed:
        write_whole(ledger.path, ledger.text())
    return renewed


def review_note(update: Update) -> str:
    """Say why a case was rewritten, and what its expectation was worth before."""
    rules = ", ".join(cause.rule for cause in update.causes)
    return f"{rules} changed; the expectation was {update.case.origin} and is now what the engine answers"


def fails(updates: Iterable[Update]) -> bool:
    """Say whether something is left that a person has to decide."""
    return any(update.verdict in CONFLICTS for update in updates)


def as_json(updates: Sequence[Update], written: bool, renewed: Mapping[str, str]) -> Json:
    """Return the updates as JSON, with the new ids of released cases once they are written."""
    return {
        "update": UPDATE_VERSION,
        "written": written,
        "counts": {verdict: sum(one.verdict == verdict for one in updates) for verdict in VERDICTS},
        "cases": [
            {
                **one.case.named(),
                "profile": one.case.profile,
                "file": f"{one.case.path.parent.name}/{one.case.path.name}",
                "line": one.case.line,
                "verdict": one.verdict,
                "differences": [{"field": d.field, "old": d.expected, "new": d.came} for d in one.differences],
                "causes": [{"rule": c.rule, "before": c.before, "after": c.after} for c in one.causes],
                **({"expect": one.expect} if one.expect is not None else {}),
                **({"detail": one.detail} if one.detail else {}),
                **({"renewed": renewed[one.case.id]} if one.case.id in renewed else {}),
            }
            for one in updates
        ],
    }


_HEADINGS: Final = English(__name__, "case-update-headings")
_WORDS: Final = English(__name__, "case-update")
_MOST_RECORDED: Final = 5


def print_updates(page: Page, updates: Sequence[Update], written: bool, renewed: Mapping[str, str]) -> None:
    """Print each update under what becomes of it, and what was or can be written."""
    for verdict in VERDICTS:
        own = [update for update in updates if update.verdict == verdict]
        if own:
            page.heading(f"{_HEADINGS[verdict]} ({len(own)})")
        shown = own[:_MOST_RECORDED] if verdict == "recorded" else own
        for update in shown:
            page.blank()
            _print_update(page, update, renewed.get(update.case.id))
        if len(own) > len(shown):
            page.line(f"… +{len(own) - len(shown)}", indent=2)
    page.blank()
    for line in _sums(updates, written):
        page.line(line, style="bold")


def _print_update(page: Page, update: Update, renewed: str | None) -> None:
    case = update.case
    page.line(f"{case.id} {case.title.en}", indent=2, hang=2, style="bold")
    page.line(
        f"{case.operation}, {case.profile}, {case.origin}, {case.path.parent.name}/{case.path.name}:{case.line}",
        indent=4,
    )
    if renewed is not None:
        page.line(_WORDS.say("renewed", id=renewed), indent=4)
    if update.detail is not None:
        page.line(update.detail, indent=4, hang=2)
    for found in update.differences:
        page.line(found.field, indent=4)
        page.labelled(f"- {_WORDS.say('old')}", brief(found.expected), indent=4, width=10)
        page.labelled(f"+ {_WORDS.say('new')}", brief(found.came), indent=4, width=10)
    for cause in update.causes:
        _print_cause(page, cause)


def _print_cause(page: Page, cause: CaseCause) -> None:
    after = text_of(cause.after).en if cause.after else _WORDS.say("nowhere")
    page.labelled(_WORDS.say("rule"), f"{after} ({cause.rule})", indent=4, width=10)
    if cause.before is not None:
        page.labelled(_WORDS.say("before"), text_of(cause.before).en, indent=4, width=10)


def _sums(updates: Sequence[Update], written: bool) -> list[str]:
    counts = {verdict: sum(update.verdict == verdict for update in updates) for verdict in VERDICTS}
    left = sum(counts.values()) - counts["proposed"] - counts["recorded"]
    lines = []
    if counts["proposed"]:
        lines.append(_WORDS.say("written" if written else "unwritten", n=counts["proposed"]))
    if left:
        lines.append(_WORDS.say("left", n=left))
    if not updates:
        lines.append(_WORDS.say("none"))
    return lines
