//! Where a line of the file that evcxr compiles stands in the cells that people wrote.
//!
//! evcxr puts the statements of a cell, and the items of all cells, whole lines at a time into one file whose layout is its
//! own affair. A panic names a line of that file. The line is looked for in the cells, the newest first, by its own text and
//! by as many equal neighbours as there are.

use std::path::PathBuf;

/// Cells remembered; functions older than that are named by evcxr's own line.
const CELLS_MAX: usize = 1000;

/// A text and where it stands.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The cell's number.
    pub number: u32,
    /// The line of the cell, from 1, on which the text begins.
    pub line: usize,
    /// The text.
    pub text: String,
}

/// A place in a cell, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The cell's number.
    pub cell: u32,
    /// The line in the cell, from 1.
    pub line: usize,
    /// The index of the line in the text that was evaluated.
    pub index: usize,
}

/// The cells so far.
#[derive(Debug, Default)]
pub struct Sources {
    cells: Vec<Cell>,
    /// The file that evcxr compiles.
    pub file: PathBuf,
}

impl Sources {
    /// Remembers a cell that is about to be compiled.
    pub fn remember(&mut self, cell: Cell) {
        if self.cells.len() >= CELLS_MAX {
            self.cells.remove(0);
        }
        self.cells.push(cell);
    }

    /// The newest text of a cell of this number.
    pub fn cell(&self, number: u32) -> Option<&Cell> {
        self.cells.iter().rev().find(|cell| cell.number == number)
    }

    /// The place of a line of a file, when the file is the one that evcxr compiled last.
    pub fn place(&self, file: &str, line: usize) -> Option<Place> {
        if !file.ends_with("src/lib.rs") || file.contains("/.cargo/") {
            return None;
        }
        let generated = std::fs::read_to_string(&self.file).ok()?;
        self.place_in(&generated, line)
    }

    fn place_in(&self, generated: &str, line: usize) -> Option<Place> {
        let generated: Vec<&str> = generated.lines().map(str::trim).collect();
        let at = line.checked_sub(1)?;
        let wanted = *generated.get(at)?;
        if wanted.is_empty() {
            return None;
        }
        let mut best: Option<(usize, Place)> = None;
        for cell in self.cells.iter().rev() {
            let lines: Vec<&str> = cell.text.lines().map(str::trim).collect();
            for (index, text) in lines.iter().enumerate() {
                // A statement that does not begin its line stands alone in the generated file.
                if *text != wanted && !(text.ends_with(wanted) || text.contains(wanted) && wanted.len() > 3) {
                    continue;
                }
                let before = lines[..index].iter().rev().zip(generated[..at].iter().rev());
                let after = lines[index + 1..].iter().zip(&generated[at + 1..]);
                let equal = before.take_while(|(a, b)| a == b).count() + after.take_while(|(a, b)| a == b).count();
                let score = 2 * equal + usize::from(*text == wanted);
                if best.as_ref().is_none_or(|(least, _)| score > *least) {
                    best = Some((score, Place { cell: cell.number, line: cell.line + index, index }));
                }
            }
        }
        best.map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(texts: &[&str]) -> Sources {
        let cells = texts.iter().zip(1..).map(|(text, number)| Cell { number, line: 2, text: (*text).to_owned() });
        Sources { cells: cells.collect(), file: PathBuf::new() }
    }

    fn place(sources: &Sources, generated: &str, line: usize) -> Option<(u32, usize)> {
        sources.place_in(generated, line).map(|place| (place.cell, place.line))
    }

    #[test]
    fn a_line_is_found_in_its_cell_by_its_neighbours() {
        let cells = sources(&["fn f() {\n    panic!()\n}", "let a = 1;\nfn g() {\n    panic!()\n}\ng();"]);
        let generated = "#![allow(x)]\nfn g() {\n    panic!()\n}\nfn f() {\n    panic!()\n}\nlet a = 1;\ng();\n";
        assert_eq!(place(&cells, generated, 3), Some((2, 4)), "the function of the second cell");
        assert_eq!(place(&cells, generated, 6), Some((1, 3)), "the function of the first cell");
        assert_eq!(place(&cells, generated, 9), Some((2, 6)), "a statement");
        assert_eq!(place(&cells, generated, 1), None, "what evcxr wrote");
        assert_eq!(place(&cells, generated, 99), None);
    }

    #[test]
    fn statements_that_share_a_line_are_found() {
        let cells = sources(&["let v = vec![1]; v[7];"]);
        assert_eq!(place(&cells, "x\nlet v = vec![1];\nv[7];\n", 3), Some((1, 2)));
    }

    #[test]
    fn the_newest_of_equal_cells_is_meant() {
        let cells = sources(&["f();", "f();"]);
        assert_eq!(place(&cells, "f();\n", 1), Some((2, 2)));
    }
}
