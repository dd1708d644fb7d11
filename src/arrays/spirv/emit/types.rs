//! What registers hold, what lies in memory, and what a program takes.

/// The type of a register. SPIR-V integers carry no sign in kernels; here they do, to choose instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(in crate::arrays::spirv) enum Type {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Type {
    pub(in crate::arrays::spirv) const fn bits(self) -> u32 {
        match self {
            Type::Bool => 1,
            Type::I8 | Type::U8 => 8,
            Type::I16 | Type::U16 | Type::F16 => 16,
            Type::I32 | Type::U32 | Type::F32 => 32,
            Type::I64 | Type::U64 | Type::F64 => 64,
        }
    }

    pub(in crate::arrays::spirv) const fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F32 | Type::F64)
    }

    pub(in crate::arrays::spirv) const fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }

    /// The unsigned integer as wide as this.
    pub(in crate::arrays::spirv) const fn unsigned(self) -> Type {
        match self.bits() {
            8 => Type::U8,
            16 => Type::U16,
            32 => Type::U32,
            _ => Type::U64,
        }
    }

    /// The signed integer as wide as this.
    pub(in crate::arrays::spirv) const fn signed(self) -> Type {
        match self.bits() {
            8 => Type::I8,
            16 => Type::I16,
            32 => Type::I32,
            _ => Type::I64,
        }
    }
}

/// What lies in memory: one or two components of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(in crate::arrays::spirv) struct Memory {
    pub(in crate::arrays::spirv) component: Type,
    /// One, or two for a complex number.
    pub(in crate::arrays::spirv) lanes: u32,
}

impl Memory {
    pub(in crate::arrays::spirv) const fn bytes(self) -> u32 {
        self.component.bits() / 8 * self.lanes
    }
}

/// A parameter of the entry point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arrays::spirv) enum Parameter {
    /// An address of device memory.
    Pointer(Memory),
    /// A value.
    Value(Type),
}
