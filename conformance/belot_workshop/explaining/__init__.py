"""Wrong programs of many kinds, and what is said of them."""
