//! From the state to the screen: where everything stands at any width and height.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::app::{App, Mode};
use super::theme::Theme;
use super::wrap::{text_rows, wrap};
use crate::display::Role;

/// Screens narrower than this have the panel folded into one line.
const PANEL_FROM: u16 = 100;

/// Matches in sight at once.
const MATCHES_MAX: usize = 10;

/// Lines of a match's documentation in sight.
const DOC_MAX: usize = 8;

/// Columns of the session's own area, which is what output is laid out for.
pub(super) fn session_width(app: &App, area: Rect) -> u16 {
    area.width - panel_width(app, area).map_or(0, |width| width + 1)
}

fn panel_width(app: &App, area: Rect) -> Option<u16> {
    (area.width >= PANEL_FROM && !app.is_panel_hidden).then(|| (area.width / 3).clamp(36, 52))
}

/// Draws everything.
pub(super) fn draw(app: &mut App, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < 10 || area.height < 4 {
        frame.render_widget("too small", area);
        return;
    }
    let has_panel_keys = matches!(app.mode, Mode::Panel | Mode::Filter | Mode::Confirm { .. });
    let status = Rect { y: area.bottom() - 1, height: 1, ..area };
    let mut body = Rect { height: area.height - 1, ..area };
    match panel_width(app, area) {
        Some(width) => {
            body.width -= width + 1;
            let edge = Rect { x: body.right(), width: 1, ..body };
            let edges: Vec<Line> = (0..edge.height).map(|_| Line::styled("│", theme.role(Role::Dim))).collect();
            frame.render_widget(Paragraph::new(edges), edge);
            let panel = Rect { x: body.right() + 1, width, ..body };
            let rows = app.panel.rows(theme, usize::from(width), usize::from(panel.height), has_panel_keys);
            frame.render_widget(Paragraph::new(rows), panel);
        }
        None if has_panel_keys => {
            let rows = app.panel.rows(theme, usize::from(body.width), usize::from(body.height), true);
            frame.render_widget(Paragraph::new(rows), body);
            draw_status(app, theme, frame, status);
            return;
        }
        None if !app.is_panel_hidden => {
            body.height -= 1;
            let folded = Rect { y: body.bottom(), height: 1, ..body };
            frame.render_widget(app.panel.folded(theme, usize::from(body.width)), folded);
        }
        None => {}
    }
    draw_session(app, theme, frame, body);
    if let Mode::Page { text, top } = &app.mode {
        draw_page(text, *top, theme, frame, Rect { height: area.height - 1, ..area });
    }
    draw_status(app, theme, frame, status);
}

/// The session: what was shown, and below it the cell that is being written.
fn draw_session(app: &mut App, theme: Theme, frame: &mut Frame<'_>, body: Rect) {
    let width = usize::from(body.width);
    let (mut rows, mut cursor) = match &app.mode {
        Mode::Ask { prompt, is_hidden, answer } => {
            let shown = if *is_hidden { String::new() } else { answer.clone() };
            let rows = wrap(&[(Style::new(), &format!("{prompt}{shown}"))], width.saturating_sub(1));
            let last = rows.last().map_or(0, Line::width);
            let cursor = (rows.len() as u16 - 1, last as u16);
            (rows, cursor)
        }
        _ => {
            let prompt = match (app.is_running, app.next_number) {
                (false, Some(number)) => format!("In [{number}]: "),
                _ => "In [*]: ".to_owned(),
            };
            let shown = app.editor.rows(&prompt, theme, width);
            (shown.rows, shown.cursor)
        }
    };
    // A long cell takes at most two thirds, with the cursor in sight.
    let most = usize::from((body.height * 2 / 3).max(1));
    if rows.len() > most {
        let first = (usize::from(cursor.0) + 1).saturating_sub(most).min(rows.len() - most);
        rows = rows.split_off(first);
        rows.truncate(most);
        cursor.0 -= first as u16;
    }
    let room = body.height - rows.len() as u16;
    let shown = app.transcript.rows(theme, body.width, room);
    let above = shown.len() as u16;
    frame.render_widget(Paragraph::new(shown), Rect { height: above, ..body });
    let cell = Rect { y: body.y + above, height: rows.len() as u16, ..body };
    frame.render_widget(Paragraph::new(rows), cell);
    let at = Position::new((cell.x + cursor.1).min(body.right() - 1), cell.y + cursor.0);
    if matches!(app.mode, Mode::Edit | Mode::Search { .. } | Mode::Ask { .. }) {
        frame.set_cursor_position(at);
    }
    if app.mode == Mode::Edit {
        draw_popup(app, theme, frame, body, at);
    }
}

fn draw_popup(app: &App, theme: Theme, frame: &mut Frame<'_>, body: Rect, cursor: Position) {
    let Some(popup) = &app.popup else { return };
    let (matches, chosen) = popup.matches();
    let first = (chosen + 1).saturating_sub(MATCHES_MAX).min(matches.len().saturating_sub(MATCHES_MAX));
    let seen = &matches[first..(first + MATCHES_MAX).min(matches.len())];
    let names = seen.iter().map(|found| found.text.width()).max().unwrap_or(0);
    let kinds = seen.iter().map(|found| found.kind.width()).max().unwrap_or(0);
    let inner = names + 2 + kinds;
    let mut rows: Vec<Line> = Vec::new();
    for (at, found) in seen.iter().enumerate() {
        let style = if first + at == chosen { theme.chosen() } else { Style::new() };
        let gap = " ".repeat(inner - found.text.width() - found.kind.width());
        rows.push(Line::from(vec![
            Span::styled(found.text.clone(), style),
            Span::styled(gap, style),
            Span::styled(found.kind, style.patch(theme.role(Role::Dim))),
        ]));
    }
    let title =
        if matches.len() > seen.len() { format!(" {} of {} ", chosen + 1, matches.len()) } else { String::new() };
    let lines = rows.len() as u16;
    let list = place(body, cursor, inner as u16 + 2, lines + 2);
    frame.render_widget(Clear, list);
    frame.render_widget(Paragraph::new(rows).block(Block::bordered().title(title)), list);
    if let Some(doc) = &popup.doc {
        let room = body.right().saturating_sub(list.right());
        if room < 24 {
            return;
        }
        let width = room.min(64);
        let mut rows = text_rows(doc, Style::new(), usize::from(width - 2));
        rows.truncate(DOC_MAX.min(usize::from(body.bottom().saturating_sub(list.y).saturating_sub(2))).max(1));
        let height = (rows.len() as u16 + 2).min(body.bottom() - list.y);
        let beside = Rect { x: list.right(), y: list.y, width, height };
        frame.render_widget(Clear, beside);
        frame.render_widget(Paragraph::new(rows).block(Block::bordered()), beside);
    }
}

/// A box at the cursor: below it where it fits, else above, never outside.
fn place(body: Rect, cursor: Position, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(body.width), height.min(body.height));
    let x = cursor.x.min(body.right() - width);
    let y = if cursor.y + 1 + height <= body.bottom() {
        cursor.y + 1
    } else if cursor.y >= body.y + height {
        cursor.y - height
    } else {
        body.bottom() - height
    };
    Rect { x, y, width, height }
}

fn draw_page(text: &str, top: usize, theme: Theme, frame: &mut Frame<'_>, area: Rect) {
    let width = usize::from(area.width.saturating_sub(4));
    let mut rows = text_rows(text, Style::new(), width.max(2));
    let longest = rows.iter().map(Line::width).max().unwrap_or(0) as u16;
    let height = (rows.len() as u16 + 2).min(area.height);
    let box_width = (longest + 4).min(area.width);
    let inside = usize::from(height.saturating_sub(2));
    let top = top.min(rows.len().saturating_sub(inside));
    let is_cut = rows.len() > inside;
    rows = rows.into_iter().skip(top).take(inside).collect();
    let page = Rect {
        x: area.x + (area.width - box_width) / 2,
        y: area.y + (area.height - height) / 2,
        width: box_width,
        height,
    };
    let hint = if is_cut { " Up, Down: more   Esc: close " } else { " Esc: close " };
    frame.render_widget(Clear, page);
    let edge = Block::bordered().title_bottom(Line::styled(hint, theme.role(Role::Dim)));
    frame.render_widget(Paragraph::new(rows).block(edge.padding(ratatui::widgets::Padding::horizontal(1))), page);
}

/// As many of the hints as there is room for, none of them cut but the first.
fn fitting(hints: &str, columns: u16) -> String {
    let mut row = String::new();
    for hint in hints.split("   ") {
        let gap = if row.is_empty() { "" } else { "   " };
        if !row.is_empty() && row.len() + gap.len() + hint.len() > usize::from(columns) {
            break;
        }
        row = row + gap + hint;
    }
    row
}

/// The last line: what is asked, what happens, or which keys there are.
fn draw_status(app: &App, theme: Theme, frame: &mut Frame<'_>, area: Rect) {
    let text = match &app.mode {
        Mode::Search { needle, .. } if app.message.is_none() => {
            format!("search: {needle}▏  Ctrl-R: earlier   Enter: take   Esc: back")
        }
        Mode::Filter => format!("filter: {}▏  Enter: done   Esc: all", app.panel.filter),
        Mode::Confirm { statements } => format!("let go by {}?  y: yes   any other key: no", statements.join("; ")),
        Mode::Panel if app.message.is_none() => {
            fitting("f: let go   Enter: why alive   s: order   /: filter   y: copy   Esc: back", area.width)
        }
        _ => match (&app.message, app.is_running, app.transcript.rows_below()) {
            (Some(message), _, _) => message.clone(),
            (None, true, _) => {
                let waiting = match app.waiting.len() {
                    0 => String::new(),
                    1 => "   1 cell waits".to_owned(),
                    count => format!("   {count} cells wait"),
                };
                format!("running   Ctrl-C: interrupt{waiting}")
            }
            (None, false, 0) => {
                fitting("F1: keys   Tab: complete   Ctrl-R: history   F2: memory   Ctrl-D: leave", area.width)
            }
            (None, false, below) => format!("{below} rows below   PageDown: forward"),
        },
    };
    let row = wrap(&[(theme.role(Role::Dim), &text)], usize::from(area.width)).swap_remove(0);
    frame.render_widget(row, area);
}
