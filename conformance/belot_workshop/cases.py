"""The commands ``belot cases …`` for those who keep the cases: recording, updating and retiring them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from belot_conformance.changes.editions import open_edition
from belot_conformance.cli.common import EXIT_FAILED, FORMAT, RenamingCommand, echo, echo_json, tell_page
from belot_conformance.perft.deals import folder
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.ledger import read_ledger
from belot_conformance.text.terminal import TerminalPage
from belot_spec.data import cases_folder, refuse_installed, spec_folder
from belot_spec.shipped import default_spec
from belot_spec.whole_file import write_whole
from belot_workshop.perft_deals import perft_json, perft_profiles, perft_text
from belot_workshop.recorder import record_situations, record_variant, recorded_variants
from belot_workshop.releases.case_update import (
    SpecChange,
    apply_updates,
    as_json,
    check_rules,
    fails,
    find_updates,
    print_updates,
)
from belot_workshop.releases.release import gone, retire
from belot_workshop.releases.review import (
    REVIEW_WORDS,
    Settling,
    print_expectation,
    print_question,
    review_json,
    settle,
    waiting_cases,
)

if TYPE_CHECKING:
    from belot_workshop.releases.case_update import Update


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

    tell_page(
        form,
        lambda page: print_updates(page, updates, write, renewed),
        lambda: as_json(updates, write, renewed),
    )
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
