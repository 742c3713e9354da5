"""Recorded deals and matches, and what situations lack, written as cases."""
