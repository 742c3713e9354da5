"""A program that answers at once: right answers from a table made before, or every line back as it came.

Started as ``python instant_program.py TABLE``, or with ``echo`` for TABLE. It uses the standard library only
and imports nothing of this package, so that it starts and answers as fast as Python can.
"""

import sys

ID_STARTS = len(b'{"id":"')


def main() -> None:
    """Answer line by line, as programs do, until stdin closes."""
    table = {} if sys.argv[1] == "echo" else read_table(sys.argv[1])
    replies = sys.stdout.buffer
    for line in sys.stdin.buffer:
        replies.write(table[id_of(line)] if table else line)
        replies.flush()


def id_of(line: bytes) -> bytes:
    """Return the id of a request as this suite writes it, with the id first."""
    return line[ID_STARTS : line.index(b'"', ID_STARTS)]


def read_table(path: str) -> dict[bytes, bytes]:
    """Return the replies of a file, one a line, by their ids; that to ``hello`` among them."""
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs more time than the program takes to start
        return {id_of(line): line for line in file}


if __name__ == "__main__":
    main()
