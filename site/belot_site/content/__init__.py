"""What the pages tell: the library of rules and cases, and its edition in each language."""
