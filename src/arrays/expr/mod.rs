//! Pending expressions: graphs of operations over arrays and scalars that are computed in one pass when needed.
//!
//! Building a node infers its shape, dtype and place, and raises the errors that NumPy or dpnp would raise, at that
//! moment. Evaluating it plans programs for the engine in `cpu` and runs them on the operands' queue. Which statement
//! forms which graph, and when it must be computed, is the language's business.

mod build;
mod device;
mod direct;
mod evaluate;
pub mod moves;
mod plan;
mod product;
mod reduction;
mod scalars;
mod slabs;
pub mod warnings;

#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;

pub use crate::arrays::cpu::scan::Scan;
pub use direct::{Ready, binary};
pub use product::{cumulate, matmul, matmul_result};
pub use reduction::ReduceOp;
pub use scalars::scalars;

use super::array::{Alloc, Array};
use super::backend::UsmKind;
use super::device::Place;
use super::dtype::DType;
use super::layout::Dims;
use super::op::{Loop, Op};
use super::scalar::Scalar;
use smallvec::SmallVec;
use std::rc::Rc;

/// A pending value. Cloning shares it, and a shared part is computed once.
#[derive(Clone, Debug)]
pub struct Expr(Rc<Node>);

#[derive(Debug)]
struct Node {
    kind: Kind,
    shape: Dims,
    dtype: DType,
    /// Nothing for what is made of scalars alone.
    alloc: Option<Alloc>,
    /// Operations below and including this one, shared ones counted each time: an upper bound.
    weight: usize,
    /// Arrays below, counted likewise.
    sources: usize,
    /// Whether this is or holds a reduction.
    reduces: bool,
}

#[derive(Debug)]
enum Kind {
    Array(Array),
    /// A scalar; weak ones take their width from what they meet.
    Scalar {
        value: Scalar,
        weak: bool,
    },
    Apply {
        op: Op,
        found: Loop,
        inputs: SmallVec<[Expr; 3]>,
    },
    Cast {
        input: Expr,
    },
    Broadcast {
        input: Expr,
    },
    Reduce {
        op: ReduceOp,
        input: Expr,
        axes: SmallVec<[usize; 6]>,
        compute: DType,
    },
}

impl Expr {
    fn new(kind: Kind, shape: Dims, dtype: DType, alloc: Option<Alloc>, below: &[Expr]) -> Expr {
        let weight = below.iter().fold(1usize, |sum, input| sum.saturating_add(input.0.weight));
        let own = matches!(kind, Kind::Array(_) | Kind::Reduce { .. }) as usize;
        let sources = below.iter().fold(own, |sum, input| sum.saturating_add(input.0.sources));
        let reduces = reduction::reduces(&kind, below);
        Expr(Rc::new(Node { kind, shape, dtype, alloc, weight, sources, reduces }))
    }

    /// The shape of the value.
    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.0.shape.len()
    }

    /// The number of elements.
    pub fn len_elements(&self) -> usize {
        self.0.shape.iter().product()
    }

    /// The dtype of the value.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Where the value will be computed; nothing for what is made of scalars alone, which is computed on the host.
    pub fn place(&self) -> Option<&Place> {
        self.0.alloc.as_ref().map(|alloc| &alloc.place)
    }

    /// The kind of memory the value will take; nothing on the host or for scalars alone.
    pub fn usm(&self) -> Option<UsmKind> {
        self.0.alloc.as_ref().filter(|alloc| alloc.place.queue().is_some()).map(|alloc| alloc.usm)
    }

    /// The array, if this is nothing more than one.
    pub fn as_array(&self) -> Option<&Array> {
        match &self.0.kind {
            Kind::Array(array) => Some(array),
            _ => None,
        }
    }
}
