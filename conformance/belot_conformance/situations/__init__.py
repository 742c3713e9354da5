"""What questions are about: their features, with words, and the situations that every suite asks about."""
