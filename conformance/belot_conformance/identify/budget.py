"""How much is looked at before the search for rules gives up: every number of it, in one value that is passed on."""

import time
from dataclasses import dataclass, replace
from math import inf
from typing import Final

# By how much the clock of a search is ahead of this process: the work of other processes for it, and of the program.
_AHEAD: Final = [0.0]


def clock() -> float:
    """Return for how many seconds processors worked by now, all processes that share a search together."""
    return time.process_time() + _AHEAD[0]


def set_clock(seconds: float) -> None:
    """Let the clock say so many seconds by now."""
    _AHEAD[0] = seconds - time.process_time()


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyBudget:
    """What a search may spend. `make identify-bars` says whether it is enough: 400 values, 200 tables, 100 faults.

    Work is counted in small questions that are put to the engine.
    """

    # Where so much work found nothing that pays (a third more than was enough for 88 rules, now that there are 104),
    # wrong answers are spread at random; a whole search takes no more than
    # `work`, and to tell the same rules from another game no more patience than `retelling`.
    # The work is bounded for the sake of tests and bars, which must come out the same everywhere; for the sake of who
    # waits, so are the seconds that the processor works for it: what is found by then has to do.
    seconds: float = inf
    # This share of them is kept: to come to an end, and a third of it to tell what was found.
    kept_to_tell: float = 0.18
    ends_at: float = inf
    # So many processes share the parts of a search that need not know of each other; all of them together have the
    # seconds.
    jobs: int = 1
    patience: float = 12_000
    work: float = 60_000
    retelling: float = 1_500
    # A value that makes none of so few wrong answers righter, those that rest on the fewest rules, is not tried on the
    # others at first; then none that makes none of so many righter.
    glance: int = 4
    look: int = 24
    # So many values, spread over all of a rule, show whether the rule has to do with the first wrong answers at all.
    spread: int = 6
    # Of so many wrong answers the numbers are taken as hints, and of these hints so many are tried.
    hinted: int = 10
    hint_numbers: int = 60
    hint_offsets: int = 16
    # So many rounds of climbing, of refining and of pairs at most, should a search not come to rest.
    climbs: int = 40

    # Two rules at once: looked for at so many wrong answers, at so many of one kind, with so many values of each rule.
    pair_targets: int = 8
    of_a_kind: int = 2
    pair_values: int = 30
    # A first value that breaks others is mended so often in all, and for so many of the most promising ones.
    mends: int = 24
    promising: int = 12
    # Of a rule with so few values all are tried beside any other; and of two that hide each other so many pairs for
    # each small question of patience.
    few_values: int = 4
    masked: float = 2 / 3
    # Pairs in which the second rule is by an amount that the first leaves missing, of so few different ones.
    hinted_pairs: int = 800
    amounts: int = 4
    # Where no two rules help, so much work for two that say the same, beside which a third may.
    told_otherwise: float = 2_000
    # Once a pair helps, so many more are looked at for one that helps more.
    onwards: int = 1_000

    # Several rules at once: so much work for it, so many sets of values carried on, none that is worse by more than
    # so many wrong answers, and so many of them looked at in the end. Of a lesson a share of the answers may be wrong
    # by chance, else so many of them are looked at for changes, so many times. Of the values those are looked at that
    # change one of so many answers.
    several: float = 120_000
    # A lesson that is not learnt with so much work is put off until the others are.
    lesson_work: float = 15_000
    # Once it led nowhere it is done again where so many times as much is wrong.
    sets_anew: float = 2.0
    sets: int = 40
    sets_loss: float = 2.0
    sets_tried: int = 3
    sets_changed: int = 8_000
    sets_alike: int = 120
    sets_looked_at: int = 16
    sets_offsets: int = 10
    sets_numbers: int = 12
    few_numbers: int = 8
    lesson_errors: float = 0.05
    lesson_pivots: int = 2
    lesson_steps: int = 12

    # From so many variants the search begins, each with so many options, and is told from the nearest so many.
    starts: int = 3
    options: int = 4
    nearest: int = 3
    # So many small questions are enough to begin with them alone; of large ones a sample of so many.
    enough: int = 50
    sample: int = 24

    # Another start is tried if a larger share of the answers stays wrong, and if no more than so many times as much is
    # wrong by it from the start.
    far: float = 0.02
    as_near: float = 1.5
    # Two steps together are not what is missing where a larger share of the answers is wrong; and answers that a rule
    # makes wrong may be at most this share of those that it makes right.
    near: float = 0.5
    contradicted: float = 0.25
    # A field that is wrong in at least so many answers and this share of them, whatever the rules, is broken.
    broken_fewest: int = 10
    broken_share: float = 0.5
    # An operation of which this share of the results stays wrong is not asked about any further.
    hopeless: float = 0.9
    # A program that answers so often with an error what makes sense may play with other cards; of one of which a
    # larger share of the answers is wrong no further question tells what it would play.
    some_errors: int = 8
    broken_all_over: float = 0.2

    # A live program: so many questions of each variant to see which it plays, and so many rounds of further ones.
    probes: int = 30
    rounds: int = 9
    # How often questions are drawn by the rules found, and how many of each operation are asked whatever they tell:
    # small ones, and others of any size.
    draws: int = 16
    each: int = 16
    larger: int = 24
    # How many questions are looked at for one that tells a value from the one found, and how many values of a rule.
    looked_at: int = 32
    looked_at_all: int = 256
    smallest: int = 16
    values: int = 16
    # Of what explains the same answers, so many questions are asked of each kind.
    telling: int = 2
    # Of so many questions of each operation the numbers are changed, in so many ways, and in so many so that what the
    # answer comes to is a number that tells.
    renumbered: int = 2
    numbers: int = 60
    moved_numbers: int = 60
    # Questions drawn by other rules than those found: from how many deals, and how many contrived of each operation.
    other_deals: int = 24
    other_contrived: int = 400
    # What may be spent on these for one program, on one value at a glance, and on what fits equally: that is mostly
    # told apart by no question if not by those drawn anyhow.
    effort: int = 20_000
    effort_at_a_glance: int = 500
    effort_apart: int = 2_500

    # A log: so many records are drawn by lot; the rules are searched for in the first so many of them, and held
    # against the others before the whole log is read again. A few records of any log are wrong whatever the rules, so
    # that not much work is done to explain them.
    drawn: int = 2_000
    searched: int = 30
    log_patience: float = 3_000
    # So many records that are worth another look are added each time, so many times at most, and so many times where
    # nothing new is to be looked at.
    added: int = 40
    log_rounds: int = 5
    idle: int = 2
    # From another variant is searched on if a larger share of the records is wrong, and further rules stay only if so
    # many records fewer are wrong for each of them.
    log_far: float = 0.25
    log_fewest: int = 2
    # So many others that fit equally are held against so many of the records that were drawn.
    log_others: int = 12
    log_telling: int = 330

    # Where there is such a list, whatever tells the search to end is noted in it, and what was found by then is kept;
    # elsewhere an interrupt ends it.
    told_to_end: list[KeyboardInterrupt] | None = None

    def begun(self) -> "IdentifyBudget":
        """Return the budget of a search that begins now, in this process."""
        if self.ends_at < inf:
            return self
        return replace(self, ends_at=clock() + self.seconds * (1 - self.kept_to_tell))

    @property
    def half(self) -> "IdentifyBudget":
        """The budget with half of the seconds that are left, so that there are some to ask further questions."""
        return self if self.ends_at == inf else replace(self, ends_at=(clock() + self.ends_at) / 2)

    @property
    def to_tell(self) -> "IdentifyBudget":
        """The budget with a third of what was kept, to tell what was found: what fits as well is looked for too."""
        more = 0.0 if self.ends_at == inf else self.seconds * self.kept_to_tell / 3
        return replace(self, ends_at=self.ends_at + more)

    def note(self, told: KeyboardInterrupt) -> None:
        """Note what told the search to end; raise it where nothing is kept."""
        if self.told_to_end is None:
            raise told
        self.told_to_end.append(told)

    @property
    def is_over(self) -> bool:
        """Whether the seconds are over, or the search was told to end."""
        return bool(self.told_to_end) or (self.ends_at < inf and clock() >= self.ends_at)


BUDGET: Final = IdentifyBudget()
