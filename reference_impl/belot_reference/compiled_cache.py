"""Compiled variants without reading YAML again: a cache beside the user's other caches, keyed by the spec's bytes."""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import Text
from belot_spec.data import spec_digest, spec_folder
from belot_spec.spec import Profile, load_spec
from belot_spec.variants import Setting
from belot_spec.whole_file import keep_whole

_FORMAT: Final = 2


def cache_folder() -> Path:
    """Return the folder of the cache: ``BELOT_CACHE``, or one in the user's cache folder."""
    given = os.environ.get("BELOT_CACHE")
    home = Path(os.environ.get("HOME", tempfile.gettempdir()))
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "belot-conformance"


def compiled_variants(spec: Path | None = None, cache: Path | None = None) -> dict[str, Ruleset]:
    """Return every playable variant compiled, from the cache if the spec has not changed since it was written.

    A spec that is not in the cache is loaded and checked as a whole; raises ``SpecError`` if it is faulty. A cache that
    cannot be read or written is done without.
    """
    folder = spec or spec_folder()
    path = (cache or cache_folder()) / f"variants-{_digest(folder)}.json"
    compiled = _read(path)
    if compiled is None:
        loaded = load_spec(folder)
        profiles = {variant: loaded.profile(variant) for variant in loaded.playable()}
        _write(path, profiles)
        compiled = {variant: compile_profile(profile) for variant, profile in profiles.items()}
    return compiled


def _digest(folder: Path) -> str:
    """Return a digest of every file that the loader reads, and of the form in which profiles are kept."""
    return f"{_FORMAT}-{spec_digest(folder)[:32]}"


def _read(path: Path) -> dict[str, Ruleset] | None:
    try:
        checksum, _, stored = path.read_text(encoding="utf-8").partition("\n")
        if checksum != _checksum(stored):
            return None
        return {variant: compile_profile(_profile(data)) for variant, data in json.loads(stored).items()}
    except (OSError, ValueError):
        return None


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _profile(data: Mapping[str, Any]) -> Profile:
    settings = {
        rule: Setting(value, status, tuple(cite), ruling)
        for rule, (value, status, cite, ruling) in data["settings"].items()
    }
    needs = {rule: tuple(needed) for rule, needed in data["needs"].items()}
    return Profile(data["id"], Text(*data["name"]), settings, needs)


def _write(path: Path, profiles: Mapping[str, Profile]) -> None:
    """Write the cache whole or not at all, so that a reader never sees half of it."""
    stored = {
        variant: {
            "id": profile.id,
            "name": [profile.name.en, profile.name.nl],
            "needs": profile.needs,
            "settings": {
                rule: [setting.value, setting.status, setting.cite, setting.ruling]
                for rule, setting in profile.settings.items()
            },
        }
        for variant, profile in profiles.items()
    }
    text = json.dumps(stored, ensure_ascii=False)
    keep_whole(path, f"{_checksum(text)}\n{text}")
