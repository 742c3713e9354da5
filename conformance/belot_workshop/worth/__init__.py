"""What every option and every other value of a rule is worth: how often deals and matches end otherwise by it."""
