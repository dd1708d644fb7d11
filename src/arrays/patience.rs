//! Files that may keep a reader waiting for ever: pipes, terminals, sockets. Waiting for them ends when a stop is asked
//! for, as that of [`super::attention`]; plain files are read as they are.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::attention;

/// Between two looks at whether a stop was asked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The cause of an error of a file for which nobody waits any longer. Its kind is not `Interrupted`, which readers of the
/// standard library take for a reason to try again.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a stop was asked for while a file was waited for")
    }
}

impl std::error::Error for Stopped {}

/// Whether an error means that a stop was asked for.
pub fn is_stop(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<Stopped>())
}

fn check() -> io::Result<()> {
    if attention::interrupted() { Err(io::Error::other(Stopped)) } else { Ok(()) }
}

/// Opens a file. A pipe is opened to read although nobody writes yet, and opening it to write waits for a reader until a
/// stop is asked for.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if !std::fs::metadata(path).is_ok_and(|about| about.file_type().is_fifo()) {
        return options.open(path);
    }
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    let file = loop {
        match options.open(path) {
            // Nobody reads yet.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                check()?;
                std::thread::sleep(LOOK_EVERY);
            }
            other => break other?,
        }
    };
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// All bytes of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path, OpenOptions::new().read(true))?;
    let mut bytes = Vec::new();
    Patient(&file).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file of any kind.
#[derive(Debug)]
pub struct Patient<'a>(pub &'a File);

impl Read for Patient<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if !self.0.metadata()?.is_file() {
            let pause = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.subsec_nanos().into() };
            // What cannot be asked is read at once.
            while let Ok(0) | Err(rustix::io::Errno::INTR) =
                poll(&mut [PollFd::new(self.0, PollFlags::IN)], Some(&pause))
            {
                check()?;
            }
        }
        self.0.read(into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn pipe(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
            .expect("a pipe");
        path
    }

    #[test]
    fn waiting_for_a_pipe_ends_when_a_stop_is_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = pipe(folder.path());
        let attention = attention::Attention::default();
        attention::install(attention.clone());
        attention.interrupt();
        assert!(is_stop(&read(&path).expect_err("nobody writes")));
        assert!(is_stop(&open(&path, OpenOptions::new().write(true)).expect_err("nobody reads")));
        attention.clear();
        let writer = std::thread::spawn({
            let path = path.clone();
            move || std::fs::write(path, vec![7; 200_000]).expect("written")
        });
        assert_eq!(read(&path).expect("all of it"), vec![7; 200_000]);
        writer.join().expect("the writer ended");
        attention::install(attention::Attention::default());
    }

    #[test]
    fn plain_files_are_read_as_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plain");
        open(&path, OpenOptions::new().write(true).create(true)).and_then(|mut file| file.write_all(b"abc")).unwrap();
        assert_eq!(read(&path).expect("read"), b"abc");
        assert_eq!(read(Path::new("/dev/null")).expect("read"), b"");
        assert_eq!(read(&folder.path().join("none")).expect_err("none").kind(), io::ErrorKind::NotFound);
    }
}
