"""The suite for one table: its questions with their answers, and which of its rules they test."""
