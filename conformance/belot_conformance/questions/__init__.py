"""What is asked about belot, and how two answers to it are compared."""
