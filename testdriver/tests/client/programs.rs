//! Device programs for the tests.

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionModel, FunctionControl, MemoryAccess, MemoryModel,
    SelectionControl, StorageClass,
};

/// A module with the kernel `scale(out, in, factor, addend, n)`: `out[i] = in[i] * factor + addend` for every i below n, in
/// 32- or 64-bit floating point.
pub fn scale(bits: u32) -> Vec<u8> {
    let mut b = Builder::new();
    b.set_version(1, 0);
    for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64] {
        b.capability(capability);
    }
    if bits == 64 {
        b.capability(Capability::Float64);
    }
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    let (void, boolean, long, float) = (b.type_void(), b.type_bool(), b.type_int(64, 0), b.type_float(bits, None));
    let vector = b.type_vector(long, 3);
    let input = b.type_pointer(None, StorageClass::Input, vector);
    let global = b.type_pointer(None, StorageClass::CrossWorkgroup, float);
    let id = b.variable(input, None, StorageClass::Input, None);
    b.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    b.decorate(id, Decoration::Constant, []);
    let parameters = [global, global, float, float, long];
    let kind = b.type_function(void, parameters);
    let function = b.begin_function(void, None, FunctionControl::NONE, kind).expect("a function");
    let [out, source, factor, addend, length] = parameters.map(|kind| b.function_parameter(kind).expect("a parameter"));
    b.begin_block(None).expect("a block");
    let ids = b.load(vector, None, id, None, []).expect("the ids");
    let index = b.composite_extract(long, None, ids, [0]).expect("the first id");
    let inside = b.u_less_than(boolean, None, index, length).expect("a comparison");
    let (body, end) = (b.id(), b.id());
    b.selection_merge(end, SelectionControl::NONE).expect("a merge");
    b.branch_conditional(inside, body, end, []).expect("a branch");
    b.begin_block(Some(body)).expect("a block");
    let aligned = || [Operand::LiteralBit32(bits / 8)];
    let from = b.in_bounds_ptr_access_chain(global, None, source, index, []).expect("an address");
    let value = b.load(float, None, from, Some(MemoryAccess::ALIGNED), aligned()).expect("a value");
    let product = b.f_mul(float, None, value, factor).expect("a product");
    let sum = b.f_add(float, None, product, addend).expect("a sum");
    let to = b.in_bounds_ptr_access_chain(global, None, out, index, []).expect("an address");
    b.store(to, sum, Some(MemoryAccess::ALIGNED), aligned()).expect("a store");
    b.branch(end).expect("a branch");
    b.begin_block(Some(end)).expect("a block");
    b.ret().expect("a return");
    b.end_function().expect("an end");
    b.entry_point(ExecutionModel::Kernel, function, "scale", [id]);
    b.module().assemble().iter().flat_map(|word| word.to_le_bytes()).collect()
}
