for i in range(3):
    if i == 2:
        raise SystemExit(3)
    print(i)
