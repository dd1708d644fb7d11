//! The memory panel: a gauge a device and the largest allocations with what holds them, from the last snapshot's JSON, which
//! any thread may read while a cell runs.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;

use super::theme::Theme;
use super::wrap::wrap;
use crate::display::Role;
use crate::display::units::{Fraction, bytes};

/// Rows of a device's gauge: name, bar, what is here, what is free, a blank.
const GAUGE_ROWS: usize = 5;

/// What the list is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// Largest first.
    #[default]
    Bytes,
    /// Youngest first.
    Age,
    /// By the first holder's path.
    Holder,
}

impl Order {
    fn next(self) -> Order {
        match self {
            Order::Bytes => Order::Age,
            Order::Age => Order::Holder,
            Order::Holder => Order::Bytes,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Order::Bytes => "bytes",
            Order::Age => "age",
            Order::Holder => "holder",
        }
    }
}

/// One line that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The allocation's number.
    pub(super) id: u64,
    /// What lets go: one statement for a holder's row, all in order for an allocation's.
    pub(super) let_go: Vec<String>,
    text: String,
    is_holder: bool,
}

/// The panel's state.
#[derive(Default)]
pub(super) struct Panel {
    memory: Value,
    order: Order,
    /// Only allocations whose line contains this.
    pub(super) filter: String,
    chosen: usize,
}

impl Panel {
    /// Takes a newer snapshot; what is chosen stays chosen if it is still there.
    pub(super) fn update(&mut self, memory: Value) {
        let before = self.chosen();
        self.memory = memory;
        let rows = self.listed();
        if let Some(at) =
            before.and_then(|before| rows.iter().position(|row| row.id == before.id && row.text == before.text))
        {
            self.chosen = at;
        }
        self.chosen = self.chosen.min(rows.len().saturating_sub(1));
    }

    /// Chooses another row.
    pub(super) fn choose(&mut self, by: isize) {
        self.chosen = self.chosen.saturating_add_signed(by).min(self.listed().len().saturating_sub(1));
    }

    /// The next order.
    pub(super) fn sort(&mut self) {
        self.order = self.order.next();
        self.chosen = 0;
    }

    /// The row that is chosen.
    pub(super) fn chosen(&self) -> Option<Row> {
        self.listed().get(self.chosen).cloned()
    }

    fn devices(&self) -> &[Value] {
        self.memory["devices"].as_array().map_or(&[], Vec::as_slice)
    }

    /// Devices that hold something here or are the default.
    fn shown_devices(&self) -> Vec<&Value> {
        let matters =
            |device: &&Value| device["default"] == true || number(device, "live") + number(device, "cached") > 0;
        self.devices().iter().filter(matters).collect()
    }

    /// Allocations and their holders as rows, in order.
    fn listed(&self) -> Vec<Row> {
        let mut allocations: Vec<&Value> = self.memory["allocations"].as_array().into_iter().flatten().collect();
        let first_path =
            |allocation: &Value| holders(allocation).next().map_or(String::new(), |holder| text(holder, "path"));
        match self.order {
            Order::Bytes => allocations.sort_by_key(|allocation| std::cmp::Reverse(number(allocation, "bytes"))),
            Order::Age => allocations.sort_by_key(|allocation| std::cmp::Reverse(number(allocation, "id"))),
            Order::Holder => allocations.sort_by_key(|allocation| first_path(allocation)),
        }
        let mut rows = Vec::new();
        for allocation in allocations {
            let own = allocation_row(allocation);
            let held: Vec<Row> = holders(allocation).map(|holder| holder_row(own.id, holder)).collect();
            let found = self.filter.is_empty()
                || std::iter::once(&own).chain(&held).any(|row| row.text.contains(self.filter.as_str()));
            if found {
                rows.push(own);
                rows.extend(held);
            }
        }
        rows
    }

    /// Rows above the list.
    pub(super) fn head_rows(&self) -> usize {
        self.shown_devices().len() * GAUGE_ROWS + 1
    }

    /// The whole panel in an area; the chosen row stands out while the panel has the keys.
    pub(super) fn rows(&self, theme: Theme, width: usize, height: usize, has_keys: bool) -> Vec<Line<'static>> {
        let mut rows = Vec::new();
        for device in self.shown_devices() {
            rows.extend(gauge_rows(device, theme, width));
        }
        let total: u64 = self.devices().iter().map(|device| number(device, "count")).sum();
        let mut head = format!("{total} allocation{}", if total == 1 { "" } else { "s" });
        if self.order != Order::Bytes {
            head.push_str(&format!(", by {}", self.order.word()));
        }
        if !self.filter.is_empty() {
            head.push_str(&format!(", with {:?}", self.filter));
        }
        rows.push(Line::styled(head, theme.role(Role::Dim)));
        let listed = self.listed();
        let room = height.saturating_sub(rows.len());
        // The chosen row is always in sight.
        let first = if has_keys { self.chosen.saturating_sub(room.saturating_sub(2)) } else { 0 };
        for (at, row) in listed.iter().enumerate().skip(first).take(room) {
            let is_chosen = has_keys && at == self.chosen;
            let style = match (is_chosen, row.is_holder) {
                (true, _) => theme.chosen(),
                (false, true) => theme.role(Role::Code),
                (false, false) => Style::new(),
            };
            rows.push(wrap(&[(style, &row.text)], width).swap_remove(0));
        }
        rows.truncate(height);
        rows
    }

    /// The panel folded into one line, for narrow screens. What has no room is left out whole, never cut: first the free
    /// memory of other devices, from the last, then devices, which are counted.
    pub(super) fn folded(&self, theme: Theme, width: usize) -> Line<'static> {
        let devices = self.shown_devices();
        let mut has_free: Vec<bool> = vec![true; devices.len()];
        let mut shown = devices.len();
        loop {
            let runs = folded_runs(&devices[..shown], &has_free, devices.len() - shown, theme);
            let columns: usize = runs.iter().map(|(_, text)| text.chars().count()).sum();
            if columns <= width || shown <= 1 && !has_free.iter().take(shown).any(|has| *has) {
                let runs: Vec<(Style, &str)> = runs.iter().map(|(style, text)| (*style, text.as_str())).collect();
                return wrap(&runs, width).swap_remove(0);
            }
            let others = (0..shown).rev().filter(|&at| has_free[at] && devices[at]["default"] != true);
            match others.into_iter().next() {
                Some(at) => has_free[at] = false,
                None if shown > 1 => shown -= 1,
                None => has_free.iter_mut().for_each(|has| *has = false),
            }
        }
    }
}

/// Devices in one line, some of them with what is free there, and how many more there are.
fn folded_runs(devices: &[&Value], has_free: &[bool], more: usize, theme: Theme) -> Vec<(Style, String)> {
    let mut runs: Vec<(Style, String)> = Vec::new();
    for (device, has_free) in devices.iter().zip(has_free) {
        if !runs.is_empty() {
            runs.push((Style::new(), "   ".into()));
        }
        runs.push((theme.role(Role::Strong), format!("{} ", text(device, "filter"))));
        runs.push((theme.role(Role::Number), bytes(number(device, "live"))));
        if *has_free {
            runs.push((theme.role(Role::Dim), format!("  free {}", free_text(device))));
        }
    }
    if more > 0 {
        runs.push((theme.role(Role::Dim), format!("   and {more} more")));
    }
    runs
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or("").to_owned()
}

fn holders(allocation: &Value) -> impl Iterator<Item = &Value> {
    allocation["holders"].as_array().into_iter().flatten()
}

fn allocation_row(allocation: &Value) -> Row {
    let shape = allocation["shape"].as_array().map(|dims| {
        let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
        format!("({}{})", dims.join(", "), if dims.len() == 1 { "," } else { "" })
    });
    let what = [shape.unwrap_or_default(), text(allocation, "dtype")].join(" ");
    Row {
        id: number(allocation, "id"),
        let_go: holders(allocation).map(|holder| text(holder, "let_go")).collect(),
        text: format!(
            "{:>5} {:>9} {}",
            format!("#{}", number(allocation, "id")),
            bytes(number(allocation, "bytes")),
            what.trim()
        ),
        is_holder: false,
    }
}

fn holder_row(id: u64, holder: &Value) -> Row {
    Row {
        id,
        let_go: vec![text(holder, "let_go")],
        text: format!("      <- {}", text(holder, "path")),
        is_holder: true,
    }
}

/// Free memory, or that it is unknown.
fn free_text(device: &Value) -> String {
    match device["free"]["bytes"].as_u64() {
        Some(free) => bytes(free),
        None => "unknown".into(),
    }
}

/// Name, bar and figures of a device.
fn gauge_rows(device: &Value, theme: Theme, width: usize) -> [Line<'static>; GAUGE_ROWS] {
    let filter = text(device, "filter");
    let total = device["total"].as_u64();
    let mut name = vec![Span::styled(filter, theme.role(Role::Strong))];
    if let Some(total) = total {
        name.push(Span::styled(format!("  {}", bytes(total)), theme.role(Role::Dim)));
    }
    let here = format!("here {}  cached {}", bytes(number(device, "live")), bytes(number(device, "cached")));
    let free = format!("free {}", free_text(device));
    let dim = |text: &str| wrap(&[(theme.role(Role::Dim), text)], width).swap_remove(0);
    [
        Line::from(name),
        bar(device, total, theme, width.saturating_sub(1).min(40)),
        dim(&here),
        dim(&free),
        Line::default(),
    ]
}

/// The bar: what lives here, what is cached, what others hold, what is free; hatched where nobody says.
fn bar(device: &Value, total: Option<u64>, theme: Theme, width: usize) -> Line<'static> {
    let Some(total) = total.filter(|total| *total > 0) else {
        return Line::styled("/".repeat(width), theme.role(Role::Dim));
    };
    let cells = |amount: u64| Fraction::new(amount, total).map_or(0, |share| share.cells(width));
    let (live, cached) = (number(device, "live_blocks"), number(device, "cached"));
    let live_cells = cells(live);
    let cached_cells = cells(live.saturating_add(cached)).saturating_sub(live_cells);
    let rest = width.saturating_sub(live_cells + cached_cells);
    let mut spans = vec![
        Span::styled("█".repeat(live_cells), theme.live(live as f64 / total as f64)),
        Span::styled("▒".repeat(cached_cells), theme.role(Role::Number)),
    ];
    match device["free"]["bytes"].as_u64() {
        Some(free) => {
            let free_cells = cells(free).min(rest);
            spans.push(Span::styled("▓".repeat(rest - free_cells), theme.role(Role::Dim)));
            spans.push(Span::styled("░".repeat(free_cells), theme.role(Role::Dim)));
        }
        None => spans.push(Span::styled("/".repeat(rest), theme.role(Role::Dim))),
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn memory() -> Value {
        json!({
            "devices": [
                {"filter": "sim:gpu:0", "total": 100, "free": {"bytes": 50}, "live": 20, "live_blocks": 20, "cached": 10, "count": 2, "default": true},
                {"filter": "native:cpu:0", "total": {"unknown": "x"}, "free": {"unknown": "x"}, "live": 1, "live_blocks": 1, "cached": 0, "count": 1, "default": false},
                {"filter": "sim:gpu:1", "total": 5, "free": {"bytes": 5}, "live": 0, "live_blocks": 0, "cached": 0, "count": 0, "default": false},
            ],
            "allocations": [
                {"id": 1, "bytes": 5, "shape": [5], "dtype": "int8", "holders": [{"path": "b", "let_go": "del b"}]},
                {"id": 2, "bytes": 15, "shape": [3, 5], "dtype": "int8", "holders": [{"path": "a", "let_go": "del a"}, {"path": "Out[2]", "let_go": "%free Out[2]"}]},
            ],
        })
    }

    fn shown(panel: &Panel) -> Vec<String> {
        panel.rows(Theme::Plain, 41, 30, true).iter().map(|row| row.to_string().trim_end().to_owned()).collect()
    }

    #[test]
    fn bars_tell_live_cached_others_free_and_unknown_apart() {
        let mut panel = Panel::default();
        panel.update(memory());
        let rows = shown(&panel);
        assert_eq!(rows[1], format!("{}{}{}{}", "█".repeat(8), "▒".repeat(4), "▓".repeat(8), "░".repeat(20)));
        assert_eq!(rows[6], "/".repeat(40));
        assert!(!rows.iter().any(|row| row.contains("sim:gpu:1")), "an empty device takes no room: {rows:?}");
    }

    #[test]
    fn a_narrow_line_leaves_out_whole_figures() {
        let mut panel = Panel::default();
        panel.update(memory());
        let line = |width| panel.folded(Theme::Plain, width).to_string();
        assert_eq!(line(80), "sim:gpu:0 20 B  free 50 B   native:cpu:0 1 B  free unknown");
        assert_eq!(line(50), "sim:gpu:0 20 B  free 50 B   native:cpu:0 1 B");
        assert_eq!(line(42), "sim:gpu:0 20 B  free 50 B   and 1 more");
        assert_eq!(line(30), "sim:gpu:0 20 B   and 1 more");
    }

    #[test]
    fn rows_are_ordered_filtered_and_chosen() {
        let mut panel = Panel::default();
        panel.update(memory());
        assert_eq!(
            panel.chosen().map(|row| (row.id, row.let_go)),
            Some((2, vec!["del a".into(), "%free Out[2]".into()]))
        );
        panel.choose(2);
        assert_eq!(panel.chosen().map(|row| row.let_go), Some(vec!["%free Out[2]".into()]));
        panel.update(memory());
        assert_eq!(panel.chosen().map(|row| row.let_go), Some(vec!["%free Out[2]".into()]), "it stays chosen");
        panel.choose(100);
        assert_eq!(panel.chosen().map(|row| row.id), Some(1));
        panel.filter = "Out".into();
        assert_eq!(panel.listed().len(), 3);
        panel.filter.clear();
        panel.sort();
        panel.sort();
        assert_eq!(panel.chosen().map(|row| row.id), Some(2), "a comes before b");
        panel.update(Value::Null);
        assert_eq!(panel.chosen(), None);
    }
}
