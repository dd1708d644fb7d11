"""Draws jupyter/kernelspec/logo-{32x32,64x64}.png from the same rectangles as logo-svg.svg (standard library only)."""
import struct, sys, zlib
# x, y, width, height, corner radius, colour; in units of a 64 x 64 square, painted in order.
SHAPES = [
    (2, 2, 60, 60, 12, (0x12, 0x3B, 0x4A)),
    (14, 15, 36, 9, 3, (0x2E, 0xB8, 0xA6)),
    (14, 28, 24, 9, 3, (0xF2, 0xB1, 0x3C)),
    (14, 41, 30, 9, 3, (0x2E, 0xB8, 0xA6)),
    (8, 10, 3, 44, 1.5, (0xEA, 0xF4, 0xF4)),
    (53, 10, 3, 44, 1.5, (0xEA, 0xF4, 0xF4)),
    (8, 10, 7, 3, 1.5, (0xEA, 0xF4, 0xF4)), (8, 51, 7, 3, 1.5, (0xEA, 0xF4, 0xF4)),
    (49, 10, 7, 3, 1.5, (0xEA, 0xF4, 0xF4)), (49, 51, 7, 3, 1.5, (0xEA, 0xF4, 0xF4)),
]
def inside(x, y, s):
    l, t, w, h, r, _ = s
    if not (l <= x <= l + w and t <= y <= t + h): return False
    cx, cy = min(max(x, l + r), l + w - r), min(max(y, t + r), t + h - r)
    return (x - cx) ** 2 + (y - cy) ** 2 <= r * r or (cx == x or cy == y)
def png(size, path):
    n = 8; rows = b""
    for py in range(size):
        rows += b"\0"
        for px in range(size):
            acc = [0, 0, 0, 0]
            for sy in range(n):
                for sx in range(n):
                    x, y = (px + (sx + .5) / n) * 64 / size, (py + (sy + .5) / n) * 64 / size
                    hit = [s for s in SHAPES if inside(x, y, s)]
                    if hit:
                        for i in range(3): acc[i] += hit[-1][5][i]
                        acc[3] += 1
            a = acc[3]
            rows += bytes([acc[i] // a if a else 0 for i in range(3)] + [a * 255 // (n * n)])
    def chunk(t, d): return struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
out = sys.argv[1]
for size in (32, 64): png(size, f"{out}/logo-{size}x{size}.png")
with open(f"{out}/logo-svg.svg", "w") as f:
    f.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Cellhold">\n')
    for x, y, w, h, r, c in SHAPES: f.write(f'  <rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}" fill="#{c[0]:02x}{c[1]:02x}{c[2]:02x}"/>\n')
    f.write("</svg>\n")
