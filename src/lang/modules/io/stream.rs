//! Bytes with a position: a file with its buffers, or memory. It knows nothing of text and of values of the language.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::arrays::patience::Patient;

/// Bytes asked of the system at a time, and kept back before they are written.
const BUFFER_BYTES: usize = 64 << 10;

/// Bytes after which a read without a limit asks whether it may go on: a file may have no end.
const PIECE_BYTES: usize = 1 << 20;

/// Where the bytes are.
#[derive(Debug)]
enum Store {
    File(File),
    Memory { data: Vec<u8>, at: usize },
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// `\n`
    Feed,
    /// `\r`
    Return,
    /// `\r\n`
    Both,
    /// Any of them.
    Any,
}

/// Bytes with a position.
#[derive(Debug)]
pub(super) struct ByteStream {
    store: Store,
    /// Bytes read ahead of the position, from `read_at` on.
    read_ahead: Vec<u8>,
    read_at: usize,
    to_write: Vec<u8>,
    unbuffered: bool,
}

impl ByteStream {
    pub(super) fn file(file: File, unbuffered: bool) -> Self {
        Self { store: Store::File(file), read_ahead: Vec::new(), read_at: 0, to_write: Vec::new(), unbuffered }
    }

    pub(super) fn memory(data: Vec<u8>) -> Self {
        Self {
            store: Store::Memory { data, at: 0 },
            read_ahead: Vec::new(),
            read_at: 0,
            to_write: Vec::new(),
            unbuffered: true,
        }
    }

    /// The file, where there is one.
    pub(super) fn as_file(&self) -> Option<&File> {
        match &self.store {
            Store::File(file) => Some(file),
            Store::Memory { .. } => None,
        }
    }

    /// Everything in memory, wherever the position is.
    pub(super) fn contents(&self) -> &[u8] {
        match &self.store {
            Store::Memory { data, .. } => data,
            Store::File(_) => &[],
        }
    }

    /// Bytes from the position to the end, as far as the system says; for asking a budget before reading.
    pub(super) fn bytes_left(&mut self) -> usize {
        match &self.store {
            Store::Memory { data, at } => data.len().saturating_sub(*at),
            Store::File(file) => {
                let len = file.metadata().map_or(0, |metadata| metadata.len());
                let here = self.tell().unwrap_or(0);
                usize::try_from(len.saturating_sub(here)).unwrap_or(usize::MAX)
            }
        }
    }

    /// What was read ahead; more is read when nothing is left. Empty at the end.
    fn ahead(&mut self) -> io::Result<&[u8]> {
        if self.read_at >= self.read_ahead.len() {
            self.flush()?;
            self.read_ahead.clear();
            self.read_at = 0;
            self.fill(BUFFER_BYTES)?;
        }
        Ok(&self.read_ahead[self.read_at..])
    }

    /// Adds up to `bytes` to what was read ahead; answers how many.
    fn fill(&mut self, bytes: usize) -> io::Result<usize> {
        match &mut self.store {
            Store::Memory { data, at } => {
                let rest = data.get(*at..).unwrap_or_default();
                let taken = &rest[..rest.len().min(bytes)];
                self.read_ahead.extend_from_slice(taken);
                *at += taken.len();
                Ok(taken.len())
            }
            Store::File(file) => Patient(file).take(bytes as u64).read_to_end(&mut self.read_ahead),
        }
    }

    /// Reads everything up to the end. `watch` is told now and then by how many bytes the result would grow, and may stop it.
    pub(super) fn read_all<E: From<io::Error>>(
        &mut self,
        watch: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        self.flush()?;
        let mut out = self.read_ahead.split_off(self.read_at.min(self.read_ahead.len()));
        self.read_ahead.clear();
        self.read_at = 0;
        match &mut self.store {
            Store::Memory { data, at } => {
                out.extend_from_slice(data.get(*at..).unwrap_or_default());
                *at = (*at).max(data.len());
            }
            Store::File(file) => loop {
                make_room(&mut out, PIECE_BYTES, watch)?;
                if Patient(file).take(PIECE_BYTES as u64).read_to_end(&mut out)? == 0 {
                    break;
                }
            },
        }
        Ok(out)
    }

    /// Reads up to `count` bytes, fewer only at the end; `watch` as for [`ByteStream::read_all`].
    pub(super) fn read<E: From<io::Error>>(
        &mut self,
        count: usize,
        watch: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        let mut out = Vec::with_capacity(count.min(BUFFER_BYTES));
        while out.len() < count {
            let bytes = BUFFER_BYTES.min(count - out.len());
            make_room(&mut out, bytes, watch)?;
            let ahead = self.ahead()?;
            if ahead.is_empty() {
                break;
            }
            let taken = ahead.len().min(count - out.len());
            out.extend_from_slice(&ahead[..taken]);
            self.read_at += taken;
        }
        Ok(out)
    }

    /// The next bytes without moving on; at least `count` of them unless the end comes first.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        self.ahead()?;
        while self.read_ahead.len() - self.read_at < count {
            if self.fill(BUFFER_BYTES)? == 0 {
                break;
            }
        }
        Ok(&self.read_ahead[self.read_at..])
    }

    /// Moves on over bytes that [`ByteStream::peek`] showed.
    pub(super) fn consume(&mut self, count: usize) {
        self.read_at += count;
    }

    /// Reads a line with its end, at most `limit` bytes; `watch` as for [`ByteStream::read_all`].
    pub(super) fn read_line<E: From<io::Error>>(
        &mut self,
        end: LineEnd,
        limit: usize,
        watch: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        let mut line = Vec::new();
        while line.len() < limit {
            if line.len() >= BUFFER_BYTES {
                make_room(&mut line, BUFFER_BYTES, watch)?;
            }
            let ahead = self.ahead()?;
            if ahead.is_empty() {
                break;
            }
            let ahead = &ahead[..ahead.len().min(limit - line.len())];
            let found = ahead.iter().position(|byte| match end {
                LineEnd::Feed => *byte == b'\n',
                LineEnd::Return => *byte == b'\r',
                LineEnd::Both => *byte == b'\n',
                LineEnd::Any => matches!(byte, b'\n' | b'\r'),
            });
            let taken = found.map_or(ahead.len(), |at| at + 1);
            line.extend_from_slice(&ahead[..taken]);
            self.read_at += taken;
            let Some(last) = line.last().copied().filter(|_| found.is_some()) else { continue };
            match end {
                LineEnd::Both if !line.ends_with(b"\r\n") => continue,
                LineEnd::Any if last == b'\r' && line.len() < limit && self.ahead()?.first() == Some(&b'\n') => {
                    line.push(b'\n');
                    self.read_at += 1;
                }
                _ => {}
            }
            break;
        }
        Ok(line)
    }

    /// Writes at the position.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.drop_read_ahead()?;
        match &mut self.store {
            Store::Memory { data, at } => {
                if *at > data.len() {
                    data.resize(*at, 0);
                }
                let over = (data.len() - *at).min(bytes.len());
                data[*at..*at + over].copy_from_slice(&bytes[..over]);
                data.extend_from_slice(&bytes[over..]);
                *at += bytes.len();
                Ok(())
            }
            Store::File(_) => {
                self.to_write.extend_from_slice(bytes);
                if self.unbuffered || self.to_write.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
            }
        }
    }

    /// Goes back over what was read ahead, so that the system's position is the stream's.
    fn drop_read_ahead(&mut self) -> io::Result<()> {
        let unread = self.read_ahead.len() - self.read_at.min(self.read_ahead.len());
        self.read_ahead.clear();
        self.read_at = 0;
        match &mut self.store {
            Store::Memory { at, .. } => *at -= unread,
            Store::File(file) if unread > 0 => {
                file.seek(SeekFrom::Current(-(unread as i64)))?;
            }
            Store::File(_) => {}
        }
        Ok(())
    }

    /// Hands what was kept back to the system.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if let Store::File(file) = &mut self.store
            && !self.to_write.is_empty()
        {
            let bytes = std::mem::take(&mut self.to_write);
            file.write_all(&bytes)?;
        }
        Ok(())
    }

    /// The position.
    pub(super) fn tell(&mut self) -> io::Result<u64> {
        let unread = (self.read_ahead.len() - self.read_at.min(self.read_ahead.len())) as u64;
        match &mut self.store {
            Store::Memory { at, .. } => Ok(*at as u64 - unread),
            Store::File(file) => Ok(file.stream_position()? - unread + self.to_write.len() as u64),
        }
    }

    /// Moves the position and answers it.
    pub(super) fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.flush()?;
        self.drop_read_ahead()?;
        match &mut self.store {
            Store::File(file) => file.seek(to),
            Store::Memory { data, at } => {
                let place = match to {
                    SeekFrom::Start(place) => i128::from(place),
                    SeekFrom::End(offset) => data.len() as i128 + i128::from(offset),
                    SeekFrom::Current(offset) => *at as i128 + i128::from(offset),
                };
                *at = usize::try_from(place.max(0)).unwrap_or(usize::MAX);
                Ok(*at as u64)
            }
        }
    }

    /// Cuts or extends to a length; the position stays.
    pub(super) fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.flush()?;
        match &mut self.store {
            Store::File(file) => file.set_len(len),
            Store::Memory { data, .. } => {
                data.truncate(usize::try_from(len).unwrap_or(usize::MAX));
                Ok(())
            }
        }
    }
}

/// Makes room for `bytes` more, asking `watch` first: for all that the vector would grow by, or for nothing where there is room.
fn make_room<E>(out: &mut Vec<u8>, bytes: usize, watch: &mut impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
    let is_full = out.capacity() - out.len() < bytes;
    watch(if is_full { out.len().max(bytes) } else { 0 })?;
    out.reserve(bytes);
    Ok(())
}

impl Drop for ByteStream {
    fn drop(&mut self) {
        // A file that was not closed is still written out; there is nobody left to tell of an error.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn freely(_: usize) -> io::Result<()> {
        Ok(())
    }

    #[test]
    fn a_file_without_an_end_is_read_until_the_watch_stops_it() {
        let mut stream = ByteStream::file(File::open("/dev/zero").expect("every system has it"), false);
        let mut asked = 0;
        let mut watch = |bytes: usize| {
            asked += bytes;
            if asked > 8 << 20 { Err(io::Error::other("enough")) } else { Ok(()) }
        };
        assert_eq!(stream.read_all(&mut watch).expect_err("it never ends").to_string(), "enough");
        asked = 0;
        let mut watch = |bytes: usize| {
            asked += bytes;
            if asked > 8 << 20 { Err(io::Error::other("enough")) } else { Ok(()) }
        };
        assert!(stream.read_line(LineEnd::Feed, usize::MAX, &mut watch).is_err());
        let mut watch = |_| Err(io::Error::other("at once"));
        assert!(stream.read(usize::MAX, &mut watch).is_err());
    }

    #[test]
    fn lines_end_as_asked() {
        let text = b"a\r\nb\rc\nd";
        let lines = |end| {
            let mut stream = ByteStream::memory(text.to_vec());
            std::iter::from_fn(move || {
                Some(stream.read_line(end, usize::MAX, &mut freely).expect("memory")).filter(|l| !l.is_empty())
            })
            .collect::<Vec<_>>()
        };
        assert_eq!(lines(LineEnd::Any), [&b"a\r\n"[..], b"b\r", b"c\n", b"d"]);
        assert_eq!(lines(LineEnd::Feed), [&b"a\r\n"[..], b"b\rc\n", b"d"]);
        assert_eq!(lines(LineEnd::Return), [&b"a\r"[..], b"\nb\r", b"c\nd"]);
        assert_eq!(lines(LineEnd::Both), [&b"a\r\n"[..], b"b\rc\nd"]);
    }

    #[test]
    fn reading_ahead_does_not_move_what_is_written() {
        let file = tempfile::tempfile().expect("a temporary file");
        let mut stream = ByteStream::file(file, false);
        stream.write(b"hello world").expect("written");
        stream.seek(SeekFrom::Start(0)).expect("moved");
        assert_eq!(stream.read(5, &mut freely).expect("read"), b"hello");
        assert_eq!(stream.tell().expect("a position"), 5);
        stream.write(b"_W").expect("written");
        stream.seek(SeekFrom::Start(0)).expect("moved");
        assert_eq!(stream.read_all(&mut freely).expect("read"), b"hello_World");
    }

    #[test]
    fn memory_grows_with_zeros_when_written_beyond_its_end() {
        let mut stream = ByteStream::memory(b"ab".to_vec());
        stream.seek(SeekFrom::Start(4)).expect("moved");
        stream.write(b"c").expect("written");
        assert_eq!(stream.contents(), b"ab\0\0c");
    }
}
