"""Explaining what a program does otherwise."""
