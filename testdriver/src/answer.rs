//! Results and their reasons, and the pointers of a C caller turned into references.

use level_zero_sys::ze_result_t;
use std::borrow::Cow;
use std::ffi::{c_char, c_void};

/// What a function of the driver answers.
pub(crate) type Answer<T = ()> = Result<T, Refusal>;

/// Any result but success, and why: a strict driver is of use only if it says what it minds.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    /// The code the caller gets.
    pub result: ze_result_t,
    /// The text behind `zeDriverGetLastErrorDescription`.
    pub why: Cow<'static, str>,
}

impl From<ze_result_t> for Refusal {
    fn from(result: ze_result_t) -> Refusal {
        Refusal { result, why: Cow::Borrowed("") }
    }
}

/// A refusal with its reason.
pub(crate) fn refusal(result: ze_result_t, why: impl Into<Cow<'static, str>>) -> Refusal {
    Refusal { result, why: why.into() }
}

/// A refusal as an answer.
pub(crate) fn refuse<T>(result: ze_result_t, why: impl Into<Cow<'static, str>>) -> Answer<T> {
    Err(refusal(result, why))
}

fn null() -> Refusal {
    refusal(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is null that must not be")
}

/// What a caller's pointer leads to.
///
/// # Safety
/// The pointer is null or leads to a `T` that stays as it is during the call.
pub(crate) unsafe fn read<'a, T>(pointer: *const T) -> Answer<&'a T> {
    // SAFETY: passed on to the caller.
    unsafe { pointer.as_ref() }.ok_or_else(null)
}

/// Where a caller wants an answer.
///
/// # Safety
/// The pointer is null or leads to a `T` that only this call uses meanwhile.
pub(crate) unsafe fn place<'a, T>(pointer: *mut T) -> Answer<&'a mut T> {
    // SAFETY: passed on to the caller.
    unsafe { pointer.as_mut() }.ok_or_else(null)
}

/// A caller's array.
///
/// # Safety
/// The pointer is null or leads to `count` values that stay as they are during the call.
pub(crate) unsafe fn array<'a, T>(pointer: *const T, count: usize) -> Answer<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null());
    }
    // SAFETY: passed on to the caller.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Answers a list by the two-call convention: a count of 0 or a null array asks for the number.
///
/// # Safety
/// `count` is null or leads to a number; `array` is null or has room for that many values.
pub(crate) unsafe fn enumerate<T: Copy>(count: *mut u32, array: *mut T, values: &[T]) -> Answer {
    // SAFETY: passed on to the caller.
    let count = unsafe { place(count) }?;
    let there_are = u32::try_from(values.len()).unwrap_or(u32::MAX);
    if array.is_null() || *count == 0 {
        *count = there_are;
        return Ok(());
    }
    *count = (*count).min(there_are);
    for (index, value) in values.iter().take(*count as usize).enumerate() {
        // SAFETY: the caller has room for `count` values, and `index` is below it.
        unsafe { array.add(index).write(*value) };
    }
    Ok(())
}

/// Answers bytes by the two-call convention: a null buffer asks for the length.
///
/// # Safety
/// `bytes` is null or leads to a number; `buffer` is null or has room for that many bytes.
pub(crate) unsafe fn give_bytes(bytes: *mut usize, buffer: *mut u8, data: &[u8]) -> Answer {
    // SAFETY: passed on to the caller.
    let bytes = unsafe { place(bytes) }?;
    if !buffer.is_null() {
        // SAFETY: the buffer has room for `bytes`, and no more are written.
        unsafe { buffer.copy_from_nonoverlapping(data.as_ptr(), data.len().min(*bytes)) };
    }
    *bytes = data.len();
    Ok(())
}

/// Writes a C string into a fixed field, cut to its length.
pub(crate) fn write_text(field: &mut [c_char], text: &str) {
    field.fill(0);
    let room = field.len().saturating_sub(1);
    for (place, byte) in field.iter_mut().take(room).zip(text.bytes()) {
        *place = byte as c_char;
    }
}

/// The head that all structures of a `pNext` chain have in common.
#[repr(C)]
pub(crate) struct Chained {
    /// Which structure it is.
    pub stype: level_zero_sys::ze_structure_type_t,
    /// The next one.
    pub next: *mut c_void,
}

/// The structures of a `pNext` chain.
///
/// # Safety
/// The chain is well-formed and stays as it is while the iterator is used.
pub(crate) unsafe fn chain(first: *const c_void) -> impl Iterator<Item = *mut Chained> {
    let mut next = first.cast_mut().cast::<Chained>();
    std::iter::from_fn(move || {
        let here = next;
        // SAFETY: passed on to the caller; each element leads to the next or to null.
        next = unsafe { here.as_ref() }?.next.cast();
        Some(here)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_counted_then_given() {
        let mut count = 0;
        // SAFETY: a null array asks for the number.
        unsafe { enumerate(&mut count, std::ptr::null_mut(), &[7, 8, 9]) }.expect("counted");
        assert_eq!(count, 3);
        let mut values = [0; 2];
        count = 2;
        // SAFETY: there is room for two.
        unsafe { enumerate(&mut count, values.as_mut_ptr(), &[7, 8, 9]) }.expect("given");
        assert_eq!((count, values), (2, [7, 8]));
    }

    #[test]
    fn null_pointers_are_refused_not_followed() {
        let code = ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER;
        // SAFETY: null is allowed.
        unsafe {
            assert_eq!(read::<u32>(std::ptr::null()).expect_err("null").result, code);
            assert_eq!(place::<u32>(std::ptr::null_mut()).expect_err("null").result, code);
            assert!(array::<u32>(std::ptr::null(), 0).expect("nothing is needed").is_empty());
            assert_eq!(array::<u32>(std::ptr::null(), 1).expect_err("null").result, code);
        }
    }

    #[test]
    fn text_is_cut_and_terminated() {
        let mut field = [1; 4];
        write_text(&mut field, "device");
        assert_eq!(field.map(|byte| byte as u8), *b"dev\0");
    }
}
