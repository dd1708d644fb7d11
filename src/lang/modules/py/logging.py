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
        now = time.time()
        self.name = name
        self.msg = msg
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.args = args
        self.levelname = getLevelName(level)
        self.levelno = level
        self.pathname = pathname
        self.filename = os.path.basename(pathname)
        self.module = os.path.splitext(self.filename)[0]
        self.exc_info = exc_info
        self.exc_text = None
        self.stack_info = sinfo
        self.lineno = lineno
        self.funcName = func
        self.created = now
        self.msecs = int((now - int(now)) * 1000) + 0.0
        self.relativeCreated = (now - _start) * 1000
        self.thread = 0
        self.threadName = "MainThread"
        self.processName = "MainProcess"
        self.process = os.getpid()

    def __repr__(self):
        return '<LogRecord: %s, %s, %s, %s, "%s">' % (self.name, self.levelno, self.pathname, self.lineno, self.msg)

    def getMessage(self):
        msg = str(self.msg)
        return msg % self.args if self.args else msg


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
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            text = text + ("" if text.endswith("\n") else "\n") + record.exc_text
        if record.stack_info:
            text = text + ("" if text.endswith("\n") else "\n") + self.formatStack(record.stack_info)
        return text


_plain = Formatter()


class Filter:
    """Lets through records of a logger and of those below it."""

    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        return all([f.filter(record) if hasattr(f, "filter") else f(record) for f in self.filters])


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


class Logger(Filterer):
    """Takes messages and hands records to handlers, its own and those of the loggers above."""

    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name = name
        self.level = _check_level(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False

    def setLevel(self, level):
        self.level = _check_level(level)

    def getEffectiveLevel(self):
        logger = self
        while logger:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and _disabled < level and level >= self.getEffectiveLevel()

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        if extra is not None:
            for key in extra:
                if key in ("message", "asctime") or key in record.__dict__:
                    raise KeyError("Attempt to overwrite %r in LogRecord" % key)
                setattr(record, key, extra[key])
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if exc_info:
            if isinstance(exc_info, BaseException):
                exc_info = (type(exc_info), exc_info, exc_info.__traceback__)
            elif not isinstance(exc_info, tuple):
                exc_info = sys.exc_info()
        self.handle(self.makeRecord(self.name, level, "(unknown file)", 0, msg, args, exc_info, "(unknown function)", extra))

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def callHandlers(self, record):
        logger, found = self, 0
        while logger:
            for handler in logger.handlers:
                found += 1
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if not found and lastResort and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)

    def __repr__(self):
        return "<%s %s (%s)>" % (self.__class__.__name__, self.name, getLevelName(self.getEffectiveLevel()))


class RootLogger(Logger):
    def __init__(self, level):
        Logger.__init__(self, "root", level)


class LoggerAdapter:
    """A logger with something added to every message."""

    def __init__(self, logger, extra=None):
        self.logger = logger
        self.extra = extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

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


def _ready():
    if not root.handlers:
        basicConfig()
    return root


def debug(msg, *args, **kwargs):
    _ready().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    _ready().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    _ready().warning(msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    _ready().error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    _ready().error(msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    _ready().critical(msg, *args, **kwargs)


fatal = critical


def log(level, msg, *args, **kwargs):
    _ready().log(level, msg, *args, **kwargs)


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
