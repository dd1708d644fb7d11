//! Values and addresses of a module, with operators that append instructions.

use super::{Emitter, Memory, Std, Type};
use rspirv::dr::Operand;
use rspirv::spirv::{MemoryAccess, Op, Scope, StorageClass, Word};

/// A value of a module: one, or several side by side. An operation on values of different widths repeats single ones.
#[derive(Clone, Copy)]
pub(in crate::arrays::spirv) struct Reg<'e> {
    pub(super) emitter: &'e Emitter,
    pub(super) id: Word,
    pub(in crate::arrays::spirv) ty: Type,
    /// How many values there are.
    pub(super) width: u32,
}

macro_rules! operator {
    ($trait:ident $method:ident, $int:ident, $float:ident) => {
        impl<'e> std::ops::$trait for Reg<'e> {
            type Output = Reg<'e>;
            fn $method(self, other: Reg<'e>) -> Reg<'e> {
                debug_assert_eq!(self.ty.bits(), other.ty.bits());
                self.emitter.append(if self.ty.is_float() { Op::$float } else { Op::$int }, self.ty, [self, other])
            }
        }
    };
}

macro_rules! bits {
    ($trait:ident $method:ident, $int:ident, $truth:ident) => {
        impl<'e> std::ops::$trait for Reg<'e> {
            type Output = Reg<'e>;
            fn $method(self, other: Reg<'e>) -> Reg<'e> {
                debug_assert_eq!(self.ty.bits(), other.ty.bits());
                let op = if self.ty == Type::Bool { Op::$truth } else { Op::$int };
                self.emitter.append(op, self.ty, [self, other])
            }
        }
    };
}

operator!(Add add, IAdd, FAdd);
operator!(Sub sub, ISub, FSub);
operator!(Mul mul, IMul, FMul);
bits!(BitAnd bitand, BitwiseAnd, LogicalAnd);
bits!(BitOr bitor, BitwiseOr, LogicalOr);
bits!(BitXor bitxor, BitwiseXor, LogicalNotEqual);

/// Division of floats; of integers it truncates and has no answer for zero and for the smallest by minus one.
impl<'e> std::ops::Div for Reg<'e> {
    type Output = Reg<'e>;
    fn div(self, other: Reg<'e>) -> Reg<'e> {
        let op = match self.ty {
            ty if ty.is_float() => Op::FDiv,
            ty if ty.is_signed() => Op::SDiv,
            _ => Op::UDiv,
        };
        self.emitter.append(op, self.ty, [self, other])
    }
}

/// What truncating division leaves, with the sign of the dividend.
impl<'e> std::ops::Rem for Reg<'e> {
    type Output = Reg<'e>;
    fn rem(self, other: Reg<'e>) -> Reg<'e> {
        match self.ty {
            ty if ty.is_float() => self.std2(Std::fmod, other),
            ty if ty.is_signed() => self.emitter.append(Op::SRem, self.ty, [self, other]),
            ty => self.emitter.append(Op::UMod, ty, [self, other]),
        }
    }
}

impl<'e> std::ops::Neg for Reg<'e> {
    type Output = Reg<'e>;
    fn neg(self) -> Reg<'e> {
        self.emitter.append(if self.ty.is_float() { Op::FNegate } else { Op::SNegate }, self.ty, [self])
    }
}

impl<'e> std::ops::Not for Reg<'e> {
    type Output = Reg<'e>;
    fn not(self) -> Reg<'e> {
        match self.ty {
            // Intel's graphics compiler of driver 22.43 ends the process over `LogicalNot`.
            Type::Bool => self ^ self.emitter.truth(true),
            ty => self.emitter.append(Op::Not, ty, [self]),
        }
    }
}

impl<'e> Reg<'e> {
    pub(in crate::arrays::spirv) fn emitter(self) -> &'e Emitter {
        self.emitter
    }

    /// A number of this register's type.
    pub(in crate::arrays::spirv) fn like(self, value: f64) -> Reg<'e> {
        if self.ty.is_float() { self.emitter.float(self.ty, value) } else { self.emitter.int(self.ty, value as i64) }
    }

    fn compare(self, other: Reg<'e>, float: Op, signed: Op, unsigned: Op) -> Reg<'e> {
        debug_assert_eq!(self.ty.bits(), other.ty.bits());
        let op = match self.ty {
            ty if ty.is_float() => float,
            ty if ty.is_signed() => signed,
            _ => unsigned,
        };
        self.emitter.append(op, Type::Bool, [self, other])
    }

    pub(in crate::arrays::spirv) fn eq(self, other: Reg<'e>) -> Reg<'e> {
        if self.ty == Type::Bool {
            return self.emitter.append(Op::LogicalEqual, Type::Bool, [self, other]);
        }
        self.compare(other, Op::FOrdEqual, Op::IEqual, Op::IEqual)
    }

    pub(in crate::arrays::spirv) fn ne(self, other: Reg<'e>) -> Reg<'e> {
        if self.ty == Type::Bool {
            return self ^ other;
        }
        self.compare(other, Op::FUnordNotEqual, Op::INotEqual, Op::INotEqual)
    }

    pub(in crate::arrays::spirv) fn lt(self, other: Reg<'e>) -> Reg<'e> {
        self.compare(other, Op::FOrdLessThan, Op::SLessThan, Op::ULessThan)
    }

    pub(in crate::arrays::spirv) fn le(self, other: Reg<'e>) -> Reg<'e> {
        self.compare(other, Op::FOrdLessThanEqual, Op::SLessThanEqual, Op::ULessThanEqual)
    }

    pub(in crate::arrays::spirv) fn gt(self, other: Reg<'e>) -> Reg<'e> {
        self.compare(other, Op::FOrdGreaterThan, Op::SGreaterThan, Op::UGreaterThan)
    }

    pub(in crate::arrays::spirv) fn ge(self, other: Reg<'e>) -> Reg<'e> {
        self.compare(other, Op::FOrdGreaterThanEqual, Op::SGreaterThanEqual, Op::UGreaterThanEqual)
    }

    /// Whether this is not a number; never for integers.
    pub(in crate::arrays::spirv) fn is_nan(self) -> Reg<'e> {
        if self.ty.is_float() { self.ne(self) } else { self.emitter.truth(false) }
    }

    /// This value so many times side by side.
    pub(in crate::arrays::spirv) fn repeated(self, width: u32) -> Reg<'e> {
        if self.width == width {
            return self;
        }
        assert_eq!(self.width, 1, "values of different widths meet");
        let state = &mut *self.emitter.state.borrow_mut();
        let vector = state.values_id(self.ty, width);
        let parts = vec![Operand::IdRef(self.id); width as usize];
        Reg { id: state.append(Op::CompositeConstruct, vector, parts), width, ..self }
    }

    /// The first where this truth value holds, else the second.
    pub(in crate::arrays::spirv) fn select(self, yes: Reg<'e>, no: Reg<'e>) -> Reg<'e> {
        debug_assert_eq!(yes.ty.bits(), no.ty.bits());
        self.emitter.append(Op::Select, yes.ty, [self, yes, no])
    }

    /// A function of OpenCL's library that answers in the operand's type.
    pub(in crate::arrays::spirv) fn std1(self, function: Std) -> Reg<'e> {
        self.emitter.standard(function, self.ty, [self])
    }

    /// As [`Reg::std1`], with two operands.
    pub(in crate::arrays::spirv) fn std2(self, function: Std, other: Reg<'e>) -> Reg<'e> {
        self.emitter.standard(function, self.ty, [self, other])
    }

    /// As [`Reg::std1`], with three operands.
    pub(in crate::arrays::spirv) fn std3(self, function: Std, second: Reg<'e>, third: Reg<'e>) -> Reg<'e> {
        self.emitter.standard(function, self.ty, [self, second, third])
    }

    /// This float times two to a 32-bit power, rounded once.
    pub(in crate::arrays::spirv) fn scaled(self, exponent: Reg<'e>) -> Reg<'e> {
        self.emitter.standard(Std::ldexp, self.ty, [self, exponent])
    }

    pub(in crate::arrays::spirv) fn abs(self) -> Reg<'e> {
        if self.ty.is_float() { self.std1(Std::fabs) } else { self.lt(self.like(0.0)).select(-self, self) }
    }

    pub(in crate::arrays::spirv) fn sqrt(self) -> Reg<'e> {
        self.std1(Std::sqrt)
    }

    pub(in crate::arrays::spirv) fn copysign(self, sign: Reg<'e>) -> Reg<'e> {
        self.std2(Std::copysign, sign)
    }

    /// Whether the magnitude is below infinity.
    pub(in crate::arrays::spirv) fn is_finite(self) -> Reg<'e> {
        self.abs().lt(self.like(f64::INFINITY))
    }

    /// Whether the sign bit is set.
    pub(in crate::arrays::spirv) fn sign_bit(self) -> Reg<'e> {
        let signed = if self.ty.is_float() { self.reinterpret(self.ty.signed()) } else { self };
        signed.lt(self.emitter.int(signed.ty, 0))
    }

    /// The same bits as another type of the same width.
    pub(in crate::arrays::spirv) fn reinterpret(self, ty: Type) -> Reg<'e> {
        debug_assert_eq!(self.ty.bits(), ty.bits());
        if self.ty.is_float() == ty.is_float() {
            return Reg { ty, ..self };
        }
        self.emitter.append(Op::Bitcast, ty, [self])
    }

    pub(in crate::arrays::spirv) fn shift_left(self, by: Reg<'e>) -> Reg<'e> {
        self.emitter.append(Op::ShiftLeftLogical, self.ty, [self, by])
    }

    /// Shifted right; signed values keep their sign.
    pub(in crate::arrays::spirv) fn shift_right(self, by: Reg<'e>) -> Reg<'e> {
        let op = if self.ty.is_signed() { Op::ShiftRightArithmetic } else { Op::ShiftRightLogical };
        self.emitter.append(op, self.ty, [self, by])
    }

    /// The machine's conversion; a float that the integer cannot hold has no answer.
    pub(in crate::arrays::spirv) fn convert(self, to: Type) -> Reg<'e> {
        let (from, emitter) = (self.ty, self.emitter);
        if from == to {
            return self;
        }
        if from == Type::Bool {
            return self.select(emitter.int(to, 1), emitter.int(to, 0));
        }
        if !from.is_float() && !to.is_float() && from.bits() == to.bits() {
            return Reg { ty: to, ..self };
        }
        let op = match (from.is_float(), to.is_float()) {
            (true, true) => Op::FConvert,
            (true, false) if to.is_signed() => Op::ConvertFToS,
            (true, false) => Op::ConvertFToU,
            (false, true) if from.is_signed() => Op::ConvertSToF,
            (false, true) => Op::ConvertUToF,
            (false, false) if from.is_signed() => Op::SConvert,
            (false, false) => Op::UConvert,
        };
        emitter.append(op, to, [self])
    }
}

fn aligned(bytes: u32) -> [Operand; 2] {
    [Operand::MemoryAccess(MemoryAccess::ALIGNED), Operand::LiteralBit32(bytes)]
}

/// An address of elements.
#[derive(Clone, Copy)]
pub(in crate::arrays::spirv) struct Pointer<'e> {
    pub(super) emitter: &'e Emitter,
    pub(super) id: Word,
    pub(super) memory: Memory,
    pub(super) class: StorageClass,
}

impl<'e> Pointer<'e> {
    fn element(self, index: Reg<'e>) -> Word {
        let state = &mut *self.emitter.state.borrow_mut();
        let pointer = state.pointer_id(self.class, self.memory);
        let op =
            if self.class == StorageClass::Workgroup { Op::InBoundsAccessChain } else { Op::InBoundsPtrAccessChain };
        state.append(op, pointer, vec![Operand::IdRef(self.id), Operand::IdRef(index.id)])
    }

    /// The address of `width` elements one after the other, from this index on.
    fn elements(self, index: Reg<'e>, width: u32) -> (Word, Word) {
        debug_assert_eq!(self.memory.lanes, 1, "components of complex numbers do not lie side by side");
        let first = self.element(index);
        let state = &mut *self.emitter.state.borrow_mut();
        let vector = state.values_id(self.memory.component, width);
        let pointer = state.builder.type_pointer(None, self.class, vector);
        (state.append(Op::Bitcast, pointer, vec![Operand::IdRef(first)]), vector)
    }

    /// The elements from an index on, side by side; not for complex numbers.
    pub(in crate::arrays::spirv) fn load_wide(self, index: Reg<'e>, width: u32) -> Reg<'e> {
        let (elements, vector) = self.elements(index, width);
        let [access, bytes] = aligned(self.memory.bytes());
        let id =
            self.emitter.state.borrow_mut().append(Op::Load, vector, vec![Operand::IdRef(elements), access, bytes]);
        Reg { width, ..self.emitter.wrap(id, self.memory.component) }
    }

    /// Writes elements that lie side by side from an index on; `around_caches` where they lie at a multiple of their bytes and
    /// are not read soon.
    pub(in crate::arrays::spirv) fn store_wide(self, index: Reg<'e>, values: Reg<'e>, around_caches: bool) {
        let (elements, _) = self.elements(index, values.width);
        let bytes = self.memory.bytes();
        let [access, bytes] = if around_caches {
            let access = MemoryAccess::ALIGNED | MemoryAccess::NONTEMPORAL;
            [Operand::MemoryAccess(access), Operand::LiteralBit32(bytes * values.width)]
        } else {
            aligned(bytes)
        };
        let operands = vec![Operand::IdRef(elements), Operand::IdRef(values.id), access, bytes];
        self.emitter.state.borrow_mut().push(Op::Store, None, operands);
    }

    /// The components of the element at an index; the second is the first again where there is one.
    pub(in crate::arrays::spirv) fn load(self, index: Reg<'e>) -> [Reg<'e>; 2] {
        let element = self.element(index);
        let component = self.memory.component;
        let state = &mut *self.emitter.state.borrow_mut();
        let memory = state.memory_id(self.memory);
        let [access, bytes] = aligned(self.memory.bytes());
        let loaded = state.append(Op::Load, memory, vec![Operand::IdRef(element), access, bytes]);
        if self.memory.lanes == 1 {
            return [self.emitter.wrap(loaded, component); 2];
        }
        let type_id = state.type_id(component);
        [0, 1].map(|lane| {
            let operands = vec![Operand::IdRef(loaded), Operand::LiteralBit32(lane)];
            let id = state.append(Op::CompositeExtract, type_id, operands);
            self.emitter.wrap(id, component)
        })
    }

    /// Makes the signed integer at an index the larger of itself and a value, as if by one work item at a time.
    pub(in crate::arrays::spirv) fn raise(self, index: Reg<'e>, value: Reg<'e>) {
        let element = self.element(index);
        let state = &mut *self.emitter.state.borrow_mut();
        let ty = state.type_id(self.memory.component);
        let scope = state.constant(Type::U32, Scope::Device as u64);
        let relaxed = state.constant(Type::U32, 0);
        let (scope, relaxed) = (Operand::IdScope(scope), Operand::IdMemorySemantics(relaxed));
        state.append(Op::AtomicSMax, ty, vec![Operand::IdRef(element), scope, relaxed, Operand::IdRef(value.id)]);
    }

    /// Writes the components of the element at an index; the second is ignored where there is one.
    pub(in crate::arrays::spirv) fn store(self, index: Reg<'e>, values: [Reg<'e>; 2]) {
        let element = self.element(index);
        let state = &mut *self.emitter.state.borrow_mut();
        let value = if self.memory.lanes == 1 {
            values[0].id
        } else {
            let memory = state.memory_id(self.memory);
            let parts = values.iter().map(|value| Operand::IdRef(value.id)).collect();
            state.append(Op::CompositeConstruct, memory, parts)
        };
        let [access, bytes] = aligned(self.memory.bytes());
        state.push(Op::Store, None, vec![Operand::IdRef(element), Operand::IdRef(value), access, bytes]);
    }
}
