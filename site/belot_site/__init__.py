"""The site: pages in Dutch and English, some in French, generated from the spec and the cases."""
