"""The commands ``belot spec …``: the rules as data."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, LANGUAGE, MARKDOWN_FORMAT, errors_as_messages


@click.group()
def spec() -> None:
    """Look at the rules as data."""


@spec.command("lint")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@errors_as_messages
def spec_lint(folder: Path | None) -> None:
    """Load and check the spec (or another FOLDER of its layout)."""
    from belot_reference.spec import load_spec

    loaded = load_spec(folder)
    settings = sum(len(loaded.profile(variant).settings) for variant in loaded.playable())
    options = sum(len(loaded.options_of(variant)) for variant in loaded.playable())
    click.echo(
        f"spec: {len(loaded.rules)} rules, {len(loaded.playable())} variants with {settings} values and "
        f"{options} options, {len(loaded.rulings)} rulings; all is well"
    )


@spec.command("trace")
@FORMAT
@errors_as_messages
def spec_trace(form: str) -> None:
    """Follow every statement of the sources to its rules and cases, and every value back; exit 1 if there is a gap."""
    from belot_conformance.suite.cases import load_cases
    from belot_conformance.suite.trace import as_json, print_trace, trace
    from belot_conformance.text.page import Page
    from belot_reference.spec import default_spec

    found = trace(default_spec(), load_cases())
    if form == "json":
        click.echo(json.dumps(as_json(found), ensure_ascii=False, indent=2))
    else:
        print_trace(found, Page())
    sys.exit(EXIT_FAILED if found.gaps else 0)


@spec.command("list")
@FORMAT
@LANGUAGE
@errors_as_messages
def spec_list(form: str, language: Any) -> None:
    """List the variants: where they are played, by how many, to what target, and their options."""
    from belot_conformance.rules.reading import variant_list
    from belot_reference.spec import default_spec

    found = variant_list(default_spec())
    if form == "json":
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    from belot_conformance.rules.show import print_variants
    from belot_conformance.text.page import Page

    print_variants(Page(), found, language)


@spec.command("show")
@click.argument("profile")
@click.argument("rule", required=False)
@FORMAT
@LANGUAGE
@errors_as_messages
def spec_show(profile: str, rule: str | None, form: str, language: Any) -> None:
    """Show the rules of a PROFILE, of one topic of it (play), or one RULE beside all other variants.

    PROFILE is a variant, a variant with options (belote+no-undertrump) or a file of house rules.
    """
    from belot_conformance.rules.reading import is_topic, one_rule, profile_rules
    from belot_reference.spec import default_spec

    loaded = default_spec()
    whole = rule is None or is_topic(rule, loaded)
    found = profile_rules(profile, loaded, rule) if rule is None or whole else one_rule(profile, rule, loaded)
    if form == "json":
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    from belot_conformance.rules.show import print_profile, print_rule
    from belot_conformance.text.page import Page

    (print_profile if whole else print_rule)(Page(), found, language)


@spec.command("compare")
@click.argument("profiles", nargs=-1, required=True, metavar="PROFILE PROFILE…")
@click.option("--all", "everything", is_flag=True, help="Show the rules that are the same too.")
@FORMAT
@LANGUAGE
@errors_as_messages
def spec_compare(profiles: tuple[str, ...], everything: bool, form: str, language: Any) -> None:
    """Show the rules on which two or more profiles differ."""
    from belot_conformance.rules.reading import comparison
    from belot_reference.spec import default_spec

    if len(profiles) < 2:
        raise click.UsageError("name at least two profiles to compare: belot spec compare belotten denderbelot")
    found = comparison(profiles, default_spec(), everything)
    if form == "json":
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    from belot_conformance.rules.show import print_comparison
    from belot_conformance.text.page import Page

    print_comparison(Page(), found, language)


@spec.command("diff")
@click.argument("old")
@click.argument("new", required=False)
@MARKDOWN_FORMAT
@LANGUAGE
@errors_as_messages
def spec_diff(old: str, new: str | None, form: str, language: Any) -> None:
    """Say by rule, in words, what changed from OLD to NEW, and which step of the version that asks for.

    Each is a profile, a file of house rules, a folder of the spec's layout, or a git revision (v1.0, HEAD~3). Without
    NEW, a folder or a revision is held against the spec in use.
    """
    from belot_conformance.rules.diff import as_json
    from belot_conformance.rules.diff import spec_diff as find
    from belot_conformance.rules.editions import open_editions

    with open_editions(old, new) as (before, after):
        found = find(before, after)
    if form == "json":
        click.echo(json.dumps(as_json(found), ensure_ascii=False, indent=2))
        return
    from belot_conformance.rules.diff_page import as_markdown, print_diff
    from belot_conformance.text.page import Page

    if form == "markdown":
        click.echo(as_markdown(found, language), nl=False)
    else:
        print_diff(Page(), found, language)


@spec.command("release")
@click.argument("version")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--from", "revision", metavar="REVISION", help="The state before; else the tag of the last release.")
@FORMAT
@LANGUAGE
@errors_as_messages
def spec_release(version: str, folder: Path, revision: str | None, form: str, language: Any) -> None:
    """Release the rules, schemas and cases as VERSION: all of it as JSON into FOLDER, the cases into the ledger.

    Refused are a version lower than the changes ask for, released cases that have changed or are gone, and cases that
    wait for review. The same state gives the same bytes. What counts as which step is in spec/VERSIONING.md.
    """
    from belot_conformance.releases.release import make_release
    from belot_conformance.suite.bundle import MANIFEST

    draft, manifest = make_release(version, folder, revision)
    if form == "json":
        click.echo(json.dumps(manifest, ensure_ascii=False, indent=2))
        return
    from belot_conformance.releases.page import print_release
    from belot_conformance.text.page import Page

    print_release(Page(), draft, manifest, folder / MANIFEST, language)
