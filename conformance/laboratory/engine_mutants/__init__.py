"""``make engine-mutants``: broken engines, asked every case; the survivors with their reasons."""
