//! Showing values.
