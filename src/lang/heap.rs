//! The object heap: reference-counted allocations, the registry the collector and the holder walk enumerate, and release
//! without recursion.
//!
//! This file and `heap/weak` are the `unsafe` files of the language. A [`Ref`] is a thin, non-atomic pointer to an allocation whose header
//! carries the count, the collector's mark and a table of operations by kind. Values never leave the evaluator thread, so
//! nothing here is `Send`.

pub mod weak;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Deref;
use std::ptr::NonNull;

use hashbrown::HashSet;

use super::value::{Edge, Value};

/// How many releases may nest on the Rust stack before the rest goes through the work list.
const RELEASE_DEPTH_MAX: u32 = 48;

/// Slot value of an allocation that the registry does not list.
const UNREGISTERED: u32 = u32::MAX;

/// What the heap must know about an object type.
pub trait HeapObject: 'static {
    /// Whether the object can hold values, so that the collector and the holder walk must see it.
    const IS_CONTAINER: bool;

    /// Calls `visit` with every value this object holds and how it holds it; each held reference exactly once.
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value));

    /// Moves every held value into `into`, leaving the object empty; breaks cycles and keeps release iterative.
    fn take_children(&self, into: &mut Vec<Value>);

    /// The value that refers to this object, for kinds a finalizer or the collector's report can name.
    fn as_value(this: &Ref<Self>) -> Value
    where
        Self: Sized;

    /// Whether a user-defined finalizer must run before the object goes.
    fn wants_finalizer(&self) -> bool {
        false
    }
}

/// Shows every held value to a visitor.
type VisitFn = unsafe fn(NonNull<Header>, &mut dyn FnMut(Edge<'_>, &Value));

/// Operations by object type, one static table each.
struct Operations {
    visit: VisitFn,
    take: unsafe fn(NonNull<Header>, &mut Vec<Value>),
    free: unsafe fn(NonNull<Header>),
    value: unsafe fn(NonNull<Header>) -> Value,
    wants_finalizer: unsafe fn(NonNull<Header>) -> bool,
}

/// What stands before every object: count, registry slot, mark, operations.
pub struct Header {
    count: Cell<u32>,
    slot: Cell<u32>,
    mark: Cell<u32>,
    generation: Cell<u8>,
    finalized: Cell<bool>,
    is_weakly_referenced: Cell<bool>,
    operations: &'static Operations,
}

#[repr(C)]
struct Allocation<T> {
    header: Header,
    object: T,
}

/// A counted reference to a heap object.
#[repr(transparent)]
pub struct Ref<T: HeapObject> {
    pointer: NonNull<Allocation<T>>,
    owner: PhantomData<Allocation<T>>,
}

/// The heap of this thread.
struct Heap {
    /// Containers by generation: those that survived no, one, or more collections.
    generations: [RefCell<Vec<NonNull<Header>>>; GENERATIONS],
    release_depth: Cell<u32>,
    postponed: RefCell<Vec<NonNull<Header>>>,
    awaiting_finalizer: RefCell<Vec<Value>>,
    weak: RefCell<weak::Table>,
    /// What stands for weak references whose target went and that have a callback.
    callbacks: RefCell<Vec<Value>>,
}

impl Heap {
    const fn new() -> Self {
        Self {
            generations: [const { RefCell::new(Vec::new()) }; GENERATIONS],
            release_depth: Cell::new(0),
            postponed: RefCell::new(Vec::new()),
            awaiting_finalizer: RefCell::new(Vec::new()),
            weak: RefCell::new(weak::Table::new()),
            callbacks: RefCell::new(Vec::new()),
        }
    }
}

thread_local! {
    static HEAP: Heap = const { Heap::new() };
    // What the machine polls stands apart: nothing here is ever dropped, so that a look costs one load.
    static HAS_FINALIZERS: Cell<bool> = const { Cell::new(false) };
    static ALLOCATION_BALANCE: Cell<i64> = const { Cell::new(0) };
}

/// The two words of a [`Value`]: its `repr(u64)` puts the tag first. From [`Value::FIRST_COUNTED`] on every variant carries one
/// [`Ref`], which is a pointer to an [`Allocation`], whose header comes first.
///
/// Values are copied by words: sixteen bytes in one load would wait for two stores of eight that were made just before.
#[derive(Clone, Copy)]
#[repr(C)]
struct Words {
    tag: u64,
    payload: MaybeUninit<NonNull<Header>>,
}

const _: () = assert!(size_of::<Words>() == size_of::<Value>() && align_of::<Words>() == align_of::<Value>());

impl Words {
    #[inline(always)]
    fn of(value: &Value) -> Self {
        let place = std::ptr::from_ref(value).cast::<Self>();
        // SAFETY: a value has the layout of its words; what a variant leaves undefined may be so in the payload.
        unsafe { Self { tag: (*place).tag, payload: (*place).payload } }
    }

    /// The header of the object that the value refers to; nothing for inline values.
    #[inline(always)]
    fn header(self) -> Option<NonNull<Header>> {
        // SAFETY: a value with such a tag carries a `Ref`, see above.
        (self.tag >= Value::FIRST_COUNTED).then(|| unsafe { self.payload.assume_init() })
    }

    /// Writes the words of a value.
    ///
    /// # Safety
    /// The place must be good for writing, and the caller sees to it that the reference among the words is counted once for each copy.
    #[inline(always)]
    unsafe fn write(self, place: *mut Value) {
        let place = place.cast::<Self>();
        // SAFETY: the caller's.
        unsafe {
            (*place).tag = self.tag;
            (*place).payload = self.payload;
        }
    }
}

/// Takes one reference from an object whose header this is, which the caller owned.
#[inline(always)]
fn release_one(header: NonNull<Header>) {
    // SAFETY: the caller's reference kept the object alive until now.
    let count = unsafe { &header.as_ref().count };
    count.set(count.get() - 1);
    if count.get() == 0 {
        release(header);
    }
}

/// `Value::clone`, without telling the kinds of references apart.
#[inline(always)]
pub(super) fn clone_value(value: &Value) -> Value {
    let words = Words::of(value);
    if let Some(header) = words.header() {
        // SAFETY: the value keeps its object alive.
        let count = unsafe { &header.as_ref().count };
        count.set(count.get() + 1);
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: the words of an inline value are the value; any other's object counts the copy from now on.
    unsafe {
        words.write(copy.as_mut_ptr());
        copy.assume_init()
    }
}

/// Drops a value, without telling the kinds of references apart.
#[inline(always)]
pub(super) fn discard_value(value: Value) {
    let value = ManuallyDrop::new(value);
    if let Some(header) = Words::of(&value).header() {
        release_one(header);
    }
}

/// Puts a value in the place of another, which is dropped afterwards.
#[inline(always)]
pub(super) fn put_value(place: &mut Value, value: Value) {
    let value = ManuallyDrop::new(value);
    let old = Words::of(place);
    // SAFETY: the value moves into the place, whose old reference is released below.
    unsafe { Words::of(&value).write(place) };
    if let Some(header) = old.header() {
        release_one(header);
    }
}

/// Moves values, by words, into places that are unset. One by one, although slices can be swapped: that would read in wide loads
/// what was just written in words, and wait for it.
#[inline(always)]
pub(super) fn move_values(from: &mut [Value], into: &mut [Value]) {
    for (value, place) in from.iter_mut().zip(into) {
        if value.is_unset() {
            continue;
        }
        debug_assert!(place.is_unset(), "the place holds nothing that would have to be released");
        // SAFETY: the value moves into a place that owns nothing, and an unset value stays where it was.
        unsafe {
            Words::of(value).write(place);
            std::ptr::write(value, Value::Unset);
        }
    }
}

impl<T: HeapObject> Ref<T> {
    const OPERATIONS: &'static Operations = &Operations {
        visit: |header, visit| {
            // SAFETY: the table is only reached through a header that `Ref::<T>::new` made, so the allocation is of `T`.
            unsafe { header.cast::<Allocation<T>>().as_ref() }.object.visit_children(visit);
        },
        take: |header, into| {
            // SAFETY: as for `visit`.
            unsafe { header.cast::<Allocation<T>>().as_ref() }.object.take_children(into);
        },
        free: |header| {
            // SAFETY: called once, by the release that took the count to zero; the box was leaked by `Ref::<T>::new`.
            drop(unsafe { Box::from_raw(header.cast::<Allocation<T>>().as_ptr()) });
        },
        value: |header| {
            let pointer = header.cast::<Allocation<T>>();
            // SAFETY: the header belongs to a live allocation of `T`.
            let counted = unsafe { Ref::<T>::from_live(pointer) };
            T::as_value(&counted)
        },
        wants_finalizer: |header| {
            // SAFETY: as for `visit`.
            unsafe { header.cast::<Allocation<T>>().as_ref() }.object.wants_finalizer()
        },
    };

    /// Places `object` on the heap with a count of one.
    pub fn new(object: T) -> Self {
        let header = Header {
            count: Cell::new(1),
            slot: Cell::new(UNREGISTERED),
            mark: Cell::new(0),
            generation: Cell::new(0),
            finalized: Cell::new(false),
            is_weakly_referenced: Cell::new(false),
            operations: Self::OPERATIONS,
        };
        let pointer = NonNull::from(Box::leak(Box::new(Allocation { header, object })));
        if T::IS_CONTAINER {
            HEAP.with(|heap| heap.register(pointer.cast()));
        }
        Self { pointer, owner: PhantomData }
    }

    /// A new counted reference to a live allocation.
    ///
    /// # Safety
    /// `pointer` must come from `Ref::<T>::new` and not be freed yet (a count of zero is allowed only while its release is under way).
    unsafe fn from_live(pointer: NonNull<Allocation<T>>) -> Self {
        // SAFETY: live by the caller's contract.
        let header = unsafe { &pointer.as_ref().header };
        header.count.set(header.count.get() + 1);
        Self { pointer, owner: PhantomData }
    }

    fn header(&self) -> &Header {
        // SAFETY: a `Ref` keeps its allocation alive.
        unsafe { &self.pointer.as_ref().header }
    }

    /// How many references there are.
    #[inline]
    pub fn count(this: &Self) -> u32 {
        this.header().count.get()
    }

    /// Whether both refer to the same object.
    #[inline]
    pub fn ptr_eq(a: &Self, b: &Self) -> bool {
        a.pointer == b.pointer
    }

    /// The object, to change it, where this is the only reference to it.
    #[inline]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        if this.header().count.get() != 1 {
            return None;
        }
        // SAFETY: the only counted reference is borrowed mutably here, so nothing else reaches the object meanwhile; the
        // registry looks at objects only through counted references.
        Some(unsafe { &mut this.pointer.as_mut().object })
    }

    /// The object's identity, as `id()` shows it.
    #[inline]
    pub fn address(this: &Self) -> usize {
        this.pointer.as_ptr() as usize
    }

    /// The mark that the collector or a walk left.
    #[inline]
    pub fn mark(this: &Self) -> u32 {
        this.header().mark.get()
    }

    /// Sets the mark.
    #[inline]
    pub fn set_mark(this: &Self, mark: u32) {
        this.header().mark.set(mark);
    }

    /// Has the processor fetch the object's header, which is looked at soon.
    #[inline]
    pub fn prefetch(this: &Self) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: fetching ahead reads nothing that could be seen, and every processor of this kind can.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(this.pointer.as_ptr().cast()) };
        }
    }

    /// The type-erased object, for marks and walks.
    #[inline]
    pub fn erased(this: &Self) -> ObjectId {
        ObjectId(this.pointer.cast())
    }
}

impl<T: HeapObject> Clone for Ref<T> {
    #[inline]
    fn clone(&self) -> Self {
        let header = self.header();
        header.count.set(header.count.get() + 1);
        Self { pointer: self.pointer, owner: PhantomData }
    }
}

impl<T: HeapObject> Drop for Ref<T> {
    #[inline]
    fn drop(&mut self) {
        let header = self.header();
        let count = header.count.get() - 1;
        header.count.set(count);
        if count == 0 {
            release(self.pointer.cast());
        }
    }
}

impl<T: HeapObject> Deref for Ref<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: a `Ref` keeps its allocation alive, and objects are only mutated through cells of their own.
        unsafe { &self.pointer.as_ref().object }
    }
}

impl<T: HeapObject> PartialEq for Ref<T> {
    /// Identity, not the language's `==`.
    fn eq(&self, other: &Self) -> bool {
        Self::ptr_eq(self, other)
    }
}
impl<T: HeapObject> Eq for Ref<T> {}

impl<T: HeapObject> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ref<{}>@{:#x}", std::any::type_name::<T>(), Self::address(self))
    }
}

/// An object without its type: an identity that marks, counts and walks use. It does not keep the object alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(NonNull<Header>);

impl ObjectId {
    /// The address, as `id()` shows it.
    pub fn address(self) -> usize {
        self.0.as_ptr() as usize
    }
}

/// A container that was alive when [`containers`] listed it, kept alive by this handle.
pub struct LiveObject(NonNull<Header>);

impl LiveObject {
    fn new(header: NonNull<Header>) -> Self {
        // SAFETY: callers pass headers of live allocations.
        let h = unsafe { header.as_ref() };
        h.count.set(h.count.get() + 1);
        Self(header)
    }

    fn header(&self) -> &Header {
        // SAFETY: the handle holds a count.
        unsafe { self.0.as_ref() }
    }

    /// The identity.
    pub fn id(&self) -> ObjectId {
        ObjectId(self.0)
    }

    /// References to the object, without this handle's own.
    pub fn count(&self) -> u32 {
        self.header().count.get() - 1
    }

    /// Sets the mark.
    pub fn set_mark(&self, mark: u32) {
        self.header().mark.set(mark);
    }

    /// Whether a user-defined finalizer has to run and has not.
    pub fn wants_finalizer(&self) -> bool {
        // SAFETY: the table belongs to this allocation's type.
        !self.header().finalized.get() && unsafe { (self.header().operations.wants_finalizer)(self.0) }
    }

    /// Whether the finalizer ran.
    pub fn is_finalized(&self) -> bool {
        self.header().finalized.get()
    }

    /// Notes that the finalizer ran, so that it never runs twice.
    pub fn set_finalized(&self) {
        self.header().finalized.set(true);
    }

    /// Calls `visit` with every value the object holds.
    pub fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        // SAFETY: as above.
        unsafe { (self.header().operations.visit)(self.0, visit) }
    }

    /// Moves every value the object holds into `into`.
    pub fn take_children(&self, into: &mut Vec<Value>) {
        // SAFETY: as above.
        unsafe { (self.header().operations.take)(self.0, into) }
    }

    /// The object as a value.
    pub fn value(&self) -> Value {
        // SAFETY: as above.
        unsafe { (self.header().operations.value)(self.0) }
    }
}

impl Drop for LiveObject {
    fn drop(&mut self) {
        let header = self.header();
        let count = header.count.get() - 1;
        header.count.set(count);
        if count == 0 {
            release(self.0);
        }
    }
}

/// How many generations the collector tells apart.
pub const GENERATIONS: usize = 3;

/// Every container alive on this thread, each held until the list is dropped.
pub fn containers() -> Vec<LiveObject> {
    containers_up_to(GENERATIONS - 1)
}

/// The containers of a generation and all younger ones, each held until the list is dropped.
pub fn containers_up_to(generation: usize) -> Vec<LiveObject> {
    HEAP.with(|heap| {
        let mut listed = Vec::new();
        for containers in &heap.generations[..=generation] {
            listed.extend(containers.borrow().iter().map(|&header| LiveObject::new(header)));
        }
        listed
    })
}

/// The containers that no walk has marked, each held until the list is dropped.
pub fn containers_without_mark() -> Vec<LiveObject> {
    HEAP.with(|heap| {
        let mut listed = Vec::new();
        for containers in &heap.generations {
            // SAFETY: the registry lists live allocations only.
            let unmarked = |header: &&NonNull<Header>| unsafe { header.as_ref() }.mark.get() == 0;
            listed.extend(containers.borrow().iter().filter(unmarked).map(|&header| LiveObject::new(header)));
        }
        listed
    })
}

/// Moves all containers of `generation` and younger ones into the next generation (the oldest stays the oldest).
pub fn promote(generation: usize) {
    HEAP.with(|heap| {
        let target = (generation + 1).min(GENERATIONS - 1);
        for source in 0..=generation {
            if source == target {
                continue;
            }
            let moving = std::mem::take(&mut *heap.generations[source].borrow_mut());
            let mut into = heap.generations[target].borrow_mut();
            for header in moving {
                // SAFETY: the registry lists live allocations only.
                let h = unsafe { header.as_ref() };
                h.generation.set(target as u8);
                h.slot.set(into.len() as u32);
                into.push(header);
            }
        }
    });
}

/// How many containers are alive on this thread.
pub fn container_count() -> usize {
    HEAP.with(|heap| heap.generations.iter().map(|containers| containers.borrow().len()).sum())
}

/// How many containers a generation has.
pub fn generation_count(generation: usize) -> usize {
    HEAP.with(|heap| heap.generations[generation].borrow().len())
}

/// Containers made less containers released since [`reset_allocation_balance`]: what CPython's first threshold counts.
#[inline]
pub fn allocation_balance() -> i64 {
    ALLOCATION_BALANCE.get()
}

/// Starts the balance anew, after a collection.
pub fn reset_allocation_balance() {
    ALLOCATION_BALANCE.set(0);
}

/// Whether objects wait for their user-defined finalizer, or weak references for their callback; cheap enough to poll.
#[inline]
pub fn has_finalizers() -> bool {
    HAS_FINALIZERS.get()
}

/// Takes the objects whose user-defined finalizer must run now.
pub fn take_finalizers() -> Vec<Value> {
    HAS_FINALIZERS.set(false);
    HEAP.with(|heap| std::mem::take(&mut *heap.awaiting_finalizer.borrow_mut()))
}

impl Heap {
    fn register(&self, header: NonNull<Header>) {
        let mut containers = self.generations[0].borrow_mut();
        let slot = u32::try_from(containers.len()).unwrap_or(UNREGISTERED);
        assert!(slot != UNREGISTERED, "fewer than 2^32 containers are alive");
        // SAFETY: the caller just made the allocation.
        unsafe { header.as_ref() }.slot.set(slot);
        containers.push(header);
        ALLOCATION_BALANCE.set(ALLOCATION_BALANCE.get() + 1);
    }

    fn unregister(&self, header: &Header) {
        let mut containers = self.generations[usize::from(header.generation.get())].borrow_mut();
        let slot = header.slot.get();
        containers.swap_remove(slot as usize);
        if let Some(moved) = containers.get(slot as usize) {
            // SAFETY: the registry lists live allocations only.
            unsafe { moved.as_ref() }.slot.set(slot);
        }
        ALLOCATION_BALANCE.set(ALLOCATION_BALANCE.get() - 1);
    }
}

/// Frees an allocation whose count is zero; deep chains go through a work list so that the stack stays flat.
#[cold]
#[inline(never)]
fn release_slow(heap: &Heap, header: NonNull<Header>) {
    heap.postponed.borrow_mut().push(header);
}

#[inline(never)]
fn release(header: NonNull<Header>) {
    // A thread that is ending has no heap any more; its objects are freed directly.
    let done = HEAP.try_with(|heap| {
        let depth = heap.release_depth.get();
        if depth >= RELEASE_DEPTH_MAX {
            release_slow(heap, header);
            return;
        }
        heap.release_depth.set(depth + 1);
        free_now(heap, header);
        // Only the outermost release empties the list; the borrow ends before anything is freed.
        let next_postponed = || if depth == 0 { heap.postponed.borrow_mut().pop() } else { None };
        while let Some(next) = next_postponed() {
            free_now(heap, next);
        }
        heap.release_depth.set(depth);
    });
    if done.is_err() {
        // SAFETY: the count is zero and nothing else can reach the allocation.
        unsafe { (header.as_ref().operations.free)(header) };
    }
}

fn free_now(heap: &Heap, pointer: NonNull<Header>) {
    // SAFETY: the count reached zero just now, so the allocation is still there and nobody else frees it.
    let header = unsafe { pointer.as_ref() };
    // SAFETY: the table belongs to this allocation's type.
    if !header.finalized.get() && unsafe { (header.operations.wants_finalizer)(pointer) } {
        header.finalized.set(true);
        // SAFETY: the value raises the count from zero to one, which revives the object until its finalizer has run.
        let revived = unsafe { (header.operations.value)(pointer) };
        heap.awaiting_finalizer.borrow_mut().push(revived);
        HAS_FINALIZERS.set(true);
        return;
    }
    if header.is_weakly_referenced.get() {
        weak::let_go(heap, pointer, &HashSet::new());
    }
    if header.slot.get() != UNREGISTERED {
        heap.unregister(header);
    }
    // SAFETY: as above; after this nothing refers to the allocation.
    unsafe { (header.operations.free)(pointer) };
}
