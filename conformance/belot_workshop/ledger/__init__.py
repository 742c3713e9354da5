"""Published programs: getting them, and measuring what they play."""
