"""The command ``belot lab explained-kinds``: what is said of the wrong answers of programs that no rule explains."""

import sys
from collections import Counter
from typing import Final

import click

from belot_conformance.cli.common import EXIT_FAILED
from belot_conformance.mistakes.coded import KINDS
from belot_conformance.mistakes.mutations import load_faults
from belot_conformance.text.terminal import TerminalPage
from belot_workshop.explaining.asking import VERDICTS, Told, ask_kind

# Of all kinds something true is said, and of all kinds "wherever".
_TOLD: Final = 2 / 3
_WHEREVER: Final = 1 / 2


@click.command("explained-kinds")
@click.argument("words", nargs=-1)
def explained_kinds(words: tuple[str, ...]) -> None:
    """Say what the wrong answers of programs share.

    Of two in three something must be said that holds of other questions too, of half "wherever". With WORDS only the
    kinds are asked whose names have them.

    Exit code: 0 if that is so of all kinds, those held out among them, 1 if not.
    """
    page, counts = TerminalPage(), {False: Counter[str](), True: Counter[str]()}
    for kind in KINDS.values():
        if all(word in kind.name for word in words):
            told = max(ask_kind(kind), key=lambda one: VERDICTS.index(one.verdict))
            counts[kind.is_held_out][told.verdict] += 1
            _print(page, told)
    for held_out, found in counts.items():
        listed = ", ".join(f"{verdict} {found[verdict]}" for verdict in reversed(VERDICTS))
        page.line(f"{found.total()} kinds{' held out' if held_out else ''}: {listed}")
    both = counts[False] + counts[True]
    true = both["wherever"] + both["mostly"]
    is_met = true >= _TOLD * both.total() and both["wherever"] >= _WHEREVER * both.total()
    sys.exit(0 if is_met else EXIT_FAILED)


def _print(page: TerminalPage, told: Told) -> None:
    held_out = ", held out" if told.kind.is_held_out else ""
    page.line(f"{told.verdict}: {told.kind.name} ({load_faults()[told.kind.name].variant}, {told.operation}{held_out})")
    if told.shared is None:
        page.line(f"  nothing is said of {told.wrong} wrong answers")
    else:
        page.line(f"  {told.shared.sentence}; of others {told.fresh_wrong} of {told.fresh}; {told.seconds:.2f} s")
