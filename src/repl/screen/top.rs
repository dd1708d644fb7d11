//! `cellhold top`: the running kernels of this user, a gauge a device and the largest allocations with their holders.
//!
//! Where the figures come from it does not know: whoever starts it hands it a way to ask.

use std::io::{self, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use serde_json::Value;

use super::Screen;
use super::app::Input;
use super::panel::Panel;
use super::theme::Theme;
use crate::display::units::bytes;
use crate::display::{Markup, Role};

/// Between two askings.
const PERIOD: Duration = Duration::from_secs(1);

/// Allocations listed for each kernel.
const ROWS_EACH: usize = 12;

/// One running kernel.
#[derive(Clone, Debug)]
pub struct Running {
    /// What to call it: its connection file's name.
    pub name: String,
    /// The content of its `usage_reply`.
    pub usage: Value,
}

/// Shows the kernels until `q`; `ask` is called each second.
pub fn run(mut ask: impl FnMut() -> Vec<Running>) -> io::Result<u8> {
    let theme = Theme::of(|name| std::env::var(name).ok());
    let mut screen = Screen::enter()?;
    let (inputs, inbox) = channel();
    std::thread::Builder::new().name("keys".into()).spawn(move || super::read_keys(&inputs))?;
    let mut running = ask();
    let mut top = 0usize;
    loop {
        screen.terminal.draw(|frame| {
            let area = frame.area();
            let rows = rows(&running, theme, usize::from(area.width));
            let room = area.height.saturating_sub(1);
            top = top.min(rows.len().saturating_sub(usize::from(room)));
            let below = rows.len().saturating_sub(top + usize::from(room));
            let shown: Vec<_> = rows.into_iter().skip(top).take(usize::from(room)).collect();
            frame.render_widget(Paragraph::new(shown), Rect { height: room, ..area });
            let keys = Line::styled(foot(running.len(), top, below), theme.role(Role::Dim));
            frame.render_widget(Paragraph::new(keys), Rect { y: area.bottom().saturating_sub(1), height: 1, ..area });
        })?;
        match inbox.recv_timeout(PERIOD) {
            Ok(Input::Key(key)) => match key.code {
                KeyCode::Char('q') | KeyCode::Esc => return Ok(0),
                KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(0),
                KeyCode::Down | KeyCode::Char('j') => top += 1,
                KeyCode::Up | KeyCode::Char('k') => top = top.saturating_sub(1),
                KeyCode::PageDown => top += 10,
                KeyCode::PageUp => top = top.saturating_sub(10),
                _ => {}
            },
            Ok(Input::Resize) => screen.fit()?,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => running = ask(),
            Err(RecvTimeoutError::Disconnected) => return Ok(1),
        }
    }
}

/// Prints the kernels once as text.
pub fn print(running: &[Running]) -> io::Result<u8> {
    let mut out = io::stdout().lock();
    for line in lines(running, 100) {
        writeln!(out, "{line}")?;
    }
    Ok(0)
}

/// What the screen shows, as lines of text at most `width` columns wide.
pub fn lines(running: &[Running], width: usize) -> Vec<String> {
    rows(running, Theme::Plain, width).iter().map(|row| row.to_string().trim_end().to_owned()).collect()
}

/// The last line: how many kernels, what is out of sight, the keys.
fn foot(kernels: usize, above: usize, below: usize) -> String {
    let mut text = format!("q: leave   {kernels} kernel{}", if kernels == 1 { "" } else { "s" });
    if above + below > 0 {
        text.push_str(&format!("   {below} lines below (arrows, PageDown)"));
    }
    text
}

fn rows(running: &[Running], theme: Theme, width: usize) -> Vec<Line<'static>> {
    if running.is_empty() {
        let text = "No Cellhold kernel of this user answers. One is shown here once a notebook with the kernel Cellhold is open.";
        return super::wrap::markup_rows(&Markup::of(Role::Dim, text).flowing(), theme, width);
    }
    let mut rows = Vec::new();
    for kernel in running {
        rows.push(head(kernel, theme, width));
        let mut panel = Panel::default();
        panel.update(kernel.usage["cellhold"].clone());
        let shown: Vec<Line<'_>> =
            panel.rows(theme, width, usize::MAX, false).into_iter().take(panel.head_rows() + ROWS_EACH).collect();
        let listed = shown.iter().filter(|row| row.to_string().trim_start().starts_with('#')).count() as u64;
        rows.extend(shown);
        let devices = kernel.usage["cellhold"]["devices"].as_array().into_iter().flatten();
        let more = devices.filter_map(|device| device["count"].as_u64()).sum::<u64>().saturating_sub(listed);
        if more > 0 {
            rows.push(Line::styled(format!("      and {more} more"), theme.role(Role::Dim)));
        }
        rows.push(Line::default());
    }
    rows
}

/// Name, process, memory and load of a kernel, as far as it tells and as there is room: a fact is there whole or not at all.
fn head(kernel: &Running, theme: Theme, width: usize) -> Line<'static> {
    let mut facts = Vec::new();
    if let Some(pid) = kernel.usage["pid"].as_u64() {
        facts.push(format!("process {pid}"));
    }
    if let Some(resident) = kernel.usage["kernel_memory"].as_u64() {
        facts.push(format!("{} of host memory", bytes(resident)));
    }
    if let Some(percent) = kernel.usage["kernel_cpu"].as_f64() {
        facts.push(format!("{percent:.0} % of a processor"));
    }
    let mut spans = super::wrap::wrap(&[(theme.prompt(), &kernel.name)], width).swap_remove(0).spans;
    let mut columns = Line::from(spans.clone()).width();
    for fact in facts {
        let fact = format!("   {fact}");
        columns += fact.chars().count();
        if columns > width {
            break;
        }
        spans.push(Span::styled(fact, theme.role(Role::Dim)));
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kernels_and_what_they_hold_are_listed_and_nothing_is_made_up() {
        let allocations: Vec<Value> = (0..50u64)
            .map(|id| json!({"id": id, "bytes": 1024, "shape": [128], "dtype": "float64", "holders": [{"path": format!("x{id}"), "let_go": "del x"}]}))
            .collect();
        let usage = json!({"pid": 7, "kernel_memory": null, "kernel_cpu": 12.4, "cellhold": {
            "devices": [{"filter": "sim:gpu:0", "total": 1024, "free": {"unknown": "x"}, "live": 512, "live_blocks": 512, "cached": 0, "count": 50, "default": true}],
            "allocations": allocations,
        }});
        let shown = rows(&[Running { name: "kernel-1".into(), usage }], Theme::Plain, 60);
        let shown: Vec<String> = shown.iter().map(|row| row.to_string().trim_end().to_owned()).collect();
        assert_eq!(shown[0], "kernel-1   process 7   12 % of a processor");
        assert_eq!(shown[2], format!("{}{}", "█".repeat(20), "/".repeat(20)));
        assert!(shown.iter().any(|row| row.contains("free unknown")), "{shown:#?}");
        assert_eq!(shown.iter().filter(|row| row.contains("<- x")).count(), ROWS_EACH / 2);
        assert_eq!(shown.iter().filter(|row| row.trim() == format!("and {} more", 50 - ROWS_EACH / 2)).count(), 1);
        let none: Vec<String> = rows(&[], Theme::Plain, 60).iter().map(ToString::to_string).collect();
        assert!(none.len() == 2 && none[0].starts_with("No Cellhold kernel") && none[0].len() < 60, "{none:?}");
        assert!(none[1].starts_with("  once "), "words stay whole: {none:?}");
    }

    #[test]
    fn facts_that_have_no_room_are_left_out_whole() {
        let usage = json!({"pid": 17119, "kernel_memory": 181_000_000, "kernel_cpu": 74.0, "cellhold": {}});
        let kernel = Running { name: "kernel-1".into(), usage };
        let at = |width| head(&kernel, Theme::Plain, width).to_string();
        assert_eq!(at(80), "kernel-1   process 17119   173 MiB of host memory   74 % of a processor");
        assert_eq!(at(60), "kernel-1   process 17119   173 MiB of host memory");
        assert_eq!(at(30), "kernel-1   process 17119");
        assert_eq!(foot(2, 0, 7), "q: leave   2 kernels   7 lines below (arrows, PageDown)");
        assert_eq!(foot(1, 0, 0), "q: leave   1 kernel");
    }
}
