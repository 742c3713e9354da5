"""The rules of belot as values: catalogue, sources and rulings, variants, profiles and wording; `load` reads them."""
