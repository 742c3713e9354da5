"""A ruleset as plain arrays, and kernels that play by them; needs the extra ``fast``, and nothing else needs it.

A kernel is a function that numba compiles. Everywhere in them ``t`` are the tables of a ruleset (``tables``), ``g`` the
nodes of its graph of tricks, and ``deal`` the record of one deal (``record``), which they change. A set of cards is a
number with a bit for each card: eight bits a suit, from the seven up: ``cards >> 8 * suit & 0xFF`` are the ranks
of a suit.
"""
