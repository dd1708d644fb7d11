//! Files seen as memory: pages are read when they are touched and given up when the system needs room.
//!
//! The mapping is private: what is written to it never reaches the file. A file that another program cuts short while it
//! is mapped ends this process when the missing part is touched, as it does NumPy's; nothing else can be done about that.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;

/// The whole of a file, mapped; unmapped when dropped.
#[derive(Debug)]
pub struct MappedFile {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping is plain private memory that any thread may access; it lives until the owner drops it.
unsafe impl Send for MappedFile {}
// SAFETY: as above; the pointer is handed out as a number for the owner to use, which orders its accesses.
unsafe impl Sync for MappedFile {}

impl MappedFile {
    /// Maps a file that is not empty.
    pub fn map(file: &File) -> io::Result<MappedFile> {
        let bytes = usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        // SAFETY: a private mapping at an address of the kernel's choice touches no memory of ours; the kernel refuses
        // what cannot be mapped.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_NORESERVE,
                file.as_raw_fd(),
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(MappedFile { start, bytes })
    }

    /// The first byte.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// The length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: the range is the one `map` mapped, and its only owner is going.
        let result = unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
        debug_assert_eq!(result, 0, "munmap of a file refused");
    }
}
