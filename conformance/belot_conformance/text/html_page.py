"""What the pages of this project share: templates, styles and scripts out of a folder, and a policy that names them."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from belot_conformance.text.drawn import bilingual, of_text
from belot_spec.files import read_text


def environment(package: str, folder: str) -> Environment:
    """Return the templates in a folder of a package, which can call ``t(en, nl)`` and ``text(bilingual)``."""
    found = Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    found.globals.update(t=bilingual, text=of_text)
    return found


def asset(package: str, folder: str, name: str) -> str:
    """Return a file in a folder of a package as text."""
    return read_text(Path(str(files(package).joinpath(folder, name))))


def policy_hash(text: str) -> str:
    """Return the digest by which a page's own policy knows a script or style that may work in it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
