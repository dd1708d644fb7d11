"""A package with `futures` in it."""
