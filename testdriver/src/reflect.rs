//! What a SPIR-V module declares: its kernels, their parameters and required group sizes, its use of 64-bit floats.
//!
//! Level Zero tells a driver only the bytes of an argument, so the classes of parameters come from the module. Parsing also
//! keeps malformed modules away from the OpenCL runtime, which ends the process, or spins, on some of them.

use rspirv::dr::{Instruction, Loader, Module, Operand};
use rspirv::spirv::{Capability, ExecutionMode, Op, StorageClass, Word};
use std::collections::HashMap;

/// How a parameter is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// A pointer to memory of the device.
    Pointer,
    /// Local memory, of which the caller gives the bytes only.
    Local,
    /// A value of so many bytes.
    Value(usize),
}

/// One kernel of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KernelFacts {
    /// The entry point's name.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// The group size it was compiled for, if it demands one.
    pub group_size: Option<[u32; 3]>,
}

/// What a module declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ModuleFacts {
    /// Its kernels.
    pub kernels: Vec<KernelFacts>,
    /// Whether it declares the capability of 64-bit floating point.
    pub fp64: bool,
}

/// Reads a module; the error says what is wrong with it.
pub(crate) fn reflect(bytes: &[u8]) -> Result<ModuleFacts, String> {
    let words = words(bytes)?;
    check_lengths(&words)?;
    let mut loader = Loader::new();
    rspirv::binary::parse_words(&words, &mut loader).map_err(|error| format!("{error:?}"))?;
    let module = loader.module();
    if module.functions.iter().any(|function| function.end.is_none()) {
        return Err("a function has no end".to_owned());
    }
    let types = Types::of(&module);
    let kernels =
        module.entry_points.iter().map(|entry| kernel(&module, &types, entry)).collect::<Result<Vec<_>, _>>()?;
    if kernels.is_empty() {
        return Err("the module has no entry point".to_owned());
    }
    let fp64 = module
        .capabilities
        .iter()
        .any(|capability| capability.operands.first() == Some(&Operand::Capability(Capability::Float64)));
    Ok(ModuleFacts { kernels, fp64 })
}

fn words(bytes: &[u8]) -> Result<Vec<u32>, String> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(format!("{} bytes are no whole number of words", bytes.len()));
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Refuses a module that ends inside an instruction: the parser would read beyond it.
fn check_lengths(words: &[u32]) -> Result<(), String> {
    const HEADER_WORDS: usize = 5;
    let mut rest = words.get(HEADER_WORDS..).ok_or("the header is cut off")?;
    while let Some(first) = rest.first() {
        match (first >> 16) as usize {
            0 => return Err("an instruction has no length".to_owned()),
            length => rest = rest.get(length..).ok_or("the last instruction is cut off")?,
        }
    }
    Ok(())
}

/// The classes that values of each type have as parameters, and the parameter types of each function type.
#[derive(Default)]
struct Types {
    parameters: HashMap<Word, Parameter>,
    functions: HashMap<Word, Vec<Word>>,
}

impl Types {
    fn of(module: &Module) -> Types {
        let mut types = Types::default();
        for instruction in &module.types_global_values {
            let Some(id) = instruction.result_id else { continue };
            match instruction.class.opcode {
                Op::TypeInt | Op::TypeFloat => {
                    types.parameters.insert(id, Parameter::Value(number(instruction, 0) as usize / 8));
                }
                Op::TypeVector => {
                    if let Some(Parameter::Value(bytes)) = types.parameters.get(&number(instruction, 0)).copied() {
                        // A vector of three takes the room of four.
                        let count = number(instruction, 1).next_power_of_two() as usize;
                        types.parameters.insert(id, Parameter::Value(bytes * count));
                    }
                }
                Op::TypePointer => {
                    let local = instruction.operands.first() == Some(&Operand::StorageClass(StorageClass::Workgroup));
                    types.parameters.insert(id, if local { Parameter::Local } else { Parameter::Pointer });
                }
                Op::TypeFunction => {
                    let parameters = (1..instruction.operands.len()).map(|index| number(instruction, index)).collect();
                    types.functions.insert(id, parameters);
                }
                _ => {}
            }
        }
        types
    }
}

/// The literal or the id at this place.
fn number(instruction: &Instruction, index: usize) -> u32 {
    match instruction.operands.get(index) {
        Some(Operand::LiteralBit32(value) | Operand::IdRef(value)) => *value,
        _ => 0,
    }
}

fn kernel(module: &Module, types: &Types, entry: &Instruction) -> Result<KernelFacts, String> {
    let (Some(Operand::IdRef(id)), Some(Operand::LiteralString(name))) = (entry.operands.get(1), entry.operands.get(2))
    else {
        return Err("an entry point names no function".to_owned());
    };
    let definition = module
        .functions
        .iter()
        .filter_map(|function| function.def.as_ref())
        .find(|definition| definition.result_id == Some(*id))
        .ok_or_else(|| format!("the function of {name:?} is missing"))?;
    let parameters = types
        .functions
        .get(&number(definition, 1))
        .ok_or_else(|| format!("the type of {name:?} is missing"))?
        .iter()
        .map(|parameter| types.parameters.get(parameter).copied())
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| format!("a parameter of {name:?} is neither number nor pointer"))?;
    let group_size = module
        .execution_modes
        .iter()
        .find(|mode| {
            mode.operands.first() == Some(&Operand::IdRef(*id))
                && mode.operands.get(1) == Some(&Operand::ExecutionMode(ExecutionMode::LocalSize))
        })
        .map(|mode| [number(mode, 2), number(mode, 3), number(mode, 4)]);
    Ok(KernelFacts { name: name.clone(), parameters, group_size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rspirv::binary::Assemble;
    use rspirv::dr::Builder;
    use rspirv::spirv::{AddressingModel, ExecutionModel, FunctionControl, MemoryModel};

    /// An empty kernel `probe(global float*, local float*, ulong, float3)` of group size (8, 2, 1).
    fn probe(fp64: bool) -> Vec<u8> {
        let mut builder = Builder::new();
        builder.set_version(1, 0);
        for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64] {
            builder.capability(capability);
        }
        if fp64 {
            builder.capability(Capability::Float64);
        }
        builder.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let (void, float, long) = (builder.type_void(), builder.type_float(32, None), builder.type_int(64, 0));
        let global = builder.type_pointer(None, StorageClass::CrossWorkgroup, float);
        let local = builder.type_pointer(None, StorageClass::Workgroup, float);
        let vector = builder.type_vector(float, 3);
        let parameters = [global, local, long, vector];
        let kind = builder.type_function(void, parameters);
        let function = builder.begin_function(void, None, FunctionControl::NONE, kind).expect("a function");
        for parameter in parameters {
            builder.function_parameter(parameter).expect("a parameter");
        }
        builder.begin_block(None).expect("a block");
        builder.ret().expect("a return");
        builder.end_function().expect("an end");
        builder.entry_point(ExecutionModel::Kernel, function, "probe", []);
        builder.execution_mode(function, ExecutionMode::LocalSize, [8, 2, 1]);
        builder.module().assemble().iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn parameters_and_group_size_are_read() {
        let facts = reflect(&probe(false)).expect("well-formed");
        let [kernel] = facts.kernels.as_slice() else { panic!("{facts:?}") };
        assert_eq!(kernel.name, "probe");
        let expected = [Parameter::Pointer, Parameter::Local, Parameter::Value(8), Parameter::Value(16)];
        assert_eq!(kernel.parameters, expected);
        assert_eq!(kernel.group_size, Some([8, 2, 1]));
        assert!(!facts.fp64);
        assert!(reflect(&probe(true)).expect("well-formed").fp64);
    }

    #[test]
    fn no_prefix_of_a_module_and_no_zeroed_word_passes_as_whole() {
        let whole = probe(false);
        for cut in 1..whole.len() - 1 {
            assert!(reflect(&whole[..whole.len() - cut]).is_err(), "{cut} bytes cut off");
        }
        let mut zeroed = whole.clone();
        zeroed[20..24].fill(0);
        assert!(reflect(&zeroed).is_err());
    }
}
