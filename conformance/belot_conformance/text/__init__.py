"""What people see, whatever it is about: pages, Markdown, cards."""
