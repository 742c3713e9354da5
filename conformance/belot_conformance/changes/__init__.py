"""What changed between two editions of the rules, in words, and which version that asks for."""
