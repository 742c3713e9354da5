"""The command ``belot``, and where each of its commands is."""

from typing import Final

import click

from belot_conformance.cli.common import Belot, echo

_PLACES: Final = {
    **{name: f"belot_conformance.cli.{name}:{name}" for name in (
        "adapter", "answer", "audit", "cases", "check", "fuzz", "identify", "perft", "report", "spec",
    )},
    **{name: f"belot_conformance.cli.show:{name}" for name in ("baselines", "mistakes", "notation", "play")},
    "smoke": "belot_conformance.cli.adapter:smoke",
}  # fmt: skip
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
