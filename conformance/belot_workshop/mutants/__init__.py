"""The lab: changes every rule value, and asks whether the cases notice."""
