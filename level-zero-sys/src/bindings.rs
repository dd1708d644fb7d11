//! Types of the core and the sysman API, as the headers spell them.
//!
//! Made by `regenerate.sh` from the headers of Level Zero 1.20.6; do not edit. The headers are
//! Copyright (C) 2019-2025 Intel Corporation, SPDX-License-Identifier: MIT (see LICENSE).

pub const ZE_MAX_IPC_HANDLE_SIZE: u32 = 64;
pub const ZE_MAX_UUID_SIZE: u32 = 16;
pub const ZE_MAX_DRIVER_UUID_SIZE: u32 = 16;
pub const ZE_MAX_EXTENSION_NAME: u32 = 256;
pub const ZE_MAX_DEVICE_UUID_SIZE: u32 = 16;
pub const ZE_MAX_DEVICE_NAME: u32 = 256;
pub const ZE_MAX_NATIVE_KERNEL_UUID_SIZE: u32 = 16;
pub const ZE_MAX_KERNEL_UUID_SIZE: u32 = 16;
pub const ZE_MAX_MODULE_UUID_SIZE: u32 = 16;
pub const ZE_MAX_DEVICE_LUID_SIZE_EXT: u32 = 8;
pub const ZE_MAX_FABRIC_EDGE_MODEL_EXP_SIZE: u32 = 256;
pub const ZES_MAX_EXTENSION_NAME: u32 = 256;
pub const ZES_MAX_UUID_SIZE: u32 = 16;
pub const ZES_MAX_FABRIC_PORT_MODEL_SIZE: u32 = 256;
pub const ZES_MAX_FABRIC_LINK_TYPE_SIZE: u32 = 256;
pub const ZES_MAX_RAS_ERROR_CATEGORY_COUNT: u32 = 7;
pub type ze_bool_t = u8;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_driver_handle_t {
    _unused: [u8; 0],
}
pub type ze_driver_handle_t = *mut _ze_driver_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_device_handle_t {
    _unused: [u8; 0],
}
pub type ze_device_handle_t = *mut _ze_device_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_context_handle_t {
    _unused: [u8; 0],
}
pub type ze_context_handle_t = *mut _ze_context_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_command_queue_handle_t {
    _unused: [u8; 0],
}
pub type ze_command_queue_handle_t = *mut _ze_command_queue_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_command_list_handle_t {
    _unused: [u8; 0],
}
pub type ze_command_list_handle_t = *mut _ze_command_list_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_fence_handle_t {
    _unused: [u8; 0],
}
pub type ze_fence_handle_t = *mut _ze_fence_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_event_pool_handle_t {
    _unused: [u8; 0],
}
pub type ze_event_pool_handle_t = *mut _ze_event_pool_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_event_handle_t {
    _unused: [u8; 0],
}
pub type ze_event_handle_t = *mut _ze_event_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_module_handle_t {
    _unused: [u8; 0],
}
pub type ze_module_handle_t = *mut _ze_module_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_module_build_log_handle_t {
    _unused: [u8; 0],
}
pub type ze_module_build_log_handle_t = *mut _ze_module_build_log_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _ze_kernel_handle_t {
    _unused: [u8; 0],
}
pub type ze_kernel_handle_t = *mut _ze_kernel_handle_t;
impl _ze_result_t {
    pub const ZE_RESULT_SUCCESS: _ze_result_t = _ze_result_t(0);
    pub const ZE_RESULT_NOT_READY: _ze_result_t = _ze_result_t(1);
    pub const ZE_RESULT_ERROR_DEVICE_LOST: _ze_result_t = _ze_result_t(1879048193);
    pub const ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: _ze_result_t = _ze_result_t(1879048194);
    pub const ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY: _ze_result_t = _ze_result_t(1879048195);
    pub const ZE_RESULT_ERROR_MODULE_BUILD_FAILURE: _ze_result_t = _ze_result_t(1879048196);
    pub const ZE_RESULT_ERROR_MODULE_LINK_FAILURE: _ze_result_t = _ze_result_t(1879048197);
    pub const ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET: _ze_result_t = _ze_result_t(1879048198);
    pub const ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE: _ze_result_t = _ze_result_t(1879048199);
    pub const ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX: _ze_result_t = _ze_result_t(2146435073);
    pub const ZE_RESULT_EXP_ERROR_VERTEX_IS_NOT_DEVICE: _ze_result_t = _ze_result_t(2146435074);
    pub const ZE_RESULT_EXP_ERROR_REMOTE_DEVICE: _ze_result_t = _ze_result_t(2146435075);
    pub const ZE_RESULT_EXP_ERROR_OPERANDS_INCOMPATIBLE: _ze_result_t = _ze_result_t(2146435076);
    pub const ZE_RESULT_EXP_RTAS_BUILD_RETRY: _ze_result_t = _ze_result_t(2146435077);
    pub const ZE_RESULT_EXP_RTAS_BUILD_DEFERRED: _ze_result_t = _ze_result_t(2146435078);
    pub const ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS: _ze_result_t = _ze_result_t(1879113728);
    pub const ZE_RESULT_ERROR_NOT_AVAILABLE: _ze_result_t = _ze_result_t(1879113729);
    pub const ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE: _ze_result_t = _ze_result_t(1879179264);
    pub const ZE_RESULT_WARNING_DROPPED_DATA: _ze_result_t = _ze_result_t(1879179265);
    pub const ZE_RESULT_ERROR_UNINITIALIZED: _ze_result_t = _ze_result_t(2013265921);
    pub const ZE_RESULT_ERROR_UNSUPPORTED_VERSION: _ze_result_t = _ze_result_t(2013265922);
    pub const ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: _ze_result_t = _ze_result_t(2013265923);
    pub const ZE_RESULT_ERROR_INVALID_ARGUMENT: _ze_result_t = _ze_result_t(2013265924);
    pub const ZE_RESULT_ERROR_INVALID_NULL_HANDLE: _ze_result_t = _ze_result_t(2013265925);
    pub const ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE: _ze_result_t = _ze_result_t(2013265926);
    pub const ZE_RESULT_ERROR_INVALID_NULL_POINTER: _ze_result_t = _ze_result_t(2013265927);
    pub const ZE_RESULT_ERROR_INVALID_SIZE: _ze_result_t = _ze_result_t(2013265928);
    pub const ZE_RESULT_ERROR_UNSUPPORTED_SIZE: _ze_result_t = _ze_result_t(2013265929);
    pub const ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT: _ze_result_t = _ze_result_t(2013265930);
    pub const ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT: _ze_result_t = _ze_result_t(2013265931);
    pub const ZE_RESULT_ERROR_INVALID_ENUMERATION: _ze_result_t = _ze_result_t(2013265932);
    pub const ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION: _ze_result_t = _ze_result_t(2013265933);
    pub const ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT: _ze_result_t = _ze_result_t(2013265934);
    pub const ZE_RESULT_ERROR_INVALID_NATIVE_BINARY: _ze_result_t = _ze_result_t(2013265935);
    pub const ZE_RESULT_ERROR_INVALID_GLOBAL_NAME: _ze_result_t = _ze_result_t(2013265936);
    pub const ZE_RESULT_ERROR_INVALID_KERNEL_NAME: _ze_result_t = _ze_result_t(2013265937);
    pub const ZE_RESULT_ERROR_INVALID_FUNCTION_NAME: _ze_result_t = _ze_result_t(2013265938);
    pub const ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION: _ze_result_t = _ze_result_t(2013265939);
    pub const ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION: _ze_result_t = _ze_result_t(2013265940);
    pub const ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX: _ze_result_t = _ze_result_t(2013265941);
    pub const ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE: _ze_result_t = _ze_result_t(2013265942);
    pub const ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE: _ze_result_t = _ze_result_t(2013265943);
    pub const ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED: _ze_result_t = _ze_result_t(2013265944);
    pub const ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE: _ze_result_t = _ze_result_t(2013265945);
    pub const ZE_RESULT_ERROR_OVERLAPPING_REGIONS: _ze_result_t = _ze_result_t(2013265946);
    pub const ZE_RESULT_WARNING_ACTION_REQUIRED: _ze_result_t = _ze_result_t(2013265947);
    pub const ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE: _ze_result_t = _ze_result_t(2013265948);
    pub const ZE_RESULT_ERROR_UNKNOWN: _ze_result_t = _ze_result_t(2147483646);
    pub const ZE_RESULT_FORCE_UINT32: _ze_result_t = _ze_result_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_result_t(pub ::core::ffi::c_uint);
pub use self::_ze_result_t as ze_result_t;
impl _ze_structure_type_t {
    pub const ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(1);
    pub const ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(2);
    pub const ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(3);
    pub const ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(4);
    pub const ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(5);
    pub const ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(6);
    pub const ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(7);
    pub const ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(8);
    pub const ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(9);
    pub const ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(10);
    pub const ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(11);
    pub const ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(12);
    pub const ZE_STRUCTURE_TYPE_CONTEXT_DESC: _ze_structure_type_t = _ze_structure_type_t(13);
    pub const ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC: _ze_structure_type_t = _ze_structure_type_t(14);
    pub const ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC: _ze_structure_type_t = _ze_structure_type_t(15);
    pub const ZE_STRUCTURE_TYPE_EVENT_POOL_DESC: _ze_structure_type_t = _ze_structure_type_t(16);
    pub const ZE_STRUCTURE_TYPE_EVENT_DESC: _ze_structure_type_t = _ze_structure_type_t(17);
    pub const ZE_STRUCTURE_TYPE_FENCE_DESC: _ze_structure_type_t = _ze_structure_type_t(18);
    pub const ZE_STRUCTURE_TYPE_IMAGE_DESC: _ze_structure_type_t = _ze_structure_type_t(19);
    pub const ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(20);
    pub const ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC: _ze_structure_type_t = _ze_structure_type_t(21);
    pub const ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC: _ze_structure_type_t = _ze_structure_type_t(22);
    pub const ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(23);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC: _ze_structure_type_t = _ze_structure_type_t(24);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD: _ze_structure_type_t = _ze_structure_type_t(25);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD: _ze_structure_type_t = _ze_structure_type_t(26);
    pub const ZE_STRUCTURE_TYPE_MODULE_DESC: _ze_structure_type_t = _ze_structure_type_t(27);
    pub const ZE_STRUCTURE_TYPE_MODULE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(28);
    pub const ZE_STRUCTURE_TYPE_KERNEL_DESC: _ze_structure_type_t = _ze_structure_type_t(29);
    pub const ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(30);
    pub const ZE_STRUCTURE_TYPE_SAMPLER_DESC: _ze_structure_type_t = _ze_structure_type_t(31);
    pub const ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC: _ze_structure_type_t = _ze_structure_type_t(32);
    pub const ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(33);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32: _ze_structure_type_t = _ze_structure_type_t(34);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_WIN32: _ze_structure_type_t = _ze_structure_type_t(35);
    pub const ZE_STRUCTURE_TYPE_DEVICE_RAYTRACING_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65537);
    pub const ZE_STRUCTURE_TYPE_RAYTRACING_MEM_ALLOC_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65538);
    pub const ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65539);
    pub const ZE_STRUCTURE_TYPE_CACHE_RESERVATION_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65540);
    pub const ZE_STRUCTURE_TYPE_EU_COUNT_EXT: _ze_structure_type_t = _ze_structure_type_t(65541);
    pub const ZE_STRUCTURE_TYPE_SRGB_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65542);
    pub const ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65543);
    pub const ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65544);
    pub const ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65545);
    pub const ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65546);
    pub const ZE_STRUCTURE_TYPE_MEMORY_COMPRESSION_HINTS_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65547);
    pub const ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65548);
    pub const ZE_STRUCTURE_TYPE_DEVICE_LUID_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65549);
    pub const ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(65550);
    pub const ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT: _ze_structure_type_t = _ze_structure_type_t(65551);
    pub const ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(65552);
    pub const ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(65553);
    pub const ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(65554);
    pub const ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(65555);
    pub const ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131073);
    pub const ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131074);
    pub const ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131075);
    pub const ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131076);
    pub const ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131077);
    pub const ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2: _ze_structure_type_t = _ze_structure_type_t(131078);
    pub const ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131079);
    pub const ZE_STRUCTURE_TYPE_POWER_SAVING_HINT_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131080);
    pub const ZE_STRUCTURE_TYPE_COPY_BANDWIDTH_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131081);
    pub const ZE_STRUCTURE_TYPE_DEVICE_P2P_BANDWIDTH_EXP_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(131082);
    pub const ZE_STRUCTURE_TYPE_FABRIC_VERTEX_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131083);
    pub const ZE_STRUCTURE_TYPE_FABRIC_EDGE_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131084);
    pub const ZE_STRUCTURE_TYPE_MEMORY_SUB_ALLOCATIONS_EXP_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(131085);
    pub const ZE_STRUCTURE_TYPE_RTAS_BUILDER_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131086);
    pub const ZE_STRUCTURE_TYPE_RTAS_BUILDER_BUILD_OP_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131087);
    pub const ZE_STRUCTURE_TYPE_RTAS_BUILDER_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131088);
    pub const ZE_STRUCTURE_TYPE_RTAS_PARALLEL_OPERATION_EXP_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(131089);
    pub const ZE_STRUCTURE_TYPE_RTAS_DEVICE_EXP_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131090);
    pub const ZE_STRUCTURE_TYPE_RTAS_GEOMETRY_AABBS_EXP_CB_PARAMS: _ze_structure_type_t = _ze_structure_type_t(131091);
    pub const ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131092);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(131093);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131094);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131095);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131096);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131097);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131098);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131099);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131100);
    pub const ZE_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES: _ze_structure_type_t =
        _ze_structure_type_t(131101);
    pub const ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131102);
    pub const ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131103);
    pub const ZE_STRUCTURE_TYPE_MUTABLE_GRAPH_ARGUMENT_EXP_DESC: _ze_structure_type_t = _ze_structure_type_t(131104);
    pub const ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC: _ze_structure_type_t = _ze_structure_type_t(131105);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(131106);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WIN32_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(131107);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC: _ze_structure_type_t = _ze_structure_type_t(131108);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_EXT: _ze_structure_type_t =
        _ze_structure_type_t(131109);
    pub const ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT: _ze_structure_type_t = _ze_structure_type_t(131110);
    pub const ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES: _ze_structure_type_t = _ze_structure_type_t(131111);
    pub const ZE_STRUCTURE_TYPE_FORCE_UINT32: _ze_structure_type_t = _ze_structure_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_structure_type_t(pub ::core::ffi::c_uint);
pub use self::_ze_structure_type_t as ze_structure_type_t;
impl _ze_bandwidth_unit_t {
    pub const ZE_BANDWIDTH_UNIT_UNKNOWN: _ze_bandwidth_unit_t = _ze_bandwidth_unit_t(0);
    pub const ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC: _ze_bandwidth_unit_t = _ze_bandwidth_unit_t(1);
    pub const ZE_BANDWIDTH_UNIT_BYTES_PER_CLOCK: _ze_bandwidth_unit_t = _ze_bandwidth_unit_t(2);
    pub const ZE_BANDWIDTH_UNIT_FORCE_UINT32: _ze_bandwidth_unit_t = _ze_bandwidth_unit_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_bandwidth_unit_t(pub ::core::ffi::c_uint);
pub use self::_ze_bandwidth_unit_t as ze_bandwidth_unit_t;
pub type ze_init_driver_type_desc_t = _ze_init_driver_type_desc_t;
pub type ze_driver_uuid_t = _ze_driver_uuid_t;
pub type ze_driver_properties_t = _ze_driver_properties_t;
pub type ze_driver_ipc_properties_t = _ze_driver_ipc_properties_t;
pub type ze_driver_extension_properties_t = _ze_driver_extension_properties_t;
pub type ze_device_uuid_t = _ze_device_uuid_t;
pub type ze_device_properties_t = _ze_device_properties_t;
pub type ze_device_compute_properties_t = _ze_device_compute_properties_t;
pub type ze_native_kernel_uuid_t = _ze_native_kernel_uuid_t;
pub type ze_device_module_properties_t = _ze_device_module_properties_t;
pub type ze_command_queue_group_properties_t = _ze_command_queue_group_properties_t;
pub type ze_device_memory_properties_t = _ze_device_memory_properties_t;
pub type ze_device_memory_access_properties_t = _ze_device_memory_access_properties_t;
pub type ze_device_cache_properties_t = _ze_device_cache_properties_t;
pub type ze_context_desc_t = _ze_context_desc_t;
pub type ze_command_queue_desc_t = _ze_command_queue_desc_t;
pub type ze_command_list_desc_t = _ze_command_list_desc_t;
pub type ze_copy_region_t = _ze_copy_region_t;
pub type ze_event_pool_desc_t = _ze_event_pool_desc_t;
pub type ze_event_desc_t = _ze_event_desc_t;
pub type ze_kernel_timestamp_data_t = _ze_kernel_timestamp_data_t;
pub type ze_kernel_timestamp_result_t = _ze_kernel_timestamp_result_t;
pub type ze_fence_desc_t = _ze_fence_desc_t;
pub type ze_device_mem_alloc_desc_t = _ze_device_mem_alloc_desc_t;
pub type ze_host_mem_alloc_desc_t = _ze_host_mem_alloc_desc_t;
pub type ze_memory_allocation_properties_t = _ze_memory_allocation_properties_t;
pub type ze_module_constants_t = _ze_module_constants_t;
pub type ze_module_desc_t = _ze_module_desc_t;
pub type ze_kernel_desc_t = _ze_kernel_desc_t;
pub type ze_kernel_uuid_t = _ze_kernel_uuid_t;
pub type ze_kernel_properties_t = _ze_kernel_properties_t;
pub type ze_kernel_preferred_group_size_properties_t = _ze_kernel_preferred_group_size_properties_t;
pub type ze_group_count_t = _ze_group_count_t;
pub type ze_relaxed_allocation_limits_exp_desc_t = _ze_relaxed_allocation_limits_exp_desc_t;
pub type ze_pci_address_ext_t = _ze_pci_address_ext_t;
pub type ze_pci_speed_ext_t = _ze_pci_speed_ext_t;
pub type ze_pci_ext_properties_t = _ze_pci_ext_properties_t;
pub type ze_memory_free_ext_desc_t = _ze_memory_free_ext_desc_t;
pub type ze_device_memory_ext_properties_t = _ze_device_memory_ext_properties_t;
pub type ze_device_ip_version_ext_t = _ze_device_ip_version_ext_t;
pub type ze_init_flags_t = u32;
impl _ze_init_flag_t {
    pub const ZE_INIT_FLAG_GPU_ONLY: _ze_init_flag_t = _ze_init_flag_t(1);
    pub const ZE_INIT_FLAG_VPU_ONLY: _ze_init_flag_t = _ze_init_flag_t(2);
    pub const ZE_INIT_FLAG_FORCE_UINT32: _ze_init_flag_t = _ze_init_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_init_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_init_flag_t as ze_init_flag_t;
pub type ze_init_driver_type_flags_t = u32;
impl _ze_init_driver_type_flag_t {
    pub const ZE_INIT_DRIVER_TYPE_FLAG_GPU: _ze_init_driver_type_flag_t = _ze_init_driver_type_flag_t(1);
    pub const ZE_INIT_DRIVER_TYPE_FLAG_NPU: _ze_init_driver_type_flag_t = _ze_init_driver_type_flag_t(2);
    pub const ZE_INIT_DRIVER_TYPE_FLAG_FORCE_UINT32: _ze_init_driver_type_flag_t =
        _ze_init_driver_type_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_init_driver_type_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_init_driver_type_flag_t as ze_init_driver_type_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_init_driver_type_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_init_driver_type_flags_t,
}
impl Default for _ze_init_driver_type_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _ze_api_version_t {
    pub const ZE_API_VERSION_1_0: _ze_api_version_t = _ze_api_version_t(65536);
    pub const ZE_API_VERSION_1_1: _ze_api_version_t = _ze_api_version_t(65537);
    pub const ZE_API_VERSION_1_2: _ze_api_version_t = _ze_api_version_t(65538);
    pub const ZE_API_VERSION_1_3: _ze_api_version_t = _ze_api_version_t(65539);
    pub const ZE_API_VERSION_1_4: _ze_api_version_t = _ze_api_version_t(65540);
    pub const ZE_API_VERSION_1_5: _ze_api_version_t = _ze_api_version_t(65541);
    pub const ZE_API_VERSION_1_6: _ze_api_version_t = _ze_api_version_t(65542);
    pub const ZE_API_VERSION_1_7: _ze_api_version_t = _ze_api_version_t(65543);
    pub const ZE_API_VERSION_1_8: _ze_api_version_t = _ze_api_version_t(65544);
    pub const ZE_API_VERSION_1_9: _ze_api_version_t = _ze_api_version_t(65545);
    pub const ZE_API_VERSION_1_10: _ze_api_version_t = _ze_api_version_t(65546);
    pub const ZE_API_VERSION_1_11: _ze_api_version_t = _ze_api_version_t(65547);
    pub const ZE_API_VERSION_1_12: _ze_api_version_t = _ze_api_version_t(65548);
    pub const ZE_API_VERSION_CURRENT: _ze_api_version_t = _ze_api_version_t(65548);
    pub const ZE_API_VERSION_FORCE_UINT32: _ze_api_version_t = _ze_api_version_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_api_version_t(pub ::core::ffi::c_uint);
pub use self::_ze_api_version_t as ze_api_version_t;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_driver_uuid_t {
    pub id: [u8; 16usize],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_driver_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub uuid: ze_driver_uuid_t,
    pub driverVersion: u32,
}
impl Default for _ze_driver_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_ipc_property_flags_t = u32;
impl _ze_ipc_property_flag_t {
    pub const ZE_IPC_PROPERTY_FLAG_MEMORY: _ze_ipc_property_flag_t = _ze_ipc_property_flag_t(1);
    pub const ZE_IPC_PROPERTY_FLAG_EVENT_POOL: _ze_ipc_property_flag_t = _ze_ipc_property_flag_t(2);
    pub const ZE_IPC_PROPERTY_FLAG_FORCE_UINT32: _ze_ipc_property_flag_t = _ze_ipc_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_ipc_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_ipc_property_flag_t as ze_ipc_property_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_driver_ipc_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub flags: ze_ipc_property_flags_t,
}
impl Default for _ze_driver_ipc_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_driver_extension_properties_t {
    pub name: [::core::ffi::c_char; 256usize],
    pub version: u32,
}
impl Default for _ze_driver_extension_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _ze_device_type_t {
    pub const ZE_DEVICE_TYPE_GPU: _ze_device_type_t = _ze_device_type_t(1);
    pub const ZE_DEVICE_TYPE_CPU: _ze_device_type_t = _ze_device_type_t(2);
    pub const ZE_DEVICE_TYPE_FPGA: _ze_device_type_t = _ze_device_type_t(3);
    pub const ZE_DEVICE_TYPE_MCA: _ze_device_type_t = _ze_device_type_t(4);
    pub const ZE_DEVICE_TYPE_VPU: _ze_device_type_t = _ze_device_type_t(5);
    pub const ZE_DEVICE_TYPE_FORCE_UINT32: _ze_device_type_t = _ze_device_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_type_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_type_t as ze_device_type_t;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_device_uuid_t {
    pub id: [u8; 16usize],
}
pub type ze_device_property_flags_t = u32;
impl _ze_device_property_flag_t {
    pub const ZE_DEVICE_PROPERTY_FLAG_INTEGRATED: _ze_device_property_flag_t = _ze_device_property_flag_t(1);
    pub const ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE: _ze_device_property_flag_t = _ze_device_property_flag_t(2);
    pub const ZE_DEVICE_PROPERTY_FLAG_ECC: _ze_device_property_flag_t = _ze_device_property_flag_t(4);
    pub const ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING: _ze_device_property_flag_t = _ze_device_property_flag_t(8);
    pub const ZE_DEVICE_PROPERTY_FLAG_FORCE_UINT32: _ze_device_property_flag_t = _ze_device_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_property_flag_t as ze_device_property_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub type_: ze_device_type_t,
    pub vendorId: u32,
    pub deviceId: u32,
    pub flags: ze_device_property_flags_t,
    pub subdeviceId: u32,
    pub coreClockRate: u32,
    pub maxMemAllocSize: u64,
    pub maxHardwareContexts: u32,
    pub maxCommandQueuePriority: u32,
    pub numThreadsPerEU: u32,
    pub physicalEUSimdWidth: u32,
    pub numEUsPerSubslice: u32,
    pub numSubslicesPerSlice: u32,
    pub numSlices: u32,
    pub timerResolution: u64,
    pub timestampValidBits: u32,
    pub kernelTimestampValidBits: u32,
    pub uuid: ze_device_uuid_t,
    pub name: [::core::ffi::c_char; 256usize],
}
impl Default for _ze_device_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_compute_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub maxTotalGroupSize: u32,
    pub maxGroupSizeX: u32,
    pub maxGroupSizeY: u32,
    pub maxGroupSizeZ: u32,
    pub maxGroupCountX: u32,
    pub maxGroupCountY: u32,
    pub maxGroupCountZ: u32,
    pub maxSharedLocalMemory: u32,
    pub numSubGroupSizes: u32,
    pub subGroupSizes: [u32; 8usize],
}
impl Default for _ze_device_compute_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_native_kernel_uuid_t {
    pub id: [u8; 16usize],
}
pub type ze_device_module_flags_t = u32;
impl _ze_device_module_flag_t {
    pub const ZE_DEVICE_MODULE_FLAG_FP16: _ze_device_module_flag_t = _ze_device_module_flag_t(1);
    pub const ZE_DEVICE_MODULE_FLAG_FP64: _ze_device_module_flag_t = _ze_device_module_flag_t(2);
    pub const ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS: _ze_device_module_flag_t = _ze_device_module_flag_t(4);
    pub const ZE_DEVICE_MODULE_FLAG_DP4A: _ze_device_module_flag_t = _ze_device_module_flag_t(8);
    pub const ZE_DEVICE_MODULE_FLAG_FORCE_UINT32: _ze_device_module_flag_t = _ze_device_module_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_module_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_module_flag_t as ze_device_module_flag_t;
pub type ze_device_fp_flags_t = u32;
impl _ze_device_fp_flag_t {
    pub const ZE_DEVICE_FP_FLAG_DENORM: _ze_device_fp_flag_t = _ze_device_fp_flag_t(1);
    pub const ZE_DEVICE_FP_FLAG_INF_NAN: _ze_device_fp_flag_t = _ze_device_fp_flag_t(2);
    pub const ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST: _ze_device_fp_flag_t = _ze_device_fp_flag_t(4);
    pub const ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO: _ze_device_fp_flag_t = _ze_device_fp_flag_t(8);
    pub const ZE_DEVICE_FP_FLAG_ROUND_TO_INF: _ze_device_fp_flag_t = _ze_device_fp_flag_t(16);
    pub const ZE_DEVICE_FP_FLAG_FMA: _ze_device_fp_flag_t = _ze_device_fp_flag_t(32);
    pub const ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT: _ze_device_fp_flag_t = _ze_device_fp_flag_t(64);
    pub const ZE_DEVICE_FP_FLAG_SOFT_FLOAT: _ze_device_fp_flag_t = _ze_device_fp_flag_t(128);
    pub const ZE_DEVICE_FP_FLAG_FORCE_UINT32: _ze_device_fp_flag_t = _ze_device_fp_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_fp_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_fp_flag_t as ze_device_fp_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_module_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub spirvVersionSupported: u32,
    pub flags: ze_device_module_flags_t,
    pub fp16flags: ze_device_fp_flags_t,
    pub fp32flags: ze_device_fp_flags_t,
    pub fp64flags: ze_device_fp_flags_t,
    pub maxArgumentsSize: u32,
    pub printfBufferSize: u32,
    pub nativeKernelSupported: ze_native_kernel_uuid_t,
}
impl Default for _ze_device_module_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_command_queue_group_property_flags_t = u32;
impl _ze_command_queue_group_property_flag_t {
    pub const ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE: _ze_command_queue_group_property_flag_t =
        _ze_command_queue_group_property_flag_t(1);
    pub const ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY: _ze_command_queue_group_property_flag_t =
        _ze_command_queue_group_property_flag_t(2);
    pub const ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS: _ze_command_queue_group_property_flag_t =
        _ze_command_queue_group_property_flag_t(4);
    pub const ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_METRICS: _ze_command_queue_group_property_flag_t =
        _ze_command_queue_group_property_flag_t(8);
    pub const ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_FORCE_UINT32: _ze_command_queue_group_property_flag_t =
        _ze_command_queue_group_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_command_queue_group_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_command_queue_group_property_flag_t as ze_command_queue_group_property_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_command_queue_group_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub flags: ze_command_queue_group_property_flags_t,
    pub maxMemoryFillPatternSize: usize,
    pub numQueues: u32,
}
impl Default for _ze_command_queue_group_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_device_memory_property_flags_t = u32;
impl _ze_device_memory_property_flag_t {
    pub const ZE_DEVICE_MEMORY_PROPERTY_FLAG_TBD: _ze_device_memory_property_flag_t =
        _ze_device_memory_property_flag_t(1);
    pub const ZE_DEVICE_MEMORY_PROPERTY_FLAG_FORCE_UINT32: _ze_device_memory_property_flag_t =
        _ze_device_memory_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_memory_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_memory_property_flag_t as ze_device_memory_property_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_memory_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub flags: ze_device_memory_property_flags_t,
    pub maxClockRate: u32,
    pub maxBusWidth: u32,
    pub totalSize: u64,
    pub name: [::core::ffi::c_char; 256usize],
}
impl Default for _ze_device_memory_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_memory_access_cap_flags_t = u32;
impl _ze_memory_access_cap_flag_t {
    pub const ZE_MEMORY_ACCESS_CAP_FLAG_RW: _ze_memory_access_cap_flag_t = _ze_memory_access_cap_flag_t(1);
    pub const ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC: _ze_memory_access_cap_flag_t = _ze_memory_access_cap_flag_t(2);
    pub const ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT: _ze_memory_access_cap_flag_t = _ze_memory_access_cap_flag_t(4);
    pub const ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC: _ze_memory_access_cap_flag_t =
        _ze_memory_access_cap_flag_t(8);
    pub const ZE_MEMORY_ACCESS_CAP_FLAG_FORCE_UINT32: _ze_memory_access_cap_flag_t =
        _ze_memory_access_cap_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_memory_access_cap_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_memory_access_cap_flag_t as ze_memory_access_cap_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_memory_access_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub hostAllocCapabilities: ze_memory_access_cap_flags_t,
    pub deviceAllocCapabilities: ze_memory_access_cap_flags_t,
    pub sharedSingleDeviceAllocCapabilities: ze_memory_access_cap_flags_t,
    pub sharedCrossDeviceAllocCapabilities: ze_memory_access_cap_flags_t,
    pub sharedSystemAllocCapabilities: ze_memory_access_cap_flags_t,
}
impl Default for _ze_device_memory_access_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_device_cache_property_flags_t = u32;
impl _ze_device_cache_property_flag_t {
    pub const ZE_DEVICE_CACHE_PROPERTY_FLAG_USER_CONTROL: _ze_device_cache_property_flag_t =
        _ze_device_cache_property_flag_t(1);
    pub const ZE_DEVICE_CACHE_PROPERTY_FLAG_FORCE_UINT32: _ze_device_cache_property_flag_t =
        _ze_device_cache_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_cache_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_cache_property_flag_t as ze_device_cache_property_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_cache_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub flags: ze_device_cache_property_flags_t,
    pub cacheSize: usize,
}
impl Default for _ze_device_cache_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_context_flags_t = u32;
impl _ze_context_flag_t {
    pub const ZE_CONTEXT_FLAG_TBD: _ze_context_flag_t = _ze_context_flag_t(1);
    pub const ZE_CONTEXT_FLAG_FORCE_UINT32: _ze_context_flag_t = _ze_context_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_context_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_context_flag_t as ze_context_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_context_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_context_flags_t,
}
impl Default for _ze_context_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_command_queue_flags_t = u32;
impl _ze_command_queue_flag_t {
    pub const ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY: _ze_command_queue_flag_t = _ze_command_queue_flag_t(1);
    pub const ZE_COMMAND_QUEUE_FLAG_IN_ORDER: _ze_command_queue_flag_t = _ze_command_queue_flag_t(2);
    pub const ZE_COMMAND_QUEUE_FLAG_FORCE_UINT32: _ze_command_queue_flag_t = _ze_command_queue_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_command_queue_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_command_queue_flag_t as ze_command_queue_flag_t;
impl _ze_command_queue_mode_t {
    pub const ZE_COMMAND_QUEUE_MODE_DEFAULT: _ze_command_queue_mode_t = _ze_command_queue_mode_t(0);
    pub const ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS: _ze_command_queue_mode_t = _ze_command_queue_mode_t(1);
    pub const ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS: _ze_command_queue_mode_t = _ze_command_queue_mode_t(2);
    pub const ZE_COMMAND_QUEUE_MODE_FORCE_UINT32: _ze_command_queue_mode_t = _ze_command_queue_mode_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_command_queue_mode_t(pub ::core::ffi::c_uint);
pub use self::_ze_command_queue_mode_t as ze_command_queue_mode_t;
impl _ze_command_queue_priority_t {
    pub const ZE_COMMAND_QUEUE_PRIORITY_NORMAL: _ze_command_queue_priority_t = _ze_command_queue_priority_t(0);
    pub const ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW: _ze_command_queue_priority_t = _ze_command_queue_priority_t(1);
    pub const ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH: _ze_command_queue_priority_t = _ze_command_queue_priority_t(2);
    pub const ZE_COMMAND_QUEUE_PRIORITY_FORCE_UINT32: _ze_command_queue_priority_t =
        _ze_command_queue_priority_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_command_queue_priority_t(pub ::core::ffi::c_uint);
pub use self::_ze_command_queue_priority_t as ze_command_queue_priority_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_command_queue_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub ordinal: u32,
    pub index: u32,
    pub flags: ze_command_queue_flags_t,
    pub mode: ze_command_queue_mode_t,
    pub priority: ze_command_queue_priority_t,
}
impl Default for _ze_command_queue_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_command_list_flags_t = u32;
impl _ze_command_list_flag_t {
    pub const ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING: _ze_command_list_flag_t = _ze_command_list_flag_t(1);
    pub const ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT: _ze_command_list_flag_t = _ze_command_list_flag_t(2);
    pub const ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY: _ze_command_list_flag_t = _ze_command_list_flag_t(4);
    pub const ZE_COMMAND_LIST_FLAG_IN_ORDER: _ze_command_list_flag_t = _ze_command_list_flag_t(8);
    pub const ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE: _ze_command_list_flag_t = _ze_command_list_flag_t(16);
    pub const ZE_COMMAND_LIST_FLAG_FORCE_UINT32: _ze_command_list_flag_t = _ze_command_list_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_command_list_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_command_list_flag_t as ze_command_list_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_command_list_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub commandQueueGroupOrdinal: u32,
    pub flags: ze_command_list_flags_t,
}
impl Default for _ze_command_list_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_copy_region_t {
    pub originX: u32,
    pub originY: u32,
    pub originZ: u32,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
}
impl _ze_memory_advice_t {
    pub const ZE_MEMORY_ADVICE_SET_READ_MOSTLY: _ze_memory_advice_t = _ze_memory_advice_t(0);
    pub const ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY: _ze_memory_advice_t = _ze_memory_advice_t(1);
    pub const ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION: _ze_memory_advice_t = _ze_memory_advice_t(2);
    pub const ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION: _ze_memory_advice_t = _ze_memory_advice_t(3);
    pub const ZE_MEMORY_ADVICE_SET_NON_ATOMIC_MOSTLY: _ze_memory_advice_t = _ze_memory_advice_t(4);
    pub const ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY: _ze_memory_advice_t = _ze_memory_advice_t(5);
    pub const ZE_MEMORY_ADVICE_BIAS_CACHED: _ze_memory_advice_t = _ze_memory_advice_t(6);
    pub const ZE_MEMORY_ADVICE_BIAS_UNCACHED: _ze_memory_advice_t = _ze_memory_advice_t(7);
    pub const ZE_MEMORY_ADVICE_SET_SYSTEM_MEMORY_PREFERRED_LOCATION: _ze_memory_advice_t = _ze_memory_advice_t(8);
    pub const ZE_MEMORY_ADVICE_CLEAR_SYSTEM_MEMORY_PREFERRED_LOCATION: _ze_memory_advice_t = _ze_memory_advice_t(9);
    pub const ZE_MEMORY_ADVICE_FORCE_UINT32: _ze_memory_advice_t = _ze_memory_advice_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_memory_advice_t(pub ::core::ffi::c_uint);
pub use self::_ze_memory_advice_t as ze_memory_advice_t;
pub type ze_event_pool_flags_t = u32;
impl _ze_event_pool_flag_t {
    pub const ZE_EVENT_POOL_FLAG_HOST_VISIBLE: _ze_event_pool_flag_t = _ze_event_pool_flag_t(1);
    pub const ZE_EVENT_POOL_FLAG_IPC: _ze_event_pool_flag_t = _ze_event_pool_flag_t(2);
    pub const ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP: _ze_event_pool_flag_t = _ze_event_pool_flag_t(4);
    pub const ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP: _ze_event_pool_flag_t = _ze_event_pool_flag_t(8);
    pub const ZE_EVENT_POOL_FLAG_FORCE_UINT32: _ze_event_pool_flag_t = _ze_event_pool_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_event_pool_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_event_pool_flag_t as ze_event_pool_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_event_pool_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_event_pool_flags_t,
    pub count: u32,
}
impl Default for _ze_event_pool_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_event_scope_flags_t = u32;
impl _ze_event_scope_flag_t {
    pub const ZE_EVENT_SCOPE_FLAG_SUBDEVICE: _ze_event_scope_flag_t = _ze_event_scope_flag_t(1);
    pub const ZE_EVENT_SCOPE_FLAG_DEVICE: _ze_event_scope_flag_t = _ze_event_scope_flag_t(2);
    pub const ZE_EVENT_SCOPE_FLAG_HOST: _ze_event_scope_flag_t = _ze_event_scope_flag_t(4);
    pub const ZE_EVENT_SCOPE_FLAG_FORCE_UINT32: _ze_event_scope_flag_t = _ze_event_scope_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_event_scope_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_event_scope_flag_t as ze_event_scope_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_event_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub index: u32,
    pub signal: ze_event_scope_flags_t,
    pub wait: ze_event_scope_flags_t,
}
impl Default for _ze_event_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_kernel_timestamp_data_t {
    pub kernelStart: u64,
    pub kernelEnd: u64,
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_kernel_timestamp_result_t {
    pub global: ze_kernel_timestamp_data_t,
    pub context: ze_kernel_timestamp_data_t,
}
pub type ze_fence_flags_t = u32;
impl _ze_fence_flag_t {
    pub const ZE_FENCE_FLAG_SIGNALED: _ze_fence_flag_t = _ze_fence_flag_t(1);
    pub const ZE_FENCE_FLAG_FORCE_UINT32: _ze_fence_flag_t = _ze_fence_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_fence_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_fence_flag_t as ze_fence_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_fence_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_fence_flags_t,
}
impl Default for _ze_fence_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_device_mem_alloc_flags_t = u32;
impl _ze_device_mem_alloc_flag_t {
    pub const ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED: _ze_device_mem_alloc_flag_t = _ze_device_mem_alloc_flag_t(1);
    pub const ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED: _ze_device_mem_alloc_flag_t = _ze_device_mem_alloc_flag_t(2);
    pub const ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT: _ze_device_mem_alloc_flag_t =
        _ze_device_mem_alloc_flag_t(4);
    pub const ZE_DEVICE_MEM_ALLOC_FLAG_FORCE_UINT32: _ze_device_mem_alloc_flag_t =
        _ze_device_mem_alloc_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_mem_alloc_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_mem_alloc_flag_t as ze_device_mem_alloc_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_mem_alloc_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_device_mem_alloc_flags_t,
    pub ordinal: u32,
}
impl Default for _ze_device_mem_alloc_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_host_mem_alloc_flags_t = u32;
impl _ze_host_mem_alloc_flag_t {
    pub const ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED: _ze_host_mem_alloc_flag_t = _ze_host_mem_alloc_flag_t(1);
    pub const ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED: _ze_host_mem_alloc_flag_t = _ze_host_mem_alloc_flag_t(2);
    pub const ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED: _ze_host_mem_alloc_flag_t = _ze_host_mem_alloc_flag_t(4);
    pub const ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT: _ze_host_mem_alloc_flag_t = _ze_host_mem_alloc_flag_t(8);
    pub const ZE_HOST_MEM_ALLOC_FLAG_FORCE_UINT32: _ze_host_mem_alloc_flag_t = _ze_host_mem_alloc_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_host_mem_alloc_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_host_mem_alloc_flag_t as ze_host_mem_alloc_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_host_mem_alloc_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_host_mem_alloc_flags_t,
}
impl Default for _ze_host_mem_alloc_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _ze_memory_type_t {
    pub const ZE_MEMORY_TYPE_UNKNOWN: _ze_memory_type_t = _ze_memory_type_t(0);
    pub const ZE_MEMORY_TYPE_HOST: _ze_memory_type_t = _ze_memory_type_t(1);
    pub const ZE_MEMORY_TYPE_DEVICE: _ze_memory_type_t = _ze_memory_type_t(2);
    pub const ZE_MEMORY_TYPE_SHARED: _ze_memory_type_t = _ze_memory_type_t(3);
    pub const ZE_MEMORY_TYPE_FORCE_UINT32: _ze_memory_type_t = _ze_memory_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_memory_type_t(pub ::core::ffi::c_uint);
pub use self::_ze_memory_type_t as ze_memory_type_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_memory_allocation_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub type_: ze_memory_type_t,
    pub id: u64,
    pub pageSize: u64,
}
impl Default for _ze_memory_allocation_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _ze_module_format_t {
    pub const ZE_MODULE_FORMAT_IL_SPIRV: _ze_module_format_t = _ze_module_format_t(0);
    pub const ZE_MODULE_FORMAT_NATIVE: _ze_module_format_t = _ze_module_format_t(1);
    pub const ZE_MODULE_FORMAT_FORCE_UINT32: _ze_module_format_t = _ze_module_format_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_module_format_t(pub ::core::ffi::c_uint);
pub use self::_ze_module_format_t as ze_module_format_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_module_constants_t {
    pub numConstants: u32,
    pub pConstantIds: *const u32,
    pub pConstantValues: *mut *const ::core::ffi::c_void,
}
impl Default for _ze_module_constants_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_module_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub format: ze_module_format_t,
    pub inputSize: usize,
    pub pInputModule: *const u8,
    pub pBuildFlags: *const ::core::ffi::c_char,
    pub pConstants: *const ze_module_constants_t,
}
impl Default for _ze_module_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _ze_module_property_flag_t {
    pub const ZE_MODULE_PROPERTY_FLAG_IMPORTS: _ze_module_property_flag_t = _ze_module_property_flag_t(1);
    pub const ZE_MODULE_PROPERTY_FLAG_FORCE_UINT32: _ze_module_property_flag_t = _ze_module_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_module_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_module_property_flag_t as ze_module_property_flag_t;
pub type ze_kernel_flags_t = u32;
impl _ze_kernel_flag_t {
    pub const ZE_KERNEL_FLAG_FORCE_RESIDENCY: _ze_kernel_flag_t = _ze_kernel_flag_t(1);
    pub const ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY: _ze_kernel_flag_t = _ze_kernel_flag_t(2);
    pub const ZE_KERNEL_FLAG_FORCE_UINT32: _ze_kernel_flag_t = _ze_kernel_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_kernel_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_kernel_flag_t as ze_kernel_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_kernel_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_kernel_flags_t,
    pub pKernelName: *const ::core::ffi::c_char,
}
impl Default for _ze_kernel_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_kernel_indirect_access_flags_t = u32;
impl _ze_kernel_indirect_access_flag_t {
    pub const ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST: _ze_kernel_indirect_access_flag_t =
        _ze_kernel_indirect_access_flag_t(1);
    pub const ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE: _ze_kernel_indirect_access_flag_t =
        _ze_kernel_indirect_access_flag_t(2);
    pub const ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED: _ze_kernel_indirect_access_flag_t =
        _ze_kernel_indirect_access_flag_t(4);
    pub const ZE_KERNEL_INDIRECT_ACCESS_FLAG_FORCE_UINT32: _ze_kernel_indirect_access_flag_t =
        _ze_kernel_indirect_access_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_kernel_indirect_access_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_kernel_indirect_access_flag_t as ze_kernel_indirect_access_flag_t;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_kernel_uuid_t {
    pub kid: [u8; 16usize],
    pub mid: [u8; 16usize],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_kernel_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub numKernelArgs: u32,
    pub requiredGroupSizeX: u32,
    pub requiredGroupSizeY: u32,
    pub requiredGroupSizeZ: u32,
    pub requiredNumSubGroups: u32,
    pub requiredSubgroupSize: u32,
    pub maxSubgroupSize: u32,
    pub maxNumSubgroups: u32,
    pub localMemSize: u32,
    pub privateMemSize: u32,
    pub spillMemSize: u32,
    pub uuid: ze_kernel_uuid_t,
}
impl Default for _ze_kernel_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_kernel_preferred_group_size_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub preferredMultiple: u32,
}
impl Default for _ze_kernel_preferred_group_size_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_group_count_t {
    pub groupCountX: u32,
    pub groupCountY: u32,
    pub groupCountZ: u32,
}
pub type ze_relaxed_allocation_limits_exp_flags_t = u32;
impl _ze_relaxed_allocation_limits_exp_flag_t {
    pub const ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE: _ze_relaxed_allocation_limits_exp_flag_t =
        _ze_relaxed_allocation_limits_exp_flag_t(1);
    pub const ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_FORCE_UINT32: _ze_relaxed_allocation_limits_exp_flag_t =
        _ze_relaxed_allocation_limits_exp_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_relaxed_allocation_limits_exp_flag_t(pub ::core::ffi::c_uint);
pub use self::_ze_relaxed_allocation_limits_exp_flag_t as ze_relaxed_allocation_limits_exp_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_relaxed_allocation_limits_exp_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub flags: ze_relaxed_allocation_limits_exp_flags_t,
}
impl Default for _ze_relaxed_allocation_limits_exp_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_pci_address_ext_t {
    pub domain: u32,
    pub bus: u32,
    pub device: u32,
    pub function: u32,
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _ze_pci_speed_ext_t {
    pub genVersion: i32,
    pub width: i32,
    pub maxBandwidth: i64,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_pci_ext_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub address: ze_pci_address_ext_t,
    pub maxSpeed: ze_pci_speed_ext_t,
}
impl Default for _ze_pci_ext_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_driver_memory_free_policy_ext_flags_t = u32;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_memory_free_ext_desc_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub freePolicy: ze_driver_memory_free_policy_ext_flags_t,
}
impl Default for _ze_memory_free_ext_desc_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _ze_device_memory_ext_type_t {
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_HBM: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(0);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_HBM2: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(1);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_DDR: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(2);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_DDR2: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(3);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_DDR3: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(4);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_DDR4: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(5);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_DDR5: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(6);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(7);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR3: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(8);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR4: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(9);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR5: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(10);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_SRAM: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(11);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_L1: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(12);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_L3: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(13);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GRF: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(14);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_SLM: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(15);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GDDR4: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(16);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GDDR5: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(17);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GDDR5X: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(18);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(19);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6X: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(20);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_GDDR7: _ze_device_memory_ext_type_t = _ze_device_memory_ext_type_t(21);
    pub const ZE_DEVICE_MEMORY_EXT_TYPE_FORCE_UINT32: _ze_device_memory_ext_type_t =
        _ze_device_memory_ext_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _ze_device_memory_ext_type_t(pub ::core::ffi::c_uint);
pub use self::_ze_device_memory_ext_type_t as ze_device_memory_ext_type_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_memory_ext_properties_t {
    pub stype: ze_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub type_: ze_device_memory_ext_type_t,
    pub physicalSize: u64,
    pub readBandwidth: u32,
    pub writeBandwidth: u32,
    pub bandwidthUnit: ze_bandwidth_unit_t,
}
impl Default for _ze_device_memory_ext_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _ze_device_ip_version_ext_t {
    pub stype: ze_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub ipVersion: u32,
}
impl Default for _ze_device_ip_version_ext_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_driver_handle_t = ze_driver_handle_t;
pub type zes_device_handle_t = ze_device_handle_t;
#[repr(C)]
#[derive(Debug)]
pub struct _zes_mem_handle_t {
    _unused: [u8; 0],
}
pub type zes_mem_handle_t = *mut _zes_mem_handle_t;
impl _zes_structure_type_t {
    pub const ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(1);
    pub const ZES_STRUCTURE_TYPE_PCI_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(2);
    pub const ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(3);
    pub const ZES_STRUCTURE_TYPE_DIAG_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(4);
    pub const ZES_STRUCTURE_TYPE_ENGINE_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(5);
    pub const ZES_STRUCTURE_TYPE_FABRIC_PORT_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(6);
    pub const ZES_STRUCTURE_TYPE_FAN_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(7);
    pub const ZES_STRUCTURE_TYPE_FIRMWARE_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(8);
    pub const ZES_STRUCTURE_TYPE_FREQ_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(9);
    pub const ZES_STRUCTURE_TYPE_LED_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(10);
    pub const ZES_STRUCTURE_TYPE_MEM_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(11);
    pub const ZES_STRUCTURE_TYPE_PERF_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(12);
    pub const ZES_STRUCTURE_TYPE_POWER_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(13);
    pub const ZES_STRUCTURE_TYPE_PSU_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(14);
    pub const ZES_STRUCTURE_TYPE_RAS_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(15);
    pub const ZES_STRUCTURE_TYPE_SCHED_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(16);
    pub const ZES_STRUCTURE_TYPE_SCHED_TIMEOUT_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(17);
    pub const ZES_STRUCTURE_TYPE_SCHED_TIMESLICE_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(18);
    pub const ZES_STRUCTURE_TYPE_STANDBY_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(19);
    pub const ZES_STRUCTURE_TYPE_TEMP_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(20);
    pub const ZES_STRUCTURE_TYPE_DEVICE_STATE: _zes_structure_type_t = _zes_structure_type_t(21);
    pub const ZES_STRUCTURE_TYPE_PROCESS_STATE: _zes_structure_type_t = _zes_structure_type_t(22);
    pub const ZES_STRUCTURE_TYPE_PCI_STATE: _zes_structure_type_t = _zes_structure_type_t(23);
    pub const ZES_STRUCTURE_TYPE_FABRIC_PORT_CONFIG: _zes_structure_type_t = _zes_structure_type_t(24);
    pub const ZES_STRUCTURE_TYPE_FABRIC_PORT_STATE: _zes_structure_type_t = _zes_structure_type_t(25);
    pub const ZES_STRUCTURE_TYPE_FAN_CONFIG: _zes_structure_type_t = _zes_structure_type_t(26);
    pub const ZES_STRUCTURE_TYPE_FREQ_STATE: _zes_structure_type_t = _zes_structure_type_t(27);
    pub const ZES_STRUCTURE_TYPE_OC_CAPABILITIES: _zes_structure_type_t = _zes_structure_type_t(28);
    pub const ZES_STRUCTURE_TYPE_LED_STATE: _zes_structure_type_t = _zes_structure_type_t(29);
    pub const ZES_STRUCTURE_TYPE_MEM_STATE: _zes_structure_type_t = _zes_structure_type_t(30);
    pub const ZES_STRUCTURE_TYPE_PSU_STATE: _zes_structure_type_t = _zes_structure_type_t(31);
    pub const ZES_STRUCTURE_TYPE_BASE_STATE: _zes_structure_type_t = _zes_structure_type_t(32);
    pub const ZES_STRUCTURE_TYPE_RAS_CONFIG: _zes_structure_type_t = _zes_structure_type_t(33);
    pub const ZES_STRUCTURE_TYPE_RAS_STATE: _zes_structure_type_t = _zes_structure_type_t(34);
    pub const ZES_STRUCTURE_TYPE_TEMP_CONFIG: _zes_structure_type_t = _zes_structure_type_t(35);
    pub const ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES_1_2: _zes_structure_type_t = _zes_structure_type_t(36);
    pub const ZES_STRUCTURE_TYPE_DEVICE_ECC_DESC: _zes_structure_type_t = _zes_structure_type_t(37);
    pub const ZES_STRUCTURE_TYPE_DEVICE_ECC_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(38);
    pub const ZES_STRUCTURE_TYPE_POWER_LIMIT_EXT_DESC: _zes_structure_type_t = _zes_structure_type_t(39);
    pub const ZES_STRUCTURE_TYPE_POWER_EXT_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(40);
    pub const ZES_STRUCTURE_TYPE_OVERCLOCK_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(41);
    pub const ZES_STRUCTURE_TYPE_FABRIC_PORT_ERROR_COUNTERS: _zes_structure_type_t = _zes_structure_type_t(42);
    pub const ZES_STRUCTURE_TYPE_ENGINE_EXT_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(43);
    pub const ZES_STRUCTURE_TYPE_RESET_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(44);
    pub const ZES_STRUCTURE_TYPE_DEVICE_EXT_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(45);
    pub const ZES_STRUCTURE_TYPE_DEVICE_UUID: _zes_structure_type_t = _zes_structure_type_t(46);
    pub const ZES_STRUCTURE_TYPE_POWER_DOMAIN_EXP_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(131073);
    pub const ZES_STRUCTURE_TYPE_MEM_BANDWIDTH_COUNTER_BITS_EXP_PROPERTIES: _zes_structure_type_t =
        _zes_structure_type_t(131074);
    pub const ZES_STRUCTURE_TYPE_MEMORY_PAGE_OFFLINE_STATE_EXP: _zes_structure_type_t = _zes_structure_type_t(131075);
    pub const ZES_STRUCTURE_TYPE_SUBDEVICE_EXP_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(131076);
    pub const ZES_STRUCTURE_TYPE_VF_EXP_PROPERTIES: _zes_structure_type_t = _zes_structure_type_t(131077);
    pub const ZES_STRUCTURE_TYPE_VF_UTIL_MEM_EXP: _zes_structure_type_t = _zes_structure_type_t(131078);
    pub const ZES_STRUCTURE_TYPE_VF_UTIL_ENGINE_EXP: _zes_structure_type_t = _zes_structure_type_t(131079);
    pub const ZES_STRUCTURE_TYPE_VF_EXP_CAPABILITIES: _zes_structure_type_t = _zes_structure_type_t(131080);
    pub const ZES_STRUCTURE_TYPE_VF_UTIL_MEM_EXP2: _zes_structure_type_t = _zes_structure_type_t(131081);
    pub const ZES_STRUCTURE_TYPE_VF_UTIL_ENGINE_EXP2: _zes_structure_type_t = _zes_structure_type_t(131088);
    pub const ZES_STRUCTURE_TYPE_VF_EXP2_CAPABILITIES: _zes_structure_type_t = _zes_structure_type_t(131089);
    pub const ZES_STRUCTURE_TYPE_FORCE_UINT32: _zes_structure_type_t = _zes_structure_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_structure_type_t(pub ::core::ffi::c_uint);
pub use self::_zes_structure_type_t as zes_structure_type_t;
pub type zes_uuid_t = _zes_uuid_t;
pub type zes_device_properties_t = _zes_device_properties_t;
pub type zes_device_ext_properties_t = _zes_device_ext_properties_t;
pub type zes_process_state_t = _zes_process_state_t;
pub type zes_pci_address_t = _zes_pci_address_t;
pub type zes_pci_speed_t = _zes_pci_speed_t;
pub type zes_pci_properties_t = _zes_pci_properties_t;
pub type zes_mem_properties_t = _zes_mem_properties_t;
pub type zes_mem_state_t = _zes_mem_state_t;
pub type zes_init_flags_t = u32;
impl _zes_init_flag_t {
    pub const ZES_INIT_FLAG_PLACEHOLDER: _zes_init_flag_t = _zes_init_flag_t(1);
    pub const ZES_INIT_FLAG_FORCE_UINT32: _zes_init_flag_t = _zes_init_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_init_flag_t(pub ::core::ffi::c_uint);
pub use self::_zes_init_flag_t as zes_init_flag_t;
pub type zes_engine_type_flags_t = u32;
impl _zes_engine_type_flag_t {
    pub const ZES_ENGINE_TYPE_FLAG_OTHER: _zes_engine_type_flag_t = _zes_engine_type_flag_t(1);
    pub const ZES_ENGINE_TYPE_FLAG_COMPUTE: _zes_engine_type_flag_t = _zes_engine_type_flag_t(2);
    pub const ZES_ENGINE_TYPE_FLAG_3D: _zes_engine_type_flag_t = _zes_engine_type_flag_t(4);
    pub const ZES_ENGINE_TYPE_FLAG_MEDIA: _zes_engine_type_flag_t = _zes_engine_type_flag_t(8);
    pub const ZES_ENGINE_TYPE_FLAG_DMA: _zes_engine_type_flag_t = _zes_engine_type_flag_t(16);
    pub const ZES_ENGINE_TYPE_FLAG_RENDER: _zes_engine_type_flag_t = _zes_engine_type_flag_t(32);
    pub const ZES_ENGINE_TYPE_FLAG_FORCE_UINT32: _zes_engine_type_flag_t = _zes_engine_type_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_engine_type_flag_t(pub ::core::ffi::c_uint);
pub use self::_zes_engine_type_flag_t as zes_engine_type_flag_t;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _zes_uuid_t {
    pub id: [u8; 16usize],
}
impl _zes_device_type_t {
    pub const ZES_DEVICE_TYPE_GPU: _zes_device_type_t = _zes_device_type_t(1);
    pub const ZES_DEVICE_TYPE_CPU: _zes_device_type_t = _zes_device_type_t(2);
    pub const ZES_DEVICE_TYPE_FPGA: _zes_device_type_t = _zes_device_type_t(3);
    pub const ZES_DEVICE_TYPE_MCA: _zes_device_type_t = _zes_device_type_t(4);
    pub const ZES_DEVICE_TYPE_VPU: _zes_device_type_t = _zes_device_type_t(5);
    pub const ZES_DEVICE_TYPE_FORCE_UINT32: _zes_device_type_t = _zes_device_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_device_type_t(pub ::core::ffi::c_uint);
pub use self::_zes_device_type_t as zes_device_type_t;
pub type zes_device_property_flags_t = u32;
impl _zes_device_property_flag_t {
    pub const ZES_DEVICE_PROPERTY_FLAG_INTEGRATED: _zes_device_property_flag_t = _zes_device_property_flag_t(1);
    pub const ZES_DEVICE_PROPERTY_FLAG_SUBDEVICE: _zes_device_property_flag_t = _zes_device_property_flag_t(2);
    pub const ZES_DEVICE_PROPERTY_FLAG_ECC: _zes_device_property_flag_t = _zes_device_property_flag_t(4);
    pub const ZES_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING: _zes_device_property_flag_t = _zes_device_property_flag_t(8);
    pub const ZES_DEVICE_PROPERTY_FLAG_FORCE_UINT32: _zes_device_property_flag_t =
        _zes_device_property_flag_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_device_property_flag_t(pub ::core::ffi::c_uint);
pub use self::_zes_device_property_flag_t as zes_device_property_flag_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _zes_device_properties_t {
    pub stype: zes_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub core: ze_device_properties_t,
    pub numSubdevices: u32,
    pub serialNumber: [::core::ffi::c_char; 64usize],
    pub boardNumber: [::core::ffi::c_char; 64usize],
    pub brandName: [::core::ffi::c_char; 64usize],
    pub modelName: [::core::ffi::c_char; 64usize],
    pub vendorName: [::core::ffi::c_char; 64usize],
    pub driverVersion: [::core::ffi::c_char; 64usize],
}
impl Default for _zes_device_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _zes_device_ext_properties_t {
    pub stype: zes_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub uuid: zes_uuid_t,
    pub type_: zes_device_type_t,
    pub flags: zes_device_property_flags_t,
}
impl Default for _zes_device_ext_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _zes_process_state_t {
    pub stype: zes_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub processId: u32,
    pub memSize: u64,
    pub sharedSize: u64,
    pub engines: zes_engine_type_flags_t,
}
impl Default for _zes_process_state_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _zes_pci_address_t {
    pub domain: u32,
    pub bus: u32,
    pub device: u32,
    pub function: u32,
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _zes_pci_speed_t {
    pub gen_: i32,
    pub width: i32,
    pub maxBandwidth: i64,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _zes_pci_properties_t {
    pub stype: zes_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub address: zes_pci_address_t,
    pub maxSpeed: zes_pci_speed_t,
    pub haveBandwidthCounters: ze_bool_t,
    pub havePacketCounters: ze_bool_t,
    pub haveReplayCounters: ze_bool_t,
}
impl Default for _zes_pci_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl _zes_mem_type_t {
    pub const ZES_MEM_TYPE_HBM: _zes_mem_type_t = _zes_mem_type_t(0);
    pub const ZES_MEM_TYPE_DDR: _zes_mem_type_t = _zes_mem_type_t(1);
    pub const ZES_MEM_TYPE_DDR3: _zes_mem_type_t = _zes_mem_type_t(2);
    pub const ZES_MEM_TYPE_DDR4: _zes_mem_type_t = _zes_mem_type_t(3);
    pub const ZES_MEM_TYPE_DDR5: _zes_mem_type_t = _zes_mem_type_t(4);
    pub const ZES_MEM_TYPE_LPDDR: _zes_mem_type_t = _zes_mem_type_t(5);
    pub const ZES_MEM_TYPE_LPDDR3: _zes_mem_type_t = _zes_mem_type_t(6);
    pub const ZES_MEM_TYPE_LPDDR4: _zes_mem_type_t = _zes_mem_type_t(7);
    pub const ZES_MEM_TYPE_LPDDR5: _zes_mem_type_t = _zes_mem_type_t(8);
    pub const ZES_MEM_TYPE_SRAM: _zes_mem_type_t = _zes_mem_type_t(9);
    pub const ZES_MEM_TYPE_L1: _zes_mem_type_t = _zes_mem_type_t(10);
    pub const ZES_MEM_TYPE_L3: _zes_mem_type_t = _zes_mem_type_t(11);
    pub const ZES_MEM_TYPE_GRF: _zes_mem_type_t = _zes_mem_type_t(12);
    pub const ZES_MEM_TYPE_SLM: _zes_mem_type_t = _zes_mem_type_t(13);
    pub const ZES_MEM_TYPE_GDDR4: _zes_mem_type_t = _zes_mem_type_t(14);
    pub const ZES_MEM_TYPE_GDDR5: _zes_mem_type_t = _zes_mem_type_t(15);
    pub const ZES_MEM_TYPE_GDDR5X: _zes_mem_type_t = _zes_mem_type_t(16);
    pub const ZES_MEM_TYPE_GDDR6: _zes_mem_type_t = _zes_mem_type_t(17);
    pub const ZES_MEM_TYPE_GDDR6X: _zes_mem_type_t = _zes_mem_type_t(18);
    pub const ZES_MEM_TYPE_GDDR7: _zes_mem_type_t = _zes_mem_type_t(19);
    pub const ZES_MEM_TYPE_FORCE_UINT32: _zes_mem_type_t = _zes_mem_type_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_mem_type_t(pub ::core::ffi::c_uint);
pub use self::_zes_mem_type_t as zes_mem_type_t;
impl _zes_mem_loc_t {
    pub const ZES_MEM_LOC_SYSTEM: _zes_mem_loc_t = _zes_mem_loc_t(0);
    pub const ZES_MEM_LOC_DEVICE: _zes_mem_loc_t = _zes_mem_loc_t(1);
    pub const ZES_MEM_LOC_FORCE_UINT32: _zes_mem_loc_t = _zes_mem_loc_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_mem_loc_t(pub ::core::ffi::c_uint);
pub use self::_zes_mem_loc_t as zes_mem_loc_t;
impl _zes_mem_health_t {
    pub const ZES_MEM_HEALTH_UNKNOWN: _zes_mem_health_t = _zes_mem_health_t(0);
    pub const ZES_MEM_HEALTH_OK: _zes_mem_health_t = _zes_mem_health_t(1);
    pub const ZES_MEM_HEALTH_DEGRADED: _zes_mem_health_t = _zes_mem_health_t(2);
    pub const ZES_MEM_HEALTH_CRITICAL: _zes_mem_health_t = _zes_mem_health_t(3);
    pub const ZES_MEM_HEALTH_REPLACE: _zes_mem_health_t = _zes_mem_health_t(4);
    pub const ZES_MEM_HEALTH_FORCE_UINT32: _zes_mem_health_t = _zes_mem_health_t(2147483647);
}
#[repr(transparent)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct _zes_mem_health_t(pub ::core::ffi::c_uint);
pub use self::_zes_mem_health_t as zes_mem_health_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _zes_mem_properties_t {
    pub stype: zes_structure_type_t,
    pub pNext: *mut ::core::ffi::c_void,
    pub type_: zes_mem_type_t,
    pub onSubdevice: ze_bool_t,
    pub subdeviceId: u32,
    pub location: zes_mem_loc_t,
    pub physicalSize: u64,
    pub busWidth: i32,
    pub numChannels: i32,
}
impl Default for _zes_mem_properties_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct _zes_mem_state_t {
    pub stype: zes_structure_type_t,
    pub pNext: *const ::core::ffi::c_void,
    pub health: zes_mem_health_t,
    pub free: u64,
    pub size: u64,
}
impl Default for _zes_mem_state_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_pfnInit_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_init_flags_t) -> ze_result_t>;
pub type ze_pfnInitDrivers_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: *mut u32,
        arg2: *mut ze_driver_handle_t,
        arg3: *mut ze_init_driver_type_desc_t,
    ) -> ze_result_t,
>;
pub type ze_pfnDriverGet_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: *mut u32, arg2: *mut ze_driver_handle_t) -> ze_result_t>;
pub type ze_pfnDriverGetApiVersion_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_driver_handle_t, arg2: *mut ze_api_version_t) -> ze_result_t>;
pub type ze_pfnDriverGetProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_driver_handle_t, arg2: *mut ze_driver_properties_t) -> ze_result_t,
>;
pub type ze_pfnDriverGetIpcProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_driver_handle_t, arg2: *mut ze_driver_ipc_properties_t) -> ze_result_t,
>;
pub type ze_pfnDriverGetExtensionProperties_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_driver_handle_t,
        arg2: *mut u32,
        arg3: *mut ze_driver_extension_properties_t,
    ) -> ze_result_t,
>;
pub type ze_pfnDriverGetExtensionFunctionAddress_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_driver_handle_t,
        arg2: *const ::core::ffi::c_char,
        arg3: *mut *mut ::core::ffi::c_void,
    ) -> ze_result_t,
>;
pub type ze_pfnDriverGetLastErrorDescription_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_driver_handle_t, arg2: *mut *const ::core::ffi::c_char) -> ze_result_t,
>;
pub type ze_pfnDeviceGet_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_driver_handle_t, arg2: *mut u32, arg3: *mut ze_device_handle_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetSubDevices_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut u32, arg3: *mut ze_device_handle_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut ze_device_properties_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetComputeProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut ze_device_compute_properties_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetModuleProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut ze_device_module_properties_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetCommandQueueGroupProperties_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_device_handle_t,
        arg2: *mut u32,
        arg3: *mut ze_command_queue_group_properties_t,
    ) -> ze_result_t,
>;
pub type ze_pfnDeviceGetMemoryProperties_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_device_handle_t,
        arg2: *mut u32,
        arg3: *mut ze_device_memory_properties_t,
    ) -> ze_result_t,
>;
pub type ze_pfnDeviceGetMemoryAccessProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut ze_device_memory_access_properties_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetCacheProperties_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_device_handle_t,
        arg2: *mut u32,
        arg3: *mut ze_device_cache_properties_t,
    ) -> ze_result_t,
>;
pub type ze_pfnDeviceCanAccessPeer_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: ze_device_handle_t, arg3: *mut ze_bool_t) -> ze_result_t,
>;
pub type ze_pfnDeviceGetStatus_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_device_handle_t) -> ze_result_t>;
pub type ze_pfnDeviceGetGlobalTimestamps_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut u64, arg3: *mut u64) -> ze_result_t,
>;
pub type ze_pfnDevicePciGetPropertiesExt_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_device_handle_t, arg2: *mut ze_pci_ext_properties_t) -> ze_result_t,
>;
pub type ze_pfnContextCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_driver_handle_t,
        arg2: *const ze_context_desc_t,
        arg3: *mut ze_context_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnContextDestroy_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_context_handle_t) -> ze_result_t>;
pub type ze_pfnContextGetStatus_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_context_handle_t) -> ze_result_t>;
pub type ze_pfnContextMakeMemoryResident_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: ze_device_handle_t,
        arg3: *mut ::core::ffi::c_void,
        arg4: usize,
    ) -> ze_result_t,
>;
pub type ze_pfnContextEvictMemory_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: ze_device_handle_t,
        arg3: *mut ::core::ffi::c_void,
        arg4: usize,
    ) -> ze_result_t,
>;
pub type ze_pfnContextCreateEx_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_driver_handle_t,
        arg2: *const ze_context_desc_t,
        arg3: u32,
        arg4: *mut ze_device_handle_t,
        arg5: *mut ze_context_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandQueueCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: ze_device_handle_t,
        arg3: *const ze_command_queue_desc_t,
        arg4: *mut ze_command_queue_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandQueueDestroy_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_command_queue_handle_t) -> ze_result_t>;
pub type ze_pfnCommandQueueExecuteCommandLists_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_queue_handle_t,
        arg2: u32,
        arg3: *mut ze_command_list_handle_t,
        arg4: ze_fence_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandQueueSynchronize_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_command_queue_handle_t, arg2: u64) -> ze_result_t>;
pub type ze_pfnCommandListCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: ze_device_handle_t,
        arg3: *const ze_command_list_desc_t,
        arg4: *mut ze_command_list_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListCreateImmediate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: ze_device_handle_t,
        arg3: *const ze_command_queue_desc_t,
        arg4: *mut ze_command_list_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListDestroy_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_command_list_handle_t) -> ze_result_t>;
pub type ze_pfnCommandListClose_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_command_list_handle_t) -> ze_result_t>;
pub type ze_pfnCommandListReset_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_command_list_handle_t) -> ze_result_t>;
pub type ze_pfnCommandListAppendBarrier_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_list_handle_t,
        arg2: ze_event_handle_t,
        arg3: u32,
        arg4: *mut ze_event_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendMemoryCopy_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_list_handle_t,
        arg2: *mut ::core::ffi::c_void,
        arg3: *const ::core::ffi::c_void,
        arg4: usize,
        arg5: ze_event_handle_t,
        arg6: u32,
        arg7: *mut ze_event_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendMemoryFill_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_list_handle_t,
        arg2: *mut ::core::ffi::c_void,
        arg3: *const ::core::ffi::c_void,
        arg4: usize,
        arg5: usize,
        arg6: ze_event_handle_t,
        arg7: u32,
        arg8: *mut ze_event_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendMemoryCopyRegion_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_list_handle_t,
        arg2: *mut ::core::ffi::c_void,
        arg3: *const ze_copy_region_t,
        arg4: u32,
        arg5: u32,
        arg6: *const ::core::ffi::c_void,
        arg7: *const ze_copy_region_t,
        arg8: u32,
        arg9: u32,
        arg10: ze_event_handle_t,
        arg11: u32,
        arg12: *mut ze_event_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendMemoryPrefetch_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_command_list_handle_t, arg2: *const ::core::ffi::c_void, arg3: usize) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendMemAdvise_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_list_handle_t,
        arg2: ze_device_handle_t,
        arg3: *const ::core::ffi::c_void,
        arg4: usize,
        arg5: ze_memory_advice_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendSignalEvent_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_command_list_handle_t, arg2: ze_event_handle_t) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendWaitOnEvents_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_command_list_handle_t, arg2: u32, arg3: *mut ze_event_handle_t) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendEventReset_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_command_list_handle_t, arg2: ze_event_handle_t) -> ze_result_t,
>;
pub type ze_pfnCommandListAppendLaunchKernel_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_list_handle_t,
        arg2: ze_kernel_handle_t,
        arg3: *const ze_group_count_t,
        arg4: ze_event_handle_t,
        arg5: u32,
        arg6: *mut ze_event_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnCommandListHostSynchronize_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_command_list_handle_t, arg2: u64) -> ze_result_t>;
pub type ze_pfnMemAllocShared_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ze_device_mem_alloc_desc_t,
        arg3: *const ze_host_mem_alloc_desc_t,
        arg4: usize,
        arg5: usize,
        arg6: ze_device_handle_t,
        arg7: *mut *mut ::core::ffi::c_void,
    ) -> ze_result_t,
>;
pub type ze_pfnMemAllocDevice_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ze_device_mem_alloc_desc_t,
        arg3: usize,
        arg4: usize,
        arg5: ze_device_handle_t,
        arg6: *mut *mut ::core::ffi::c_void,
    ) -> ze_result_t,
>;
pub type ze_pfnMemAllocHost_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ze_host_mem_alloc_desc_t,
        arg3: usize,
        arg4: usize,
        arg5: *mut *mut ::core::ffi::c_void,
    ) -> ze_result_t,
>;
pub type ze_pfnMemFree_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_context_handle_t, arg2: *mut ::core::ffi::c_void) -> ze_result_t,
>;
pub type ze_pfnMemGetAllocProperties_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ::core::ffi::c_void,
        arg3: *mut ze_memory_allocation_properties_t,
        arg4: *mut ze_device_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnMemGetAddressRange_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ::core::ffi::c_void,
        arg3: *mut *mut ::core::ffi::c_void,
        arg4: *mut usize,
    ) -> ze_result_t,
>;
pub type ze_pfnMemFreeExt_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ze_memory_free_ext_desc_t,
        arg3: *mut ::core::ffi::c_void,
    ) -> ze_result_t,
>;
pub type ze_pfnFenceCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_command_queue_handle_t,
        arg2: *const ze_fence_desc_t,
        arg3: *mut ze_fence_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnFenceDestroy_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_fence_handle_t) -> ze_result_t>;
pub type ze_pfnFenceHostSynchronize_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_fence_handle_t, arg2: u64) -> ze_result_t>;
pub type ze_pfnFenceQueryStatus_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_fence_handle_t) -> ze_result_t>;
pub type ze_pfnFenceReset_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_fence_handle_t) -> ze_result_t>;
pub type ze_pfnEventPoolCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: *const ze_event_pool_desc_t,
        arg3: u32,
        arg4: *mut ze_device_handle_t,
        arg5: *mut ze_event_pool_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnEventPoolDestroy_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_event_pool_handle_t) -> ze_result_t>;
pub type ze_pfnEventCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_event_pool_handle_t,
        arg2: *const ze_event_desc_t,
        arg3: *mut ze_event_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnEventDestroy_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_event_handle_t) -> ze_result_t>;
pub type ze_pfnEventHostSignal_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_event_handle_t) -> ze_result_t>;
pub type ze_pfnEventHostSynchronize_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_event_handle_t, arg2: u64) -> ze_result_t>;
pub type ze_pfnEventQueryStatus_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_event_handle_t) -> ze_result_t>;
pub type ze_pfnEventHostReset_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_event_handle_t) -> ze_result_t>;
pub type ze_pfnEventQueryKernelTimestamp_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_event_handle_t, arg2: *mut ze_kernel_timestamp_result_t) -> ze_result_t,
>;
pub type ze_pfnModuleCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_context_handle_t,
        arg2: ze_device_handle_t,
        arg3: *const ze_module_desc_t,
        arg4: *mut ze_module_handle_t,
        arg5: *mut ze_module_build_log_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnModuleDestroy_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_module_handle_t) -> ze_result_t>;
pub type ze_pfnModuleGetNativeBinary_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_module_handle_t, arg2: *mut usize, arg3: *mut u8) -> ze_result_t,
>;
pub type ze_pfnModuleGetKernelNames_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_module_handle_t,
        arg2: *mut u32,
        arg3: *mut *const ::core::ffi::c_char,
    ) -> ze_result_t,
>;
pub type ze_pfnModuleBuildLogDestroy_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: ze_module_build_log_handle_t) -> ze_result_t>;
pub type ze_pfnModuleBuildLogGetString_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_module_build_log_handle_t,
        arg2: *mut usize,
        arg3: *mut ::core::ffi::c_char,
    ) -> ze_result_t,
>;
pub type ze_pfnKernelCreate_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_module_handle_t,
        arg2: *const ze_kernel_desc_t,
        arg3: *mut ze_kernel_handle_t,
    ) -> ze_result_t,
>;
pub type ze_pfnKernelDestroy_t = ::core::option::Option<unsafe extern "C" fn(arg1: ze_kernel_handle_t) -> ze_result_t>;
pub type ze_pfnKernelSetGroupSize_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_kernel_handle_t, arg2: u32, arg3: u32, arg4: u32) -> ze_result_t,
>;
pub type ze_pfnKernelSuggestGroupSize_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_kernel_handle_t,
        arg2: u32,
        arg3: u32,
        arg4: u32,
        arg5: *mut u32,
        arg6: *mut u32,
        arg7: *mut u32,
    ) -> ze_result_t,
>;
pub type ze_pfnKernelSetArgumentValue_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ze_kernel_handle_t,
        arg2: u32,
        arg3: usize,
        arg4: *const ::core::ffi::c_void,
    ) -> ze_result_t,
>;
pub type ze_pfnKernelSetIndirectAccess_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_kernel_handle_t, arg2: ze_kernel_indirect_access_flags_t) -> ze_result_t,
>;
pub type ze_pfnKernelGetProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: ze_kernel_handle_t, arg2: *mut ze_kernel_properties_t) -> ze_result_t,
>;
pub type zes_pfnInit_t = ::core::option::Option<unsafe extern "C" fn(arg1: zes_init_flags_t) -> ze_result_t>;
pub type zes_pfnDeviceGetProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: zes_device_handle_t, arg2: *mut zes_device_properties_t) -> ze_result_t,
>;
pub type zes_pfnDeviceProcessesGetState_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: zes_device_handle_t, arg2: *mut u32, arg3: *mut zes_process_state_t) -> ze_result_t,
>;
pub type zes_pfnDevicePciGetProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: zes_device_handle_t, arg2: *mut zes_pci_properties_t) -> ze_result_t,
>;
pub type zes_pfnDeviceEnumMemoryModules_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: zes_device_handle_t, arg2: *mut u32, arg3: *mut zes_mem_handle_t) -> ze_result_t,
>;
pub type zes_pfnDeviceGet_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: zes_driver_handle_t, arg2: *mut u32, arg3: *mut zes_device_handle_t) -> ze_result_t,
>;
pub type zes_pfnDriverGet_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: *mut u32, arg2: *mut zes_driver_handle_t) -> ze_result_t>;
pub type zes_pfnDriverGetDeviceByUuidExp_t = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: zes_driver_handle_t,
        arg2: zes_uuid_t,
        arg3: *mut zes_device_handle_t,
        arg4: *mut ze_bool_t,
        arg5: *mut u32,
    ) -> ze_result_t,
>;
pub type zes_pfnMemoryGetProperties_t = ::core::option::Option<
    unsafe extern "C" fn(arg1: zes_mem_handle_t, arg2: *mut zes_mem_properties_t) -> ze_result_t,
>;
pub type zes_pfnMemoryGetState_t =
    ::core::option::Option<unsafe extern "C" fn(arg1: zes_mem_handle_t, arg2: *mut zes_mem_state_t) -> ze_result_t>;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct _zel_version {
    pub major: ::core::ffi::c_int,
    pub minor: ::core::ffi::c_int,
    pub patch: ::core::ffi::c_int,
}
pub type zel_version_t = _zel_version;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct zel_component_version {
    pub component_name: [::core::ffi::c_char; 64usize],
    pub spec_version: ze_api_version_t,
    pub component_lib_version: zel_version_t,
}
impl Default for zel_component_version {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zel_component_version_t = zel_component_version;
