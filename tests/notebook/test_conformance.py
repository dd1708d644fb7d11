"""The protocol's own conformance suite, with every capability it can test switched on."""

import jupyter_kernel_test


class CellholdTests(jupyter_kernel_test.KernelTests):
    kernel_name = "cellhold"
    language_name = "cellhold"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    completion_samples = [
        {"text": "zi", "matches": {"zip"}},
        {"text": "import mat", "matches": {"math"}},
        {"text": "'abc'.starts", "matches": {"startswith"}},
    ]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x*2\n\n\n", "%mem", "x = [1,\n 2]"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x*2", "for i in range(3):", "(1 +", "x = [1,"]
    invalid_code_samples = ["import = 7q", "1 +* 2", ")"]
    code_page_something = "print?"
    code_generate_error = "raise ValueError('boom')"
    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": "'a' + 'b'", "result": "'ab'"},
        {"code": "[1, 2.5, None]", "result": "[1, 2.5, None]"},
    ]
    code_display_data = [{"code": "display('text')", "mime": "text/plain"}, {"code": "%mem", "mime": "text/html"}]
    code_history_pattern = "6*7"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"


class CellholdWelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "cellhold"
    support_iopub_welcome = True


del jupyter_kernel_test
