//! The nearest of some names to one that was mistyped.

/// The nearest name, if one is near enough to be what was meant.
pub(super) fn closest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let limit = 1 + typed.chars().count() / 4;
    names
        .iter()
        .map(|name| (distance(typed, name), *name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// How many insertions, removals, changes and swaps of neighbours lead from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let names = ["mem", "free", "devices", "timeit", "time"];
        assert_eq!(closest("mme", &names), Some("mem"));
        assert_eq!(closest("device", &names), Some("devices"));
        assert_eq!(closest("tiemit", &names), Some("timeit"));
        assert_eq!(closest("alias", &names), None);
    }
}
