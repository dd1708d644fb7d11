//! Key sequences and screens, without a terminal.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::json;

use super::*;
use crate::repl::screen::draw::draw;
use crate::repl::screen::theme::Theme;
use crate::session::Match;

fn key(code: KeyCode) -> Input {
    Input::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn control(letter: char) -> Input {
    Input::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
}

/// Types characters and `\n` for Enter; answers the effects of the last key.
fn typed(app: &mut App, text: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for character in text.chars() {
        effects = app.on(key(if character == '\n' { KeyCode::Enter } else { KeyCode::Char(character) }));
    }
    effects
}

fn ready() -> App {
    let mut app = App::new();
    app.on(Input::Report(Report::Ready { next_number: 1, history: vec!["x = 1".into(), "y = 2".into()] }));
    app
}

fn finish(app: &mut App, next_number: u32, has_failed: bool) -> Vec<Effect> {
    app.on(Input::Report(Report::Finished(Finished { next_number, has_failed, ..Finished::default() })))
}

/// A session of two cells with what holds memory.
fn busy() -> App {
    let mut app = ready();
    app.on(Input::Report(Report::Cell(CellEvent::Started {
        number: 1,
        source: "a = dpnp.ones((1000, 1000))\nfor i in range(3):\n    print('漢字', i)".into(),
    })));
    app.on(Input::Report(Report::Cell(CellEvent::Text {
        stream: Stream::Stdout,
        text: "漢字 0\n漢字 1\n漢字 2\n".into(),
    })));
    app.on(Input::Report(Report::Finished(Finished { next_number: 2, delta: 8_000_000, ..Finished::default() })));
    app.on(Input::Report(Report::Memory(json!({
        "devices": [
            {"filter": "native:cpu:0", "total": 25_000_000_000u64, "free": {"bytes": 20_000_000_000u64}, "live": 8_000_000, "live_blocks": 8_388_608, "cached": 0, "count": 1, "default": true},
            {"filter": "sim:gpu:0", "total": 67_108_864, "free": {"unknown": "no permission"}, "live": 16_777_216, "live_blocks": 16_777_216, "cached": 8_388_608, "count": 1, "default": false},
        ],
        "allocations": [
            {"id": 2, "bytes": 16_777_216, "shape": [2048, 1024], "dtype": "float64", "holders": [{"path": "results[0]", "let_go": "results.pop(0)"}, {"path": "Out[1]", "let_go": "%free Out[1]"}]},
            {"id": 1, "bytes": 8_000_000, "shape": [1000, 1000], "dtype": "float64", "holders": [{"path": "a", "let_go": "del a"}]},
        ],
    }))));
    app
}

fn screen(app: &mut App, theme: Theme, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen of text");
    terminal.draw(|frame| draw(app, theme, frame)).expect("draws");
    terminal.backend().to_string()
}

#[test]
fn enter_runs_whole_cells_and_goes_on_with_others() {
    let mut app = ready();
    assert_eq!(typed(&mut app, "1 + 1\n"), [Effect::Run("1 + 1".into())]);
    finish(&mut app, 2, false);
    typed(&mut app, "def f():\n");
    assert_eq!(app.editor.text(), "def f():\n    ");
    assert_eq!(typed(&mut app, "return 1\n\n"), [Effect::Run("def f():\n    return 1\n".into())]);
}

#[test]
fn cells_typed_ahead_wait_and_are_dropped_after_an_error() {
    let mut app = ready();
    typed(&mut app, "a\n");
    assert_eq!(typed(&mut app, "b\n"), [], "it waits");
    assert_eq!(finish(&mut app, 2, false), [Effect::Run("b".into())]);
    typed(&mut app, "c\n");
    assert_eq!(finish(&mut app, 3, true), []);
    assert_eq!(app.message.as_deref(), Some("1 waiting cell was not run"));
    assert!(!app.is_running);
}

#[test]
fn mem_is_answered_while_a_cell_runs() {
    let mut app = ready();
    typed(&mut app, "work()\n");
    assert_eq!(typed(&mut app, "%mem results\n"), [Effect::Explain("results".into())]);
    app.on(Input::Report(Report::Explanation(Ok(Markup::text("Just now, while cell 1 ran:\n#2   8.00 MiB")))));
    assert!(screen(&mut app, Theme::Plain, 80, 12).contains("while cell 1 ran:"));
    app.on(key(KeyCode::Esc));
    app.on(Input::Report(Report::Explanation(Err("there is no resluts".into()))));
    assert_eq!((&app.mode, app.message.as_deref()), (&Mode::Edit, Some("there is no resluts")));
    assert_eq!(typed(&mut app, "%mem --live\n"), [], "what a snapshot cannot answer waits like any cell");
    assert_eq!(finish(&mut app, 2, false), [Effect::Run("%mem --live".into())]);
    finish(&mut app, 3, false);
    assert_eq!(typed(&mut app, "%mem\n"), [Effect::Run("%mem".into())], "nothing runs: the session itself answers");
}

#[test]
fn control_c_interrupts_a_cell_and_clears_a_text_and_control_d_leaves() {
    let mut app = ready();
    typed(&mut app, "while 1: pass\n\n");
    assert!(app.is_running);
    assert_eq!(app.on(control('c')), [Effect::Interrupt]);
    assert_eq!(app.on(control('d')), [], "a running cell is not left behind");
    finish(&mut app, 2, true);
    typed(&mut app, "half");
    assert_eq!(app.on(control('d')), [], "it deletes in a text");
    app.on(control('c'));
    assert!(app.editor.is_empty());
    assert_eq!(app.on(control('d')), [Effect::Leave(0)]);
}

#[test]
fn completions_are_chosen_narrowed_and_put_in() {
    let mut app = ready();
    typed(&mut app, "dpnp.ze");
    let asked = app.on(key(KeyCode::Tab));
    let [Effect::Complete { ticket, cursor: 7, .. }] = asked[..] else { panic!("{asked:?}") };
    let matches =
        ["zeros", "zeros_like"].map(|name| Match { text: name.into(), kind: "function", signature: String::new() });
    let found = Completions { start: 5, end: 7, matches: matches.to_vec() };
    let asked = app.on(Input::Report(Report::Completions { ticket, found: found.clone() }));
    let [Effect::Inspect { ticket, ref source, cursor: 10 }] = asked[..] else { panic!("{asked:?}") };
    assert_eq!(source, "dpnp.zeros");
    app.on(Input::Report(Report::Inspection { ticket, text: Some("zeros(shape)\nZeros.".into()) }));
    insta::assert_snapshot!("completion", screen(&mut app, Theme::Plain, 80, 12));
    app.on(key(KeyCode::Down));
    app.on(key(KeyCode::Enter));
    assert_eq!(app.editor.text(), "dpnp.zeros_like");
    // A lone match needs no choosing; an answer to an older question is nobody's.
    app.editor.set("dpnp.zeros_l");
    let asked = app.on(key(KeyCode::Tab));
    let [Effect::Complete { ticket, .. }] = asked[..] else { panic!("{asked:?}") };
    app.on(Input::Report(Report::Completions { ticket: ticket - 1, found: found.clone() }));
    assert!(app.popup.is_none());
    let lone = Completions { start: 5, end: 12, matches: vec![found.matches[1].clone()] };
    app.on(Input::Report(Report::Completions { ticket, found: lone }));
    assert_eq!(app.editor.text(), "dpnp.zeros_like");
}

#[test]
fn the_history_is_searched_backwards() {
    let mut app = ready();
    typed(&mut app, "written");
    app.on(control('r'));
    typed(&mut app, "= ");
    assert_eq!(app.editor.text(), "y = 2");
    app.on(control('r'));
    assert_eq!(app.editor.text(), "x = 1");
    app.on(key(KeyCode::Esc));
    assert_eq!(app.editor.text(), "written");
    app.on(control('r'));
    typed(&mut app, "x");
    app.on(key(KeyCode::Enter));
    assert_eq!((app.editor.text().as_str(), &app.mode), ("x = 1", &Mode::Edit), "taken, not yet run");
}

#[test]
fn a_holder_is_let_go_of_from_the_panel_after_a_yes() {
    let mut app = busy();
    app.on(key(KeyCode::F(2)));
    app.on(key(KeyCode::Down));
    app.on(key(KeyCode::Char('f')));
    assert_eq!(app.mode, Mode::Confirm { statements: vec!["results.pop(0)".into()] });
    assert_eq!(app.on(key(KeyCode::Char('n'))), []);
    app.on(key(KeyCode::Up));
    app.on(key(KeyCode::Char('f')));
    assert_eq!(app.on(key(KeyCode::Char('y'))), [Effect::Run("results.pop(0)\n%free Out[1]".into())]);
    assert_eq!(app.mode, Mode::Panel, "the keys stay where they were");
    assert_eq!(app.on(key(KeyCode::Char('y'))), [Effect::Copy("results.pop(0)\n%free Out[1]".into())]);
}

#[test]
fn input_is_answered_and_a_secret_is_not_shown() {
    let mut app = ready();
    typed(&mut app, "input()\n");
    app.on(Input::Report(Report::Question { prompt: "name? ".into(), is_hidden: false }));
    assert_eq!(typed(&mut app, "Ann\n"), [Effect::Answer(Some("Ann".into()))]);
    app.on(Input::Report(Report::Question { prompt: "secret? ".into(), is_hidden: true }));
    typed(&mut app, "abc");
    let shown = screen(&mut app, Theme::Plain, 60, 8);
    assert!(shown.contains("name? Ann") && shown.contains("secret? ") && !shown.contains("abc"), "{shown}");
    app.on(control('u'));
    assert_eq!(app.on(control('d')), [Effect::Answer(None)]);
}

#[test]
fn pasted_text_is_one_edit_and_runs_nothing() {
    let mut app = ready();
    assert_eq!(app.on(Input::Paste("a = 1\r\nb = 2\r\n".into())), []);
    assert_eq!(app.editor.text(), "a = 1\nb = 2\n");
}

#[test]
fn screens_of_every_width_hold_the_same() {
    for (width, height) in [(60, 16), (80, 16), (120, 20), (200, 20)] {
        let mut app = busy();
        typed(&mut app, "results = [a * (1 + 2)");
        insta::assert_snapshot!(format!("session_{width}"), screen(&mut app, Theme::Plain, width, height));
    }
}

#[test]
fn an_empty_session_and_a_hundred_thousand_allocations_are_drawn() {
    let mut app = ready();
    insta::assert_snapshot!("empty_120", screen(&mut app, Theme::Plain, 120, 10));
    let allocations: Vec<Value> = (0..100_000u64)
        .map(|id| json!({"id": id, "bytes": id * 8, "shape": [id], "dtype": "float64", "holders": [{"path": format!("rows[{id}]"), "let_go": "del rows"}]}))
        .collect();
    let device = json!({"filter": "native:cpu:0", "total": 1u64 << 40, "free": {"bytes": 1u64 << 39}, "live": 1u64 << 35, "live_blocks": 1u64 << 35, "cached": 0, "count": 100_000, "default": true});
    app.on(Input::Report(Report::Memory(json!({"devices": [device], "allocations": allocations}))));
    insta::assert_snapshot!("many_120", screen(&mut app, Theme::Plain, 120, 10));
}

#[test]
fn the_panel_takes_a_narrow_screen_when_it_has_the_keys() {
    let mut app = busy();
    app.on(key(KeyCode::F(2)));
    insta::assert_snapshot!("panel_60", screen(&mut app, Theme::Plain, 60, 14));
    app.on(key(KeyCode::Esc));
    app.on(key(KeyCode::F(1)));
    insta::assert_snapshot!("help_80", screen(&mut app, Theme::Plain, 80, 24));
}

#[test]
fn typing_on_closes_what_is_shown_and_loses_no_key() {
    let mut app = busy();
    app.mode = Mode::Page { text: HELP.into(), top: 0 };
    typed(&mut app, "%mem");
    assert_eq!((&app.mode, app.editor.text().as_str()), (&Mode::Edit, "%mem"));
    app.mode = Mode::Page { text: HELP.into(), top: 0 };
    app.on(key(KeyCode::Char(' ')));
    assert_eq!(app.mode, Mode::Page { text: HELP.into(), top: 10 }, "a blank turns the page");
}

#[test]
fn no_measure_breaks_the_screen() {
    let mut app = busy();
    app.editor.set("漢字 = (1,\n        2)");
    for width in [1, 2, 9, 10, 11, 13, 40, 99, 100, 101] {
        for height in [1, 2, 3, 4, 5, 7, 50] {
            for mode in [
                Mode::Edit,
                Mode::Panel,
                Mode::Page { text: HELP.into(), top: 3 },
                Mode::Ask { prompt: "? ".into(), is_hidden: false, answer: "漢".repeat(40) },
            ] {
                app.mode = mode;
                screen(&mut app, Theme::Sixteen, width, height);
            }
        }
    }
}

#[test]
fn totals_alone_are_completed_between_cells() {
    let mut app = busy();
    let totals = json!({"devices": [], "allocations": [], "omitted": 2});
    assert_eq!(app.on(Input::Report(Report::Memory(totals.clone()))), [Effect::LookAtMemory]);
    assert!(app.panel.chosen().is_some(), "what was seen last stays until then");
    app.is_running = true;
    assert_eq!(app.on(Input::Report(Report::Memory(totals))), []);
}

#[test]
fn colours_suit_light_and_dark_grounds() {
    use ratatui::style::Color;
    let mut app = busy();
    typed(&mut app, "x = 'text' if True else 1");
    for mode in [Mode::Edit, Mode::Panel, Mode::Page { text: HELP.into(), top: 0 }] {
        app.mode = mode;
        for (theme, may_be_true) in [(Theme::Plain, false), (Theme::Sixteen, false), (Theme::True, true)] {
            let mut terminal = Terminal::new(TestBackend::new(120, 24)).expect("a screen of text");
            terminal.draw(|frame| draw(&mut app, theme, frame)).expect("draws");
            let mut coloured = 0;
            for cell in terminal.backend().buffer().content() {
                // The ground is the terminal's own, and so are colours, whose palette fits it; neither black nor white is named.
                assert_eq!(cell.bg, Color::Reset);
                assert!(!matches!(cell.fg, Color::Black | Color::White | Color::Gray | Color::DarkGray));
                assert!(may_be_true || !matches!(cell.fg, Color::Rgb(..) | Color::Indexed(_)));
                coloured += usize::from(cell.fg != Color::Reset);
            }
            assert_eq!(coloured == 0, theme == Theme::Plain, "{theme:?}");
        }
    }
}
