"""Everything that the pages tell, loaded once: the spec, the cases, and how they refer to each other."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

from belot_conformance.programs.reference import Reference
from belot_conformance.rules.reading import topics, value_text
from belot_conformance.suite.cases import SUFFIX, Case, load_cases
from belot_conformance.suite.lint import case_statistics
from belot_conformance.suite.trace import statements_by_rule
from belot_spec.catalogue import Rule, Setting, Text, holds, text_of
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.variants import Option

# The order in which a player would explain a game; a topic that is not named here comes after these.
_TOPICS: Final = (
    "deck", "deal", "bidding", "play", "declarations", "scoring", "match", "penalties", "presentation",
)  # fmt: skip
_ORIGINS: Final = ("source-example", "by-hand", "derived")

# Where mkdocs' configuration, the theme's changes and the assets stand.
SITE_FOLDER: Final = Path(__file__).resolve().parents[2]

Key = TypeVar("Key")
Item = TypeVar("Item")
Contrast = Literal["differs", "partly", "same"]


class Behaviour(NamedTuple):
    """The cases of one file, which are about one behaviour; ``recorded`` ones were played by a program."""

    operation: str
    name: str
    profile: str
    behaviour: Text
    why: Text
    cases: tuple[Case, ...]
    recorded: bool

    @property
    def path(self) -> str:
        """The address of its page, from the root of a language."""
        return f"cases/{self.operation}/{self.name}"


def grouped(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Return what stands beside each key, in the order of the pairs."""
    found: dict[Key, list[Item]] = {}
    for key, item in pairs:
        found.setdefault(key, []).append(item)
    return found


def sources_of(profile: Profile) -> list[str]:
    """Return the sources that state values themselves, the one that states most first."""
    stated = (setting.cite for setting in profile.settings.values() if setting.status == "stated")
    return [source for source, _ in Counter(statement[:2] for cite in stated for statement in cite).most_common()]


class Library:
    """The spec and the cases with what refers to what; everything is worked out when it is first asked for."""

    def __init__(self) -> None:
        self.spec: Spec = default_spec().shown()
        self.cases: Sequence[Case] = [one for one in load_cases() if one.profile.variant in self.spec.variants]
        self.reference = Reference()
        self._profiles: dict[str, Profile] = {}

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """The variants that can be played, those for four players first."""
        return tuple(sorted(self.spec.playable(), key=lambda name: -self.profile(name).value("deal.players")))

    @cached_property
    def profiles(self) -> dict[str, list[str]]:
        """Of each variant its profiles: as it stands, and with each option."""
        return {
            variant: [variant, *(ProfileName.of(variant, option) for option in self.spec.options_of(variant))]
            for variant in self.variants
        }

    @cached_property
    def home_sources(self) -> Mapping[str, str]:
        """The source that tells where each variant is at home: of those that speak of it the one that states most."""
        found: dict[str, str] = {}
        for variant in self.variants:
            known = sources_of(self.profile(variant))
            own = (one for one in known if any(variant in named for named in self.spec.sources[one].parts.values()))
            found[variant] = next(own, known[0])
        return found

    @cached_property
    def topics(self) -> dict[str, Text]:
        """The title of each topic, in the order in which a player explains a game."""
        found = {name: text_of(title) for name, title in topics(self.spec).items()}
        order = [*(name for name in _TOPICS if name in found), *(name for name in found if name not in _TOPICS)]
        return {name: found[name] for name in order}

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, by topic in the order of the topics."""
        order = list(self.topics)
        return tuple(sorted(self.spec.rules.values(), key=lambda rule: order.index(rule.topic)))

    def rules_of(self, topic: str) -> list[Rule]:
        """Return the rules of a topic."""
        return [rule for rule in self.rules if rule.topic == topic]

    def profile(self, name: str) -> Profile:
        """Return a profile, made once."""
        if name not in self._profiles:
            self._profiles[name] = self.spec.profile(name)
        return self._profiles[name]

    def settings(self, rule: str) -> dict[str, Setting]:
        """Return the settings of a rule by variant, leaving out the variants in which it does not matter."""
        found = ((name, self.profile(name).settings.get(rule)) for name in self.variants)
        return {name: setting for name, setting in found if setting is not None}

    @cached_property
    def option_titles(self) -> dict[str, Text]:
        """What each option says, by its name."""
        every = (self.spec.options_of(variant).values() for variant in self.variants)
        return {option.id: option.title for options in every for option in options}

    def changed_by(self, variant: str, option: Option) -> list[str]:
        """Return the rules that an option makes a variant play otherwise; it may also name what is played anyway."""
        played = self.profile(variant).settings
        return [
            rule
            for rule, setting in option.settings.items()
            if rule not in played or value_text(played[rule].value) != value_text(setting.value)
        ]

    def absent(self, rule: str) -> list[str]:
        """Return the variants in which a rule does not come up."""
        settings = self.settings(rule)
        return [name for name in self.variants if name not in settings]

    def decided_by(self, rule: str, variant: str) -> str:
        """Return the rule that decides where another one does not come up in a variant.

        Squares have no order of their own, say, where declarations are compared by points.
        """
        played = {name: setting.value for name, setting in self.profile(variant).settings.items()}
        needs = self.spec.rules[rule].needs
        lacking = next(name for name, wanted in needs.items() if not holds({name: wanted}, played))
        return lacking if lacking in played else self.decided_by(lacking, variant)

    def doubles_numbers(self, variant: str) -> bool:
        """Say whether in a variant a bid has a number and can be doubled."""
        rules = self.reference.ruleset(variant)
        return rules.has_amounts and bool(rules.value("bidding.raises"))

    @cached_property
    def distances(self) -> Mapping[tuple[str, str], int]:
        """How many rules each two variants play differently, or only one of them has."""
        settings = [self.settings(rule.id) for rule in self.rules]
        return {
            (one, other): sum(_text(of_rule, one) != _text(of_rule, other) for of_rule in settings)
            for one in self.variants
            for other in self.variants
        }

    @cached_property
    def families(self) -> Mapping[str, Sequence[str]]:
        """The variants by family: games with an auction, and of the others those that have the same name for belote."""

        def family(rules: Profile) -> str:
            is_auction = "auction" in rules.value("bidding.rounds")
            return "auction" if is_auction else rules.value("presentation.king-and-queen")

        return grouped((family(self.profile(variant)), variant) for variant in self.variants)

    def neighbours(self, variant: str, number: int = 1) -> list[str]:
        """Return a variant and the nearest others."""
        others = [name for name in self.variants if name != variant]
        return [variant, *sorted(others, key=lambda name: self.distances[variant, name])[:number]]

    @cached_property
    def middle(self) -> list[str]:
        """The variant that is nearest to all others together, and its neighbours: a first look at a comparison."""
        nearest = min(self.variants, key=lambda one: sum(self.distances[one, other] for other in self.variants))
        return self.neighbours(nearest, 2)

    def contrast(self, rule: str) -> Contrast:
        """Say how the variants compare on a rule.

        ``differs`` if two of them play it differently, ``partly`` if those in which it comes up agree but others do
        without it, ``same`` if all of them agree.
        """
        if len({value_text(setting.value) for setting in self.settings(rule).values()}) > 1:
            return "differs"
        return "partly" if self.absent(rule) else "same"

    @cached_property
    def contrasts(self) -> Mapping[str, int]:
        """How many rules there are of each kind of contrast, zeros included."""
        return {"differs": 0, "partly": 0, "same": 0} | Counter(self.contrast(rule.id) for rule in self.rules)

    @cached_property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """The files of cases, by operation and name."""
        files = grouped(((case.operation, _name(case)), case) for case in self.cases)
        return tuple(_behaviour(*key, files[key]) for key in sorted(files))

    def case_path(self, case: Case) -> str:
        """Return the address of a case with its anchor, from the root of a language."""
        return f"cases/{case.operation}/{_name(case)}/#{case.id}"

    @cached_property
    def cases_by_rule(self) -> Mapping[str, list[Case]]:
        """The cases that pin each rule, worked examples of the sources first."""
        return self._index((rule, case) for case in self.cases for rule in case.rules)

    @cached_property
    def cases_by_statement(self) -> Mapping[str, list[Case]]:
        """The cases that come from each statement."""
        return self._index((statement, case) for case in self.cases for statement in case.statements)

    @cached_property
    def cases_by_ruling(self) -> Mapping[str, list[Case]]:
        """The cases that each ruling decides."""
        return self._index((ruling, case) for case in self.cases for ruling in case.rulings)

    @staticmethod
    def _index(pairs: Iterable[tuple[str, Case]]) -> Mapping[str, list[Case]]:
        ordered = sorted(pairs, key=lambda pair: (_ORIGINS.index(pair[1].origin), pair[1].id))
        return defaultdict(list, grouped(ordered))

    @cached_property
    def statements_by_rule(self) -> Mapping[str, tuple[str, ...]]:
        """The statements of the sources that feed each rule."""
        return statements_by_rule(self.spec)

    @cached_property
    def rulings_by_statement(self) -> Mapping[str, list[Ruling]]:
        """The rulings that read each statement."""
        rulings = self.spec.rulings.values()
        return grouped((statement, ruling) for ruling in rulings for statement in ruling.statements)

    @cached_property
    def uses_of_ruling(self) -> Mapping[str, list[tuple[str, str]]]:
        """For each ruling the values that rest on it, as pairs of a rule and a variant."""
        return grouped(
            (setting.ruling, (rule.id, variant))
            for rule in self.rules
            for variant, setting in self.settings(rule.id).items()
            if setting.ruling is not None
        )

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The counts of cases, and of rule values that they consult and pin."""
        return case_statistics(self.spec)


def _text(settings: Mapping[str, Setting], variant: str) -> str | None:
    return value_text(settings[variant].value) if variant in settings else None


def _name(case: Case) -> str:
    return case.path.name.removesuffix(SUFFIX).removesuffix(".yaml")


def _behaviour(operation: str, name: str, cases: Sequence[Case]) -> Behaviour:
    first = cases[0]
    is_recorded = first.path.suffix == SUFFIX
    return Behaviour(operation, name, first.profile, first.behaviour, first.why, tuple(cases), is_recorded)
