"""The rules as data: of every variant and of each of its options a file, as JSON and as YAML, at its own address."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.page import SitePage
from belot_spec.profile_name import ProfileName
from belot_spec.whole_file import write_whole
from belot_spec.wording import sentence_text

# Below the root of the site, for all languages.
FOLDER: Final = "data"
_SHOWN: Final = 3


def profiles(library: Library) -> dict[str, list[str]]:
    """Return for each variant its profiles: as it stands, and with each option."""
    return {
        variant: [variant, *(ProfileName.of(variant, option) for option in library.spec.options_of(variant))]
        for variant in library.variants
    }


def rules_of(library: Library, name: str) -> dict[str, Any]:
    """Return the rules of a profile: of each its value, what it rests on, and its sentence by language."""
    profile, spec = library.profile(name), library.spec
    return {
        "profile": name,
        "name": profile.name.as_json(),
        "rules": {
            rule: {
                "value": setting.value,
                "status": setting.status,
                "cite": list(setting.cite),
                "ruling": setting.ruling,
                "says": sentence_text(spec.rules[rule], setting.value, spec.glossary, profile.settings).as_json(),
            }
            for rule, setting in profile.settings.items()
        },
    }


def as_yaml(rules: dict[str, Any]) -> str:
    """Return the same as YAML, a rule a line: what JSON writes on one line is YAML as well."""
    head = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in rules.items() if key != "rules")
    lines = (f"  {rule}: {json.dumps(told, ensure_ascii=False)}\n" for rule, told in rules["rules"].items())
    return "".join([*head, "rules:\n", *lines])


def write_rules(library: Library, site: Path) -> None:
    """Write the files into the built site, and a list of them."""
    folder = site / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for names in profiles(library).values():
        for name in names:
            rules = rules_of(library, name)
            write_whole(folder / f"{name}.json", json.dumps(rules, ensure_ascii=False, indent=1) + "\n", durable=False)
            write_whole(folder / f"{name}.yaml", as_yaml(rules), durable=False)
    write_whole(folder / "index.json", json.dumps(profiles(library), indent=1) + "\n", durable=False)


def rules_data_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the page that leads to the files."""
    library = edition.library
    first = rules_of(library, library.variants[0])
    sample = as_yaml({**first, "rules": dict(list(first["rules"].items())[:_SHOWN])})
    context = {"profiles": profiles(library), "folder": FOLDER, "sample": sample}
    lead = edition.word("rules-data-lead")
    yield SitePage("programmers/rules", "rules_data.md", edition.word("rules-data"), context, lead)
