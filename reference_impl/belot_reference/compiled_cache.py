"""Compiled variants without reading YAML again: a cache beside the user's other caches, keyed by the spec's bytes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from belot_reference.compile import Ruleset, compile_profile
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.catalogue import Text
from belot_spec.data import spec_digest, spec_folder
from belot_spec.spec import Profile, default_spec, load_spec
from belot_spec.variants import Setting

# Grows with every change of the form in which profiles are kept.
_FORMAT: Final = 3


def compiled_variants(spec: Path | None = None, cache: Path | None = None) -> dict[str, Ruleset]:
    """Return every playable variant compiled, from the cache if the spec has not changed since it was written.

    A spec that is not in the cache is loaded and checked as a whole; raises ``SpecError`` if it is faulty. A cache that
    cannot be read or written is done without.
    """
    folder = spec or spec_folder()
    place, name = cache or cache_folder(), f"variants-{_FORMAT}-{spec_digest(folder)[:32]}.json"
    compiled = kept(place, name, lambda stored: {one: compile_profile(_profile(data)) for one, data in stored.items()})
    if compiled is None:
        loaded = default_spec() if spec is None else load_spec(folder)
        profiles = {variant: loaded.profile(variant) for variant in loaded.playable()}
        keep(place, name, {variant: _stored(profile) for variant, profile in profiles.items()})
        compiled = {variant: compile_profile(profile) for variant, profile in profiles.items()}
    return compiled


def _profile(data: Mapping[str, Any]) -> Profile:
    settings = {
        rule: Setting(value, status, tuple(cite), ruling)
        for rule, (value, status, cite, ruling) in data["settings"].items()
    }
    needs = {rule: tuple(needed) for rule, needed in data["needs"].items()}
    return Profile(data["id"], Text(*data["name"]), settings, needs)


def _stored(profile: Profile) -> dict[str, Any]:
    return {
        "id": profile.id,
        "name": [profile.name.en, profile.name.nl],
        "needs": profile.needs,
        "settings": {
            rule: [setting.value, setting.status, setting.cite, setting.ruling]
            for rule, setting in profile.settings.items()
        },
    }
