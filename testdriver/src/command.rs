//! What a command does when its turn comes.

use crate::driver::Driver;
use crate::event::{Event, Fence};
use crate::faults::{EXECUTE, Effect};
use crate::kernel::Kernel;
use crate::opencl::{Argument, ClQueue};
use std::ops::Range;
use std::sync::Arc;

/// A command of a list, with everything captured when it was appended.
pub(crate) enum Command {
    /// Copies bytes.
    Copy {
        /// Destination.
        to: usize,
        /// Source.
        from: usize,
        /// How many.
        bytes: usize,
    },
    /// Copies a box of bytes.
    CopyRegion {
        /// Destination.
        to: Pitched,
        /// Source.
        from: Pitched,
        /// Bytes of a row, rows of a slice, slices.
        extent: [usize; 3],
    },
    /// Fills with a pattern.
    Fill {
        /// Destination.
        to: usize,
        /// What is repeated.
        pattern: Box<[u8]>,
        /// How many bytes.
        bytes: usize,
    },
    /// Runs a kernel.
    Launch {
        /// Which.
        kernel: Arc<Kernel>,
        /// The values set when it was appended.
        arguments: Vec<Argument>,
        /// Items of a group.
        group_size: [u32; 3],
        /// Groups.
        groups: [u32; 3],
    },
    /// Signals an event.
    Signal(Arc<Event>),
    /// Resets an event.
    Reset(Arc<Event>),
    /// Signals a fence.
    Fence(Arc<Fence>),
    /// Nothing: a barrier, or a wait for events.
    Nothing,
}

/// A place in rows and slices of bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pitched {
    /// The first byte.
    pub start: usize,
    /// Bytes from row to row.
    pub row: usize,
    /// Bytes from slice to slice.
    pub slice: usize,
}

impl Pitched {
    fn row_start(&self, row: usize, slice: usize) -> usize {
        self.start + slice * self.slice + row * self.row
    }

    /// What rows of this extent cover, from the first byte to the last.
    pub fn span(&self, [bytes, rows, slices]: [usize; 3]) -> Range<usize> {
        self.start..self.row_start(rows.saturating_sub(1), slices.saturating_sub(1)) + bytes
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It did what it should.
    Done,
    /// It never ends.
    Hung,
    /// The device is lost by it.
    Failed,
}

impl Command {
    /// Whether the device touches memory for it, so that injected failures may strike.
    fn works(&self) -> bool {
        self.name().is_some()
    }

    /// The counter of commands of this kind that were run.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Command::Copy { .. } | Command::CopyRegion { .. } => Some("copies"),
            Command::Fill { .. } => Some("fills"),
            Command::Launch { .. } => Some("launches"),
            Command::Signal(_) | Command::Reset(_) | Command::Fence(_) | Command::Nothing => None,
        }
    }

    /// Whether it uses memory in this range.
    pub fn touches(&self, range: &Range<usize>) -> bool {
        let meets = |other: Range<usize>| other.start < range.end && range.start < other.end;
        match self {
            Command::Copy { to, from, bytes } => meets(*to..to + bytes) || meets(*from..from + bytes),
            Command::CopyRegion { to, from, extent } => meets(to.span(*extent)) || meets(from.span(*extent)),
            Command::Fill { to, bytes, .. } => meets(*to..to + bytes),
            Command::Launch { arguments, .. } => arguments
                .iter()
                .any(|argument| matches!(argument, Argument::Pointer(address) if range.contains(address))),
            _ => false,
        }
    }

    /// Does it.
    pub fn run(&self, driver: &Driver, queue: &ClQueue) -> Outcome {
        if !self.works() {
            return Outcome::Done;
        }
        match driver.faults.strike(EXECUTE) {
            None => {}
            Some(Effect::Hang) => return Outcome::Hung,
            Some(Effect::Answer(_)) => return Outcome::Failed,
        }
        let _open = driver.memory.open();
        match self {
            Command::Copy { to, from, bytes } => copy(*to, *from, *bytes),
            Command::CopyRegion { to, from, extent: [bytes, rows, slices] } => {
                for (slice, row) in (0..*slices).flat_map(|slice| (0..*rows).map(move |row| (slice, row))) {
                    copy(to.row_start(row, slice), from.row_start(row, slice), *bytes);
                }
            }
            Command::Fill { to, pattern, bytes } => {
                for offset in (0..*bytes).step_by(pattern.len()) {
                    copy(to + offset, pattern.as_ptr() as usize, pattern.len().min(bytes - offset));
                }
            }
            Command::Launch { kernel, arguments, group_size, groups } => {
                std::thread::sleep(driver.config.delay);
                if kernel.run(queue, arguments, *group_size, *groups).is_err() {
                    return Outcome::Failed;
                }
            }
            Command::Signal(_) | Command::Reset(_) | Command::Fence(_) | Command::Nothing => {}
        }
        driver.memory.count(self);
        Outcome::Done
    }

    /// What becomes visible to waiting threads with the command's end.
    pub fn settle(&self) {
        match self {
            Command::Signal(event) => event.signal(0, 0),
            Command::Reset(event) => event.reset(),
            Command::Fence(fence) => fence.signal(),
            _ => {}
        }
    }
}

/// The device's copy.
fn copy(to: usize, from: usize, bytes: usize) {
    // SAFETY: the client that appended the command answers for both ranges until the command has ended; ranges inside
    // allocations were checked, and memory in use cannot be freed.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_touches_what_it_reads_and_writes() {
        let copy = Command::Copy { to: 100, from: 200, bytes: 10 };
        for (range, touched) in
            [(100..101, true), (109..120, true), (110..200, false), (205..206, true), (0..100, false)]
        {
            assert_eq!(copy.touches(&range), touched, "{range:?}");
        }
        let fill = Command::Fill { to: 64, pattern: Box::from([0]), bytes: 8 };
        assert!(fill.touches(&(71..72)) && !fill.touches(&(72..80)));
    }

    #[test]
    fn the_span_of_a_box_ends_with_its_last_row() {
        let place = Pitched { start: 1000, row: 100, slice: 400 };
        assert_eq!(place.span([10, 3, 2]), 1000..1000 + 400 + 200 + 10);
    }
}
