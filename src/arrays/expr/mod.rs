//! Pending expressions: a graph over arrays and scalars, computed in one pass when a value must exist.
