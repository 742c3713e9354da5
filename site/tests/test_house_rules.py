"""The builder of house rules: every value in words, and a file that the loader takes."""

import json
import re
from itertools import product
from pathlib import Path
from urllib.parse import urlencode

from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.house_rules import house_rules_data
from belot_site.playground.bundle import rules_as_json
from belot_site.playground.engine import ruleset_of, use_rules
from belot_spec.languages import Language
from belot_spec.load.worth import variant_worth
from belot_spec.shipped import open_profile
from browser_testing import Page, expect
from site_testing import NEEDS_PYODIDE, BuiltSite, Few


def test_what_a_variant_and_its_options_play_is_told_in_the_words_of_its_page(edition: SiteEdition) -> None:
    found = house_rules_data(edition)
    rules = {rule["id"]: rule for rule in found["rules"]}
    for name, told in found["variants"].items():
        settings = edition.library.profile(name).settings
        assert told["plays"].keys() == {rule for rule in settings if rule in rules}
        for rule, place in told["plays"].items():
            assert rules[rule]["values"][place] == settings[rule].value
            assert found["sentences"][told["told"][rule][place]] == edition.stated(rule, name)
        for option, changed in edition.library.spec.options_of(name).items():
            plays = told["options"][option]["plays"]
            assert {rule: rules[rule]["values"][place] for rule, place in plays.items()} == {
                rule: setting.value for rule, setting in changed.settings.items() if rule in rules
            }


def test_a_rule_is_told_as_it_stands_beside_what_the_table_changed(library: Library) -> None:
    """With belote alone no sentence speaks of declarations any more, and a deal is still "coinchée"."""
    found = house_rules_data(SiteEdition(library, "fr"))
    coinche = found["variants"]["coinche"]
    values = next(rule["values"] for rule in found["rules"] if rule["id"] == "declarations.played")
    beside = coinche["beside"]["declarations.played"][values.index("belote-only")]
    told = {rule: found["sentences"][ways[coinche["plays"][rule]]] for rule, ways in beside.items()}
    assert told["declarations.belote.points"].endswith("(belote) rapportent 20 points.")
    assert told["scoring.fall-passes"].endswith("le camp qui perd une donne coinchée garde lui aussi sa belote.")
    assert not [text for text in told.values() if "annonce" in text]


def test_every_value_has_its_short_words_and_only_a_free_number_may_be_another(library: Library) -> None:
    found = house_rules_data(SiteEdition(library, "nl"))
    for rule in found["rules"]:
        assert len(rule["short"]) == len(rule["values"])
        for number in rule["free"] or ():
            assert library.spec.rules[rule["id"]].allows(number), rule["id"]
    assert {rule["id"] for rule in found["rules"] if rule["free"]} >= {"match.target", "deal.cut-minimum"}


def test_rules_come_as_list_file_and_address(page: Page, site: BuiltSite, library: Library, tmp_path: Path) -> None:
    page.goto(f"{site.url}en/house-rules/?base=belotten")
    page.locator("summary", has_text="The match").click()
    page.get_by_label("The target", exact=True).first.select_option("free")
    page.locator("input[type=number]:visible").fill("51")
    changes = page.locator("#house-changes li")
    expect(changes).to_have_count(1)
    expect(changes).to_contain_text("51")
    assert "match.target=51" in page.url
    text = page.locator("#house-yaml").text_content() or ""
    path = tmp_path / "house-rules.yaml"
    path.write_text(text, encoding="utf-8")
    assert open_profile(str(path), library.spec).value("match.target") == 51
    page.goto(page.url.replace("/en/", "/nl/"))
    expect(page.locator("#house-changes li")).to_contain_text("51")


def test_what_a_change_is_worth_is_told_as_it_was_measured(library: Library) -> None:
    found = house_rules_data(SiteEdition(library, "en"))
    told = found["variants"]["belotten"]["worth"]
    measured = variant_worth(library.spec, "belotten")
    option = next(one for one in measured.fresh() if one.option == "undertrump-forced")
    assert told["options"]["undertrump-forced"] == round(100 * option.share(), 1)
    rules = {rule["id"]: rule["values"] for rule in found["rules"]}
    for rule, shares in told["values"].items():
        for place, share in shares.items():
            one = measured.of_value(rule, rules[rule][place])
            assert one is not None
            figures = one.players["sensible"]
            known = figures.matches if rule in told["matches"] else figures.deals
            assert share == round(100 * (known.value if known else 0), 1)
    assert "match.target" in told["matches"]
    assert not {name for name in told["matches"] if not name.startswith(("match.", "+"))}
    # Other packets deal other cards, so that every deal ends otherwise: that says nothing.
    assert "deal.packets-before-bidding" in told["unnoticed"]


@NEEDS_PYODIDE
def test_the_page_says_what_does_not_go_together_and_what_a_change_is_worth(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/house-rules/?base=belotten&o=undertrump-forced")
    expect(page.locator("#house-check")).to_have_text("These rules go together: this can be played.")
    expect(page.locator("#house-changes .worth")).to_contain_text("in 100 deals")
    packets = json.dumps([3, 3])
    page.goto(f"{site.url}nl/house-rules/?base=belotten&deal.packets-after-bidding={packets}")
    expect(page.locator("#house-check")).to_contain_text("Zo kan niemand spelen")


FIVE = {
    "match.target": "51", "play.void.opponent-winning": '["any"]', "scoring.last-trick": "20",
    "declarations.belote.points": "30", "scoring.sheet-unit": "1",
    # Where a match is so many deals, and king and queen count in a trick.
    "match.deals": "12", "declarations.in-trick.royal-points": "30",
}  # fmt: skip
LEAST_LETTER = 8 * 96 / 72  # eight points, in pixels


def test_house_rules_with_five_changes_are_on_paper_in_letters_that_can_be_read(
    page: Page, site: BuiltSite, library: Library, few: Few
) -> None:
    use_rules(rules_as_json(library.spec))
    for language, base in few(list(product(("en", "nl"), library.variants)), 3):
        profile = library.profile(base).settings
        ours = {rule: value for rule, value in FIVE.items() if rule in profile}
        query = urlencode({"base": base, "name": "De Zwaan", **ours})
        page.goto(f"{site.url}{language}/house-rules/print/?{query}")
        expect(page.locator("main footer")).to_be_visible()
        heads = page.locator("main h1").count()
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == heads <= 2, base
        sizes = page.locator("main li, main footer").evaluate_all(
            "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
        )
        assert min(sizes) >= LEAST_LETTER - 0.01, base
        changed = [rule for rule, value in ours.items() if profile[rule].value != json.loads(value)]
        assert len(changed) >= 4
        expect(page.locator("main li.changed")).to_have_count(len(changed))
        changes = {rule: json.loads(value) for rule, value in ours.items()}
        played = ruleset_of(base, json.dumps(changes)).profile.settings
        rules = [rule for rule in played if library.spec.rules[rule].topic != "presentation"]
        expect(page.locator("main li")).to_have_count(len(rules))
        page.emulate_media(media="print")
        shown = page.locator("body").inner_text()
        assert "De Zwaan" in shown
        assert "▸" in shown
        assert "English" not in shown
        assert "Nederlands" not in shown
        page.emulate_media(media="null")
    page.locator(".other-language").first.click()
    expect(page.locator("main h1").first).to_have_text("De Zwaan")


def test_the_sheets_of_a_french_table_say_what_it_changed_in_its_own_words(page: Page, site: BuiltSite) -> None:
    query = "declarations.played=belote-only&name=Chez+nous"
    page.goto(f"{site.url}fr/try/?tab=sheet&v=coinche&{query}")
    expect(page.locator("#try-sheet-title")).to_have_text("Coinche\u00a0: Chez nous")
    expect(page.locator("#try-sheet-rules")).to_contain_text("belote seule")
    page.goto(f"{site.url}fr/house-rules/print/?base=coinche&{query}")
    expect(page.locator("main")).to_contain_text("Seule la belote rapporte des points")
    expect(page.locator("main")).not_to_contain_text("meilleure annonce")
    page.goto(f"{site.url}fr/house-rules/agreement/?base=coinche&{query}")
    expect(page.locator("h2", has_text="Coincher et surcoincher")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("contrée")
    # What is not chosen is told as it would be played, whole points with the target that they go with.
    page.goto(f"{site.url}nl/house-rules/agreement/?base=belotten&o=half-points")
    expect(page.locator("main")).to_contain_text("De partij gaat tot 100 geschreven punten.")


def test_what_is_ticked_is_said_rule_by_rule_and_on_the_sheet(page: Page, site: BuiltSite, library: Library) -> None:
    page.goto(f"{site.url}nl/house-rules/?base=belotten")
    option = library.spec.options_of("belotten")["undertrump-forced"]
    page.get_by_label(option.title.nl).check()
    for rule in option.settings:
        expect(page.locator("#house-changes")).to_contain_text(library.spec.rules[rule].title.nl)
    page.get_by_role("link", name="Regels afdrukken").click()
    expect(page.locator("header")).to_contain_text(option.title.nl)
    expect(page.locator("li.changed")).to_have_count(len(option.settings))
    page.get_by_role("link", name="Terug naar de pagina").click()
    expect(page.get_by_label(option.title.nl)).to_be_checked()
    # What the table changed itself is said beside it; what is as it was is not.
    page.goto(f"{site.url}nl/house-rules/print/?base=belotten&o={option.id}&match.target=51&scoring.last-trick=10")
    expect(page.locator("header")).to_contain_text(f"{option.title.nl}; De partij gaat tot 51 geschreven punten.")


def test_a_rule_is_found_in_the_words_of_players_and_what_changes_nothing_is_said(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/house-rules/?base=belotten")
    for words, title in {
        "verzaakt": "Vals spelen",
        "en 1000": "De winstgrens",
        "zonder toon": "Met of zonder toon",
    }.items():
        page.locator("#house-find").fill(words)
        expect(page.locator("#house-found label").first).to_have_text(title)
    page.goto(f"{site.url}fr/house-rules/?base=coinche&o=eighty-two")
    page.locator("#house-find").fill("sans annonces")
    expect(page.locator("#house-found label").first).to_have_text("Avec ou sans annonces")
    # A side needs more than the other too, and of 162 points that is 82.
    expect(page.locator("#house-changes .wrong")).to_contain_text("ne change rien")
    page.goto(f'{site.url}fr/house-rules/?base=coinche&declarations.played=belote-only&declarations.modes=["suit"]')
    expect(page.locator("#house-changes .wrong")).to_contain_text(
        "qu'avec un autre choix pour « Avec ou sans annonces »"
    )
    assert "declarations.modes" not in page.url


def test_an_option_is_ticked_when_all_that_it_says_is_chosen_by_hand(
    page: Page, site: BuiltSite, library: Library
) -> None:
    options = library.spec.options_of("belotten")
    settings = options["half-points"].settings
    other = urlencode({rule: json.dumps(one.value) for rule, one in list(settings.items())[1:]})
    page.goto(f"{site.url}nl/house-rules/?base=belotten&name=De+Zwaan&{other}")
    tick = page.get_by_label(options["half-points"].title.nl)
    expect(tick).not_to_be_checked()
    page.evaluate("for (const one of document.querySelectorAll('#house-rules details')) one.open = true")
    rule = next(iter(settings))
    plays = house_rules_data(SiteEdition(library, "nl"))["variants"]["belotten"]["options"]["half-points"]["plays"]
    select = page.locator(f"#rule-{rule.replace('.', '-')}")
    before = select.input_value()
    select.select_option(str(plays[rule]))
    expect(tick).to_be_checked()
    select.select_option(before)
    expect(tick).not_to_be_checked()
    expect(page.locator("#house-yaml")).to_contain_text('name: {en: "De Zwaan", nl: "De Zwaan"}')
    expect(page.locator("#house-file")).to_have_attribute("download", "de-zwaan.yaml")


def test_a_table_is_played_and_its_score_is_kept_in_one_tap(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/house-rules/?base=belotten&name=De+Zwaan&match.target=51")
    for link, tab in (("Speel een spel met deze regels", "deal"), ("Punten bijhouden met deze regels", "sheet")):
        page.get_by_role("link", name=link).click()
        expect(page.get_by_role("tab", selected=True)).to_have_attribute("data-tab", tab)
        expect(page.locator("#try-variant option:checked")).to_have_text("Mijn tafel: De Zwaan")
        page.go_back()


def test_the_choice_of_a_game_begins_near_the_reader(page: Page, site: BuiltSite) -> None:
    for language, first in (("nl", "belotten"), ("en", "bela-4")):
        page.goto(f"{site.url}{language}/house-rules/")
        expect(page.locator("#house-base")).to_have_value(first)
        assert page.locator("#house-base option").first.get_attribute("value") == first
        page.goto(f"{site.url}{language}/try/")
        expect(page.locator("#try-variant")).to_have_value(first)


def test_the_sheet_of_a_table_marks_what_no_source_says(page: Page, site: BuiltSite, library: Library) -> None:
    marks = {"ruled": "°", "filled": "*"}
    for base in ("belote", "bulgarian-belot"):
        profile = library.profile(base).settings
        page.goto(f"{site.url}nl/house-rules/print/?base={base}")
        expect(page.locator("main footer")).to_contain_text("° berust op een lezing")
        shown = page.locator("main li sup").all_inner_texts()
        wanted = [marks.get(one.status, "") for rule, one in profile.items() if not rule.startswith("presentation.")]
        assert sorted(shown) == sorted(filter(None, wanted)), base
    page.goto(f"{site.url}nl/house-rules/print/?base=belotten&play.void.opponent-winning=%5B%22any%22%5D")
    expect(page.locator("main li.changed")).to_have_count(1)
    expect(page.locator("main li.changed sup")).to_have_count(0)


def test_an_own_table_is_a_column_of_the_comparison(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/house-rules/?base=belotten&name=De+Zwaan&match.target=51")
    page.get_by_role("button", name="Onthouden als mijn tafel").click()
    expect(page.locator("#house-said")).to_contain_text("Onthouden")
    # It stands in the place of its game, which is played from then on, and answered by its rules.
    expect(page.locator("#my-variant option:checked")).to_have_text("De Zwaan (Belotten)")
    # Its own rules are what is there to print, wherever the page of a game leads to those of the game.
    for path in ("", "offline/"):
        page.goto(f"{site.url}nl/{path}")
        expect(page.get_by_role("link", name="De Zwaan (Belotten)")).to_be_visible()
        page.get_by_role("link", name="Onze regels om af te drukken").click()
        expect(page.locator("main li.changed")).to_contain_text("51 geschreven punten")
    # Whoever comes back finds it, and no empty table that takes its place unasked.
    page.goto(f"{site.url}nl/house-rules/")
    expect(page.locator("#house-name")).to_have_value("De Zwaan")
    expect(page.locator("#house-changes li")).to_have_count(1)
    page.locator("#house-name").fill("Een andere")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Onthouden als mijn tafel").click()
    page.goto(f"{site.url}nl/try/?tab=may")
    expect(page.locator("#try-variant option:checked")).to_have_text("Mijn tafel: De Zwaan")
    page.goto(f"{site.url}nl/questions/how-far/")
    expect(page.locator(".answer-card.mine .for")).to_have_text("Mijn tafel: De Zwaan")
    expect(page.locator(".answer-card.mine .said")).to_contain_text("tot 51 geschreven punten")
    page.evaluate("localStorage.removeItem('belot-variant')")
    # What the table plays otherwise than its game is there first.
    page.goto(f"{site.url}nl/compare/")
    expect(page.get_by_label("Mijn tafel: De Zwaan")).to_be_checked()
    page.goto(f"{site.url}nl/compare/?v=bela-4")
    page.get_by_label("Mijn tafel: De Zwaan").check()
    assert page.url.endswith("?v=bela-4,own")
    page.goto(f"{site.url}nl/compare/?v=belotten,own")
    expect(page.locator("#match-target td.other:visible")).to_have_text("51")
    page.get_by_label("enkel wat verschilt").check()
    expect(page.locator("#comparison tbody tr:not(.topic):visible")).to_have_count(1)
    page.reload()
    expect(page.locator("#comparison thead th:visible")).to_have_count(3)


def test_a_table_agrees_on_one_sheet_on_all_that_options_change(page: Page, site: BuiltSite, library: Library) -> None:
    language: Language = "nl"
    page.goto(f"{site.url}{language}/house-rules/?base=contree&name=De+Zwaan&match.target=1000")
    options = library.spec.options_of("contree")
    page.get_by_label(options["redouble-three"].title.in_language(language)).check()
    page.locator("#house-agree").click()
    expect(page.locator("h1").first).to_have_text("De Zwaan")
    rules = {rule for option in options.values() for rule in option.settings} | {"match.target"}
    expect(page.locator("section.agreed")).to_have_count(len(rules))
    chosen = page.locator(".chosen")
    expect(chosen).to_have_count(len(rules))
    plays = library.profile("contree+redouble-three").settings["bidding.raises"].value
    told = SiteEdition(library, language).sentence_with("bidding.raises", plays, library.profile("contree"))
    assert any(told in text for text in chosen.all_inner_texts())
    assert any("1000" in text for text in chosen.all_inner_texts())
    expect(page.locator(".signing span")).to_have_count(6)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == page.locator("h1").count()


def test_every_variant_agrees_on_one_sheet(page: Page, site: BuiltSite, library: Library, few: Few) -> None:
    for base in few(library.variants, 3):
        page.goto(f"{site.url}nl/house-rules/agreement/?base={base}")
        expect(page.locator(".chosen").first).to_be_visible()
        heads = page.locator("main h1").count()
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == heads <= 2, base
