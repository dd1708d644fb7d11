//! Arguments, the extents of a launch, and its submission.

use super::Outcome;
use super::lowering::Lowered;
use crate::arrays::array::Array;
use crate::arrays::backend::DeviceType;
use crate::arrays::buffer::Buffer;
use crate::arrays::device::QueueHandle;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::spirv::{self, Lane, Space};
use crate::arrays::trace;
use crate::arrays::work::{Argument, Launch, ProgramLimits, Work};
use smallvec::SmallVec;
use std::sync::Arc;

/// Bytes of arguments that every device takes.
const MOST_ARGUMENT_BYTES: usize = 1000;
/// Work items of a group where nothing else asks for a number.
const ITEMS: u32 = 256;
/// The same for processors, whose threads take a group each: large ones cost less, and there should be enough for all threads.
const ITEMS_OF_PROCESSOR: [usize; 2] = [64, 2048];
const GROUPS_OF_PROCESSOR: usize = 64;

/// Arguments in the making.
pub(in crate::arrays::expr) struct Arguments {
    list: SmallVec<[Argument; 12]>,
    bytes: usize,
}

impl Arguments {
    pub(in crate::arrays::expr) fn new() -> Arguments {
        Arguments { list: SmallVec::new(), bytes: 0 }
    }

    fn push(&mut self, argument: Argument, bytes: usize) {
        self.list.push(argument);
        self.bytes += bytes.next_multiple_of(8);
    }

    pub(in crate::arrays::expr) fn address(&mut self, array: &Array) -> Result<(), ArrayError> {
        self.address_from(array, 0)
    }

    /// The address of the element that lies `first` elements after an array's own first.
    pub(super) fn address_from(&mut self, array: &Array, first: usize) -> Result<(), ArrayError> {
        if array.buffer().is_mapped() {
            return Err(ArrayError::not_supported(
                "the device cannot work on a memory-mapped file here; copy the array first: x.copy()",
            ));
        }
        let start = if array.len_elements() == 0 { 0 } else { (array.layout().offset + first) * array.dtype().bytes() };
        self.push(Argument::Pointer(array.buffer().device_address(start)?), 8);
        Ok(())
    }

    /// The address of the element at an offset in an array's buffer.
    pub(in crate::arrays::expr) fn address_at(&mut self, array: &Array, offset: usize) -> Result<(), ArrayError> {
        self.push(Argument::Pointer(array.buffer().device_address(offset * array.dtype().bytes())?), 8);
        Ok(())
    }

    pub(in crate::arrays::expr) fn number(&mut self, value: i64, wide: bool) {
        let bytes = value.to_le_bytes();
        let len = if wide { 8 } else { 4 };
        self.push(Argument::scalar(&bytes[..len]), len);
    }

    pub(in crate::arrays::expr) fn scalar(&mut self, dtype: DType, bytes: &[u8; 16]) {
        match dtype {
            DType::Float16 => {
                let value = half::f16::from_le_bytes([bytes[0], bytes[1]]).to_f32();
                self.push(Argument::scalar(&value.to_le_bytes()), 4);
            }
            _ if dtype.is_complex() => {
                let part = dtype.bytes() / 2;
                self.push(Argument::scalar(&bytes[..part]), part);
                self.push(Argument::scalar(&bytes[part..2 * part]), part);
            }
            _ => self.push(Argument::scalar(&bytes[..dtype.bytes()]), dtype.bytes()),
        }
    }

    /// What the parameters of a fused expression take.
    pub(super) fn body(&mut self, lowered: &Lowered) -> Result<(), ArrayError> {
        self.body_from(lowered, 0, &lowered.lengths)
    }

    /// As [`Arguments::body`], over a space of these lengths whose lane begins `first` elements later.
    pub(super) fn body_from(&mut self, lowered: &Lowered, first: usize, lengths: &[usize]) -> Result<(), ArrayError> {
        for (array, source) in lowered.arrays.iter().zip(&lowered.fused.sources) {
            self.address_from(array, if source.lane == Lane::Unit { first } else { 0 })?;
        }
        lowered.constants.iter().for_each(|(dtype, bytes)| self.scalar(*dtype, bytes));
        let wide = lowered.space.wide;
        lowered.space.shape_arguments(lengths, &mut |value| self.number(value, wide));
        for (source, strides) in lowered.fused.sources.iter().zip(&lowered.strides) {
            lowered.space.stride_arguments(source.lane, strides, &mut |value| self.number(value, wide));
        }
        Ok(())
    }
}

/// Where and how something is launched.
pub(in crate::arrays::expr) struct Target<'a> {
    pub(in crate::arrays::expr) queue: &'a QueueHandle,
    pub(in crate::arrays::expr) limits: &'a ProgramLimits,
    pub(in crate::arrays::expr) label: &'static str,
}

impl Target<'_> {
    /// Whether the device is a processor.
    pub(in crate::arrays::expr) fn is_processor(&self) -> bool {
        self.queue.device().info().device_type == DeviceType::Cpu
    }

    /// Work items of a group, where there are so many in all.
    fn items_of_group(&self, items: [usize; 3]) -> u32 {
        if !self.is_processor() {
            return ITEMS;
        }
        let all = items.into_iter().fold(1, usize::saturating_mul);
        let [least, most] = ITEMS_OF_PROCESSOR;
        (all / GROUPS_OF_PROCESSOR).clamp(least, most).next_power_of_two() as u32
    }

    /// Extents of groups that fit the device and cover these work items.
    fn geometry(&self, items: [usize; 3]) -> Option<([u32; 3], [u32; 3])> {
        let mut local = [1u32; 3];
        let mut left = self.items_of_group(items).min(self.limits.max_group).max(1);
        for axis in 0..3 {
            let wanted = items[axis].next_power_of_two().min(left as usize) as u32;
            local[axis] = wanted.min(self.limits.max_local[axis]).max(1);
            left /= local[axis];
        }
        let groups = self.groups(items, local)?;
        Some((groups, local))
    }

    fn groups(&self, items: [usize; 3], local: [u32; 3]) -> Option<[u32; 3]> {
        let mut groups = [1u32; 3];
        for axis in 0..3 {
            groups[axis] = u32::try_from(items[axis].div_ceil(local[axis] as usize)).ok()?;
        }
        groups.iter().zip(self.limits.max_groups).all(|(&groups, most)| groups <= most).then_some(groups)
    }

    /// Submits a program over these work items, or says what keeps it from the device. `local` where the program fixes it.
    pub(in crate::arrays::expr) fn launch(
        &self,
        program: &spirv::Program,
        arguments: Arguments,
        items: [usize; 3],
        local: Option<[u32; 3]>,
        reads: &[&Arc<Buffer>],
        writes: &[&Arc<Buffer>],
    ) -> Result<Outcome, ArrayError> {
        let text = match spirv::text(program, self.label) {
            Ok(text) => text,
            Err(spirv::NotLowered(operation)) => return Ok(Outcome::OnHost(operation)),
        };
        if self.limits.missing(&text.needs).is_some() || arguments.bytes > MOST_ARGUMENT_BYTES {
            return Ok(Outcome::OnHost(self.label));
        }
        let geometry = match local {
            Some(local) if local.iter().product::<u32>() > self.limits.max_group => None,
            Some(local) => self.groups(items, local).map(|groups| (groups, local)),
            None => self.geometry(items),
        };
        let Some((groups, local)) = geometry else { return Ok(Outcome::OnHost(self.label)) };
        let launch = Launch { program: text, arguments: arguments.list, groups, local };
        self.queue.submit_work(self.label, reads, writes, Work::Launch(launch))?;
        if trace::is_active() {
            trace::launched(self.label, self.queue.device(), reads, writes);
        }
        Ok(Outcome::Submitted)
    }

    pub(in crate::arrays::expr) fn program(&self, kind: spirv::Kind, space: Space) -> spirv::Program {
        spirv::Program { kind, space, fp64: self.limits.fp64 }
    }
}
