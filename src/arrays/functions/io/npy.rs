//! `.npy` files: one array, header and bytes. Sizes in a header are believed only as far as the file and the memory limit go.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use super::npy_header::{self, NpyHeader};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::attention;
use crate::arrays::dtype::DType;
use crate::arrays::error::{ArrayError, shape_text};
use crate::arrays::functions::support;
use crate::arrays::layout::{Layout, Order, RANK_MAX};
use crate::arrays::native::MappedFile;
use crate::arrays::patience;
use crate::arrays::{Buffer, Place};

/// Bytes moved between two looks at the interrupt flag.
const PIECE: usize = 1 << 22;

/// `load` of a `.npy` file. Big-endian data is swapped.
pub fn load(path: &Path, alloc: &Alloc) -> Result<Array, ArrayError> {
    let mut file = open(path)?;
    let available = file.metadata()?.len();
    read(&mut file, available, alloc)
}

/// `load` with `mmap_mode`: an array over the file itself, whose pages are read when they are needed. Nothing where that
/// cannot be: data in the other byte order, at an address its type does not have, or of a width the device lacks.
pub fn map(path: &Path, place: &Place) -> Result<Option<Array>, ArrayError> {
    let mut file = open(path)?;
    let available = file.metadata()?.len();
    let (header, start) = read_header(&mut file)?;
    let (dtype, swapped) = parse_descr(&header.descr)?;
    let wide =
        header.data_bytes(dtype.bytes()).filter(|_| header.shape.len() <= RANK_MAX).ok_or_else(support::too_big)?;
    if wide as u64 > available.saturating_sub(start as u64) {
        return Err(ArrayError::value("mmap length is greater than file size"));
    }
    let is_narrowed = dtype.narrowed(place.fp64()) != dtype;
    // Mappings begin on pages, so the place in the file decides.
    if swapped || is_narrowed || wide == 0 || !start.is_multiple_of(dtype.real_part().bytes()) {
        return Ok(None);
    }
    let mapped = MappedFile::map(&file).map_err(|error| io_error(&error, path))?;
    let order = if header.fortran_order { Order::F } else { Order::C };
    let layout = Layout::ordered(&header.shape, order);
    Array::over_buffer(Buffer::over_file(mapped, start)?, dtype, layout, place.clone()).map(Some)
}

/// Opens a file for reading, with Python's words if that fails. A pipe is refused: its length and its parts are not known.
pub fn open(path: &Path) -> Result<File, ArrayError> {
    let file = patience::open(path, File::options().read(true)).map_err(|error| io_error(&error, path))?;
    if file.metadata()?.file_type().is_fifo() {
        return Err(io_error(&rustix::io::Errno::SPIPE.into(), path));
    }
    Ok(file)
}

/// Creates a file, or empties it.
pub fn create(path: &Path) -> Result<File, ArrayError> {
    let options = &mut File::options();
    patience::open(path, options.write(true).create(true).truncate(true)).map_err(|error| io_error(&error, path))
}

/// An operating-system error as Python prints it: `[Errno 2] No such file or directory: 'x.npy'`.
pub fn io_error(error: &std::io::Error, path: &Path) -> ArrayError {
    if patience::is_stop(error) {
        return ArrayError::Interrupted;
    }
    let text = error.to_string();
    // Rust appends `(os error 2)`, Python puts the number first.
    let message = match error.raw_os_error() {
        Some(code) => {
            let words = text.split(" (os error").next().unwrap_or(&text);
            format!("[Errno {code}] {words}: '{}'", path.display())
        }
        None => format!("{text}: '{}'", path.display()),
    };
    ArrayError::Io { kind: error.kind(), message: message.into() }
}

/// Reads an array from a stream that holds at most `available` bytes.
pub fn read(stream: &mut impl Read, available: u64, alloc: &Alloc) -> Result<Array, ArrayError> {
    let (header, start) = read_header(stream)?;
    let (dtype, swapped) = parse_descr(&header.descr)?;
    let wide =
        header.data_bytes(dtype.bytes()).filter(|_| header.shape.len() <= RANK_MAX).ok_or_else(support::too_big)?;
    let left = available.saturating_sub(start as u64);
    if wide as u64 > left {
        let expected: usize = header.shape.iter().product();
        return Err(ArrayError::value(format!(
            "Failed to read all data for array. Expected {} = {expected} elements, could only read {} elements. (file seems not fully written?)",
            shape_text(&header.shape),
            left / dtype.bytes() as u64
        )));
    }
    let order = if header.fortran_order { Order::F } else { Order::C };
    let narrowed = dtype.narrowed(alloc.place.fp64());
    if narrowed != dtype {
        // The device has no double precision: read on the host and narrow on the way.
        let whole = support::allocate_ordered(&header.shape, dtype, order, &Alloc::HOST)?;
        fill(&whole, stream, swapped)?;
        return crate::arrays::functions::convert::copy_to(&whole, Some(narrowed), alloc);
    }
    let result = support::allocate_ordered(&header.shape, dtype, order, alloc)?;
    fill(&result, stream, swapped)?;
    Ok(result)
}

fn read_header(stream: &mut impl Read) -> Result<(NpyHeader, usize), ArrayError> {
    // The length stands behind the magic; read no more than the header, for the data follows in the same stream.
    let mut bytes = Vec::new();
    stream.by_ref().take(10).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Err(ArrayError::Io { kind: std::io::ErrorKind::UnexpectedEof, message: "No data left in file".into() });
    }
    if !bytes.starts_with(npy_header::MAGIC) {
        return Err(ArrayError::value(
            "This file contains pickled (object) data. If you trust the file you can load it unsafely using the `allow_pickle=` keyword argument or `pickle.load()`.",
        ));
    }
    let wide = bytes.get(6).is_some_and(|major| *major > 1);
    if wide {
        stream.by_ref().take(2).read_to_end(&mut bytes)?;
    }
    let length = bytes.get(8..).unwrap_or(&[]).iter().rev().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
    // A longer header is refused by the parser; do not read it first.
    stream.by_ref().take(length.min(1 << 16)).read_to_end(&mut bytes)?;
    npy_header::parse(&bytes).map_err(|error| ArrayError::value(error.0))
}

/// The dtype of a header and whether its bytes must be swapped.
fn parse_descr(descr: &str) -> Result<(DType, bool), ArrayError> {
    if descr.ends_with('O') {
        return Err(ArrayError::value("Object arrays cannot be loaded when allow_pickle=False"));
    }
    let (native, swapped) = match descr.strip_prefix('>') {
        Some(rest) => (rest, true),
        None => (descr, false),
    };
    let dtype =
        DType::parse(native).ok_or_else(|| ArrayError::type_error(format!("dtype={descr} is not supported.")))?;
    Ok((dtype, swapped && dtype.bytes() > 1))
}

fn fill(array: &Array, stream: &mut impl Read, swapped: bool) -> Result<(), ArrayError> {
    if array.dtype() == DType::Bool {
        let mut piece = vec![0; array.len_elements().min(PIECE)];
        return support::write::<bool, _>(array, |elements| {
            for part in elements.chunks_mut(PIECE) {
                attention::check()?;
                let bytes = &mut piece[..part.len()];
                stream.read_exact(bytes)?;
                part.iter_mut().zip(bytes.iter()).for_each(|(element, byte)| *element = *byte != 0);
            }
            Ok(())
        });
    }
    let part_bytes = array.dtype().real_part().bytes();
    let bytes = flat_bytes(array)?;
    support::write::<u8, _>(&bytes, |bytes| {
        for piece in bytes.chunks_mut(PIECE) {
            attention::check()?;
            stream.read_exact(piece)?;
            if swapped {
                piece.chunks_exact_mut(part_bytes).for_each(<[u8]>::reverse);
            }
        }
        Ok(())
    })
}

/// A contiguous array of either order as its bytes in memory order.
fn flat_bytes(array: &Array) -> Result<Array, ArrayError> {
    let layout = crate::arrays::layout::Layout {
        offset: array.layout().offset,
        ..crate::arrays::layout::Layout::contiguous(&[array.len_elements()])
    };
    array.view(layout).view_as(DType::UInt8)
}

/// `save` to a `.npy` file.
pub fn save(path: &Path, array: &Array) -> Result<(), ArrayError> {
    let mut file = create(path)?;
    write(&mut file, array)?;
    file.flush()?;
    Ok(())
}

/// Writes header and data. F-contiguous arrays are written as they lie, others in C order.
pub fn write(stream: &mut impl Write, array: &Array) -> Result<(), ArrayError> {
    let fortran_order = array.layout().is_f_contiguous() && !array.layout().is_c_contiguous();
    let header = NpyHeader { descr: array.dtype().typestr().to_owned(), fortran_order, shape: array.shape().to_vec() };
    stream.write_all(&npy_header::write(&header))?;
    let lying = if fortran_order { array.transposed() } else { array.clone() };
    support::read_bytes(&lying, |bytes| {
        for piece in bytes.chunks(PIECE) {
            attention::check()?;
            stream.write_all(piece)?;
        }
        Ok(())
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::functions::print::{PrintOptions, repr};
    use crate::arrays::functions::shapes;

    fn stored(array: &Array) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, array).unwrap();
        bytes
    }

    fn loaded(bytes: &[u8]) -> Result<Array, ArrayError> {
        read(&mut &*bytes, bytes.len() as u64, &Alloc::HOST)
    }

    #[test]
    fn arrays_of_every_dtype_and_order_come_back() {
        for dtype in DType::ALL {
            let numbers = Array::from_slice(&[0_i64, 1, 2, 3, 4, 5], &[2, 3], &Alloc::HOST).unwrap();
            let array = support::cast(&numbers, dtype).unwrap();
            for array in [array.clone(), array.transposed(), shapes::broadcast_to(&array, &[2, 2, 3]).unwrap()] {
                let back = loaded(&stored(&array)).unwrap();
                let options = PrintOptions::default();
                assert_eq!(repr(&back, &options).unwrap(), repr(&array, &options).unwrap());
            }
        }
    }

    #[test]
    fn big_endian_data_is_swapped() {
        let array = Array::from_slice(&[1.5_f64, -2.0], &[2], &Alloc::HOST).unwrap();
        let mut bytes = stored(&array);
        let place = bytes.iter().position(|byte| *byte == b'<').unwrap();
        bytes[place] = b'>';
        let start = bytes.len() - 16;
        bytes[start..].chunks_exact_mut(8).for_each(<[u8]>::reverse);
        assert_eq!(loaded(&bytes).unwrap().to_vec::<f64>().unwrap(), [1.5, -2.0]);
    }

    #[test]
    fn a_header_that_promises_more_than_the_file_holds_allocates_nothing() {
        let array = Array::from_slice(&[1_i64, 2, 3, 4, 5], &[5], &Alloc::HOST).unwrap();
        let whole = stored(&array);
        let attempts = crate::arrays::ledger::allocations_attempted();
        let error = loaded(&whole[..whole.len() - 9]).unwrap_err().to_string();
        assert_eq!(
            error,
            "Failed to read all data for array. Expected (5,) = 5 elements, could only read 3 elements. (file seems not fully written?)"
        );
        let mut lying = npy_header::write(&NpyHeader {
            descr: "<f8".to_owned(),
            fortran_order: false,
            shape: vec![1 << 20, 1 << 20, 1 << 10],
        });
        lying.extend([0; 64]);
        assert!(loaded(&lying).is_err());
        for length in 0..whole.len() {
            assert!(loaded(&whole[..length]).is_err());
        }
        assert_eq!(crate::arrays::ledger::allocations_attempted(), attempts);
    }

    #[test]
    fn files_and_archives_hold_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let array = Array::from_slice(&[1_i32, 2, 3], &[3], &Alloc::HOST).unwrap();
        let path = folder.path().join("a.npy");
        save(&path, &array).unwrap();
        assert_eq!(load(&path, &Alloc::HOST).unwrap().to_vec::<i32>().unwrap(), [1, 2, 3]);
        for compressed in [false, true] {
            let path = folder.path().join("a.npz");
            super::super::npz::save(
                &path,
                &[("x".to_owned(), array.clone()), ("y".to_owned(), array.clone())],
                compressed,
            )
            .unwrap();
            let mut archive = super::super::npz::NpzFile::open(&path).unwrap();
            assert_eq!(archive.names(), ["x", "y"]);
            assert_eq!(archive.read("y", &Alloc::HOST).unwrap().to_vec::<i32>().unwrap(), [1, 2, 3]);
            assert_eq!(archive.read("z", &Alloc::HOST).unwrap_err().to_string(), "z is not a file in the archive");
        }
        let missing = load(&folder.path().join("none.npy"), &Alloc::HOST).unwrap_err().to_string();
        assert!(missing.starts_with("[Errno 2] No such file or directory: '"), "{missing}");
    }
}
