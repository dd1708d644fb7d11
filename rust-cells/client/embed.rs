pub const FILES: &[(&str, &str)] = &[];
