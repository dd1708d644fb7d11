//! The sizes and offsets that the C compiler gives the structures of the bindings, checked when this file compiles.
//!
//! Made by `regenerate.sh` from the headers of Level Zero 1.20.6; do not edit. The headers are
//! Copyright (C) 2019-2025 Intel Corporation, SPDX-License-Identifier: MIT (see LICENSE).

use crate::bindings::*;

#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_init_driver_type_desc_t"][::core::mem::size_of::<_ze_init_driver_type_desc_t>() - 24usize];
    ["Alignment of _ze_init_driver_type_desc_t"][::core::mem::align_of::<_ze_init_driver_type_desc_t>() - 8usize];
    ["Offset of field: _ze_init_driver_type_desc_t::stype"]
        [::core::mem::offset_of!(_ze_init_driver_type_desc_t, stype) - 0usize];
    ["Offset of field: _ze_init_driver_type_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_init_driver_type_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_init_driver_type_desc_t::flags"]
        [::core::mem::offset_of!(_ze_init_driver_type_desc_t, flags) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_driver_uuid_t"][::core::mem::size_of::<_ze_driver_uuid_t>() - 16usize];
    ["Alignment of _ze_driver_uuid_t"][::core::mem::align_of::<_ze_driver_uuid_t>() - 1usize];
    ["Offset of field: _ze_driver_uuid_t::id"][::core::mem::offset_of!(_ze_driver_uuid_t, id) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_driver_properties_t"][::core::mem::size_of::<_ze_driver_properties_t>() - 40usize];
    ["Alignment of _ze_driver_properties_t"][::core::mem::align_of::<_ze_driver_properties_t>() - 8usize];
    ["Offset of field: _ze_driver_properties_t::stype"]
        [::core::mem::offset_of!(_ze_driver_properties_t, stype) - 0usize];
    ["Offset of field: _ze_driver_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_driver_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_driver_properties_t::uuid"]
        [::core::mem::offset_of!(_ze_driver_properties_t, uuid) - 16usize];
    ["Offset of field: _ze_driver_properties_t::driverVersion"]
        [::core::mem::offset_of!(_ze_driver_properties_t, driverVersion) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_driver_ipc_properties_t"][::core::mem::size_of::<_ze_driver_ipc_properties_t>() - 24usize];
    ["Alignment of _ze_driver_ipc_properties_t"][::core::mem::align_of::<_ze_driver_ipc_properties_t>() - 8usize];
    ["Offset of field: _ze_driver_ipc_properties_t::stype"]
        [::core::mem::offset_of!(_ze_driver_ipc_properties_t, stype) - 0usize];
    ["Offset of field: _ze_driver_ipc_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_driver_ipc_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_driver_ipc_properties_t::flags"]
        [::core::mem::offset_of!(_ze_driver_ipc_properties_t, flags) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_driver_extension_properties_t"]
        [::core::mem::size_of::<_ze_driver_extension_properties_t>() - 260usize];
    ["Alignment of _ze_driver_extension_properties_t"]
        [::core::mem::align_of::<_ze_driver_extension_properties_t>() - 4usize];
    ["Offset of field: _ze_driver_extension_properties_t::name"]
        [::core::mem::offset_of!(_ze_driver_extension_properties_t, name) - 0usize];
    ["Offset of field: _ze_driver_extension_properties_t::version"]
        [::core::mem::offset_of!(_ze_driver_extension_properties_t, version) - 256usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_uuid_t"][::core::mem::size_of::<_ze_device_uuid_t>() - 16usize];
    ["Alignment of _ze_device_uuid_t"][::core::mem::align_of::<_ze_device_uuid_t>() - 1usize];
    ["Offset of field: _ze_device_uuid_t::id"][::core::mem::offset_of!(_ze_device_uuid_t, id) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_properties_t"][::core::mem::size_of::<_ze_device_properties_t>() - 368usize];
    ["Alignment of _ze_device_properties_t"][::core::mem::align_of::<_ze_device_properties_t>() - 8usize];
    ["Offset of field: _ze_device_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_properties_t::type_"]
        [::core::mem::offset_of!(_ze_device_properties_t, type_) - 16usize];
    ["Offset of field: _ze_device_properties_t::vendorId"]
        [::core::mem::offset_of!(_ze_device_properties_t, vendorId) - 20usize];
    ["Offset of field: _ze_device_properties_t::deviceId"]
        [::core::mem::offset_of!(_ze_device_properties_t, deviceId) - 24usize];
    ["Offset of field: _ze_device_properties_t::flags"]
        [::core::mem::offset_of!(_ze_device_properties_t, flags) - 28usize];
    ["Offset of field: _ze_device_properties_t::subdeviceId"]
        [::core::mem::offset_of!(_ze_device_properties_t, subdeviceId) - 32usize];
    ["Offset of field: _ze_device_properties_t::coreClockRate"]
        [::core::mem::offset_of!(_ze_device_properties_t, coreClockRate) - 36usize];
    ["Offset of field: _ze_device_properties_t::maxMemAllocSize"]
        [::core::mem::offset_of!(_ze_device_properties_t, maxMemAllocSize) - 40usize];
    ["Offset of field: _ze_device_properties_t::maxHardwareContexts"]
        [::core::mem::offset_of!(_ze_device_properties_t, maxHardwareContexts) - 48usize];
    ["Offset of field: _ze_device_properties_t::maxCommandQueuePriority"]
        [::core::mem::offset_of!(_ze_device_properties_t, maxCommandQueuePriority) - 52usize];
    ["Offset of field: _ze_device_properties_t::numThreadsPerEU"]
        [::core::mem::offset_of!(_ze_device_properties_t, numThreadsPerEU) - 56usize];
    ["Offset of field: _ze_device_properties_t::physicalEUSimdWidth"]
        [::core::mem::offset_of!(_ze_device_properties_t, physicalEUSimdWidth) - 60usize];
    ["Offset of field: _ze_device_properties_t::numEUsPerSubslice"]
        [::core::mem::offset_of!(_ze_device_properties_t, numEUsPerSubslice) - 64usize];
    ["Offset of field: _ze_device_properties_t::numSubslicesPerSlice"]
        [::core::mem::offset_of!(_ze_device_properties_t, numSubslicesPerSlice) - 68usize];
    ["Offset of field: _ze_device_properties_t::numSlices"]
        [::core::mem::offset_of!(_ze_device_properties_t, numSlices) - 72usize];
    ["Offset of field: _ze_device_properties_t::timerResolution"]
        [::core::mem::offset_of!(_ze_device_properties_t, timerResolution) - 80usize];
    ["Offset of field: _ze_device_properties_t::timestampValidBits"]
        [::core::mem::offset_of!(_ze_device_properties_t, timestampValidBits) - 88usize];
    ["Offset of field: _ze_device_properties_t::kernelTimestampValidBits"]
        [::core::mem::offset_of!(_ze_device_properties_t, kernelTimestampValidBits) - 92usize];
    ["Offset of field: _ze_device_properties_t::uuid"]
        [::core::mem::offset_of!(_ze_device_properties_t, uuid) - 96usize];
    ["Offset of field: _ze_device_properties_t::name"]
        [::core::mem::offset_of!(_ze_device_properties_t, name) - 112usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_compute_properties_t"][::core::mem::size_of::<_ze_device_compute_properties_t>() - 88usize];
    ["Alignment of _ze_device_compute_properties_t"]
        [::core::mem::align_of::<_ze_device_compute_properties_t>() - 8usize];
    ["Offset of field: _ze_device_compute_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_compute_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_compute_properties_t::maxTotalGroupSize"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxTotalGroupSize) - 16usize];
    ["Offset of field: _ze_device_compute_properties_t::maxGroupSizeX"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxGroupSizeX) - 20usize];
    ["Offset of field: _ze_device_compute_properties_t::maxGroupSizeY"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxGroupSizeY) - 24usize];
    ["Offset of field: _ze_device_compute_properties_t::maxGroupSizeZ"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxGroupSizeZ) - 28usize];
    ["Offset of field: _ze_device_compute_properties_t::maxGroupCountX"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxGroupCountX) - 32usize];
    ["Offset of field: _ze_device_compute_properties_t::maxGroupCountY"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxGroupCountY) - 36usize];
    ["Offset of field: _ze_device_compute_properties_t::maxGroupCountZ"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxGroupCountZ) - 40usize];
    ["Offset of field: _ze_device_compute_properties_t::maxSharedLocalMemory"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, maxSharedLocalMemory) - 44usize];
    ["Offset of field: _ze_device_compute_properties_t::numSubGroupSizes"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, numSubGroupSizes) - 48usize];
    ["Offset of field: _ze_device_compute_properties_t::subGroupSizes"]
        [::core::mem::offset_of!(_ze_device_compute_properties_t, subGroupSizes) - 52usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_native_kernel_uuid_t"][::core::mem::size_of::<_ze_native_kernel_uuid_t>() - 16usize];
    ["Alignment of _ze_native_kernel_uuid_t"][::core::mem::align_of::<_ze_native_kernel_uuid_t>() - 1usize];
    ["Offset of field: _ze_native_kernel_uuid_t::id"][::core::mem::offset_of!(_ze_native_kernel_uuid_t, id) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_module_properties_t"][::core::mem::size_of::<_ze_device_module_properties_t>() - 64usize];
    ["Alignment of _ze_device_module_properties_t"][::core::mem::align_of::<_ze_device_module_properties_t>() - 8usize];
    ["Offset of field: _ze_device_module_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_module_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_module_properties_t::spirvVersionSupported"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, spirvVersionSupported) - 16usize];
    ["Offset of field: _ze_device_module_properties_t::flags"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, flags) - 20usize];
    ["Offset of field: _ze_device_module_properties_t::fp16flags"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, fp16flags) - 24usize];
    ["Offset of field: _ze_device_module_properties_t::fp32flags"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, fp32flags) - 28usize];
    ["Offset of field: _ze_device_module_properties_t::fp64flags"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, fp64flags) - 32usize];
    ["Offset of field: _ze_device_module_properties_t::maxArgumentsSize"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, maxArgumentsSize) - 36usize];
    ["Offset of field: _ze_device_module_properties_t::printfBufferSize"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, printfBufferSize) - 40usize];
    ["Offset of field: _ze_device_module_properties_t::nativeKernelSupported"]
        [::core::mem::offset_of!(_ze_device_module_properties_t, nativeKernelSupported) - 44usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_command_queue_group_properties_t"]
        [::core::mem::size_of::<_ze_command_queue_group_properties_t>() - 40usize];
    ["Alignment of _ze_command_queue_group_properties_t"]
        [::core::mem::align_of::<_ze_command_queue_group_properties_t>() - 8usize];
    ["Offset of field: _ze_command_queue_group_properties_t::stype"]
        [::core::mem::offset_of!(_ze_command_queue_group_properties_t, stype) - 0usize];
    ["Offset of field: _ze_command_queue_group_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_command_queue_group_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_command_queue_group_properties_t::flags"]
        [::core::mem::offset_of!(_ze_command_queue_group_properties_t, flags) - 16usize];
    ["Offset of field: _ze_command_queue_group_properties_t::maxMemoryFillPatternSize"]
        [::core::mem::offset_of!(_ze_command_queue_group_properties_t, maxMemoryFillPatternSize) - 24usize];
    ["Offset of field: _ze_command_queue_group_properties_t::numQueues"]
        [::core::mem::offset_of!(_ze_command_queue_group_properties_t, numQueues) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_memory_properties_t"][::core::mem::size_of::<_ze_device_memory_properties_t>() - 296usize];
    ["Alignment of _ze_device_memory_properties_t"][::core::mem::align_of::<_ze_device_memory_properties_t>() - 8usize];
    ["Offset of field: _ze_device_memory_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_memory_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_memory_properties_t::flags"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, flags) - 16usize];
    ["Offset of field: _ze_device_memory_properties_t::maxClockRate"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, maxClockRate) - 20usize];
    ["Offset of field: _ze_device_memory_properties_t::maxBusWidth"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, maxBusWidth) - 24usize];
    ["Offset of field: _ze_device_memory_properties_t::totalSize"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, totalSize) - 32usize];
    ["Offset of field: _ze_device_memory_properties_t::name"]
        [::core::mem::offset_of!(_ze_device_memory_properties_t, name) - 40usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_memory_access_properties_t"]
        [::core::mem::size_of::<_ze_device_memory_access_properties_t>() - 40usize];
    ["Alignment of _ze_device_memory_access_properties_t"]
        [::core::mem::align_of::<_ze_device_memory_access_properties_t>() - 8usize];
    ["Offset of field: _ze_device_memory_access_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_memory_access_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_memory_access_properties_t::hostAllocCapabilities"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, hostAllocCapabilities) - 16usize];
    ["Offset of field: _ze_device_memory_access_properties_t::deviceAllocCapabilities"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, deviceAllocCapabilities) - 20usize];
    ["Offset of field: _ze_device_memory_access_properties_t::sharedSingleDeviceAllocCapabilities"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, sharedSingleDeviceAllocCapabilities) - 24usize];
    ["Offset of field: _ze_device_memory_access_properties_t::sharedCrossDeviceAllocCapabilities"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, sharedCrossDeviceAllocCapabilities) - 28usize];
    ["Offset of field: _ze_device_memory_access_properties_t::sharedSystemAllocCapabilities"]
        [::core::mem::offset_of!(_ze_device_memory_access_properties_t, sharedSystemAllocCapabilities) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_cache_properties_t"][::core::mem::size_of::<_ze_device_cache_properties_t>() - 32usize];
    ["Alignment of _ze_device_cache_properties_t"][::core::mem::align_of::<_ze_device_cache_properties_t>() - 8usize];
    ["Offset of field: _ze_device_cache_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_cache_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_cache_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_cache_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_cache_properties_t::flags"]
        [::core::mem::offset_of!(_ze_device_cache_properties_t, flags) - 16usize];
    ["Offset of field: _ze_device_cache_properties_t::cacheSize"]
        [::core::mem::offset_of!(_ze_device_cache_properties_t, cacheSize) - 24usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_context_desc_t"][::core::mem::size_of::<_ze_context_desc_t>() - 24usize];
    ["Alignment of _ze_context_desc_t"][::core::mem::align_of::<_ze_context_desc_t>() - 8usize];
    ["Offset of field: _ze_context_desc_t::stype"][::core::mem::offset_of!(_ze_context_desc_t, stype) - 0usize];
    ["Offset of field: _ze_context_desc_t::pNext"][::core::mem::offset_of!(_ze_context_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_context_desc_t::flags"][::core::mem::offset_of!(_ze_context_desc_t, flags) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_command_queue_desc_t"][::core::mem::size_of::<_ze_command_queue_desc_t>() - 40usize];
    ["Alignment of _ze_command_queue_desc_t"][::core::mem::align_of::<_ze_command_queue_desc_t>() - 8usize];
    ["Offset of field: _ze_command_queue_desc_t::stype"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, stype) - 0usize];
    ["Offset of field: _ze_command_queue_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_command_queue_desc_t::ordinal"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, ordinal) - 16usize];
    ["Offset of field: _ze_command_queue_desc_t::index"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, index) - 20usize];
    ["Offset of field: _ze_command_queue_desc_t::flags"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, flags) - 24usize];
    ["Offset of field: _ze_command_queue_desc_t::mode"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, mode) - 28usize];
    ["Offset of field: _ze_command_queue_desc_t::priority"]
        [::core::mem::offset_of!(_ze_command_queue_desc_t, priority) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_command_list_desc_t"][::core::mem::size_of::<_ze_command_list_desc_t>() - 24usize];
    ["Alignment of _ze_command_list_desc_t"][::core::mem::align_of::<_ze_command_list_desc_t>() - 8usize];
    ["Offset of field: _ze_command_list_desc_t::stype"]
        [::core::mem::offset_of!(_ze_command_list_desc_t, stype) - 0usize];
    ["Offset of field: _ze_command_list_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_command_list_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_command_list_desc_t::commandQueueGroupOrdinal"]
        [::core::mem::offset_of!(_ze_command_list_desc_t, commandQueueGroupOrdinal) - 16usize];
    ["Offset of field: _ze_command_list_desc_t::flags"]
        [::core::mem::offset_of!(_ze_command_list_desc_t, flags) - 20usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_copy_region_t"][::core::mem::size_of::<_ze_copy_region_t>() - 24usize];
    ["Alignment of _ze_copy_region_t"][::core::mem::align_of::<_ze_copy_region_t>() - 4usize];
    ["Offset of field: _ze_copy_region_t::originX"][::core::mem::offset_of!(_ze_copy_region_t, originX) - 0usize];
    ["Offset of field: _ze_copy_region_t::originY"][::core::mem::offset_of!(_ze_copy_region_t, originY) - 4usize];
    ["Offset of field: _ze_copy_region_t::originZ"][::core::mem::offset_of!(_ze_copy_region_t, originZ) - 8usize];
    ["Offset of field: _ze_copy_region_t::width"][::core::mem::offset_of!(_ze_copy_region_t, width) - 12usize];
    ["Offset of field: _ze_copy_region_t::height"][::core::mem::offset_of!(_ze_copy_region_t, height) - 16usize];
    ["Offset of field: _ze_copy_region_t::depth"][::core::mem::offset_of!(_ze_copy_region_t, depth) - 20usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_event_pool_desc_t"][::core::mem::size_of::<_ze_event_pool_desc_t>() - 24usize];
    ["Alignment of _ze_event_pool_desc_t"][::core::mem::align_of::<_ze_event_pool_desc_t>() - 8usize];
    ["Offset of field: _ze_event_pool_desc_t::stype"][::core::mem::offset_of!(_ze_event_pool_desc_t, stype) - 0usize];
    ["Offset of field: _ze_event_pool_desc_t::pNext"][::core::mem::offset_of!(_ze_event_pool_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_event_pool_desc_t::flags"][::core::mem::offset_of!(_ze_event_pool_desc_t, flags) - 16usize];
    ["Offset of field: _ze_event_pool_desc_t::count"][::core::mem::offset_of!(_ze_event_pool_desc_t, count) - 20usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_event_desc_t"][::core::mem::size_of::<_ze_event_desc_t>() - 32usize];
    ["Alignment of _ze_event_desc_t"][::core::mem::align_of::<_ze_event_desc_t>() - 8usize];
    ["Offset of field: _ze_event_desc_t::stype"][::core::mem::offset_of!(_ze_event_desc_t, stype) - 0usize];
    ["Offset of field: _ze_event_desc_t::pNext"][::core::mem::offset_of!(_ze_event_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_event_desc_t::index"][::core::mem::offset_of!(_ze_event_desc_t, index) - 16usize];
    ["Offset of field: _ze_event_desc_t::signal"][::core::mem::offset_of!(_ze_event_desc_t, signal) - 20usize];
    ["Offset of field: _ze_event_desc_t::wait"][::core::mem::offset_of!(_ze_event_desc_t, wait) - 24usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_kernel_timestamp_data_t"][::core::mem::size_of::<_ze_kernel_timestamp_data_t>() - 16usize];
    ["Alignment of _ze_kernel_timestamp_data_t"][::core::mem::align_of::<_ze_kernel_timestamp_data_t>() - 8usize];
    ["Offset of field: _ze_kernel_timestamp_data_t::kernelStart"]
        [::core::mem::offset_of!(_ze_kernel_timestamp_data_t, kernelStart) - 0usize];
    ["Offset of field: _ze_kernel_timestamp_data_t::kernelEnd"]
        [::core::mem::offset_of!(_ze_kernel_timestamp_data_t, kernelEnd) - 8usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_kernel_timestamp_result_t"][::core::mem::size_of::<_ze_kernel_timestamp_result_t>() - 32usize];
    ["Alignment of _ze_kernel_timestamp_result_t"][::core::mem::align_of::<_ze_kernel_timestamp_result_t>() - 8usize];
    ["Offset of field: _ze_kernel_timestamp_result_t::global"]
        [::core::mem::offset_of!(_ze_kernel_timestamp_result_t, global) - 0usize];
    ["Offset of field: _ze_kernel_timestamp_result_t::context"]
        [::core::mem::offset_of!(_ze_kernel_timestamp_result_t, context) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_fence_desc_t"][::core::mem::size_of::<_ze_fence_desc_t>() - 24usize];
    ["Alignment of _ze_fence_desc_t"][::core::mem::align_of::<_ze_fence_desc_t>() - 8usize];
    ["Offset of field: _ze_fence_desc_t::stype"][::core::mem::offset_of!(_ze_fence_desc_t, stype) - 0usize];
    ["Offset of field: _ze_fence_desc_t::pNext"][::core::mem::offset_of!(_ze_fence_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_fence_desc_t::flags"][::core::mem::offset_of!(_ze_fence_desc_t, flags) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_mem_alloc_desc_t"][::core::mem::size_of::<_ze_device_mem_alloc_desc_t>() - 24usize];
    ["Alignment of _ze_device_mem_alloc_desc_t"][::core::mem::align_of::<_ze_device_mem_alloc_desc_t>() - 8usize];
    ["Offset of field: _ze_device_mem_alloc_desc_t::stype"]
        [::core::mem::offset_of!(_ze_device_mem_alloc_desc_t, stype) - 0usize];
    ["Offset of field: _ze_device_mem_alloc_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_device_mem_alloc_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_device_mem_alloc_desc_t::flags"]
        [::core::mem::offset_of!(_ze_device_mem_alloc_desc_t, flags) - 16usize];
    ["Offset of field: _ze_device_mem_alloc_desc_t::ordinal"]
        [::core::mem::offset_of!(_ze_device_mem_alloc_desc_t, ordinal) - 20usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_host_mem_alloc_desc_t"][::core::mem::size_of::<_ze_host_mem_alloc_desc_t>() - 24usize];
    ["Alignment of _ze_host_mem_alloc_desc_t"][::core::mem::align_of::<_ze_host_mem_alloc_desc_t>() - 8usize];
    ["Offset of field: _ze_host_mem_alloc_desc_t::stype"]
        [::core::mem::offset_of!(_ze_host_mem_alloc_desc_t, stype) - 0usize];
    ["Offset of field: _ze_host_mem_alloc_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_host_mem_alloc_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_host_mem_alloc_desc_t::flags"]
        [::core::mem::offset_of!(_ze_host_mem_alloc_desc_t, flags) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_memory_allocation_properties_t"]
        [::core::mem::size_of::<_ze_memory_allocation_properties_t>() - 40usize];
    ["Alignment of _ze_memory_allocation_properties_t"]
        [::core::mem::align_of::<_ze_memory_allocation_properties_t>() - 8usize];
    ["Offset of field: _ze_memory_allocation_properties_t::stype"]
        [::core::mem::offset_of!(_ze_memory_allocation_properties_t, stype) - 0usize];
    ["Offset of field: _ze_memory_allocation_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_memory_allocation_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_memory_allocation_properties_t::type_"]
        [::core::mem::offset_of!(_ze_memory_allocation_properties_t, type_) - 16usize];
    ["Offset of field: _ze_memory_allocation_properties_t::id"]
        [::core::mem::offset_of!(_ze_memory_allocation_properties_t, id) - 24usize];
    ["Offset of field: _ze_memory_allocation_properties_t::pageSize"]
        [::core::mem::offset_of!(_ze_memory_allocation_properties_t, pageSize) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_module_constants_t"][::core::mem::size_of::<_ze_module_constants_t>() - 24usize];
    ["Alignment of _ze_module_constants_t"][::core::mem::align_of::<_ze_module_constants_t>() - 8usize];
    ["Offset of field: _ze_module_constants_t::numConstants"]
        [::core::mem::offset_of!(_ze_module_constants_t, numConstants) - 0usize];
    ["Offset of field: _ze_module_constants_t::pConstantIds"]
        [::core::mem::offset_of!(_ze_module_constants_t, pConstantIds) - 8usize];
    ["Offset of field: _ze_module_constants_t::pConstantValues"]
        [::core::mem::offset_of!(_ze_module_constants_t, pConstantValues) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_module_desc_t"][::core::mem::size_of::<_ze_module_desc_t>() - 56usize];
    ["Alignment of _ze_module_desc_t"][::core::mem::align_of::<_ze_module_desc_t>() - 8usize];
    ["Offset of field: _ze_module_desc_t::stype"][::core::mem::offset_of!(_ze_module_desc_t, stype) - 0usize];
    ["Offset of field: _ze_module_desc_t::pNext"][::core::mem::offset_of!(_ze_module_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_module_desc_t::format"][::core::mem::offset_of!(_ze_module_desc_t, format) - 16usize];
    ["Offset of field: _ze_module_desc_t::inputSize"][::core::mem::offset_of!(_ze_module_desc_t, inputSize) - 24usize];
    ["Offset of field: _ze_module_desc_t::pInputModule"]
        [::core::mem::offset_of!(_ze_module_desc_t, pInputModule) - 32usize];
    ["Offset of field: _ze_module_desc_t::pBuildFlags"]
        [::core::mem::offset_of!(_ze_module_desc_t, pBuildFlags) - 40usize];
    ["Offset of field: _ze_module_desc_t::pConstants"]
        [::core::mem::offset_of!(_ze_module_desc_t, pConstants) - 48usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_kernel_desc_t"][::core::mem::size_of::<_ze_kernel_desc_t>() - 32usize];
    ["Alignment of _ze_kernel_desc_t"][::core::mem::align_of::<_ze_kernel_desc_t>() - 8usize];
    ["Offset of field: _ze_kernel_desc_t::stype"][::core::mem::offset_of!(_ze_kernel_desc_t, stype) - 0usize];
    ["Offset of field: _ze_kernel_desc_t::pNext"][::core::mem::offset_of!(_ze_kernel_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_kernel_desc_t::flags"][::core::mem::offset_of!(_ze_kernel_desc_t, flags) - 16usize];
    ["Offset of field: _ze_kernel_desc_t::pKernelName"]
        [::core::mem::offset_of!(_ze_kernel_desc_t, pKernelName) - 24usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_kernel_uuid_t"][::core::mem::size_of::<_ze_kernel_uuid_t>() - 32usize];
    ["Alignment of _ze_kernel_uuid_t"][::core::mem::align_of::<_ze_kernel_uuid_t>() - 1usize];
    ["Offset of field: _ze_kernel_uuid_t::kid"][::core::mem::offset_of!(_ze_kernel_uuid_t, kid) - 0usize];
    ["Offset of field: _ze_kernel_uuid_t::mid"][::core::mem::offset_of!(_ze_kernel_uuid_t, mid) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_kernel_properties_t"][::core::mem::size_of::<_ze_kernel_properties_t>() - 96usize];
    ["Alignment of _ze_kernel_properties_t"][::core::mem::align_of::<_ze_kernel_properties_t>() - 8usize];
    ["Offset of field: _ze_kernel_properties_t::stype"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, stype) - 0usize];
    ["Offset of field: _ze_kernel_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_kernel_properties_t::numKernelArgs"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, numKernelArgs) - 16usize];
    ["Offset of field: _ze_kernel_properties_t::requiredGroupSizeX"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, requiredGroupSizeX) - 20usize];
    ["Offset of field: _ze_kernel_properties_t::requiredGroupSizeY"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, requiredGroupSizeY) - 24usize];
    ["Offset of field: _ze_kernel_properties_t::requiredGroupSizeZ"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, requiredGroupSizeZ) - 28usize];
    ["Offset of field: _ze_kernel_properties_t::requiredNumSubGroups"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, requiredNumSubGroups) - 32usize];
    ["Offset of field: _ze_kernel_properties_t::requiredSubgroupSize"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, requiredSubgroupSize) - 36usize];
    ["Offset of field: _ze_kernel_properties_t::maxSubgroupSize"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, maxSubgroupSize) - 40usize];
    ["Offset of field: _ze_kernel_properties_t::maxNumSubgroups"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, maxNumSubgroups) - 44usize];
    ["Offset of field: _ze_kernel_properties_t::localMemSize"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, localMemSize) - 48usize];
    ["Offset of field: _ze_kernel_properties_t::privateMemSize"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, privateMemSize) - 52usize];
    ["Offset of field: _ze_kernel_properties_t::spillMemSize"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, spillMemSize) - 56usize];
    ["Offset of field: _ze_kernel_properties_t::uuid"]
        [::core::mem::offset_of!(_ze_kernel_properties_t, uuid) - 60usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_kernel_preferred_group_size_properties_t"]
        [::core::mem::size_of::<_ze_kernel_preferred_group_size_properties_t>() - 24usize];
    ["Alignment of _ze_kernel_preferred_group_size_properties_t"]
        [::core::mem::align_of::<_ze_kernel_preferred_group_size_properties_t>() - 8usize];
    ["Offset of field: _ze_kernel_preferred_group_size_properties_t::stype"]
        [::core::mem::offset_of!(_ze_kernel_preferred_group_size_properties_t, stype) - 0usize];
    ["Offset of field: _ze_kernel_preferred_group_size_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_kernel_preferred_group_size_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_kernel_preferred_group_size_properties_t::preferredMultiple"]
        [::core::mem::offset_of!(_ze_kernel_preferred_group_size_properties_t, preferredMultiple) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_group_count_t"][::core::mem::size_of::<_ze_group_count_t>() - 12usize];
    ["Alignment of _ze_group_count_t"][::core::mem::align_of::<_ze_group_count_t>() - 4usize];
    ["Offset of field: _ze_group_count_t::groupCountX"]
        [::core::mem::offset_of!(_ze_group_count_t, groupCountX) - 0usize];
    ["Offset of field: _ze_group_count_t::groupCountY"]
        [::core::mem::offset_of!(_ze_group_count_t, groupCountY) - 4usize];
    ["Offset of field: _ze_group_count_t::groupCountZ"]
        [::core::mem::offset_of!(_ze_group_count_t, groupCountZ) - 8usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_relaxed_allocation_limits_exp_desc_t"]
        [::core::mem::size_of::<_ze_relaxed_allocation_limits_exp_desc_t>() - 24usize];
    ["Alignment of _ze_relaxed_allocation_limits_exp_desc_t"]
        [::core::mem::align_of::<_ze_relaxed_allocation_limits_exp_desc_t>() - 8usize];
    ["Offset of field: _ze_relaxed_allocation_limits_exp_desc_t::stype"]
        [::core::mem::offset_of!(_ze_relaxed_allocation_limits_exp_desc_t, stype) - 0usize];
    ["Offset of field: _ze_relaxed_allocation_limits_exp_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_relaxed_allocation_limits_exp_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_relaxed_allocation_limits_exp_desc_t::flags"]
        [::core::mem::offset_of!(_ze_relaxed_allocation_limits_exp_desc_t, flags) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_pci_address_ext_t"][::core::mem::size_of::<_ze_pci_address_ext_t>() - 16usize];
    ["Alignment of _ze_pci_address_ext_t"][::core::mem::align_of::<_ze_pci_address_ext_t>() - 4usize];
    ["Offset of field: _ze_pci_address_ext_t::domain"][::core::mem::offset_of!(_ze_pci_address_ext_t, domain) - 0usize];
    ["Offset of field: _ze_pci_address_ext_t::bus"][::core::mem::offset_of!(_ze_pci_address_ext_t, bus) - 4usize];
    ["Offset of field: _ze_pci_address_ext_t::device"][::core::mem::offset_of!(_ze_pci_address_ext_t, device) - 8usize];
    ["Offset of field: _ze_pci_address_ext_t::function"]
        [::core::mem::offset_of!(_ze_pci_address_ext_t, function) - 12usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_pci_speed_ext_t"][::core::mem::size_of::<_ze_pci_speed_ext_t>() - 16usize];
    ["Alignment of _ze_pci_speed_ext_t"][::core::mem::align_of::<_ze_pci_speed_ext_t>() - 8usize];
    ["Offset of field: _ze_pci_speed_ext_t::genVersion"]
        [::core::mem::offset_of!(_ze_pci_speed_ext_t, genVersion) - 0usize];
    ["Offset of field: _ze_pci_speed_ext_t::width"][::core::mem::offset_of!(_ze_pci_speed_ext_t, width) - 4usize];
    ["Offset of field: _ze_pci_speed_ext_t::maxBandwidth"]
        [::core::mem::offset_of!(_ze_pci_speed_ext_t, maxBandwidth) - 8usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_pci_ext_properties_t"][::core::mem::size_of::<_ze_pci_ext_properties_t>() - 48usize];
    ["Alignment of _ze_pci_ext_properties_t"][::core::mem::align_of::<_ze_pci_ext_properties_t>() - 8usize];
    ["Offset of field: _ze_pci_ext_properties_t::stype"]
        [::core::mem::offset_of!(_ze_pci_ext_properties_t, stype) - 0usize];
    ["Offset of field: _ze_pci_ext_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_pci_ext_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_pci_ext_properties_t::address"]
        [::core::mem::offset_of!(_ze_pci_ext_properties_t, address) - 16usize];
    ["Offset of field: _ze_pci_ext_properties_t::maxSpeed"]
        [::core::mem::offset_of!(_ze_pci_ext_properties_t, maxSpeed) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_memory_free_ext_desc_t"][::core::mem::size_of::<_ze_memory_free_ext_desc_t>() - 24usize];
    ["Alignment of _ze_memory_free_ext_desc_t"][::core::mem::align_of::<_ze_memory_free_ext_desc_t>() - 8usize];
    ["Offset of field: _ze_memory_free_ext_desc_t::stype"]
        [::core::mem::offset_of!(_ze_memory_free_ext_desc_t, stype) - 0usize];
    ["Offset of field: _ze_memory_free_ext_desc_t::pNext"]
        [::core::mem::offset_of!(_ze_memory_free_ext_desc_t, pNext) - 8usize];
    ["Offset of field: _ze_memory_free_ext_desc_t::freePolicy"]
        [::core::mem::offset_of!(_ze_memory_free_ext_desc_t, freePolicy) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_memory_ext_properties_t"]
        [::core::mem::size_of::<_ze_device_memory_ext_properties_t>() - 48usize];
    ["Alignment of _ze_device_memory_ext_properties_t"]
        [::core::mem::align_of::<_ze_device_memory_ext_properties_t>() - 8usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::stype"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, stype) - 0usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::pNext"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, pNext) - 8usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::type_"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, type_) - 16usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::physicalSize"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, physicalSize) - 24usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::readBandwidth"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, readBandwidth) - 32usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::writeBandwidth"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, writeBandwidth) - 36usize];
    ["Offset of field: _ze_device_memory_ext_properties_t::bandwidthUnit"]
        [::core::mem::offset_of!(_ze_device_memory_ext_properties_t, bandwidthUnit) - 40usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _ze_device_ip_version_ext_t"][::core::mem::size_of::<_ze_device_ip_version_ext_t>() - 24usize];
    ["Alignment of _ze_device_ip_version_ext_t"][::core::mem::align_of::<_ze_device_ip_version_ext_t>() - 8usize];
    ["Offset of field: _ze_device_ip_version_ext_t::stype"]
        [::core::mem::offset_of!(_ze_device_ip_version_ext_t, stype) - 0usize];
    ["Offset of field: _ze_device_ip_version_ext_t::pNext"]
        [::core::mem::offset_of!(_ze_device_ip_version_ext_t, pNext) - 8usize];
    ["Offset of field: _ze_device_ip_version_ext_t::ipVersion"]
        [::core::mem::offset_of!(_ze_device_ip_version_ext_t, ipVersion) - 16usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_uuid_t"][::core::mem::size_of::<_zes_uuid_t>() - 16usize];
    ["Alignment of _zes_uuid_t"][::core::mem::align_of::<_zes_uuid_t>() - 1usize];
    ["Offset of field: _zes_uuid_t::id"][::core::mem::offset_of!(_zes_uuid_t, id) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_device_properties_t"][::core::mem::size_of::<_zes_device_properties_t>() - 776usize];
    ["Alignment of _zes_device_properties_t"][::core::mem::align_of::<_zes_device_properties_t>() - 8usize];
    ["Offset of field: _zes_device_properties_t::stype"]
        [::core::mem::offset_of!(_zes_device_properties_t, stype) - 0usize];
    ["Offset of field: _zes_device_properties_t::pNext"]
        [::core::mem::offset_of!(_zes_device_properties_t, pNext) - 8usize];
    ["Offset of field: _zes_device_properties_t::core"]
        [::core::mem::offset_of!(_zes_device_properties_t, core) - 16usize];
    ["Offset of field: _zes_device_properties_t::numSubdevices"]
        [::core::mem::offset_of!(_zes_device_properties_t, numSubdevices) - 384usize];
    ["Offset of field: _zes_device_properties_t::serialNumber"]
        [::core::mem::offset_of!(_zes_device_properties_t, serialNumber) - 388usize];
    ["Offset of field: _zes_device_properties_t::boardNumber"]
        [::core::mem::offset_of!(_zes_device_properties_t, boardNumber) - 452usize];
    ["Offset of field: _zes_device_properties_t::brandName"]
        [::core::mem::offset_of!(_zes_device_properties_t, brandName) - 516usize];
    ["Offset of field: _zes_device_properties_t::modelName"]
        [::core::mem::offset_of!(_zes_device_properties_t, modelName) - 580usize];
    ["Offset of field: _zes_device_properties_t::vendorName"]
        [::core::mem::offset_of!(_zes_device_properties_t, vendorName) - 644usize];
    ["Offset of field: _zes_device_properties_t::driverVersion"]
        [::core::mem::offset_of!(_zes_device_properties_t, driverVersion) - 708usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_device_ext_properties_t"][::core::mem::size_of::<_zes_device_ext_properties_t>() - 40usize];
    ["Alignment of _zes_device_ext_properties_t"][::core::mem::align_of::<_zes_device_ext_properties_t>() - 8usize];
    ["Offset of field: _zes_device_ext_properties_t::stype"]
        [::core::mem::offset_of!(_zes_device_ext_properties_t, stype) - 0usize];
    ["Offset of field: _zes_device_ext_properties_t::pNext"]
        [::core::mem::offset_of!(_zes_device_ext_properties_t, pNext) - 8usize];
    ["Offset of field: _zes_device_ext_properties_t::uuid"]
        [::core::mem::offset_of!(_zes_device_ext_properties_t, uuid) - 16usize];
    ["Offset of field: _zes_device_ext_properties_t::type_"]
        [::core::mem::offset_of!(_zes_device_ext_properties_t, type_) - 32usize];
    ["Offset of field: _zes_device_ext_properties_t::flags"]
        [::core::mem::offset_of!(_zes_device_ext_properties_t, flags) - 36usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_process_state_t"][::core::mem::size_of::<_zes_process_state_t>() - 48usize];
    ["Alignment of _zes_process_state_t"][::core::mem::align_of::<_zes_process_state_t>() - 8usize];
    ["Offset of field: _zes_process_state_t::stype"][::core::mem::offset_of!(_zes_process_state_t, stype) - 0usize];
    ["Offset of field: _zes_process_state_t::pNext"][::core::mem::offset_of!(_zes_process_state_t, pNext) - 8usize];
    ["Offset of field: _zes_process_state_t::processId"]
        [::core::mem::offset_of!(_zes_process_state_t, processId) - 16usize];
    ["Offset of field: _zes_process_state_t::memSize"]
        [::core::mem::offset_of!(_zes_process_state_t, memSize) - 24usize];
    ["Offset of field: _zes_process_state_t::sharedSize"]
        [::core::mem::offset_of!(_zes_process_state_t, sharedSize) - 32usize];
    ["Offset of field: _zes_process_state_t::engines"]
        [::core::mem::offset_of!(_zes_process_state_t, engines) - 40usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_pci_address_t"][::core::mem::size_of::<_zes_pci_address_t>() - 16usize];
    ["Alignment of _zes_pci_address_t"][::core::mem::align_of::<_zes_pci_address_t>() - 4usize];
    ["Offset of field: _zes_pci_address_t::domain"][::core::mem::offset_of!(_zes_pci_address_t, domain) - 0usize];
    ["Offset of field: _zes_pci_address_t::bus"][::core::mem::offset_of!(_zes_pci_address_t, bus) - 4usize];
    ["Offset of field: _zes_pci_address_t::device"][::core::mem::offset_of!(_zes_pci_address_t, device) - 8usize];
    ["Offset of field: _zes_pci_address_t::function"][::core::mem::offset_of!(_zes_pci_address_t, function) - 12usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_pci_speed_t"][::core::mem::size_of::<_zes_pci_speed_t>() - 16usize];
    ["Alignment of _zes_pci_speed_t"][::core::mem::align_of::<_zes_pci_speed_t>() - 8usize];
    ["Offset of field: _zes_pci_speed_t::gen_"][::core::mem::offset_of!(_zes_pci_speed_t, gen_) - 0usize];
    ["Offset of field: _zes_pci_speed_t::width"][::core::mem::offset_of!(_zes_pci_speed_t, width) - 4usize];
    ["Offset of field: _zes_pci_speed_t::maxBandwidth"]
        [::core::mem::offset_of!(_zes_pci_speed_t, maxBandwidth) - 8usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_pci_properties_t"][::core::mem::size_of::<_zes_pci_properties_t>() - 56usize];
    ["Alignment of _zes_pci_properties_t"][::core::mem::align_of::<_zes_pci_properties_t>() - 8usize];
    ["Offset of field: _zes_pci_properties_t::stype"][::core::mem::offset_of!(_zes_pci_properties_t, stype) - 0usize];
    ["Offset of field: _zes_pci_properties_t::pNext"][::core::mem::offset_of!(_zes_pci_properties_t, pNext) - 8usize];
    ["Offset of field: _zes_pci_properties_t::address"]
        [::core::mem::offset_of!(_zes_pci_properties_t, address) - 16usize];
    ["Offset of field: _zes_pci_properties_t::maxSpeed"]
        [::core::mem::offset_of!(_zes_pci_properties_t, maxSpeed) - 32usize];
    ["Offset of field: _zes_pci_properties_t::haveBandwidthCounters"]
        [::core::mem::offset_of!(_zes_pci_properties_t, haveBandwidthCounters) - 48usize];
    ["Offset of field: _zes_pci_properties_t::havePacketCounters"]
        [::core::mem::offset_of!(_zes_pci_properties_t, havePacketCounters) - 49usize];
    ["Offset of field: _zes_pci_properties_t::haveReplayCounters"]
        [::core::mem::offset_of!(_zes_pci_properties_t, haveReplayCounters) - 50usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_mem_properties_t"][::core::mem::size_of::<_zes_mem_properties_t>() - 48usize];
    ["Alignment of _zes_mem_properties_t"][::core::mem::align_of::<_zes_mem_properties_t>() - 8usize];
    ["Offset of field: _zes_mem_properties_t::stype"][::core::mem::offset_of!(_zes_mem_properties_t, stype) - 0usize];
    ["Offset of field: _zes_mem_properties_t::pNext"][::core::mem::offset_of!(_zes_mem_properties_t, pNext) - 8usize];
    ["Offset of field: _zes_mem_properties_t::type_"][::core::mem::offset_of!(_zes_mem_properties_t, type_) - 16usize];
    ["Offset of field: _zes_mem_properties_t::onSubdevice"]
        [::core::mem::offset_of!(_zes_mem_properties_t, onSubdevice) - 20usize];
    ["Offset of field: _zes_mem_properties_t::subdeviceId"]
        [::core::mem::offset_of!(_zes_mem_properties_t, subdeviceId) - 24usize];
    ["Offset of field: _zes_mem_properties_t::location"]
        [::core::mem::offset_of!(_zes_mem_properties_t, location) - 28usize];
    ["Offset of field: _zes_mem_properties_t::physicalSize"]
        [::core::mem::offset_of!(_zes_mem_properties_t, physicalSize) - 32usize];
    ["Offset of field: _zes_mem_properties_t::busWidth"]
        [::core::mem::offset_of!(_zes_mem_properties_t, busWidth) - 40usize];
    ["Offset of field: _zes_mem_properties_t::numChannels"]
        [::core::mem::offset_of!(_zes_mem_properties_t, numChannels) - 44usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zes_mem_state_t"][::core::mem::size_of::<_zes_mem_state_t>() - 40usize];
    ["Alignment of _zes_mem_state_t"][::core::mem::align_of::<_zes_mem_state_t>() - 8usize];
    ["Offset of field: _zes_mem_state_t::stype"][::core::mem::offset_of!(_zes_mem_state_t, stype) - 0usize];
    ["Offset of field: _zes_mem_state_t::pNext"][::core::mem::offset_of!(_zes_mem_state_t, pNext) - 8usize];
    ["Offset of field: _zes_mem_state_t::health"][::core::mem::offset_of!(_zes_mem_state_t, health) - 16usize];
    ["Offset of field: _zes_mem_state_t::free"][::core::mem::offset_of!(_zes_mem_state_t, free) - 24usize];
    ["Offset of field: _zes_mem_state_t::size"][::core::mem::offset_of!(_zes_mem_state_t, size) - 32usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _zel_version"][::core::mem::size_of::<_zel_version>() - 12usize];
    ["Alignment of _zel_version"][::core::mem::align_of::<_zel_version>() - 4usize];
    ["Offset of field: _zel_version::major"][::core::mem::offset_of!(_zel_version, major) - 0usize];
    ["Offset of field: _zel_version::minor"][::core::mem::offset_of!(_zel_version, minor) - 4usize];
    ["Offset of field: _zel_version::patch"][::core::mem::offset_of!(_zel_version, patch) - 8usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of zel_component_version"][::core::mem::size_of::<zel_component_version>() - 80usize];
    ["Alignment of zel_component_version"][::core::mem::align_of::<zel_component_version>() - 4usize];
    ["Offset of field: zel_component_version::component_name"]
        [::core::mem::offset_of!(zel_component_version, component_name) - 0usize];
    ["Offset of field: zel_component_version::spec_version"]
        [::core::mem::offset_of!(zel_component_version, spec_version) - 64usize];
    ["Offset of field: zel_component_version::component_lib_version"]
        [::core::mem::offset_of!(zel_component_version, component_lib_version) - 68usize];
};
