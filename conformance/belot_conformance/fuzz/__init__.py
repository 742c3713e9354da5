"""Random questions without end: put to a program, compared, shrunk, and sorted by what causes them."""
