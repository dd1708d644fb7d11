//! After a panic of the engine: the machine is brought back to where no code runs, so that the session lives on.

use super::Vm;

impl Vm {
    /// Drops every frame and value that a panic left behind. Names, modules and objects stay as they were.
    pub fn recover(&mut self) {
        while let Some(frame) = self.frames.last() {
            if let Some(generator) = &frame.generator {
                // Its frame goes; it can only be over.
                drop(generator.finish());
            }
            self.frames.pop();
        }
        for slot in 0..self.stack.len() {
            let old = std::mem::take(&mut self.stack[slot]);
            drop(old);
        }
        self.top = 0;
        self.native_depth = 0;
        self.pending.clear();
        if self.is_dry_run() {
            let _ = self.end_dry_run();
        }
    }
}
