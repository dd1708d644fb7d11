import time

t = time.gmtime(1e9)
print(t, t.tm_year, t[0], t.tm_zone, len(t), t[:3], tuple(t))
print(time.strftime("%a %A %b %B %d %H %I %j %m %M %p %S %U %w %W %x %X %y %Y %Z %% %e %D %F %T %R %n %t %h %C %G %V %u %k %l %P %r|%Q|%-d|%", t))
print(time.asctime(t), time.ctime(0) == time.asctime(time.localtime(0)))
print(time.strptime("2020-01-02 03:04:05", "%Y-%m-%d %H:%M:%S"))
print(time.strptime("30 Nov 00", "%d %b %y")[:3], time.strptime("12:05 PM", "%I:%M %p")[3:5], time.strptime("2024 060", "%Y %j")[:3])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: time.strptime("x", "%Y"))
attempt(lambda: time.strptime("2020 y", "%Y"))
attempt(lambda: time.strptime("2020", "%q"))
attempt(lambda: time.strptime("2023-02-30", "%Y-%m-%d"))
attempt(lambda: time.sleep(-1))
attempt(lambda: time.sleep("a"))
attempt(lambda: time.gmtime("a"))
attempt(lambda: time.asctime((1, 2)))
attempt(lambda: time.struct_time((1, 2)))
attempt(lambda: time.strftime("%Y", (2020, 13, 1, 0, 0, 0, 0, 1, 0)))
attempt(lambda: time.gmtime(1e30))
a = time.perf_counter()
time.sleep(0.01)
b = time.perf_counter()
print(0.009 < b - a < 5, time.perf_counter_ns() > 0, time.monotonic() >= b, time.process_time() >= 0, time.time() > 1.7e9, time.time_ns() > 10**18)
print(time.mktime(time.localtime(1e9)) == 1e9, time.struct_time(range(9)))
