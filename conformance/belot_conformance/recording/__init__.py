"""Random deals and matches, played by the rules and recorded as cases."""
