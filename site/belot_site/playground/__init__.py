"""The playground's own part of Python: what runs in the browser, how it gets there, and addresses that lead to it."""
