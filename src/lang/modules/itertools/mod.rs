//! `itertools`: lazy iterators. Each holds what its Python counterpart holds, no item longer than it.
//!
//! `stream` has those that pass items of other iterators on, `combine` those over pools (`product`, `permutations`...), `shared` those whose
//! iterators share a source (`groupby`, `tee`). This file has the classes and the table.

mod combine;
mod shared;
mod stream;

use super::support::{attach_iterator, new_module};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Method, method, static_method};
use crate::lang::objects::{ClassRef, ModuleObject, PayloadKind};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A class of the module, by its place in [`CLASSES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Accumulate,
    Chain,
    Combinations,
    CombinationsWithReplacement,
    Compress,
    Count,
    Cycle,
    DropWhile,
    FilterFalse,
    GroupBy,
    ISlice,
    Pairwise,
    Permutations,
    Product,
    Repeat,
    StarMap,
    TakeWhile,
    ZipLongest,
    Grouper,
    Tee,
    TeeSource,
}

/// Name and methods of each class; `__iter__` and `__next__` come on top.
const CLASSES: &[(&str, &[Method])] = &[
    ("accumulate", &[static_method("__new__", "(cls, iterable, func=None, *, initial=None)", "Return series of accumulated sums.", stream::accumulate)]),
    ("chain", stream::CHAIN),
    ("combinations", &[static_method("__new__", "(cls, iterable, r)", "Return successive r-length combinations of elements in the iterable.", combine::combinations).with_row(0)]),
    ("combinations_with_replacement", &[static_method("__new__", "(cls, iterable, r)", "Return successive r-length combinations of elements in the iterable allowing individual elements to have successive repeats.", combine::combinations).with_row(1)]),
    ("compress", &[static_method("__new__", "(cls, data, selectors)", "Return data elements corresponding to true selector elements.", stream::compress)]),
    ("count", stream::COUNT),
    ("cycle", &[static_method("__new__", "(cls, iterable, /)", "Return elements from the iterable until it is exhausted. Then repeat the sequence indefinitely.", stream::cycle)]),
    ("dropwhile", &[static_method("__new__", "(cls, predicate, iterable, /)", "Drop items from the iterable while predicate(item) is true.", stream::filtering).with_row(0)]),
    ("filterfalse", &[static_method("__new__", "(cls, function, iterable, /)", "Return those items of iterable for which function(item) is false.", stream::filtering).with_row(1)]),
    ("groupby", &[static_method("__new__", "(cls, iterable, key=None)", "make an iterator that returns consecutive keys and groups from the iterable", shared::group_by)]),
    ("islice", &[static_method("__new__", "(cls, iterable, /, *bounds)", "islice(iterable, stop) --> islice object\nislice(iterable, start, stop[, step]) --> islice object", stream::islice)]),
    ("pairwise", &[static_method("__new__", "(cls, iterable, /)", "Return an iterator of overlapping pairs taken from the input iterator.", stream::pairwise)]),
    ("permutations", &[static_method("__new__", "(cls, iterable, r=None)", "Return successive r-length permutations of elements in the iterable.", combine::permutations)]),
    ("product", &[static_method("__new__", "(cls, *iterables, repeat=1)", "Cartesian product of input iterables.  Equivalent to nested for-loops.", combine::product)]),
    ("repeat", stream::REPEAT),
    ("starmap", &[static_method("__new__", "(cls, function, iterable, /)", "Return an iterator whose values are returned from the function evaluated with an argument tuple taken from the given sequence.", stream::starmap)]),
    ("takewhile", &[static_method("__new__", "(cls, predicate, iterable, /)", "Return successive entries from an iterable as long as the predicate evaluates to true for each entry.", stream::filtering).with_row(2)]),
    ("zip_longest", &[static_method("__new__", "(cls, *iterables, fillvalue=None)", "Return a zip_longest object whose .__next__() method returns a tuple.", stream::zip_longest)]),
    ("_grouper", &[]),
    ("_tee", &[method("__copy__", "(self, /)", "Returns an independent iterator.", shared::tee_copy)]),
    ("_tee_dataobject", &[]),
];

thread_local! {
    static BUILT: Vec<ClassRef> = CLASSES
        .iter()
        .map(|(name, methods)| {
            let class = define_class(name, "itertools", &builtin_class(Builtin::Object), PayloadKind::Value, methods);
            attach_iterator(&class);
            class
        })
        .collect();
}

fn class_of(kind: Kind) -> ClassRef {
    BUILT.with(|classes| classes[kind as usize].clone())
}

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module(
        "itertools",
        "Functional tools for creating and using iterators.",
        &[method("tee", "(iterable, n=2, /)", "Returns a tuple of n independent iterators.", shared::tee)],
    );
    for (name, _) in &CLASSES[..=Kind::ZipLongest as usize] {
        let class = BUILT.with(|classes| classes.iter().find(|class| class.name.get().text() == *name).cloned());
        if let Some(class) = class {
            module.set(Name::new(name), Value::Class(class));
        }
    }
    Ok(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_stands_at_its_class() {
        assert_eq!(CLASSES[Kind::ZipLongest as usize].0, "zip_longest");
        assert_eq!(CLASSES[Kind::TeeSource as usize].0, "_tee_dataobject");
        assert_eq!(class_of(Kind::ISlice).name.get().text(), "islice");
    }
}
