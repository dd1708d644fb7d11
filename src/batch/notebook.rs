//! The code cells of a notebook file (nbformat 4).

use serde_json::Value;

/// The sources of the code cells, in order. Cells of other kinds and empty ones are passed over.
pub fn code_cells(text: &str) -> Result<Vec<String>, String> {
    let notebook: Value = serde_json::from_str(text).map_err(|error| format!("not a notebook: {error}"))?;
    match notebook["nbformat"].as_u64() {
        Some(4) => {}
        Some(other) => {
            return Err(format!("notebook format {other}; only 4 is read (jupyter nbconvert --to notebook)"));
        }
        None => return Err("not a notebook: no nbformat".into()),
    }
    let cells = notebook["cells"].as_array().ok_or("not a notebook: no cells")?;
    let code = cells.iter().filter(|cell| cell["cell_type"] == "code");
    code.map(|cell| source(&cell["source"]))
        .filter(|cell| cell.as_ref().map_or(true, |text| !text.trim().is_empty()))
        .collect()
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
    use serde_json::json;

    #[test]
    fn code_is_read_in_both_spellings_and_in_order() {
        let notebook = json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "markdown", "source": "# title"},
            {"cell_type": "code", "source": ["a = 1\n", "b = 2"]},
            {"cell_type": "code", "source": "  \n"},
            {"cell_type": "code", "source": "a + b"},
        ]});
        assert_eq!(code_cells(&notebook.to_string()).unwrap(), ["a = 1\nb = 2", "a + b"]);
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
            assert!(code_cells(text).is_err_and(|problem| problem.contains(reason)), "{text}");
        }
    }
}
