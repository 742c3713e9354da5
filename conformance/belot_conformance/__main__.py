"""``python -m belot_conformance`` is the command ``belot``."""

from belot_conformance.cli.main import main

main()
