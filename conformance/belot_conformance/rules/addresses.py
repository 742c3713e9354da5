"""Where the site tells of a rule, a statement or a ruling: addresses from the root of a language, the same in each."""

import re


def rule_path(rule: str) -> str:
    """Return the address of a rule's page."""
    return f"rules/{rule}/"


def statement_path(statement: str) -> str:
    """Return the address of a statement, or of the first of a run."""
    first = statement.split("..")[0]
    return f"sources/{first[:2].lower()}/#{first.lower()}"


def ruling_path(ruling: str) -> str:
    """Return the address of a ruling with its anchor."""
    return f"rulings/{ruling_group(ruling)}/#{anchor(ruling)}"


def ruling_group(ruling: str) -> str:
    """Return the page on which a ruling stands: what comes before the dash, and for the principles the letter P."""
    return ruling.partition("-")[0].lower() if "-" in ruling else ruling[0].lower()


def anchor(name: str) -> str:
    """Return the anchor of a name: in lower case, dots as dashes, so that it is the same in every language."""
    return re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")
