"""An engine for belot that executes the rules in ``spec/`` and has none of its own."""
