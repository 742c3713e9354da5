"""Mistakes: other values of the rules, what each case notices of them, and which one a program's failures look like."""
