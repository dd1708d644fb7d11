//! Why there is no Level Zero device, in words that end with the remedy.
//!
//! The loader answers the same error for a missing driver, a driver without a device and missing permission, so this
//! looks at what the kernel shows: the render nodes of Intel GPUs and whether they can be opened.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

/// What failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// The loader library could not be loaded; the system's words.
    Load(Box<str>),
    /// The loader found no driver with a device; the result it answered.
    Initialise(Box<str>),
    /// Drivers were there, and no device.
    NoDevice,
}

/// A render node (`/dev/dri/renderD128`) of an Intel GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    path: PathBuf,
    /// Why it cannot be opened; nothing when it can.
    refusal: Option<std::io::ErrorKind>,
}

/// The reason and the remedy on this machine.
pub(super) fn explain(failed: &Failed) -> Box<str> {
    let nodes = intel_render_nodes(Path::new("/sys/class/drm"), Path::new("/dev/dri"));
    reason(failed, &nodes).into()
}

fn reason(failed: &Failed, nodes: &[Node]) -> String {
    let what = match failed {
        Failed::Load(why) => format!("the Level Zero loader cannot be loaded ({why})"),
        Failed::Initialise(result) => format!("the Level Zero loader found no usable driver ({result})"),
        Failed::NoDevice => "the Level Zero drivers show no device".to_owned(),
    };
    let remedy = match (failed, nodes) {
        (_, []) => "no Intel GPU is visible to this process (/dev/dri has no render node of one); \
             in a container, start it with --device /dev/dri"
            .to_owned(),
        (Failed::Load(_), _) => {
            "install it (Debian, Ubuntu: apt install libze1) and Intel's driver for the GPU".to_owned()
        }
        (_, nodes) => match nodes.iter().find(|node| node.refusal.is_some()) {
            Some(Node { path, refusal: Some(std::io::ErrorKind::PermissionDenied) }) => format!(
                "{} may not be opened; join its group (sudo usermod -aG render $USER) and log in again",
                path.display()
            ),
            Some(node) => format!("{} cannot be opened; look at dmesg for the graphics driver", node.path.display()),
            None => "install Intel's driver for the GPU (Debian 12: apt install intel-opencl-icd; \
                 Debian 13, Ubuntu: libze-intel-gpu1)"
                .to_owned(),
        },
    };
    format!("{what}: {remedy}")
}

/// The render nodes whose device was made by Intel.
fn intel_render_nodes(classes: &Path, devices: &Path) -> Vec<Node> {
    let Ok(entries) = std::fs::read_dir(classes) else { return Vec::new() };
    let mut nodes: Vec<Node> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("renderD"))
        .filter(|entry| {
            std::fs::read_to_string(entry.path().join("device/vendor")).is_ok_and(|vendor| vendor.trim() == "0x8086")
        })
        .map(|entry| devices.join(entry.file_name()))
        // A container shows every node of the machine under /sys, and its own under /dev.
        .filter(|path| path.exists())
        .map(|path| Node { refusal: open(&path).err().map(|error| error.kind()), path })
        .collect();
    nodes.sort_by(|a, b| a.path.cmp(&b.path));
    nodes
}

fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    fn node(refusal: Option<ErrorKind>) -> Node {
        Node { path: "/dev/dri/renderD128".into(), refusal }
    }

    fn initialise() -> Failed {
        Failed::Initialise("ZE_RESULT_ERROR_UNINITIALIZED (0x78000001)".into())
    }

    #[test]
    fn without_a_gpu_nothing_is_to_be_installed() {
        for failed in [Failed::Load("no such file".into()), initialise(), Failed::NoDevice] {
            let text = reason(&failed, &[]);
            assert!(text.contains("no Intel GPU is visible") && !text.contains("apt install"), "{text}");
        }
    }

    #[test]
    fn each_cause_has_its_own_remedy() {
        let text = reason(&Failed::Load("no such file".into()), &[node(None)]);
        assert!(text.contains("no such file") && text.contains("apt install libze1"), "{text}");
        let text = reason(&initialise(), &[node(None)]);
        assert!(text.contains("0x78000001") && text.contains("libze-intel-gpu1"), "{text}");
        let text = reason(&initialise(), &[node(Some(ErrorKind::PermissionDenied))]);
        assert!(text.contains("renderD128") && text.contains("usermod -aG render"), "{text}");
        let text = reason(&initialise(), &[node(Some(ErrorKind::Other))]);
        assert!(text.contains("dmesg"), "{text}");
    }

    #[test]
    fn only_intel_nodes_that_are_there_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let (classes, devices) = (folder.path().join("class"), folder.path().join("dri"));
        for (name, vendor) in
            [("renderD128", "0x8086"), ("renderD129", "0x10de"), ("renderD130", "0x8086"), ("card0", "0x8086")]
        {
            std::fs::create_dir_all(classes.join(name).join("device")).expect("a folder");
            std::fs::write(classes.join(name).join("device/vendor"), format!("{vendor}\n")).expect("a file");
        }
        std::fs::create_dir(&devices).expect("a folder");
        for name in ["renderD128", "renderD129", "card0"] {
            std::fs::write(devices.join(name), "").expect("a file");
        }
        let nodes = intel_render_nodes(&classes, &devices);
        assert_eq!(nodes, [Node { path: devices.join("renderD128"), refusal: None }]);
    }
}
