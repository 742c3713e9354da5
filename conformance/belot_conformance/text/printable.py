"""Texts that came from elsewhere, so that nothing acts on them."""


def printable(text: str) -> str:
    """Write out every character that a terminal would act on or a file could not hold."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
