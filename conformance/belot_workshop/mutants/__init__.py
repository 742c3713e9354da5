"""Every rule value changed in turn, and whether a case notices it, or any could."""
