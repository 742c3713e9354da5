"""Perft on the kernel: the numbers that are published, one after the other, with every sequence walked."""

import pytest

from belot_conformance.perft import published, published_profiles
from belot_reference.cards import CARD_BY_NAME
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec
from process_testing import NEEDS_FAST, Lazily

pytestmark = NEEDS_FAST
perft, layout = Lazily("belot_kernel.perft"), Lazily("belot_kernel.layout")
# More sequences than this take longer than a test should.
MOST = 3_000_000


@pytest.mark.parametrize("profile", published_profiles())
def test_the_kernel_counts_what_is_published(profile: str) -> None:
    rules = compile_profile(default_spec().profile(profile))
    if (why := layout.not_for_kernel(rules)) is not None:
        assert "the kernel does not know the value" in why
        return
    counted = 0
    for deal in published(profile).deals:
        _, play = deal.start(rules)
        covered = {CARD_BY_NAME[top]: CARD_BY_NAME[under] for seat in deal.piles for top, under in seat}
        for depth, number in enumerate(deal.counts, start=1):
            if number <= MOST:
                assert perft.sequences_from(rules, play, depth, covered) == number, (deal.name, depth)
                counted += 1
        for last in deal.lasts:
            if last.count <= MOST:
                cards = sum(map(len, last.hands))
                assert perft.sequences_from(rules, deal.ending(rules, last)[1], cards) == last.count, (
                    deal.name,
                    last.tricks,
                )
                counted += 1
    assert counted > 40
