"""The site: pages for players in Dutch, English and French, for programmers in English."""
