//! The tables that a driver fills when the loader asks `ze*Get*ProcAddrTable`.
//!
//! Made by `regenerate.sh` from the headers of Level Zero 1.20.6; do not edit. The headers are
//! Copyright (C) 2019-2025 Intel Corporation, SPDX-License-Identifier: MIT (see LICENSE).

use crate::bindings::*;

/// A function that this crate gives no type: its place in a table can be left null.
pub type Untyped = Option<unsafe extern "C" fn()>;

type ze_pfnCommandListAppendImageCopyFromMemoryExt_t = Untyped;
type ze_pfnCommandListAppendImageCopyFromMemory_t = Untyped;
type ze_pfnCommandListAppendImageCopyRegion_t = Untyped;
type ze_pfnCommandListAppendImageCopyToMemoryExt_t = Untyped;
type ze_pfnCommandListAppendImageCopyToMemory_t = Untyped;
type ze_pfnCommandListAppendImageCopy_t = Untyped;
type ze_pfnCommandListAppendLaunchCooperativeKernel_t = Untyped;
type ze_pfnCommandListAppendLaunchKernelIndirect_t = Untyped;
type ze_pfnCommandListAppendLaunchMultipleKernelsIndirect_t = Untyped;
type ze_pfnCommandListAppendMemoryCopyFromContext_t = Untyped;
type ze_pfnCommandListAppendMemoryRangesBarrier_t = Untyped;
type ze_pfnCommandListAppendQueryKernelTimestamps_t = Untyped;
type ze_pfnCommandListAppendSignalExternalSemaphoreExt_t = Untyped;
type ze_pfnCommandListAppendWaitExternalSemaphoreExt_t = Untyped;
type ze_pfnCommandListAppendWriteGlobalTimestamp_t = Untyped;
type ze_pfnCommandListCreateCloneExp_t = Untyped;
type ze_pfnCommandListGetContextHandle_t = Untyped;
type ze_pfnCommandListGetDeviceHandle_t = Untyped;
type ze_pfnCommandListGetNextCommandIdExp_t = Untyped;
type ze_pfnCommandListGetNextCommandIdWithKernelsExp_t = Untyped;
type ze_pfnCommandListGetOrdinal_t = Untyped;
type ze_pfnCommandListImmediateAppendCommandListsExp_t = Untyped;
type ze_pfnCommandListImmediateGetIndex_t = Untyped;
type ze_pfnCommandListIsImmediate_t = Untyped;
type ze_pfnCommandListUpdateMutableCommandKernelsExp_t = Untyped;
type ze_pfnCommandListUpdateMutableCommandSignalEventExp_t = Untyped;
type ze_pfnCommandListUpdateMutableCommandWaitEventsExp_t = Untyped;
type ze_pfnCommandListUpdateMutableCommandsExp_t = Untyped;
type ze_pfnCommandQueueGetIndex_t = Untyped;
type ze_pfnCommandQueueGetOrdinal_t = Untyped;
type ze_pfnContextEvictImage_t = Untyped;
type ze_pfnContextMakeImageResident_t = Untyped;
type ze_pfnContextSystemBarrier_t = Untyped;
type ze_pfnDeviceGetExternalMemoryProperties_t = Untyped;
type ze_pfnDeviceGetFabricVertexExp_t = Untyped;
type ze_pfnDeviceGetImageProperties_t = Untyped;
type ze_pfnDeviceGetP2PProperties_t = Untyped;
type ze_pfnDeviceGetRootDevice_t = Untyped;
type ze_pfnDeviceImportExternalSemaphoreExt_t = Untyped;
type ze_pfnDeviceReleaseExternalSemaphoreExt_t = Untyped;
type ze_pfnDeviceReserveCacheExt_t = Untyped;
type ze_pfnDeviceSetCacheAdviceExt_t = Untyped;
type ze_pfnDriverRTASFormatCompatibilityCheckExp_t = Untyped;
type ze_pfnEventGetEventPool_t = Untyped;
type ze_pfnEventGetSignalScope_t = Untyped;
type ze_pfnEventGetWaitScope_t = Untyped;
type ze_pfnEventPoolCloseIpcHandle_t = Untyped;
type ze_pfnEventPoolGetContextHandle_t = Untyped;
type ze_pfnEventPoolGetFlags_t = Untyped;
type ze_pfnEventPoolGetIpcHandle_t = Untyped;
type ze_pfnEventPoolOpenIpcHandle_t = Untyped;
type ze_pfnEventPoolPutIpcHandle_t = Untyped;
type ze_pfnEventQueryKernelTimestampsExt_t = Untyped;
type ze_pfnEventQueryTimestampsExp_t = Untyped;
type ze_pfnFabricEdgeGetExp_t = Untyped;
type ze_pfnFabricEdgeGetPropertiesExp_t = Untyped;
type ze_pfnFabricEdgeGetVerticesExp_t = Untyped;
type ze_pfnFabricVertexGetDeviceExp_t = Untyped;
type ze_pfnFabricVertexGetExp_t = Untyped;
type ze_pfnFabricVertexGetPropertiesExp_t = Untyped;
type ze_pfnFabricVertexGetSubVerticesExp_t = Untyped;
type ze_pfnImageCreate_t = Untyped;
type ze_pfnImageDestroy_t = Untyped;
type ze_pfnImageGetAllocPropertiesExt_t = Untyped;
type ze_pfnImageGetDeviceOffsetExp_t = Untyped;
type ze_pfnImageGetMemoryPropertiesExp_t = Untyped;
type ze_pfnImageGetProperties_t = Untyped;
type ze_pfnImageViewCreateExp_t = Untyped;
type ze_pfnImageViewCreateExt_t = Untyped;
type ze_pfnKernelGetBinaryExp_t = Untyped;
type ze_pfnKernelGetIndirectAccess_t = Untyped;
type ze_pfnKernelGetName_t = Untyped;
type ze_pfnKernelGetSourceAttributes_t = Untyped;
type ze_pfnKernelSchedulingHintExp_t = Untyped;
type ze_pfnKernelSetCacheConfig_t = Untyped;
type ze_pfnKernelSetGlobalOffsetExp_t = Untyped;
type ze_pfnKernelSuggestMaxCooperativeGroupCount_t = Untyped;
type ze_pfnMemCloseIpcHandle_t = Untyped;
type ze_pfnMemGetAtomicAccessAttributeExp_t = Untyped;
type ze_pfnMemGetFileDescriptorFromIpcHandleExp_t = Untyped;
type ze_pfnMemGetIpcHandleFromFileDescriptorExp_t = Untyped;
type ze_pfnMemGetIpcHandle_t = Untyped;
type ze_pfnMemGetPitchFor2dImage_t = Untyped;
type ze_pfnMemOpenIpcHandle_t = Untyped;
type ze_pfnMemPutIpcHandle_t = Untyped;
type ze_pfnMemSetAtomicAccessAttributeExp_t = Untyped;
type ze_pfnModuleDynamicLink_t = Untyped;
type ze_pfnModuleGetFunctionPointer_t = Untyped;
type ze_pfnModuleGetGlobalPointer_t = Untyped;
type ze_pfnModuleGetProperties_t = Untyped;
type ze_pfnModuleInspectLinkageExt_t = Untyped;
type ze_pfnPhysicalMemCreate_t = Untyped;
type ze_pfnPhysicalMemDestroy_t = Untyped;
type ze_pfnRTASBuilderBuildExp_t = Untyped;
type ze_pfnRTASBuilderCreateExp_t = Untyped;
type ze_pfnRTASBuilderDestroyExp_t = Untyped;
type ze_pfnRTASBuilderGetBuildPropertiesExp_t = Untyped;
type ze_pfnRTASParallelOperationCreateExp_t = Untyped;
type ze_pfnRTASParallelOperationDestroyExp_t = Untyped;
type ze_pfnRTASParallelOperationGetPropertiesExp_t = Untyped;
type ze_pfnRTASParallelOperationJoinExp_t = Untyped;
type ze_pfnSamplerCreate_t = Untyped;
type ze_pfnSamplerDestroy_t = Untyped;
type ze_pfnVirtualMemFree_t = Untyped;
type ze_pfnVirtualMemGetAccessAttribute_t = Untyped;
type ze_pfnVirtualMemMap_t = Untyped;
type ze_pfnVirtualMemQueryPageSize_t = Untyped;
type ze_pfnVirtualMemReserve_t = Untyped;
type ze_pfnVirtualMemSetAccessAttribute_t = Untyped;
type ze_pfnVirtualMemUnmap_t = Untyped;
type zes_pfnDeviceEccAvailable_t = Untyped;
type zes_pfnDeviceEccConfigurable_t = Untyped;
type zes_pfnDeviceEnumActiveVFExp_t = Untyped;
type zes_pfnDeviceEnumDiagnosticTestSuites_t = Untyped;
type zes_pfnDeviceEnumEnabledVFExp_t = Untyped;
type zes_pfnDeviceEnumEngineGroups_t = Untyped;
type zes_pfnDeviceEnumFabricPorts_t = Untyped;
type zes_pfnDeviceEnumFans_t = Untyped;
type zes_pfnDeviceEnumFirmwares_t = Untyped;
type zes_pfnDeviceEnumFrequencyDomains_t = Untyped;
type zes_pfnDeviceEnumLeds_t = Untyped;
type zes_pfnDeviceEnumOverclockDomains_t = Untyped;
type zes_pfnDeviceEnumPerformanceFactorDomains_t = Untyped;
type zes_pfnDeviceEnumPowerDomains_t = Untyped;
type zes_pfnDeviceEnumPsus_t = Untyped;
type zes_pfnDeviceEnumRasErrorSets_t = Untyped;
type zes_pfnDeviceEnumSchedulers_t = Untyped;
type zes_pfnDeviceEnumStandbyDomains_t = Untyped;
type zes_pfnDeviceEnumTemperatureSensors_t = Untyped;
type zes_pfnDeviceEventRegister_t = Untyped;
type zes_pfnDeviceGetCardPowerDomain_t = Untyped;
type zes_pfnDeviceGetEccState_t = Untyped;
type zes_pfnDeviceGetOverclockControls_t = Untyped;
type zes_pfnDeviceGetOverclockDomains_t = Untyped;
type zes_pfnDeviceGetState_t = Untyped;
type zes_pfnDeviceGetSubDevicePropertiesExp_t = Untyped;
type zes_pfnDevicePciGetBars_t = Untyped;
type zes_pfnDevicePciGetState_t = Untyped;
type zes_pfnDevicePciGetStats_t = Untyped;
type zes_pfnDeviceReadOverclockState_t = Untyped;
type zes_pfnDeviceResetExt_t = Untyped;
type zes_pfnDeviceResetOverclockSettings_t = Untyped;
type zes_pfnDeviceReset_t = Untyped;
type zes_pfnDeviceSetEccState_t = Untyped;
type zes_pfnDeviceSetOverclockWaiver_t = Untyped;
type zes_pfnDiagnosticsGetProperties_t = Untyped;
type zes_pfnDiagnosticsGetTests_t = Untyped;
type zes_pfnDiagnosticsRunTests_t = Untyped;
type zes_pfnDriverEventListenEx_t = Untyped;
type zes_pfnDriverEventListen_t = Untyped;
type zes_pfnDriverGetExtensionFunctionAddress_t = Untyped;
type zes_pfnDriverGetExtensionProperties_t = Untyped;
type zes_pfnEngineGetActivityExt_t = Untyped;
type zes_pfnEngineGetActivity_t = Untyped;
type zes_pfnEngineGetProperties_t = Untyped;
type zes_pfnFabricPortGetConfig_t = Untyped;
type zes_pfnFabricPortGetFabricErrorCounters_t = Untyped;
type zes_pfnFabricPortGetLinkType_t = Untyped;
type zes_pfnFabricPortGetMultiPortThroughput_t = Untyped;
type zes_pfnFabricPortGetProperties_t = Untyped;
type zes_pfnFabricPortGetState_t = Untyped;
type zes_pfnFabricPortGetThroughput_t = Untyped;
type zes_pfnFabricPortSetConfig_t = Untyped;
type zes_pfnFanGetConfig_t = Untyped;
type zes_pfnFanGetProperties_t = Untyped;
type zes_pfnFanGetState_t = Untyped;
type zes_pfnFanSetDefaultMode_t = Untyped;
type zes_pfnFanSetFixedSpeedMode_t = Untyped;
type zes_pfnFanSetSpeedTableMode_t = Untyped;
type zes_pfnFirmwareFlash_t = Untyped;
type zes_pfnFirmwareGetConsoleLogs_t = Untyped;
type zes_pfnFirmwareGetFlashProgress_t = Untyped;
type zes_pfnFirmwareGetProperties_t = Untyped;
type zes_pfnFirmwareGetSecurityVersionExp_t = Untyped;
type zes_pfnFirmwareSetSecurityVersionExp_t = Untyped;
type zes_pfnFrequencyGetAvailableClocks_t = Untyped;
type zes_pfnFrequencyGetProperties_t = Untyped;
type zes_pfnFrequencyGetRange_t = Untyped;
type zes_pfnFrequencyGetState_t = Untyped;
type zes_pfnFrequencyGetThrottleTime_t = Untyped;
type zes_pfnFrequencyOcGetCapabilities_t = Untyped;
type zes_pfnFrequencyOcGetFrequencyTarget_t = Untyped;
type zes_pfnFrequencyOcGetIccMax_t = Untyped;
type zes_pfnFrequencyOcGetMode_t = Untyped;
type zes_pfnFrequencyOcGetTjMax_t = Untyped;
type zes_pfnFrequencyOcGetVoltageTarget_t = Untyped;
type zes_pfnFrequencyOcSetFrequencyTarget_t = Untyped;
type zes_pfnFrequencyOcSetIccMax_t = Untyped;
type zes_pfnFrequencyOcSetMode_t = Untyped;
type zes_pfnFrequencyOcSetTjMax_t = Untyped;
type zes_pfnFrequencyOcSetVoltageTarget_t = Untyped;
type zes_pfnFrequencySetRange_t = Untyped;
type zes_pfnLedGetProperties_t = Untyped;
type zes_pfnLedGetState_t = Untyped;
type zes_pfnLedSetColor_t = Untyped;
type zes_pfnLedSetState_t = Untyped;
type zes_pfnMemoryGetBandwidth_t = Untyped;
type zes_pfnOverclockGetControlCurrentValue_t = Untyped;
type zes_pfnOverclockGetControlPendingValue_t = Untyped;
type zes_pfnOverclockGetControlState_t = Untyped;
type zes_pfnOverclockGetDomainControlProperties_t = Untyped;
type zes_pfnOverclockGetDomainProperties_t = Untyped;
type zes_pfnOverclockGetDomainVFProperties_t = Untyped;
type zes_pfnOverclockGetVFPointValues_t = Untyped;
type zes_pfnOverclockSetControlUserValue_t = Untyped;
type zes_pfnOverclockSetVFPointValues_t = Untyped;
type zes_pfnPerformanceFactorGetConfig_t = Untyped;
type zes_pfnPerformanceFactorGetProperties_t = Untyped;
type zes_pfnPerformanceFactorSetConfig_t = Untyped;
type zes_pfnPowerGetEnergyCounter_t = Untyped;
type zes_pfnPowerGetEnergyThreshold_t = Untyped;
type zes_pfnPowerGetLimitsExt_t = Untyped;
type zes_pfnPowerGetLimits_t = Untyped;
type zes_pfnPowerGetProperties_t = Untyped;
type zes_pfnPowerSetEnergyThreshold_t = Untyped;
type zes_pfnPowerSetLimitsExt_t = Untyped;
type zes_pfnPowerSetLimits_t = Untyped;
type zes_pfnPsuGetProperties_t = Untyped;
type zes_pfnPsuGetState_t = Untyped;
type zes_pfnRasClearStateExp_t = Untyped;
type zes_pfnRasGetConfig_t = Untyped;
type zes_pfnRasGetProperties_t = Untyped;
type zes_pfnRasGetStateExp_t = Untyped;
type zes_pfnRasGetState_t = Untyped;
type zes_pfnRasSetConfig_t = Untyped;
type zes_pfnSchedulerGetCurrentMode_t = Untyped;
type zes_pfnSchedulerGetProperties_t = Untyped;
type zes_pfnSchedulerGetTimeoutModeProperties_t = Untyped;
type zes_pfnSchedulerGetTimesliceModeProperties_t = Untyped;
type zes_pfnSchedulerSetComputeUnitDebugMode_t = Untyped;
type zes_pfnSchedulerSetExclusiveMode_t = Untyped;
type zes_pfnSchedulerSetTimeoutMode_t = Untyped;
type zes_pfnSchedulerSetTimesliceMode_t = Untyped;
type zes_pfnStandbyGetMode_t = Untyped;
type zes_pfnStandbyGetProperties_t = Untyped;
type zes_pfnStandbySetMode_t = Untyped;
type zes_pfnTemperatureGetConfig_t = Untyped;
type zes_pfnTemperatureGetProperties_t = Untyped;
type zes_pfnTemperatureGetState_t = Untyped;
type zes_pfnTemperatureSetConfig_t = Untyped;
type zes_pfnVFManagementGetVFCapabilitiesExp2_t = Untyped;
type zes_pfnVFManagementGetVFCapabilitiesExp_t = Untyped;
type zes_pfnVFManagementGetVFEngineUtilizationExp2_t = Untyped;
type zes_pfnVFManagementGetVFEngineUtilizationExp_t = Untyped;
type zes_pfnVFManagementGetVFMemoryUtilizationExp2_t = Untyped;
type zes_pfnVFManagementGetVFMemoryUtilizationExp_t = Untyped;
type zes_pfnVFManagementGetVFPropertiesExp_t = Untyped;
type zes_pfnVFManagementSetVFTelemetryModeExp_t = Untyped;
type zes_pfnVFManagementSetVFTelemetrySamplingIntervalExp_t = Untyped;

#[repr(C)]
pub struct _ze_rtas_builder_exp_dditable_t {
    pub pfnCreateExp: ze_pfnRTASBuilderCreateExp_t,
    pub pfnGetBuildPropertiesExp: ze_pfnRTASBuilderGetBuildPropertiesExp_t,
    pub pfnBuildExp: ze_pfnRTASBuilderBuildExp_t,
    pub pfnDestroyExp: ze_pfnRTASBuilderDestroyExp_t,
}
impl Default for _ze_rtas_builder_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_rtas_builder_exp_dditable_t = _ze_rtas_builder_exp_dditable_t;
#[repr(C)]
pub struct _ze_rtas_parallel_operation_exp_dditable_t {
    pub pfnCreateExp: ze_pfnRTASParallelOperationCreateExp_t,
    pub pfnGetPropertiesExp: ze_pfnRTASParallelOperationGetPropertiesExp_t,
    pub pfnJoinExp: ze_pfnRTASParallelOperationJoinExp_t,
    pub pfnDestroyExp: ze_pfnRTASParallelOperationDestroyExp_t,
}
impl Default for _ze_rtas_parallel_operation_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_rtas_parallel_operation_exp_dditable_t = _ze_rtas_parallel_operation_exp_dditable_t;
#[repr(C)]
pub struct _ze_global_dditable_t {
    pub pfnInit: ze_pfnInit_t,
    pub pfnInitDrivers: ze_pfnInitDrivers_t,
}
impl Default for _ze_global_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_global_dditable_t = _ze_global_dditable_t;
#[repr(C)]
pub struct _ze_driver_dditable_t {
    pub pfnGet: ze_pfnDriverGet_t,
    pub pfnGetApiVersion: ze_pfnDriverGetApiVersion_t,
    pub pfnGetProperties: ze_pfnDriverGetProperties_t,
    pub pfnGetIpcProperties: ze_pfnDriverGetIpcProperties_t,
    pub pfnGetExtensionProperties: ze_pfnDriverGetExtensionProperties_t,
    pub pfnGetExtensionFunctionAddress: ze_pfnDriverGetExtensionFunctionAddress_t,
    pub pfnGetLastErrorDescription: ze_pfnDriverGetLastErrorDescription_t,
}
impl Default for _ze_driver_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_driver_dditable_t = _ze_driver_dditable_t;
#[repr(C)]
pub struct _ze_driver_exp_dditable_t {
    pub pfnRTASFormatCompatibilityCheckExp: ze_pfnDriverRTASFormatCompatibilityCheckExp_t,
}
impl Default for _ze_driver_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_driver_exp_dditable_t = _ze_driver_exp_dditable_t;
#[repr(C)]
pub struct _ze_device_dditable_t {
    pub pfnGet: ze_pfnDeviceGet_t,
    pub pfnGetSubDevices: ze_pfnDeviceGetSubDevices_t,
    pub pfnGetProperties: ze_pfnDeviceGetProperties_t,
    pub pfnGetComputeProperties: ze_pfnDeviceGetComputeProperties_t,
    pub pfnGetModuleProperties: ze_pfnDeviceGetModuleProperties_t,
    pub pfnGetCommandQueueGroupProperties: ze_pfnDeviceGetCommandQueueGroupProperties_t,
    pub pfnGetMemoryProperties: ze_pfnDeviceGetMemoryProperties_t,
    pub pfnGetMemoryAccessProperties: ze_pfnDeviceGetMemoryAccessProperties_t,
    pub pfnGetCacheProperties: ze_pfnDeviceGetCacheProperties_t,
    pub pfnGetImageProperties: ze_pfnDeviceGetImageProperties_t,
    pub pfnGetExternalMemoryProperties: ze_pfnDeviceGetExternalMemoryProperties_t,
    pub pfnGetP2PProperties: ze_pfnDeviceGetP2PProperties_t,
    pub pfnCanAccessPeer: ze_pfnDeviceCanAccessPeer_t,
    pub pfnGetStatus: ze_pfnDeviceGetStatus_t,
    pub pfnGetGlobalTimestamps: ze_pfnDeviceGetGlobalTimestamps_t,
    pub pfnReserveCacheExt: ze_pfnDeviceReserveCacheExt_t,
    pub pfnSetCacheAdviceExt: ze_pfnDeviceSetCacheAdviceExt_t,
    pub pfnPciGetPropertiesExt: ze_pfnDevicePciGetPropertiesExt_t,
    pub pfnGetRootDevice: ze_pfnDeviceGetRootDevice_t,
    pub pfnImportExternalSemaphoreExt: ze_pfnDeviceImportExternalSemaphoreExt_t,
    pub pfnReleaseExternalSemaphoreExt: ze_pfnDeviceReleaseExternalSemaphoreExt_t,
}
impl Default for _ze_device_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_device_dditable_t = _ze_device_dditable_t;
#[repr(C)]
pub struct _ze_device_exp_dditable_t {
    pub pfnGetFabricVertexExp: ze_pfnDeviceGetFabricVertexExp_t,
}
impl Default for _ze_device_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_device_exp_dditable_t = _ze_device_exp_dditable_t;
#[repr(C)]
pub struct _ze_context_dditable_t {
    pub pfnCreate: ze_pfnContextCreate_t,
    pub pfnDestroy: ze_pfnContextDestroy_t,
    pub pfnGetStatus: ze_pfnContextGetStatus_t,
    pub pfnSystemBarrier: ze_pfnContextSystemBarrier_t,
    pub pfnMakeMemoryResident: ze_pfnContextMakeMemoryResident_t,
    pub pfnEvictMemory: ze_pfnContextEvictMemory_t,
    pub pfnMakeImageResident: ze_pfnContextMakeImageResident_t,
    pub pfnEvictImage: ze_pfnContextEvictImage_t,
    pub pfnCreateEx: ze_pfnContextCreateEx_t,
}
impl Default for _ze_context_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_context_dditable_t = _ze_context_dditable_t;
#[repr(C)]
pub struct _ze_command_queue_dditable_t {
    pub pfnCreate: ze_pfnCommandQueueCreate_t,
    pub pfnDestroy: ze_pfnCommandQueueDestroy_t,
    pub pfnExecuteCommandLists: ze_pfnCommandQueueExecuteCommandLists_t,
    pub pfnSynchronize: ze_pfnCommandQueueSynchronize_t,
    pub pfnGetOrdinal: ze_pfnCommandQueueGetOrdinal_t,
    pub pfnGetIndex: ze_pfnCommandQueueGetIndex_t,
}
impl Default for _ze_command_queue_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_command_queue_dditable_t = _ze_command_queue_dditable_t;
#[repr(C)]
pub struct _ze_command_list_dditable_t {
    pub pfnCreate: ze_pfnCommandListCreate_t,
    pub pfnCreateImmediate: ze_pfnCommandListCreateImmediate_t,
    pub pfnDestroy: ze_pfnCommandListDestroy_t,
    pub pfnClose: ze_pfnCommandListClose_t,
    pub pfnReset: ze_pfnCommandListReset_t,
    pub pfnAppendWriteGlobalTimestamp: ze_pfnCommandListAppendWriteGlobalTimestamp_t,
    pub pfnAppendBarrier: ze_pfnCommandListAppendBarrier_t,
    pub pfnAppendMemoryRangesBarrier: ze_pfnCommandListAppendMemoryRangesBarrier_t,
    pub pfnAppendMemoryCopy: ze_pfnCommandListAppendMemoryCopy_t,
    pub pfnAppendMemoryFill: ze_pfnCommandListAppendMemoryFill_t,
    pub pfnAppendMemoryCopyRegion: ze_pfnCommandListAppendMemoryCopyRegion_t,
    pub pfnAppendMemoryCopyFromContext: ze_pfnCommandListAppendMemoryCopyFromContext_t,
    pub pfnAppendImageCopy: ze_pfnCommandListAppendImageCopy_t,
    pub pfnAppendImageCopyRegion: ze_pfnCommandListAppendImageCopyRegion_t,
    pub pfnAppendImageCopyToMemory: ze_pfnCommandListAppendImageCopyToMemory_t,
    pub pfnAppendImageCopyFromMemory: ze_pfnCommandListAppendImageCopyFromMemory_t,
    pub pfnAppendMemoryPrefetch: ze_pfnCommandListAppendMemoryPrefetch_t,
    pub pfnAppendMemAdvise: ze_pfnCommandListAppendMemAdvise_t,
    pub pfnAppendSignalEvent: ze_pfnCommandListAppendSignalEvent_t,
    pub pfnAppendWaitOnEvents: ze_pfnCommandListAppendWaitOnEvents_t,
    pub pfnAppendEventReset: ze_pfnCommandListAppendEventReset_t,
    pub pfnAppendQueryKernelTimestamps: ze_pfnCommandListAppendQueryKernelTimestamps_t,
    pub pfnAppendLaunchKernel: ze_pfnCommandListAppendLaunchKernel_t,
    pub pfnAppendLaunchCooperativeKernel: ze_pfnCommandListAppendLaunchCooperativeKernel_t,
    pub pfnAppendLaunchKernelIndirect: ze_pfnCommandListAppendLaunchKernelIndirect_t,
    pub pfnAppendLaunchMultipleKernelsIndirect: ze_pfnCommandListAppendLaunchMultipleKernelsIndirect_t,
    pub pfnAppendImageCopyToMemoryExt: ze_pfnCommandListAppendImageCopyToMemoryExt_t,
    pub pfnAppendImageCopyFromMemoryExt: ze_pfnCommandListAppendImageCopyFromMemoryExt_t,
    pub pfnHostSynchronize: ze_pfnCommandListHostSynchronize_t,
    pub pfnGetDeviceHandle: ze_pfnCommandListGetDeviceHandle_t,
    pub pfnGetContextHandle: ze_pfnCommandListGetContextHandle_t,
    pub pfnGetOrdinal: ze_pfnCommandListGetOrdinal_t,
    pub pfnImmediateGetIndex: ze_pfnCommandListImmediateGetIndex_t,
    pub pfnIsImmediate: ze_pfnCommandListIsImmediate_t,
    pub pfnAppendSignalExternalSemaphoreExt: ze_pfnCommandListAppendSignalExternalSemaphoreExt_t,
    pub pfnAppendWaitExternalSemaphoreExt: ze_pfnCommandListAppendWaitExternalSemaphoreExt_t,
}
impl Default for _ze_command_list_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_command_list_dditable_t = _ze_command_list_dditable_t;
#[repr(C)]
pub struct _ze_command_list_exp_dditable_t {
    pub pfnCreateCloneExp: ze_pfnCommandListCreateCloneExp_t,
    pub pfnImmediateAppendCommandListsExp: ze_pfnCommandListImmediateAppendCommandListsExp_t,
    pub pfnGetNextCommandIdExp: ze_pfnCommandListGetNextCommandIdExp_t,
    pub pfnUpdateMutableCommandsExp: ze_pfnCommandListUpdateMutableCommandsExp_t,
    pub pfnUpdateMutableCommandSignalEventExp: ze_pfnCommandListUpdateMutableCommandSignalEventExp_t,
    pub pfnUpdateMutableCommandWaitEventsExp: ze_pfnCommandListUpdateMutableCommandWaitEventsExp_t,
    pub pfnGetNextCommandIdWithKernelsExp: ze_pfnCommandListGetNextCommandIdWithKernelsExp_t,
    pub pfnUpdateMutableCommandKernelsExp: ze_pfnCommandListUpdateMutableCommandKernelsExp_t,
}
impl Default for _ze_command_list_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_command_list_exp_dditable_t = _ze_command_list_exp_dditable_t;
#[repr(C)]
pub struct _ze_image_dditable_t {
    pub pfnGetProperties: ze_pfnImageGetProperties_t,
    pub pfnCreate: ze_pfnImageCreate_t,
    pub pfnDestroy: ze_pfnImageDestroy_t,
    pub pfnGetAllocPropertiesExt: ze_pfnImageGetAllocPropertiesExt_t,
    pub pfnViewCreateExt: ze_pfnImageViewCreateExt_t,
}
impl Default for _ze_image_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_image_dditable_t = _ze_image_dditable_t;
#[repr(C)]
pub struct _ze_image_exp_dditable_t {
    pub pfnGetMemoryPropertiesExp: ze_pfnImageGetMemoryPropertiesExp_t,
    pub pfnViewCreateExp: ze_pfnImageViewCreateExp_t,
    pub pfnGetDeviceOffsetExp: ze_pfnImageGetDeviceOffsetExp_t,
}
impl Default for _ze_image_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_image_exp_dditable_t = _ze_image_exp_dditable_t;
#[repr(C)]
pub struct _ze_mem_dditable_t {
    pub pfnAllocShared: ze_pfnMemAllocShared_t,
    pub pfnAllocDevice: ze_pfnMemAllocDevice_t,
    pub pfnAllocHost: ze_pfnMemAllocHost_t,
    pub pfnFree: ze_pfnMemFree_t,
    pub pfnGetAllocProperties: ze_pfnMemGetAllocProperties_t,
    pub pfnGetAddressRange: ze_pfnMemGetAddressRange_t,
    pub pfnGetIpcHandle: ze_pfnMemGetIpcHandle_t,
    pub pfnOpenIpcHandle: ze_pfnMemOpenIpcHandle_t,
    pub pfnCloseIpcHandle: ze_pfnMemCloseIpcHandle_t,
    pub pfnFreeExt: ze_pfnMemFreeExt_t,
    pub pfnPutIpcHandle: ze_pfnMemPutIpcHandle_t,
    pub pfnGetPitchFor2dImage: ze_pfnMemGetPitchFor2dImage_t,
}
impl Default for _ze_mem_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_mem_dditable_t = _ze_mem_dditable_t;
#[repr(C)]
pub struct _ze_mem_exp_dditable_t {
    pub pfnGetIpcHandleFromFileDescriptorExp: ze_pfnMemGetIpcHandleFromFileDescriptorExp_t,
    pub pfnGetFileDescriptorFromIpcHandleExp: ze_pfnMemGetFileDescriptorFromIpcHandleExp_t,
    pub pfnSetAtomicAccessAttributeExp: ze_pfnMemSetAtomicAccessAttributeExp_t,
    pub pfnGetAtomicAccessAttributeExp: ze_pfnMemGetAtomicAccessAttributeExp_t,
}
impl Default for _ze_mem_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_mem_exp_dditable_t = _ze_mem_exp_dditable_t;
#[repr(C)]
pub struct _ze_fence_dditable_t {
    pub pfnCreate: ze_pfnFenceCreate_t,
    pub pfnDestroy: ze_pfnFenceDestroy_t,
    pub pfnHostSynchronize: ze_pfnFenceHostSynchronize_t,
    pub pfnQueryStatus: ze_pfnFenceQueryStatus_t,
    pub pfnReset: ze_pfnFenceReset_t,
}
impl Default for _ze_fence_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_fence_dditable_t = _ze_fence_dditable_t;
#[repr(C)]
pub struct _ze_event_pool_dditable_t {
    pub pfnCreate: ze_pfnEventPoolCreate_t,
    pub pfnDestroy: ze_pfnEventPoolDestroy_t,
    pub pfnGetIpcHandle: ze_pfnEventPoolGetIpcHandle_t,
    pub pfnOpenIpcHandle: ze_pfnEventPoolOpenIpcHandle_t,
    pub pfnCloseIpcHandle: ze_pfnEventPoolCloseIpcHandle_t,
    pub pfnPutIpcHandle: ze_pfnEventPoolPutIpcHandle_t,
    pub pfnGetContextHandle: ze_pfnEventPoolGetContextHandle_t,
    pub pfnGetFlags: ze_pfnEventPoolGetFlags_t,
}
impl Default for _ze_event_pool_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_event_pool_dditable_t = _ze_event_pool_dditable_t;
#[repr(C)]
pub struct _ze_event_dditable_t {
    pub pfnCreate: ze_pfnEventCreate_t,
    pub pfnDestroy: ze_pfnEventDestroy_t,
    pub pfnHostSignal: ze_pfnEventHostSignal_t,
    pub pfnHostSynchronize: ze_pfnEventHostSynchronize_t,
    pub pfnQueryStatus: ze_pfnEventQueryStatus_t,
    pub pfnHostReset: ze_pfnEventHostReset_t,
    pub pfnQueryKernelTimestamp: ze_pfnEventQueryKernelTimestamp_t,
    pub pfnQueryKernelTimestampsExt: ze_pfnEventQueryKernelTimestampsExt_t,
    pub pfnGetEventPool: ze_pfnEventGetEventPool_t,
    pub pfnGetSignalScope: ze_pfnEventGetSignalScope_t,
    pub pfnGetWaitScope: ze_pfnEventGetWaitScope_t,
}
impl Default for _ze_event_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_event_dditable_t = _ze_event_dditable_t;
#[repr(C)]
pub struct _ze_event_exp_dditable_t {
    pub pfnQueryTimestampsExp: ze_pfnEventQueryTimestampsExp_t,
}
impl Default for _ze_event_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_event_exp_dditable_t = _ze_event_exp_dditable_t;
#[repr(C)]
pub struct _ze_module_dditable_t {
    pub pfnCreate: ze_pfnModuleCreate_t,
    pub pfnDestroy: ze_pfnModuleDestroy_t,
    pub pfnDynamicLink: ze_pfnModuleDynamicLink_t,
    pub pfnGetNativeBinary: ze_pfnModuleGetNativeBinary_t,
    pub pfnGetGlobalPointer: ze_pfnModuleGetGlobalPointer_t,
    pub pfnGetKernelNames: ze_pfnModuleGetKernelNames_t,
    pub pfnGetProperties: ze_pfnModuleGetProperties_t,
    pub pfnGetFunctionPointer: ze_pfnModuleGetFunctionPointer_t,
    pub pfnInspectLinkageExt: ze_pfnModuleInspectLinkageExt_t,
}
impl Default for _ze_module_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_module_dditable_t = _ze_module_dditable_t;
#[repr(C)]
pub struct _ze_module_build_log_dditable_t {
    pub pfnDestroy: ze_pfnModuleBuildLogDestroy_t,
    pub pfnGetString: ze_pfnModuleBuildLogGetString_t,
}
impl Default for _ze_module_build_log_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_module_build_log_dditable_t = _ze_module_build_log_dditable_t;
#[repr(C)]
pub struct _ze_kernel_dditable_t {
    pub pfnCreate: ze_pfnKernelCreate_t,
    pub pfnDestroy: ze_pfnKernelDestroy_t,
    pub pfnSetCacheConfig: ze_pfnKernelSetCacheConfig_t,
    pub pfnSetGroupSize: ze_pfnKernelSetGroupSize_t,
    pub pfnSuggestGroupSize: ze_pfnKernelSuggestGroupSize_t,
    pub pfnSuggestMaxCooperativeGroupCount: ze_pfnKernelSuggestMaxCooperativeGroupCount_t,
    pub pfnSetArgumentValue: ze_pfnKernelSetArgumentValue_t,
    pub pfnSetIndirectAccess: ze_pfnKernelSetIndirectAccess_t,
    pub pfnGetIndirectAccess: ze_pfnKernelGetIndirectAccess_t,
    pub pfnGetSourceAttributes: ze_pfnKernelGetSourceAttributes_t,
    pub pfnGetProperties: ze_pfnKernelGetProperties_t,
    pub pfnGetName: ze_pfnKernelGetName_t,
}
impl Default for _ze_kernel_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_kernel_dditable_t = _ze_kernel_dditable_t;
#[repr(C)]
pub struct _ze_kernel_exp_dditable_t {
    pub pfnSetGlobalOffsetExp: ze_pfnKernelSetGlobalOffsetExp_t,
    pub pfnSchedulingHintExp: ze_pfnKernelSchedulingHintExp_t,
    pub pfnGetBinaryExp: ze_pfnKernelGetBinaryExp_t,
}
impl Default for _ze_kernel_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_kernel_exp_dditable_t = _ze_kernel_exp_dditable_t;
#[repr(C)]
pub struct _ze_sampler_dditable_t {
    pub pfnCreate: ze_pfnSamplerCreate_t,
    pub pfnDestroy: ze_pfnSamplerDestroy_t,
}
impl Default for _ze_sampler_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_sampler_dditable_t = _ze_sampler_dditable_t;
#[repr(C)]
pub struct _ze_physical_mem_dditable_t {
    pub pfnCreate: ze_pfnPhysicalMemCreate_t,
    pub pfnDestroy: ze_pfnPhysicalMemDestroy_t,
}
impl Default for _ze_physical_mem_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_physical_mem_dditable_t = _ze_physical_mem_dditable_t;
#[repr(C)]
pub struct _ze_virtual_mem_dditable_t {
    pub pfnReserve: ze_pfnVirtualMemReserve_t,
    pub pfnFree: ze_pfnVirtualMemFree_t,
    pub pfnQueryPageSize: ze_pfnVirtualMemQueryPageSize_t,
    pub pfnMap: ze_pfnVirtualMemMap_t,
    pub pfnUnmap: ze_pfnVirtualMemUnmap_t,
    pub pfnSetAccessAttribute: ze_pfnVirtualMemSetAccessAttribute_t,
    pub pfnGetAccessAttribute: ze_pfnVirtualMemGetAccessAttribute_t,
}
impl Default for _ze_virtual_mem_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_virtual_mem_dditable_t = _ze_virtual_mem_dditable_t;
#[repr(C)]
pub struct _ze_fabric_vertex_exp_dditable_t {
    pub pfnGetExp: ze_pfnFabricVertexGetExp_t,
    pub pfnGetSubVerticesExp: ze_pfnFabricVertexGetSubVerticesExp_t,
    pub pfnGetPropertiesExp: ze_pfnFabricVertexGetPropertiesExp_t,
    pub pfnGetDeviceExp: ze_pfnFabricVertexGetDeviceExp_t,
}
impl Default for _ze_fabric_vertex_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_fabric_vertex_exp_dditable_t = _ze_fabric_vertex_exp_dditable_t;
#[repr(C)]
pub struct _ze_fabric_edge_exp_dditable_t {
    pub pfnGetExp: ze_pfnFabricEdgeGetExp_t,
    pub pfnGetVerticesExp: ze_pfnFabricEdgeGetVerticesExp_t,
    pub pfnGetPropertiesExp: ze_pfnFabricEdgeGetPropertiesExp_t,
}
impl Default for _ze_fabric_edge_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type ze_fabric_edge_exp_dditable_t = _ze_fabric_edge_exp_dditable_t;
#[repr(C)]
pub struct _zes_global_dditable_t {
    pub pfnInit: zes_pfnInit_t,
}
impl Default for _zes_global_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_global_dditable_t = _zes_global_dditable_t;
#[repr(C)]
pub struct _zes_device_dditable_t {
    pub pfnGetProperties: zes_pfnDeviceGetProperties_t,
    pub pfnGetState: zes_pfnDeviceGetState_t,
    pub pfnReset: zes_pfnDeviceReset_t,
    pub pfnProcessesGetState: zes_pfnDeviceProcessesGetState_t,
    pub pfnPciGetProperties: zes_pfnDevicePciGetProperties_t,
    pub pfnPciGetState: zes_pfnDevicePciGetState_t,
    pub pfnPciGetBars: zes_pfnDevicePciGetBars_t,
    pub pfnPciGetStats: zes_pfnDevicePciGetStats_t,
    pub pfnEnumDiagnosticTestSuites: zes_pfnDeviceEnumDiagnosticTestSuites_t,
    pub pfnEnumEngineGroups: zes_pfnDeviceEnumEngineGroups_t,
    pub pfnEventRegister: zes_pfnDeviceEventRegister_t,
    pub pfnEnumFabricPorts: zes_pfnDeviceEnumFabricPorts_t,
    pub pfnEnumFans: zes_pfnDeviceEnumFans_t,
    pub pfnEnumFirmwares: zes_pfnDeviceEnumFirmwares_t,
    pub pfnEnumFrequencyDomains: zes_pfnDeviceEnumFrequencyDomains_t,
    pub pfnEnumLeds: zes_pfnDeviceEnumLeds_t,
    pub pfnEnumMemoryModules: zes_pfnDeviceEnumMemoryModules_t,
    pub pfnEnumPerformanceFactorDomains: zes_pfnDeviceEnumPerformanceFactorDomains_t,
    pub pfnEnumPowerDomains: zes_pfnDeviceEnumPowerDomains_t,
    pub pfnGetCardPowerDomain: zes_pfnDeviceGetCardPowerDomain_t,
    pub pfnEnumPsus: zes_pfnDeviceEnumPsus_t,
    pub pfnEnumRasErrorSets: zes_pfnDeviceEnumRasErrorSets_t,
    pub pfnEnumSchedulers: zes_pfnDeviceEnumSchedulers_t,
    pub pfnEnumStandbyDomains: zes_pfnDeviceEnumStandbyDomains_t,
    pub pfnEnumTemperatureSensors: zes_pfnDeviceEnumTemperatureSensors_t,
    pub pfnEccAvailable: zes_pfnDeviceEccAvailable_t,
    pub pfnEccConfigurable: zes_pfnDeviceEccConfigurable_t,
    pub pfnGetEccState: zes_pfnDeviceGetEccState_t,
    pub pfnSetEccState: zes_pfnDeviceSetEccState_t,
    pub pfnGet: zes_pfnDeviceGet_t,
    pub pfnSetOverclockWaiver: zes_pfnDeviceSetOverclockWaiver_t,
    pub pfnGetOverclockDomains: zes_pfnDeviceGetOverclockDomains_t,
    pub pfnGetOverclockControls: zes_pfnDeviceGetOverclockControls_t,
    pub pfnResetOverclockSettings: zes_pfnDeviceResetOverclockSettings_t,
    pub pfnReadOverclockState: zes_pfnDeviceReadOverclockState_t,
    pub pfnEnumOverclockDomains: zes_pfnDeviceEnumOverclockDomains_t,
    pub pfnResetExt: zes_pfnDeviceResetExt_t,
}
impl Default for _zes_device_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_device_dditable_t = _zes_device_dditable_t;
#[repr(C)]
pub struct _zes_device_exp_dditable_t {
    pub pfnGetSubDevicePropertiesExp: zes_pfnDeviceGetSubDevicePropertiesExp_t,
    pub pfnEnumActiveVFExp: zes_pfnDeviceEnumActiveVFExp_t,
    pub pfnEnumEnabledVFExp: zes_pfnDeviceEnumEnabledVFExp_t,
}
impl Default for _zes_device_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_device_exp_dditable_t = _zes_device_exp_dditable_t;
#[repr(C)]
pub struct _zes_driver_dditable_t {
    pub pfnEventListen: zes_pfnDriverEventListen_t,
    pub pfnEventListenEx: zes_pfnDriverEventListenEx_t,
    pub pfnGet: zes_pfnDriverGet_t,
    pub pfnGetExtensionProperties: zes_pfnDriverGetExtensionProperties_t,
    pub pfnGetExtensionFunctionAddress: zes_pfnDriverGetExtensionFunctionAddress_t,
}
impl Default for _zes_driver_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_driver_dditable_t = _zes_driver_dditable_t;
#[repr(C)]
pub struct _zes_driver_exp_dditable_t {
    pub pfnGetDeviceByUuidExp: zes_pfnDriverGetDeviceByUuidExp_t,
}
impl Default for _zes_driver_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_driver_exp_dditable_t = _zes_driver_exp_dditable_t;
#[repr(C)]
pub struct _zes_overclock_dditable_t {
    pub pfnGetDomainProperties: zes_pfnOverclockGetDomainProperties_t,
    pub pfnGetDomainVFProperties: zes_pfnOverclockGetDomainVFProperties_t,
    pub pfnGetDomainControlProperties: zes_pfnOverclockGetDomainControlProperties_t,
    pub pfnGetControlCurrentValue: zes_pfnOverclockGetControlCurrentValue_t,
    pub pfnGetControlPendingValue: zes_pfnOverclockGetControlPendingValue_t,
    pub pfnSetControlUserValue: zes_pfnOverclockSetControlUserValue_t,
    pub pfnGetControlState: zes_pfnOverclockGetControlState_t,
    pub pfnGetVFPointValues: zes_pfnOverclockGetVFPointValues_t,
    pub pfnSetVFPointValues: zes_pfnOverclockSetVFPointValues_t,
}
impl Default for _zes_overclock_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_overclock_dditable_t = _zes_overclock_dditable_t;
#[repr(C)]
pub struct _zes_scheduler_dditable_t {
    pub pfnGetProperties: zes_pfnSchedulerGetProperties_t,
    pub pfnGetCurrentMode: zes_pfnSchedulerGetCurrentMode_t,
    pub pfnGetTimeoutModeProperties: zes_pfnSchedulerGetTimeoutModeProperties_t,
    pub pfnGetTimesliceModeProperties: zes_pfnSchedulerGetTimesliceModeProperties_t,
    pub pfnSetTimeoutMode: zes_pfnSchedulerSetTimeoutMode_t,
    pub pfnSetTimesliceMode: zes_pfnSchedulerSetTimesliceMode_t,
    pub pfnSetExclusiveMode: zes_pfnSchedulerSetExclusiveMode_t,
    pub pfnSetComputeUnitDebugMode: zes_pfnSchedulerSetComputeUnitDebugMode_t,
}
impl Default for _zes_scheduler_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_scheduler_dditable_t = _zes_scheduler_dditable_t;
#[repr(C)]
pub struct _zes_performance_factor_dditable_t {
    pub pfnGetProperties: zes_pfnPerformanceFactorGetProperties_t,
    pub pfnGetConfig: zes_pfnPerformanceFactorGetConfig_t,
    pub pfnSetConfig: zes_pfnPerformanceFactorSetConfig_t,
}
impl Default for _zes_performance_factor_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_performance_factor_dditable_t = _zes_performance_factor_dditable_t;
#[repr(C)]
pub struct _zes_power_dditable_t {
    pub pfnGetProperties: zes_pfnPowerGetProperties_t,
    pub pfnGetEnergyCounter: zes_pfnPowerGetEnergyCounter_t,
    pub pfnGetLimits: zes_pfnPowerGetLimits_t,
    pub pfnSetLimits: zes_pfnPowerSetLimits_t,
    pub pfnGetEnergyThreshold: zes_pfnPowerGetEnergyThreshold_t,
    pub pfnSetEnergyThreshold: zes_pfnPowerSetEnergyThreshold_t,
    pub pfnGetLimitsExt: zes_pfnPowerGetLimitsExt_t,
    pub pfnSetLimitsExt: zes_pfnPowerSetLimitsExt_t,
}
impl Default for _zes_power_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_power_dditable_t = _zes_power_dditable_t;
#[repr(C)]
pub struct _zes_frequency_dditable_t {
    pub pfnGetProperties: zes_pfnFrequencyGetProperties_t,
    pub pfnGetAvailableClocks: zes_pfnFrequencyGetAvailableClocks_t,
    pub pfnGetRange: zes_pfnFrequencyGetRange_t,
    pub pfnSetRange: zes_pfnFrequencySetRange_t,
    pub pfnGetState: zes_pfnFrequencyGetState_t,
    pub pfnGetThrottleTime: zes_pfnFrequencyGetThrottleTime_t,
    pub pfnOcGetCapabilities: zes_pfnFrequencyOcGetCapabilities_t,
    pub pfnOcGetFrequencyTarget: zes_pfnFrequencyOcGetFrequencyTarget_t,
    pub pfnOcSetFrequencyTarget: zes_pfnFrequencyOcSetFrequencyTarget_t,
    pub pfnOcGetVoltageTarget: zes_pfnFrequencyOcGetVoltageTarget_t,
    pub pfnOcSetVoltageTarget: zes_pfnFrequencyOcSetVoltageTarget_t,
    pub pfnOcSetMode: zes_pfnFrequencyOcSetMode_t,
    pub pfnOcGetMode: zes_pfnFrequencyOcGetMode_t,
    pub pfnOcGetIccMax: zes_pfnFrequencyOcGetIccMax_t,
    pub pfnOcSetIccMax: zes_pfnFrequencyOcSetIccMax_t,
    pub pfnOcGetTjMax: zes_pfnFrequencyOcGetTjMax_t,
    pub pfnOcSetTjMax: zes_pfnFrequencyOcSetTjMax_t,
}
impl Default for _zes_frequency_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_frequency_dditable_t = _zes_frequency_dditable_t;
#[repr(C)]
pub struct _zes_engine_dditable_t {
    pub pfnGetProperties: zes_pfnEngineGetProperties_t,
    pub pfnGetActivity: zes_pfnEngineGetActivity_t,
    pub pfnGetActivityExt: zes_pfnEngineGetActivityExt_t,
}
impl Default for _zes_engine_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_engine_dditable_t = _zes_engine_dditable_t;
#[repr(C)]
pub struct _zes_standby_dditable_t {
    pub pfnGetProperties: zes_pfnStandbyGetProperties_t,
    pub pfnGetMode: zes_pfnStandbyGetMode_t,
    pub pfnSetMode: zes_pfnStandbySetMode_t,
}
impl Default for _zes_standby_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_standby_dditable_t = _zes_standby_dditable_t;
#[repr(C)]
pub struct _zes_firmware_dditable_t {
    pub pfnGetProperties: zes_pfnFirmwareGetProperties_t,
    pub pfnFlash: zes_pfnFirmwareFlash_t,
    pub pfnGetFlashProgress: zes_pfnFirmwareGetFlashProgress_t,
    pub pfnGetConsoleLogs: zes_pfnFirmwareGetConsoleLogs_t,
}
impl Default for _zes_firmware_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_firmware_dditable_t = _zes_firmware_dditable_t;
#[repr(C)]
pub struct _zes_firmware_exp_dditable_t {
    pub pfnGetSecurityVersionExp: zes_pfnFirmwareGetSecurityVersionExp_t,
    pub pfnSetSecurityVersionExp: zes_pfnFirmwareSetSecurityVersionExp_t,
}
impl Default for _zes_firmware_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_firmware_exp_dditable_t = _zes_firmware_exp_dditable_t;
#[repr(C)]
pub struct _zes_memory_dditable_t {
    pub pfnGetProperties: zes_pfnMemoryGetProperties_t,
    pub pfnGetState: zes_pfnMemoryGetState_t,
    pub pfnGetBandwidth: zes_pfnMemoryGetBandwidth_t,
}
impl Default for _zes_memory_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_memory_dditable_t = _zes_memory_dditable_t;
#[repr(C)]
pub struct _zes_fabric_port_dditable_t {
    pub pfnGetProperties: zes_pfnFabricPortGetProperties_t,
    pub pfnGetLinkType: zes_pfnFabricPortGetLinkType_t,
    pub pfnGetConfig: zes_pfnFabricPortGetConfig_t,
    pub pfnSetConfig: zes_pfnFabricPortSetConfig_t,
    pub pfnGetState: zes_pfnFabricPortGetState_t,
    pub pfnGetThroughput: zes_pfnFabricPortGetThroughput_t,
    pub pfnGetFabricErrorCounters: zes_pfnFabricPortGetFabricErrorCounters_t,
    pub pfnGetMultiPortThroughput: zes_pfnFabricPortGetMultiPortThroughput_t,
}
impl Default for _zes_fabric_port_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_fabric_port_dditable_t = _zes_fabric_port_dditable_t;
#[repr(C)]
pub struct _zes_temperature_dditable_t {
    pub pfnGetProperties: zes_pfnTemperatureGetProperties_t,
    pub pfnGetConfig: zes_pfnTemperatureGetConfig_t,
    pub pfnSetConfig: zes_pfnTemperatureSetConfig_t,
    pub pfnGetState: zes_pfnTemperatureGetState_t,
}
impl Default for _zes_temperature_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_temperature_dditable_t = _zes_temperature_dditable_t;
#[repr(C)]
pub struct _zes_psu_dditable_t {
    pub pfnGetProperties: zes_pfnPsuGetProperties_t,
    pub pfnGetState: zes_pfnPsuGetState_t,
}
impl Default for _zes_psu_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_psu_dditable_t = _zes_psu_dditable_t;
#[repr(C)]
pub struct _zes_fan_dditable_t {
    pub pfnGetProperties: zes_pfnFanGetProperties_t,
    pub pfnGetConfig: zes_pfnFanGetConfig_t,
    pub pfnSetDefaultMode: zes_pfnFanSetDefaultMode_t,
    pub pfnSetFixedSpeedMode: zes_pfnFanSetFixedSpeedMode_t,
    pub pfnSetSpeedTableMode: zes_pfnFanSetSpeedTableMode_t,
    pub pfnGetState: zes_pfnFanGetState_t,
}
impl Default for _zes_fan_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_fan_dditable_t = _zes_fan_dditable_t;
#[repr(C)]
pub struct _zes_led_dditable_t {
    pub pfnGetProperties: zes_pfnLedGetProperties_t,
    pub pfnGetState: zes_pfnLedGetState_t,
    pub pfnSetState: zes_pfnLedSetState_t,
    pub pfnSetColor: zes_pfnLedSetColor_t,
}
impl Default for _zes_led_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_led_dditable_t = _zes_led_dditable_t;
#[repr(C)]
pub struct _zes_ras_dditable_t {
    pub pfnGetProperties: zes_pfnRasGetProperties_t,
    pub pfnGetConfig: zes_pfnRasGetConfig_t,
    pub pfnSetConfig: zes_pfnRasSetConfig_t,
    pub pfnGetState: zes_pfnRasGetState_t,
}
impl Default for _zes_ras_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_ras_dditable_t = _zes_ras_dditable_t;
#[repr(C)]
pub struct _zes_ras_exp_dditable_t {
    pub pfnGetStateExp: zes_pfnRasGetStateExp_t,
    pub pfnClearStateExp: zes_pfnRasClearStateExp_t,
}
impl Default for _zes_ras_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_ras_exp_dditable_t = _zes_ras_exp_dditable_t;
#[repr(C)]
pub struct _zes_diagnostics_dditable_t {
    pub pfnGetProperties: zes_pfnDiagnosticsGetProperties_t,
    pub pfnGetTests: zes_pfnDiagnosticsGetTests_t,
    pub pfnRunTests: zes_pfnDiagnosticsRunTests_t,
}
impl Default for _zes_diagnostics_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_diagnostics_dditable_t = _zes_diagnostics_dditable_t;
#[repr(C)]
pub struct _zes_vf_management_exp_dditable_t {
    pub pfnGetVFPropertiesExp: zes_pfnVFManagementGetVFPropertiesExp_t,
    pub pfnGetVFMemoryUtilizationExp: zes_pfnVFManagementGetVFMemoryUtilizationExp_t,
    pub pfnGetVFEngineUtilizationExp: zes_pfnVFManagementGetVFEngineUtilizationExp_t,
    pub pfnSetVFTelemetryModeExp: zes_pfnVFManagementSetVFTelemetryModeExp_t,
    pub pfnSetVFTelemetrySamplingIntervalExp: zes_pfnVFManagementSetVFTelemetrySamplingIntervalExp_t,
    pub pfnGetVFCapabilitiesExp: zes_pfnVFManagementGetVFCapabilitiesExp_t,
    pub pfnGetVFMemoryUtilizationExp2: zes_pfnVFManagementGetVFMemoryUtilizationExp2_t,
    pub pfnGetVFEngineUtilizationExp2: zes_pfnVFManagementGetVFEngineUtilizationExp2_t,
    pub pfnGetVFCapabilitiesExp2: zes_pfnVFManagementGetVFCapabilitiesExp2_t,
}
impl Default for _zes_vf_management_exp_dditable_t {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub type zes_vf_management_exp_dditable_t = _zes_vf_management_exp_dditable_t;
