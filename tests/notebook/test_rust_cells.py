"""Rust cells as a person writes them: values, output, errors, variables, completion, crates."""

import json

from rust_support import folder, fresh, plain, rust  # noqa: F401  (fixtures among them)
from support import kinds, result_of, text_of


def test_a_value_is_the_result_and_stays_out_of_Out(rust):
    messages = rust.rust("let mut v = vec![1, 2, 3];\nv.len()")
    assert result_of(messages) == "3"
    number = next(m for m in messages if m["msg_type"] == "execute_result")["content"]["execution_count"]
    assert result_of(rust.run(f"{number} in Out")) == "False"
    rust.rust("v.push(4);")
    assert rust.value("v") == "[1, 2, 3, 4]"
    assert result_of(rust.rust("v.len();")) is None


def test_functions_uses_and_types_stay(rust):
    rust.rust("use std::collections::BTreeMap;\n#[derive(Debug, Clone)]\nstruct Point { x: f64 }\nfn twice(x: f64) -> f64 { 2.0 * x }")
    assert rust.value("let mut m = BTreeMap::new();\nm.insert(\"a\", Point { x: twice(1.5) });\nm") == '{"a": Point { x: 3.0 }}'


def test_output_comes_in_order_and_whole(rust):
    messages = rust.rust('println!("one");\neprintln!("two");\nprint!("no end");\n7')
    assert text_of(messages) == "one\nno end"
    assert text_of(messages, "stderr") == "two\n"
    assert result_of(messages) == "7"
    assert kinds(messages)[-1] == "execute_result", "what was printed comes before the result"
    text = text_of(rust.rust('for i in 0..20000 { println!("{i} ä𝄞"); }'))
    assert text == "".join(f"{i} ä𝄞\n" for i in range(20000))


def test_a_flushed_line_without_an_end_does_not_hang(rust):
    messages = rust.rust('use std::io::Write as _;\nprint!("a"); std::io::stdout().flush().unwrap();\nprint!("b")')
    assert text_of(messages) == "ab"
    assert text_of(rust.rust('println!("EVCXR_EXECUTION_COMPLETE or not");')) == "EVCXR_EXECUTION_COMPLETE or not\n"


def test_a_line_is_seen_before_its_end(rust):
    request = rust.client.execute('%%rust\nprint!("half"); std::thread::sleep(std::time::Duration::from_secs(3)); println!(" whole");')
    rust.wait_until_running(request)
    first = rust.next_output(request)
    while first["msg_type"] != "stream":
        first = rust.next_output(request)
    assert first["content"]["text"] == "half"
    assert rust.reply(request)["content"]["status"] == "ok"


def test_rich_output(rust):
    messages = rust.rust(
        'struct Page;\nimpl Page {\n    fn evcxr_display(&self) {\n'
        '        println!("EVCXR_BEGIN_CONTENT text/html\\n<b>bold</b>\\nEVCXR_END_CONTENT");\n    }\n}\nPage'
    )
    result = next(m for m in messages if m["msg_type"] == "execute_result")
    assert result["content"]["data"]["text/html"] == "<b>bold</b>"


def test_compile_errors_point_into_the_cell(rust):
    rust.rust("let kept = 5;")
    name, message, text = rust.fails('%%rust\n// a comment\nlet ok = 1;\nlet bad: i32 = "ä";')
    number = rust.ask("kernel_info_request") and result_of(rust.run("len(In) - 1"))
    assert (name, message) == ("RustError", "error[E0308]: mismatched types")
    assert f"--> cell {int(number) - 1}:4:16" in text, text
    assert '4 | let bad: i32 = "ä";' in text and "^^^ expected `i32`, found `&str`" in text
    assert "Traceback" not in text and "evcxr" not in text
    assert rust.value("kept") == "5"


def test_borrow_errors_and_unknown_names(rust):
    _, _, text = rust.fails("%%rust\nlet s = String::new();\nlet t = s;\ns.len()")
    assert "error[E0382]" in text and "4 | s.len()" in text and "value moved here" in text
    _, message, _ = rust.fails("%%rust\nnobody + 1")
    assert message == "error[E0425]: cannot find value `nobody` in this scope"
    _, _, text = rust.fails("%%rust\nlet a = 1")
    assert "expected `;`" in text and "evcxr" not in text
    _, _, text = rust.fails("%%rust\nlet a = (1;")
    assert "error" in text and "2 | let a = (1;" in text


def test_a_panic_is_an_error_that_names_its_place(rust):
    rust.rust("let alive = 11;")
    name, message, text = rust.fails('%%rust\nlet w = vec![1];\n\nprintln!("{}", w[alive as usize]);')
    assert name == "RustError"
    assert "index out of bounds: the len is 1 but the index is 11" in message
    assert ":4:" in text and "4 | println!" in text, text
    assert rust.value("alive") == "11"


def test_a_panic_in_a_function_points_at_the_cell_that_wrote_it(rust):
    rust.rust('fn refuse() {\n    panic!("no");\n}')
    number = int(result_of(rust.run("len(In) - 1"))) - 1
    _, _, text = rust.fails("%%rust\nrefuse();")
    assert f"--> cell {number}:3:5" in text, text


def test_caught_panics_and_those_of_threads_are_text(rust):
    messages = rust.rust(
        'let caught = std::panic::catch_unwind(|| panic!("caught")).is_err();\n'
        'caught && std::thread::spawn(|| panic!("elsewhere")).join().is_err()'
    )
    assert result_of(messages) == "true"
    errors = text_of(messages, "stderr")
    assert "caught" in errors and "elsewhere" in errors and "cell" in errors


def test_variables_are_listed_dropped_and_forgotten(rust):
    rust.rust("let numbers = vec![1.5f64];\nlet name = String::from(\"n\");")
    text = plain(next(m for m in rust.run("%rust vars") if m["msg_type"] == "display_data")["content"]["data"]["text/plain"])
    assert "numbers" in text and "Vec<f64>" in text and "String" in text
    rust.run("%rust drop numbers")
    assert "numbers" not in str(rust.run("%rust vars"))
    name, message, _ = rust.fails("%rust drop numbers")
    assert name == "UsageError" and "no variable numbers" in message
    assert "gone: " in text_of(rust.run("%rust reset"))
    assert text_of(rust.run("%rust vars")) == "Rust has no variables\n"
    _, _, text = rust.fails("%%rust\ntwice(1.0)")
    assert "E0425" in text
    assert text_of(rust.run("%rust")).startswith("Rust is ready: process ")


def complete(rust, code, cursor=None):
    return rust.ask("complete_request", code=code, cursor_pos=len(code) if cursor is None else cursor)


def test_completion_is_the_analysers_with_places_in_characters(rust):
    rust.rust('let word = String::from("x");')
    code = '%%rust\nlet s = "ä𝄞"; word.to_upp'
    reply = complete(rust, code)
    assert any(match.startswith("to_uppercase") for match in reply["matches"]), reply["matches"]
    assert (reply["cursor_start"], reply["cursor_end"]) == (len(code) - len("to_upp"), len(code))
    assert len(reply["metadata"]["_jupyter_types_experimental"]) == len(reply["matches"])
    assert "word" in complete(rust, "%%rust\nwor")["matches"]
    assert "rust" in complete(rust, "%%rus")["matches"]


def test_completeness_follows_brackets(rust):
    def status(code):
        return rust.ask("is_complete_request", code=code)

    assert status("%%rust\nfn f() {\n\n") == {"status": "incomplete", "indent": "    "}
    assert status("%%rust\nlet a = 1;")["status"] == "incomplete"
    assert status("%%rust\nlet a = 1;\n")["status"] == "complete"


def test_crates_by_path_and_from_the_registry(rust, tmp_path):
    crate = tmp_path / "little"
    (crate / "src").mkdir(parents=True)
    (crate / "Cargo.toml").write_text('[package]\nname = "little"\nversion = "0.1.0"\nedition = "2021"\n')
    (crate / "src/lib.rs").write_text("pub fn answer() -> i32 { 42 }\n")
    assert rust.value(f':dep little = {{ path = "{crate}" }}\nlittle::answer()') == "42"
    assert rust.value(':dep itoa = "1"\nitoa::Buffer::new().format(128u8).to_owned()') == '"128"'
    _, _, text = rust.fails('%%rust\n:dep nobody-has-this-crate-name-at-all = "99"\n1')
    assert "nobody-has-this-crate-name-at-all" in text


def test_help_and_wrong_use(rust):
    assert "%%rust" in json.dumps(rust.ask("inspect_request", code="%rust", cursor_pos=3, detail_level=0))
    for line, wanted in [("%rust fly", "warm"), ("%%rust x\n1", "nothing on its line"), ("%rust drop", "one Rust variable")]:
        name, message, _ = rust.fails(line)
        assert name == "UsageError" and wanted in message
    assert rust.fails("%%rust\n:restart")[1] == ":restart is %rust reset here"


def test_leaving_is_the_end_of_the_process(fresh):
    fresh.rust("let v = 1;")
    name, message, text = fresh.fails("%%rust\nstd::process::exit(3);")
    assert name == "RustError" and "exit status: 3" in text and "v" in text, text
    assert fresh.value("2") == "2"
