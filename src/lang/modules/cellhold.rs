//! `cellhold`: what this engine adds to the libraries it follows: a default device for a block, memory readings, its own
//! exceptions.

use std::cell::Cell;

use crate::arrays::readings::Amount;
use crate::arrays::{account, ledger, registry};
use crate::lang::arrays::device::{device_object, queue_of_device};
use crate::lang::arrays::error::{self as array_error, raised};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ClassRef, DictObject, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `cellhold`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = Ref::new(ModuleObject::new(Name::new("cellhold")));
    for function in FUNCTIONS {
        module.set(Name::new(function.name), Value::Native(function.build(None, Some(module.name))));
    }
    module.set(Name::new("device"), Value::Class(device_scope_class()));
    module.set(Name::new("budget"), Value::Class(super::budget::budget_class()));
    array_error::bind("cellhold", |name, class| module.set(Name::new(name), class));
    module.set(Name::new("__version__"), Value::str(env!("CARGO_PKG_VERSION")));
    Ok(module)
}

/// `memory_summary(device=None)`, which interactive sessions also have as a built-in name.
pub const MEMORY_SUMMARY: Method = method(
    "memory_summary",
    "(device=None, /)",
    "What lives in memory and what holds it, as the text of %mem; of one device where one is given.",
    |vm, args| {
        let device = match args.not_none(vm, 0) {
            Some(device) => Some(queue_of_device(&device)?.device().ledger_name().to_owned()),
            None => None,
        };
        let host = vm.host.clone();
        Ok(Value::str(host.memory_summary(vm, device.as_deref())))
    },
);

const FUNCTIONS: &[Method] = &[
    method(
        "set_default_device",
        "(device=None, /)",
        "Chooses where new arrays go; None goes back to the rule.",
        |vm, args| {
            let queue = match args.not_none(vm, 0) {
                Some(device) => Some(queue_of_device(&device)?),
                None => None,
            };
            registry::choose_default(queue);
            Ok(Value::None)
        },
    ),
    method("default_device", "()", "Where new arrays go now.", |_, _| {
        registry::default_queue().map(device_object).map_err(raised)
    }),
    method(
        "memory_reading",
        "(device=None, /)",
        "`(free, total, live, cached)` in bytes; None for a figure that the system does not give.",
        |vm, args| {
            let queue = match args.not_none(vm, 0) {
                Some(device) => queue_of_device(&device)?,
                None => registry::default_queue().map_err(raised)?,
            };
            let reading = ledger::reading(queue.device());
            let amount = |amount: &Amount| amount.bytes().map_or(Value::None, Value::int);
            Ok(Value::tuple(vec![
                amount(&reading.memory.free),
                amount(&reading.memory.total),
                Value::int(reading.here.live),
                Value::int(reading.here.cached),
            ]))
        },
    ),
    MEMORY_SUMMARY,
    method(
        "cell_account",
        "()",
        "What the running cell did with memory so far: bytes allocated, freed, kept and copied, the peak, and counts.",
        |vm, _| {
            let account = account::current();
            let copied = account.transfers.iter().map(|transfer| transfer.bytes).sum::<u64>();
            let copies = account.transfers.len() as u64 + account.transfers_unlisted;
            let dict = Ref::new(DictObject::default());
            for (name, figure) in [
                ("allocated", Value::int(account.allocated)),
                ("allocations", Value::int(account.allocations)),
                ("freed", Value::int(account.freed)),
                ("kept", Value::Int(account.kept)),
                ("peak_over_base", Value::int(account.peak_over_base)),
                ("temporaries_avoided", Value::int(account.temporaries_avoided)),
                ("transferred", Value::int(copied)),
                ("transfers", Value::int(copies)),
            ] {
                vm.dict_set(&dict, Value::str(name), figure)?;
            }
            Ok(Value::Dict(dict))
        },
    ),
    method(
        "host_fallbacks",
        "()",
        "The operations that this cell computed on the host for a device, in order.",
        |_, _| {
            let fallbacks = account::current().host_fallbacks;
            Ok(Value::list(fallbacks.iter().map(|fallback| Value::str(fallback.op)).collect()))
        },
    ),
    method("synchronize", "()", "Waits until all queued work on all devices has ended.", |_, _| {
        registry::finish_all().map_err(raised)?;
        Ok(Value::None)
    }),
];

/// `with device(q):` makes a device the default for a block.
#[derive(Debug)]
struct DeviceScope {
    device: Value,
    depth: Cell<Option<usize>>,
}

impl NativeData for DeviceScope {
    fn class(&self) -> ClassRef {
        device_scope_class()
    }
}

/// The class of `cellhold.device`.
pub fn device_scope_class() -> ClassRef {
    thread_local! {
        static CLASS: ClassRef = define_class(
            "device",
            "cellhold",
            &builtin_class(Builtin::Object),
            PayloadKind::Sealed,
            DEVICE_SCOPE_METHODS,
        );
    }
    CLASS.with(Clone::clone)
}

const DEVICE_SCOPE_METHODS: &[Method] = &[
    static_method("__new__", "(cls, device, /)", "A block whose new arrays go to a device.", |vm, args| {
        let device = args.get(vm, 1);
        queue_of_device(&device)?;
        Ok(Value::object(DeviceScope { device, depth: Cell::new(None) }))
    }),
    method("__enter__", "(self)", "Begins the block; answers the device.", |vm, args| {
        let scope = scope(vm, args)?;
        let queue = queue_of_device(&scope.device)?;
        scope.depth.set(Some(registry::default_depth()));
        registry::push_default(queue.clone());
        Ok(device_object(queue))
    }),
    method("__exit__", "(self, *args)", "Ends the block.", |vm, args| {
        if let Some(depth) = scope(vm, args)?.depth.take() {
            registry::unwind_defaults(depth);
        }
        Ok(Value::Bool(false))
    }),
];

fn scope(vm: &Vm, args: Args) -> Fallible<&DeviceScope> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<DeviceScope>(),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected a device block"))
}
