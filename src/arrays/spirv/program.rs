//! Descriptions of whole programs, the texts made of them, and the cache that keeps those.

use super::emit::{self, ENTRY};
use super::fold::{self, Keep};
use super::fused::{Fused, NotLowered};
use super::map;
use super::moves::{self, Move};
use super::panels;
use super::product;
use super::scan::{self, Pass};
use super::search;
use super::sort::{self, Stage};
use super::space::{Lane, Space};
use crate::arrays::cpu::scan::Scan;
use crate::arrays::dtype::DType;
use crate::arrays::work::{Needs, ProgramText};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// What a program computes, by structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// An element-wise expression, written along the target's lane.
    Map {
        /// The expression.
        fused: Fused,
        /// The target's stride along the lane.
        target: Lane,
    },
    /// An element-wise expression along one axis, several elements at once, written around the caches; see [`map`].
    Stream {
        /// The expression.
        fused: Fused,
    },
    /// Rows folded by work items, by themselves or side by side; see [`fold`].
    Rows {
        /// The expression that is folded.
        fused: Fused,
        /// What is kept.
        keep: Keep,
    },
    /// Chunks folded by work-groups; see [`fold`].
    Chunks {
        /// The expression that is folded.
        fused: Fused,
        /// What is kept.
        keep: Keep,
    },
    /// A pass of a running operation.
    Scan {
        /// The operation.
        kind: Scan,
        /// The elements.
        dtype: DType,
        /// Which pass.
        pass: Pass,
    },
    /// Elements moved by positions or by a mask; see [`Move`].
    Move {
        /// How.
        kind: Move,
        /// Bytes of an element.
        bytes: usize,
    },
    /// A stage of a sort.
    Sort {
        /// The elements.
        dtype: DType,
        /// Whether the largest come first; NaN is last either way.
        descending: bool,
        /// Which stage.
        stage: Stage,
    },
    /// Places of values in a sorted line; see [`search`].
    Search {
        /// The elements of both.
        dtype: DType,
        /// Whether a value's place is after equal elements.
        right: bool,
    },
    /// A product of matrices.
    Product {
        /// The elements.
        dtype: DType,
    },
    /// A product of matrices in panels, as processors want it; see [`panels`].
    Panels {
        /// The elements: float32 or float64.
        dtype: DType,
    },
}

/// A program by structure: equal ones have equal words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// What it computes.
    pub kind: Kind,
    /// Over which kind of space.
    pub space: Space,
    /// Whether double precision may serve inside functions of narrower types.
    pub fp64: bool,
}

impl Program {
    /// The words of the program and what it needs; or the operation that has no lowering.
    pub fn generate(&self, label: &'static str) -> Result<ProgramText, NotLowered> {
        let (space, fp64) = (&self.space, self.fp64);
        let module = match &self.kind {
            Kind::Map { fused, target } => map::map(fused, space, *target, fp64)?,
            Kind::Stream { fused } => map::stream(fused, space, fp64)?,
            Kind::Rows { fused, keep } => fold::rows(fused, space, *keep, fp64)?,
            Kind::Chunks { fused, keep } => fold::chunks(fused, space, *keep, fp64)?,
            Kind::Scan { kind, dtype, pass } => scan::scan(*kind, *dtype, *pass, space.wide, fp64)?,
            Kind::Move { kind, bytes } => moves::moves(*kind, *bytes, space),
            Kind::Sort { dtype, descending, stage } => sort::sort(*dtype, *descending, *stage, space.wide),
            Kind::Search { dtype, right } => search::search(*dtype, *right, space.wide),
            Kind::Product { dtype } => product::product(*dtype, space),
            Kind::Panels { dtype } => panels::panels(*dtype, space),
        };
        debug_assert!(emit::is_well_formed(&module.words));
        let needs = Needs {
            fp64: module.fp64,
            fp16: module.fp16,
            local_bytes: module.local_bytes as usize,
            large_buffers: space.wide,
            exact_fp32: module.exact_fp32,
        };
        Ok(ProgramText { key: key(&module.words), entry: ENTRY.into(), words: module.words, label, needs })
    }
}

/// FNV-1a over the words: the key is no secret, and words that differ differ in it but for one case in 2^64.
fn key(words: &[u32]) -> u128 {
    words.iter().flat_map(|word| word.to_le_bytes()).fold(0x6c62272e07bb014262b821756295c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000000001000000000000000000013B)
    })
}

type Texts = HashMap<Program, Result<Arc<ProgramText>, NotLowered>>;

thread_local! {
    static TEXTS: RefCell<Texts> = RefCell::new(HashMap::new());
}

/// More texts than a session of distinct expressions makes; beyond, all are forgotten and made again when needed.
const MOST_TEXTS: usize = 4096;

/// The text of a program, made once for each structure.
pub fn text(program: &Program, label: &'static str) -> Result<Arc<ProgramText>, NotLowered> {
    TEXTS.with_borrow_mut(|texts| {
        if let Some(known) = texts.get(program) {
            return known.clone();
        }
        let made = program.generate(label).and_then(|text| {
            // A driver's parser is not to be trusted with anything that this one refuses.
            if emit::is_well_formed(&text.words) { Ok(Arc::new(text)) } else { Err(NotLowered(label)) }
        });
        if texts.len() >= MOST_TEXTS {
            texts.clear();
        }
        texts.insert(program.clone(), made.clone());
        made
    })
}
