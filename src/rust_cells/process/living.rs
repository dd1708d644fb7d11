//! What this process has started for Rust cells and must not leave behind. A program that leaves without running
//! destructors, from any thread, ends it here.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::build::Build;
use super::helper::Helper;

/// How long a helper may take to end what stands below it when the program leaves.
const LEAVING: Duration = Duration::from_millis(400);

#[derive(Default)]
struct Living {
    builds: Vec<Weak<Build>>,
    helpers: Vec<Weak<Helper>>,
    folders: Vec<PathBuf>,
}

static LIVING: Mutex<Living> = Mutex::new(Living { builds: Vec::new(), helpers: Vec::new(), folders: Vec::new() });

fn living() -> MutexGuard<'static, Living> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a build.
pub(super) fn add_build(build: &Arc<Build>) {
    let mut living = living();
    living.builds.retain(|build| build.strong_count() > 0);
    living.builds.push(Arc::downgrade(build));
}

/// Notes a helper.
pub(super) fn add_helper(helper: &Arc<Helper>) {
    let mut living = living();
    living.helpers.retain(|helper| helper.strong_count() > 0);
    living.helpers.push(Arc::downgrade(helper));
}

/// Notes a session's folder.
pub(super) fn add_folder(path: PathBuf) {
    let mut living = living();
    living.folders.retain(|folder| folder.exists());
    living.folders.push(path);
}

/// Ends everything, for a program that leaves at once: takes half a second at the very most when something has to be ended,
/// and no time when nothing has.
pub fn end_all() {
    let (builds, helpers, folders) = {
        let mut living = living();
        (std::mem::take(&mut living.builds), std::mem::take(&mut living.helpers), std::mem::take(&mut living.folders))
    };
    for build in builds.iter().filter_map(Weak::upgrade) {
        build.cancel(LEAVING);
    }
    for helper in helpers.iter().filter_map(Weak::upgrade) {
        helper.end(LEAVING);
    }
    for folder in folders {
        let _ = std::fs::remove_dir_all(folder);
    }
}
