"""The site: pages in Dutch and English, generated from the spec and the cases."""
