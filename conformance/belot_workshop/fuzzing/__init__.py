"""How soon `belot fuzz` finds a wrong program, and how small the question is that it shows."""
