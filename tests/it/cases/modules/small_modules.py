# calendar, errno, html, keyword, reprlib, secrets, shlex.
import calendar, keyword, errno, reprlib, shlex, html, secrets, os
print(calendar.month(2024,2)); print(calendar.calendar(2023)); print(calendar.monthrange(2024,2), calendar.isleap(1900), calendar.leapdays(2000,2021), calendar.weekday(2024,5,1), calendar.month_name[3], list(calendar.day_abbr), calendar.monthcalendar(2024,2)[0])
print(calendar.HTMLCalendar().formatmonth(2024,2)); print(calendar.TextCalendar(6).formatmonth(2024,9)); print(calendar.timegm((2024,1,2,3,4,5)))
try: calendar.monthrange(2024,13)
except calendar.IllegalMonthError as e: print(e)
print([str(d) for d in calendar.Calendar().itermonthdates(2024,2)][:3], calendar.weekheader(3))
print(keyword.iskeyword('for'), keyword.kwlist[:3], keyword.issoftkeyword('match'), len(keyword.kwlist))
print(errno.ENOENT, errno.errorcode[13], errno.EAGAIN==errno.EWOULDBLOCK, errno.ECONNREFUSED)
try: os.remove('/nope/x')
except OSError as e: print(e.errno==errno.ENOENT)
print(reprlib.repr(list(range(100))), reprlib.repr('x'*100), reprlib.repr({i:i for i in range(10)}), reprlib.repr(10**100), reprlib.repr((1,)), reprlib.repr([[[[[[[1]]]]]]]), reprlib.repr({3,1,2}))
class L(list):
    @reprlib.recursive_repr()
    def __repr__(self): return 'L('+', '.join(map(repr,self))+')'
l=L([1]); l.append(l); print(l)
print(shlex.split('a "b c" d\\ e \'f "g\' # x'), shlex.quote("it's"), shlex.join(['a','b c']), shlex.split('a # b',comments=True))
try: shlex.split('"a')
except ValueError as e: print(e)
print(html.escape('<a href="x">\'&</a>'), html.unescape('&lt;p&gt; &amp; &#65;&#x42; &eacute;&nbsp;|'))
print(len(secrets.token_hex(8)), len(secrets.token_bytes(5)), 0<=secrets.randbelow(10)<10, secrets.choice([3]), secrets.compare_digest('a','a'))
