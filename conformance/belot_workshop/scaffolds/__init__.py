"""New variants and sources: files in which everything stands but what a person has to write."""
