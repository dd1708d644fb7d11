class B:
    x = 1 // 0
