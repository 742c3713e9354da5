"""Releases of rules and cases, and what keeps released cases as they are."""
