"""What `make kernels` does: every kernel that a test calls is compiled once, before the tests, and kept."""

import numpy as np

from belot_kernel.play_kernel import count_sequences, play_outs
from belot_kernel.record import new_deals
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec
from belot_workshop.impact import kernel


def compile_all() -> None:
    """Compile what is not compiled yet, by playing next to nothing."""
    kernel.make_ready()
    record, nodes = kernel.kernel_rules(compile_profile(default_spec().profile("bela-2")))
    play_outs(record, nodes, new_deals()[0], 0, kernel.mixed_seed(0))
    count_sequences(record, nodes, new_deals()[0], np.int64(0))


if __name__ == "__main__":
    compile_all()
