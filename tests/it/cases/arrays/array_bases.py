# Whose memory an array is: base and owndata.
import numpy as np

c = np.ones((2, 3))
z = np.ones((2, 2)) * 1j
v = c[1:]
w = v[0]
print(c.base, v.base is c, w.base is c, w.base is w.base)
for view in (c.T, c.reshape(6), c.ravel(), c[:, None], c.view(), c.view("i8"), c.diagonal(), c.swapaxes(0, 1), np.squeeze(c[:1]),
             np.split(c, 2)[0], np.expand_dims(c, 0), np.atleast_3d(c), np.broadcast_to(c, (4, 2, 3)), z.real, z.imag):
    print(view.base is c or view.base is z, view.flags.owndata)
for own in (c.copy(), c + 1, c[[0]], c[c > 0], np.sort(c), np.concatenate([c, c]), c.flatten(), c.astype("f4"), c @ c.T,
            np.where(c > 0, c, 0), c.sum(axis=0), np.exp(np.ones(10000)) + 1, np.array(3.0), np.zeros(0), np.cumsum(c)):
    print(own.base, own.flags.owndata)
print(c.flags, v.flags, sep="\n")
print(c.flags["OWNDATA"], v.flags["O"], c.flags.num, v.flags.num, c.T.flags.num, c.T.flags.fortran, c.flags.fortran)


def part():
    whole = np.arange(4.0)
    return whole[1:]


p = part()
print(p.base, p.base is p.base, p.base.flags.owndata)
x = np.arange(6)
y = x[::2]
del x
print(y.base, y.base.base)
m = np.arange(4).reshape(2, 2)
print(m.base, m.flags.owndata)
y.base[0] = 9
print(y)
print(c.real is c, c.data.shape, c.data.nbytes, np.float64(1).base)
