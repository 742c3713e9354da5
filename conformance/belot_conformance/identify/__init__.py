"""Which rules a program plays: searched for among all values, by the answers that it gave."""
