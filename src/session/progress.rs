//! What a computation in pieces says of itself while it runs and when it is over.

use crate::arrays::chunk::Progress;
use crate::display::units::bytes;

/// One line about how far it is.
pub(super) fn text(progress: &Progress) -> String {
    match progress {
        Progress::Running { label, done, total } => {
            format!("{label}: {} of {} ({} %)", bytes(*done), bytes(*total), done * 100 / (*total).max(1))
        }
        Progress::Ended { label, total, pieces } => format!("{label}: {} in {pieces} pieces", bytes(*total)),
        Progress::Spilled { bytes: size, device } => {
            format!(
                "{} do not fit {device}: kept in host memory, computed in pieces (%chunk off refuses instead)",
                bytes(*size)
            )
        }
    }
}
