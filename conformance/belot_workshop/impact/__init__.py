"""What a change of rules does to cases, positions, deals and matches."""
