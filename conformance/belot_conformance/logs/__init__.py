"""Random deals, matches and questions, played by the rules."""
