"""Reading and writing of comma-separated values."""

import io

__all__ = ["QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "Error", "Dialect", "excel", "excel_tab",
           "unix_dialect", "reader", "writer", "DictReader", "DictWriter", "register_dialect", "unregister_dialect",
           "get_dialect", "list_dialects", "field_size_limit"]

QUOTE_MINIMAL = 0
QUOTE_ALL = 1
QUOTE_NONNUMERIC = 2
QUOTE_NONE = 3

_limit = 131072


class Error(Exception):
    pass


class Dialect:
    """How a file is written: derive and set the attributes."""

    delimiter = ","
    quotechar = '"'
    doublequote = True
    escapechar = None
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    skipinitialspace = False
    strict = False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    lineterminator = "\n"
    quoting = QUOTE_ALL


_dialects = {}
_OPTIONS = ("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting", "skipinitialspace",
            "strict")


class _Settings:
    def __init__(self, dialect, options):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name in options:
            if name not in _OPTIONS:
                raise TypeError("this function got an unexpected keyword argument '%s'" % name)
        for name in _OPTIONS:
            value = options.get(name, getattr(dialect, name, getattr(Dialect, name)))
            setattr(self, name, value)
        for name in ("delimiter", "quotechar", "escapechar"):
            value = getattr(self, name)
            if value is None and name != "delimiter":
                continue
            if not isinstance(value, str):
                kind = "string" if name == "delimiter" else "string or None"
                raise TypeError('"%s" must be %s, not %s' % (name, kind, type(value).__name__))
            if len(value) != 1:
                if value == "" and name == "quotechar":
                    self.quotechar = None
                    continue
                raise TypeError('"%s" must be a 1-character string' % name)
        if self.quoting not in (0, 1, 2, 3):
            raise TypeError("bad \"quoting\" value")
        if self.quoting != QUOTE_NONE and self.quotechar is None:
            raise TypeError("quotechar must be set if quoting enabled")


def register_dialect(name, dialect=excel, **fmtparams):
    """Create a mapping from a string name to a dialect class."""
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _dialects[name] = _Settings(dialect, fmtparams)


def unregister_dialect(name):
    """Delete the name/dialect mapping associated with a string name."""
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    """Return the dialect instance associated with name."""
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    """Return a list of all known dialect names."""
    return list(_dialects)


def field_size_limit(limit=None):
    """Sets an upper limit on parsed fields; answers the old one."""
    global _limit
    old = _limit
    if limit is not None:
        if not isinstance(limit, int):
            raise TypeError("limit must be an integer")
        _limit = limit
    return old


register_dialect("excel", excel)
register_dialect("excel-tab", excel_tab)
register_dialect("unix", unix_dialect)

_START, _IN_FIELD, _QUOTED, _AFTER_QUOTE, _ESCAPED, _ESCAPED_QUOTED = range(6)


class _Reader:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        self.dialect = _Settings(dialect, fmtparams)
        self._lines = iter(csvfile)
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        settings = self.dialect
        delimiter, quote, escape = settings.delimiter, settings.quotechar, settings.escapechar
        if settings.quoting == QUOTE_NONE:
            quote = None
        simple = escape is None and not settings.skipinitialspace and settings.quoting != QUOTE_NONNUMERIC
        row, field, state, numeric = [], [], _START, False

        def save():
            text = "".join(field)
            if len(text) > _limit:
                raise Error("field larger than field limit (%d)" % _limit)
            row.append(float(text) if numeric else text)

        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if state == _QUOTED and settings.strict:
                    raise Error("unexpected end of data")
                if state == _START and not row and not field:
                    raise
                save()
                return row
            if not isinstance(line, str):
                raise Error("iterator should return strings, not %s (the file should be opened in text mode)"
                            % type(line).__name__)
            self.line_num += 1
            if state == _START and not row and simple and (quote is None or quote not in line):
                body = line.rstrip("\r\n")
                if "\r" not in body and "\n" not in body:
                    # The common case: nothing is quoted.
                    if not body:
                        return []
                    fields = body.split(delimiter)
                    for text in fields:
                        if len(text) > _limit:
                            raise Error("field larger than field limit (%d)" % _limit)
                    return fields
            ended = False
            for c in line:
                if ended:
                    if c in "\r\n":
                        continue
                    raise Error("new-line character seen in unquoted field - do you need to open the file with newline=''?")
                if state == _START:
                    numeric = False
                    if c in "\r\n":
                        if row:
                            save()
                        ended = True
                    elif c == quote:
                        state = _QUOTED
                    elif c == escape:
                        state = _ESCAPED
                    elif c == " " and settings.skipinitialspace:
                        pass
                    elif c == delimiter:
                        save()
                    else:
                        numeric = settings.quoting == QUOTE_NONNUMERIC
                        field.append(c)
                        state = _IN_FIELD
                elif state == _IN_FIELD:
                    if c in "\r\n":
                        save()
                        field, state, ended = [], _START, True
                    elif c == escape:
                        state = _ESCAPED
                    elif c == delimiter:
                        save()
                        field, state = [], _START
                    else:
                        field.append(c)
                elif state == _ESCAPED:
                    field.append(c)
                    state = _IN_FIELD
                elif state == _ESCAPED_QUOTED:
                    field.append(c)
                    state = _QUOTED
                elif state == _QUOTED:
                    if c == escape:
                        state = _ESCAPED_QUOTED
                    elif c == quote:
                        state = _AFTER_QUOTE if settings.doublequote else _IN_FIELD
                    else:
                        field.append(c)
                else:
                    if c == quote:
                        field.append(c)
                        state = _QUOTED
                    elif c == delimiter:
                        save()
                        field, state = [], _START
                    elif c in "\r\n":
                        save()
                        field, state, ended = [], _START, True
                    elif not settings.strict:
                        field.append(c)
                        state = _IN_FIELD
                    else:
                        raise Error("'%s' expected after '%s'" % (delimiter, quote))
            if state == _QUOTED:
                continue
            if state in (_ESCAPED, _ESCAPED_QUOTED):
                field.append("\n")
                state = _IN_FIELD if state == _ESCAPED else _QUOTED
                continue
            if not ended:
                save()
            return row


def reader(csvfile, dialect="excel", **fmtparams):
    """Rows of a file or of any iterable of lines, each a list of strings."""
    return _Reader(csvfile, dialect, **fmtparams)


class _Writer:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        if not hasattr(csvfile, "write"):
            raise TypeError('argument 1 must have a "write" method')
        self.dialect = _Settings(dialect, fmtparams)
        self._write = csvfile.write

    def _text(self, value, alone):
        settings = self.dialect
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if value is None:
            text = ""
        elif isinstance(value, str):
            text = value
        else:
            text = repr(value) if isinstance(value, float) else str(value)
        quoting = settings.quoting
        quoted = quoting == QUOTE_ALL or (quoting == QUOTE_NONNUMERIC and not number)
        out = []
        for c in text:
            special = c == settings.delimiter or c == settings.escapechar or c == settings.quotechar \
                or c in "\r\n" or c in settings.lineterminator
            if not special:
                out.append(c)
                continue
            wants_escape = quoting == QUOTE_NONE
            if not wants_escape:
                if c == settings.quotechar:
                    if settings.doublequote:
                        out.append(c)
                        quoted = True
                    else:
                        wants_escape = True
                elif c == settings.escapechar:
                    wants_escape = True
                else:
                    quoted = True
            if wants_escape:
                if not settings.escapechar:
                    raise Error("need to escape, but no escapechar set")
                out.append(settings.escapechar)
            out.append(c)
        text = "".join(out)
        if not text and alone:
            if quoting == QUOTE_NONE:
                raise Error("single empty field record must be quoted")
            quoted = True
        return settings.quotechar + text + settings.quotechar if quoted else text

    def writerow(self, row):
        """Write a row of values; answers what the file's write() answers."""
        try:
            values = list(row)
        except TypeError:
            raise Error("iterable expected, not %s" % type(row).__name__) from None
        alone = len(values) == 1
        line = self.dialect.delimiter.join([self._text(value, alone) for value in values])
        return self._write(line + self.dialect.lineterminator)

    def writerows(self, rows):
        """Write several rows."""
        for row in rows:
            self.writerow(row)


def writer(csvfile, dialect="excel", **fmtparams):
    """An object that writes rows to a file."""
    return _Writer(csvfile, dialect, **fmtparams)


class DictReader:
    """Rows as dictionaries whose keys are the first row or those given."""

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        d = dict(zip(self.fieldnames, row))
        known, given = len(self.fieldnames), len(row)
        if known < given:
            d[self.restkey] = row[known:]
        elif known > given:
            for key in self.fieldnames[given:]:
                d[key] = self.restval
        return d


class DictWriter:
    """Writes dictionaries as rows."""

    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames = fieldnames
        self.restval = restval
        extrasaction = extrasaction.lower()
        if extrasaction not in ("raise", "ignore"):
            raise ValueError("extrasaction (%s) must be 'raise' or 'ignore'" % extrasaction)
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = rowdict.keys() - self.fieldnames
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join([repr(x) for x in wrong]))
        return [rowdict.get(key, self.restval) for key in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows([self._row(row) for row in rowdicts])
