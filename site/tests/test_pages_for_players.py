"""What players are shown: their own words, what decides, and no notation that only a program needs."""

import re
from collections.abc import Mapping, Sequence

from markupsafe import escape

from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.page import Printer, SitePage
from belot_site.pictures.positions import position


def test_the_sheet_to_print_shows_the_cards_and_names_each_choice(
    pages: Sequence[SitePage], texts: Mapping[str, str], edition: SiteEdition
) -> None:
    sheets = [page for page in pages if page.template == "variant_print.md"]
    assert len(sheets) == len(edition.library.variants)
    for page in sheets:
        context, text = page.context, texts[page.path]
        assert text.count('<svg class="card"') == len(context["profile"].value("deck.trump-order")) * len(
            ("trump", "plain")
        )
        boxes = re.findall(r"<li>([^<]*?)(?:&NoBreak;<sup>[°*†]</sup>)?</li>", text.partition('<ul class="boxes">')[2])
        told = [box for box in boxes if ": " in box]
        assert boxes
        assert all(box.partition(": ")[2] for box in told)
        options = {str(escape(edition.text(option.title))) for option in context["options"].values()}
        assert {box for box in boxes if ": " not in box} <= options


def test_a_claim_is_drawn_with_the_score_that_it_hangs_on(edition: SiteEdition, library: Library) -> None:
    claims = [case for case in library.cases if case.operation == "replay" and any(case.input.get("totals", ()))]
    assert "bc-0239" in {case.id for case in claims}
    for case in (case for case in claims if case.origin != "derived"):
        drawn = position(case, edition).figure
        before = drawn[: drawn.index("<ol")] if "<ol" in drawn else drawn
        assert all(re.search(rf": {total}\b", before) for total in case.input["totals"]), case.id


def test_pages_for_players_show_no_name_that_only_a_program_needs(texts: Mapping[str, str], library: Library) -> None:
    options = {option for name in library.variants for option in library.spec.options_of(name)}
    for path, whole in texts.items():
        text = re.sub(r"<details.*?</details>", "", whole, flags=re.DOTALL)
        assert [option for option in options if f"+{option}" in text] == [], path
        assert re.findall(r"\[\w+_\w+[^\]]*\]|\b(?:[Ss]eats?|[Pp]laats(?:en)?) \d", text) == [], path


def test_pages_of_a_variant_say_what_its_players_say(
    pages: Sequence[SitePage], edition: SiteEdition, library: Library
) -> None:
    printer, common = Printer(edition), library.spec.glossary.terms["belote"][edition.language]
    names = "|".join(re.escape(edition.variant_name(name)) for name in library.variants)
    other_words = re.compile(r'<dl class="words">.*?</dl>|<code>.*?</code>|<[^>]*>|{:.*?}' + f"|{names}", re.DOTALL)
    seen = 0
    for page in pages:
        if (
            page.path.startswith("variants/")
            and page.profile
            and library.profile(page.profile).value("presentation.king-and-queen") == "bela"
        ):
            seen += 1
            told = other_words.sub("", printer.text_of(page).partition("---\n\n")[2])
            assert not re.search(rf"\b{common}\b", told, re.IGNORECASE), page.path
            # The game that is called Belote keeps its name, also where bela is spoken of.
            assert '/variants/belote/">Bela<' not in told
    assert seen > 4 * len(("page", "print", "learn", "questions"))


def test_every_rule_can_be_tried(texts: Mapping[str, str], library: Library) -> None:
    tabs = {rule: set(re.findall(r"try/\?tab=(\w+)\"", texts[f"rules/{rule}"])) for rule in library.spec.rules}
    assert all(len(found) == 1 for found in tabs.values())
    assert {found for some in tabs.values() for found in some} == {"may", "best", "sheet", "deal"}
