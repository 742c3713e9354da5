"""The golden cases: reading, choosing, comparing, judging and exporting them."""
