"""The commands ``belot spec …``: the rules as data."""

import sys
from pathlib import Path
from typing import Any

import click

from belot_conformance.changes.diff import as_json as changes_json
from belot_conformance.changes.diff import spec_diff
from belot_conformance.changes.diff_page import print_diff
from belot_conformance.changes.editions import open_editions
from belot_conformance.cli.common import (
    EXIT_FAILED,
    FORMAT,
    LANGUAGE,
    MARKDOWN_FORMAT,
    LazyGroup,
    echo,
    echo_json,
    tell_page,
)
from belot_conformance.rules.reading import comparison, variant_list
from belot_conformance.rules.show import print_comparison, print_shown, print_variants
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.lint import behaviour_problems, variants_without_cases
from belot_conformance.suite.trace import as_json, print_trace, show, trace
from belot_kernel.needed import need
from belot_reference.compile import compile_profile
from belot_spec.errors import refuse
from belot_spec.load.figures import figure_problems
from belot_spec.load.lint import check_absent_things, check_citations, check_short_words, untranslated, unwritten
from belot_spec.load.spec import load_spec, restated_options
from belot_spec.load.worth import stale_worth
from belot_spec.shipped import default_spec, open_profile
from belot_spec.whole_file import why_unwritable


@click.group(cls=LazyGroup)
def spec() -> None:
    """Look at the rules."""


@spec.command("lint")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def spec_lint(folder: Path | None) -> None:
    """Check the rules, or another FOLDER of their layout."""
    loaded = load_spec(folder)
    check_citations(loaded)
    check_short_words(loaded)
    check_absent_things(loaded)
    # In another folder the rules may be others than those that the cases here are about.
    cases = load_cases() if folder is None else ()
    lacking = variants_without_cases(cases, loaded) if cases else ()
    told = (*unwritten(loaded), *restated_options(loaded), *figure_problems(loaded), *untranslated(loaded))
    refuse([*told, *behaviour_problems(cases, loaded), *lacking])
    for variant, stale in stale_worth(loaded).items():
        shown = stale[0] if len(stale) == 1 else f"{len(stale)} figures"
        echo(f"worth of {variant}: {shown} measured by other rules; make worth finds them anew")
    settings = sum(len(loaded.profile(variant).settings) for variant in loaded.playable())
    options = sum(len(loaded.options_of(variant)) for variant in loaded.playable())
    echo(
        f"spec: {len(loaded.rules)} rules, {len(loaded.playable())} variants with {settings} values and "
        f"{options} options, {len(loaded.rulings)} rulings; all is well"
    )


@spec.command("diff")
@click.argument("old")
@click.argument("new", required=False)
@MARKDOWN_FORMAT
def diff(old: str, new: str | None, form: str) -> None:
    """Say by rule what changed from OLD to NEW.

    In words, and with the step of the version that it asks for. Each is a profile, a file of house rules, a folder of
    the spec's layout, or a git revision (v1.0, HEAD~3). Without NEW, a folder or a revision is held against the spec in
    use.
    """
    with open_editions(old, new) as (before, after):
        found = spec_diff(before, after)
    tell_page(form, lambda page: print_diff(page, found), lambda: changes_json(found))


@spec.command("trace")
@FORMAT
def spec_trace(form: str) -> None:
    """Follow every statement to its rules, and every value back.

    Exit code: 0 all is well, 1 there is a gap.
    """
    found = trace(default_spec(), load_cases())
    tell_page(form, lambda page: print_trace(found, page), lambda: as_json(found))
    sys.exit(EXIT_FAILED if found.gaps else 0)


@spec.command("list")
@FORMAT
@LANGUAGE
def spec_list(form: str, language: Any) -> None:
    """List the variants and their options.

    Where they are played, by how many, and to what target.
    """
    found = variant_list(default_spec())
    tell_page(form, lambda page: print_variants(page, found, language), lambda: found)


@spec.command("show")
@click.argument("name", metavar="[PROFILE] [NAME]")
@click.argument("part", required=False, metavar="")
@FORMAT
@LANGUAGE
def spec_show(name: str, part: str | None, form: str, language: Any) -> None:
    """Show the rules of a PROFILE, or what a NAME leads to.

    In a PROFILE, or everywhere. PROFILE is a variant, a variant with options (belote+no-undertrump) or a file of house
    rules. NAME is a rule (match.target), a statement of a source (BL-171), a ruling (BL-R3), what players call
    something (capot, pisser), or, with a PROFILE, a topic (play).
    """
    kind, found = show(name, part, default_spec())
    tell_page(form, lambda page: print_shown(page, kind, found, language), lambda: found)


@spec.command("compare")
@click.argument("profiles", nargs=-1, required=True, metavar="PROFILE PROFILE…")
@click.option("--all", "everything", is_flag=True, help="Show the rules that are the same too.")
@FORMAT
@LANGUAGE
def spec_compare(profiles: tuple[str, ...], everything: bool, form: str, language: Any) -> None:
    """Show the rules on which two or more profiles differ."""
    if len(profiles) < 2:
        raise click.UsageError("name at least two profiles to compare: belot spec compare belotten denderbelot")
    found = comparison(profiles, default_spec(), everything)
    tell_page(form, lambda page: print_comparison(page, found, language), lambda: found)


@spec.command("tables")
@click.argument("profile")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="The file of NumPy to write, FILE.npz.")
@FORMAT
def spec_tables(profile: str, output: Path, form: str) -> None:
    """Write the rules of a PROFILE as plain arrays.

    By them other programs can play without reading a rule; TABLES.md in belot_kernel says what each holds. PROFILE
    is a variant, a variant with options (belote+no-undertrump) or a file of house rules. Needs the extra [fast].
    """
    need("numpy", "belot spec tables")
    if reason := why_unwritable(output):
        raise click.UsageError(f"--output {output}: {reason}")
    from belot_kernel.compiled import write_tables

    arrays = write_tables(compile_profile(open_profile(profile)), output)
    if form == "json":
        shapes = {name: {"type": str(array.dtype), "shape": list(array.shape)} for name, array in arrays.items()}
        echo_json({"file": str(output), "bytes": output.stat().st_size, "arrays": shapes})
        return
    nodes = len(arrays["graph.step"])
    echo(f"{output}: {len(arrays)} arrays, {nodes} kinds of tricks, {output.stat().st_size:,} bytes")
