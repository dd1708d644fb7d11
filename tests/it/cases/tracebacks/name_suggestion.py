print("a")
value = 3
print(valeu + 1)
