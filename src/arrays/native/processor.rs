//! What the system says about the processor.

/// Name, maker and usable threads.
pub struct Processor {
    /// `AMD EPYC (2 threads)`.
    pub name: String,
    /// `AuthenticAMD`.
    pub vendor: String,
    /// Threads this process may use.
    pub threads: usize,
}

/// Reads `/proc/cpuinfo`; a machine that does not say has an unnamed processor.
pub fn describe() -> Processor {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    from_cpuinfo(&text, threads)
}

fn from_cpuinfo(text: &str, threads: usize) -> Processor {
    let field = |name: &str| {
        text.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|value| !value.is_empty())
    };
    let model = field("model name").unwrap_or_else(|| "processor without a name".to_owned());
    let plural = if threads == 1 { "thread" } else { "threads" };
    Processor {
        name: format!("{model} ({threads} {plural})"),
        vendor: field("vendor_id").unwrap_or_else(|| "unknown".to_owned()),
        threads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_comes_from_the_model_line_and_counts_threads() {
        let text = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD  EPYC\n\nprocessor\t: 1\nmodel name : other\n";
        let processor = from_cpuinfo(text, 2);
        assert_eq!(processor.name, "AMD EPYC (2 threads)");
        assert_eq!(processor.vendor, "AuthenticAMD");
        assert_eq!(from_cpuinfo("", 1).name, "processor without a name (1 thread)");
    }
}
