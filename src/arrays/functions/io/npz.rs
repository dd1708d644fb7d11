//! `.npz` files: a zip archive of `.npy` files. Reading unpacks one member at a time and only as far as its header says.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::npy;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::error::ArrayError;

/// An opened archive.
pub struct NpzFile {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    names: Vec<String>,
}

impl NpzFile {
    /// Opens an archive and reads its directory.
    pub fn open(path: &Path) -> Result<Self, ArrayError> {
        let archive = ZipArchive::new(BufReader::new(npy::open(path)?)).map_err(zip_error)?;
        let names = archive
            .file_names()
            .map(|name| name.map(|name| name.into_owned()).map_err(zip_error))
            .collect::<Result<_, _>>()?;
        Ok(NpzFile { path: path.to_owned(), archive, names })
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the arrays, without `.npy`, in the order of the archive.
    pub fn names(&self) -> Vec<&str> {
        self.names.iter().map(|name| name.strip_suffix(".npy").unwrap_or(name)).collect()
    }

    /// Reads one array.
    pub fn read(&mut self, name: &str, alloc: &Alloc) -> Result<Array, ArrayError> {
        let with_suffix = format!("{name}.npy");
        let member = [with_suffix.as_str(), name]
            .into_iter()
            .find(|member| self.names.iter().any(|known| known == member))
            .ok_or_else(|| ArrayError::index(format!("{name} is not a file in the archive")))?;
        let mut stream = self.archive.by_name(member).map_err(zip_error)?;
        let available = stream.size();
        npy::read(&mut stream, available, alloc)
    }
}

/// `savez` and `savez_compressed`.
pub fn save(path: &Path, arrays: &[(String, Array)], compressed: bool) -> Result<(), ArrayError> {
    let file = npy::create(path)?;
    let mut writer = ZipWriter::new(BufWriter::new(file));
    let method = if compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let options = SimpleFileOptions::default().compression_method(method).large_file(true);
    for (name, array) in arrays {
        writer.start_file(format!("{name}.npy"), options).map_err(zip_error)?;
        npy::write(&mut writer, array)?;
    }
    writer.finish().map_err(zip_error)?;
    Ok(())
}

fn zip_error(error: zip::result::ZipError) -> ArrayError {
    match error {
        zip::result::ZipError::Io(error) => error.into(),
        other => ArrayError::value(format!("the archive cannot be used: {other}")),
    }
}
