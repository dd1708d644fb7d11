//! Modules of the engine that programs import: one file or folder a module, a table that names them.
