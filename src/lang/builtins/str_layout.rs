//! Justification of texts and bytes.

/// Fill characters on the left of a centered text: CPython puts the odd one left when the width is odd.
pub fn center_left(missing: usize, width: i64) -> usize {
    missing / 2 + (missing & width as usize & 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_odd_fill_goes_where_cpython_puts_it() {
        // 'ab'.center(5), 'abc'.center(6), 'a'.center(4)
        assert_eq!(super::center_left(3, 5), 2);
        assert_eq!(super::center_left(3, 6), 1);
        assert_eq!(super::center_left(3, 4), 1);
    }
}
