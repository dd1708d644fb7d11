//! Typed registers over rspirv's builder, so that lowerings read as formulas.
//!
//! An [`Emitter`] holds one module with one entry point. A [`Reg`] is a value of it with its type; its operators append
//! instructions to the current block. Types, constants and capabilities are declared on first use and in that order, so
//! the same formulas give the same words. Nothing here knows dtypes or arrays.

mod register;
mod types;

use rspirv::binary::Assemble;
use rspirv::dr::{self, Builder, InsertPoint, Instruction, Operand};
use rspirv::spirv::{self, BuiltIn, Capability, Op, StorageClass, Word};
use std::cell::RefCell;

pub(super) use register::{Pointer, Reg};
pub(super) use rspirv::spirv::OpenclStd100Op as Std;
pub(super) use types::{Memory, Parameter, Type};

#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeKey {
    Void,
    Bool,
    Int(u32),
    Float(u32),
    Vector(Word, u32),
    Array(Word, u32),
}

struct State {
    builder: Builder,
    std: Word,
    types: Vec<(TypeKey, Word)>,
    constants: Vec<((Word, u64), Word)>,
    builtins: Vec<(BuiltIn, Word)>,
    interface: Vec<Word>,
    capabilities: Vec<Capability>,
    function: Word,
    local_size: Option<[u32; 3]>,
    local_bytes: u32,
    /// Whether there is a division or a square root in single precision.
    exact_fp32: bool,
    /// The label of the current block.
    label: Word,
}

/// A module in the making.
pub(super) struct Emitter {
    state: RefCell<State>,
}

/// A finished module and what it asks of a device.
pub(super) struct Module {
    pub(super) words: Box<[u32]>,
    pub(super) fp64: bool,
    pub(super) fp16: bool,
    /// Bytes of work-group memory.
    pub(super) local_bytes: u32,
    /// Whether it divides or takes square roots in single precision.
    pub(super) exact_fp32: bool,
}

/// The name of every entry point.
pub(super) const ENTRY: &str = "cellhold";

impl State {
    fn capability(&mut self, capability: Capability) {
        if !self.capabilities.contains(&capability) {
            self.capabilities.push(capability);
            self.builder.capability(capability);
        }
    }

    fn type_by(&mut self, key: TypeKey, make: impl FnOnce(&mut Builder) -> Word) -> Word {
        if let Some(&(_, id)) = self.types.iter().find(|(known, _)| *known == key) {
            return id;
        }
        let id = make(&mut self.builder);
        self.types.push((key, id));
        id
    }

    fn type_id(&mut self, ty: Type) -> Word {
        let bits = ty.bits();
        match ty {
            Type::Bool => self.type_by(TypeKey::Bool, |b| b.type_bool()),
            _ if ty.is_float() => {
                match bits {
                    16 => self.capability(Capability::Float16),
                    64 => self.capability(Capability::Float64),
                    _ => {}
                }
                self.type_by(TypeKey::Float(bits), |b| b.type_float(bits, None))
            }
            _ => {
                match bits {
                    8 => self.capability(Capability::Int8),
                    16 => self.capability(Capability::Int16),
                    _ => {}
                }
                self.type_by(TypeKey::Int(bits), |b| b.type_int(bits, 0))
            }
        }
    }

    /// The type of `width` values side by side.
    fn values_id(&mut self, ty: Type, width: u32) -> Word {
        let value = self.type_id(ty);
        if width == 1 {
            return value;
        }
        if width > 4 {
            self.capability(Capability::Vector16);
        }
        self.type_by(TypeKey::Vector(value, width), |b| b.type_vector(value, width))
    }

    fn memory_id(&mut self, memory: Memory) -> Word {
        let component = self.type_id(memory.component);
        match memory.lanes {
            1 => component,
            lanes => self.type_by(TypeKey::Vector(component, lanes), |b| b.type_vector(component, lanes)),
        }
    }

    fn pointer_id(&mut self, class: StorageClass, memory: Memory) -> Word {
        let pointee = self.memory_id(memory);
        self.builder.type_pointer(None, class, pointee)
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Word {
        let type_id = self.type_id(ty);
        if let Some(&(_, id)) = self.constants.iter().find(|(known, _)| *known == (type_id, bits)) {
            return id;
        }
        let id = match ty {
            Type::Bool if bits != 0 => self.builder.constant_true(type_id),
            Type::Bool => self.builder.constant_false(type_id),
            _ if ty.bits() == 64 => self.builder.constant_bit64(type_id, bits),
            _ => self.builder.constant_bit32(type_id, bits as u32),
        };
        self.constants.push(((type_id, bits), id));
        id
    }

    fn push(&mut self, op: Op, result: Option<(Word, Word)>, operands: Vec<Operand>) {
        let instruction = Instruction::new(op, result.map(|(ty, _)| ty), result.map(|(_, id)| id), operands);
        self.builder.insert_into_block(InsertPoint::End, instruction).expect("a block is open while code is emitted");
    }

    fn append(&mut self, op: Op, type_id: Word, operands: Vec<Operand>) -> Word {
        let id = self.builder.id();
        self.push(op, Some((type_id, id)), operands);
        id
    }

    fn open(&mut self, label: Word) {
        self.builder.select_block(None).expect("no block is a valid selection");
        self.label = self.builder.begin_block(Some(label)).expect("the block before was ended");
    }
}

impl Emitter {
    /// An empty module of the OpenCL flavour.
    pub(super) fn new() -> Emitter {
        let mut builder = Builder::new();
        builder.set_version(1, 0);
        let std = builder.ext_inst_import("OpenCL.std");
        builder.memory_model(spirv::AddressingModel::Physical64, spirv::MemoryModel::OpenCL);
        let mut state = State {
            builder,
            std,
            types: Vec::new(),
            constants: Vec::new(),
            builtins: Vec::new(),
            interface: Vec::new(),
            capabilities: Vec::new(),
            function: 0,
            local_size: None,
            local_bytes: 0,
            exact_fp32: false,
            label: 0,
        };
        for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64] {
            state.capability(capability);
        }
        Emitter { state: RefCell::new(state) }
    }

    /// Opens the entry point and its first block; answers the parameters' ids in order. `built_ins` are those it reads.
    pub(super) fn begin(&self, parameters: &[Parameter], built_ins: &[BuiltIn]) -> Vec<Word> {
        let state = &mut *self.state.borrow_mut();
        let types: Vec<Word> = parameters
            .iter()
            .map(|parameter| match *parameter {
                Parameter::Pointer(memory) => state.pointer_id(StorageClass::CrossWorkgroup, memory),
                Parameter::Value(ty) => state.type_id(ty),
            })
            .collect();
        let index = state.type_id(Type::U64);
        let vector = state.type_by(TypeKey::Vector(index, 3), |b| b.type_vector(index, 3));
        let pointer = state.builder.type_pointer(None, StorageClass::Input, vector);
        for &built_in in built_ins {
            let variable = state.builder.variable(pointer, None, StorageClass::Input, None);
            state.builder.decorate(variable, spirv::Decoration::BuiltIn, [Operand::BuiltIn(built_in)]);
            state.builder.decorate(variable, spirv::Decoration::Constant, []);
            state.builtins.push((built_in, variable));
            state.interface.push(variable);
        }
        let void = state.type_by(TypeKey::Void, |b| b.type_void());
        let function_type = state.builder.type_function(void, types.iter().copied());
        state.function = state
            .builder
            .begin_function(void, None, spirv::FunctionControl::NONE, function_type)
            .expect("a module has one function");
        let ids = types.iter().map(|&ty| state.builder.function_parameter(ty).expect("the function is open")).collect();
        state.label = state.builder.begin_block(None).expect("the function is open");
        ids
    }

    /// Fixes the work-group's extent, as programs with work-group memory need.
    pub(super) fn set_local_size(&self, local: [u32; 3]) {
        self.state.borrow_mut().local_size = Some(local);
    }

    /// Ends the entry point and gives the module's words.
    pub(super) fn finish(&self) -> Module {
        let state = &mut *self.state.borrow_mut();
        state.builder.ret().expect("the last block is open");
        state.builder.end_function().expect("the function is open");
        let function = state.function;
        state.builder.execution_mode(function, spirv::ExecutionMode::ContractionOff, []);
        if let Some(local) = state.local_size {
            state.builder.execution_mode(function, spirv::ExecutionMode::LocalSize, local);
        }
        state.builder.entry_point(spirv::ExecutionModel::Kernel, function, ENTRY, state.interface.clone());
        Module {
            fp64: state.capabilities.contains(&Capability::Float64),
            fp16: state.capabilities.contains(&Capability::Float16),
            local_bytes: state.local_bytes,
            exact_fp32: state.exact_fp32,
            words: std::mem::take(&mut state.builder).module().assemble().into(),
        }
    }

    pub(super) fn wrap(&self, id: Word, ty: Type) -> Reg<'_> {
        Reg { emitter: self, id, ty, width: 1 }
    }

    /// A component of a built-in vector, as an unsigned 64-bit number.
    pub(super) fn built_in(&self, built_in: BuiltIn, component: u32) -> Reg<'_> {
        let state = &mut *self.state.borrow_mut();
        let index = state.type_id(Type::U64);
        let vector = state.type_by(TypeKey::Vector(index, 3), |b| b.type_vector(index, 3));
        let variable = state
            .builtins
            .iter()
            .find(|(known, _)| *known == built_in)
            .map(|&(_, variable)| variable)
            .expect("built-ins are declared when the entry point is opened");
        let loaded = state.append(Op::Load, vector, vec![Operand::IdRef(variable)]);
        let operands = vec![Operand::IdRef(loaded), Operand::LiteralBit32(component)];
        let id = state.append(Op::CompositeExtract, index, operands);
        self.wrap(id, Type::U64)
    }

    /// A constant by its bits.
    pub(super) fn constant(&self, ty: Type, bits: u64) -> Reg<'_> {
        let id = self.state.borrow_mut().constant(ty, bits);
        self.wrap(id, ty)
    }

    /// An integer constant, or a float of that value.
    pub(super) fn int(&self, ty: Type, value: i64) -> Reg<'_> {
        if ty.is_float() {
            return self.float(ty, value as f64);
        }
        let bits = ty.bits();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        self.constant(ty, value as u64 & mask)
    }

    /// A float constant, rounded to the type.
    pub(super) fn float(&self, ty: Type, value: f64) -> Reg<'_> {
        match ty {
            Type::F64 => self.constant(ty, value.to_bits()),
            _ => self.constant(Type::F32, u64::from((value as f32).to_bits())),
        }
    }

    /// A truth value.
    pub(super) fn truth(&self, value: bool) -> Reg<'_> {
        self.constant(Type::Bool, u64::from(value))
    }

    /// Values of a type side by side, from operands of which single ones are repeated.
    pub(super) fn append<const N: usize>(&self, op: Op, ty: Type, operands: [Reg<'_>; N]) -> Reg<'_> {
        self.compute(op, ty, [], operands)
    }

    fn standard<const N: usize>(&self, function: Std, ty: Type, operands: [Reg<'_>; N]) -> Reg<'_> {
        let std = self.state.borrow().std;
        self.state.borrow_mut().exact_fp32 |= function == Std::sqrt && ty == Type::F32;
        let head = [Operand::IdRef(std), Operand::LiteralExtInstInteger(function as u32)];
        self.compute(Op::ExtInst, ty, head, operands)
    }

    fn compute<const H: usize, const N: usize>(
        &self,
        op: Op,
        ty: Type,
        head: [Operand; H],
        operands: [Reg<'_>; N],
    ) -> Reg<'_> {
        let width = operands.iter().map(|operand| operand.width).max().unwrap_or(1);
        let operands = operands.map(|operand| Operand::IdRef(operand.repeated(width).id));
        let state = &mut *self.state.borrow_mut();
        let type_id = state.values_id(ty, width);
        state.exact_fp32 |= op == Op::FDiv && ty == Type::F32;
        let id = state.append(op, type_id, head.into_iter().chain(operands).collect());
        Reg { width, ..self.wrap(id, ty) }
    }

    /// One of several values, by where the block before ended.
    fn phi<'e>(&'e self, ways: [(Reg<'e>, Word); 2]) -> Reg<'e> {
        let [(value, _), (other, _)] = ways;
        debug_assert_eq!(value.width, other.width, "values of different widths meet");
        let state = &mut *self.state.borrow_mut();
        let type_id = state.values_id(value.ty, value.width);
        let operands = ways.iter().flat_map(|(value, from)| [Operand::IdRef(value.id), Operand::IdRef(*from)]);
        let id = state.append(Op::Phi, type_id, operands.collect());
        Reg { id, ..value }
    }

    /// Work-group memory for `len` elements.
    pub(super) fn local(&self, memory: Memory, len: u32) -> Pointer<'_> {
        let state = &mut *self.state.borrow_mut();
        let element = state.memory_id(memory);
        let length = state.constant(Type::U32, u64::from(len));
        let array = state.type_by(TypeKey::Array(element, len), |b| b.type_array(element, length));
        let pointer = state.builder.type_pointer(None, StorageClass::Workgroup, array);
        // A variable of the module, whatever block is open.
        let id = state.builder.id();
        let variable = Instruction::new(
            Op::Variable,
            Some(pointer),
            Some(id),
            vec![Operand::StorageClass(StorageClass::Workgroup)],
        );
        state.builder.insert_types_global_values(InsertPoint::End, variable);
        state.local_bytes += len * memory.bytes();
        Pointer { emitter: self, id, memory, class: StorageClass::Workgroup }
    }

    /// A pointer parameter.
    pub(super) fn pointer(&self, id: Word, memory: Memory) -> Pointer<'_> {
        Pointer { emitter: self, id, memory, class: StorageClass::CrossWorkgroup }
    }

    /// Waits for the whole work-group, whose writes to its memory are then seen by all.
    pub(super) fn barrier(&self) {
        let state = &mut *self.state.borrow_mut();
        let scope = state.constant(Type::U32, spirv::Scope::Workgroup as u64);
        let semantics = spirv::MemorySemantics::SEQUENTIALLY_CONSISTENT | spirv::MemorySemantics::WORKGROUP_MEMORY;
        let semantics = state.constant(Type::U32, u64::from(semantics.bits()));
        let operands = vec![Operand::IdScope(scope), Operand::IdScope(scope), Operand::IdMemorySemantics(semantics)];
        state.push(Op::ControlBarrier, None, operands);
    }

    /// Runs `body` where the condition holds.
    pub(super) fn when(&self, condition: Reg<'_>, body: impl FnOnce()) {
        self.choose::<0>(
            condition,
            || {
                body();
                []
            },
            [],
        );
    }

    /// The values of `body` where the condition holds, which is all that is evaluated then; `otherwise` elsewhere.
    pub(super) fn choose<'e, const N: usize>(
        &'e self,
        condition: Reg<'e>,
        body: impl FnOnce() -> [Reg<'e>; N],
        otherwise: [Reg<'e>; N],
    ) -> [Reg<'e>; N] {
        debug_assert_eq!(condition.width, 1, "values side by side cannot go different ways");
        let (before, merge) = {
            let state = &mut *self.state.borrow_mut();
            let (inside, merge) = (state.builder.id(), state.builder.id());
            let before = state.label;
            state.builder.selection_merge(merge, spirv::SelectionControl::NONE).expect("a block is open");
            state.builder.branch_conditional(condition.id, inside, merge, []).expect("a block is open");
            state.open(inside);
            (before, merge)
        };
        let values = body();
        let after = {
            let state = &mut *self.state.borrow_mut();
            let after = state.label;
            state.builder.branch(merge).expect("a block is open");
            state.open(merge);
            after
        };
        let mut position = 0;
        values.map(|value| {
            let other = otherwise[position];
            position += 1;
            self.phi([(value, after), (other, before)])
        })
    }

    /// A loop over carried values: while `test` holds of them, `body` gives the next ones. `test` must not branch.
    pub(super) fn repeat<'e, const N: usize>(
        &'e self,
        first: [Reg<'e>; N],
        test: impl FnOnce(&[Reg<'e>; N]) -> Reg<'e>,
        body: impl FnOnce(&[Reg<'e>; N]) -> [Reg<'e>; N],
    ) -> [Reg<'e>; N] {
        let (before, header, turn, exit, block) = {
            let state = &mut *self.state.borrow_mut();
            let (header, turn, exit) = (state.builder.id(), state.builder.id(), state.builder.id());
            let before = state.label;
            state.builder.branch(header).expect("a block is open");
            state.open(header);
            (before, header, turn, exit, state.builder.selected_block().expect("just opened"))
        };
        // The values of the next round are not known yet; their places are filled below.
        let carried = first.map(|value| self.phi([(value, before), (value, turn)]));
        let goes_on = test(&carried);
        debug_assert_eq!(goes_on.width, 1, "values side by side cannot go different ways");
        {
            let state = &mut *self.state.borrow_mut();
            let inside = state.builder.id();
            state.builder.loop_merge(exit, turn, spirv::LoopControl::NONE, []).expect("a block is open");
            state.builder.branch_conditional(goes_on.id, inside, exit, []).expect("a block is open");
            state.open(inside);
        }
        let next = body(&carried);
        let state = &mut *self.state.borrow_mut();
        state.builder.branch(turn).expect("a block is open");
        state.open(turn);
        state.builder.branch(header).expect("a block is open");
        let instructions = &mut state.builder.module_mut().functions[0].blocks[block].instructions;
        for (phi, value) in instructions.iter_mut().zip(next) {
            phi.operands[2] = Operand::IdRef(value.id);
        }
        state.open(exit);
        carried
    }
}

/// Whether words form a module that a driver's parser can be trusted with: a malformed one ends the process.
pub fn is_well_formed(words: &[u32]) -> bool {
    dr::load_words(words).is_ok()
}
