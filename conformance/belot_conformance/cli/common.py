"""What the commands share: exit codes, options, and errors as messages."""

import os
import signal
import sys
import traceback
from collections import UserDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import fields
from functools import partial, wraps
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from math import isfinite
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click
from click.core import ParameterSource

from belot_conformance.programs.ending import NOT_ENDED, ToldToEndError, heeding_signals
from belot_spec.errors import BelotError
from belot_spec.languages import FALLBACK, LANGUAGES

if TYPE_CHECKING:
    from belot_conformance.programs.reference import Reference
    from belot_conformance.programs.target import Limits, Target
    from belot_conformance.programs.targets import TargetName
    from belot_conformance.suite.selection import Selection

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOT_STARTED: Final = 3
# All that was asked is right, and rules of the table stay untested.
EXIT_PART: Final = 4
# A fault of ours, as sysexits.h numbers it.
EXIT_SOFTWARE: Final = 70
# What a shell reports of a program that Ctrl-C ended.
EXIT_INTERRUPTED: Final = 130


# The variable that shows where a fault of ours comes from.
TRACEBACK: Final = "BELOT_TRACEBACK"
_LONGEST_FAULT: Final = 300
# Options that went from many commands, and what there is in their place.
_GONE: Final = {
    "--lang": "reports are in English alone; belot spec list, show and compare, and belot play, take it"
    " and tell rules and deals in every language"
}


# The commands of the workshop, which is installed nowhere.
_IN_A_CLONE: Final = ("impact", "lab")


class _Commands(UserDict[str, Any]):
    """Commands by name; one that is given by its place, ``module:name help``, is imported when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        found = super().__getitem__(name)
        if isinstance(found, str):
            module, _, attribute = found.partition(" ")[0].partition(":")
            found = self[name] = getattr(import_module(module), attribute)
        command: click.Command = found
        return command


class LazyGroup(click.Group):
    """A group whose commands are imported when one of them is called, or when its help lists them.

    Where the workshop is installed it adds its own; nothing here depends on it. (An entry point would say the same, and
    reading those of every installed distribution doubles the time of belot --help.) Its help lists the commands in
    ``groups``, each under its title. A command that has ``moved`` is called all the same, and its new name said.
    """

    def __init__(
        self,
        *rest: Any,
        places: Mapping[str, str] | None = None,
        groups: Mapping[str, Sequence[str]] | None = None,
        **given: Any,
    ) -> None:
        super().__init__(*rest, **given)
        self.commands = _Commands({**self.commands, **(places or {})})
        self._groups, self._moved = groups or {}, {}
        if find_spec("belot_workshop"):
            workshop = import_module("belot_workshop.commands")
            self.commands |= workshop.PLACES.get(self.name, {})
            self._moved = workshop.MOVED.get(self.name, {})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, or by the name that it had before."""
        if cmd_name not in self._moved:
            if self.name == "main" and cmd_name in _IN_A_CLONE and cmd_name not in self.commands:
                raise click.UsageError(f"belot {cmd_name} needs a clone of the project", ctx)
            return super().get_command(ctx, cmd_name)
        found = ctx.find_root().command
        for name in self._moved[cmd_name].split():
            assert isinstance(found, click.Group)
            found = found.commands[name]
        complain(f"{ctx.command_path} {cmd_name} is belot {self._moved[cmd_name]} now")
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them, which takes several times as long."""
        assert isinstance(self.commands, _Commands)
        found = {
            name: click.Command(name, help=one.partition(" ")[2]) if isinstance(one, str) else one
            for name, one in self.commands.data.items()
        }
        if not self._groups:
            click.Group(commands=found).format_commands(ctx, formatter)
        room = formatter.width - 6 - max(map(len, found), default=0)
        for title, names in self._groups.items():
            if rows := [(name, found[name].get_short_help_str(room)) for name in names if name in found]:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Belot(LazyGroup):
    """The command ``belot``: whatever goes wrong in it ends with one message and one of the documented exit codes."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **kwargs: Any) -> NoReturn:
        """Run the command and exit."""
        with errors_told():
            _refuse_half_characters(sys.argv[1:] if args is None else args)
            # A command that may take so many seconds of the processor finds when they began.
            found = super().main(args, *rest, **{**kwargs, "standalone_mode": False, "obj": process_time()})
            sys.stdout.flush()
            sys.exit(found if isinstance(found, int) else 0)
        sys.exit(EXIT_USAGE)


def _refuse_half_characters(words: Iterable[str]) -> None:
    """Refuse a word that is no file name anywhere: Click looks for files by it and would break."""
    for word in words:
        try:
            os.fsencode(word)
        except UnicodeEncodeError:
            raise click.UsageError(f"{word!r} holds half a surrogate pair, which is no character") from None


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn the errors that people can mend into one message and exit code 2, and an interrupt into exit code 130.

    Whoever is told to end by a signal ends like one interrupted, with the exit code that a shell gives to that signal.
    Any other exception is a fault of ours, and exit code 70.
    """
    try:
        with heeding_signals():
            yield
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption) and error.option_name in _GONE:
            error = click.UsageError(f"{error.option_name} is gone here: {_GONE[error.option_name]}", error.ctx)
        told = StringIO()
        error.show(told)
        echo(told.getvalue().rstrip("\n"), err=True)
        sys.exit(error.exit_code)
    except BelotError as error:
        complain(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(EXIT_FAILED)
    except (KeyboardInterrupt, click.Abort) as stopped:
        # Click makes an abort of every interrupt; of one that came by a signal, ``heeding_signals`` makes it one again.
        number = stopped.signal if isinstance(stopped, ToldToEndError) else signal.SIGINT
        ending = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
        echo(f"belot: {ending}", err=True)
        sys.exit(128 + number)
    except OSError as error:
        # Whatever is done with a file names it; what is left is printed.
        complain(f"{error.filename or 'the output'}: {error.strerror or error}")
    except Exception as error:
        _own_up(error)
        sys.exit(EXIT_SOFTWARE)
    finally:
        for left in sorted(one.pid for one in NOT_ENDED):
            complain(f"the process {left}, which the program started, could not be ended")
        NOT_ENDED.clear()


def _own_up(error: Exception) -> None:
    """Say that an exception is a fault of ours, where it arose, and to whom to tell it; whence it came if asked to."""
    if os.environ.get(TRACEBACK):
        echo("".join(traceback.format_exception(error)).rstrip("\n"), err=True)
    where = traceback.extract_tb(error.__traceback__)[-1]
    what = "".join(traceback.format_exception_only(error)).strip()[:_LONGEST_FAULT]
    place = f" at {address}" if (address := _tracker()) else " to those who make belot"
    complain(
        f"this is a fault of belot itself, not of your program or your files: {what} "
        f"({Path(where.filename).name}, line {where.lineno})\n"
        f"Please report it{place}, with the command and what it prints when {TRACEBACK}=1 is set."
    )


def _tracker() -> str:
    """Return the address at which faults are reported; "" while the project has none."""
    from importlib import metadata

    try:
        named = metadata.metadata("belot-conformance").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    urls = {label.strip().lower(): url.strip() for label, _, url in (one.partition(",") for one in named)}
    repository = urls.get("repository", "").rstrip("/")
    return urls.get("issues") or (f"{repository}/issues" if repository else "")


class Seconds(click.FloatRange):
    """A time that passes: more than nothing, and not without end."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of seconds; fails for what is none, for infinity and for NaN."""
        found = float(super().convert(value, param, ctx))
        if not isfinite(found):
            self.fail(f"{value} is no time to wait; give seconds, such as 5", param, ctx)
        return found


SECONDS: Final = Seconds(min=0.01)
FORMAT, MARKDOWN_FORMAT = (
    click.option("--format", "form", type=click.Choice(forms), default="text", help="What to print on stdout.")
    for forms in (["text", "json"], ["text", "json", "markdown"])
)
LANGUAGE = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default=FALLBACK, help="Language of the rules."
)
TARGET = click.argument("target", required=False, metavar="reference | http://… | python:MODULE:NAME | -- COMMAND …")
PROFILE = click.option("--profile", help="The rules that the program plays (bela-4+length-counts, house-rules.yaml).")
DEADLINE = click.option("--deadline", type=SECONDS, default=5.0, show_default=True, help="Seconds per answer.")
START = click.option("--start", type=SECONDS, default=10.0, show_default=True, help="Seconds to start.")
PROCESSES = click.option(
    "--jobs", type=click.IntRange(1, 64), default=lambda: min(os.cpu_count() or 1, 64),
    help="Processes of this machine that work; one per core if left out.",
)  # fmt: skip


BRIEF = click.option("--brief", is_flag=True, help="Tell the outcome in short.")


def number_option(
    name: str, words: str, default: int | None = None, least: int = 1, most: int | None = None
) -> Callable[[Any], Any]:
    """Return an option that takes a whole number; its help shows what it is if it is left out."""
    kind = click.IntRange(least, most)
    return click.option(name, type=kind, default=default, show_default=default is not None, help=words)


COPIES = number_option("--copies", "Copies of the program to ask at the same time; as many search.", 1, most=64)
JOBS = number_option("--jobs", "Processes of this machine that work.", 1, most=64)
# The names that options had while they meant two things.
COPIES_NOW: Final = {"--jobs": "--copies"}
SAMPLE_NOW: Final = {"--seed": "--sample-seed"}


def echo(text: str, err: bool = False) -> None:
    """Print a message, made safe for a terminal; what stderr has no room for is lost, and the exit code is not."""
    from belot_conformance.text.printable import message

    with suppress(OSError) if err else nullcontext():
        click.echo(message(text), err=err)


def complain(reason: object) -> None:
    """Say on stderr what is wrong."""
    echo(f"belot: {reason}", err=True)


def echo_json(value: Any, indent: int | None = 2) -> None:
    """Print a value as JSON in which nothing acts on a terminal."""
    from belot_conformance.text.printable import json_text

    click.echo(json_text(value, indent))


def echo_page(text: str) -> None:
    """Print the text of a whole page or picture, which was made safe where it was written."""
    click.echo(text, nl=False)


def tell_page(form: str, tell: Callable[[Any], object], as_json: Callable[[], Any]) -> None:
    """Print what is told to a page: at the terminal as it comes, or as Markdown; or the same as JSON."""
    if form == "json":
        echo_json(as_json())
    elif form == "markdown":
        from belot_conformance.text.markdown import as_markdown

        echo_page(as_markdown(tell))
    else:
        from belot_conformance.text.terminal import TerminalPage

        tell(TerminalPage())


def exit_after_reports(unwritten: Collection[str], code: int) -> NoReturn:
    """Say which reports could not be written, and exit: with 2 if there are any."""
    for message in unwritten:
        complain(message)
    sys.exit(EXIT_USAGE if unwritten else code)


def given_options(context: click.Context, names: Iterable[str]) -> tuple[str, ...]:
    """Return the options among the named parameters that stand on the command line, as words to give them again."""
    words: list[str] = []
    for parameter in context.command.params:
        if parameter.name not in names or context.get_parameter_source(parameter.name) != ParameterSource.COMMANDLINE:
            continue
        value = context.params[parameter.name]
        if value is True:
            words.append(parameter.opts[0])
        else:
            for one in value if parameter.multiple else (value,):
                words += [parameter.opts[0], str(one)]
    return tuple(words)


# The options that make no difference to what is asked.
_TOLD_ONLY: Final = frozenset(("form", "show", "reports", "brief"))


def asked_with_options(context: click.Context) -> dict[str, dict[str, Any]]:
    """Return how a command was given, for its report: every option with its value, and apart those that choose cases.

    An option that is left out has the value that it has then; what is off or empty, and what is only about how it is
    told, does not stand there.
    """
    choosing = {one.name for one in fields(_selection())}
    found: dict[str, dict[str, Any]] = {"options": {}, "selection": {}}
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if not isinstance(parameter, click.Option) or parameter.name in _TOLD_ONLY:
            continue
        if value is None or value is False or value == ():
            continue
        told = [str(one) for one in value] if isinstance(value, tuple) else value
        kind = "selection" if parameter.name in choosing else "options"
        found[kind][parameter.opts[0].removeprefix("--")] = str(told) if isinstance(told, Path) else told
    return found


def _selection() -> "type[Selection]":
    from belot_conformance.suite.selection import Selection

    return Selection


class RenamingCommand(click.Command):
    """A command some of whose options were ``renamed``: the old names are taken all the same, and the new ones said."""

    def __init__(self, *rest: Any, renamed: Mapping[str, str] | None = None, **given: Any) -> None:
        super().__init__(*rest, **given)
        self._renamed = renamed or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the new name in the place of each old one, and say so once."""
        parts = [word.partition("=") for word in args]
        for old in dict.fromkeys(name for name, _, _ in parts if name in self._renamed):
            complain(f"{old} is {self._renamed[old]} now")
        renamed = [self._renamed.get(name, name) + equals + value for name, equals, value in parts]
        return super().parse_args(ctx, renamed)


class TargetCommand(RenamingCommand):
    """A command that takes everything after ``--`` as the command line of the program under test."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the program's command line away before the options are read."""
        if "--" in args:
            place = args.index("--")
            ctx.meta["command"] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


def opened_target(name: "TargetName", limits: "Limits", reference: "Reference", copies: int = 1) -> "Target":
    """Open a target, or so many copies of a program; whoever waits is told what for."""
    from belot_conformance.programs.progress import waiting
    from belot_conformance.programs.targets import JobsTarget, open_target

    if copies == 1:
        with waiting(f"waiting for {name.text} to shake hands, {limits.start:g} s at most"):
            return open_target(name, limits, reference)
    if name.kind not in ("command", "python"):
        raise click.UsageError(f"--copies starts copies of a program, and {name.text} is not one that is started")
    return JobsTarget(partial(open_target, name, limits), copies)


def named_target(context: click.Context, target: str | None) -> "TargetName":
    """Return the target that a `TargetCommand` was called with; raises ``TargetNameError`` if there is none."""
    from belot_conformance.programs.targets import read_target

    return read_target(target, context.meta.get("command"))


def asking_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what every one that asks a program takes; its time limits are handed to it as ``limits``."""

    @click.pass_context
    @wraps(command)
    def wrapped(context: click.Context, /, *, deadline: float, start: float, **given: Any) -> Any:
        from belot_conformance.programs.target import Limits

        return command(context, limits=Limits(start=start, answer=deadline), **given)

    for option in (FORMAT, START, DEADLINE, TARGET):
        wrapped = option(wrapped)
    return wrapped


def _repeated(option: str, kind: str, words: str) -> Callable[[Any], Any]:
    return click.option(option, kind, multiple=True, metavar=kind.removesuffix("s").upper(), help=words)


_OPTIONS: Final = (
    PROFILE,
    _repeated("--operation", "operations", "Only this operation; this option and those below may be repeated."),
    _repeated("--rule", "rules", "Only cases that pin this rule, or one below it (play.void)."),
    _repeated("--consults", "consults", "Only cases whose answer consults this rule, or one below it."),
    _repeated("--statement", "statements", "Only cases from this statement, or a run of them (BL-140..154)."),
    _repeated("--ruling", "rulings", "Only cases that this ruling decides."),
    _repeated("--case", "cases", "Only this case, or cases with such an id (bc-00*)."),
    _repeated("--tag", "tags", "Only cases with this tag."),
    _repeated("--origin", "origins", "Only cases of this origin: source-example, by-hand or derived."),
    click.option(
        "--from",
        "cases_from",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        metavar="FOLDER",
        help="Cases of this folder in place of the suite's: those that belot fuzz --write wrote, say.",
    ),
    click.option("--worked-only", is_flag=True, help="Only answers that somebody worked out, none of the reference's."),
    number_option("--sample", "Only so many, drawn by lot from what fits."),
    click.option(
        "--sample-seed", "seed", type=int, default=0, show_default=True, help="The same seed, the same sample."
    ),
)


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that choose cases, and hand them to it as ``selection``."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        chosen = {field.name: kwargs.pop(field.name) for field in fields(_selection())}
        return command(*args, selection=_selection()(**chosen), **kwargs)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
