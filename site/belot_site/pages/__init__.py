"""A module for each kind of page, its templates, and what stands on the page that the spec does not say."""
