//! A child process that leads a group of its own, and the end of everything below it.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};

/// How often the processes below a group's leader are looked for while they are killed.
const SWEEP: Duration = Duration::from_millis(10);

/// A child and its group.
///
/// The leader is waited for only after its group was killed: until then its number, which names the group, cannot become
/// another process's.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    ended: OwnedFd,
    child: Mutex<(Child, Option<ExitStatus>)>,
}

impl Group {
    /// Starts a command as the leader of a new group.
    pub fn spawn(mut command: Command) -> std::io::Result<(Self, Taken)> {
        let mut child = command.process_group(0).spawn()?;
        let taken = Taken { errors: child.stderr.take() };
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(std::io::ErrorKind::InvalidData)?;
        let ended = pidfd_open(leader, PidfdFlags::empty())?;
        Ok((Self { leader, ended, child: Mutex::new((child, None)) }, taken))
    }

    /// The number of the leader.
    pub fn leader(&self) -> i32 {
        self.leader.as_raw_nonzero().get()
    }

    /// Whether the leader has ended, or ends in this time.
    pub fn ends_within(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let timeout = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: i64::from(left.subsec_nanos()),
            };
            match poll(&mut [PollFd::new(&self.ended, PollFlags::IN)], Some(&timeout)) {
                Ok(count) => return count > 0,
                Err(_) if left.is_zero() => return false,
                Err(_) => {}
            }
        }
    }

    /// Kills what the leader started, so that it may clear away and end; then what is left.
    pub fn sweep(&self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        while !self.ends_within(Duration::ZERO) && Instant::now() < until {
            for number in below(self.leader()).into_iter().filter_map(Pid::from_raw) {
                let _ = kill_process(number, Signal::KILL);
            }
            self.ends_within(SWEEP);
        }
        self.finish()
    }

    /// Kills what is left of the group, and waits for the leader; how that ended.
    pub fn finish(&self) -> Option<ExitStatus> {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if child.1.is_none() {
            let _ = kill_process_group(self.leader, Signal::KILL);
            child.1 = child.0.wait().ok();
        }
        child.1
    }
}

/// What a child's standard streams became.
#[derive(Debug)]
pub struct Taken {
    /// Its standard error, when it was piped.
    pub errors: Option<std::process::ChildStderr>,
}

/// Everything that was started below a process.
pub fn below(ancestor: i32) -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name may contain anything, brackets too; the state and the parent follow it.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_ascii_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(number);
        }
    }
    let (mut found, mut open) = (Vec::new(), vec![ancestor]);
    while let Some(number) = open.pop() {
        for &child in children.get(&number).map_or(&[][..], Vec::as_slice) {
            found.push(child);
            open.push(child);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn a_group_ends_with_all_that_it_started() {
        let (group, _) = Group::spawn(shell("sleep 1000 & sleep 1000; exit 3")).unwrap();
        while below(group.leader()).len() < 2 {
            std::thread::yield_now();
        }
        let numbers = below(group.leader());
        assert!(group.sweep(Duration::from_secs(5)).is_some());
        for number in numbers {
            let state = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            let is_gone = state.is_empty() || state.contains(") Z ");
            assert!(is_gone, "{state}");
        }
    }

    #[test]
    fn the_end_of_one_that_ends_by_itself_is_seen() {
        let (group, _) = Group::spawn(shell("exit 3")).unwrap();
        assert!(group.ends_within(Duration::from_secs(60)));
        assert_eq!(group.finish().unwrap().code(), Some(3));
    }
}
