import pytest

from belot_site.edition import Edition
from belot_site.library import Library


@pytest.fixture(scope="session")
def library() -> Library:
    return Library()


@pytest.fixture(scope="session", params=["en", "nl"])
def edition(library: Library, request: pytest.FixtureRequest) -> Edition:
    return Edition(library, request.param)
