//! What `%mem` knows: gauges, live allocations with their holders, and the cell's account; as markup and as JSON.

mod account;
mod json;
mod page;
mod past;
mod report;
mod shortage;
mod text;

pub(super) use account::{Account, account_json};
pub(super) use json::report_json;
pub(super) use page::{Page, Selection};
pub(super) use past::Past;
pub(super) use report::{Report, bytes_live, devices, is_unknown};
pub(super) use shortage::shortage_text;
pub(super) use text::is_apart;
pub(super) use text::{Grouping, allocation_detail, by_group, difference, of_cell, overview, reading_order};

/// The MIME type of `%mem`'s JSON.
pub const MEMORY_MIME: &str = "application/vnd.cellhold.mem+json";

/// The MIME type of a cell's account.
pub const CELL_MIME: &str = "application/vnd.cellhold.cell+json";
