//! `where`: moving one of two elements by a condition, which depends on their width only.

use super::super::kernel::{Kernels, map3};

pub(super) fn by_width(bytes: usize) -> Kernels {
    match bytes {
        1 => map3(|c: u8, x: u8, y: u8| if c != 0 { x } else { y }),
        2 => map3(|c: u8, x: u16, y: u16| if c != 0 { x } else { y }),
        4 => map3(|c: u8, x: u32, y: u32| if c != 0 { x } else { y }),
        8 => map3(|c: u8, x: u64, y: u64| if c != 0 { x } else { y }),
        _ => map3(|c: u8, x: [u64; 2], y: [u64; 2]| if c != 0 { x } else { y }),
    }
}
