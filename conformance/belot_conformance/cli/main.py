"""The command ``belot``, and where each of its commands is."""

from typing import Final

import click

from belot_conformance.cli.common import Belot, echo

# Each with what it is, for --help: to import them all takes several times as long.
_PLACES: Final = {
    "adapter": "belot_conformance.cli.adapter:adapter Begin an adapter, the program by which belot asks your engine.",
    "answer": "belot_conformance.cli.answer:answer Serve the reference engine as a program, right or mistaken.",
    "audit": "belot_conformance.cli.audit:audit Judge recorded deals and matches: no adapter, only a log.",
    "baselines": "belot_conformance.cli.show:baselines Score programs that know nothing, to hold a score against.",
    "cases": "belot_conformance.cli.cases:cases Look at the cases: questions with their right answers.",
    "check": "belot_conformance.cli.check:check Put the cases to a program and say what is wrong with it.",
    "fuzz": "belot_conformance.cli.fuzz:fuzz Put random questions to a program, and show what goes wrong.",
    "identify": "belot_conformance.cli.identify:identify Search for the rules that a program plays.",
    "mistakes": "belot_conformance.cli.show:mistakes List the common mistakes, which belot answer can make.",
    "notation": "belot_conformance.cli.show:notation Check deals and matches in the notation, and write them anew.",
    "perft": "belot_conformance.cli.perft:perft Count sequences of legal cards, to compare with a program's.",
    "play": "belot_conformance.cli.show:play Play a deal, and say which rule forced a choice.",
    "report": "belot_conformance.cli.report:report Look at reports that belot check wrote.",
    "smoke": "belot_conformance.cli.adapter:smoke Try the handshake and one easy question of each operation.",
    "spec": "belot_conformance.cli.spec:spec Look at the rules.",
}
# So many digits tell one edition of the rules from another.
_DIGEST: Final = 12
# How --help lists them.
_GROUPS: Final = {
    "Read the rules": ("spec", "play", "notation", "cases"),
    "Check a program": ("adapter", "smoke", "check", "report", "identify", "fuzz", "audit"),
    "Explore": ("perft", "impact", "mistakes", "baselines", "answer"),
    "Keep the rules": ("lab",),
}


def _tell_versions(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Say which suite, rules and protocol these are, and exit."""
    if not asked or context.resilient_parsing:
        return
    from belot_conformance.programs.protocol import PROTOCOL_VERSION, suite_version
    from belot_spec.data import spec_digest, spec_folder

    echo(f"belot {suite_version()}, rules {spec_digest(spec_folder())[:_DIGEST]}, protocol {PROTOCOL_VERSION}")
    context.exit()


@click.group(cls=Belot, places=_PLACES, groups=_GROUPS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_versions, help="Show the versions."
)
def main() -> None:
    """Rules of belot as data, and a conformance suite for any belot program.

    To check a program: belot adapter new, belot adapter try, belot check. Each says with --help what it takes.
    """
