"""``make breaks``: small breaks of the product, drawn by lot, and whether a test notices each."""
