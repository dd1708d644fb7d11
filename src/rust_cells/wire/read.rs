//! Requests from bytes.

use num_complex::Complex64;

use super::{ARGUMENTS_MAX, Data, FunctionInfo, FunctionKind, Malformed, Named, RANK_MAX, Request, Term};
use crate::arrays::expr::ReduceOp;
use crate::arrays::layout::BasicIndex;
use crate::arrays::op::Op;
use crate::arrays::scalar::Scalar;
use crate::arrays::{DType, Operand};

/// Reads numbers and texts from a frame, never beyond its end.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

type Read<T> = Result<T, Malformed>;

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| Malformed("it ends too early"))
    }

    fn u8(&mut self) -> Read<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A 64-bit number.
    pub fn u64(&mut self) -> Read<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn i64(&mut self) -> Read<i64> {
        Ok(i64::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Read<f64> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn flag(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed("a flag is neither 0 nor 1")),
        }
    }

    /// How many items of at least `bytes_each` follow.
    fn count(&mut self, bytes_each: usize) -> Read<usize> {
        let count = self.u32()? as usize;
        if count.checked_mul(bytes_each).is_none_or(|bytes| bytes > self.rest.len()) {
            return Err(Malformed("it counts more items than it has bytes"));
        }
        Ok(count)
    }

    fn text(&mut self) -> Read<String> {
        let count = self.count(1)?;
        let text = std::str::from_utf8(self.take(count)?).map_err(|_| Malformed("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }

    fn many<T>(&mut self, bytes_each: usize, mut one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.count(bytes_each)?;
        (0..count).map(|_| one(self)).collect()
    }

    fn axes<T>(&mut self, one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let axes = self.many(8, one)?;
        if axes.len() > RANK_MAX { Err(Malformed("an array has more than 64 axes")) } else { Ok(axes) }
    }

    /// A dtype by its number.
    pub fn dtype(&mut self) -> Read<DType> {
        let number = self.u8()? as usize;
        DType::ALL.get(number).copied().ok_or(Malformed("a dtype has no such number"))
    }

    fn op(&mut self) -> Read<Op> {
        let name = self.text()?;
        Op::ALL.iter().copied().find(|op| op.name() == name).ok_or(Malformed("an operation has no such name"))
    }

    fn reduce_op(&mut self) -> Read<ReduceOp> {
        let (name, ddof) = (self.text()?, self.f64()?);
        Ok(match name.as_str() {
            "sum" => ReduceOp::Sum,
            "prod" => ReduceOp::Product,
            "max" => ReduceOp::Maximum,
            "min" => ReduceOp::Minimum,
            "mean" => ReduceOp::Mean,
            "var" => ReduceOp::Variance { ddof },
            "std" => ReduceOp::Deviation { ddof },
            "all" => ReduceOp::All,
            "any" => ReduceOp::Any,
            "argmax" => ReduceOp::Argmax,
            "argmin" => ReduceOp::Argmin,
            "count_nonzero" => ReduceOp::CountNonzero,
            "norm" => ReduceOp::Norm,
            _ => return Err(Malformed("a reduction has no such name")),
        })
    }

    fn scalar(&mut self) -> Read<Scalar> {
        Ok(match self.u8()? {
            0 => Scalar::Bool(self.flag()?),
            1 => Scalar::Int(i128::from_le_bytes(self.array()?)),
            2 => Scalar::Float(self.f64()?),
            3 => Scalar::Complex(Complex64::new(self.f64()?, self.f64()?)),
            _ => return Err(Malformed("a number is of no known kind")),
        })
    }

    fn term(&mut self) -> Read<Term> {
        Ok(match self.u8()? {
            0 => Term::Handle(self.u64()?),
            // Numbers in Rust text take the width of the arrays they meet, as in Python.
            1 => Term::Scalar(Operand::Weak(self.scalar()?)),
            _ => return Err(Malformed("an operand is of no known kind")),
        })
    }

    fn index(&mut self) -> Read<BasicIndex> {
        let optional = |reader: &mut Self| Ok(if reader.flag()? { Some(reader.i64()?) } else { None });
        Ok(match self.u8()? {
            0 => BasicIndex::At(self.i64()?),
            1 => BasicIndex::Slice { start: optional(self)?, stop: optional(self)?, step: optional(self)? },
            2 => BasicIndex::NewAxis,
            3 => BasicIndex::Ellipsis,
            _ => return Err(Malformed("an index is of no known kind")),
        })
    }

    fn function(&mut self) -> Read<FunctionInfo> {
        let (number, name) = (self.u32()?, self.text()?);
        let kind = match self.u8()? {
            0 => FunctionKind::Pieces,
            1 => FunctionKind::Whole,
            _ => return Err(Malformed("a function is of no known kind")),
        };
        let inputs = self.many(1, Self::dtype)?;
        if inputs.is_empty() || inputs.len() > ARGUMENTS_MAX {
            return Err(Malformed("a function takes 1 to 16 arrays"));
        }
        Ok(FunctionInfo { number, name, kind, inputs, output: self.dtype()? })
    }

    /// What is left, all of it.
    fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rest).to_vec()
    }

    fn end(&self) -> Read<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed("it goes on after its end")) }
    }
}

impl Request {
    /// Reads a whole frame.
    pub fn parse(bytes: &[u8]) -> Result<Request, Malformed> {
        let reader = &mut Reader::new(bytes);
        let request = Self::read(reader)?;
        reader.end()?;
        Ok(request)
    }

    fn read(reader: &mut Reader<'_>) -> Read<Request> {
        use Request as R;
        Ok(match reader.u8()? {
            1 => R::Get { name: reader.text()?, into: reader.u64()? },
            2 => R::Put { name: reader.text()?, from: reader.u64()? },
            3 => R::Release { handles: reader.many(8, Reader::u64)? },
            4 => R::Clone { from: reader.u64()?, into: reader.u64()? },
            5 => R::Copy { from: reader.u64()?, into: reader.u64()? },
            6 => {
                let op = reader.op()?;
                let operands = reader.many(1, Reader::term)?;
                if operands.len() != op.arity() {
                    return Err(Malformed("an operation has the wrong number of operands"));
                }
                R::Apply { op, operands, into: reader.u64()? }
            }
            7 => {
                let (op, from) = (reader.reduce_op()?, reader.u64()?);
                let axes = if reader.flag()? { Some(reader.axes(Reader::i64)?) } else { None };
                R::Reduce { op, from, axes, keepdims: reader.flag()?, into: reader.u64()? }
            }
            8 => R::Matmul { left: reader.u64()?, right: reader.u64()?, into: reader.u64()? },
            9 => R::Reshape { from: reader.u64()?, shape: reader.axes(Reader::i64)?, into: reader.u64()? },
            10 => R::Transpose { from: reader.u64()?, into: reader.u64()? },
            11 => {
                let (from, items) = (reader.u64()?, reader.many(1, Reader::index)?);
                if items.len() > RANK_MAX {
                    return Err(Malformed("an index has more than 64 items"));
                }
                R::Index { from, items, into: reader.u64()? }
            }
            12 => R::Cast { from: reader.u64()?, dtype: reader.dtype()?, into: reader.u64()? },
            13 => R::Move { from: reader.u64()?, device: reader.text()?, into: reader.u64()? },
            14 => {
                let (shape, value) = (reader.axes(Reader::u64)?, reader.scalar()?);
                let dtype = if reader.flag()? { Some(reader.dtype()?) } else { None };
                R::Fill { shape, value, dtype, into: reader.u64()? }
            }
            15 => R::Range {
                start: reader.scalar()?,
                stop: reader.scalar()?,
                step: reader.scalar()?,
                into: reader.u64()?,
            },
            16 => {
                let (into, dtype, shape) = (reader.u64()?, reader.dtype()?, reader.axes(Reader::u64)?);
                let data = if reader.flag()? { Data::Window } else { Data::Inline(reader.rest()) };
                R::Create { dtype, shape, data, into }
            }
            17 => R::Read { from: reader.u64()? },
            18 => {
                let target = reader.u64()?;
                let op = if reader.flag()? { Some(reader.op()?) } else { None };
                if op.is_some_and(|op| op.arity() != 2) {
                    return Err(Malformed("an assignment takes an operation of two operands"));
                }
                R::Assign { target, op, value: reader.term()? }
            }
            19 => R::Show { from: reader.u64()? },
            20 => R::Compute { from: reader.u64()? },
            21 => {
                let named = |reader: &mut Reader<'_>| Ok(Named { path: reader.text()?, handle: reader.u64()? });
                R::Name { named: reader.many(12, named)? }
            }
            22 => R::Register { function: reader.function()? },
            _ => return Err(Malformed("it is of no known kind")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, FRAME_BYTES_MAX, Writer};
    use super::*;
    use proptest::prelude::*;

    fn body(writer: Writer) -> Vec<u8> {
        writer.finish()[4..].to_vec()
    }

    #[test]
    fn a_request_is_read_whole_or_not_at_all() {
        let frame = body(Writer::new().u8(1).text("a").u64(7));
        assert_eq!(Request::parse(&frame), Ok(Request::Get { name: "a".into(), into: 7 }));
        for end in 0..frame.len() {
            assert!(Request::parse(&frame[..end]).is_err(), "{end} bytes of {} were taken", frame.len());
        }
        let longer = [frame, vec![0]].concat();
        assert_eq!(Request::parse(&longer), Err(Malformed("it goes on after its end")));
    }

    #[test]
    fn what_is_counted_must_be_there() {
        let many = Malformed("it counts more items than it has bytes");
        assert_eq!(Request::parse(&body(Writer::new().u8(3).u32(u32::MAX))), Err(many));
        assert_eq!(Request::parse(&body(Writer::new().u8(1).u32(u32::MAX))), Err(many));
        assert_eq!(Request::parse(&body(Writer::new().u8(21).u32(u32::MAX / 8).u64(1))), Err(many));
        let axes = body((0..65).fold(Writer::new().u8(9).u64(1).u32(65), |writer, _| writer.u64(1)).u64(2));
        assert_eq!(Request::parse(&axes), Err(Malformed("an array has more than 64 axes")));
        let two = body(Writer::new().u8(6).text("negative").u32(2).u8(0).u64(1).u8(0).u64(2).u64(3));
        assert_eq!(Request::parse(&two), Err(Malformed("an operation has the wrong number of operands")));
    }

    #[test]
    fn an_operation_is_read_by_its_name() {
        let frame = body(Writer::new().u8(6).text("add").u32(2).u8(0).u64(1).u8(1).u8(2).u64(2.5f64.to_bits()).u64(3));
        let operands = vec![Term::Handle(1), Term::Scalar(Operand::Weak(Scalar::Float(2.5)))];
        assert_eq!(Request::parse(&frame), Ok(Request::Apply { op: Op::Add, operands, into: 3 }));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = "é".repeat(FRAME_BYTES_MAX);
        let frame = Answer::Shown(text).frame();
        assert!(frame.len() <= FRAME_BYTES_MAX);
        let mut reader = Reader::new(&frame[5..]);
        assert!(reader.text().is_ok_and(|text| text.ends_with('é')));
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Request::parse(&bytes);
        }

        #[test]
        fn a_known_kind_with_any_content_is_taken_or_refused(
            kind in 1u8..24,
            counts in proptest::collection::vec(prop_oneof![Just(0u32), Just(1), Just(2), Just(u32::MAX), any::<u32>()], 0..8),
            tail in proptest::collection::vec(any::<u8>(), 0..100),
        ) {
            let writer = counts.iter().fold(Writer::new().u8(kind), |writer, &count| writer.u32(count));
            let _ = Request::parse(&body(writer.bytes(&tail)));
        }
    }
}
