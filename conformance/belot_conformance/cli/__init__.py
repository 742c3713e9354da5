"""The command ``belot``."""
