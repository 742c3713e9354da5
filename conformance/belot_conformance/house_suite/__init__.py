"""The suite for house rules: its questions with their answers, and which of its rules they test."""
