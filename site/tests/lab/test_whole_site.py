"""Every page, width, language and variant of which site/tests looks at a few; and the site built a second time."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from belot_site.output.build import start_mkdocs
from site_testing import BuiltSite

# The same tests; here `few` leaves them all.
from tests.test_ask_anything import (  # noqa: F401
    test_a_case_of_each_operation_is_answered_before_the_engine_comes_and_again_when_a_number_is_changed,
    test_asking_anything_is_usable_by_everybody,
)
from tests.test_house_rules import (  # noqa: F401
    test_every_variant_agrees_on_one_sheet,
    test_house_rules_with_five_changes_are_on_paper_in_letters_that_can_be_read,
)
from tests.test_in_browser import (  # noqa: F401
    test_after_one_visit_every_question_lesson_and_sheet_is_there_and_a_score_is_kept_without_a_network,
    test_each_kind_of_page_is_usable_and_asks_no_others,
    test_every_tab_fits_the_narrowest_phone_in_one_row,
    test_nothing_jumps_while_a_page_of_tools_loads,
    test_pages_can_be_read_without_javascript,
    test_the_language_switch_stays_on_the_page_and_the_place,
    test_the_sheet_of_each_variant_is_a4_and_what_has_no_room_has_a_head_too,
    test_the_start_page_leads_to_the_language_of_the_browser,
)
from tests.test_in_languages import (  # noqa: F401
    test_pages_in_french_can_be_used_by_everybody,
    test_pages_in_three_languages_fit_every_screen,
)
from tests.test_score_sheet import test_each_tab_is_usable_on_a_phone_with_everything_opened  # noqa: F401
from tests.test_search import test_natural_queries_find_the_right_page_and_tools_and_tasks_first  # noqa: F401

GENERATE = """
import sys
from pathlib import Path
from belot_site.output.build import generate
dict(generate(Path(sys.argv[1])))
"""
STALE = Path("en/rules/stale.md")


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def generated_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let a process whose sets have another order generate the pages where an older one lay; return the folder."""
    folder = tmp_path_factory.mktemp("again")
    stale = folder / "docs" / STALE
    stale.parent.mkdir(parents=True)
    stale.write_text("# Stale\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-c", GENERATE, folder / "docs"], env=os.environ | {"PYTHONHASHSEED": "0"}, check=True
    )
    return folder


def test_twice_the_same_byte_for_byte(site: BuiltSite, generated_again: Path) -> None:
    assert digests(generated_again / "docs") == digests(site.folder.parent / "docs")
    # Both languages go through the same mkdocs.
    process = start_mkdocs(generated_again, "nl")
    said, _ = process.communicate()
    assert process.returncode == 0, said
    assert digests(generated_again / "site" / "nl") == digests(site.folder / "nl")


def test_generating_again_leaves_nothing_of_before(generated_again: Path) -> None:
    assert not (generated_again / "docs" / STALE).exists()
