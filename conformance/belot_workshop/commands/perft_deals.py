"""The command ``belot perft-deals``: choose the deals of card perft anew, and count them."""

import click

from belot_conformance.cli.common import echo


@click.command("perft-deals")
@click.option("--profile", "profiles", multiple=True, help="Only those of this profile; may be repeated.")
def perft_deals(profiles: tuple[str, ...]) -> None:
    """Write the deals of ``belot perft`` into cases/perft: eight a profile, by which other rules of play are noticed.

    The same rules give the same files. What is not noticed is said.
    """
    from belot_conformance.perft.deals import folder
    from belot_spec.spec import default_spec
    from belot_spec.whole_file import write_whole
    from belot_workshop.recording.perft_deals import perft_json, perft_profiles, perft_text

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
