//! Brackets, separators and line breaks around the words of an array. It knows shapes and words, not numbers.

use super::options::PrintOptions;

/// The shape that is printed: whole, or only the corners of a summarised array.
#[derive(Clone, Debug)]
pub struct Corners {
    /// Per axis, how many elements are shown.
    pub shown: Vec<usize>,
    /// Per axis, how many elements are shown before the `...`, or `None` where all are.
    pub leading: Vec<Option<usize>>,
}

impl Corners {
    /// Decides what an array of this shape shows.
    pub fn of(shape: &[usize], options: &PrintOptions) -> Self {
        let len_elements: usize = shape.iter().product();
        let summarised = len_elements > options.threshold;
        let cut = |len: &usize| summarised && *len > 2 * options.edgeitems;
        Corners {
            // NumPy shows the last element even when no edge items are asked for.
            shown: shape.iter().map(|len| if cut(len) { (2 * options.edgeitems).max(1) } else { *len }).collect(),
            leading: shape.iter().map(|len| cut(len).then_some(options.edgeitems)).collect(),
        }
    }
}

/// Lays out `words` (one per shown element, last axis fastest). `prefix_len` is the width of what stands before the first bracket.
pub fn layout(words: &[String], corners: &Corners, separator: &str, prefix_len: usize, linewidth: usize) -> String {
    let mut layout = Layouter { words: words.iter(), corners, separator };
    let indent = " ".repeat(1 + prefix_len);
    layout.axis(0, &indent, linewidth)
}

struct Layouter<'a> {
    words: std::slice::Iter<'a, String>,
    corners: &'a Corners,
    separator: &'a str,
}

impl Layouter<'_> {
    fn axis(&mut self, axis: usize, indent: &str, width: usize) -> String {
        let axes_left = self.corners.shown.len() - axis;
        if axes_left == 0 {
            return self.words.next().cloned().unwrap_or_default();
        }
        let text =
            if axes_left == 1 { self.row(axis, indent, width) } else { self.rows(axis, axes_left, indent, width) };
        format!("[{}]", &text[indent.len()..])
    }

    fn row(&mut self, axis: usize, indent: &str, width: usize) -> String {
        let separator_len = self.separator.trim_end().len();
        let word_width = width.saturating_sub(separator_len.max(1));
        let (mut text, mut line) = (String::new(), indent.to_owned());
        let shown = self.corners.shown[axis];
        let mut extend = |line: &mut String, word: &str| {
            if line.len() + word.len() > word_width && line.len() > indent.len() {
                text.push_str(line.trim_end());
                text.push('\n');
                indent.clone_into(line);
            }
            line.push_str(word);
        };
        for position in 0..shown {
            if self.corners.leading[axis] == Some(position) {
                extend(&mut line, "...");
                line.push_str(self.separator);
            }
            let word = self.words.next().map_or("", String::as_str);
            extend(&mut line, word);
            if position + 1 < shown {
                line.push_str(self.separator);
            }
        }
        text + &line
    }

    fn rows(&mut self, axis: usize, axes_left: usize, indent: &str, width: usize) -> String {
        let line_separator = self.separator.trim_end().to_owned() + &"\n".repeat(axes_left - 1);
        let inner_indent = format!("{indent} ");
        let inner_width = width.saturating_sub(1);
        let shown = self.corners.shown[axis];
        let mut text = String::new();
        for position in 0..shown {
            if self.corners.leading[axis] == Some(position) {
                text.push_str(indent);
                text.push_str("...");
                text.push_str(&line_separator);
            }
            text.push_str(indent);
            text.push_str(&self.axis(axis + 1, &inner_indent, inner_width));
            if position + 1 < shown {
                text.push_str(&line_separator);
            }
        }
        text
    }
}
