"""What the pages tell: rules and cases, their edition in each language, and both as pictures."""
