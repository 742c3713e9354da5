"""A ruleset as plain arrays, and kernels that play by them; needs the extra ``fast``, and nothing else needs it."""
