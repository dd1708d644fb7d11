def rec(n): return 0 if n == 0 else 1 + rec(n - 1)
print(rec(900))
try: rec(2000)
except RecursionError as e: print(e)
