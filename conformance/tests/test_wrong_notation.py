"""Texts in the notation that are wrong, drawn by lot: each is told whole in the language of who reads it."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from belot_conformance.logs.noted import refused_in
from belot_reference.bids import BID_NAMES
from belot_reference.game import Game
from belot_reference.notation import FIELDS, SAID, Deal, NotationError, Transcript
from belot_spec.card_names import CARD_NAMES
from belot_spec.languages import COMPLETE, FALLBACK, LANGUAGES, TONGUES, Language
from belot_spec.shipped import default_spec
from suite_testing import run

TEXTS = 700
# What stands in English sentences all the time, and is no word of the other languages.
WORDS = (
    "the and with not has have may must holds held stands seat seats turn card cards tricks every each where there that "
    "this when what whose nobody somebody it its his to by be only once until before after"
)
ENGLISH = {*WORDS.split()} - {*FIELDS}
SAMPLES = (
    "0:", "3:", "4:", "7S", "7s", "10H", "JC+belote", "JC+bela", "exchange", "claim", "silent", "look(0)", "dealer", "score",
    "profile", "bela-4", "bela-5", "belote", "contree", "seed", "-1", "0", "99999999999", "7S8S9S", "7S7S", "7K.10J.A.89Q",
    "../.../", "#", "discard(7S8S)", "announce(7S8S9S)", "made(sequence)", "190S", *BID_NAMES, *FIELDS, *SAID,
)  # fmt: skip


def variants(language: Language) -> list[str]:
    return [name for name in default_spec().nameable() if TONGUES[language].tells(name)]


def told_by_tricks(rng: Random, deal: Deal) -> str:
    """Return a deal as its tricks alone, or as a position: its cards are counted, or those that may be played."""
    names = ("totals", "taker", "trump", "bid", "raised", "leader", "hands", "piles", "depth", "turn_up")
    kept = {name: value for name, value in deal.opening.items() if name not in ("deck", "cut", "shuffles")}
    heads = f"profile {deal.profile} {rng.choice(('dealer', 'leader'))} {rng.randrange(5)}"
    forms = {"taker": "1", "trump": rng.choice("SHDCNA"), "bid": rng.choice(("80", "85", "capot")), "raised": "2"}
    written = {name: FIELDS[name].write(value) for name, value in kept.items()}
    fields = [f"{name} {forms.get(name) or written.get(name, '1')}" for name in names if rng.random() < 0.5]
    cards = [str(action.play) for action in deal.actions if action.play is not None]
    return " ".join((heads, *fields, "0:", *cards[: rng.randrange(33)]))


def wrong_texts(language: Language) -> Iterator[str]:
    """Yield texts of games, with some of their words another, gone, doubled or exchanged."""
    known = variants(language)
    for seed in range(TEXTS):
        rng = Random(seed)
        game = Game(known[seed % len(known)], seed=seed)
        for _ in range(rng.randrange(45)):
            if game.is_over:
                break
            game = game.apply(rng.choice(game.legal_actions()))
        line = game.to_line()
        words = (told_by_tricks(rng, Deal.parse(line)) if rng.random() < 0.3 else line).split(" ")
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(words))
            match rng.randrange(5):
                case 0:
                    del words[at]
                case 1:
                    words.insert(at, rng.choice(words))
                case 2:
                    words[at] = rng.choice(SAMPLES)
                case 3:
                    other = rng.randrange(len(words))
                    words[at], words[other] = words[other], words[at]
                case _:
                    words.insert(at, rng.choice((*SAMPLES, *CARD_NAMES)))
            words = words or ["dealer"]
        yield " ".join(words)


def faults(text: str) -> Iterator[NotationError]:
    try:
        yield from refused_in(Transcript.parse(text), None)
    except NotationError as error:
        yield error


def english_in(told: str, text: str) -> set[str]:
    """Return the English words of what is told about a text; its own words, and names with a sign in them, are none."""
    plain = re.sub(r"\S*[a-z0-9][-_.+(]\S*|\([^)]*\)", " ", told)
    return {word for word in re.findall(r"[a-z]+", plain) if word in ENGLISH} - {*re.findall(r"[a-z]+", text)}


@pytest.mark.long
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != FALLBACK])
def test_what_is_wrong_in_a_text_is_told_without_english(language: Language) -> None:
    kinds, same, left = set(), [], []
    for text in wrong_texts(language):
        for fault in faults(text):
            told = fault.in_language(language)
            kinds.add(re.sub(r"[^a-z ]|\b\w{1,2}\b", "", fault.message)[:40])
            same += [text] if told == fault.message else []
            left += [(found, told) for found in [english_in(told, text)] if found]
    # Nobody looked if the lot drew one fault all the time.
    assert len(kinds) > 60
    assert (same[:5], left[:5]) == ([], [])


def test_a_refusal_names_the_rule_in_the_language_of_who_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "deal.text"
    path.write_text(
        "profile contree dealer 3\nhands 7S.../8S.../9S.../10S...\n0: 80H 80S\n".replace("S.", "."), encoding="utf-8"
    )
    told = {language: run("notation", "--lang", language, str(path)).stderr for language in LANGUAGES}
    assert "bid-too-low: seat 1: bid 80S: seat 1 may say pass, 90S" in told["en"]
    assert "bid-too-low: plaats 1: 80S: plaats 1 mag zeggen: pass, 90S" in told["nl"]
    assert "bid-too-low: place 1 : 80S: la place 1 peut dire pass, 90S" in told["fr"]
    assert all("bidding.amounts" in one for one in told.values())
    assert len({*told.values()}) == len(LANGUAGES) > len(COMPLETE)
