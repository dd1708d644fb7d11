//! Intel's graphics compiler, which needs no GPU.

use cellhold::arrays::work::ProgramText;
use std::path::Path;
use std::process::Command;

/// A GPU that the compiler knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The compiler's name for it.
    pub name: &'static str,
    /// Whether it computes in 64-bit floats.
    pub fp64: bool,
}

/// Tiger Lake, Alchemist and Ponte Vecchio: what Debian's compiler knows of the three kinds of devices.
pub const TARGETS: [Target; 3] = [
    Target { name: "tgllp", fp64: false },
    Target { name: "dg2-g10", fp64: false },
    Target { name: "pvc", fp64: true },
];

/// Whether the compiler is there.
pub fn is_missing() -> Option<String> {
    match Command::new("ocloc").arg("--help").output() {
        Ok(_) => None,
        Err(error) => Some(format!("there is no ocloc ({error}); on Debian: apt-get install intel-opencl-icd")),
    }
}

/// Compiles a program for a target in a folder; the error is what the compiler said. It ends without a word over some
/// modules, so the code of its end counts too.
pub fn compile(text: &ProgramText, target: Target, folder: &Path, number: usize) -> Result<(), String> {
    let module = folder.join(format!("{number}.spv"));
    let bytes: Vec<u8> = text.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&module, bytes).map_err(|error| error.to_string())?;
    let mut command = Command::new("ocloc");
    command.current_dir(folder).args(["compile", "-spirv_input", "-output_no_suffix"]);
    command.args(["-device", target.name, "-output", &format!("{number}.{}", target.name), "-file"]).arg(&module);
    let options = [
        (text.needs.large_buffers, "-cl-intel-greater-than-4GB-buffer-required"),
        (text.needs.exact_fp32, "-cl-fp32-correctly-rounded-divide-sqrt"),
    ];
    let options: Vec<&str> =
        options.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, option)| option).collect();
    if !options.is_empty() {
        command.args(["-options", &options.join(" ")]);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("{}: {}", output.status, String::from_utf8_lossy(&said).trim()))
}
