//! The table of element-wise primitives: name, arity, doc line, dtype rule and loop family of each.
