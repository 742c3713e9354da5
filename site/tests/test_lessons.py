"""The lesson of each variant: an ordinary deal, told card by card by the rules, and counted as the engine counts."""

import re
from pathlib import Path
from random import Random

import pytest
from markupsafe import escape

from belot_conformance.logs.played import tell
from belot_conformance.questions.deals import random_deal
from belot_reference.bids import mode_of_bid
from belot_reference.cards import NO_CARDS, ONLY, cards_in
from belot_reference.operations import answer
from belot_reference.simulated import worth_of
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.lessons import (
    LESSON_DEALS,
    LessonDeals,
    LessonError,
    best_lesson,
    chart,
    gist,
    has_much_to_learn,
    is_doubled_fall,
    is_natural,
    is_plain_fall,
    lesson_deal,
    lesson_deals,
    lesson_pages,
    lesson_texts,
    margin,
    said_aloud,
    table_from_above,
    taken_with,
    takers,
    takers_by_worth,
    write_lessons,
)
from belot_site.pages.page import Printer
from belot_site.pages.variants import variant_pages
from belot_site.pictures.story import Story, cards_of, reason
from belot_spec.errors import UnknownNameError
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.languages import COMPLETE, LANGUAGES, Language

# In card points between what the taker has and what all others have together.
CLOSE = 24
WORDS, GIST, WORTH = 1500, 3, 45
NO_BREAK = "\u00a0"
A_TEN = 10


def test_every_variant_has_a_lesson(library: Library) -> None:
    assert lesson_deals().keys() == set(library.variants)


def test_a_variant_without_a_lesson_is_a_message(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("belot_site.pages.lessons.lesson_deals", lambda: {})
    with pytest.raises(LessonError, match=r"the variant belotten has no lesson yet; .*lessons belotten$"):
        lesson_deal(SiteEdition(library, "en"), "belotten")


def test_the_deals_of_one_lesson_are_chosen_anew_and_the_others_stay(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = read_json(LESSON_DEALS, MAX_OF_OURS)
    (tmp_path / "deals.json").write_bytes(LESSON_DEALS.read_bytes())
    monkeypatch.setattr("belot_site.pages.lessons.LESSON_DEALS", tmp_path / "deals.json")
    monkeypatch.setattr("belot_site.pages.lessons.best_lesson", lambda _: LessonDeals({}, {}))
    write_lessons(library, ["bela-2"], str)
    written = read_json(tmp_path / "deals.json", MAX_OF_OURS)
    assert written.pop("bela-2") == {"stories": {}, "takers": {}}
    assert written == {name: deals for name, deals in kept.items() if name != "bela-2"}
    with pytest.raises(UnknownNameError, match="no variant bela-5 to teach; did you mean bela-4"):
        write_lessons(library, ["bela-5"], str)


def test_the_deal_of_a_lesson_is_ordinary_and_made_by_a_little(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant in library.variants:
        deal = lesson_deal(edition, variant)
        assert is_natural(deal), variant
        assert 0 <= margin(deal) <= CLOSE, variant


def test_the_count_of_a_lesson_is_that_of_the_engine(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant, deals in lesson_deals().items():
        told = [(question, lesson_deal(edition, variant, which)) for which, question in deals.stories.items()]
        for question, deal in told:
            result = answer("replay", library.reference.ruleset(variant), question).result
            assert result is not None
            assert list(deal.count.settlement.written) == result["written"]
            assert [(trick.winner, trick.points) for trick in deal.tricks] == [
                (trick["winner"], trick["points"]) for trick in result["tricks"]
            ]


def test_the_count_of_a_lesson_says_how_its_figures_are_rounded(edition: SiteEdition) -> None:
    for variant, profile in ((name, edition.library.profile(name)) for name in edition.variants):
        told = Story(lesson_deal(edition, variant), edition).count
        assert edition.word("row-written") in told
        if "scoring.rounding" in profile.settings:
            assert f"({edition.short('scoring.rounding', profile.value('scoring.rounding'))})" in told, variant


def test_the_last_deal_of_a_lesson_falls_by_a_little_and_is_doubled_where_that_is_bid(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant in library.variants:
        *_, last = lesson_deals()[variant].stories
        deal = lesson_deal(edition, variant, last)
        assert is_doubled_fall(deal) if "bidding.raises" in deal.rules.profile.settings else is_plain_fall(deal), (
            variant
        )
        assert abs(margin(deal)) <= CLOSE, variant


def test_every_card_of_a_lesson_has_its_reason_and_every_rule_that_binds_its_sentence_once(
    edition: SiteEdition,
) -> None:
    for variant in edition.library.variants:
        deal = lesson_deal(edition, variant)
        whys = [why for trick in Story(deal, edition).tricks for why in trick.whys]
        assert len(whys) == sum(len(trick.plays) for trick in deal.tricks)
        told = [rule for why in whys for rule in why.rules]
        binding = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
        assert sorted(told) == sorted((rule, edition.stated(rule, variant)) for rule in binding)


def test_a_card_is_called_the_last_only_if_no_other_comes_up_from_under_it(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant in library.variants:
        tricks = list(Story(lesson_deal(edition, variant), edition).tricks)
        last = [edition.word("why-last") in why.did for trick in tricks for why in trick.whys]
        assert not any(last[: -library.profile(variant).value("deal.players")]), variant


def test_no_card_is_called_cheap_that_is_not(library: Library) -> None:
    """Recorded deals are told like lessons, and their players play any card that is allowed."""
    rules, random, found = library.reference.ruleset("belotten"), Random(1), set()
    played = [deal for deal in (random_deal(rules, random) for _ in range(40)) if deal.state.ended == "played"]
    for deal in (tell(rules, 0, one.question) for one in played):
        seen = NO_CARDS
        for trick in deal.tricks:
            for play in trick.plays:
                points = {card: rules.points_of(deal.contract.mode, ONLY[card]) for card in cards_in(play.legal)}
                why = reason(deal, trick, play, seen)
                found.add(why)
                assert why != "cannot" or points[play.card] == min(points.values())
                assert why != "low" or points[play.card] < A_TEN
            seen |= cards_of(trick)
    assert found >= {"cannot", "loses", "low", "beatable"}


def test_a_declaration_is_told_in_the_order_of_a_sequence(library: Library) -> None:
    edition = SiteEdition(library, "en")
    [announced] = [
        why.did for trick in Story(lesson_deal(edition, "belotten"), edition).tricks for why in trick.whys
        if "announces" in why.did
    ]  # fmt: skip
    assert announced.endswith("announces Q♥ J♥ 10♥ 9♥ (50 points)")


def test_whoever_has_to_speak_twice_says_belote_and_then_rebelote(edition: SiteEdition) -> None:
    for variant in edition.library.variants:
        deal = lesson_deal(edition, variant)
        told = "; ".join(why.did for trick in Story(deal, edition).tricks for why in trick.whys)
        said = [told.count(edition.at(variant).word(word)) for word in ("does-belote", "does-rebelote")]
        twice = deal.rules.value("declarations.belote.calls") == "both-cards"
        assert said == [1, int(twice)], variant


def words_of(text: str) -> list[str]:
    """Return the words of a page as its reader meets them: those in pictures are read to those who cannot see them."""
    body = re.sub(r"(?s)^---.*?---\n|<svg\b.*?</svg>|\{:[^}]*\}|<[^>]+>", " ", text)
    return [word for word in body.split() if re.search(r"\w", word)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_takes_ten_minutes_and_begins_with_its_gist(library: Library, language: Language) -> None:
    edition = SiteEdition(library, language)
    printer = Printer(edition)
    for page in lesson_pages(edition):
        text = printer.text_of(page).replace(NO_BREAK, " ")
        variant = page.path.split("/")[1]
        sentences = list(gist(edition.at(variant), variant))
        assert len(sentences) == GIST
        assert all(one.endswith(".") for one in sentences)
        assert str(escape(" ".join(sentences))) in text.partition('class="lead gist"')[2].split("</p>")[0]
        assert len(words_of(text)) <= WORDS, page.path


@pytest.mark.parametrize(
    ("variant", "word"), [("contree", '<span lang="fr">couper'), ("bulgarian-belot", '<span lang="bg">взятка')]
)
def test_the_words_of_a_lesson_stand_beside_those_that_are_said_at_the_table(
    edition: SiteEdition, variant: str, word: str
) -> None:
    [page] = (one for one in lesson_pages(edition) if one.profile == variant)
    assert word in Printer(edition).text_of(page)


def test_where_cards_have_values_of_their_own_the_lesson_and_the_rules_show_them(edition: SiteEdition) -> None:
    printer = Printer(edition)
    for page in (*lesson_pages(edition), *variant_pages(edition)):
        if page.template not in ("learn.md", "variant.md"):
            continue
        text, settings = printer.text_of(page), edition.library.profile(page.profile).settings
        for kind in ("no-trump", "all-trump"):
            has_own = f"scoring.{kind}-points" in settings
            assert (f'id="cards-{kind}"' in text) == has_own, page.path
            # Elsewhere the two rows that are shown hold for these contracts too.
            assert not has_own or edition.word(f"order-note-{kind}s") not in text, page.path


def test_what_is_finer_is_left_out_only_where_there_is_much_to_learn(edition: SiteEdition) -> None:
    much = [variant for variant in edition.library.variants if has_much_to_learn(edition, variant)]
    assert much
    finer = {rule for part in lesson_texts()["parts"].values() for rule in part.get("finer", ())}
    for page in lesson_pages(edition):
        settings = edition.library.profile(page.profile).settings
        text = Printer(edition).text_of(page)
        told = {rule for rule in finer if rule in settings and edition.stated(rule, page.profile) in text}
        assert not told or page.profile not in much, page.path


def test_nothing_in_the_flow_of_a_lesson_leads_away_to_the_page_of_a_rule(edition: SiteEdition) -> None:
    printer = Printer(edition)
    for page in lesson_pages(edition):
        assert not re.findall(r'href="[^"]*(?:rules|rulings|sources)/', printer.text_of(page)), page.path


def test_the_chart_says_what_each_rule_of_play_asks_for(edition: SiteEdition) -> None:
    for variant in edition.library.variants:
        settings = edition.library.profile(variant).settings
        asked = [rule for row in lesson_texts()["chart"] for rule in row["rules"]]
        rows = chart(edition, variant)
        assert sorted(rule for row in rows for rule in row.rules) == sorted(rule for rule in asked if rule in settings)
        for row in rows:
            for rule in row.rules:
                assert row.steps == tuple(edition.value(rule, [step]) for step in settings[rule].value)


def test_the_chart_marks_that_the_duty_to_ruff_in_belote_rests_on_a_reading_and_names_the_option(
    edition: SiteEdition,
) -> None:
    [row] = [row for row in chart(edition, "belote") if "play.void.partner-winning" in row.rules]
    assert row.basis.mark == "°"
    assert "FR-R3" in row.basis.rulings
    assert "partner-winning-free-discard" in [other.option for other in row.basis.others]
    page = next(page for page in lesson_pages(edition) if page.path == "variants/belote/learn")
    text = Printer(edition).text_of(page)
    title = edition.library.spec.options_of("belote")["partner-winning-free-discard"].title
    assert str(escape(edition.text(title))) in text


def test_a_game_of_croatia_is_learnt_with_the_cards_of_croatia(edition: SiteEdition) -> None:
    printer = Printer(edition)
    for page in lesson_pages(edition):
        settings = edition.library.profile(page.profile).settings
        hungarian = settings["presentation.cards"].value == "hungarian"
        assert ('id="pack"' in printer.text_of(page)) == hungarian, page.path


def test_what_is_said_aloud_is_only_what_the_rules_give_occasion_for(library: Library) -> None:
    edition = SiteEdition(library, "en")
    said = {variant: [phrase.says for phrase in said_aloud(edition, variant)] for variant in library.variants}
    assert all(said.values())
    assert "Dosta!" in said["bela-4"]
    assert "Dalje." not in said["bela-3"]


def test_the_shares_of_takers_are_counted_by_the_engine(library: Library) -> None:
    rules = library.reference.ruleset("belotten")
    counted = takers_by_worth(rules, 40)
    assert 0 < sum(taken for _, taken in counted.values()) <= 40
    assert all(made <= taken for made, taken in counted.values())
    for variant in library.variants:
        bands = takers(variant)
        assert bands[0].least == 0
        assert [band.most for band in bands[:-1]] == [band.least - 1 for band in bands[1:]]
        assert all(0 <= band.of_hundred <= 100 for band in bands)


def test_the_hand_that_is_shown_is_that_of_the_taker_and_worth_taking(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant in library.variants:
        deal = lesson_deal(edition, variant)
        taken = taken_with(deal)
        assert not taken.cards & ~(deal.hands[deal.contract.taker] | deal.discarded), variant
        assert mode_of_bid(taken.bid) == deal.contract.mode.number
        assert taken.worth == worth_of(deal.rules, taken.cards, deal.contract.mode) >= WORTH


def test_the_parts_of_a_lesson_are_in_both_languages_and_name_rules_that_exist(library: Library) -> None:
    texts, rules = lesson_texts(), library.spec.rules.keys()
    for part in texts["parts"].values():
        assert part["title"].keys() >= set(COMPLETE)
        assert set(part["rules"]) | set(part.get("unsaid", {})) <= rules
    for row in texts["chart"]:
        assert set(row["rules"]) <= rules
        assert all(when.keys() >= set(COMPLETE) for when in [row["all"], *row.get("each", ())])


def test_a_lesson_is_found_among_random_deals(library: Library) -> None:
    found = best_lesson(library.reference.ruleset("bela-2"), 60)
    assert {which: story["dealer"] for which, story in found.stories.items()} == {"made": 1, "fell": 1}
    with pytest.raises(LessonError, match="none of 1 deals is natural"):
        best_lesson(library.reference.ruleset("bela-2"), 1)


def test_the_table_from_above_goes_round_as_the_game_does(edition: SiteEdition, library: Library) -> None:
    """Whoever plays after A, who sits in front, is drawn to the left of him, or to the right where the game is so."""
    for variant in library.variants:
        rules = library.reference.ruleset(variant)
        drawn = str(table_from_above(edition, rules))
        seats = [float(x) for x in re.findall(r'class="seat side-[0-9]" cx="([0-9]+)"', drawn)]
        goes_right = rules.value("presentation.direction") == "anticlockwise"
        if rules.players > 2:
            assert (seats[1] > seats[0]) == goes_right, variant
