//! One small device program for the tests of the backends, made without the generator that they are independent of.

use crate::arrays::backend::{Needs, ProgramText};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionModel, FunctionControl, LinkageType, MemoryAccess,
    MemoryModel, StorageClass,
};
use std::sync::Arc;

/// `x[i] *= factor` for float64; with `calls`, a call of a function that is nowhere defined before that.
pub(in crate::arrays) fn scale(calls: Option<&str>) -> Arc<ProgramText> {
    let mut b = Builder::new();
    b.set_version(1, 0);
    for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64, Capability::Float64] {
        b.capability(capability);
    }
    if calls.is_some() {
        b.capability(Capability::Linkage);
    }
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    let (void, long, double) = (b.type_void(), b.type_int(64, 0), b.type_float(64, None));
    let ids = b.type_vector(long, 3);
    let ids_pointer = b.type_pointer(None, StorageClass::Input, ids);
    let pointer = b.type_pointer(None, StorageClass::CrossWorkgroup, double);
    let kernel = b.type_function(void, [pointer, double]);
    let id = b.variable(ids_pointer, None, StorageClass::Input, None);
    b.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    b.decorate(id, Decoration::Constant, []);
    let missing = calls.map(|name| {
        let signature = b.type_function(void, []);
        let missing = b.begin_function(void, None, FunctionControl::NONE, signature).expect("outside a function");
        b.end_function().expect("inside one");
        let name = Operand::LiteralString(name.to_owned());
        b.decorate(missing, Decoration::LinkageAttributes, [name, Operand::LinkageType(LinkageType::Import)]);
        missing
    });
    let main = b.begin_function(void, None, FunctionControl::NONE, kernel).expect("outside a function");
    let array = b.function_parameter(pointer).expect("inside a function");
    let factor = b.function_parameter(double).expect("inside a function");
    b.begin_block(None).expect("inside a function");
    if let Some(missing) = missing {
        b.function_call(void, None, missing, []).expect("inside a block");
    }
    let all = b.load(ids, None, id, None, []).expect("inside a block");
    let x = b.composite_extract(long, None, all, [0]).expect("inside a block");
    let place = b.in_bounds_ptr_access_chain(pointer, None, array, x, []).expect("inside a block");
    let aligned = || (Some(MemoryAccess::ALIGNED), [Operand::LiteralBit32(8)]);
    let (access, by) = aligned();
    let old = b.load(double, None, place, access, by).expect("inside a block");
    let new = b.f_mul(double, None, old, factor).expect("inside a block");
    let (access, by) = aligned();
    b.store(place, new, access, by).expect("inside a block");
    b.ret().expect("inside a block");
    b.end_function().expect("inside a function");
    b.entry_point(ExecutionModel::Kernel, main, "scale", [id]);
    let needs = Needs { fp64: true, ..Needs::default() };
    let key = u128::from(calls.is_some());
    Arc::new(ProgramText { key, entry: "scale".into(), words: b.module().assemble().into(), label: "scale", needs })
}
