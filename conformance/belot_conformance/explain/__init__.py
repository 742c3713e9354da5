"""Which rules a program plays, from its answers, and what wrong ones have in common where no rule explains them."""
