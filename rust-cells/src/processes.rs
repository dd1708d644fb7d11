//! The processes below one of ours, found in `/proc`, and their end.

use std::collections::HashMap;

use rustix::process::{Pid, Signal, kill_process};

/// The number of a process.
pub type Number = i32;

/// Everything that was started below `ancestor`, but for what stands below `spared` (and itself).
pub fn below(ancestor: Number, spared: Option<Number>) -> Vec<Number> {
    let mut children: HashMap<Number, Vec<Number>> = HashMap::new();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    for entry in entries.flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A process that ended meanwhile has no file any more.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some(parent) = parent_in(&stat) {
            children.entry(parent).or_default().push(number);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![ancestor];
    while let Some(number) = open.pop() {
        for &child in children.get(&number).map_or(&[][..], Vec::as_slice) {
            if Some(child) != spared {
                found.push(child);
                open.push(child);
            }
        }
    }
    found
}

/// The parent in the text of `/proc/N/stat`; the name before it may contain anything, brackets too.
fn parent_in(stat: &str) -> Option<Number> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Kills processes at once.
pub fn kill(numbers: &[Number]) {
    for number in numbers.iter().filter_map(|number| Pid::from_raw(*number)) {
        // One that has ended by itself is what was wanted.
        let _ = kill_process(number, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_read_whatever_the_name() {
        assert_eq!(parent_in("12 (a) b) (c) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in("12"), None);
    }

    #[test]
    fn children_are_found_and_spared() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let own = Number::try_from(std::process::id()).unwrap();
        let number = Number::try_from(child.id()).unwrap();
        assert!(below(own, None).contains(&number));
        assert!(!below(own, Some(number)).contains(&number));
        kill(&[number]);
        assert!(!child.wait().unwrap().success());
    }
}
