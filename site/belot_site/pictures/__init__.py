"""Cases and whole deals as pictures with words."""
