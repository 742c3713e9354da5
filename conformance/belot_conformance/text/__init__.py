"""What people see, whatever it is about: pages, cards, progress, files that are written whole."""
