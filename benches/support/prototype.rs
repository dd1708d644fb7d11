//! The programs that the engine's are held against: one work item for each element of contiguous float64, and nothing else, written out
//! by hand.

use cellhold::arrays::work::{Needs, ProgramText};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, MemoryAccess,
    MemoryModel, OpenclStd100Op, SelectionControl, StorageClass, Word,
};
use std::sync::Arc;

/// What a prototype does to the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `a*b+c`, of three arrays.
    MultiplyAdd,
    /// `sin(2*a)*exp(-(a*a))`, of one array.
    SineBell,
    /// `a*2`, of one array.
    Double,
}

impl Formula {
    /// How many arrays it reads.
    pub fn inputs(self) -> usize {
        if self == Formula::MultiplyAdd { 3 } else { 1 }
    }

    fn name(self) -> &'static str {
        match self {
            Formula::MultiplyAdd => "prototype_multiply_add",
            Formula::SineBell => "prototype_sine_bell",
            Formula::Double => "prototype_double",
        }
    }
}

/// The program: its parameters are the result, the arrays and how many elements there are (64 bits).
pub fn program(formula: Formula) -> Arc<ProgramText> {
    assemble(formula).expect("the builder is inside a block wherever it appends")
}

fn assemble(formula: Formula) -> Result<Arc<ProgramText>, rspirv::dr::Error> {
    let mut b = Builder::new();
    b.set_version(1, 0);
    for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64, Capability::Float64] {
        b.capability(capability);
    }
    let library = b.ext_inst_import("OpenCL.std");
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    let (void, truth, long, double) = (b.type_void(), b.type_bool(), b.type_int(64, 0), b.type_float(64, None));
    let ids = b.type_vector(long, 3);
    let ids_pointer = b.type_pointer(None, StorageClass::Input, ids);
    let pointer = b.type_pointer(None, StorageClass::CrossWorkgroup, double);
    let mut parameters = vec![pointer; 1 + formula.inputs()];
    parameters.push(long);
    let signature = b.type_function(void, parameters.iter().copied());
    let id = b.variable(ids_pointer, None, StorageClass::Input, None);
    b.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    b.decorate(id, Decoration::Constant, []);
    let two = b.constant_bit64(double, 2.0f64.to_bits());
    let main = b.begin_function(void, None, FunctionControl::NONE, signature)?;
    let arguments = parameters.iter().map(|&ty| b.function_parameter(ty)).collect::<Result<Vec<Word>, _>>()?;
    b.begin_block(None)?;
    let all = b.load(ids, None, id, None, [])?;
    let x = b.composite_extract(long, None, all, [0])?;
    let inside = b.u_less_than(truth, None, x, arguments[1 + formula.inputs()])?;
    let (body, end) = (b.id(), b.id());
    b.selection_merge(end, SelectionControl::NONE)?;
    b.branch_conditional(inside, body, end, [])?;
    b.begin_block(Some(body))?;
    let aligned = || (Some(MemoryAccess::ALIGNED), [Operand::LiteralBit32(8)]);
    let mut values = Vec::new();
    for &array in &arguments[1..=formula.inputs()] {
        let place = b.in_bounds_ptr_access_chain(pointer, None, array, x, [])?;
        let (access, by) = aligned();
        values.push(b.load(double, None, place, access, by)?);
    }
    let result = match formula {
        Formula::MultiplyAdd => {
            let product = b.f_mul(double, None, values[0], values[1])?;
            b.f_add(double, None, product, values[2])?
        }
        Formula::SineBell => {
            let of = |b: &mut Builder, function: OpenclStd100Op, value: Word| {
                b.ext_inst(double, None, library, function as u32, [Operand::IdRef(value)])
            };
            let twice = b.f_mul(double, None, two, values[0])?;
            let sine = of(&mut b, OpenclStd100Op::sin, twice)?;
            let square = b.f_mul(double, None, values[0], values[0])?;
            let negative = b.f_negate(double, None, square)?;
            let bell = of(&mut b, OpenclStd100Op::exp, negative)?;
            b.f_mul(double, None, sine, bell)?
        }
        Formula::Double => b.f_mul(double, None, values[0], two)?,
    };
    let place = b.in_bounds_ptr_access_chain(pointer, None, arguments[0], x, [])?;
    let (access, by) = aligned();
    b.store(place, result, access, by)?;
    b.branch(end)?;
    b.begin_block(Some(end))?;
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::Kernel, main, formula.name(), [id]);
    b.execution_mode(main, ExecutionMode::ContractionOff, []);
    Ok(Arc::new(ProgramText {
        key: u128::MAX - formula as u128,
        entry: formula.name().into(),
        words: b.module().assemble().into(),
        label: formula.name(),
        needs: Needs { fp64: true, ..Needs::default() },
    }))
}
