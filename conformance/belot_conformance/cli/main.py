"""The command ``belot``, and where each of its commands is."""

from typing import Final

import click

from belot_conformance.cli.common import Belot

_PLACES: Final = {
    **{name: f"belot_conformance.cli.{name}:{name}" for name in (
        "adapter", "answer", "audit", "cases", "check", "fuzz", "identify", "perft", "report", "spec",
    )},
    **{name: f"belot_conformance.cli.show:{name}" for name in ("baselines", "mistakes", "play")},
    "smoke": "belot_conformance.cli.adapter:smoke",
}  # fmt: skip
# How --help lists them.
_GROUPS: Final = {
    "Read the rules": ("spec", "play", "cases"),
    "Check a program": ("adapter", "smoke", "check", "report", "identify", "fuzz", "audit"),
    "Explore": ("perft", "impact", "mistakes", "baselines", "answer"),
    "Keep the rules": ("lab",),
}


@click.group(cls=Belot, places=_PLACES, groups=_GROUPS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-conformance", prog_name="belot")
def main() -> None:
    """Rules of belot as data, and a conformance suite for any belot program."""
