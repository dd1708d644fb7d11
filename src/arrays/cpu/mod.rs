//! The native engine: tiles, threads, SIMD kernels, reductions, scans, products and sorts on this processor.
