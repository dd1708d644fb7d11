import io
import os
import sys
import warnings


def shown(f, *args, **kw):
    old, sys.stderr = sys.stderr, io.StringIO()
    try:
        f(*args, **kw)
        text = sys.stderr.getvalue()
    finally:
        sys.stderr = old
    print(repr(text.replace(os.getcwd() + "/", "")) if text else "(nothing)")


def issue(category=UserWarning, text="watch out"):
    warnings.warn(text, category)


shown(issue)
shown(issue)
shown(issue, RuntimeWarning)
shown(issue, DeprecationWarning)
shown(issue, PendingDeprecationWarning)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    issue()
    issue(DeprecationWarning, "old")
    print(len(caught), caught[0].category.__name__, caught[0].message, str(caught[1].message), caught[0].lineno > 0)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        issue(RuntimeWarning, "as error")
    except RuntimeWarning as e:
        print("raised", e)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    shown(issue, FutureWarning)
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="watch")
    shown(issue)
    shown(issue, UserWarning, "other")
with warnings.catch_warnings():
    warnings.simplefilter("once")
    shown(issue, UserWarning, "only once")
    shown(issue, UserWarning, "only once")


def outer():
    warnings.warn("from outer", stacklevel=2)


shown(outer)
shown(warnings.warn, UserWarning("instance"))
for bad in [(lambda: warnings.warn("x", int)), (lambda: warnings.simplefilter("bogus")), (lambda: warnings.warn("x", "y"))]:
    try:
        bad()
    except (TypeError, AssertionError) as e:
        print(type(e).__name__, e)
print(warnings.formatwarning("m", UserWarning, "f.py", 3, line="  code"))
