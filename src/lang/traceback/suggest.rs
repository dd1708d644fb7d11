//! Which name was probably meant: the nearest by CPython's distance and limits.

use crate::lang::name::Name;

/// Longest name that is compared, and the most candidates, as in CPython.
const NAME_BYTES_MAX: usize = 40;
const CANDIDATES_MAX: usize = 750;
const MOVE_COST: usize = 2;
const CASE_COST: usize = 1;

/// The candidate nearest to a misspelt name, by CPython's distance and limits.
pub fn suggest(wrong: &str, candidates: impl IntoIterator<Item = Name>) -> Option<&'static str> {
    let mut best: Option<(&'static str, usize)> = None;
    for (count, candidate) in candidates.into_iter().enumerate() {
        if count >= CANDIDATES_MAX {
            return None;
        }
        let text = candidate.text();
        if text == wrong {
            continue;
        }
        let mut limit = (wrong.len() + text.len() + 3) * MOVE_COST / 6;
        if let Some((_, distance)) = best {
            limit = limit.min(distance - 1);
        }
        if let Some(distance) = distance(wrong.as_bytes(), text.as_bytes(), limit) {
            best = Some((text, distance));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(text, _)| text)
}

fn substitution_cost(a: u8, b: u8) -> usize {
    if a == b {
        0
    } else if a.eq_ignore_ascii_case(&b) {
        CASE_COST
    } else {
        MOVE_COST
    }
}

/// The edit distance when it is at most `limit`.
fn distance<'a>(mut a: &'a [u8], mut b: &'a [u8], limit: usize) -> Option<usize> {
    while let (Some((first_a, rest_a)), Some((first_b, rest_b))) = (a.split_first(), b.split_first()) {
        if first_a != first_b {
            break;
        }
        (a, b) = (rest_a, rest_b);
    }
    while let (Some((last_a, rest_a)), Some((last_b, rest_b))) = (a.split_last(), b.split_last()) {
        if last_a != last_b {
            break;
        }
        (a, b) = (rest_a, rest_b);
    }
    if a.is_empty() || b.is_empty() {
        let cost = (a.len() + b.len()) * MOVE_COST;
        return (cost <= limit).then_some(cost);
    }
    if a.len() > NAME_BYTES_MAX || b.len() > NAME_BYTES_MAX {
        return None;
    }
    if b.len() < a.len() {
        std::mem::swap(&mut a, &mut b);
    }
    if (b.len() - a.len()) * MOVE_COST > limit {
        return None;
    }
    let mut row: Vec<usize> = (1..=a.len()).map(|moves| moves * MOVE_COST).collect();
    let mut result = 0;
    for (index_b, &code) in b.iter().enumerate() {
        let mut diagonal = index_b * MOVE_COST;
        result = diagonal;
        let mut minimum = usize::MAX;
        for (index_a, cell) in row.iter_mut().enumerate() {
            let substitute = diagonal + substitution_cost(code, a[index_a]);
            diagonal = *cell;
            let insert_delete = result.min(diagonal) + MOVE_COST;
            result = insert_delete.min(substitute);
            *cell = result;
            minimum = minimum.min(result);
        }
        if minimum > limit {
            return None;
        }
    }
    (result <= limit).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_cpythons() {
        let names = |texts: &[&str]| texts.iter().map(|text| Name::new(text)).collect::<Vec<_>>();
        assert_eq!(suggest("pirnt", names(&["print", "input"])), Some("print"));
        assert_eq!(suggest("bluch", names(&["blech", "blach"])), Some("blech"));
        assert_eq!(suggest("noise", names(&["somethingelse"])), None);
        assert_eq!(suggest("Value", names(&["value"])), Some("value"));
    }
}
