"""The form of a table: what is asked of it is noted, and is no rule that was read."""

from dataclasses import fields

from belot_reference.compile import Reading, Ruleset, ruleset_named
from belot_reference.trace import FORM, form_of
from belot_spec.shipped import default_spec


def test_a_ruleset_has_every_part_of_the_form_and_those_that_its_table_has() -> None:
    assert FORM.keys() <= {one.name for one in fields(Ruleset)}
    for variant in default_spec().nameable():
        rules = ruleset_named(variant)
        assert rules.form == form_of(rules.profile) == {name for name in FORM if getattr(rules, name)}
    assert form_of(default_spec().profile("contree")) == {"has_auction", "has_amounts"}


def test_a_part_that_is_asked_for_is_noted_and_no_rule_is_read() -> None:
    for name in FORM:
        reading = Reading(ruleset_named("bulgarian-belot"))
        assert reading.asked == set()
        assert getattr(reading, name) == getattr(reading.compiled, name)
        assert reading.asked == {name}
        assert not reading.read
