"""What follows the variant that a reader plays: the choice in the header, and what the search puts first."""

from typing import Any, Final

from markupsafe import escape

from belot_conformance.rules.reading import ruling_path
from belot_site.content.edition import Edition
from belot_site.pages.questions import questions, stated_answer
from belot_site.pages.variants import sources_of

# How much less a page counts in the search that only other variants have something to do with.
_OF_OTHERS: Final = 0.2

# What every page ends with: the addresses from the root of a language, and the keys of their names.
_FOOTER: Final = {
    "variants/": "variants",
    "questions/": "questions",
    "try/": "try",
    "sources/": "sources",
    "glossary/": "glossary",
    "programmers/": "for-programmers",
}


def header_words(edition: Edition) -> dict[str, Any]:
    """Return what the header of every page needs: the variants by name, and the words of the choice."""
    return {
        "variants": {name: edition.variant_name(name) for name in edition.library.variants},
        "i_play": edition.word("i-play"),
        "what_do_you_play": edition.word("header-choose"),
        "yours": edition.word("yours"),
        "copy_word": edition.word("copy"),
        "copied_word": edition.word("copied"),
        "footer": [{"to": to, "name": edition.word(key)} for to, key in _FOOTER.items()],
        "footer_text": edition.word("footer"),
    }


def search_of(edition: Edition, variant: str) -> dict[str, Any]:
    """Return the answers of a variant by address, and how much the pages of others count for who plays it."""
    name, settings = edition.variant_name(variant), edition.library.profile(variant).settings
    answers = {}
    for question in questions(edition.library):
        if question.rule in settings:
            short, sentence = stated_answer(edition, question, variant)
            answers[f"questions/{question.id}/"] = f"{name}: {short}. {sentence}"
    for rule in settings:
        answers[f"rules/{rule}/"] = f"{name}: {edition.stated(rule, variant)}"
    told = {address: str(escape(text)) for address, text in answers.items()}
    return {"answers": told, "weights": dict.fromkeys(_of_others(edition, variant), _OF_OTHERS)}


def _of_others(edition: Edition, variant: str) -> list[str]:
    """Return the pages, and places on pages, that have nothing to say to who plays a variant."""
    library, settings = edition.library, edition.library.profile(variant).settings
    others = [name for name in library.variants if name != variant]
    own_sources = {statement[:2] for setting in settings.values() for statement in setting.cite}
    own_sources |= set(sources_of(library.profile(variant)))
    own_rulings = {setting.ruling for setting in settings.values()}
    return [
        *(f"variants/{name}/" for name in others),
        *(f"rules/{rule.id}/" for rule in library.rules if rule.id not in settings),
        *(f"questions/{one.id}/" for one in questions(library) if one.rule not in settings),
        *(f"sources/{source.lower()}/" for source in library.spec.sources if source not in own_sources),
        *(
            ruling_path(ruling)
            for ruling in library.spec.rulings
            if ruling not in own_rulings and library.uses_of_ruling.get(ruling)
        ),
    ]
