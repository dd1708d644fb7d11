//! The kernelspec: where Jupyter looks for it, writing it there, and taking it away again.
//!
//! Knows folders and `kernel.json` only; nothing of sockets or of the session.

use serde_json::Value;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TEMPLATE: &str = include_str!("../../jupyter/kernelspec/kernel.json");
const LOGOS: [(&str, &[u8]); 3] = [
    ("logo-svg.svg", include_bytes!("../../jupyter/kernelspec/logo-svg.svg")),
    ("logo-32x32.png", include_bytes!("../../jupyter/kernelspec/logo-32x32.png")),
    ("logo-64x64.png", include_bytes!("../../jupyter/kernelspec/logo-64x64.png")),
];

/// Whose Jupyter the kernel is installed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// The user's own data folder, which every Jupyter of that user reads.
    User,
    /// The active Python environment (`VIRTUAL_ENV`, `CONDA_PREFIX`, else what `python3` says).
    SysPrefix,
    /// `DIR/share/jupyter`.
    Prefix(PathBuf),
}

/// Why a kernelspec could not be written or removed.
#[derive(Debug)]
pub enum InstallError {
    /// Jupyter would ignore a kernel of this name.
    BadName(String),
    /// No folder could be found for the asked-for location.
    NoFolder(String),
    /// There is no kernel of that name there.
    Absent(PathBuf),
    /// The folder holds another kernel, which is not ours to remove.
    Foreign(PathBuf),
    /// The file system refused.
    Io(PathBuf, std::io::Error),
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::BadName(name) => {
                write!(f, "a kernel name has only letters, digits, '.', '_' and '-', which {name:?} has not")
            }
            InstallError::NoFolder(why) => f.write_str(why),
            InstallError::Absent(folder) => write!(f, "no kernel is installed at {}", folder.display()),
            InstallError::Foreign(folder) => {
                write!(f, "{} holds a kernel that is not Cellhold's; nothing was changed", folder.display())
            }
            InstallError::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for InstallError {}

/// Writes the kernelspec so that it starts `executable`, and returns its folder.
pub fn install(location: &Location, name: &str, executable: &Path) -> Result<PathBuf, InstallError> {
    let folder = kernel_folder(location, name)?;
    if folder.exists() && !is_ours(&folder) {
        return Err(InstallError::Foreign(folder));
    }
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |error| InstallError::Io(path, error)
    };
    fs::create_dir_all(&folder).map_err(io(&folder))?;
    let file = folder.join("kernel.json");
    fs::write(&file, kernel_json(name, executable)).map_err(io(&file))?;
    for (logo, bytes) in LOGOS {
        let file = folder.join(logo);
        fs::write(&file, bytes).map_err(io(&file))?;
    }
    Ok(folder)
}

/// Removes a kernelspec that [`install`] wrote, and returns the folder that is gone.
pub fn uninstall(location: &Location, name: &str) -> Result<PathBuf, InstallError> {
    let folder = kernel_folder(location, name)?;
    if !folder.exists() {
        return Err(InstallError::Absent(folder));
    }
    if !is_ours(&folder) {
        return Err(InstallError::Foreign(folder));
    }
    fs::remove_dir_all(&folder).map_err(|error| InstallError::Io(folder.clone(), error))?;
    Ok(folder)
}

/// The text of `kernel.json`: the template with the executable's own path and, for a second kernel, its name shown.
fn kernel_json(name: &str, executable: &Path) -> String {
    let mut spec: Value =
        serde_json::from_str(TEMPLATE).expect("the template in the source tree is JSON, as a test checks");
    spec["argv"][0] = Value::from(executable.to_string_lossy().into_owned());
    if name != "cellhold" {
        spec["display_name"] = Value::from(format!("Cellhold ({name})"));
    }
    format!("{spec:#}\n")
}

fn is_ours(folder: &Path) -> bool {
    let spec = fs::read(folder.join("kernel.json")).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    spec.is_some_and(|spec| spec["language"] == "cellhold")
}

fn kernel_folder(location: &Location, name: &str) -> Result<PathBuf, InstallError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(allowed) {
        return Err(InstallError::BadName(name.to_owned()));
    }
    let data = match location {
        Location::User => user_data_folder()?,
        Location::SysPrefix => sys_prefix()?.join("share/jupyter"),
        Location::Prefix(prefix) => prefix.join("share/jupyter"),
    };
    Ok(data.join("kernels").join(name))
}

/// Jupyter's per-user data folder: `JUPYTER_DATA_DIR`, else the XDG data folder.
fn user_data_folder() -> Result<PathBuf, InstallError> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("JUPYTER_DATA_DIR")
        .or_else(|| variable("XDG_DATA_HOME").map(|data| data.join("jupyter")))
        .or_else(|| std::env::home_dir().map(|home| home.join(".local/share/jupyter")))
        .ok_or_else(|| InstallError::NoFolder("no home folder: set HOME or JUPYTER_DATA_DIR".into()))
}

fn sys_prefix() -> Result<PathBuf, InstallError> {
    for name in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        if let Some(prefix) = std::env::var_os(name).filter(|value| !value.is_empty()) {
            return Ok(prefix.into());
        }
    }
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.prefix)"]).output();
    match asked {
        Ok(answer) if answer.status.success() => {
            Ok(PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim_end_matches('\n')))
        }
        _ => Err(InstallError::NoFolder(
            "no Python environment is active and python3 does not answer: activate one, or use --user or --prefix DIR"
                .into(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed_starts_this_executable_and_can_be_removed() {
        let prefix = tempfile::tempdir().unwrap();
        let location = Location::Prefix(prefix.path().to_path_buf());
        let executable = Path::new("/opt/a folder/cellhold");
        let folder = install(&location, "cellhold", executable).unwrap();
        assert_eq!(folder, prefix.path().join("share/jupyter/kernels/cellhold"));
        let spec: Value = serde_json::from_slice(&fs::read(folder.join("kernel.json")).unwrap()).unwrap();
        assert_eq!(spec["argv"], serde_json::json!(["/opt/a folder/cellhold", "kernel", "-f", "{connection_file}"]));
        assert_eq!(spec["interrupt_mode"], "message");
        assert_eq!(spec["language"], "cellhold");
        for (logo, _) in LOGOS {
            assert!(folder.join(logo).exists(), "{logo}");
        }
        install(&location, "cellhold", executable).expect("a second installation replaces the first");
        assert_eq!(uninstall(&location, "cellhold").unwrap(), folder);
        assert!(!folder.exists());
        assert!(matches!(uninstall(&location, "cellhold"), Err(InstallError::Absent(_))));
    }

    #[test]
    fn a_second_name_is_shown_and_a_bad_one_refused() {
        let json: Value = serde_json::from_str(&kernel_json("lab", Path::new("/x"))).unwrap();
        assert_eq!(json["display_name"], "Cellhold (lab)");
        for bad in ["", "..", "a/b", "a b", "é"] {
            let result = install(&Location::Prefix("/nonexistent".into()), bad, Path::new("/x"));
            assert!(matches!(result, Err(InstallError::BadName(_))), "{bad:?}");
        }
    }

    #[test]
    fn a_foreign_kernel_is_left_alone() {
        let prefix = tempfile::tempdir().unwrap();
        let folder = prefix.path().join("share/jupyter/kernels/python3");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("kernel.json"), r#"{"language": "python"}"#).unwrap();
        let location = Location::Prefix(prefix.path().to_path_buf());
        assert!(matches!(install(&location, "python3", Path::new("/x")), Err(InstallError::Foreign(_))));
        assert!(matches!(uninstall(&location, "python3"), Err(InstallError::Foreign(_))));
        assert!(folder.exists());
    }
}
