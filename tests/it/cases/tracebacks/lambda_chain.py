foo = lambda v: v[0]["k"].bar(1)(2)
foo([{}])
