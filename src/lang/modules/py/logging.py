"""Records of what a program does, by level, through handlers."""

import os
import sys
import time
import traceback
import warnings as _warnings

__all__ = ["CRITICAL", "DEBUG", "ERROR", "FATAL", "INFO", "NOTSET", "WARN", "WARNING", "FileHandler", "Filter",
           "Formatter", "Handler", "LogRecord", "Logger", "LoggerAdapter", "NullHandler", "StreamHandler",
           "addLevelName", "basicConfig", "captureWarnings", "critical", "debug", "disable", "error", "exception",
           "fatal", "getLevelName", "getLevelNamesMapping", "getLogger", "info", "lastResort", "log", "root",
           "shutdown", "warn", "warning"]

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0

_names = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO", DEBUG: "DEBUG", NOTSET: "NOTSET"}
_levels = {"CRITICAL": CRITICAL, "FATAL": FATAL, "ERROR": ERROR, "WARN": WARNING, "WARNING": WARNING, "INFO": INFO,
           "DEBUG": DEBUG, "NOTSET": NOTSET}
_start = time.time()
raiseExceptions = True


def getLevelName(level):
    """The name of a level, or the level of a name."""
    if level in _names:
        return _names[level]
    if level in _levels:
        return _levels[level]
    return "Level %s" % level


def getLevelNamesMapping():
    return dict(_levels)


def addLevelName(level, levelName):
    """Gives a level a name."""
    _names[level] = levelName
    _levels[levelName] = level


def _check_level(level):
    if isinstance(level, int):
        return level
    if str(level) == level:
        if level not in _levels:
            raise ValueError("Unknown level: %r" % (level,))
        return _levels[level]
    raise TypeError("Level not an integer or a valid string: %r" % (level,))


class LogRecord:
    """One thing that was logged."""

    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        # A single dict stands for the values of named places in the message.
        named = len(args) == 1 and isinstance(args[0], dict) and args[0] if args else False
        self.name, self.msg, self.args = name, msg, named or args
        self.levelno, self.levelname = level, getLevelName(level)
        self.pathname, self.lineno, self.funcName = pathname, lineno, func
        self.filename = os.path.basename(pathname)
        self.module = os.path.splitext(self.filename)[0]
        self.exc_info, self.exc_text, self.stack_info = exc_info, None, sinfo
        self.created = time.time()
        self.msecs = float(int(self.created % 1 * 1000))
        self.relativeCreated = (self.created - _start) * 1000
        self.process, self.processName = os.getpid(), "MainProcess"
        self.thread, self.threadName = 0, "MainThread"

    def __repr__(self):
        return '<LogRecord: %s, %s, %s, %s, "%s">' % (self.name, self.levelno, self.pathname, self.lineno, self.msg)

    def getMessage(self):
        """The message with its values in their places."""
        return str(self.msg) % self.args if self.args else str(self.msg)


class Formatter:
    """Text from a record: `%(asctime)s %(message)s`, `{message}` with style "{", `$message` with style "$"."""

    converter = time.localtime
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s,%03d"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        self._style = style
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._defaults = defaults or {}
        self.datefmt = datefmt

    def usesTime(self):
        return {"%": "%(asctime)", "{": "{asctime", "$": "asctime"}[self._style] in self._fmt

    def formatTime(self, record, datefmt=None):
        fields = self.converter(record.created)
        if datefmt:
            return time.strftime(datefmt, fields)
        text = time.strftime(self.default_time_format, fields)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, ei):
        return "".join(traceback.format_exception(ei[0], ei[1], ei[2])).rstrip("\n")

    def formatStack(self, stack_info):
        return stack_info

    def formatMessage(self, record):
        values = {**self._defaults, **record.__dict__}
        try:
            if self._style == "%":
                return self._fmt % values
            if self._style == "{":
                return self._fmt.format(**values)
        except KeyError as e:
            raise ValueError("Formatting field not found in record: %s" % e) from None
        import string
        return string.Template(self._fmt).substitute(**values)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        if record.exc_info and not record.exc_text:
            # Kept for the handlers that come later.
            record.exc_text = self.formatException(record.exc_info)
        text = self.formatMessage(record)
        below = [record.exc_text, record.stack_info and self.formatStack(record.stack_info)]
        for part in below:
            if part:
                text += part if text.endswith("\n") else "\n" + part
        return text


_plain = Formatter()


class Filter:
    """Lets through records of a logger and of those below it."""

    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


def _add_once(items, item):
    if item not in items:
        items.append(item)


def _drop(items, item):
    if item in items:
        items.remove(item)


class Filterer:
    """What asks filters before it passes a record on."""

    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        _add_once(self.filters, filter)

    def removeFilter(self, filter):
        _drop(self.filters, filter)

    def filter(self, record):
        """Whether all filters let a record through; each is asked."""
        return all([getattr(f, "filter", f)(record) for f in self.filters])


class Handler(Filterer):
    """Where records go."""

    def __init__(self, level=NOTSET):
        Filterer.__init__(self)
        self.name = None
        self.level = _check_level(level)
        self.formatter = None

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def acquire(self):
        pass

    def release(self):
        pass

    def setLevel(self, level):
        self.level = _check_level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        passes = self.filter(record)
        if passes:
            self.emit(record)
        return passes

    def flush(self):
        pass

    def close(self):
        pass

    def handleError(self, record):
        if raiseExceptions and sys.stderr:
            print("--- Logging error ---", file=sys.stderr)
            traceback.print_exc(file=sys.stderr)
            print("Message: %r\nArguments: %s" % (record.msg, record.args), file=sys.stderr)

    def __repr__(self):
        return "<%s (%s)>" % (self.__class__.__name__, getLevelName(self.level))


class StreamHandler(Handler):
    """Writes records to a stream, sys.stderr without one."""

    terminator = "\n"

    def __repr__(self):
        name = str(getattr(self.stream, "name", ""))
        return "<%s %s(%s)>" % (self.__class__.__name__, name + " " if name else "", getLevelName(self.level))

    def __init__(self, stream=None):
        Handler.__init__(self)
        self.stream = sys.stderr if stream is None else stream

    def flush(self):
        if self.stream and hasattr(self.stream, "flush"):
            self.stream.flush()

    def setStream(self, stream):
        old, self.stream = self.stream, stream
        return None if old is stream else old

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)


class FileHandler(StreamHandler):
    """Writes records to a file."""

    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        self.baseFilename = os.path.abspath(os.fspath(filename))
        self.mode = mode
        self.encoding = encoding
        Handler.__init__(self)
        self.stream = None if delay else self._open()

    def _open(self):
        return open(self.baseFilename, self.mode, encoding=self.encoding)

    def emit(self, record):
        if self.stream is None:
            self.stream = self._open()
        StreamHandler.emit(self, record)

    def close(self):
        if self.stream is not None:
            self.stream.close()
            self.stream = None


class NullHandler(Handler):
    """Drops records."""

    def handle(self, record):
        pass

    def emit(self, record):
        pass


class _LastResort(StreamHandler):
    def __init__(self, level):
        Handler.__init__(self, level)

    @property
    def stream(self):
        return sys.stderr


lastResort = _LastResort(WARNING)


def _upwards(logger):
    """A logger and those above it, to the root."""
    while logger is not None:
        yield logger
        logger = logger.parent


def _named(name, function):
    function.__name__ = function.__qualname__ = name
    return function


def _logs_at(name, level):
    """The method of loggers for one level."""

    def method(self, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    return _named(name, method)


class Logger(Filterer):
    """Takes messages and hands records to handlers, its own and those of the loggers above."""

    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name, self.level = name, _check_level(level)
        self.handlers, self.parent = [], None
        self.propagate, self.disabled = True, False

    def setLevel(self, level):
        self.level = _check_level(level)

    def getEffectiveLevel(self):
        """Its own level, or that of the nearest logger above that has one."""
        levels = [logger.level for logger in _upwards(self) if logger.level]
        return levels[0] if levels else NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and _disabled < level and level >= self.getEffectiveLevel()

    debug = _logs_at("debug", DEBUG)
    info = _logs_at("info", INFO)
    warning = warn = _logs_at("warning", WARNING)
    error = _logs_at("error", ERROR)
    critical = fatal = _logs_at("critical", CRITICAL)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        """An error, with the exception that is being handled."""
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def log(self, level, msg, *args, **kwargs):
        """A message at any level."""
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        own = {"message", "asctime", *record.__dict__}
        for key, value in (extra or {}).items():
            if key in own:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            setattr(record, key, value)
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if isinstance(exc_info, BaseException):
            exc_info = (type(exc_info), exc_info, exc_info.__traceback__)
        elif exc_info and not isinstance(exc_info, tuple):
            exc_info = sys.exc_info()
        self.handle(self.makeRecord(self.name, level, "(unknown file)", 0, msg, args, exc_info, "(unknown function)", extra))

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def addHandler(self, hdlr):
        _add_once(self.handlers, hdlr)

    def removeHandler(self, hdlr):
        _drop(self.handlers, hdlr)

    def _reached(self):
        """The handlers that its records reach: its own, then those above as far as records propagate."""
        for logger in _upwards(self):
            yield from logger.handlers
            if not logger.propagate:
                return

    def hasHandlers(self):
        """Whether its records reach any handler."""
        return any(True for _ in self._reached())

    def callHandlers(self, record):
        """Hands a record to the handlers it reaches; without any, warnings and worse go to the last resort."""
        reached = list(self._reached()) or ([lastResort] if lastResort else [])
        for handler in reached:
            if handler.level <= record.levelno:
                handler.handle(record)

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)

    def __repr__(self):
        return "<%s %s (%s)>" % (self.__class__.__name__, self.name, getLevelName(self.getEffectiveLevel()))


class RootLogger(Logger):
    def __init__(self, level):
        Logger.__init__(self, "root", level)


def _adapts(name, level):
    """The method of adapters for one level."""

    def method(self, msg, *args, **kwargs):
        self.log(level, msg, *args, **kwargs)

    return _named(name, method)


class LoggerAdapter:
    """A logger with something added to every message."""

    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        """What becomes of a message and its options; deriving classes say."""
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        """A message at any level."""
        if self.isEnabledFor(level):
            text, options = self.process(msg, kwargs)
            self.logger.log(level, text, *args, **options)

    debug = _adapts("debug", DEBUG)
    info = _adapts("info", INFO)
    warning = _adapts("warning", WARNING)
    error = _adapts("error", ERROR)
    critical = _adapts("critical", CRITICAL)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        """An error, with the exception that is being handled."""
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def setLevel(self, level):
        self.logger.setLevel(level)


root = RootLogger(WARNING)
_loggers = {}
_disabled = NOTSET


def getLogger(name=None):
    """The logger of a name; the root without one."""
    if not name or isinstance(name, str) and name == root.name:
        return root
    if not isinstance(name, str):
        raise TypeError("A logger name must be a string")
    if name in _loggers:
        return _loggers[name]
    logger = Logger(name)
    _loggers[name] = logger
    logger.parent = _above(name)
    for other, below in _loggers.items():
        if other.startswith(name + "."):
            below.parent = _above(other)
    return logger


def _above(name):
    while "." in name:
        name = name.rpartition(".")[0]
        if name in _loggers:
            return _loggers[name]
    return root


def disable(level=CRITICAL):
    """Drops records of this level and below, whatever the loggers say."""
    global _disabled
    _disabled = _check_level(level)


def basicConfig(*, filename=None, filemode="a", format=None, datefmt=None, style="%", level=None, stream=None,
                handlers=None, force=False, encoding=None, errors=None):
    """Gives the root logger a handler unless it has one."""
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    if handlers is None:
        if stream is not None and filename is not None:
            raise ValueError("'stream' and 'filename' should not be specified together")
        handlers = [FileHandler(filename, filemode, encoding=encoding) if filename else StreamHandler(stream)]
    elif stream is not None or filename is not None:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if format is None:
        format = {"%": "%(levelname)s:%(name)s:%(message)s", "{": "{levelname}:{name}:{message}",
                  "$": "${levelname}:${name}:${message}"}.get(style)
    formatter = Formatter(format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def _to_root(name):
    """The function of the module that is a method of the root logger, which gets a handler before."""

    def function(*args, **kwargs):
        if not root.handlers:
            basicConfig()
        return getattr(root, name)(*args, **kwargs)

    return _named(name, function)


debug = _to_root("debug")
info = _to_root("info")
warning = warn = _to_root("warning")
error = _to_root("error")
exception = _to_root("exception")
critical = fatal = _to_root("critical")
log = _to_root("log")


_saved_showwarning = None


def captureWarnings(capture):
    """Sends warnings to the logger py.warnings instead of to the screen."""
    global _saved_showwarning
    if capture and _saved_showwarning is None:
        _saved_showwarning = _warnings.showwarning
        _warnings.showwarning = _show_warning
    elif not capture and _saved_showwarning is not None:
        _warnings.showwarning = _saved_showwarning
        _saved_showwarning = None


def _show_warning(message, category, filename, lineno, file=None, line=None):
    logger = getLogger("py.warnings")
    if not logger.handlers:
        logger.addHandler(NullHandler())
    logger.warning("%s", _warnings.formatwarning(message, category, filename, lineno, line))


def shutdown():
    """Flushes and closes every handler."""
    for logger in [root, *_loggers.values()]:
        for handler in logger.handlers:
            handler.flush()
            handler.close()
