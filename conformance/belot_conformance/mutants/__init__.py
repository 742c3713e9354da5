"""Mutants of the rules: what each case notices, and which mistake a program's failures look like."""
