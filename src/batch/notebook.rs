//! A notebook file (nbformat 4): its code cells, a cell for parameters, and outputs put back where they belong.

use serde_json::{Value, json};

/// A notebook as it was read, with what has been put into it since.
#[derive(Debug)]
pub struct Notebook(Value);

/// A code cell to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeCell {
    /// Its place among all cells.
    pub position: usize,
    /// Its text.
    pub source: String,
    /// Whether it is meant to fail (the tag `raises-exception`, as nbclient and Jupyter Book read it).
    pub may_fail: bool,
}

impl Notebook {
    /// Reads a notebook; what is none, or one of another format, is refused with the reason.
    pub fn read(text: &str) -> Result<Notebook, String> {
        let notebook: Value = serde_json::from_str(text).map_err(|error| format!("not a notebook: {error}"))?;
        match notebook["nbformat"].as_u64() {
            Some(4) => {}
            Some(other) => {
                return Err(format!("notebook format {other}; only 4 is read (jupyter nbconvert --to notebook)"));
            }
            None => return Err("not a notebook: no nbformat".into()),
        }
        let cells = notebook["cells"].as_array().ok_or("not a notebook: no cells")?;
        for cell in cells.iter().filter(|cell| cell["cell_type"] == "code") {
            source(&cell["source"])?;
        }
        Ok(Notebook(notebook))
    }

    /// The code cells, in order. Cells of other kinds and empty ones are passed over.
    pub fn code_cells(&self) -> Vec<CodeCell> {
        let cells = self.0["cells"].as_array().into_iter().flatten().enumerate();
        cells
            .filter(|(_, cell)| cell["cell_type"] == "code")
            .filter_map(|(position, cell)| {
                let may_fail = has_tag(cell, "raises-exception");
                Some(CodeCell { position, source: source(&cell["source"]).ok()?, may_fail })
            })
            .filter(|cell| !cell.source.trim().is_empty())
            .collect()
    }

    /// Puts a cell that sets parameters behind the first one tagged `parameters`, or before all others.
    pub fn set_parameters(&mut self, text: &str) {
        let has_ids = self.0["nbformat_minor"].as_u64().is_some_and(|minor| minor >= 5);
        let Some(cells) = self.0["cells"].as_array_mut() else { return };
        let position = cells.iter().position(|cell| has_tag(cell, "parameters")).map_or(0, |tagged| tagged + 1);
        let mut cell = json!({
            "cell_type": "code", "execution_count": null, "metadata": {"tags": ["injected-parameters"]},
            "outputs": [], "source": text,
        });
        if has_ids {
            cell["id"] = uuid::Uuid::new_v4().to_string().into();
        }
        cells.insert(position, cell);
    }

    /// Puts a cell's outputs in the place of what it had.
    pub fn set_outputs(&mut self, position: usize, count: Option<u32>, outputs: Vec<Value>) {
        let cell = &mut self.0["cells"][position];
        cell["execution_count"] = count.into();
        cell["outputs"] = outputs.into();
    }

    /// The file's text.
    pub fn text(&self) -> String {
        // A JSON value always has a text.
        format!("{:#}\n", self.0)
    }
}

fn has_tag(cell: &Value, wanted: &str) -> bool {
    cell["metadata"]["tags"].as_array().is_some_and(|tags| tags.iter().any(|tag| tag == wanted))
}

/// A source is one string or a list of lines with their ends.
fn source(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Array(lines) => {
            lines.iter().map(|line| line.as_str().ok_or("a source line is not text".into())).collect()
        }
        _ => Err("a code cell has no source".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(notebook: &Notebook) -> Vec<String> {
        notebook.code_cells().into_iter().map(|cell| cell.source).collect()
    }

    #[test]
    fn code_is_read_in_both_spellings_and_in_order() {
        let text = json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "markdown", "source": "# title"},
            {"cell_type": "code", "source": ["a = 1\n", "b = 2"]},
            {"cell_type": "code", "source": "  \n"},
            {"cell_type": "code", "source": "a + b", "metadata": {"tags": ["x", "raises-exception"]}},
        ]});
        let notebook = Notebook::read(&text.to_string()).expect("a notebook");
        assert_eq!(sources(&notebook), ["a = 1\nb = 2", "a + b"]);
        assert_eq!(notebook.code_cells().iter().map(|cell| cell.may_fail).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn parameters_follow_their_defaults_and_outputs_replace_old_ones() {
        let text = json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "code", "source": "import x", "metadata": {}},
            {"cell_type": "code", "source": "n = 1", "metadata": {"tags": ["parameters"]}},
            {"cell_type": "code", "source": "n", "metadata": {}, "outputs": [{"output_type": "stream"}], "execution_count": 9},
        ]});
        let mut notebook = Notebook::read(&text.to_string()).expect("a notebook");
        notebook.set_parameters("n = 5");
        assert_eq!(sources(&notebook), ["import x", "n = 1", "n = 5", "n"]);
        notebook.set_outputs(3, Some(4), vec![json!({"output_type": "error"})]);
        let written: Value = serde_json::from_str(&notebook.text()).expect("JSON");
        assert_eq!(written["cells"][3]["execution_count"], 4);
        assert_eq!(written["cells"][3]["outputs"], json!([{"output_type": "error"}]));
        assert!(written["cells"][2]["id"].is_string(), "format 4.5 wants identities");
        let mut plain = Notebook::read(r#"{"nbformat": 4, "nbformat_minor": 2, "cells": []}"#).expect("a notebook");
        plain.set_parameters("n = 1");
        assert_eq!(sources(&plain), ["n = 1"]);
        assert!(!plain.text().contains("\"id\""));
    }

    #[test]
    fn what_is_no_notebook_is_refused_with_a_reason() {
        for (text, reason) in [
            ("print(1)", "not a notebook"),
            ("{}", "no nbformat"),
            (r#"{"nbformat": 3, "worksheets": []}"#, "format 3"),
            (r#"{"nbformat": 4}"#, "no cells"),
            (r#"{"nbformat": 4, "cells": [{"cell_type": "code"}]}"#, "no source"),
            (r#"{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}"#, "not text"),
        ] {
            assert!(Notebook::read(text).is_err_and(|problem| problem.contains(reason)), "{text}");
        }
    }
}
