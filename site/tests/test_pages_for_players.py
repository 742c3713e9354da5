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


def test_recorded_deals_are_drawn_and_their_page_has_a_short_title(pages: Sequence[SitePage], library: Library) -> None:
    recorded = [page for page in pages if page.template == "recorded.md"]
    deals = [page for page in recorded if page.path.startswith("cases/replay/")]
    assert len(deals) == len(library.variants)
    assert all(page.context["stories"] for page in deals)
    assert not [page.title for page in recorded if page.title.endswith(".")]


def test_a_region_has_one_name_wherever_it_is_named(
    pages: Sequence[SitePage], edition: SiteEdition, library: Library
) -> None:
    printer = Printer(edition)
    exemplary = {name[:2] for case in library.cases if case.origin == "source-example" for name in case.statements}
    for path, heading, sources in (
        ("index", r"<h3[^>]*>([^<]+)</h3>", library.spec.sources),
        ("examples/index", r'<li class="tile"><a[^>]*>([^<]+)<', exemplary),
    ):
        text = printer.text_of(next(page for page in pages if page.path == path))
        named = {name.strip() for name in re.findall(heading, text)}
        regions = [edition.text(library.spec.sources[source].region) for source in sources]
        known = {str(escape(region[:1].upper() + region[1:])) for region in regions}
        assert known <= named, path


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


def test_the_steps_of_a_drawn_deal_are_counted_as_people_count(texts: Mapping[str, str]) -> None:
    drawn = [text for text in texts.values() if '<ol class="steps"' in text]
    assert drawn
    assert not any('<ol class="steps" start=' in text for text in drawn)
