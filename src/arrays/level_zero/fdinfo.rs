//! Device memory of this process as the Linux kernel counts it, from `/proc/self/fdinfo`.
//!
//! Needs no privilege. One open of a device is one *client*; duplicated descriptors show the same client again, so clients are
//! counted once. Older kernels print no memory keys at all: then there is no figure.

use std::collections::BTreeMap;
use std::path::Path;

/// One region of memory (`vram0`, `local0`, `gtt`, `system`), in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// Bytes of all buffers, resident or not.
    pub(super) total: Option<u64>,
    /// Bytes in memory now.
    pub(super) resident: Option<u64>,
}

/// What one descriptor of a render node says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Client {
    /// The PCI address, as the kernel prints it.
    pub(super) pci: Box<str>,
    /// The number of the client on that device.
    pub(super) id: u64,
    /// Memory by region.
    pub(super) regions: BTreeMap<Box<str>, Region>,
}

impl Client {
    /// Reads the text of one fdinfo file; nothing when it is not a descriptor of a graphics device.
    pub(super) fn parse(text: &str) -> Option<Client> {
        let (mut client, mut is_drm, mut has_id) = (Client::default(), false, false);
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match key.trim() {
                "drm-driver" => is_drm = true,
                "drm-pdev" => client.pci = value.into(),
                "drm-client-id" => {
                    client.id = value.parse().ok()?;
                    has_id = true;
                }
                key => {
                    if let Some(region) = key.strip_prefix("drm-total-") {
                        client.region(region).total = parse_bytes(value);
                    } else if let Some(region) = key.strip_prefix("drm-resident-") {
                        client.region(region).resident = parse_bytes(value);
                    } else if let Some(region) = key.strip_prefix("drm-memory-") {
                        // The old name of the same figure.
                        let region = client.region(region);
                        region.resident = region.resident.or(parse_bytes(value));
                    }
                }
            }
        }
        (is_drm && has_id).then_some(client)
    }

    fn region(&mut self, name: &str) -> &mut Region {
        self.regions.entry(name.into()).or_default()
    }
}

/// `12 KiB`, `3 MiB`, `4096`.
fn parse_bytes(value: &str) -> Option<u64> {
    let mut words = value.split_whitespace();
    let number: u64 = words.next()?.parse().ok()?;
    let unit = match words.next() {
        None => 1,
        Some("KiB") => 1 << 10,
        Some("MiB") => 1 << 20,
        Some("GiB") => 1 << 30,
        Some(_) => return None,
    };
    number.checked_mul(unit)
}

/// Bytes of device-local memory that these clients have on the device at a PCI address, each client once; nothing when no
/// client there has such a figure.
pub(super) fn device_local(clients: impl IntoIterator<Item = Client>, pci: &str) -> Option<u64> {
    let mut seen = BTreeMap::new();
    for client in clients {
        if &*client.pci == pci {
            seen.insert(client.id, client);
        }
    }
    seen.values()
        .flat_map(|client| &client.regions)
        .filter(|(name, _)| name.starts_with("vram") || name.starts_with("local"))
        .filter_map(|(_, region)| region.resident.or(region.total))
        .fold(None, |sum, bytes| Some(sum.unwrap_or(0) + bytes))
}

/// The clients of this process.
pub(super) fn own_clients() -> Vec<Client> {
    clients_in(Path::new("/proc/self/fdinfo"))
}

fn clients_in(folder: &Path) -> Vec<Client> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    // A descriptor may be closed between the listing and the reading.
    let texts = entries.flatten().filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    texts.filter_map(|text| Client::parse(&text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const XE: &str = "pos:\t0\nflags:\t0100002\nmnt_id:\t26\nino:\t1040\ndrm-driver:\txe\ndrm-client-id:\t14\n\
        drm-pdev:\t0000:03:00.0\ndrm-total-system:\t0\ndrm-shared-system:\t0\ndrm-total-gtt:\t192 KiB\n\
        drm-resident-gtt:\t192 KiB\ndrm-total-vram0:\t23992 KiB\ndrm-shared-vram0:\t16 MiB\ndrm-active-vram0:\t0\n\
        drm-resident-vram0:\t23 MiB\ndrm-purgeable-vram0:\t0\ndrm-cycles-ccs:\t0\ndrm-engine-capacity-ccs:\t4\n";
    const I915: &str = "pos:\t0\ndrm-driver:\ti915\ndrm-client-id:\t7\ndrm-pdev:\t0000:03:00.0\n\
        drm-total-system0:\t100 KiB\ndrm-resident-system0:\t100 KiB\ndrm-total-local0:\t2 MiB\ndrm-resident-local0:\t1 MiB\n\
        drm-total-stolen-local0:\t0\ndrm-engine-render:\t5 ns\n";
    const I915_OLD: &str =
        "pos:\t0\ndrm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-client-id:\t3\ndrm-engine-render:\t9288864723 ns\n";

    fn parse(text: &str) -> Client {
        Client::parse(text).expect("a client")
    }

    #[test]
    fn figures_are_bytes_whatever_their_unit() {
        let client = parse(XE);
        assert_eq!((&*client.pci, client.id), ("0000:03:00.0", 14));
        assert_eq!(client.regions["vram0"], Region { total: Some(23992 << 10), resident: Some(23 << 20) });
        assert_eq!(client.regions["gtt"], Region { total: Some(192 << 10), resident: Some(192 << 10) });
        assert_eq!(client.regions["system"], Region { total: Some(0), resident: None });
    }

    #[test]
    fn only_device_memory_counts() {
        assert_eq!(device_local([parse(XE)], "0000:03:00.0"), Some(23 << 20));
        assert_eq!(device_local([parse(I915)], "0000:03:00.0"), Some(1 << 20));
        assert_eq!(device_local([parse(XE)], "0000:04:00.0"), None);
    }

    #[test]
    fn a_duplicated_descriptor_counts_once_and_a_second_client_adds() {
        let second = parse(&XE.replace("client-id:\t14", "client-id:\t15"));
        assert_eq!(device_local([parse(XE), parse(XE)], "0000:03:00.0"), Some(23 << 20));
        assert_eq!(device_local([parse(XE), parse(XE), second], "0000:03:00.0"), Some(46 << 20));
    }

    #[test]
    fn a_kernel_without_memory_keys_gives_no_figure() {
        assert_eq!(device_local([parse(I915_OLD)], "0000:00:02.0"), None);
    }

    #[test]
    fn the_old_name_of_resident_is_understood() {
        let old = parse("drm-driver: i915\ndrm-client-id: 1\ndrm-pdev: 0000:03:00.0\ndrm-memory-local0: 4096\n");
        assert_eq!(device_local([old], "0000:03:00.0"), Some(4096));
    }

    #[test]
    fn other_descriptors_and_damaged_texts_are_no_clients() {
        for text in ["", "pos:\t0\nflags:\t02\n", "drm-driver:\txe\n", "drm-driver:\txe\ndrm-client-id:\tmany\n"] {
            assert_eq!(Client::parse(text), None, "{text:?}");
        }
        let odd = parse("drm-driver:\txe\ndrm-client-id:\t1\ndrm-total-vram0:\t5 furlongs\ndrm-total-:\t\n");
        assert_eq!(odd.regions["vram0"], Region::default());
        assert_eq!(device_local([odd], ""), None);
    }

    #[test]
    fn a_folder_of_descriptors_is_read_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [("3", XE), ("4", XE), ("5", "pos:\t0\n")] {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        assert_eq!(clients_in(folder.path()).len(), 2);
        assert!(clients_in(&folder.path().join("absent")).is_empty());
    }
}
