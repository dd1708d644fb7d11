//! Markup as plain text: tables laid out in columns, bars as blocks, roles forgotten.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::markup::{Markup, Piece, Role};
use super::table::{Align, Table};
use super::units::Fraction;

/// Cells of a bar in text.
const BAR_CELLS: usize = 24;

/// Between two columns.
const GAP: &str = "   ";

/// Renders markup for a medium `width` columns wide without any colour.
pub fn to_plain(markup: &Markup, width: usize) -> String {
    let mut out = String::new();
    render(markup, width, &mut |_, text| out.push_str(text));
    out
}

/// Lines of runs of text with a role, laid out for a medium `width` columns wide; for media that colour by themselves.
pub fn to_lines(markup: &Markup, width: usize) -> Vec<Vec<(Role, String)>> {
    let mut lines = vec![Vec::new()];
    render(markup, width, &mut |role, text| {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.push((role, part.to_owned()));
            }
        }
    });
    lines
}

/// Renders markup as runs of text with a role, in order; shared by the plain and the ANSI form.
pub(super) fn render(markup: &Markup, width: usize, emit: &mut dyn FnMut(Role, &str)) {
    let mut column = 0usize;
    for (at, piece) in markup.pieces.iter().enumerate() {
        match piece {
            Piece::Text(role, text) => {
                emit(*role, text);
                column = match text.rsplit_once('\n') {
                    Some((_, last)) => last.width(),
                    None => column.saturating_add(text.width()),
                };
            }
            Piece::Bar(fraction) => {
                emit(Role::Number, &bar(*fraction));
                column += BAR_CELLS;
            }
            Piece::Gap(blanks) | Piece::Blank(blanks) => {
                let is_gap = matches!(piece, Piece::Gap(_));
                let needed = *blanks + part_width(&markup.pieces[at + 1..], is_gap);
                if column.saturating_add(needed) > width {
                    emit(Role::Plain, "\n  ");
                    column = 2;
                } else {
                    emit(Role::Plain, &" ".repeat(*blanks));
                    column += *blanks;
                }
            }
            Piece::Table(table) => {
                render_table(table, width, emit);
                column = 0;
                if at + 1 < markup.pieces.len() {
                    emit(Role::Plain, "\n");
                }
            }
        }
    }
}

/// Columns up to where the line may be parted next: at a gap, or at a blank too.
fn part_width(pieces: &[Piece], at_gaps_only: bool) -> usize {
    let mut columns = 0;
    for piece in pieces {
        match piece {
            Piece::Text(_, text) => match text.split_once('\n') {
                Some((first, _)) => return columns + first.width(),
                None => columns += text.width(),
            },
            Piece::Bar(_) => columns += BAR_CELLS,
            Piece::Blank(blanks) if at_gaps_only => columns += blanks,
            Piece::Gap(_) | Piece::Blank(_) | Piece::Table(_) => break,
        }
    }
    columns
}

/// The least that is left to a column that gives.
fn least(width: usize) -> usize {
    (width / 6).clamp(8, 24)
}

fn bar(fraction: Fraction) -> String {
    let full = fraction.cells(BAR_CELLS);
    format!("{}{}", "█".repeat(full), "░".repeat(BAR_CELLS - full))
}

/// The runs of a cell, its width, cut to `limit` columns.
fn runs(cell: &Markup, limit: usize) -> (Vec<(Role, String)>, usize) {
    let mut runs: Vec<(Role, String)> = Vec::new();
    render(cell, usize::MAX, &mut |role, text| runs.push((role, text.replace(['\n', '\r', '\t'], " "))));
    let total: usize = runs.iter().map(|(_, text)| text.width()).sum();
    if total <= limit {
        return (runs, total);
    }
    let (mut kept, mut used) = (Vec::new(), 0);
    'cell: for (role, text) in runs {
        let mut part = String::new();
        for c in text.chars() {
            let columns = c.width().unwrap_or(0);
            if used + columns + 1 > limit {
                part.push('…');
                used += 1;
                kept.push((role, part));
                break 'cell;
            }
            part.push(c);
            used += columns;
        }
        kept.push((role, part));
    }
    (kept, used)
}

fn render_table(table: &Table, width: usize, emit: &mut dyn FnMut(Role, &str)) {
    let natural = natural_widths(table);
    let limits = column_widths(table, &natural, width);
    if let Some(least) = table.stacks_below {
        let is_cut = |index: usize| limits[index] < natural[index].min(least);
        if total(&limits) > width || (0..limits.len()).any(|index| table.columns[index].gives_late && is_cut(index)) {
            return render_stacked(table, &natural, width, emit);
        }
    }
    let last = table.columns.len().saturating_sub(1);
    let mut line = |cells: Vec<Markup>, is_last_line: bool| {
        for (index, cell) in cells.iter().enumerate().take(limits.len()) {
            let (runs, used) = runs(cell, limits[index]);
            let pad = limits[index].saturating_sub(used);
            if index > 0 {
                emit(Role::Plain, GAP);
            }
            if table.columns[index].align == Align::Right {
                emit(Role::Plain, &" ".repeat(pad));
            }
            for (role, text) in &runs {
                emit(*role, text);
            }
            // Trailing blanks would only be in the way of whoever copies the text.
            let is_last_cell = index == last || cells[index + 1..].iter().all(Markup::is_empty);
            if is_last_cell {
                break;
            }
            if table.columns[index].align == Align::Left {
                emit(Role::Plain, &" ".repeat(pad));
            }
        }
        if !is_last_line {
            emit(Role::Plain, "\n");
        }
    };
    if table.has_heading {
        let heading = table.columns.iter().map(|column| Markup::of(Role::Dim, column.title.clone())).collect();
        line(heading, table.rows.is_empty());
    }
    for (index, row) in table.rows.iter().enumerate() {
        line(row.clone(), index + 1 == table.rows.len());
    }
}

/// Rows for a narrow medium: what does not shrink in one line, and below it the rest, each under its title and parted at blanks.
fn render_stacked(table: &Table, natural: &[usize], width: usize, emit: &mut dyn FnMut(Role, &str)) {
    const INDENT: usize = 4;
    let firm: Vec<usize> =
        (0..natural.len()).filter(|&index| !table.columns[index].shrinks).map(|index| natural[index]).collect();
    let has_heading = table.names_figures && total(&firm) <= width;
    let stands_below = |index: usize| {
        let column = &table.columns[index];
        column.shrinks || (table.names_figures && !has_heading && column.align == Align::Right)
    };
    let below = || (0..natural.len()).filter(|&index| stands_below(index));
    let titles = below().map(|index| table.columns[index].title.width()).max().unwrap_or(0);
    let indent = if titles > 0 { INDENT + titles + 2 } else { INDENT };
    let heading: Vec<Markup> = table.columns.iter().map(|column| Markup::of(Role::Dim, column.title.clone())).collect();
    let rows = has_heading.then_some((&heading, true)).into_iter().chain(table.rows.iter().map(|row| (row, false)));
    for (at, (row, is_heading)) in rows.enumerate() {
        if at > 0 {
            emit(Role::Plain, "\n");
        }
        let (mut used, mut missing, mut gap) = (0, 0, "");
        for (index, cell) in row.iter().enumerate().take(natural.len()) {
            if stands_below(index) {
                continue;
            }
            let room = natural[index].min(width.saturating_sub(used + missing + gap.len()));
            let (runs, columns) = runs(cell, room);
            let blanks = room - columns;
            let pad = missing + if table.columns[index].align == Align::Right { blanks } else { 0 };
            emit(Role::Plain, &format!("{}{gap}", " ".repeat(pad)));
            runs.iter().for_each(|(role, text)| emit(*role, text));
            used += gap.len() + pad + columns;
            gap = GAP;
            // Where figures are named, columns stand under each other.
            missing = if table.names_figures && table.columns[index].align == Align::Left { blanks } else { 0 };
        }
        if is_heading {
            continue;
        }
        let mut is_first = used == 0;
        for index in below() {
            let Some(cell) = row.get(index).filter(|cell| !cell.is_empty()) else { continue };
            let title = &table.columns[index].title;
            // Without anything before it, a row begins with its first cell.
            let start = if is_first { 0 } else { indent };
            if !is_first {
                emit(Role::Plain, "\n");
            }
            is_first = false;
            if titles > 0 {
                emit(Role::Plain, &" ".repeat(INDENT.min(start)));
                emit(Role::Dim, title);
                emit(Role::Plain, &" ".repeat(titles - title.width() + 2));
            } else {
                emit(Role::Plain, &" ".repeat(start));
            }
            parted(cell, start, indent, width, emit);
        }
    }
}

/// A cell over as many lines as it takes: it begins at column `start`, and goes on in further lines at `indent`.
fn parted(cell: &Markup, start: usize, indent: usize, width: usize, emit: &mut dyn FnMut(Role, &str)) {
    let (mut column, mut blanks) = (start, 0);
    let mut has_words = false;
    for (role, text) in runs(cell, usize::MAX).0 {
        for word in text.split_inclusive(' ') {
            let bare = word.trim_end_matches(' ');
            if !bare.is_empty() {
                if has_words && column + blanks + bare.width() > width {
                    emit(Role::Plain, &format!("\n{}", " ".repeat(indent)));
                    (column, blanks) = (indent, 0);
                }
                emit(Role::Plain, &" ".repeat(blanks));
                let (kept, used) = runs(&Markup::text(bare), width.saturating_sub(column + blanks).max(1));
                kept.iter().for_each(|(_, text)| emit(role, text));
                column += blanks + used;
                blanks = 0;
                has_words = true;
            }
            blanks += word.len() - bare.len();
        }
    }
}

/// What the columns take with the gaps between them.
fn total(widths: &[usize]) -> usize {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    widths.iter().sum::<usize>().saturating_add(gaps)
}

/// How wide each column's cells are.
fn natural_widths(table: &Table) -> Vec<usize> {
    let mut widths: Vec<usize> =
        table.columns.iter().map(|column| if table.has_heading { column.title.width() } else { 0 }).collect();
    for row in &table.rows {
        for (index, cell) in row.iter().enumerate().take(widths.len()) {
            widths[index] = widths[index].max(runs(cell, usize::MAX).1);
        }
    }
    widths
}

/// How wide each column may be: what its cells need, less what shrinking columns give up to fit the medium.
fn column_widths(table: &Table, natural: &[usize], width: usize) -> Vec<usize> {
    let mut widths = natural.to_vec();
    let mut excess = total(&widths).saturating_sub(width);
    // Columns give in their order: what matters most stands last and is cut last.
    for late in [false, true] {
        for (index, column) in table.columns.iter().enumerate() {
            if column.shrinks && column.gives_late == late && excess > 0 {
                let least = column.title.width().max(least(width)).max(column.keeps).min(widths[index]);
                let given = excess.min(widths[index] - least);
                widths[index] -= given;
                excess -= given;
            }
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new().right("id").right("bytes").shrinking("held by");
        table.row(vec!["#9".into(), "7.63 MiB".into(), "Out[2]".into()]);
        table.row(vec!["#10".into(), "15.3 MiB".into(), "results[0], results[1], a_long_name_of_a_thing".into()]);
        table
    }

    #[test]
    fn figures_align_right_and_lines_end_without_blanks() {
        let text = to_plain(&Markup::new().table(sample()), 200);
        assert_eq!(
            text,
            " id      bytes   held by\n #9   7.63 MiB   Out[2]\n#10   15.3 MiB   results[0], results[1], a_long_name_of_a_thing"
        );
    }

    #[test]
    fn prose_is_parted_between_words_where_its_parts_do_not_fit() {
        let hint = Markup::of(Role::Dim, "hint: much is kept, which nobody uses.").gap();
        let hint =
            hint.push(Role::Code, "%free --compact rows").line().plain("  held here\n    quoted lines are left alone");
        assert_eq!(to_plain(&hint.clone().flowing(), 200), to_plain(&hint, 200));
        assert_eq!(
            to_plain(&hint.flowing(), 20),
            "hint: much is kept,\n  which nobody uses.\n  %free --compact rows\n  held here\n    quoted lines are left alone"
        );
    }

    #[test]
    fn figures_keep_their_titles_where_columns_stand_below_others() {
        let mut table =
            Table::new().left("").left("device").right("total").shrinking_late("").stacking_below(40).naming_figures();
        table.row(vec!["*".into(), "cpu".into(), "23.5 GiB".into(), "fp64 yes and much more that takes room".into()]);
        table.row(vec!["".into(), "gpu:0".into(), "64 MiB".into(), "fp64 no".into()]);
        let markup = Markup::new().table(table);
        assert_eq!(
            to_plain(&markup, 40),
            "    device      total\n*   cpu      23.5 GiB\n    fp64 yes and much more that takes\n    room\n    \
             gpu:0      64 MiB\n    fp64 no"
        );
        assert_eq!(
            to_plain(&markup, 20),
            "*   cpu\n    total  23.5 GiB\n           fp64 yes\n           and much\n           more that\n           takes\n           \
             room\n    gpu:0\n    total  64 MiB\n           fp64 no"
        );
    }

    #[test]
    fn narrow_media_cut_the_column_that_may_shrink() {
        let text = to_plain(&Markup::new().table(sample()), 32);
        assert!(text.lines().all(|line| line.width() <= 32), "{text}");
        assert!(text.contains('…'));
    }

    #[test]
    fn a_column_keeps_what_it_was_told_to_keep() {
        let mut table = Table::new().right("bytes").shrinking("born").keeping(14).shrinking_late("held by");
        table.row(vec!["848 B".into(), "cell 2 line 1  np.ones(106)".into(), "results[0], results[1]".into()]);
        let text = to_plain(&Markup::new().table(table.clone()), 40);
        assert!(text.contains("cell 2 line 1…"), "{text}");
        table.columns[1].keeps = 0;
        let text = to_plain(&Markup::new().table(table), 40);
        assert!(!text.contains("cell 2 line 1"), "{text}");
    }

    #[test]
    fn where_cutting_would_hide_what_matters_columns_stand_below() {
        let mut table =
            Table::new().right("id").right("bytes").left("what").shrinking("born").shrinking_late("held by");
        let holders = "results[0], results[1], fit.<closure>.held, cache['first run'][0]";
        table.row(vec![
            "#9".into(),
            "848 B".into(),
            "(106,) int8".into(),
            "cell 2 line 1  ones".into(),
            holders.into(),
        ]);
        table.row(vec!["#10".into(), "7.63 MiB".into(), "(8,) int8".into(), "cell 3".into(), "a".into()]);
        let markup = |table: &Table| Markup::new().table(table.clone());
        let stacking = table.clone().stacking_below(24);
        assert_eq!(to_plain(&markup(&stacking), 120), to_plain(&markup(&table), 120), "there is room");
        let text = to_plain(&markup(&stacking), 40);
        let expected = [
            " #9      848 B   (106,) int8",
            "    born     cell 2 line 1  ones",
            "    held by  results[0], results[1],",
            "             fit.<closure>.held,",
            "             cache['first run'][0]",
            "#10   7.63 MiB   (8,) int8",
            "    born     cell 3",
            "    held by  a",
        ];
        assert_eq!(text, expected.join("\n"));
    }

    #[test]
    fn a_row_without_titles_begins_with_its_first_cell_and_loses_nothing() {
        let mut table = Table { has_heading: false, ..Table::new() }.shrinking_late("").shrinking_late("");
        table.row(vec![
            "  <- entry 3 of dict   <- cached results of load   <- name load".into(),
            "let go: del load".into(),
        ]);
        let text = to_plain(&Markup::new().table(table.stacking_below(usize::MAX)), 40);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            ["  <- entry 3 of dict   <- cached results", "    of load   <- name load", "    let go: del load"]
        );
    }

    #[test]
    fn a_line_is_parted_where_it_does_not_fit() {
        let line =
            Markup::text("native:cpu:0").gap().plain("here 7.63 MiB").gap().plain("free 20.0 GiB").line().plain("x");
        assert_eq!(to_plain(&line, 80), "native:cpu:0   here 7.63 MiB   free 20.0 GiB\nx");
        assert_eq!(to_plain(&line, 30), "native:cpu:0   here 7.63 MiB\n  free 20.0 GiB\nx");
    }

    #[test]
    fn line_ends_in_a_cell_do_not_break_the_table() {
        let mut table = Table::new().left("a").left("b");
        table.row(vec!["x\ny".into(), "z".into()]);
        assert_eq!(to_plain(&Markup::new().table(table), 80).lines().count(), 2);
    }

    #[test]
    fn wide_characters_count_as_two_columns() {
        let mut table = Table::new().left("n").left("v");
        table.row(vec!["漢字".into(), "1".into()]);
        table.row(vec!["ab".into(), "2".into()]);
        let text = to_plain(&Markup::new().table(table), 80);
        assert!(text.contains("ab     2") && text.contains("漢字   1"), "{text}");
    }
}
