"""What the commands share: exit codes, options, and errors as messages."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import click

from belot_reference.errors import BelotError

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOT_STARTED: Final = 3

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def errors_as_messages(command: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Turn the errors that people can mend into one message and exit code 2."""

    @wraps(command)
    def wrapped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        try:
            return command(*args, **kwargs)
        except BelotError as error:
            click.echo(f"belot: {error}", err=True)
        except BrokenPipeError:
            sys.exit(EXIT_FAILED)
        except OSError as error:
            click.echo(f"belot: {error.filename or 'a file'}: {error.strerror}", err=True)
        sys.exit(EXIT_USAGE)

    return wrapped


FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="What to print on stdout."
)
LANGUAGE = click.option(
    "--lang", "language", type=click.Choice(["en", "nl"]), default="en", help="Language of titles and rules."
)
