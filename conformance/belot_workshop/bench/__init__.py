"""Measurements of the engine and the runner."""
