//! Markup as HTML for notebooks: escaped, without scripts or anything from the network, readable on dark and light grounds.

use super::markup::{Markup, Piece, Role};
use super::table::{Align, Table};
use super::units::Fraction;
use std::borrow::Cow;

/// Renders markup as one self-contained element. Colours come from the notebook's theme where it has them.
pub fn to_html(markup: &Markup) -> String {
    let mut out = String::from(
        "<div class=\"cellhold\" style=\"font-family:var(--jp-code-font-family,monospace);\
         font-size:var(--jp-code-font-size,13px);\
         padding-left:var(--jp-code-padding,0)\">",
    );
    let mut in_text = false;
    for piece in &markup.pieces {
        match piece {
            Piece::Text(role, text) => {
                open_text(&mut out, &mut in_text);
                inline(*role, text, &mut out);
            }
            Piece::Bar(fraction) => {
                open_text(&mut out, &mut in_text);
                bar(*fraction, &mut out);
            }
            Piece::Gap(blanks) | Piece::Blank(blanks) => {
                open_text(&mut out, &mut in_text);
                out.push_str(&" ".repeat(*blanks));
            }
            Piece::Table(table) => {
                close_text(&mut out, &mut in_text);
                html_table(table, &mut out);
            }
        }
    }
    close_text(&mut out, &mut in_text);
    out.push_str("</div>");
    out
}

fn open_text(out: &mut String, in_text: &mut bool) {
    if !*in_text {
        // Notebooks part long lines of such an element in the middle of words.
        out.push_str(
            "<pre style=\"margin:0;font-size:inherit;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere\">",
        );
        *in_text = true;
    }
}

fn close_text(out: &mut String, in_text: &mut bool) {
    if *in_text {
        out.push_str("</pre>");
        *in_text = false;
    }
}

fn inline(role: Role, text: &str, out: &mut String) {
    let style = style(role);
    // What a person copies and types keeps its blanks.
    let mut kept = if role == Role::Code { text.into() } else { with_units_kept(text) };
    if role == Role::Dim && kept.len() > 1 && kept.ends_with(' ') {
        // The name of a figure stays with the figure that follows.
        kept.to_mut().pop();
        kept.to_mut().push('\u{a0}');
    }
    if style.is_empty() {
        escape(&kept, out);
        return;
    }
    out.push_str("<span style=\"");
    out.push_str(style);
    out.push_str("\">");
    escape(&kept, out);
    out.push_str("</span>");
}

/// The text with each figure and its unit on one line.
fn with_units_kept(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices(' ') {
        let is_figure = text[..at].ends_with(|c: char| c.is_ascii_digit());
        let unit = text[at + 1..].split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
        if is_figure && ["B", "KiB", "MiB", "GiB", "TiB"].contains(&unit) {
            kept.push_str(&text[from..at]);
            kept.push('\u{a0}');
            from = at + 1;
        }
    }
    if from == 0 {
        return text.into();
    }
    kept.push_str(&text[from..]);
    kept.into()
}

/// Middle tones, which keep their contrast on white and on black; inherited colour wherever meaning needs none.
fn style(role: Role) -> &'static str {
    match role {
        Role::Plain => "",
        Role::Strong => "font-weight:bold",
        Role::Dim => "opacity:.65",
        Role::Code => "color:var(--jp-info-color1,#0b7fab)",
        Role::Number => "color:var(--jp-brand-color1,#3d7edb)",
        Role::Error => "color:var(--jp-error-color1,#d0463b)",
        Role::Warning => "color:var(--jp-warn-color1,#b7791f)",
        Role::Good | Role::Text => "color:var(--jp-success-color1,#2f8f46)",
        Role::Keyword => "color:#9a55c9",
    }
}

fn bar(fraction: Fraction, out: &mut String) {
    let percent = fraction.get() * 100.0;
    out.push_str(&format!(
        "<span title=\"{fraction}\" style=\"display:inline-block;width:12em;height:.8em;vertical-align:middle;\
         border-radius:2px;overflow:hidden;background:rgba(128,128,128,.25)\"><span style=\"display:block;height:100%;\
         width:{percent:.1}%;background:var(--jp-brand-color1,#3d7edb)\"></span></span>"
    ));
}

fn html_table(table: &Table, out: &mut String) {
    out.push_str("<table style=\"border-collapse:collapse;margin:.3em 0\">");
    if table.has_heading {
        out.push_str("<thead><tr>");
        for column in &table.columns {
            let side = side(column.align);
            out.push_str(&format!("<th style=\"text-align:{side};padding:.1em .7em;opacity:.65\">"));
            escape(&column.title, out);
            out.push_str("</th>");
        }
        out.push_str("</tr></thead>");
    }
    out.push_str("<tbody>");
    for row in &table.rows {
        out.push_str("<tr>");
        for (index, column) in table.columns.iter().enumerate() {
            let side = side(column.align);
            let wrap = if column.shrinks { "normal" } else { "nowrap" };
            out.push_str(&format!("<td style=\"text-align:{side};padding:.1em .7em;white-space:{wrap}\">"));
            for piece in row.get(index).map_or(&[][..], |cell| &cell.pieces) {
                match piece {
                    Piece::Text(role, text) => inline(*role, text, out),
                    Piece::Bar(fraction) => bar(*fraction, out),
                    Piece::Gap(_) | Piece::Blank(_) => out.push(' '),
                    Piece::Table(inner) => html_table(inner, out),
                }
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
}

fn side(align: Align) -> &'static str {
    match align {
        Align::Left => "left",
        Align::Right => "right",
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_program_cannot_become_tags() {
        let mut table = Table::new().left("<i>");
        table.row(vec![Markup::text("cache['<script>']")]);
        let html = to_html(&Markup::of(Role::Code, "<b>\"&'").table(table));
        assert!(!html.contains("<script>") && !html.contains("<b>") && !html.contains("<i>"), "{html}");
        assert!(html.contains("&lt;b&gt;&quot;&amp;&#39;"));
    }

    #[test]
    fn a_figure_is_not_parted_from_its_unit() {
        assert_eq!(with_units_kept("1.00 MiB of 20 B, 3 Bars 4 B"), "1.00\u{a0}MiB of 20\u{a0}B, 3 Bars 4\u{a0}B");
        assert!(to_html(&Markup::of(Role::Code, "%free --need 2 B")).contains("2 B"));
        let named = to_html(&Markup::of(Role::Dim, "in blocks of ").push(Role::Number, "2 B"));
        assert!(named.contains("in blocks of\u{a0}</span>"), "nor from its name: {named}");
    }

    #[test]
    fn nothing_is_fetched_and_nothing_runs() {
        let html = to_html(&Markup::text("x").bar(Fraction::new(1, 3).unwrap()));
        assert!(
            !html.contains("http") && !html.contains("src=") && !html.contains("<script") && !html.contains("url(")
        );
    }
}
