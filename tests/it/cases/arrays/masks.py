# Masks of many shapes, layouts and densities: taking, filling, writing, and where they are true.
import numpy as np


def state(array):
    return array.shape, array.dtype.name, array.sum().item(), array.ravel()[:4].tolist(), array.ravel()[-3:].tolist()


line = (np.arange(1000) * 37) % 101
for mask in (line < 3, line < 50, line < 200, line < 0, line == 100):
    print(state(line[mask]) if mask.any() else line[mask], int(mask.sum()), mask.nonzero()[0][:3])

grid = np.arange(7 * 130.0).reshape(7, 130)
cube = np.arange(6 * 5 * 4).reshape(6, 5, 4)
for array in (grid, grid.T, grid[::-1], grid[:, ::3], grid[1:6, 2:100:7].T, cube, cube.transpose(2, 0, 1), cube[:, ::-2]):
    mask = array % 3 == 1
    print(state(array[mask]), [state(part) for part in mask.nonzero()])
    print(state(np.argwhere(mask)), np.flatnonzero(mask)[:5], np.count_nonzero(mask), np.count_nonzero(mask, axis=0)[:3])
    for value in (-1, -np.arange(int(mask.sum())), np.array([7])):
        copy = array.copy()
        copy[mask] = value
        print(state(copy))
    rows = mask.reshape(len(mask), -1)[:, 0]
    print(state(array[rows]))
    copy = array.copy()
    copy[rows] = -5
    print(state(copy))
    copy = np.zeros_like(array)
    copy[rows] = array[rows] * 2
    print(state(copy))

# The memory of the mask and of the array lie otherwise.
mask = np.asfortranarray(grid % 5 == 2)
print(state(grid[mask]), state(grid.T[mask.T]))
view = grid[:, ::-2]
view[view > 100] = 0
print(state(grid), state(view))
scalar = np.array(3.0)
print(scalar[scalar > 2], scalar[scalar > 5], scalar[np.array(True)])
scalar[scalar > 2] = 9
print(scalar, np.zeros((0, 3))[np.zeros((0, 3), bool)], np.zeros((2, 0))[np.array([True, False])].shape)
z = np.array([1 + 2j, 0, -1j, 0])
print(z[z != 0], np.nonzero(z), np.nonzero(np.array([0.0, np.nan, -0.0, 2])))
place = np.argmin(np.abs(grid - 333.3))
print(grid.flat[place], type(place).__name__)
grid.flat[np.int32(5)] = 1.5
print(grid[0, 5])
