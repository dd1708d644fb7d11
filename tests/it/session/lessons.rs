//! The lessons run from top to bottom, say right to a right guess and explain a wrong one, and list all there are.

use std::path::PathBuf;

use cellhold::session::lessons::{LESSONS, copy_lessons};
use serde_json::Value;

use super::{Bench, with_session};

fn cells(notebook: &str) -> Vec<Value> {
    let notebook: Value = serde_json::from_str(notebook).unwrap();
    assert_eq!(notebook["metadata"]["kernelspec"]["name"], "cellhold");
    notebook["cells"].as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "code").cloned().collect()
}

fn has_tag(cell: &Value, tag: &str) -> bool {
    cell["metadata"]["tags"].as_array().is_some_and(|tags| tags.iter().any(|one| one == tag))
}

fn source(cell: &Value) -> String {
    cell["source"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
}

/// Runs a lesson with the guesses that `field` of each question names, or none; answers what each check of one said.
fn run(bench: &mut Bench, notebook: &str, field: Option<&str>) -> Vec<String> {
    let mut said = Vec::new();
    for cell in cells(notebook) {
        let mut text = source(&cell);
        if has_tag(&cell, "guess") {
            assert_eq!(text, "guess = None");
            if let Some(field) = field {
                let guess = cell["metadata"]["cellhold"][field].as_str().unwrap();
                text = match guess.parse::<f64>() {
                    Ok(_) => format!("guess = {guess}"),
                    Err(_) => format!("guess = '{guess}'"),
                };
            }
        }
        let error = bench.run(&text).error;
        assert_eq!(
            error.is_some(),
            has_tag(&cell, "raises-exception"),
            "{text}\n{}",
            error.map_or(String::new(), |error| error.text)
        );
        if text.contains("check(guess") {
            said.push(bench.output());
        }
    }
    said
}

#[test]
fn every_lesson_runs_and_judges_guesses() {
    // What needs more than this program is run where that is there.
    for lesson in LESSONS.iter().filter(|lesson| lesson.needs.is_none()) {
        for field in [None, Some("answer"), Some("wrong")] {
            with_session(move |bench| {
                let said = run(bench, lesson.notebook, field);
                assert!(!said.is_empty(), "{} asks for no guess", lesson.file);
                for text in said {
                    let expected = match field {
                        None => "No guess yet",
                        Some("answer") => "Right: ",
                        _ => "Not quite: ",
                    };
                    assert!(text.starts_with(expected), "{} with {field:?}: {text}", lesson.file);
                }
            });
        }
    }
}

#[test]
fn the_folder_and_the_program_have_the_same_lessons() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("lessons");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|name| name.ends_with(".ipynb"));
    files.sort();
    assert_eq!(files, LESSONS.iter().map(|lesson| lesson.file).collect::<Vec<_>>());
    for (index, lesson) in LESSONS.iter().enumerate() {
        assert_eq!(lesson.number, index + 1);
        assert!(lesson.file.starts_with(&format!("{:02}-", lesson.number)));
    }
}

#[test]
fn they_are_listed_and_copied_and_a_changed_one_is_left() {
    with_session(|bench| {
        bench.ok("%lessons");
        let text = bench.output();
        assert!(text.contains("07-cycles-and-gc.ipynb") && text.contains("%lessons copy FOLDER"), "{text}");
        assert!(text.contains("Rust ownership and the ledger (needs cargo)"), "{text}");
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("course");
        let said = bench.printed(&format!("%lessons copy {}", target.display()));
        assert!(said.contains("11 lessons are in"), "{said}");
        std::fs::write(target.join(LESSONS[2].file), "mine").unwrap();
        let (written, left) = copy_lessons(&target).unwrap();
        assert_eq!((written.len(), left.len()), (10, 1));
        assert_eq!(bench.fails("%lessons please").0, "UsageError");
    });
}

#[test]
fn a_guess_counts_for_its_own_question_and_is_judged_again_when_the_check_runs_again() {
    with_session(|bench| {
        bench.ok("from cellhold.lessons import check, guess");
        let first = "guess = check(guess, 8.0, expected=8, because='First.')";
        let second = "guess = check(guess, 8.0, expected=8, because='Second.')";
        assert!(bench.printed(first).starts_with("No guess yet"));
        bench.ok("guess = 8");
        assert_eq!(bench.printed(first), "Right: 8.\nFirst.\n");
        assert_eq!(bench.printed(first), "Right: 8.\nFirst.\n", "the same question again");
        // Its cell was skipped: the first question's guess is not taken for it.
        assert!(bench.printed(second).starts_with("No guess yet"));
        bench.ok("guess = 16");
        assert!(bench.printed(second).starts_with("Not quite: you said 16, it is 8."));
        bench.ok("guess = 9");
        assert!(bench.printed(first).starts_with("Not quite: you said 9"), "another guess for the first");
    });
}

#[test]
fn guesses_are_read_as_people_write_them() {
    with_session(|bench| {
        bench.ok("from cellhold.lessons import check");
        for (guess, expected, is_right) in [
            ("'8MB'", "8", true),
            ("'8 mib'", "8", true),
            ("' 8 bytes'", "8", true),
            ("8.0", "8", true),
            ("'eight'", "8", false),
            ("float('nan')", "8", false),
            ("[8]", "8", false),
            ("'No'", "'no'", true),
            ("False", "'no'", true),
            ("True", "'no'", false),
            ("0", "'no'", false),
        ] {
            let said = bench.printed(&format!("check({guess}, {expected}, 'B', {expected})"));
            assert_eq!(said.starts_with("Right: "), is_right, "{guess} for {expected}: {said}");
        }
    });
}

#[test]
fn cells_that_ran_twice_are_told_of_with_the_remedy() {
    with_session(|bench| {
        bench.ok("from cellhold.lessons import check, expect");
        for (cell, found) in [
            ("check(8, 16.0, 'B', 8)", "16 was measured where this lesson has 8"),
            ("expect((8.0, 0.5), (8, 1))", "(8, 0.5) was measured where this lesson has (8, 1)"),
        ] {
            let (class, text) = bench.fails(cell);
            assert_eq!(class, "AssertionError");
            assert!(text.contains(found) && text.contains("restart, and run the cells in order"), "{text}");
        }
    });
}
