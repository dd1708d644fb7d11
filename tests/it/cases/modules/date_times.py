from datetime import date, datetime, time, timedelta, timezone


def attempt(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


d = date(2024, 2, 29)
print(d, repr(d), d.year, d.weekday(), d.isoweekday(), d.isocalendar(), d.toordinal(), d + timedelta(1), d - timedelta(days=366), d - date(2024, 1, 1), d.replace(day=1))
print(d.strftime("%Y/%m/%d %A %j"), f"{d:%d %b %Y}", d.isoformat(), date.fromisoformat("2020-12-31"), d < date(2024, 3, 1), d == date(2024, 2, 29), hash(d) == hash(date(2024, 2, 29)), d.ctime())
attempt(date, 2023, 2, 29)
attempt(date, 2023, 13, 1)
attempt(date, 0, 1, 1)
attempt(date.fromisoformat, "nope")
t = timedelta(days=1, hours=2, minutes=3, seconds=4.5)
print(t, repr(t), t.days, t.seconds, t.microseconds, t.total_seconds(), -t, t * 2, t / 2, t // timedelta(hours=1), t % timedelta(hours=1), abs(-t), timedelta(0), timedelta(-1), bool(timedelta()))
print(timedelta(weeks=1) == timedelta(7), timedelta(milliseconds=1500), timedelta(microseconds=-1), timedelta(1) / timedelta(hours=6), timedelta(hours=1) * 0.5, timedelta(1) < timedelta(2), repr(timedelta()), timedelta.max)
dt = datetime(2020, 1, 2, 3, 4, 5, 678900)
print(dt, repr(dt), dt.date(), dt.time(), dt.isoformat(), dt.isoformat(" ", "minutes"), dt.timestamp() == dt.timestamp(), dt + timedelta(days=400, seconds=3), dt - datetime(2019, 1, 1), dt.replace(microsecond=0))
print(dt.strftime("%Y-%m-%d %H:%M:%S.%f %p %I %y %B"), f"{dt:%H:%M}", f"{dt}", datetime.strptime("2021-05-06 07:08:09.123", "%Y-%m-%d %H:%M:%S.%f"), datetime.strptime("01 Feb 2003", "%d %b %Y").date())
print(datetime.fromisoformat("2011-11-04T00:05:23"), datetime.fromisoformat("2011-11-04"), repr(datetime.fromisoformat("2011-11-04T00:05:23.283+04:00")), repr(datetime.fromisoformat("20111104T000523Z")))
u = datetime(2020, 6, 1, 12, tzinfo=timezone.utc)
e = timezone(timedelta(hours=2))
print(u, repr(u), u.astimezone(e), u.astimezone(e) == u, e, repr(e), u.tzname(), u.utcoffset(), u.timestamp(), u.strftime("%z %Z"), timezone(timedelta(hours=-5), "EST"), datetime.fromtimestamp(0, timezone.utc), datetime.fromtimestamp(1.5, e))
attempt(lambda: u - dt)
attempt(lambda: u < dt)
attempt(datetime, 2020, 1, 1, 25)
attempt(datetime.strptime, "x", "%Y")
attempt(datetime, 2020)
print(u == dt, time(1, 2, 3), repr(time(1, 2)), time(12, 30).isoformat(), time(1) < time(2), time.fromisoformat("04:23:01"), datetime.combine(d, time(5)), datetime.max, date.min)
print(sorted([date(2021, 1, 1), date(2020, 1, 1)]), max(dt, datetime(2021, 1, 1)), datetime.now().year >= 2024, isinstance(dt, date), dt.timetuple()[:6], dt.weekday(), datetime.now() - datetime.now() < timedelta(seconds=1))
