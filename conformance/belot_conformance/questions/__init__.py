"""What is asked about belot: each operation in one value, and questions drawn by the rules of a profile."""
