import time


def work(n):
    parts = []
    for i in range(n):
        parts.append(f"{i:05d}-{i % 7}")
    text = ",".join(parts)
    words = text.split(",")
    s = ""
    for w in words[: n // 2]:
        s += w
    return len(s) + text.count("3") + len(text.replace("1", "one").upper())


start = time.perf_counter()
work(200_000)
print(time.perf_counter() - start)
