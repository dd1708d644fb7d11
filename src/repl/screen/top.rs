//! `cellhold top`: the running kernels of this user, a gauge a device and the largest allocations with their holders.
//!
//! Where the figures come from it does not know: whoever starts it hands it a way to ask.

use std::io::{self, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use serde_json::Value;

use super::Screen;
use super::app::Input;
use super::panel::Panel;
use super::theme::Theme;
use crate::display::Role;
use crate::display::units::bytes;

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
            top = top.min(rows.len().saturating_sub(usize::from(area.height)));
            frame.render_widget(Paragraph::new(rows.into_iter().skip(top).collect::<Vec<_>>()), area);
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

fn rows(running: &[Running], theme: Theme, width: usize) -> Vec<Line<'static>> {
    if running.is_empty() {
        let text =
            "No Cellhold kernel of this user answers. Open a notebook with the Cellhold kernel, then look again.";
        return super::wrap::text_rows(text, theme.role(Role::Dim), width);
    }
    let mut rows = Vec::new();
    for kernel in running {
        rows.push(head(kernel, theme));
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

/// Name, process, memory and load of a kernel, as far as it tells.
fn head(kernel: &Running, theme: Theme) -> Line<'static> {
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
    Line::from(vec![
        Span::styled(kernel.name.clone(), theme.prompt()),
        Span::styled(format!("   {}", facts.join("   ")), theme.role(Role::Dim)),
    ])
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
        assert!(rows(&[], Theme::Plain, 60)[0].to_string().contains("No Cellhold kernel"));
    }
}
