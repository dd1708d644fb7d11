//! The tables that the loader asks for.
//!
//! A loader passes the version of the specification it was built for, and its tables end where that version ended: a field
//! that a later version added must not be written. Tables that are missing make some loaders refuse the whole driver, so
//! those of functions that are not implemented exist, and are left as they are.

use crate::{
    command_list::*, context::*, device::*, driver::*, event::*, kernel::*, memory::*, module::*, queue::*, sysman::*,
};
use level_zero_sys::driver::*;
use level_zero_sys::{ze_api_version_t, ze_result_t};
use std::ffi::c_void;

/// Whether a loader of this version has what version 1.`minor` added.
fn knows(version: ze_api_version_t, minor: u32) -> bool {
    version.0 >= 0x1_0000 + minor
}

/// Fills one table: each function stands after the minor version of the specification that added it.
macro_rules! table {
    ($export:ident, $table:ty: $($minor:literal $field:ident = $function:path,)*) => {
        /// Fills the loader's table.
        ///
        /// # Safety
        /// The table is null or as long as the version says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $export(version: ze_api_version_t, table: *mut $table) -> ze_result_t {
            if table.is_null() {
                return ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER;
            }
            $(
                if knows(version, $minor) {
                    // SAFETY: the loader's table has the field from this version on; the type is the field's.
                    unsafe { (*table).$field = Some($function) };
                }
            )*
            ze_result_t::ZE_RESULT_SUCCESS
        }
    };
}

macro_rules! empty_tables {
    ($($export:ident)*) => {$(
        /// Leaves the loader's table empty.
        ///
        /// # Safety
        /// Nothing is touched.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $export(_version: ze_api_version_t, _table: *mut c_void) -> ze_result_t {
            ze_result_t::ZE_RESULT_SUCCESS
        }
    )*};
}

table!(zeGetGlobalProcAddrTable, ze_global_dditable_t:
    0 pfnInit = zeInit,
    10 pfnInitDrivers = zeInitDrivers,
);
table!(zeGetDriverProcAddrTable, ze_driver_dditable_t:
    0 pfnGet = zeDriverGet,
    0 pfnGetApiVersion = zeDriverGetApiVersion,
    0 pfnGetProperties = zeDriverGetProperties,
    0 pfnGetIpcProperties = zeDriverGetIpcProperties,
    0 pfnGetExtensionProperties = zeDriverGetExtensionProperties,
    1 pfnGetExtensionFunctionAddress = zeDriverGetExtensionFunctionAddress,
    6 pfnGetLastErrorDescription = zeDriverGetLastErrorDescription,
);
table!(zeGetDeviceProcAddrTable, ze_device_dditable_t:
    0 pfnGet = zeDeviceGet,
    0 pfnGetSubDevices = zeDeviceGetSubDevices,
    0 pfnGetProperties = zeDeviceGetProperties,
    0 pfnGetComputeProperties = zeDeviceGetComputeProperties,
    0 pfnGetModuleProperties = zeDeviceGetModuleProperties,
    0 pfnGetCommandQueueGroupProperties = zeDeviceGetCommandQueueGroupProperties,
    0 pfnGetMemoryProperties = zeDeviceGetMemoryProperties,
    0 pfnGetMemoryAccessProperties = zeDeviceGetMemoryAccessProperties,
    0 pfnGetCacheProperties = zeDeviceGetCacheProperties,
    0 pfnCanAccessPeer = zeDeviceCanAccessPeer,
    0 pfnGetStatus = zeDeviceGetStatus,
    1 pfnGetGlobalTimestamps = zeDeviceGetGlobalTimestamps,
    3 pfnPciGetPropertiesExt = zeDevicePciGetPropertiesExt,
);
table!(zeGetContextProcAddrTable, ze_context_dditable_t:
    0 pfnCreate = zeContextCreate,
    0 pfnDestroy = zeContextDestroy,
    0 pfnGetStatus = zeContextGetStatus,
    0 pfnMakeMemoryResident = zeContextMakeMemoryResident,
    0 pfnEvictMemory = zeContextEvictMemory,
    1 pfnCreateEx = zeContextCreateEx,
);
table!(zeGetCommandQueueProcAddrTable, ze_command_queue_dditable_t:
    0 pfnCreate = zeCommandQueueCreate,
    0 pfnDestroy = zeCommandQueueDestroy,
    0 pfnExecuteCommandLists = zeCommandQueueExecuteCommandLists,
    0 pfnSynchronize = zeCommandQueueSynchronize,
);
table!(zeGetCommandListProcAddrTable, ze_command_list_dditable_t:
    0 pfnCreate = zeCommandListCreate,
    0 pfnCreateImmediate = zeCommandListCreateImmediate,
    0 pfnDestroy = zeCommandListDestroy,
    0 pfnClose = zeCommandListClose,
    0 pfnReset = zeCommandListReset,
    0 pfnAppendBarrier = zeCommandListAppendBarrier,
    0 pfnAppendMemoryCopy = zeCommandListAppendMemoryCopy,
    0 pfnAppendMemoryFill = zeCommandListAppendMemoryFill,
    0 pfnAppendMemoryCopyRegion = zeCommandListAppendMemoryCopyRegion,
    0 pfnAppendMemoryPrefetch = zeCommandListAppendMemoryPrefetch,
    0 pfnAppendMemAdvise = zeCommandListAppendMemAdvise,
    0 pfnAppendSignalEvent = zeCommandListAppendSignalEvent,
    0 pfnAppendWaitOnEvents = zeCommandListAppendWaitOnEvents,
    0 pfnAppendEventReset = zeCommandListAppendEventReset,
    0 pfnAppendLaunchKernel = zeCommandListAppendLaunchKernel,
    6 pfnHostSynchronize = zeCommandListHostSynchronize,
);
table!(zeGetEventPoolProcAddrTable, ze_event_pool_dditable_t:
    0 pfnCreate = zeEventPoolCreate,
    0 pfnDestroy = zeEventPoolDestroy,
);
table!(zeGetEventProcAddrTable, ze_event_dditable_t:
    0 pfnCreate = zeEventCreate,
    0 pfnDestroy = zeEventDestroy,
    0 pfnHostSignal = zeEventHostSignal,
    0 pfnHostSynchronize = zeEventHostSynchronize,
    0 pfnQueryStatus = zeEventQueryStatus,
    0 pfnHostReset = zeEventHostReset,
    0 pfnQueryKernelTimestamp = zeEventQueryKernelTimestamp,
);
table!(zeGetFenceProcAddrTable, ze_fence_dditable_t:
    0 pfnCreate = zeFenceCreate,
    0 pfnDestroy = zeFenceDestroy,
    0 pfnHostSynchronize = zeFenceHostSynchronize,
    0 pfnQueryStatus = zeFenceQueryStatus,
    0 pfnReset = zeFenceReset,
);
table!(zeGetMemProcAddrTable, ze_mem_dditable_t:
    0 pfnAllocShared = zeMemAllocShared,
    0 pfnAllocDevice = zeMemAllocDevice,
    0 pfnAllocHost = zeMemAllocHost,
    0 pfnFree = zeMemFree,
    0 pfnGetAllocProperties = zeMemGetAllocProperties,
    0 pfnGetAddressRange = zeMemGetAddressRange,
    3 pfnFreeExt = zeMemFreeExt,
);
table!(zeGetModuleProcAddrTable, ze_module_dditable_t:
    0 pfnCreate = zeModuleCreate,
    0 pfnDestroy = zeModuleDestroy,
    0 pfnGetNativeBinary = zeModuleGetNativeBinary,
    0 pfnGetKernelNames = zeModuleGetKernelNames,
);
table!(zeGetModuleBuildLogProcAddrTable, ze_module_build_log_dditable_t:
    0 pfnDestroy = zeModuleBuildLogDestroy,
    0 pfnGetString = zeModuleBuildLogGetString,
);
table!(zeGetKernelProcAddrTable, ze_kernel_dditable_t:
    0 pfnCreate = zeKernelCreate,
    0 pfnDestroy = zeKernelDestroy,
    0 pfnSetGroupSize = zeKernelSetGroupSize,
    0 pfnSuggestGroupSize = zeKernelSuggestGroupSize,
    0 pfnSetArgumentValue = zeKernelSetArgumentValue,
    0 pfnSetIndirectAccess = zeKernelSetIndirectAccess,
    0 pfnGetProperties = zeKernelGetProperties,
);
table!(zesGetGlobalProcAddrTable, zes_global_dditable_t:
    5 pfnInit = zesInit,
);
table!(zesGetDriverProcAddrTable, zes_driver_dditable_t:
    5 pfnGet = zesDriverGet,
);
table!(zesGetDriverExpProcAddrTable, zes_driver_exp_dditable_t:
    9 pfnGetDeviceByUuidExp = zesDriverGetDeviceByUuidExp,
);
table!(zesGetDeviceProcAddrTable, zes_device_dditable_t:
    0 pfnGetProperties = zesDeviceGetProperties,
    0 pfnProcessesGetState = zesDeviceProcessesGetState,
    0 pfnPciGetProperties = zesDevicePciGetProperties,
    0 pfnEnumMemoryModules = zesDeviceEnumMemoryModules,
    5 pfnGet = zesDeviceGet,
);
table!(zesGetMemoryProcAddrTable, zes_memory_dditable_t:
    0 pfnGetProperties = zesMemoryGetProperties,
    0 pfnGetState = zesMemoryGetState,
);

empty_tables! {
    zeGetCommandListExpProcAddrTable zeGetDeviceExpProcAddrTable zeGetDriverExpProcAddrTable zeGetEventExpProcAddrTable
    zeGetFabricEdgeExpProcAddrTable zeGetFabricVertexExpProcAddrTable zeGetImageExpProcAddrTable zeGetImageProcAddrTable
    zeGetKernelExpProcAddrTable zeGetMemExpProcAddrTable zeGetPhysicalMemProcAddrTable zeGetRTASBuilderExpProcAddrTable
    zeGetRTASParallelOperationExpProcAddrTable zeGetSamplerProcAddrTable zeGetVirtualMemProcAddrTable
    zeGetExecutableGraphProcAddrTable zeGetGraphProcAddrTable zeGetRTASBuilderProcAddrTable
    zeGetRTASParallelOperationProcAddrTable zerGetGlobalProcAddrTable
    zesGetDeviceExpProcAddrTable zesGetDiagnosticsProcAddrTable zesGetEngineProcAddrTable zesGetFabricPortProcAddrTable
    zesGetFanProcAddrTable zesGetFirmwareExpProcAddrTable zesGetFirmwareProcAddrTable zesGetFrequencyProcAddrTable
    zesGetLedProcAddrTable zesGetOverclockProcAddrTable zesGetPerformanceFactorProcAddrTable zesGetPowerProcAddrTable
    zesGetPsuProcAddrTable zesGetRasExpProcAddrTable zesGetRasProcAddrTable zesGetSchedulerProcAddrTable
    zesGetStandbyProcAddrTable zesGetTemperatureProcAddrTable zesGetVFManagementExpProcAddrTable
    zetGetCommandListExpProcAddrTable zetGetCommandListProcAddrTable zetGetContextProcAddrTable zetGetDebugProcAddrTable
    zetGetDeviceExpProcAddrTable zetGetDeviceProcAddrTable zetGetKernelProcAddrTable zetGetMetricDecoderExpProcAddrTable
    zetGetMetricExpProcAddrTable zetGetMetricGroupExpProcAddrTable zetGetMetricGroupProcAddrTable zetGetMetricProcAddrTable
    zetGetMetricProgrammableExpProcAddrTable zetGetMetricQueryPoolProcAddrTable zetGetMetricQueryProcAddrTable
    zetGetMetricStreamerProcAddrTable zetGetMetricTracerExpProcAddrTable zetGetModuleProcAddrTable
    zetGetTracerExpProcAddrTable
}
