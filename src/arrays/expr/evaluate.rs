//! Computing a graph: reductions inside it first, then one program for what is left.

use super::device::{self, Outcome};
use super::plan::{Plan, Planner};
use super::{Expr, Kind, Node};
use crate::arrays::account;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::attention;
use crate::arrays::buffer::Buffer;
use crate::arrays::cpu::elementwise::{Target, run};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::Dims;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::trace;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

impl Expr {
    /// Computes the value. An array answers itself, without a copy.
    pub fn evaluate(&self) -> Result<Array, ArrayError> {
        match &self.0.kind {
            Kind::Array(array) => Ok(array.clone()),
            Kind::Scalar { value, .. } => Array::from_scalar(*value, self.dtype(), &Alloc::HOST),
            Kind::Reduce { op, input, axes, compute, .. } => {
                super::reduction::evaluate(*op, input, axes, *compute, self.dtype(), self.shape())
            }
            _ => {
                let ready = self.without_reductions()?;
                if let Kind::Array(array) = &ready.0.kind {
                    return Ok(array.clone());
                }
                let alloc = self.0.alloc.clone().unwrap_or(Alloc::HOST);
                let walk = ready.memory_order();
                let target = allocate_in_order(self.shape(), self.dtype(), &alloc, &walk)?;
                ready.store_all(&target, &walk, false)?;
                Ok(target)
            }
        }
    }

    /// Computes the value into an existing array of the broadcast shape, cast to its dtype. With a mask, elements where
    /// it is false keep what they hold. Reading what is overwritten gives the answer of reading it all beforehand.
    pub fn evaluate_into(&self, target: &Array, mask: Option<&Array>) -> Result<(), ArrayError> {
        let value = self.cast(target.dtype()).broadcast_to(target.shape())?;
        let value = match mask {
            Some(mask) => Expr::apply(Op::Where, &[Expr::array(mask), value, Expr::array(target)], Flavour::NumPy)?
                .cast(target.dtype()),
            None => value,
        };
        if value.shape() != target.shape() {
            return Err(ArrayError::BroadcastTo { from: value.shape().to_vec(), to: target.shape().to_vec() });
        }
        let ready = value.without_reductions()?;
        let mut in_place = false;
        let mut conflict = false;
        ready.for_each_array(&mut |source| {
            if source.may_overlap(target) {
                let same = source.layout() == target.layout() && source.dtype().bytes() == target.dtype().bytes();
                in_place |= same;
                conflict |= !same;
            }
        });
        if conflict {
            let alloc = target.alloc();
            let walk: SmallVec<[usize; 6]> = (0..target.rank()).collect();
            let copy = allocate_in_order(target.shape(), target.dtype(), &alloc, &walk)?;
            ready.store_all(&copy, &walk, false)?;
            return Expr::array(&copy).store(target, &target_order(target), false);
        }
        ready.store_all(target, &target_order(target), in_place)
    }

    /// Stores the value in `target`, in pieces where operands lie elsewhere.
    fn store_all(&self, target: &Array, walk: &[usize], in_place: bool) -> Result<(), ArrayError> {
        match self.piece_bytes() {
            Some(piece) => self.store_in_pieces(target, piece, &mut |part, target| {
                part.store(target, &target_order(target), in_place)
            }),
            None => self.store(target, walk, in_place),
        }
    }

    /// Computes the value of what has its operands where they should be into a new C-ordered array.
    pub(super) fn without_pieces(&self) -> Result<Array, ArrayError> {
        let alloc = self.0.alloc.clone().unwrap_or(Alloc::HOST);
        let target = Array::for_overwrite(self.shape(), self.dtype(), &alloc)?;
        let walk: SmallVec<[usize; 6]> = (0..self.rank()).collect();
        self.store(&target, &walk, false)?;
        Ok(target)
    }

    /// Runs one program that stores the value in `target`, whose shape is the expression's.
    fn store(&self, target: &Array, walk: &[usize], in_place: bool) -> Result<(), ArrayError> {
        if target.len_elements() == 0 {
            return Ok(());
        }
        if device::runs_programs(target.place()) {
            match device::store(self, target, walk)? {
                Outcome::Submitted => return Ok(()),
                Outcome::OnHost(operation) => {
                    device::note_on_host(operation, target);
                    if !self.is_reachable() || !device::is_reachable(target) {
                        return device::store_from_host(self, target, walk);
                    }
                }
            }
        }
        let planner = Planner::new(target.shape(), walk);
        let mut strides = planner.strides(target);
        let Plan { program, arrays, events } = planner.finish(self, target.dtype(), Some(&mut strides))?;
        account::note_temporaries_avoided(program.steps.len().saturating_sub(1) as u64);
        trace::fusing(events.names());
        let base = target.buffer().pointer()?.as_ptr();
        let base = base.wrapping_add(target.layout().offset * target.dtype().bytes());
        let target_view = Target { base, strides, in_place };
        let attention = attention::handle();
        let held: SmallVec<[Arc<Buffer>; 4]> =
            arrays.iter().chain([target]).map(|array| array.buffer().clone()).collect();
        let reads: SmallVec<[&Array; 4]> = arrays.iter().collect();
        target
            .submit(self.label(), &reads, &[target], move || {
                // SAFETY: the planner took addresses and strides from arrays whose layouts fit their buffers; `held`
                // keeps the buffers, the queue orders accesses, and `in_place` was derived from the layouts.
                let outcome = unsafe { run(&program, &target_view, &attention) };
                drop(held);
                outcome
            })
            .map(|_| events.note())
    }

    /// What a display of queued work calls this.
    pub(super) fn label(&self) -> &'static str {
        match &self.0.kind {
            Kind::Apply { op, .. } => op.name(),
            Kind::Reduce { op, .. } => op.name(),
            Kind::Cast { .. } => "astype",
            Kind::Array(_) | Kind::Scalar { .. } | Kind::Broadcast { .. } => "copy",
        }
    }

    /// The same graph with every reduction computed and replaced by its array.
    pub(super) fn without_reductions(&self) -> Result<Expr, ArrayError> {
        self.replaced(&mut SmallVec::new())
    }

    fn replaced(&self, done: &mut SmallVec<[(*const Node, Expr); 8]>) -> Result<Expr, ArrayError> {
        if !self.0.reduces {
            return Ok(self.clone());
        }
        let address = Rc::as_ptr(&self.0);
        if let Some((_, known)) = done.iter().find(|(known, _)| *known == address) {
            return Ok(known.clone());
        }
        let rebuilt = match &self.0.kind {
            Kind::Array(_) | Kind::Scalar { .. } => self.clone(),
            Kind::Reduce { .. } => Expr::array(&self.evaluate()?),
            Kind::Cast { input } => self.rebuilt(Kind::Cast { input: input.replaced(done)? }),
            Kind::Broadcast { input } => self.rebuilt(Kind::Broadcast { input: input.replaced(done)? }),
            Kind::Apply { op, found, inputs } => {
                let inputs = inputs.iter().map(|input| input.replaced(done)).collect::<Result<_, _>>()?;
                self.rebuilt(Kind::Apply { op: *op, found: *found, inputs })
            }
        };
        done.push((address, rebuilt.clone()));
        Ok(rebuilt)
    }

    /// Whether the host reaches every array below through its address.
    pub(super) fn is_reachable(&self) -> bool {
        let mut all = true;
        self.for_each_array(&mut |array| all &= device::is_reachable(array));
        all
    }

    /// The same graph over copies of its arrays in host memory.
    pub(super) fn on_host(&self) -> Result<Expr, ArrayError> {
        self.copied(&mut SmallVec::new())
    }

    fn copied(&self, done: &mut SmallVec<[(*const Node, Expr); 8]>) -> Result<Expr, ArrayError> {
        let address = Rc::as_ptr(&self.0);
        if let Some((_, known)) = done.iter().find(|(known, _)| *known == address) {
            return Ok(known.clone());
        }
        let kind = match &self.0.kind {
            Kind::Array(array) => Kind::Array(array.copy_to(&Alloc::HOST)?),
            Kind::Scalar { value, weak } => Kind::Scalar { value: *value, weak: *weak },
            Kind::Reduce { op, input, axes, compute } => {
                let input = input.copied(done)?;
                Kind::Reduce { op: *op, input, axes: axes.clone(), compute: *compute }
            }
            Kind::Cast { input } => Kind::Cast { input: input.copied(done)? },
            Kind::Broadcast { input } => Kind::Broadcast { input: input.copied(done)? },
            Kind::Apply { op, found, inputs } => {
                let inputs = inputs.iter().map(|input| input.copied(done)).collect::<Result<_, _>>()?;
                Kind::Apply { op: *op, found: *found, inputs }
            }
        };
        let alloc = self.0.alloc.as_ref().map(|_| Alloc::HOST);
        let copy = Expr(Rc::new(Node { alloc, reduces: self.0.reduces, ..self.node_with(kind) }));
        done.push((address, copy.clone()));
        Ok(copy)
    }

    fn rebuilt(&self, kind: Kind) -> Expr {
        Expr(Rc::new(self.node_with(kind)))
    }

    fn node_with(&self, kind: Kind) -> Node {
        Node {
            kind,
            shape: self.0.shape.clone(),
            dtype: self.0.dtype,
            alloc: self.0.alloc.clone(),
            weight: self.0.weight,
            sources: self.0.sources,
            reduces: false,
        }
    }

    /// Calls `visit` for every array below (more than once for shared parts).
    pub fn for_each_array(&self, visit: &mut dyn FnMut(&Array)) {
        match &self.0.kind {
            Kind::Array(array) => visit(array),
            Kind::Scalar { .. } => {}
            Kind::Cast { input } | Kind::Broadcast { input } | Kind::Reduce { input, .. } => {
                input.for_each_array(visit)
            }
            Kind::Apply { inputs, .. } => inputs.iter().for_each(|input| input.for_each_array(visit)),
        }
    }

    /// The order in which to walk the axes: that of the operands' memory where they agree, else C order.
    fn memory_order(&self) -> SmallVec<[usize; 6]> {
        let rank = self.rank();
        let mut order: SmallVec<[usize; 6]> = (0..rank).collect();
        if rank < 2 {
            return order;
        }
        let mut first: Option<SmallVec<[usize; 6]>> = None;
        let mut any_c = false;
        self.for_each_array(&mut |array| {
            if array.shape() != self.shape() {
                return;
            }
            any_c |= array.is_c_contiguous();
            if first.is_none() {
                first = Some(target_order(array));
            }
        });
        if let (Some(first), false) = (first, any_c) {
            order = first;
        }
        order
    }
}

/// Axes from the largest step in memory to the smallest.
fn target_order(array: &Array) -> SmallVec<[usize; 6]> {
    let mut order: SmallVec<[usize; 6]> = (0..array.rank()).collect();
    if !array.is_c_contiguous() {
        let strides = &array.layout().strides;
        order.sort_by_key(|&axis| std::cmp::Reverse(strides[axis].unsigned_abs()));
    }
    order
}

/// A new array whose memory order follows the walk.
fn allocate_in_order(shape: &[usize], dtype: DType, alloc: &Alloc, walk: &[usize]) -> Result<Array, ArrayError> {
    if walk.iter().enumerate().all(|(position, &axis)| position == axis) {
        return Array::for_overwrite(shape, dtype, alloc);
    }
    let walked: Dims = walk.iter().map(|&axis| shape[axis]).collect();
    let array = Array::for_overwrite(&walked, dtype, alloc)?;
    let mut back: SmallVec<[i64; 6]> = SmallVec::from_elem(0, shape.len());
    for (position, &axis) in walk.iter().enumerate() {
        back[axis] = position as i64;
    }
    Ok(array.view(array.layout().permuted(&back)?))
}
