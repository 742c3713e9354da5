"""What the site keeps on a device, so that a quarrel can be settled where there is no network."""

import hashlib
import json
from pathlib import Path
from typing import Final

from belot_site.content.library import SITE_FOLDER
from belot_site.playground.bundle import FOLDER, engine_files
from belot_spec.files import MAX_OF_OURS, read_bytes, read_text
from belot_spec.languages import LANGUAGES, Language
from belot_spec.whole_file import write_whole

# Below the folder of a language: every question, lesson and sheet, with the pages that lead there and what they load.
_KEPT: Final = (
    "index.html", "questions/**/index.html", "variants/index.html", "variants/*/index.html",
    "variants/*/learn/index.html", "variants/*/print/index.html", "variants/*/questions/index.html",
    "try/index.html", "try/data.json", "house-rules/**/index.html", "house-rules/data.json", "compare/index.html",
    "glossary/index.html", "search/search_index.json", "search-words.json", "mine/*.json",
    "assets/*.*", "assets/try/*.js", "assets/stylesheets/*.css", "assets/javascripts/*.js",
    "assets/javascripts/workers/*.js", "assets/javascripts/lunr/min/lunr.stemmer.support.min.js",
)  # fmt: skip


def write_service_worker(site: Path, engine: str) -> None:
    """Write which files of each language are kept, and the worker that keeps them and an engine of this version."""
    version = hashlib.sha256()
    for language in LANGUAGES:
        files = _files(site / language, language)
        for path in files:
            version.update(read_bytes(site / language / path, MAX_OF_OURS))
        addresses = [path.removesuffix("index.html") for path in files]
        write_whole(site / FOLDER / f"offline-{language}.json", json.dumps(addresses) + "\n", durable=False)
    text = read_text(SITE_FOLDER / "playground" / "service-worker.js")
    text = (
        text.replace("{languages}", json.dumps(LANGUAGES))
        .replace("{files}", json.dumps(engine_files()))
        .replace("{engine}", engine)
        .replace("{pages}", version.hexdigest()[:16])
    )
    write_whole(site / "service-worker.js", text, durable=False)


def _files(folder: Path, language: Language) -> list[str]:
    patterns = (*_KEPT, f"assets/javascripts/lunr/min/lunr.{language}.min.js")
    return sorted({path.relative_to(folder).as_posix() for pattern in patterns for path in folder.glob(pattern)})
