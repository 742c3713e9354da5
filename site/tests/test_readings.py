"""What a rule rests on is marked where it is read, and the options that change it are named there."""

import re
from collections.abc import Mapping

from markupsafe import escape

from belot_site.content.edition import SiteEdition
from belot_site.output.search import search_of
from belot_site.pages.comparison import comparison_pages
from belot_site.pages.house_rules import house_rules_data
from belot_site.pages.questions import questions
from belot_site.pages.readings import MARKS, basis_of, in_words, option_mark
from belot_site.pages.variants import agreements

FREE = "partner-winning-free-discard"


def test_the_duty_to_ruff_a_partners_trick_in_belote_names_its_option_wherever_it_is_read(
    edition: SiteEdition, texts: Mapping[str, str]
) -> None:
    title = edition.text(edition.library.spec.options_of("belote")[FREE].title)
    card = search_of(edition, "belote")["answers"]["questions/ruff-for-partner/"]
    assert title in card
    assert edition.word("basis-ruled") in card
    for path in ("questions/ruff-for-partner", "variants/belote/questions", "variants/belote/learn"):
        assert str(escape(title)) in texts[path], path
    assert re.search(r"Belote</a>°", texts["questions/ruff-for-partner"])


def test_every_question_says_what_its_answers_rest_on_and_names_every_option(
    edition: SiteEdition, texts: Mapping[str, str]
) -> None:
    for question in questions(edition.library):
        text = texts[f"questions/{question.id}"]
        searched = re.sub(r"<(\w+)[^>]* data-search-exclude.*?</\1>", "", text)
        for variant in edition.library.settings(question.rule):
            basis = basis_of(edition, question.rules, variant)
            if basis.is_open:
                assert str(escape(in_words(edition, basis))) in searched, (question.id, variant)
                assert all(f">{ruling}<" in text for ruling in basis.rulings), (question.id, variant)
                answer = search_of(edition, variant)["answers"][f"questions/{question.id}/"]
                assert str(escape(in_words(edition, basis))) in answer, (question.id, variant)


def test_a_basis_has_the_statuses_of_its_rules_and_all_options_that_change_them(edition: SiteEdition) -> None:
    library = edition.library
    for variant in library.variants:
        for rule, setting in library.profile(variant).settings.items():
            basis = basis_of(edition, [rule], variant)
            assert basis.mark == MARKS[setting.status]
            options = library.spec.options_of(variant).values()
            changing = [option.id for option in options if rule in library.changed_by(variant, option)]
            assert [other.option for other in basis.others] == changing


def test_what_no_source_here_says_is_marked_before_the_game_in_the_comparison_and_in_the_builder(
    edition: SiteEdition,
) -> None:
    [page] = comparison_pages(edition)
    notes = {
        (variant, note.option, note.rule): note.mark for note in page.context["notes"] for variant in note.variants
    }
    built = house_rules_data(edition)
    rules = {rule["id"]: rule for rule in built["rules"]}
    met = 0
    for variant in edition.library.variants:
        told = built["variants"][variant]
        agreed = {one.rule.id: one for one in agreements(edition, variant)[0]}
        for option in edition.library.spec.options_of(variant).values():
            for rule in edition.library.changed_by(variant, option):
                setting = option.settings[rule]
                if setting.ruling != "G-23":
                    continue
                met += 1
                title = edition.text(option.title)
                assert any(title in who and mark == "*" for _, who, mark in agreed[rule].otherwise), (variant, rule)
                assert notes[variant, option.id, rule] == "*"
                assert told["options"][option.id]["mark"] == "*"
                assert told["marks"][rule][rules[rule]["values"].index(setting.value)] == "*"
    assert met


def test_the_printed_sheet_marks_what_rests_on_a_reading_and_what_an_option_changes(
    edition: SiteEdition, texts: Mapping[str, str]
) -> None:
    library = edition.library
    for variant in library.variants:
        text = texts[f"variants/{variant}/print"]
        title = f'data-short="{escape(edition.at(variant).rule_title("play.void.partner-winning"))}'
        line = text.partition(title)[2].partition("</li>")[0]
        basis = basis_of(edition, ["play.void.partner-winning"], variant)
        marks = basis.mark + ("†" if basis.others else "")
        assert (f"<sup>{marks}</sup>" in line) == bool(marks), variant
        boxes = text.partition('class="boxes"')[2]
        for option in library.spec.options_of(variant).values():
            if library.changed_by(variant, option):
                marked = f"<sup>{option_mark(option)}</sup>" if option_mark(option) else ""
                told = escape(edition.at(variant).text(option.title))
                assert re.search(rf"<li>{re.escape(str(told))}(\u2060|&NoBreak;)?{re.escape(marked)}</li>", boxes), (
                    option.id
                )
        assert edition.word("sheet-foot") in text
