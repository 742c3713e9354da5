"""Where the project can be had: said once in pyproject.toml, and written from there into every page that says so.

Nobody has to know an address: while there is none, each page says what works without.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from belot_spec.data import data_folder
from belot_spec.errors import BelotError, nearest
from belot_spec.files import read_text
from belot_spec.whole_file import write_whole

# The files that hold passages, from the folder of the project.
PAGES: Final = (
    "README.md",
    "conformance/docs/ci.md",
    "conformance/docs/quick-start.md",
    "conformance/docs/reading.md",
    "conformance/examples/ci/belot.yml",
)
# A passage stands between two comments, of Markdown or of YAML.
_PASSAGE: Final = re.compile(
    r"(?P<start>(?:<!--|#) address: (?P<name>[\w-]+)(?: -->)?(?P<line>\n?))(?P<text>.*?)(?P<end>[ ]*(?:<!--|#) end\b)",
    re.DOTALL,
)


class AddressError(BelotError):
    """A page has a passage about the address that nobody can fill in."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the project is: the address of its repository and of its site, ``""`` while there is none; its version."""

    repository: str
    site: str
    version: str

    @classmethod
    def of(cls, pyproject: str) -> "Address":
        """Return what a pyproject.toml says: ``Repository`` and ``Documentation`` of ``[project.urls]``."""
        project = tomllib.loads(pyproject)["project"]
        urls = project.get("urls", {})
        return cls(urls.get("Repository", "").rstrip("/"), urls.get("Documentation", ""), project["version"])

    @property
    def wheel(self) -> str:
        """The file that ``make wheel`` builds."""
        return f"belot_conformance-{self.version}-py3-none-any.whl"

    @property
    def requirement(self) -> str:
        """What pip installs this version from: the tag in the repository, or the wheel in the folder."""
        if self.repository:
            return f"belot-conformance @ git+{self.repository}@v{self.version}"
        return f"./{self.wheel}"


def address() -> Address:
    """Return where this project is; an installed package knows of none."""
    path = data_folder() / "pyproject.toml"
    return Address.of(read_text(path)) if path.is_file() else Address("", "", "")


def _install(place: Address) -> str:
    where = f'"{place.requirement}"' if place.repository else "./belot-conformance"
    comment = "" if place.repository else f"     # beside your clone of the project; or the wheel: {place.wheel}"
    return f"```console\n$ python3 -m venv .venv && . .venv/bin/activate\n$ pip install {where}{comment}\n```\n"


def _start(place: Address) -> str:
    where = f'"{place.requirement}"' if place.repository else place.requirement
    first = "$ python3 -m venv .venv && . .venv/bin/activate\n"
    return f"```console\n{first}$ pip install {where}\n$ belot check reference\n```\n"


def _site(place: Address) -> str:
    if place.site:
        return f"[the site]({place.site}), in Dutch, English and French"
    return "the site, in Dutch, English and French: type `make serve` in the project's folder, then open http://127.0.0.1:8000"


def _version(place: Address) -> str:
    if place.repository:
        return f"It names a version, by its tag in the repository: `{place.requirement}`.\n"
    return (
        f"It names a version: the wheel `{place.wheel}`, which the site has at the top of its quick\n"
        "start, and `make wheel` builds in a clone of this project. Put it beside your program.\n"
    )


def _of_workflow(place: Address) -> str:
    said = "a version, so that a new one never surprises you" if place.repository else "a wheel beside this program"
    return f'  BELOT: "{place.requirement}"  # {said}\n'


_TEXTS: Final[Mapping[str, Callable[[Address], str]]] = {
    "install": _install,
    "start": _start,
    "site": _site,
    "version": _version,
    "workflow": _of_workflow,
}


def filled_in(text: str, place: Address) -> str:
    """Return a page with each of its passages as it is for an address; raises ``AddressError`` for an unknown one."""

    def passage(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in _TEXTS:
            raise AddressError(f"there is no passage {name!r} about the address{nearest(name, _TEXTS)}")
        return found["start"] + _TEXTS[name](place) + found["end"].lstrip("\n")

    return _PASSAGE.sub(passage, text)


def write_addresses(root: Path, place: Address) -> list[str]:
    """Fill in every page below a folder, and return those that changed."""
    changed = []
    for page in PAGES:
        text = read_text(root / page)
        if (new := filled_in(text, place)) != text:
            write_whole(root / page, new, durable=False)
            changed.append(page)
    return changed
