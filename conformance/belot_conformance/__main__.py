"""``python -m belot_conformance`` is the command ``belot``."""

from belot_conformance.entry import run

run()
