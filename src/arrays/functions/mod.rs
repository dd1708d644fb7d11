//! Whole-array functions by family, for `dpnp.*` and `numpy.*` alike; `Flavour` says which where the two differ.
//!
//! The binding parses Python arguments; here they are plain values. Everything returns new arrays or views, or writes into arrays given to it.
//!
//! - `print`: `repr` `str` `scalar_repr` with `PrintOptions`
//! - `creation`: `empty` `zeros` `ones` `full` (+ `_like`, `full_from_array`) `arange` `linspace` `linspace_arrays` `logspace` `geomspace`
//!   `eye` `identity` `diag` `diagflat` `tri` `tril` `triu` `meshgrid` `indices` `index_line` `vander`; `asarray` of `NestedData`, `from_bytes`
//! - `shapes`: `reshape` `ravel` `flatten` `transpose` `matrix_transpose` `swapaxes` `moveaxis` `rollaxis` `squeeze` `expand_dims`
//!   `broadcast_to` `broadcast_arrays` `atleast_1d/2d/3d` `diagonal`
//! - `rearrange`: `flip` `flipud` `fliplr` `rot90` `roll` `tile` `repeat` `resize` `trim_zeros`
//! - `indexing`: `get` `set` `assign` over `Index`; `take` `put` `take_along_axis` `put_along_axis` `fill_diagonal` `choose` `select`
//!   `compress` `extract` `place` `putmask` `copyto_where` `nonzero` `argwhere` `flatnonzero` `count_nonzero` `unravel_index`
//!   `ravel_multi_index` `diag_indices` `tril_indices` `triu_indices` `mask_indices` `ix` `searchsorted` `digitize` `only_element`
//! - `sorting`: `sort` `sort_in_place` `argsort` `sort_complex` `lexsort` `partition` `argpartition`
//! - `joining`: `concatenate` `stack` `vstack` `hstack` `dstack` `column_stack` `block` `append` `insert` `delete`; `splitting`: `split` `array_split`
//!   `hsplit` `vsplit` `dsplit`
//! - `sets`: `unique` `unique_axis` `unique_values` `isin` `intersect1d` `union1d` `setdiff1d` `setxor1d`
//! - `convert`: `astype` `copy` `copy_to` `asnumpy` `tolist` `item` `real_view` `imag_view` `as_ordered` `unstack` `may_share_memory`
//! - `scans`: `scan` over `ScanOp` (cumsum, cumprod, nancumsum, cumulative_sum...); `calculus`: `diff` `ediff1d` `gradient` `trapezoid`
//!   `convolve` `correlate` `interp`
//! - `products`: `dot` `vdot` `vecdot` `inner` `outer` `tensordot` `kron` `cross` `trace` `matvec` `vecmat` `multi_dot`; `einsum`: `einsum`
//! - `statistics`: `median` `quantile` (nan forms by flag) `average` `cov` `corrcoef` `histogram` `histogramdd` `histogram_bin_edges`
//!   `bincount` `ptp` `isclose` `allclose` `array_equal` `array_equiv`; `padding`: `pad`
//! - `linalg`: `norm` `det` `slogdet` `inv` `solve` `lstsq` `pinv` `cholesky` `qr` `svd` `svdvals` `eigh` `eigvalsh` `eig` `eigvals` `cond`
//!   `matrix_rank` `matrix_power` `tensorinv` `tensorsolve`
//! - `fft`: `fft` `rfft` `irfft` `hfft` `ihfft` `fftn` `rfftn` `irfftn` `fftfreq` `rfftfreq` `fftshift`; `windows`: `window` `unwrap`
//! - `random`: `Generator` (`legacy`, `modern`; `random` `real` `whole` `real_each` `whole_each` `integers` `bytes` `shuffle` `permutation`
//!   `shuffled_indices` `choice` `multinomial`) over `RealDistribution` and `WholeDistribution`
//! - `io`: `npy` (`load` `save` `read` `write`), `npz` (`NpzFile` `save`), `text` (`load` `save` `from_string`), `raw` (`to_bytes` `to_file`
//!   `from_file`)

pub mod arithmetic;
pub mod calculus;
pub mod convert;
pub mod creation;
pub mod einsum;
pub mod fft;
pub mod indexing;
pub mod io;
pub mod joining;
pub mod linalg;
pub mod padding;
pub mod print;
pub mod products;
pub mod random;
pub mod rearrange;
pub mod scans;
pub mod sets;
pub mod shapes;
pub mod sorting;
pub mod splitting;
pub mod statistics;
pub mod support;
pub mod windows;

#[cfg(test)]
mod tests;
