//! Finding the functions in the loader library.
//!
//! Here is the one list of functions this crate binds: `regenerate.sh` reads the names of the pointer types from this file. A
//! function is *required* when every supported loader (1.8.12 and later) has it, *optional* otherwise; a caller asks before
//! it uses an optional one.

use crate::bindings::*;
use libloading::Library;
use std::ffi::OsStr;
use std::fmt;

/// The file name of the loader on Linux.
pub const LOADER_FILE: &str = "libze_loader.so.1";

/// The plain function type inside the nullable pointer types of the headers.
pub trait Nullable {
    /// The function pointer that is never null.
    type Function: Copy;
}

impl<F: Copy> Nullable for Option<F> {
    type Function = F;
}

/// Why the loader cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The library is not there, or the system refuses to load it.
    Library(libloading::Error),
    /// The library lacks a function that every supported version has.
    Missing {
        /// Its name.
        function: &'static str,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The system's words are in the source; the error itself says only which call failed.
            LoadError::Library(error) => match std::error::Error::source(error) {
                Some(source) => write!(f, "{source}"),
                None => write!(f, "{error}"),
            },
            LoadError::Missing { function } => {
                write!(f, "the Level Zero loader lacks {function}: it is older than 1.8.12, or not a loader")
            }
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Library(error) => Some(error),
            LoadError::Missing { .. } => None,
        }
    }
}

/// Answers the versions of the loader and its layers (`zelLoaderGetVersions`), which no header types as a pointer.
pub type LoaderGetVersions =
    unsafe extern "C" fn(count: *mut usize, versions: *mut zel_component_version_t) -> ze_result_t;

macro_rules! functions {
    (
        req { $($required:ident: $required_type:ty,)* }
        opt { $($optional:ident: $optional_type:ty,)* }
    ) => {
        /// The functions of one loaded `libze_loader.so.1`.
        ///
        /// The fields have the names of the specification; a call is `(loader.zeInit)(0)`, inside `unsafe`. Dropping the
        /// loader unloads the library, which no driver survives: a program keeps it until it ends.
        #[allow(non_snake_case, reason = "the names of the specification")]
        pub struct Loader {
            $(
                #[doc = concat!("`", stringify!($required), "`, in every supported loader.")]
                pub $required: <$required_type as Nullable>::Function,
            )*
            $(
                #[doc = concat!("`", stringify!($optional), "`, where the loader has it.")]
                pub $optional: $optional_type,
            )*
            /// `zelLoaderGetVersions`, where the loader has it.
            pub zelLoaderGetVersions: Option<LoaderGetVersions>,
            library: Library,
        }

        impl Loader {
            /// Names of the functions that every supported loader has.
            pub const REQUIRED: &[&str] = &[$(stringify!($required),)*];

            /// Names of the functions that a loader may lack.
            pub const OPTIONAL: &[&str] = &[$(stringify!($optional),)*];

            fn resolve(library: Library) -> Result<Loader, LoadError> {
                Ok(Loader {
                    $($required: {
                        // SAFETY: the type is the one the headers of the loader give this name.
                        unsafe { find(&library, stringify!($required)) }
                            .ok_or(LoadError::Missing { function: stringify!($required) })?
                    },)*
                    // SAFETY: as above.
                    $($optional: unsafe { find(&library, stringify!($optional)) },)*
                    // SAFETY: the type is written after `loader/ze_loader.h`, which declares this function.
                    zelLoaderGetVersions: unsafe { find(&library, "zelLoaderGetVersions") },
                    library,
                })
            }
        }
    };
}

functions! {
    req {
        zeInit: ze_pfnInit_t,
        zeDriverGet: ze_pfnDriverGet_t,
        zeDriverGetApiVersion: ze_pfnDriverGetApiVersion_t,
        zeDriverGetProperties: ze_pfnDriverGetProperties_t,
        zeDriverGetIpcProperties: ze_pfnDriverGetIpcProperties_t,
        zeDriverGetExtensionProperties: ze_pfnDriverGetExtensionProperties_t,
        zeDriverGetExtensionFunctionAddress: ze_pfnDriverGetExtensionFunctionAddress_t,
        zeDeviceGet: ze_pfnDeviceGet_t,
        zeDeviceGetSubDevices: ze_pfnDeviceGetSubDevices_t,
        zeDeviceGetProperties: ze_pfnDeviceGetProperties_t,
        zeDeviceGetComputeProperties: ze_pfnDeviceGetComputeProperties_t,
        zeDeviceGetModuleProperties: ze_pfnDeviceGetModuleProperties_t,
        zeDeviceGetCommandQueueGroupProperties: ze_pfnDeviceGetCommandQueueGroupProperties_t,
        zeDeviceGetMemoryProperties: ze_pfnDeviceGetMemoryProperties_t,
        zeDeviceGetMemoryAccessProperties: ze_pfnDeviceGetMemoryAccessProperties_t,
        zeDeviceGetCacheProperties: ze_pfnDeviceGetCacheProperties_t,
        zeDeviceCanAccessPeer: ze_pfnDeviceCanAccessPeer_t,
        zeDeviceGetStatus: ze_pfnDeviceGetStatus_t,
        zeDeviceGetGlobalTimestamps: ze_pfnDeviceGetGlobalTimestamps_t,
        zeDevicePciGetPropertiesExt: ze_pfnDevicePciGetPropertiesExt_t,
        zeContextCreate: ze_pfnContextCreate_t,
        zeContextCreateEx: ze_pfnContextCreateEx_t,
        zeContextDestroy: ze_pfnContextDestroy_t,
        zeContextGetStatus: ze_pfnContextGetStatus_t,
        zeContextMakeMemoryResident: ze_pfnContextMakeMemoryResident_t,
        zeContextEvictMemory: ze_pfnContextEvictMemory_t,
        zeMemAllocDevice: ze_pfnMemAllocDevice_t,
        zeMemAllocHost: ze_pfnMemAllocHost_t,
        zeMemAllocShared: ze_pfnMemAllocShared_t,
        zeMemFree: ze_pfnMemFree_t,
        zeMemFreeExt: ze_pfnMemFreeExt_t,
        zeMemGetAllocProperties: ze_pfnMemGetAllocProperties_t,
        zeMemGetAddressRange: ze_pfnMemGetAddressRange_t,
        zeModuleCreate: ze_pfnModuleCreate_t,
        zeModuleDestroy: ze_pfnModuleDestroy_t,
        zeModuleGetNativeBinary: ze_pfnModuleGetNativeBinary_t,
        zeModuleGetKernelNames: ze_pfnModuleGetKernelNames_t,
        zeModuleBuildLogGetString: ze_pfnModuleBuildLogGetString_t,
        zeModuleBuildLogDestroy: ze_pfnModuleBuildLogDestroy_t,
        zeKernelCreate: ze_pfnKernelCreate_t,
        zeKernelDestroy: ze_pfnKernelDestroy_t,
        zeKernelSetGroupSize: ze_pfnKernelSetGroupSize_t,
        zeKernelSuggestGroupSize: ze_pfnKernelSuggestGroupSize_t,
        zeKernelSetArgumentValue: ze_pfnKernelSetArgumentValue_t,
        zeKernelSetIndirectAccess: ze_pfnKernelSetIndirectAccess_t,
        zeKernelGetProperties: ze_pfnKernelGetProperties_t,
        zeCommandQueueCreate: ze_pfnCommandQueueCreate_t,
        zeCommandQueueDestroy: ze_pfnCommandQueueDestroy_t,
        zeCommandQueueExecuteCommandLists: ze_pfnCommandQueueExecuteCommandLists_t,
        zeCommandQueueSynchronize: ze_pfnCommandQueueSynchronize_t,
        zeCommandListCreate: ze_pfnCommandListCreate_t,
        zeCommandListCreateImmediate: ze_pfnCommandListCreateImmediate_t,
        zeCommandListDestroy: ze_pfnCommandListDestroy_t,
        zeCommandListClose: ze_pfnCommandListClose_t,
        zeCommandListReset: ze_pfnCommandListReset_t,
        zeCommandListAppendBarrier: ze_pfnCommandListAppendBarrier_t,
        zeCommandListAppendMemoryCopy: ze_pfnCommandListAppendMemoryCopy_t,
        zeCommandListAppendMemoryCopyRegion: ze_pfnCommandListAppendMemoryCopyRegion_t,
        zeCommandListAppendMemoryFill: ze_pfnCommandListAppendMemoryFill_t,
        zeCommandListAppendMemoryPrefetch: ze_pfnCommandListAppendMemoryPrefetch_t,
        zeCommandListAppendMemAdvise: ze_pfnCommandListAppendMemAdvise_t,
        zeCommandListAppendSignalEvent: ze_pfnCommandListAppendSignalEvent_t,
        zeCommandListAppendWaitOnEvents: ze_pfnCommandListAppendWaitOnEvents_t,
        zeCommandListAppendEventReset: ze_pfnCommandListAppendEventReset_t,
        zeCommandListAppendLaunchKernel: ze_pfnCommandListAppendLaunchKernel_t,
        zeEventPoolCreate: ze_pfnEventPoolCreate_t,
        zeEventPoolDestroy: ze_pfnEventPoolDestroy_t,
        zeEventCreate: ze_pfnEventCreate_t,
        zeEventDestroy: ze_pfnEventDestroy_t,
        zeEventHostSignal: ze_pfnEventHostSignal_t,
        zeEventHostSynchronize: ze_pfnEventHostSynchronize_t,
        zeEventQueryStatus: ze_pfnEventQueryStatus_t,
        zeEventHostReset: ze_pfnEventHostReset_t,
        zeEventQueryKernelTimestamp: ze_pfnEventQueryKernelTimestamp_t,
        zeFenceCreate: ze_pfnFenceCreate_t,
        zeFenceDestroy: ze_pfnFenceDestroy_t,
        zeFenceHostSynchronize: ze_pfnFenceHostSynchronize_t,
        zeFenceQueryStatus: ze_pfnFenceQueryStatus_t,
        zeFenceReset: ze_pfnFenceReset_t,
        zesDeviceGetProperties: zes_pfnDeviceGetProperties_t,
        zesDevicePciGetProperties: zes_pfnDevicePciGetProperties_t,
        zesDeviceEnumMemoryModules: zes_pfnDeviceEnumMemoryModules_t,
        zesDeviceProcessesGetState: zes_pfnDeviceProcessesGetState_t,
        zesMemoryGetProperties: zes_pfnMemoryGetProperties_t,
        zesMemoryGetState: zes_pfnMemoryGetState_t,
    }
    opt {
        zeInitDrivers: ze_pfnInitDrivers_t,
        zeDriverGetLastErrorDescription: ze_pfnDriverGetLastErrorDescription_t,
        zeCommandListHostSynchronize: ze_pfnCommandListHostSynchronize_t,
        zesInit: zes_pfnInit_t,
        zesDriverGet: zes_pfnDriverGet_t,
        zesDeviceGet: zes_pfnDeviceGet_t,
        zesDriverGetDeviceByUuidExp: zes_pfnDriverGetDeviceByUuidExp_t,
    }
}

/// The function of this name, if the library exports it.
///
/// # Safety
/// `F` must be the type of a pointer to the function of this name.
unsafe fn find<F: Copy>(library: &Library, name: &str) -> Option<F> {
    // SAFETY: the caller vouches for the type; the symbol is copied, and `Loader` keeps the library loaded.
    unsafe { library.get::<F>(name) }.ok().map(|symbol| *symbol)
}

impl Loader {
    /// Loads `libze_loader.so.1` from where the system looks for libraries, and finds its functions. Calls none of them.
    ///
    /// # Safety
    /// Loading runs the initialisers of the library, which must be the Level Zero loader.
    pub unsafe fn load() -> Result<Loader, LoadError> {
        // SAFETY: passed on to the caller.
        unsafe { Loader::load_from(LOADER_FILE) }
    }

    /// As [`Loader::load`], with the library at `path`.
    ///
    /// # Safety
    /// As [`Loader::load`].
    pub unsafe fn load_from(path: impl AsRef<OsStr>) -> Result<Loader, LoadError> {
        // SAFETY: passed on to the caller.
        let library = unsafe { Library::new(path.as_ref()) }.map_err(LoadError::Library)?;
        Loader::resolve(library)
    }

    /// The loaded library, for functions that are not bound here.
    pub fn library(&self) -> &Library {
        &self.library
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader").field("library", &self.library).finish_non_exhaustive()
    }
}
