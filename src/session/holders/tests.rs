//! The walk over containers that hold raw buffers; what needs running code is tested through the session.

use std::sync::Arc;

use super::*;
use crate::arrays::buffer::Request;
use crate::arrays::{Buffer, Place, UsmKind, ledger};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ClassRef, Dict, DictObject, InstanceObject, ModuleObject, NativeData, PayloadKind};
use crate::lang::value::Value;

#[derive(Debug)]
struct Block(Arc<Buffer>);

thread_local! {
    static BLOCK: ClassRef = define_class("Block", "tests", &builtin_class(Builtin::Object), PayloadKind::Sealed, &[]);
}

impl NativeData for Block {
    fn class(&self) -> ClassRef {
        BLOCK.with(Clone::clone)
    }
    fn visit_buffers(&self, visit: &mut dyn FnMut(&Arc<Buffer>)) {
        visit(&self.0);
    }
}

/// Memory of `bytes`, and its number.
fn block(bytes: usize) -> (Value, u64) {
    let buffer = Buffer::allocate(&Request::new(&Place::Host, UsmKind::Host, bytes)).unwrap();
    let id = buffer.id();
    (Value::object(Block(buffer)), id)
}

struct World {
    main: Ref<ModuleObject>,
    out: Ref<DictObject>,
}

impl World {
    fn new() -> Self {
        Self { main: Ref::new(ModuleObject::new(Name::new("__main__"))), out: Ref::new(DictObject::default()) }
    }

    fn bind(&self, name: &str, value: Value) {
        self.main.set(Name::new(name), value);
    }

    fn graph(&self) -> Graph {
        let mut roots = Roots::default();
        roots.add(RootKind::Names, Value::Module(self.main.clone()));
        roots.add(RootKind::Outputs, Value::Dict(self.out.clone()));
        Graph::walk(roots)
    }

    fn paths(&self, id: u64) -> Vec<(String, String)> {
        let holders = self.graph().holders(id, 64);
        holders.into_iter().map(|holder| (holder.path, holder.let_go.unwrap_or_default())).collect()
    }
}

fn dict(entries: Vec<(Value, Value)>) -> Value {
    let mut table = Dict::default();
    for (index, (key, value)) in entries.into_iter().enumerate() {
        table.insert_new(index as i64, key, value);
    }
    Value::Dict(Ref::new(DictObject::new(table)))
}

fn strings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(path, let_go)| ((*path).to_owned(), (*let_go).to_owned())).collect()
}

#[test]
fn names_outputs_and_items_each_hold() {
    let world = World::new();
    let (a, id) = block(64);
    world.bind("a", a.clone());
    world.bind("results", Value::list(vec![a.clone(), Value::None, a.clone()]));
    world.out.table.borrow_mut().insert_new(3, Value::Int(3), a.clone());
    drop(a);
    assert_eq!(
        world.paths(id),
        strings(&[
            ("a", "del a"),
            ("results[2]", "del results[2]"),
            ("results[0]", "del results[0]"),
            ("Out[3]", "%free Out[3]"),
        ])
    );
}

#[test]
fn a_tuple_is_let_go_of_by_every_owner() {
    let world = World::new();
    let (a, id) = block(64);
    let pair = Value::tuple(vec![a, Value::Int(1)]);
    world.bind("t", pair.clone());
    world.bind("box", Value::list(vec![pair]));
    assert_eq!(world.paths(id), strings(&[("box[0][0]", "del box[0]"), ("t[0]", "del t")]));
}

#[test]
fn deeper_items_go_before_the_items_that_lead_to_them() {
    let world = World::new();
    let (a, id) = block(64);
    let inner = Value::list(vec![Value::None, a.clone()]);
    world.bind("x", Value::list(vec![a, inner]));
    assert_eq!(world.paths(id), strings(&[("x[1][1]", "del x[1][1]"), ("x[0]", "del x[0]")]));
}

#[test]
fn keys_are_written_as_literals_or_the_owner_lets_go() {
    let world = World::new();
    let (a, id) = block(64);
    world.bind("cache", dict(vec![(Value::str("it's"), a.clone())]));
    let odd = Value::list(vec![]);
    world.bind("other", dict(vec![(odd, a)]));
    assert_eq!(world.paths(id), strings(&[("cache[\"it's\"]", "del cache[\"it's\"]"), ("other[<list>]", "del other")]));
}

#[test]
fn attributes_are_deleted_where_they_stand() {
    let world = World::new();
    let (a, id) = block(64);
    let class = Ref::new(crate::lang::objects::ClassObject::new(
        Name::new("Model"),
        Name::new("__main__"),
        vec![builtin_class(Builtin::Object)],
        vec![builtin_class(Builtin::Object)],
        PayloadKind::Attributes,
        true,
    ));
    let model = Ref::new(InstanceObject::new(class, Value::Unset));
    model.attributes.borrow_mut().insert(Name::new("weights"), a);
    world.bind("model", Value::Instance(model));
    let holders = world.graph().holders(id, 64);
    assert_eq!(holders.len(), 1);
    assert_eq!(holders[0].path, "model.weights");
    assert_eq!(holders[0].let_go.as_deref(), Some("del model.weights"));
}

#[test]
fn a_cycle_without_a_root_is_the_collectors() {
    let world = World::new();
    let (a, id) = block(64);
    let list = Value::list(vec![a]);
    if let Value::List(items) = &list {
        items.items.borrow_mut().push(list.clone());
    }
    let holders = world.graph().holders(id, 64);
    let Value::List(items) = list else { unreachable!("made as a list") };
    assert_eq!(holders.len(), 1, "{holders:?}");
    assert_eq!(holders[0].kind, HolderKind::Cycle);
    drop(items.items.take());
}

#[test]
fn what_is_foretold_is_what_happens() {
    let world = World::new();
    let (a, id) = block(64);
    let (b, other) = block(32);
    let list = Value::list(vec![a, b.clone(), Value::list(vec![Value::Int(1)])]);
    world.bind("b", b);
    world.bind("list", list.clone());
    let foretold = foretell_with(vec![list.clone()], Vec::new());
    assert_eq!(foretold.allocations, Vec::<u64>::new(), "the test itself holds the list once more");
    drop(list);
    let list = world.main.get(Name::new("list")).unwrap();
    let foretold = foretell_with(vec![list], Vec::new());
    assert_eq!(foretold.allocations, vec![id], "b keeps the other");
    assert_eq!(foretold.bytes, 64);
    drop(world.main.globals.borrow_mut().set(Name::new("list"), Value::Unset));
    let live: Vec<u64> = ledger::entries().iter().map(|entry| entry.id).collect();
    assert_eq!(live, vec![other]);
}

#[test]
fn every_live_allocation_is_reached() {
    let world = World::new();
    let (blocks, ids): (Vec<Value>, Vec<u64>) = (0..1000).map(|_| block(64)).unzip();
    world.bind("blocks", Value::list(blocks));
    let graph = world.graph();
    for id in ids {
        assert_eq!(graph.holders(id, 2).len(), 1);
    }
}

#[test]
fn edges_that_explain_are_words() {
    let world = World::new();
    let (a, id) = block(64);
    world.bind("d", dict(vec![(Value::str("k"), Value::tuple(vec![a]))]));
    let holders = world.graph().holders(id, 64);
    assert_eq!(holders[0].chain, ["element 0 of tuple", "entry 'k' of dict", "name d"]);
}
