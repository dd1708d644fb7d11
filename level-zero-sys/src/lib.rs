//! Raw bindings to [oneAPI Level Zero](https://oneapi-src.github.io/level-zero-spec/level-zero/latest/), Intel's interface
//! to its GPUs and NPUs: the core API and the part of sysman that tells about memory.
//!
//! Nothing is linked. [`Loader::load`] opens `libze_loader.so.1` at run time and finds the functions, each *required* or
//! *optional*, so that one program works with every loader from 1.8.12 on, and says so in an orderly way where there is none.
//!
//! Names, types and values are those of the specification: structures are `#[repr(C)]`, enumerations are newtypes (a driver may
//! answer values the headers do not know), flags are constants of such newtypes for use in plain integers.
//! Nothing here is safe to call without reading the specification.
//!
//! ```no_run
//! use level_zero_sys::{Loader, ze_result_t};
//!
//! // SAFETY: the library of this name is the Level Zero loader.
//! let loader = unsafe { Loader::load() }?;
//! // SAFETY: the first call to the library.
//! let result = unsafe { (loader.zeInit)(0) };
//! if result == ze_result_t::ZE_RESULT_SUCCESS {
//!     let mut count = 0;
//!     // SAFETY: a null array asks for the number of drivers.
//!     let result = unsafe { (loader.zeDriverGet)(&mut count, std::ptr::null_mut()) };
//!     println!("{result}: {count} drivers");
//! }
//! # Ok::<(), level_zero_sys::LoadError>(())
//! ```
//!
//! What a loader may lack (Debian 12 ships 1.8.12): `zeInitDrivers`, `zesInit`, `zesDriverGet`, `zesDeviceGet`,
//! `zeCommandListHostSynchronize`, `zeDriverGetLastErrorDescription`. Where `zesInit` is missing, sysman needs the environment
//! variable `ZES_ENABLE_SYSMAN=1` before the first call, and the handle of a device is also its sysman handle.
//!
//! The feature `driver` adds the tables a driver fills for the loader.

/// The generated types, as the headers spell them.
#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    clippy::upper_case_acronyms,
    clippy::derivable_impls,
    clippy::undocumented_unsafe_blocks,
    reason = "generated from C headers, where the specification documents each name"
)]
mod bindings;
#[cfg(feature = "driver")]
#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    clippy::undocumented_unsafe_blocks,
    reason = "generated from C headers, where the specification documents each name"
)]
pub mod driver;
mod extension;
#[cfg(test)]
mod layout;
mod loader;
mod names;

pub use bindings::*;
pub use extension::*;
pub use loader::{LOADER_FILE, LoadError, Loader, LoaderGetVersions, Nullable};

use std::fmt;

impl ze_result_t {
    /// The name the specification gives this result, if it has one: `ZE_RESULT_ERROR_DEVICE_LOST`.
    pub fn name(self) -> Option<&'static str> {
        names::name(self)
    }
}

impl fmt::Display for ze_result_t {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} (0x{:08x})", self.0),
            None => write!(f, "0x{:08x}", self.0),
        }
    }
}

#[cfg(test)]
mod tests;
