"""Making files of the pages: the build, the search, and what mkdocs calls."""
