"""Recorded deals and matches, written as cases."""
