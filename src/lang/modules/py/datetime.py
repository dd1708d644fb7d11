"""Dates, times, their differences, and zones of fixed offset."""

import time as _time

__all__ = ["date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC"]

MINYEAR = 1
MAXYEAR = 9999
_MAXORDINAL = 3652059
_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
_BEFORE = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
_MONTHS = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_WEEKDAYS = ["", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in_month(year, month):
    return 29 if month == 2 and _is_leap(year) else _DAYS[month]


def _ordinal(year, month, day):
    y = year - 1
    before = y * 365 + y // 4 - y // 100 + y // 400
    return before + _BEFORE[month] + (month > 2 and _is_leap(year)) + day


def _from_ordinal(n):
    n -= 1
    n400, n = divmod(n, 146097)
    n100, n = divmod(n, 36524)
    n4, n = divmod(n, 1461)
    n1, n = divmod(n, 365)
    year = n400 * 400 + n100 * 100 + n4 * 4 + n1 + 1
    if n1 == 4 or n100 == 4:
        return year - 1, 12, 31
    month = 12
    while True:
        before = _BEFORE[month] + (month > 2 and _is_leap(year))
        if before <= n:
            return year, month, n - before + 1
        month -= 1


def _whole(value, name="integer"):
    if isinstance(value, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    try:
        return value.__index__()
    except AttributeError:
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer") from None


def _check_date(year, month, day):
    year, month, day = _whole(year), _whole(month), _whole(day)
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _days_in_month(year, month):
        raise ValueError("day is out of range for month")
    return year, month, day


def _check_time(hour, minute, second, microsecond, fold):
    hour, minute, second, microsecond = _whole(hour), _whole(minute), _whole(second), _whole(microsecond)
    if not 0 <= hour <= 23:
        raise ValueError("hour must be in 0..23")
    if not 0 <= minute <= 59:
        raise ValueError("minute must be in 0..59")
    if not 0 <= second <= 59:
        raise ValueError("second must be in 0..59")
    if not 0 <= microsecond <= 999999:
        raise ValueError("microsecond must be in 0..999999")
    if fold not in (0, 1):
        raise ValueError("fold must be either 0 or 1")
    return hour, minute, second, microsecond


def _check_zone(zone):
    if zone is not None and not isinstance(zone, tzinfo):
        raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(zone).__name__}'")


def _time_text(hour, minute, second, microsecond, spec="auto"):
    if spec == "auto":
        spec = "microseconds" if microsecond else "seconds"
    if spec == "hours":
        return f"{hour:02d}"
    if spec == "minutes":
        return f"{hour:02d}:{minute:02d}"
    if spec == "seconds":
        return f"{hour:02d}:{minute:02d}:{second:02d}"
    if spec == "milliseconds":
        return f"{hour:02d}:{minute:02d}:{second:02d}.{microsecond // 1000:03d}"
    if spec == "microseconds":
        return f"{hour:02d}:{minute:02d}:{second:02d}.{microsecond:06d}"
    raise ValueError("Unknown timespec value")


def _offset_text(offset, separator=":"):
    if offset is None:
        return ""
    sign = "+"
    if offset.days < 0:
        sign, offset = "-", -offset
    minutes, seconds = divmod(offset.days * 86400 + offset.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{sign}{hours:02d}{separator}{minutes:02d}"
    if seconds or offset.microseconds:
        text += f"{separator}{seconds:02d}"
        if offset.microseconds:
            text += f".{offset.microseconds:06d}"
    return text


def _format(obj, text, timetuple):
    """strftime with what only dates know: %f, %z, %Z."""
    out, at = [], 0
    while at < len(text):
        c = text[at]
        if c == "%" and at + 1 < len(text):
            directive = text[at + 1]
            if directive == "f":
                out.append(f"{getattr(obj, 'microsecond', 0):06d}")
            elif directive == "z":
                out.append(_offset_text(obj.utcoffset(), "") if hasattr(obj, "utcoffset") else "")
            elif directive == "Z":
                name = obj.tzname() if hasattr(obj, "tzname") else None
                out.append((name or "").replace("%", "%%"))
            else:
                out.append(c + directive)
            at += 2
        else:
            out.append(c)
            at += 1
    return _time.strftime("".join(out), timetuple)


class timedelta:
    """Difference between two datetime values."""

    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = 0
        fraction = 0.0
        for value, unit in ((days, 86400000000), (seconds, 1000000), (microseconds, 1), (milliseconds, 1000),
                            (minutes, 60000000), (hours, 3600000000), (weeks, 604800000000)):
            if isinstance(value, float):
                whole = int(value)
                total += whole * unit
                fraction += (value - whole) * unit
            elif isinstance(value, int):
                total += value * unit
            else:
                raise TypeError(f"unsupported type for timedelta {'days'} component: {type(value).__name__}")
        return cls._of(total + round(fraction))

    @classmethod
    def _of(cls, microseconds):
        self = object.__new__(cls)
        days, rest = divmod(microseconds, 86400000000)
        seconds, micros = divmod(rest, 1000000)
        if abs(days) > 999999999:
            raise OverflowError(f"days={days}; must have magnitude <= 999999999")
        set_attribute = object.__setattr__
        set_attribute(self, "_days", days)
        set_attribute(self, "_seconds", seconds)
        set_attribute(self, "_microseconds", micros)
        return self

    @property
    def days(self):
        return self._days

    @property
    def seconds(self):
        return self._seconds

    @property
    def microseconds(self):
        return self._microseconds

    def _total(self):
        return (self._days * 86400 + self._seconds) * 1000000 + self._microseconds

    def total_seconds(self):
        return self._total() / 1000000

    def __repr__(self):
        parts = []
        for name in ("days", "seconds", "microseconds"):
            value = getattr(self, name)
            if value:
                parts.append(f"{name}={value}")
        module = "datetime." if type(self) is timedelta else ""
        return f"{module}{type(self).__qualname__}({', '.join(parts) or '0'})"

    def __str__(self):
        minutes, seconds = divmod(self._seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = f"{hours}:{minutes:02d}:{seconds:02d}"
        if self._days:
            text = f"{self._days} day{'' if abs(self._days) == 1 else 's'}, {text}"
        if self._microseconds:
            text += f".{self._microseconds:06d}"
        return text

    def __add__(self, other):
        return timedelta._of(self._total() + other._total()) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return timedelta._of(self._total() - other._total()) if isinstance(other, timedelta) else NotImplemented

    def __rsub__(self, other):
        return timedelta._of(other._total() - self._total()) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return timedelta._of(-self._total())

    def __pos__(self):
        return self

    def __abs__(self):
        return timedelta._of(abs(self._total()))

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta._of(self._total() * other)
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of(_round_half_even(self._total() * a, b))
        return NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._total() // other._total()
        if isinstance(other, int):
            return timedelta._of(self._total() // other)
        return NotImplemented

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._total() / other._total()
        if isinstance(other, int):
            return timedelta._of(_round_half_even(self._total(), other))
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of(_round_half_even(self._total() * b, a))
        return NotImplemented

    def __mod__(self, other):
        return timedelta._of(self._total() % other._total()) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        if isinstance(other, timedelta):
            q, r = divmod(self._total(), other._total())
            return q, timedelta._of(r)
        return NotImplemented

    def __eq__(self, other):
        return self._total() == other._total() if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._total() < other._total() if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._total() <= other._total() if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._total() > other._total() if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._total() >= other._total() if isinstance(other, timedelta) else NotImplemented

    def __hash__(self):
        return hash((self._days, self._seconds, self._microseconds))

    def __bool__(self):
        return self._total() != 0


def _round_half_even(a, b):
    if b < 0:
        a, b = -a, -b
    q, r = divmod(a, b)
    r *= 2
    return q + (r > b or r == b and q % 2 == 1)


timedelta.min = timedelta(-999999999)
timedelta.max = timedelta(days=999999999, hours=23, minutes=59, seconds=59, microseconds=999999)
timedelta.resolution = timedelta(microseconds=1)


class tzinfo:
    """Abstract base class for time zone info classes."""

    def tzname(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def utcoffset(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def dst(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement dst()")

    def fromutc(self, dt):
        return dt + self.utcoffset(dt)


class timezone(tzinfo):
    """Fixed offset from UTC implementation of tzinfo."""

    utc = None

    def __new__(cls, offset, name=None):
        # There is one UTC: what asks for no offset and no name of its own gets it.
        if cls.utc is not None and name is None and isinstance(offset, timedelta) and not offset:
            return cls.utc
        return super().__new__(cls)

    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not " + type(offset).__name__)
        if not timedelta(hours=-24) < offset < timedelta(hours=24):
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), "
                             f"not {offset!r}.")
        self._offset = offset
        self._name = name

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return "UTC" + _offset_text(self._offset) if self._offset else "UTC"

    def dst(self, dt):
        return None

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        if self._name is None:
            return f"datetime.timezone({self._offset!r})"
        return f"datetime.timezone({self._offset!r}, {self._name!r})"

    def __str__(self):
        return self.tzname(None)


timezone.utc = timezone(timedelta(0))
timezone.min = timezone(-timedelta(hours=23, minutes=59))
timezone.max = timezone(timedelta(hours=23, minutes=59))
UTC = timezone.utc


def _iso_parts(text, kind):
    """Year, month and day of a date in ISO 8601."""
    digits = text.replace("-", "")
    if len(text) == 10 and text[4] == text[7] == "-" and digits.isdigit() and len(digits) == 8 \
            or len(text) == 8 and text.isdigit():
        return int(digits[:4]), int(digits[4:6]), int(digits[6:])
    if len(text) > 4 and text[4:].lstrip("-")[:1] == "W":
        rest = text[4:].lstrip("-")[1:].replace("-", "")
        if rest.isdigit() and len(rest) in (2, 3):
            made = date.fromisocalendar(int(text[:4]), int(rest[:2]), int(rest[2:] or 1))
            return made.year, made.month, made.day
    raise ValueError(f"Invalid isoformat string: {kind!r}")


def _iso_time(text, whole):
    """Hour, minute, second, microsecond and zone of a time in ISO 8601."""
    zone = None
    for mark in ("Z", "+", "-"):
        at = text.find(mark)
        if at >= 0:
            tail, text = text[at + 1:], text[:at]
            if mark == "Z" and not tail:
                zone = timezone.utc
            else:
                h, m, s, us, _ = _iso_time(tail, whole)
                offset = timedelta(hours=h, minutes=m, seconds=s, microseconds=us)
                zone = timezone(-offset if mark == "-" else offset) if offset else timezone.utc
            break
    text, _, fraction = text.replace(",", ".").partition(".")
    digits = text.replace(":", "")
    plain = text if ":" not in text else ":".join(digits[i:i + 2] for i in range(0, len(digits), 2))
    if not digits.isdigit() or len(digits) not in (2, 4, 6) or plain != text or fraction and not fraction.isdigit():
        raise ValueError(f"Invalid isoformat string: {whole!r}")
    parts = [int(digits[i:i + 2]) for i in range(0, len(digits), 2)] + [0, 0]
    return parts[0], parts[1], parts[2], int((fraction + "000000")[:6]), zone


class date:
    """date(year, month, day) --> date object"""

    def __new__(cls, year, month=None, day=None):
        if month is None or day is None:
            missing = "month" if month is None else "day"
            raise TypeError(f"function missing required argument '{missing}' (pos {2 if month is None else 3})")
        self = object.__new__(cls)
        self._year, self._month, self._day = _check_date(year, month, day)
        return self

    @classmethod
    def fromtimestamp(cls, t):
        found = _time.localtime(t)
        return cls(found[0], found[1], found[2])

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromordinal(cls, n):
        if n < 1:
            raise ValueError("ordinal must be >= 1")
        return cls(*_from_ordinal(n))

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        return cls(*_iso_parts(date_string, date_string))

    @classmethod
    def fromisocalendar(cls, year, week, day):
        first = _ordinal(year, 1, 4)
        monday = first - (first + 6) % 7
        if not 1 <= week <= 53:
            raise ValueError(f"Invalid week: {week}")
        if not 1 <= day <= 7:
            raise ValueError(f"Invalid weekday: {day} (range is [1, 7])")
        found = cls.fromordinal(monday + (week - 1) * 7 + day - 1)
        if week == 53 and found.isocalendar()[1] != 53:
            raise ValueError(f"Invalid week: {week}")
        return found

    @property
    def year(self):
        return self._year

    @property
    def month(self):
        return self._month

    @property
    def day(self):
        return self._day

    def __repr__(self):
        return f"datetime.{type(self).__qualname__}({self._year}, {self._month}, {self._day})"

    def isoformat(self):
        return f"{self._year:04d}-{self._month:02d}-{self._day:02d}"

    __str__ = isoformat

    def ctime(self):
        return f"{_WEEKDAYS[self.isoweekday()]} {_MONTHS[self._month]} {self._day:2d} 00:00:00 {self._year:04d}"

    def strftime(self, format):
        return _format(self, format, self.timetuple())

    def __format__(self, fmt):
        return self.strftime(fmt) if fmt else str(self)

    def timetuple(self):
        yday = self.toordinal() - _ordinal(self._year, 1, 1) + 1
        return _time.struct_time((self._year, self._month, self._day, 0, 0, 0, self.weekday(), yday, -1))

    def toordinal(self):
        return _ordinal(self._year, self._month, self._day)

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year, self._month if month is None else month,
                          self._day if day is None else day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.toordinal() % 7 or 7

    def isocalendar(self):
        year = self._year
        today = self.toordinal()
        for candidate in (year + 1, year, year - 1):
            first = _ordinal(candidate, 1, 4)
            monday = first - (first + 6) % 7
            if today >= monday:
                return IsoCalendarDate((candidate, (today - monday) // 7 + 1, (today - monday) % 7 + 1))

    def _key(self):
        return (self._year, self._month, self._day)

    def _comparable(self, other):
        return isinstance(other, date) and not isinstance(other, datetime)

    def __eq__(self, other):
        return self._key() == other._key() if self._comparable(other) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if self._comparable(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._comparable(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._comparable(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._comparable(other) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        n = self.toordinal() + other.days
        if not 0 < n <= _MAXORDINAL:
            raise OverflowError("date value out of range")
        return type(self).fromordinal(n)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        if isinstance(other, date):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented


class IsoCalendarDate(tuple):
    """Year, week and weekday of ISO 8601."""

    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"


class time:
    """Time with time zone."""

    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        self = object.__new__(cls)
        self._hour, self._minute, self._second, self._microsecond = _check_time(hour, minute, second, microsecond, fold)
        _check_zone(tzinfo)
        self._tzinfo = tzinfo
        self._fold = fold
        return self

    @property
    def hour(self):
        return self._hour

    @property
    def minute(self):
        return self._minute

    @property
    def second(self):
        return self._second

    @property
    def microsecond(self):
        return self._microsecond

    @property
    def tzinfo(self):
        return self._tzinfo

    @property
    def fold(self):
        return self._fold

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(None)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(None)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(None)

    def isoformat(self, timespec="auto"):
        return _time_text(self._hour, self._minute, self._second, self._microsecond, timespec) \
            + _offset_text(self.utcoffset())

    __str__ = isoformat

    @classmethod
    def fromisoformat(cls, time_string):
        if not isinstance(time_string, str):
            raise TypeError("fromisoformat: argument must be str")
        return cls(*_iso_time(time_string.removeprefix("T"), time_string))

    def __repr__(self):
        parts = [str(self._hour), str(self._minute)]
        if self._second or self._microsecond:
            parts.append(str(self._second))
        if self._microsecond:
            parts.append(str(self._microsecond))
        if self._tzinfo is not None:
            parts.append(f"tzinfo={self._tzinfo!r}")
        return f"datetime.{type(self).__qualname__}({', '.join(parts)})"

    def strftime(self, format):
        return _format(self, format, (1900, 1, 1, self._hour, self._minute, self._second, 0, 1, -1))

    def __format__(self, fmt):
        return self.strftime(fmt) if fmt else str(self)

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(
            self._hour if hour is None else hour, self._minute if minute is None else minute,
            self._second if second is None else second, self._microsecond if microsecond is None else microsecond,
            self._tzinfo if tzinfo is True else tzinfo, fold=self._fold if fold is None else fold)

    def _key(self):
        total = ((self._hour * 60 + self._minute) * 60 + self._second) * 1000000 + self._microsecond
        offset = self.utcoffset()
        return total if offset is None else total - offset._total()

    def _ordered(self, other):
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't compare offset-naive and offset-aware times")

    def __eq__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return (self.utcoffset() is None) == (other.utcoffset() is None) and self._key() == other._key()

    def __lt__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        self._ordered(other)
        return self._key() < other._key()

    def __le__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        self._ordered(other)
        return self._key() <= other._key()

    def __gt__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        self._ordered(other)
        return self._key() > other._key()

    def __ge__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        self._ordered(other)
        return self._key() >= other._key()

    def __hash__(self):
        return hash(self._key())


_time_class = time


class datetime(date):
    """datetime(year, month, day[, hour[, minute[, second[, microsecond[,tzinfo]]]]])"""

    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if month is None or day is None:
            missing = "month" if month is None else "day"
            raise TypeError(f"function missing required argument '{missing}' (pos {2 if month is None else 3})")
        self = object.__new__(cls)
        self._year, self._month, self._day = _check_date(year, month, day)
        self._hour, self._minute, self._second, self._microsecond = _check_time(hour, minute, second, microsecond, fold)
        _check_zone(tzinfo)
        self._tzinfo = tzinfo
        self._fold = fold
        return self

    @property
    def hour(self):
        return self._hour

    @property
    def minute(self):
        return self._minute

    @property
    def second(self):
        return self._second

    @property
    def microsecond(self):
        return self._microsecond

    @property
    def tzinfo(self):
        return self._tzinfo

    @property
    def fold(self):
        return self._fold

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        _check_zone(tz)
        micros = _round_half_even(*((timestamp * 1000000, 1) if isinstance(timestamp, int)
                                    else (timestamp.as_integer_ratio()[0] * 1000000, timestamp.as_integer_ratio()[1])))
        seconds, micros = divmod(micros, 1000000)
        found = (_time.gmtime if tz is not None else _time.localtime)(seconds)
        result = cls(*found[:6], micros)
        return tz.fromutc(result.replace(tzinfo=tz)) if tz is not None else result

    @classmethod
    def utcfromtimestamp(cls, t):
        return cls.fromtimestamp(t, timezone.utc).replace(tzinfo=None)

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time(), tz)

    @classmethod
    def today(cls):
        return cls.now()

    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(_time.time())

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo)

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        for at in (10, 8, 7):
            head, tail = date_string[:at], date_string[at:]
            try:
                parts = _iso_parts(head, date_string)
            except ValueError:
                continue
            if not tail:
                return cls(*parts)
            if len(tail) > 1:
                hour, minute, second, microsecond, zone = _iso_time(tail[1:], date_string)
                return cls(*parts, hour, minute, second, microsecond, zone)
        raise ValueError(f"Invalid isoformat string: {date_string!r}")

    @classmethod
    def strptime(cls, date_string, format):
        year, month, day, hour, minute, second, micro, offset = _time._strptime_parts(date_string, format)
        zone = None if offset is None else timezone(timedelta(seconds=offset)) if offset else timezone.utc
        return cls(year, month, day, hour, minute, second, micro, zone)

    def timetuple(self):
        dst = self.dst()
        dst = -1 if dst is None else 1 if dst else 0
        yday = self.toordinal() - _ordinal(self._year, 1, 1) + 1
        return _time.struct_time((self._year, self._month, self._day, self._hour, self._minute, self._second,
                                  self.weekday(), yday, dst))

    def utctimetuple(self):
        offset = self.utcoffset()
        moved = self.replace(tzinfo=None) - offset if offset else self
        found = list(moved.timetuple())
        found[8] = 0
        return _time.struct_time(found)

    def timestamp(self):
        if self._tzinfo is None:
            return _time.mktime(self.timetuple()) + self._microsecond / 1000000
        return (self - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return _time_class(self._hour, self._minute, self._second, self._microsecond, fold=self._fold)

    def timetz(self):
        return _time_class(self._hour, self._minute, self._second, self._microsecond, self._tzinfo, fold=self._fold)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None,
                tzinfo=True, *, fold=None):
        def pick(value, own):
            return own if value is None else value

        return type(self)(
            pick(year, self._year), pick(month, self._month), pick(day, self._day), pick(hour, self._hour),
            pick(minute, self._minute), pick(second, self._second), pick(microsecond, self._microsecond),
            self._tzinfo if tzinfo is True else tzinfo, fold=pick(fold, self._fold))

    def astimezone(self, tz=None):
        offset = self.utcoffset()
        if offset is None:
            local = _time.localtime(_time.mktime(self.timetuple()))
            offset = timedelta(seconds=local.tm_gmtoff)
        utc = self.replace(tzinfo=None) - offset
        if tz is None:
            seconds = (utc - datetime(1970, 1, 1)).total_seconds()
            local = _time.localtime(seconds)
            tz = timezone(timedelta(seconds=local.tm_gmtoff), local.tm_zone)
        return tz.fromutc(utc.replace(tzinfo=tz))

    def ctime(self):
        return (f"{_WEEKDAYS[self.isoweekday()]} {_MONTHS[self._month]} {self._day:2d} "
                f"{self._hour:02d}:{self._minute:02d}:{self._second:02d} {self._year:04d}")

    def isoformat(self, sep="T", timespec="auto"):
        return (f"{self._year:04d}-{self._month:02d}-{self._day:02d}{sep}"
                + _time_text(self._hour, self._minute, self._second, self._microsecond, timespec)
                + _offset_text(self.utcoffset()))

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self._year, self._month, self._day, self._hour, self._minute]
        if self._second or self._microsecond:
            parts.append(self._second)
        if self._microsecond:
            parts.append(self._microsecond)
        text = ", ".join(map(str, parts))
        if self._tzinfo is not None:
            text += f", tzinfo={self._tzinfo!r}"
        return f"datetime.{type(self).__qualname__}({text})"

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(self)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(self)

    def _micros(self):
        total = (self.toordinal() * 86400 + self._hour * 3600 + self._minute * 60 + self._second) * 1000000 \
            + self._microsecond
        offset = self.utcoffset()
        return total if offset is None else total - offset._total()

    def _ordered(self, other):
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        return (self.utcoffset() is None) == (other.utcoffset() is None) and self._micros() == other._micros()

    def __lt__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        self._ordered(other)
        return self._micros() < other._micros()

    def __le__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        self._ordered(other)
        return self._micros() <= other._micros()

    def __gt__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        self._ordered(other)
        return self._micros() > other._micros()

    def __ge__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        self._ordered(other)
        return self._micros() >= other._micros()

    def __hash__(self):
        return hash(self._micros())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        total = (self.toordinal() * 86400 + self._hour * 3600 + self._minute * 60 + self._second) * 1000000 \
            + self._microsecond + other._total()
        days, rest = divmod(total, 86400000000)
        if not 0 < days <= _MAXORDINAL:
            raise OverflowError("date value out of range")
        seconds, micros = divmod(rest, 1000000)
        return type(self)(*_from_ordinal(days), seconds // 3600, seconds // 60 % 60, seconds % 60, micros, self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if isinstance(other, datetime):
            if (self.utcoffset() is None) != (other.utcoffset() is None):
                raise TypeError("can't subtract offset-naive and offset-aware datetimes")
            return timedelta._of(self._micros() - other._micros())
        return NotImplemented


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(days=1)
time.min, time.max, time.resolution = time(0), time(23, 59, 59, 999999), timedelta(microseconds=1)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)
