"""Which rules a program plays, from its answers, and what its wrong answers have in common where no rule explains them."""
