"""What the project is tried with, in a clone alone: wrong programs, small breaks, hostile trials, measurements."""
