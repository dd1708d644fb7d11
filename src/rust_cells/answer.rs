//! Answers to array requests, on the evaluator's thread. Operations build expressions, as in array cells; they are computed
//! when their value is needed, before memory is written, and at the end of a cell.

use std::sync::PoisonError;

use super::functions::{Function, FunctionLink};
use super::handles::{Key, State};
use super::serve::{Connection, Failure, Found, Incoming, Names, Server, What, check_not_planned};
use super::shared::{Link, LinkError, Window, receive_pieces, send_pieces};
use super::wire::{Answer, Data, FRAME_BYTES_MAX, Facts, INLINE_BYTES_MAX, Request, Term};
use crate::arrays::dtype::Casting;
use crate::arrays::expr::{self, Expr};
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{convert, creation, shapes};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::{
    Alloc, Array, ArrayError, DType, Operand, Order, Place, UsmKind, account, chunk, ledger, pool, registry,
};

/// Results with fewer elements are computed at once, as in array cells.
const DEFER_ELEMENTS_MIN: usize = 4096;

/// What allocations of Rust cells are entered under where no operation has a better word, and how transfers name the other end.
pub(super) const RUST: &str = "rust";

/// Why a request has no answer.
enum Stop {
    /// It is refused.
    Failed(Failure),
    /// The connection is of no more use.
    Link(LinkError),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

impl From<ArrayError> for Stop {
    fn from(error: ArrayError) -> Self {
        Stop::Failed(error.into())
    }
}

impl From<LinkError> for Stop {
    fn from(error: LinkError) -> Self {
        Stop::Link(error)
    }
}

/// Whose rules an array's operations follow.
fn rules(place: Option<&Place>) -> Flavour {
    match place {
        None | Some(Place::Host) => Flavour::NumPy,
        Some(Place::Queue(_)) => Flavour::Dpnp,
    }
}

/// Tries work that allocates, once more after room was made.
pub(super) fn with_relief<T>(
    names: &mut dyn Names,
    mut work: impl FnMut() -> Result<T, ArrayError>,
) -> Result<T, Failure> {
    let done = match work() {
        Err(error) if error.out_of_memory().is_some() => {
            registry::finish_all()?;
            names.relieve()?;
            pool::trim_all();
            chunk::giving_way(work)
        }
        done => done,
    };
    // Rust has no warnings of NumPy's kind, and the next cell must not be told of these.
    expr::warnings::take();
    done.map_err(|error| match error.out_of_memory().cloned() {
        Some(shortage) => Failure { message: names.explain(&shortage), ..Failure::from(error) },
        None => Failure::from(error),
    })
}

impl Server {
    /// Answers one request, on the evaluator's thread.
    pub fn answer(&mut self, incoming: Incoming, names: &mut dyn Names) {
        let Incoming { connection, what, done } = incoming;
        let released = std::mem::take(&mut *connection.released());
        for handle in released {
            self.handles.borrow_mut().release((connection.number, handle));
        }
        match what {
            What::Released => {}
            What::Closed => self.forget(&connection),
            What::Functions => self.links.extend(FunctionLink::new(&connection)),
            What::Frame(bytes) => self.answer_frame(&connection, &bytes, names),
        }
        if let Some(done) = done {
            // The connection's thread may have ended meanwhile.
            let _ = done.send(());
        }
    }

    fn answer_frame(&mut self, connection: &Connection, bytes: &[u8], names: &mut dyn Names) {
        let attention = self.attention.clone();
        let link = Link::new(&connection.stream, &attention);
        let answer = match Request::parse(bytes) {
            // What it wanted is unknown, and so is what it sends next.
            Err(malformed) => {
                let failed = Answer::Failed { class: "RuntimeError".into(), message: malformed.to_string() };
                let _ = link.send(&failed.frame());
                return connection.close();
            }
            Ok(request) => ledger::with_op(RUST, || self.try_answer(connection, link, request, names)),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(Stop::Failed(Failure { class, message })) => Answer::Failed { class, message },
            Err(Stop::Link(error)) => {
                tracing::debug!(%error, "a connection of Rust values ends");
                return connection.close();
            }
        };
        if link.send(&answer.frame()).is_err() {
            connection.close();
        }
    }

    fn try_answer(
        &mut self,
        connection: &Connection,
        link: Link<'_>,
        request: Request,
        names: &mut dyn Names,
    ) -> Result<Answer, Stop> {
        check_not_planned()?;
        let key = |handle| (connection.number, handle);
        match request {
            Request::Get { name, into } => {
                let found = names.find(&name)?.ok_or_else(|| {
                    Failure::new("NameError", format!("name '{name}' is not defined in the array cells"))
                })?;
                self.keep(key(into), found)
            }
            Request::Put { name, from } => {
                let found = self.ready(key(from), names)?;
                names.bind(&name, found)?;
                Ok(Answer::Done)
            }
            // The connection's thread keeps these to itself; here they are as good.
            Request::Release { handles } => {
                handles.into_iter().for_each(|handle| self.handles.borrow_mut().release(key(handle)));
                Ok(Answer::Done)
            }
            Request::Clone { from, into } => {
                let state = self.handles.borrow().state(key(from))?;
                let facts = match &state {
                    State::Pending(expression) => facts_of(expression),
                    State::Ready(found) => facts(&found.array),
                    State::Failed(_) | State::Freed(_) => return Ok(Answer::Done),
                };
                self.handles.borrow_mut().insert(key(into), state, ledger::cell())?;
                Ok(Answer::Array(facts))
            }
            Request::Copy { from, into } => {
                let array = self.ready(key(from), names)?.array;
                let copy = with_relief(names, || convert::copy(&array, MemoryOrder::C))?;
                self.keep(key(into), fresh(copy))
            }
            Request::Apply { op, operands, into } => {
                let inputs = operands.iter().map(|term| self.term(connection, term)).collect::<Result<Vec<_>, _>>()?;
                let place = inputs.iter().find_map(Expr::place);
                let expression = Expr::apply(op, &inputs, rules(place))?;
                self.defer(key(into), expression, op.name(), names)
            }
            Request::Reduce { op, from, axes, keepdims, into } => {
                let input = self.handles.borrow().expression(key(from))?;
                let expression = input.reduce(op, axes.as_deref(), keepdims, None, rules(input.place()))?;
                self.defer(key(into), expression, op.name(), names)
            }
            Request::Matmul { left, right, into } => {
                let (left, right) = (self.ready(key(left), names)?.array, self.ready(key(right), names)?.array);
                let rules = rules(Some(left.place()));
                let product =
                    ledger::with_op("matmul", || with_relief(names, || expr::matmul(&left, &right, None, rules)))?;
                self.keep(key(into), fresh(product))
            }
            Request::Reshape { from, shape, into } => {
                let found = self.ready(key(from), names)?;
                let rules = rules(Some(found.array.place()));
                let array = with_relief(names, || shapes::reshape(&found.array, &shape, MemoryOrder::C, None, rules))?;
                self.keep(key(into), Found { array, ..found })
            }
            Request::Transpose { from, into } => {
                let found = self.ready(key(from), names)?;
                self.keep(key(into), Found { array: found.array.transposed(), ..found })
            }
            Request::Index { from, items, into } => {
                let found = self.ready(key(from), names)?;
                self.keep(key(into), Found { array: found.array.index(&items)?, ..found })
            }
            Request::Cast { from, dtype, into } => {
                let input = self.handles.borrow().expression(key(from))?;
                if let Some(place) = input.place() {
                    crate::arrays::array::check_dtype_on(dtype, place)?;
                }
                self.defer(key(into), input.cast(dtype), "astype", names)
            }
            Request::Move { from, device, into } => {
                let array = self.ready(key(from), names)?.array;
                let moved = ledger::with_op("to_device", || with_relief(names, || move_to(&array, &device)))?;
                self.keep(key(into), fresh(moved))
            }
            Request::Fill { shape, value, dtype, into } => {
                let shape = lengths(&shape)?;
                let made = with_relief(names, || {
                    let alloc = Alloc::default_device()?;
                    creation::full(&shape, Operand::Weak(value), dtype, Order::C, &alloc)
                })?;
                self.keep(key(into), fresh(made))
            }
            Request::Range { start, stop, step, into } => {
                let made = with_relief(names, || {
                    let alloc = Alloc::default_device()?;
                    let [start, stop, step] = [start, stop, step].map(Operand::Weak);
                    creation::arange(start, stop, step, None, &alloc, Flavour::Dpnp)
                })?;
                self.keep(key(into), fresh(made))
            }
            Request::Create { dtype, shape, data, into } => {
                let array = create(link, &connection_window(connection), dtype, &shape, data, names)?;
                self.keep(key(into), fresh(array))
            }
            Request::Read { from } => {
                let array = self.ready(key(from), names)?.array;
                read(link, &connection_window(connection), &array, names)
            }
            Request::Assign { target, op, value } => {
                self.assign(connection, key(target), op, &value, names)?;
                Ok(Answer::Done)
            }
            Request::Show { from } => {
                let array = self.ready(key(from), names)?.array;
                Ok(Answer::Shown(names.show(&array)?))
            }
            Request::Compute { from } => {
                self.ready(key(from), names)?;
                Ok(Answer::Done)
            }
            Request::Name { named } => {
                self.handles.borrow_mut().name(connection.number, named);
                Ok(Answer::Done)
            }
            Request::Register { function } => {
                let link =
                    self.links.iter().rev().find(|link| link.process() == connection.process).ok_or_else(|| {
                        Failure::new("RuntimeError", "the connection that calls functions is not there")
                    })?;
                names.bind_function(std::rc::Rc::new(Function::new(function, link.clone())))?;
                Ok(Answer::Done)
            }
        }
    }

    /// Computes everything that waits: at the end of a cell, so that its errors and its memory are its own.
    pub fn settle(&mut self, names: &mut dyn Names) -> Result<(), Failure> {
        let mut first = None;
        let pending = self.handles.borrow().pending();
        for key in pending {
            if let Err(failure) = ledger::with_op(RUST, || self.ready(key, names)) {
                first.get_or_insert(failure);
            }
        }
        first.map_or(Ok(()), Err)
    }

    fn term(&self, connection: &Connection, term: &Term) -> Result<Expr, Failure> {
        match term {
            Term::Handle(handle) => self.handles.borrow().expression((connection.number, *handle)),
            Term::Scalar(operand) => Ok(Expr::scalar(*operand)),
        }
    }

    /// The computed array of a handle; it is computed now if it was not.
    fn ready(&mut self, key: Key, names: &mut dyn Names) -> Result<Found, Failure> {
        let state = self.handles.borrow().state(key)?;
        match state {
            State::Pending(expression) => match with_relief(names, || expression.evaluate()) {
                Ok(array) => {
                    self.handles.borrow_mut().replace(key, State::Ready(fresh(array.clone())));
                    Ok(fresh(array))
                }
                Err(failure) => {
                    self.handles.borrow_mut().replace(key, State::Failed(failure.clone()));
                    Err(failure)
                }
            },
            State::Ready(found) => {
                found.array.buffer().check()?;
                Ok(found)
            }
            State::Failed(failure) => Err(failure),
            State::Freed(by) => Err(Failure::new("ReleasedArrayError", by)),
        }
    }

    fn keep(&mut self, key: Key, found: Found) -> Result<Answer, Stop> {
        let facts = facts(&found.array);
        self.handles.borrow_mut().insert(key, State::Ready(found), ledger::cell())?;
        Ok(Answer::Array(facts))
    }

    fn defer(&mut self, key: Key, expression: Expr, op: &'static str, names: &mut dyn Names) -> Result<Answer, Stop> {
        if expression.len_elements() < DEFER_ELEMENTS_MIN {
            let array = ledger::with_op(op, || with_relief(names, || expression.evaluate()))?;
            return self.keep(key, fresh(array));
        }
        let facts = facts_of(&expression);
        self.handles.borrow_mut().insert(key, State::Pending(expression), ledger::cell())?;
        Ok(Answer::Array(facts))
    }

    fn assign(
        &mut self,
        connection: &Connection,
        target: Key,
        op: Option<Op>,
        value: &Term,
        names: &mut dyn Names,
    ) -> Result<(), Failure> {
        let target = self.ready(target, names)?;
        if target.is_readonly || target.array.layout().overlaps_itself() {
            return Err(Failure::new("ValueError", "assignment destination is read-only: copy() it first"));
        }
        // Whoever waits to read this memory reads it before it changes.
        self.settle(names)?;
        let target = target.array;
        let value = self.term(connection, value)?;
        let value = match op {
            Some(op) => Expr::apply(op, &[Expr::array(&target), value], rules(Some(target.place())))?,
            None => value,
        };
        if value.place().is_some_and(|place| place != target.place()) {
            return Err(Failure::new(
                "ExecutionPlacementError",
                "the array and what is written into it are on different devices: move one with to_device()",
            ));
        }
        let is_weak = value.place().is_none();
        if !is_weak && !value.dtype().can_cast(target.dtype(), Casting::SameKind) {
            return Err(Failure::new(
                "TypeError",
                format!(
                    "{} does not go into an array of {}: convert it with astype() first",
                    value.dtype().name(),
                    target.dtype().name()
                ),
            ));
        }
        with_relief(names, || value.evaluate_into(&target, None))
    }
}

fn connection_window(connection: &Connection) -> std::sync::MutexGuard<'_, Option<Window>> {
    connection.window.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An array that nobody else has yet.
fn fresh(array: Array) -> Found {
    Found { array, is_readonly: false }
}

fn device_text(place: Option<&Place>) -> String {
    match place {
        None | Some(Place::Host) => "host".to_owned(),
        Some(Place::Queue(queue)) => queue.device().filter_string(),
    }
}

fn wide(shape: &[usize]) -> Vec<u64> {
    shape.iter().map(|&len| len as u64).collect()
}

fn facts(array: &Array) -> Facts {
    Facts { dtype: array.dtype(), shape: wide(array.shape()), device: device_text(Some(array.place())) }
}

fn facts_of(expression: &Expr) -> Facts {
    let device = device_text(expression.place());
    Facts { dtype: expression.dtype(), shape: wide(expression.shape()), device }
}

fn lengths(shape: &[u64]) -> Result<Vec<usize>, Failure> {
    let too_large = || Failure::new("ValueError", "the shape has more elements than there are addresses");
    let lengths: Result<Vec<usize>, _> = shape.iter().map(|&len| usize::try_from(len)).collect();
    let lengths = lengths.map_err(|_| too_large())?;
    crate::arrays::layout::checked_len(&lengths).filter(|len| len.checked_mul(16).is_some()).ok_or_else(too_large)?;
    Ok(lengths)
}

fn move_to(array: &Array, device: &str) -> Result<Array, ArrayError> {
    if device == "host" {
        return convert::copy_to(array, None, &Alloc::HOST);
    }
    let queue = registry::cached_queue(&registry::select_for_queue(device)?)?;
    match array.place() {
        Place::Host => convert::copy_to(array, None, &Alloc::queue(queue, UsmKind::Device)),
        Place::Queue(_) => array.to_queue(&queue),
    }
}

/// The array itself or a copy of it, in C order without gaps.
pub(super) fn contiguous(array: &Array) -> Result<Array, ArrayError> {
    if array.is_c_contiguous() { Ok(array.clone()) } else { convert::copy(array, MemoryOrder::C) }
}

fn no_window() -> Failure {
    Failure::new("RuntimeError", "the connection has no shared memory")
}

/// Takes the elements of a new array from the other end.
fn create(
    link: Link<'_>,
    window: &Option<Window>,
    dtype: DType,
    shape: &[u64],
    data: Data,
    names: &mut dyn Names,
) -> Result<Array, Stop> {
    let shape = lengths(shape)?;
    let bytes = shape.iter().product::<usize>() * dtype.bytes();
    if let Data::Inline(given) = &data
        && given.len() != bytes
    {
        let message = format!("{} bytes are not the {bytes} that the shape and dtype ask for", given.len());
        return Err(Failure::new("ValueError", message).into());
    }
    let array = with_relief(names, || {
        let alloc = Alloc::default_device()?;
        Array::for_overwrite(&shape, dtype, &alloc)
    })?;
    account::note_transfer(bytes as u64, RUST, array.device().ledger_name());
    match data {
        Data::Inline(given) => array.with_bytes_mut(0..bytes, |target| target.copy_from_slice(&given))?,
        Data::Window => {
            let window = window.as_ref().ok_or_else(no_window)?;
            link.send(&Answer::Done.frame())?;
            // All pieces are taken, whatever becomes of one, so that both ends stay in step.
            let mut failed = None;
            receive_pieces::<Stop>(link, bytes, |range, at| {
                if failed.is_none() {
                    failed = array.with_bytes_mut(range, |target| window.read(at, target)).err();
                }
                Ok(())
            })?;
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
    }
    Ok(array)
}

/// Gives the elements of an array to the other end.
fn read(link: Link<'_>, window: &Option<Window>, array: &Array, names: &mut dyn Names) -> Result<Answer, Stop> {
    let whole = with_relief(names, || contiguous(array))?;
    let (facts, bytes) = (facts(&whole), whole.bytes());
    if whole.len_elements() > 1 {
        account::note_transfer(bytes as u64, whole.device().ledger_name(), RUST);
    }
    if bytes <= INLINE_BYTES_MAX.min(FRAME_BYTES_MAX / 2) {
        let data = Data::Inline(whole.with_bytes(0..bytes, <[u8]>::to_vec)?);
        return Ok(Answer::Elements { facts, data, bytes: bytes as u64 });
    }
    let window = window.as_ref().ok_or_else(no_window)?;
    // Work that failed is told before anything is sent.
    whole.buffer().wait_written()?;
    link.send(&Answer::Elements { facts, data: Data::Window, bytes: bytes as u64 }.frame())?;
    let mut failed = None;
    send_pieces::<Stop>(link, bytes, |range, at| {
        if failed.is_none() {
            failed = whole.with_bytes(range, |source| window.write(at, source)).err();
        }
        Ok(())
    })?;
    // The last word says whether all pieces were what they should be.
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(Answer::Done),
    }
}
