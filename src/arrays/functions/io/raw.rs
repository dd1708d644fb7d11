//! Bytes without a header: `tobytes`, `tofile`, `fromfile`.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::npy;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::support;
use crate::arrays::layout::Order;

/// `tobytes` in C or F order.
pub fn to_bytes(array: &Array, order: Order) -> Result<Vec<u8>, ArrayError> {
    let lying = match order {
        Order::C => array.clone(),
        Order::F => array.transposed(),
    };
    support::read_bytes(&lying, <[u8]>::to_vec)
}

/// `tofile` in binary.
pub fn to_file(array: &Array, path: &Path) -> Result<(), ArrayError> {
    let mut file = npy::create(path)?;
    support::read_bytes(array, |bytes| file.write_all(bytes))??;
    Ok(())
}

/// `fromfile` in binary: as many whole elements as there are, at most `count`.
pub fn from_file(
    path: &Path,
    dtype: DType,
    count: Option<usize>,
    offset_bytes: u64,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let mut file = npy::open(path)?;
    let available = file.metadata()?.len().saturating_sub(offset_bytes) / dtype.bytes() as u64;
    let available = usize::try_from(available).map_err(|_| support::too_big())?;
    let len = count.map_or(available, |count| count.min(available));
    file.seek(SeekFrom::Start(offset_bytes))?;
    let result = support::allocate(&[len], dtype, alloc)?;
    if dtype == DType::Bool {
        let mut bytes = vec![0; len];
        file.read_exact(&mut bytes)?;
        support::write_bytes(&result, &bytes)?;
    } else {
        support::write::<u8, _>(&result.view_as(DType::UInt8)?, |bytes| Ok(file.read_exact(bytes)?))?;
    }
    Ok(result)
}
