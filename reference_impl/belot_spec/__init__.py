"""The rules of belot as data: a strict loader, the catalogue, sources and rulings, variants, profiles and wording."""
