//! Moving bytes: filling, gathering from and scattering to strided memory, and copies that go around the cache.

use smallvec::SmallVec;
use std::sync::OnceLock;

/// Bytes of the last-level cache; results larger than this are written around the cache.
pub fn last_level_cache_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        (2..=4)
            .filter_map(|level| {
                let text =
                    std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{level}/size")).ok()?;
                let text = text.trim();
                let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
                let scale = match unit {
                    "K" => 1 << 10,
                    "M" => 1 << 20,
                    _ => 1,
                };
                digits.parse::<usize>().ok().map(|n| n * scale)
            })
            .max()
            .unwrap_or(32 << 20)
    })
}

/// Copies to memory that will not be read soon, without bringing its lines into the cache.
///
/// # Safety
/// As `std::ptr::copy_nonoverlapping` for `bytes` bytes.
pub unsafe fn stream_copy(to: *mut u8, from: *const u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    let head = to.align_offset(64).min(bytes);
    let lines = (bytes - head) / 64;
    // SAFETY: head + 64 * lines + tail = bytes; the middle part of the target is aligned.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        let (mut source, mut target) = (from.add(head).cast::<__m128i>(), to.add(head).cast::<__m128i>());
        for _ in 0..lines {
            let (a, b) = (_mm_loadu_si128(source), _mm_loadu_si128(source.add(1)));
            let (c, d) = (_mm_loadu_si128(source.add(2)), _mm_loadu_si128(source.add(3)));
            _mm_stream_si128(target, a);
            _mm_stream_si128(target.add(1), b);
            _mm_stream_si128(target.add(2), c);
            _mm_stream_si128(target.add(3), d);
            source = source.add(4);
            target = target.add(4);
        }
        let done = head + lines * 64;
        std::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
    }
}

/// Makes streamed lines visible to other threads before they are told that the work is done.
pub fn stream_fence() {
    // SAFETY: SSE is part of x86-64.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

macro_rules! by_width {
    ($width:expr, $t:ident => $body:expr) => {
        match $width {
            1 => {
                type $t = u8;
                $body
            }
            2 => {
                type $t = u16;
                $body
            }
            4 => {
                type $t = u32;
                $body
            }
            8 => {
                type $t = u64;
                $body
            }
            _ => {
                type $t = [u64; 2];
                $body
            }
        }
    };
}

/// Repeats one element over a tile.
///
/// # Safety
/// `value` has `width` bytes and `tile` room for `n` elements, aligned for them.
pub unsafe fn fill_tile(tile: *mut u8, value: *const u8, width: usize, n: usize) {
    // SAFETY: the contract.
    by_width!(width, T => unsafe {
        let value = value.cast::<T>().read_unaligned();
        std::slice::from_raw_parts_mut(tile.cast::<T>(), n).fill(value);
    })
}

/// Splits a linear index into one index for each axis.
pub fn unravel(mut linear: usize, shape: &[usize]) -> SmallVec<[usize; 6]> {
    let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, shape.len());
    for (axis, &len) in shape.iter().enumerate().rev() {
        index[axis] = linear % len;
        linear /= len;
    }
    index
}

/// Calls `run(position, count, offset)` for each stretch of the innermost axis in `start..start + n`: `position`
/// counts elements from `start`, `offset` is where the stretch begins in bytes.
#[inline]
fn for_each_run(shape: &[usize], strides: &[isize], start: usize, n: usize, mut run: impl FnMut(usize, usize, isize)) {
    let Some((&inner, outer)) = shape.split_last() else {
        return run(0, n, 0);
    };
    let inner_stride = strides[outer.len()];
    let mut index = unravel(start, shape);
    let mut base: isize = index[..outer.len()].iter().zip(strides).map(|(&i, &s)| i as isize * s).sum();
    let mut column = index[outer.len()];
    let mut position = 0;
    while position < n {
        let count = (inner - column).min(n - position);
        run(position, count, base + column as isize * inner_stride);
        position += count;
        column = 0;
        for axis in (0..outer.len()).rev() {
            index[axis] += 1;
            base += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            base -= strides[axis] * shape[axis] as isize;
            index[axis] = 0;
        }
    }
}

/// Gathers `n` elements from `start` on, in linear order, into a contiguous tile.
///
/// # Safety
/// The strided memory is readable over the range, the tile has room.
pub unsafe fn copy_strided_in(
    tile: *mut u8,
    base: *const u8,
    width: usize,
    shape: &[usize],
    strides: &[isize],
    start: usize,
    n: usize,
) {
    let stride = strides.last().copied().unwrap_or(0);
    by_width!(width, T => for_each_run(shape, strides, start, n, |position, count, offset| {
        // SAFETY: the contract; tiles are aligned, strided memory may not be.
        unsafe {
            let target = tile.cast::<T>().add(position);
            let source = base.offset(offset);
            if stride == size_of::<T>() as isize {
                std::ptr::copy_nonoverlapping(source, target.cast::<u8>(), count * size_of::<T>());
            } else {
                for i in 0..count {
                    target.add(i).write(source.offset(i as isize * stride).cast::<T>().read_unaligned());
                }
            }
        }
    }))
}

/// Where `n` elements from `start` on lie one after the other in strided memory, if they do: the offset of the first, in bytes.
pub fn contiguous_run(shape: &[usize], strides: &[isize], width: usize, start: usize, n: usize) -> Option<isize> {
    let (&inner, &stride) = shape.last().zip(strides.last())?;
    if stride != width as isize || start % inner + n > inner {
        return None;
    }
    Some(unravel(start, shape).iter().zip(strides).map(|(&index, &stride)| index as isize * stride).sum())
}

/// Scatters a contiguous tile to `n` elements from `start` on, in linear order.
///
/// # Safety
/// The strided memory is writable over the range and disjoint from the tile.
pub unsafe fn copy_strided_out(
    tile: *const u8,
    base: *mut u8,
    width: usize,
    shape: &[usize],
    strides: &[isize],
    start: usize,
    n: usize,
) {
    let stride = strides.last().copied().unwrap_or(0);
    by_width!(width, T => for_each_run(shape, strides, start, n, |position, count, offset| {
        // SAFETY: the contract; tiles are aligned, strided memory may not be.
        unsafe {
            let source = tile.cast::<T>().add(position);
            let target = base.offset(offset);
            if stride == size_of::<T>() as isize {
                std::ptr::copy_nonoverlapping(source.cast::<u8>(), target, count * size_of::<T>());
            } else {
                for i in 0..count {
                    target.offset(i as isize * stride).cast::<T>().write_unaligned(source.add(i).read());
                }
            }
        }
    }))
}
