"""The rules read from files and held against their schemas: YAML, JSON Schema, lint and figures."""
