//! What a computation in pieces says of itself while it runs and when it is over.

use std::collections::BTreeMap;

use crate::arrays::chunk::Progress;
use crate::display::units::bytes;

/// What was said of the cell that runs, so that a loop says it once and the end of the cell how often it was.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// By device: arrays kept in host memory beyond the first, and their bytes.
    spilled: BTreeMap<Box<str>, (u64, u64)>,
    /// By operation: computations in pieces beyond the first.
    ended: BTreeMap<&'static str, u64>,
}

impl Told {
    /// One line about how far it is; nothing where the like was said before.
    pub(super) fn line(&mut self, progress: &Progress) -> Option<String> {
        match progress {
            Progress::Running { label, done, total } => {
                Some(format!("{label}: {} of {} ({} %)", bytes(*done), bytes(*total), done * 100 / (*total).max(1)))
            }
            Progress::Ended { label, total, pieces } => {
                let more = self.ended.entry(label).and_modify(|more| *more += 1).or_default();
                (*more == 0).then(|| format!("{label}: {} in {pieces} pieces", bytes(*total)))
            }
            Progress::Spilled { bytes: size, device } => {
                let first = !self.spilled.contains_key(device);
                let (more, more_bytes) = self.spilled.entry(device.clone()).or_default();
                if !first {
                    *more += 1;
                    *more_bytes += size;
                }
                first.then(|| {
                    format!(
                        "{} do not fit {device}: kept in host memory, computed in pieces (%chunk off refuses instead)",
                        bytes(*size)
                    )
                })
            }
        }
    }

    /// What was not said, a line each, at the end of a cell.
    pub(super) fn rest(self) -> Vec<String> {
        let spilled = self.spilled.into_iter().filter(|(_, (more, _))| *more > 0).map(|(device, (more, size))| {
            let arrays = if more == 1 { "1 array".to_owned() } else { format!("{more} arrays") };
            format!("{arrays} more, {}, did not fit {device} either", bytes(size))
        });
        let ended = self.ended.into_iter().filter(|(_, more)| *more > 0);
        let ended = ended.map(|(label, more)| {
            if more == 1 {
                format!("{label}: once more in pieces")
            } else {
                format!("{label}: {more} times more in pieces")
            }
        });
        spilled.chain(ended).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_told_once_and_counted() {
        let mut told = Told::default();
        let spilled = |size| Progress::Spilled { bytes: size, device: "sim:gpu:0".into() };
        let ended = || Progress::Ended { label: "sum", total: 1 << 20, pieces: 4 };
        assert!(told.line(&spilled(1 << 20)).expect("the first is told").starts_with("1.00 MiB do not fit sim:gpu:0"));
        assert_eq!(told.line(&ended()).as_deref(), Some("sum: 1.00 MiB in 4 pieces"));
        for _ in 0..3 {
            assert_eq!(told.line(&spilled(2 << 20)), None);
        }
        assert_eq!(told.line(&ended()), None);
        let running = Progress::Running { label: "sum", done: 1, total: 2 };
        assert!(told.line(&running).is_some(), "how far a long one is, is told as long as it runs");
        assert_eq!(told.rest(), ["3 arrays more, 6.00 MiB, did not fit sim:gpu:0 either", "sum: once more in pieces"]);
        assert!(Told::default().rest().is_empty());
    }
}
