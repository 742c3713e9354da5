"""Random tables, to try whether the suite works for any of them."""
