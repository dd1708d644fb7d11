# Groups of exceptions: made, parted, handled by except*, printed.
import re
import traceback


def show():
    print(re.sub(r'File ".*/', 'File "', traceback.format_exc()))


def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
eg=ExceptionGroup("eg",[ValueError(1),TypeError("t"),ExceptionGroup("in",[KeyError('k'),ValueError(5)])])
print(eg, repr(eg), eg.message, eg.exceptions, eg.args)
print(ExceptionGroup.__mro__, BaseExceptionGroup.__mro__)
t(lambda: ExceptionGroup(1,[ValueError()]))
t(lambda: ExceptionGroup("x",5))
t(lambda: ExceptionGroup("x",[]))
t(lambda: ExceptionGroup("x",[1]))
t(lambda: ExceptionGroup("x"))
t(lambda: ExceptionGroup("x",[KeyboardInterrupt()]))
print(repr(BaseExceptionGroup("x",[KeyboardInterrupt()])), type(BaseExceptionGroup("x",[ValueError()])))
print(eg.split(ValueError)); print(eg.subgroup(KeyError)); print(eg.split(OSError)); print(eg.subgroup((KeyError,TypeError)))
print(eg.subgroup(lambda e: isinstance(e,ValueError) and e.args==(5,)))
t(lambda: eg.split(1))
class My(ExceptionGroup):
    def derive(self, excs): return My(self.message+'!', excs)
m=My("m",[ValueError(1),TypeError(2)]); m.add_note('n1')
a,b=m.split(ValueError); print(repr(a),repr(b),a.__notes__)
def f(): raise eg
try:
    f()
except* ValueError as e:
    print('V',repr(e), e.exceptions)
except* KeyError as e:
    print('K',repr(e))
except* TypeError:
    print('T')
else: print('no')
finally: print('fin')
try:
    pass
except* ValueError: print('x')
else: print('else')
try:
    try: f()
    except* KeyError as e: print(repr(e))
except ExceptionGroup as e: print('rest',repr(e))
try:
    try: raise ValueError('naked')
    except* ValueError as e: print(repr(e), type(e))
except Exception as e: print('no')
try:
    try: raise ValueError('naked')
    except* TypeError as e: print(repr(e), type(e))
except Exception as e: print('through',repr(e))
try:
    try: raise ExceptionGroup("g",[ValueError(1),TypeError(2),OSError(3)])
    except* ValueError as e: raise
    except* TypeError as e: raise KeyError('new') from e
except Exception as e: print(repr(e)); show()
try:
    try: raise ExceptionGroup("g",[ValueError(1)])
    except* ValueError as e: raise e
except Exception as e: print(repr(e)); show()
try:
    try: raise ExceptionGroup("g",[ValueError(1)])
    except* ExceptionGroup as e: pass
except TypeError as e: print(e)
try:
    try: raise ExceptionGroup("g",[ValueError(1)])
    except* 5 as e: pass
except TypeError as e: print(e)
def g():
    for i in range(3):
        try:
            raise ExceptionGroup("g",[ValueError(i)])
        except* ValueError as e:
            for q in range(3):
                if q: break
            def h(): return 1
            print(i,e.exceptions)
    return 'done'
print(g())
for src in ["try:\n  pass\nexcept* ValueError:\n  return","for i in []:\n try:\n  pass\n except* ValueError:\n  break","for i in []:\n try:\n  pass\n except* ValueError:\n  continue","try:\n pass\nexcept*:\n pass","try:\n pass\nexcept* A:\n pass\nexcept B:\n pass"]:
    try: exec("def f():\n"+"\n".join(' '+l for l in src.split('\n')))
    except SyntaxError as e: print(e.msg)
try: raise ExceptionGroup("wide",[ValueError(i) for i in range(20)])
except Exception: show()
try:
    raise ExceptionGroup("multi\nline",[ValueError("a\nb"),SyntaxError('bad')])
except Exception as e:
    e.add_note("note one\nnote two"); e.exceptions[0].add_note("inner")
    show()
