"""Making files of the pages: the build, the menu, the search, what mkdocs calls, and a server to look at them."""
