"""Wrong engines on purpose: does a case notice? Development only, not part of what is installed."""
