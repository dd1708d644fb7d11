//! What newer headers than those the bindings are made from declare, written by hand.

use crate::bindings::ze_structure_type_t;
use std::ffi::{CStr, c_void};

/// The name of the extension that answers how much memory could be allocated now.
pub const ZE_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME: &CStr = c"ZE_extension_device_usablemem_size_properties";

/// `stype` of [`ze_device_usablemem_size_ext_properties_t`].
pub const ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES: ze_structure_type_t =
    ze_structure_type_t(0x0002_0041);

/// Memory that could be allocated now, chained to the device properties (headers from 1.27 on). A driver without the
/// extension leaves the figure as it was: a caller sets 0 and reads 0 as unknown.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, non_snake_case, reason = "the names of the specification")]
pub struct ze_device_usablemem_size_ext_properties_t {
    /// [`ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES`].
    pub stype: ze_structure_type_t,
    /// The next structure of the chain, or null.
    pub pNext: *mut c_void,
    /// Bytes.
    pub currUsableMemSize: u64,
}

impl Default for ze_device_usablemem_size_ext_properties_t {
    fn default() -> Self {
        ze_device_usablemem_size_ext_properties_t {
            stype: ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES,
            pNext: std::ptr::null_mut(),
            currUsableMemSize: 0,
        }
    }
}
