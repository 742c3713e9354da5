"""The module ``belot_reference.rl`` by its newer name: a PettingZoo environment, for programs that learn."""

import sys

import belot_reference.rl
from belot_reference.rl import *  # noqa: F403  # for who reads types; when it runs, the two are one module

sys.modules[__name__] = belot_reference.rl
