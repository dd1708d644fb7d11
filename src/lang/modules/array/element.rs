//! Elements of an `array.array`: the codes, their bytes, what fits.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::lang::builtins::number_text::plain_nan;
use crate::lang::modules::support::integer;
use crate::lang::raise::{Fallible, Raised, overflow_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Every code, in the order `array.typecodes` has them.
pub(super) const CODES: &str = "bBuhHiIlLqQfd";

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(char);

impl Code {
    /// The code of a letter.
    pub(super) fn of(letter: char) -> Option<Self> {
        CODES.contains(letter).then_some(Self(letter))
    }

    /// The letter.
    pub(super) fn letter(self) -> char {
        self.0
    }

    /// Bytes of one element.
    pub(super) fn itemsize(self) -> usize {
        match self.0 {
            'b' | 'B' => 1,
            'h' | 'H' => 2,
            'u' | 'i' | 'I' | 'f' => 4,
            _ => 8,
        }
    }

    fn too_large(self) -> Raised {
        overflow_error(match self.0 {
            'b' => "signed char is greater than maximum",
            'B' => "unsigned byte integer is greater than maximum",
            'h' => "signed short integer is greater than maximum",
            'H' => "unsigned short is greater than maximum",
            'i' => "signed integer is greater than maximum",
            'I' => "unsigned int is greater than maximum",
            'l' => "Python int too large to convert to C long",
            'L' => "Python int too large to convert to C unsigned long",
            _ => "int too big to convert",
        })
    }

    fn too_small(self) -> Raised {
        match self.0 {
            'b' => overflow_error("signed char is less than minimum"),
            'B' => overflow_error("unsigned byte integer is less than minimum"),
            'h' => overflow_error("signed short integer is less than minimum"),
            'H' => overflow_error("unsigned short is less than minimum"),
            'i' => overflow_error("signed integer is less than minimum"),
            'I' | 'L' => overflow_error("can't convert negative value to unsigned int"),
            'Q' => overflow_error("can't convert negative int to unsigned"),
            'l' => overflow_error("Python int too large to convert to C long"),
            _ => overflow_error("int too big to convert"),
        }
    }

    /// The bounds of a whole number.
    fn bounds(self) -> (BigInt, BigInt) {
        let bits = self.itemsize() as u32 * 8;
        let one = BigInt::from(1);
        if self.0.is_ascii_uppercase() {
            (BigInt::from(0), (one.clone() << bits) - one)
        } else {
            (-(one.clone() << (bits - 1)), (one.clone() << (bits - 1)) - one)
        }
    }

    /// The bytes of a value.
    pub(super) fn pack(self, vm: &mut Vm, value: &Value) -> Fallible<Vec<u8>> {
        match self.0 {
            'd' => Ok(plain_nan(vm.float(value)?).to_ne_bytes().to_vec()),
            'f' => Ok((plain_nan(vm.float(value)?) as f32).to_ne_bytes().to_vec()),
            'u' => {
                let mut chars =
                    value.as_str().ok_or_else(|| type_error("array item must be unicode character"))?.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) => Ok(u32::from(c).to_ne_bytes().to_vec()),
                    _ => Err(type_error("array item must be unicode character")),
                }
            }
            _ => {
                let number = integer(vm, value)?;
                let (low, high) = self.bounds();
                if number < low {
                    return Err(self.too_small());
                }
                if number > high {
                    return Err(self.too_large());
                }
                let wide = number.to_i128().unwrap_or(0).to_ne_bytes();
                Ok(wide[..self.itemsize()].to_vec())
            }
        }
    }

    /// The value of bytes.
    pub(super) fn unpack(self, data: &[u8]) -> Fallible<Value> {
        let mut wide = [0; 8];
        wide[..data.len()].copy_from_slice(data);
        let bits = u64::from_ne_bytes(wide);
        Ok(match self.0 {
            'd' => Value::Float(f64::from_bits(bits)),
            'f' => Value::Float(f32::from_bits(bits as u32).into()),
            'u' => match char::from_u32(bits as u32) {
                Some(c) => Value::str(c.to_string()),
                None => return Err(value_error(format!("character U+{bits:x} is not in range [U+0000; U+10ffff]"))),
            },
            'b' => Value::Int((bits as i8).into()),
            'h' => Value::Int((bits as i16).into()),
            'i' => Value::Int((bits as i32).into()),
            'l' | 'q' => Value::Int(bits as i64),
            _ => Value::int(bits),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_their_code_says() {
        let code = |letter| Code::of(letter).expect("a code");
        assert!(matches!(code('b').unpack(&[0xff]), Ok(Value::Int(-1))));
        assert!(matches!(code('B').unpack(&[0xff]), Ok(Value::Int(255))));
        assert!(matches!(code('d').unpack(&1.5_f64.to_ne_bytes()), Ok(Value::Float(x)) if x == 1.5));
        assert!(matches!(code('Q').unpack(&[0xff; 8]), Ok(Value::Big(_))));
        assert!(Code::of('z').is_none());
        assert_eq!(code('h').bounds(), (BigInt::from(-32768), BigInt::from(32767)));
    }
}
