//! Where the helper is, and what builds it where it is not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The helper's name.
const NAME: &str = "cellhold-rust";

/// Names the helper to use, in place of all search.
const OVERRIDE: &str = "CELLHOLD_RUST";

/// What the search goes by, so that it can be tested.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Value of `CELLHOLD_RUST`.
    pub named: Option<PathBuf>,
    /// The folder of our own executable.
    pub own_folder: Option<PathBuf>,
    /// The source tree that this program was built from.
    pub source_tree: PathBuf,
    /// Value of `CARGO_TARGET_DIR`.
    pub target: Option<PathBuf>,
    /// Value of `CARGO_HOME`, else `~/.cargo`.
    pub cargo_home: Option<PathBuf>,
    /// Value of `PATH`.
    pub path: OsString,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_process() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = || variable("HOME").map(|home| PathBuf::from(home).join(".cargo"));
        Self {
            named: variable(OVERRIDE).map(PathBuf::from),
            own_folder: std::env::current_exe().ok().and_then(|program| program.parent().map(Path::to_path_buf)),
            source_tree: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            target: variable("CARGO_TARGET_DIR").map(PathBuf::from),
            cargo_home: variable("CARGO_HOME").map(PathBuf::from).or_else(home),
            path: variable("PATH").unwrap_or_default(),
        }
    }

    /// The helper; nothing where it has to be built.
    pub fn helper(&self) -> Result<Option<PathBuf>, String> {
        if let Some(named) = &self.named {
            if is_program(named) {
                return Ok(Some(named.clone()));
            }
            return Err(format!("{OVERRIDE} names {}, which is no program", named.display()));
        }
        let target = self.target_folder();
        let folders = [
            self.own_folder.clone(),
            Some(target.join("release")),
            self.cargo_home.as_ref().map(|home| home.join("bin")),
        ];
        let beside = folders.into_iter().flatten().map(|folder| folder.join(NAME));
        let in_path = std::env::split_paths(&self.path).map(|folder| folder.join(NAME));
        Ok(beside.chain(in_path).find(|program| is_program(program)))
    }

    /// Cargo, without which neither the helper nor a cell can be compiled.
    pub fn cargo(&self) -> Option<PathBuf> {
        let in_path = std::env::split_paths(&self.path).map(|folder| folder.join("cargo"));
        let at_home = self.cargo_home.as_ref().map(|home| home.join("bin/cargo"));
        in_path.chain(at_home).find(|program| is_program(program))
    }

    /// The search path of programs, with cargo's folder on it.
    pub fn path_with(&self, cargo: &Path) -> OsString {
        let folder = cargo.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(&self.path).collect();
        if !folders.contains(&folder) {
            folders.push(folder);
        }
        std::env::join_paths(folders).unwrap_or_else(|_| self.path.clone())
    }

    /// What builds the helper: arguments of cargo, and the folder in which it runs.
    pub fn recipe(&self) -> (Vec<String>, Option<PathBuf>) {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        if self.source_tree.join("rust-cells/Cargo.toml").is_file() {
            return (words("build --release -p cellhold-rust"), Some(self.source_tree.clone()));
        }
        (words(concat!("install cellhold-rust --version ", env!("CARGO_PKG_VERSION"))), None)
    }

    fn target_folder(&self) -> PathBuf {
        self.target.as_ref().map_or_else(|| self.source_tree.join("target"), |folder| self.source_tree.join(folder))
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn program(path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn the_helper_is_looked_for_in_order_and_an_override_is_binding() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let mut here = Surroundings {
            own_folder: Some(at("own")),
            source_tree: at("tree"),
            cargo_home: Some(at("home")),
            path: at("path").into_os_string(),
            ..Surroundings::default()
        };
        assert_eq!(here.helper(), Ok(None));
        for place in ["path", "home/bin", "tree/target/release", "own"] {
            program(&at(place).join("cellhold-rust"));
            assert_eq!(here.helper(), Ok(Some(at(place).join("cellhold-rust"))));
        }
        here.named = Some(at("nowhere"));
        assert!(here.helper().is_err_and(|text| text.contains("CELLHOLD_RUST names")));
        here.named = Some(at("path/cellhold-rust"));
        assert_eq!(here.helper(), Ok(here.named.clone()));
    }

    #[test]
    fn it_is_built_in_the_source_tree_or_installed() {
        let folder = tempfile::tempdir().unwrap();
        let here = Surroundings { source_tree: folder.path().to_path_buf(), ..Surroundings::default() };
        assert_eq!(here.recipe().0[0], "install");
        std::fs::create_dir(folder.path().join("rust-cells")).unwrap();
        std::fs::write(folder.path().join("rust-cells/Cargo.toml"), "").unwrap();
        assert_eq!(
            here.recipe(),
            (
                vec!["build".into(), "--release".into(), "-p".into(), "cellhold-rust".into()],
                Some(folder.path().to_path_buf())
            )
        );
        assert_eq!(here.cargo(), None);
    }
}
