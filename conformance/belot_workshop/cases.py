"""New, changed and retired cases: ``belot cases record``, ``update``, ``review``, ``retire``."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

import click

from belot_conformance.changes.editions import open_edition
from belot_conformance.cli.common import EXIT_FAILED, FORMAT, RenamingCommand, echo, echo_json, tell_page
from belot_conformance.perft import folder
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Came, Reference, put, reply_of
from belot_conformance.rules.reading import Json, sentences
from belot_conformance.suite.case_text import Rewrite, rewrite_file
from belot_conformance.suite.cases import SUFFIX, Case, load_cases
from belot_conformance.suite.judge import Difference, Expectation, differences, order_is_free, smallest
from belot_conformance.suite.ledger import Ledger, read_ledger
from belot_conformance.suite.selection import differing_rules, is_below, rule_names
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_conformance.text.terminal import TerminalPage
from belot_reference.compile import compile_profile
from belot_spec.data import cases_folder, refuse_installed, spec_folder
from belot_spec.errors import BelotError, UnknownNameError, nearest
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole
from belot_spec.words import English
from belot_workshop.perft_deals import perft_json, perft_profiles, perft_text
from belot_workshop.recorder import record_situations, record_variant, recorded_variants
from belot_workshop.releases.release import gone, retire

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


_PACKAGE: Final = "belot_workshop"


def print_updates(page: Page, updates: Sequence[Update], written: bool, renewed: Mapping[str, str]) -> None:
    """Print each update under what becomes of it, and what was or can be written."""
    groups = {verdict: [update for update in updates if update.verdict == verdict] for verdict in VERDICTS}
    tell(page, "updates.j2", 10, _PACKAGE, groups=groups, written=written, renewed=renewed)


Settling = Literal["h", "a", "l", "s"]

REVIEW_WORDS: Final = English(__name__, "review")


def waiting_cases(cases: Iterable[Case], named: Collection[str]) -> list[Case]:
    """Return the cases that wait for review, or those of them that are named; raises ``UnknownNameError``."""
    waiting = {case.id: case for case in cases if case.review is not None}
    for name in named:
        if name not in waiting:
            raise UnknownNameError(f"no case {name} waits for review{nearest(name, waiting)}")
    return [waiting[name] for name in named] or [*waiting.values()]


def review_json(case: Case) -> dict[str, Any]:
    """Return a case that waits, as JSON."""
    place = {"file": f"{case.path.parent.name}/{case.path.name}", "line": case.line}
    return {**case.named(), "profile": case.profile, **place, "review": case.review}


def print_question(page: Page, case: Case, spec: Spec) -> None:
    """Print what a case asks, why it waits, and the rules that it pins: all it takes to work it out."""
    profile = spec.profile(case.profile)
    rules = {rule: sentences(spec.rules[rule], profile, spec)["en"] for rule in case.rules}
    tell(page, "review.j2", 10, _PACKAGE, case=case, rules=rules, answers=())


def print_expectation(page: Page, case: Case) -> None:
    """Print the answers of a case that are right as it stands."""
    tell(page, "review.j2", 10, _PACKAGE, answers=[one.message for one in case.expected])


def settle(case: Case, how: Settling) -> bool:
    """Take the review of a case away, worked out by hand (``h``) or agreed to (``a``); say whether it was settled.

    Raises ``CaseTextError`` for a file that cannot be changed line by line.
    """
    if how not in ("h", "a"):
        return False
    rewrite_file(case.path, [Rewrite(case.id, {"origin": "by-hand"} if how == "h" else {}, without=("review",))])
    return True


@click.command("record")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--profile", "variants", multiple=True, help="Record only this variant; may be repeated.")
def cases_record(folder: Path | None, variants: tuple[str, ...]) -> None:
    """Record deals and matches anew, and draw what situations lack.

    Of every variant, into the cases or another FOLDER: same engine, same files.
    """
    if folder is None:
        refuse_installed("every recorded case")
    for variant in recorded_variants(variants, default_spec()):
        for path, number in record_variant(default_spec(), variant, folder or cases_folder()):
            echo(f"{path}: {number} cases")
    if not variants:
        for path, number in record_situations(default_spec(), folder or cases_folder()):
            echo(f"{path}: {number} cases")


@click.command("update", cls=RenamingCommand, renamed={"--write": "--in-place", "--from": "--since"})
@click.option(
    "--rule", "rules", multiple=True, metavar="RULE", help="The rule that changed, or the beginning of its id."
)
@click.option("--since", "revision", metavar="REVISION", help="Every rule that changed since this git revision (HEAD).")
@click.option("--in-place", "write", is_flag=True, help="Write the proposals into the files.")
@FORMAT
def cases_update(rules: tuple[str, ...], revision: str | None, write: bool, form: str) -> None:
    """Propose new expectations after a rule has changed.

    They are for cases that consult it, and whose answer is now different. Without --rule, every rule counts whose value
    changed since the last commit. A source's own example is never touched, and a recorded case is left to belot cases
    record. Exit code: 0 nothing is left to decide, 1 something is.
    """
    if rules and revision is not None:
        raise click.UsageError("name the rules, or the revision since which they changed, not both")
    if write:
        refuse_installed("every case")
    updates = _updates(rules, "HEAD" if revision is None else revision)
    renewed = apply_updates(updates, read_ledger(cases_folder()), load_cases()) if write else {}

    tell_page(form, lambda page: print_updates(page, updates, write, renewed), lambda: as_json(updates, write, renewed))
    sys.exit(EXIT_FAILED if fails(updates) else 0)


def _updates(rules: tuple[str, ...], revision: str) -> "list[Update]":

    if rules:
        check_rules(rules, default_spec())
        return find_updates(load_cases(), SpecChange(default_spec(), named=rules))
    with open_edition(revision, spec_folder()) as before:
        if before.profile is not None:
            raise click.UsageError(f"{revision} is a profile; name a git revision or a folder with the old rules")
        return find_updates(load_cases(), SpecChange(default_spec(), before.spec))


@click.command("review")
@click.argument("ids", nargs=-1, metavar="[CASE]…")
@FORMAT
def cases_review(ids: tuple[str, ...], form: str) -> None:
    """Walk through the cases that wait for a person.

    All of them, or those named. Each is asked first; once you have worked it out, what the program gave is shown, and
    you say what becomes of it. Ctrl-C leaves the others as they are.
    """
    refuse_installed("every case")
    waiting = waiting_cases(load_cases(), ids)
    if form == "json":
        echo_json([review_json(case) for case in waiting])
        return
    page, words, settled = TerminalPage(), REVIEW_WORDS, 0
    for case in waiting:
        print_question(page, case, default_spec())
        click.prompt(words["work-out"], default="", show_default=False, prompt_suffix=" ")
        print_expectation(page, case)
        how = click.prompt(words["settle"], type=click.Choice(get_args(Settling)), show_choices=False)
        settled += settle(case, how)
        page.blank()
        if how == "s":
            break
    echo(words["settled"].format(n=settled, left=len(waiting) - settled))


@click.command("retire")
@click.argument("ids", nargs=-1, metavar="[CASE]…")
@click.option("--reason", required=True, help="Why they go; it stays in the ledger.")
@click.option("--by", metavar="CASE", help="The case that asks in their place.")
@click.option("--renew", is_flag=True, help="They go on, changed, under new ids.")
@click.option("--gone", "take_gone", is_flag=True, help="Every released case that stands in no file any more.")
def cases_retire(ids: tuple[str, ...], reason: str, by: str | None, renew: bool, take_gone: bool) -> None:
    """Retire released cases in the ledger.

    A released case never changes and its id is never used again. Take a case out of its file and retire it, or change
    it and retire its old id with --renew.
    """
    refuse_installed("the ledger")
    if bool(ids) == take_gone:
        raise click.UsageError("name the cases to retire, or --gone for all that stand in no file any more")
    if by and renew:
        raise click.UsageError("--renew gives each case a new id, so leave --by out")
    named = gone(cases_folder()) if take_gone else list(ids)
    if not named:
        echo("every released case stands in a file, so there is nothing to retire")
        return
    for one in retire(cases_folder(), named, reason, by, renew):
        echo(f"{one.case} is retired" + (f", {one.by} takes its place" if one.by else ""))


@click.command("perft-deals")
@click.option("--profile", "profiles", multiple=True, help="Only those of this profile; may be repeated.")
def perft_deals(profiles: tuple[str, ...]) -> None:
    """Write the deals of belot perft into cases/perft.

    Eight a profile, by which other rules of play are noticed. The same rules give the same files. What is not noticed
    is said.
    """
    spec = default_spec()
    known = perft_profiles(spec)
    for profile in profiles or known:
        if profile not in known:
            raise click.UsageError(f"--profile {profile}: deals are counted for {', '.join(known)}")
        found = perft_json(profile, spec)
        write_whole(folder() / f"{profile}.json", perft_text(found))
        unseen = found["mutants"]["unseen"]
        echo(f"{profile}: {found['mutants']['told']} other rules noticed, {len(unseen)} not")
        for one in unseen:
            echo(f"  {one}")
