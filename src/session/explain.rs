//! `%mem` while a cell runs: answered from the last published snapshot, by any thread, with how old it is.
//!
//! The evaluator is busy and alone may look at values, so the answer is made of what the snapshot lists: the largest
//! allocations with their holders, and which allocations each name reaches.

use std::time::SystemTime;

use serde_json::{Value, json};

use super::snapshot::Snapshot;
use crate::display::units::{age, bytes, count as counted};
use crate::display::{Markup, MimeBundle, Role, Table, to_html, to_plain};

/// Rows shown when nothing in particular was asked about.
const ROWS: usize = 10;

/// What a snapshot says about memory or about one thing in it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// For people.
    pub markup: Markup,
    /// Seconds since the snapshot was taken.
    pub age_s: f64,
    /// The allocations meant, as they stand in `%mem --json`, of those that the snapshot lists.
    pub allocations: Vec<Value>,
}

impl Explained {
    /// The answer for a front end whose text has so many columns.
    pub fn bundle(&self, columns: usize) -> MimeBundle {
        MimeBundle::plain(to_plain(&self.markup.clone().flowing(), columns)).with("text/html", to_html(&self.markup))
    }

    /// The answer as JSON.
    pub fn json(&self) -> Value {
        let age_s = (self.age_s * 1000.0).round() / 1000.0;
        json!({"age_s": age_s, "allocations": self.allocations, "data": self.bundle(100).data})
    }
}

/// Answers `%mem` with what follows it: nothing, or a name, `Out[n]`, a path or `#id`. The fault where there is no such thing.
pub fn explain(snapshot: &Snapshot, line: &str, now: SystemTime) -> Result<Explained, String> {
    let Some(listed) = snapshot.memory["allocations"].as_array() else {
        return Err("nothing was published yet: the first cell has not begun".to_owned());
    };
    let age_s = now.duration_since(snapshot.time).map_or(0.0, |age| age.as_secs_f64());
    let mut markup = Markup::of(Role::Dim, moment(snapshot, age_s)).line();
    let target = line.trim();
    let omitted = snapshot.memory["omitted"].as_u64().unwrap_or(0);
    let allocations = if target.is_empty() {
        markup = markup.then(devices(&snapshot.memory)).then(table(listed.iter().take(ROWS)));
        let more = (listed.len().saturating_sub(ROWS)) as u64 + omitted;
        if more > 0 {
            markup =
                markup.push(Role::Dim, format!("and {} more; %mem lists them when the cell has ended", counted(more)));
        }
        listed.clone()
    } else {
        let (found, unlisted) = meant(snapshot, listed, target)?;
        for one in &found {
            markup = markup.then(detail(one));
        }
        if found.is_empty() && unlisted == 0 {
            markup = markup.plain(format!("{target} held no array memory then."));
        }
        if unlisted > 0 {
            let text = format!(
                "{} smaller ones are not in the snapshot: %mem {target} when the cell has ended",
                counted(unlisted)
            );
            markup = markup.push(Role::Dim, text);
        }
        found
    };
    Ok(Explained { markup, age_s, allocations })
}

/// `3 s ago, in cell 7, which still runs:`
fn moment(snapshot: &Snapshot, age_s: f64) -> String {
    let since = match age(std::time::Duration::from_secs_f64(age_s)).as_str() {
        "now" => "Just now".to_owned(),
        age => format!("{age} ago"),
    };
    match snapshot.running {
        Some(cell) => format!("{since}, while cell {cell} ran:"),
        None => format!("{since}, before the running cell looked up:"),
    }
}

/// The allocations that a target means, and how many of them the snapshot does not list.
fn meant(snapshot: &Snapshot, listed: &[Value], target: &str) -> Result<(Vec<Value>, u64), String> {
    let id_of = |one: &Value| one["id"].as_u64().unwrap_or(0);
    if let Some(number) = target.strip_prefix('#') {
        let id: u64 = number.parse().map_err(|_| format!("{target} is not the number of an allocation"))?;
        let found: Vec<Value> = listed.iter().filter(|one| id_of(one) == id).cloned().collect();
        let is_complete = snapshot.memory["omitted"].as_u64() == Some(0);
        return match (found.is_empty(), is_complete) {
            (true, true) => Err(format!("there was no live allocation #{id}")),
            (true, false) => Ok((found, 1)),
            (false, _) => Ok((found, 0)),
        };
    }
    if let Some(name) = snapshot.names.iter().find(|name| name.name == target)
        && let Some(ids) = &name.reaches
    {
        let found: Vec<Value> = listed.iter().filter(|one| ids.contains(&id_of(one))).cloned().collect();
        let unlisted = (ids.len() - found.len()) as u64;
        return Ok((found, unlisted));
    }
    // Anything else is known by the paths that begin with it.
    let is_held = |one: &Value| {
        let holders = one["holders"].as_array().into_iter().flatten();
        holders.filter_map(|holder| holder["path"].as_str()).any(|path| leads_to(path, target))
    };
    let found: Vec<Value> = listed.iter().filter(|one| is_held(one)).cloned().collect();
    let is_known = snapshot.names.iter().any(|name| leads_to(target, &name.name)) || target.starts_with("Out[");
    if found.is_empty() && !is_known {
        return Err(format!("there is no {target} (a name, Out[n] or #id is wanted)"));
    }
    Ok((found, 0))
}

/// Whether a path goes through what another one names: `a.b[0]` through `a`, `a.b` and itself.
fn leads_to(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn devices(memory: &Value) -> Markup {
    let mut table = Table { has_heading: false, ..Table::new() }.left("").right("").right("").left("");
    for device in memory["devices"].as_array().into_iter().flatten() {
        let figure = |name: &str| bytes(device[name].as_u64().unwrap_or(0));
        let is_idle = device["count"] == 0 && device["cached"] == 0 && device["default"] != true;
        if is_idle {
            continue;
        }
        let free = device["free"]["bytes"].as_u64().map_or_else(|| "unknown".to_owned(), bytes);
        table.row(vec![
            Markup::of(Role::Strong, device["filter"].as_str().unwrap_or("?")),
            Markup::of(Role::Dim, "here ").push(Role::Number, figure("live")),
            Markup::of(Role::Dim, "cached ").plain(figure("cached")),
            Markup::of(Role::Dim, "free ").plain(free),
        ]);
    }
    Markup::new().table(table)
}

fn table<'a>(rows: impl Iterator<Item = &'a Value>) -> Markup {
    let mut table = Table::new().right("id").right("bytes").left("what").shrinking_late("held by").stacking_below(24);
    for one in rows {
        let holders: Vec<&str> =
            one["holders"].as_array().into_iter().flatten().filter_map(|holder| holder["path"].as_str()).collect();
        let more = if holders.len() > 2 { format!(", +{} more", holders.len() - 2) } else { String::new() };
        table.row(vec![
            Markup::of(Role::Strong, format!("#{}", one["id"])),
            Markup::of(Role::Number, bytes(one["bytes"].as_u64().unwrap_or(0))),
            Markup::text(what(one)),
            Markup::of(Role::Code, holders[..holders.len().min(2)].join(", ")).push(Role::Dim, more),
        ]);
    }
    if table.rows.is_empty() {
        Markup::text("No array memory was held then.").line()
    } else {
        Markup::new().table(table)
    }
}

/// One allocation with every holder and what to type.
fn detail(one: &Value) -> Markup {
    let mut markup = Markup::of(Role::Strong, format!("#{}", one["id"])).plain(format!(
        "   {}, {} on {}",
        bytes(one["bytes"].as_u64().unwrap_or(0)),
        what(one),
        one["device"].as_str().unwrap_or("?")
    ));
    if let Some(cell) = one["cell"].as_u64().filter(|cell| *cell > 0) {
        let line = match (one["line"].as_u64(), one["line_of"].as_str()) {
            (None, _) => String::new(),
            (Some(line), None) => format!(" line {line}"),
            (Some(line), Some(source)) => format!(", line {line} of {source}"),
        };
        markup = markup.plain(format!(", born in cell {cell}{line}"));
    }
    if let Some(op) = one["op"].as_str().filter(|op| !op.is_empty()) {
        markup = markup.plain(" by ").push(Role::Code, format!("`{op}`"));
    }
    let mut table = Table { has_heading: false, ..Table::new() }.shrinking_late("").left("").shrinking_late("");
    table = table.stacking_below(usize::MAX);
    for holder in one["holders"].as_array().into_iter().flatten() {
        table.row(vec![
            Markup::text("  <- ").push(Role::Code, holder["path"].as_str().unwrap_or("?")),
            Markup::of(Role::Dim, holder["kind"].as_str().unwrap_or("")),
            match holder["let_go"].as_str() {
                Some(statement) => Markup::of(Role::Dim, "let go: ").push(Role::Code, statement),
                None => Markup::of(Role::Dim, "goes when the cell ends"),
            },
        ]);
    }
    markup.line().table(table)
}

/// `(1000, 1000) float64`; raw memory by its name.
fn what(one: &Value) -> String {
    let Some(shape) = one["shape"].as_array() else { return "raw memory".to_owned() };
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let comma = if lengths.len() == 1 { "," } else { "" };
    format!("({}{comma}) {}", lengths.join(", "), one["dtype"].as_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::snapshot::SnapshotName;
    use super::*;

    fn snapshot(omitted: u64) -> Snapshot {
        let name = |name: &str, reaches: Option<Vec<u64>>| SnapshotName {
            name: name.to_owned(),
            reaches,
            ..SnapshotName::default()
        };
        Snapshot {
            running: Some(7),
            names: vec![name("a", Some(vec![2])), name("rows", Some(vec![2, 9])), name("deep", None)],
            memory: json!({
                "omitted": omitted,
                "devices": [{"filter": "sim:gpu:0", "live": 2048, "cached": 0, "count": 2, "free": {"bytes": 4096}}],
                "allocations": [
                    {"id": 2, "bytes": 1024, "shape": [128], "dtype": "float64", "device": "sim:gpu:0", "cell": 3, "line": 1,
                     "op": "ones", "holders": [{"path": "a", "kind": "name", "let_go": "del a"},
                                               {"path": "deep.x[0]", "kind": "container", "let_go": "del deep.x[0]"}]},
                    {"id": 4, "bytes": 512, "shape": [], "dtype": "int8", "device": "sim:gpu:0", "cell": 0,
                     "holders": [{"path": "Out[2]", "kind": "output", "let_go": "%free Out[2]"}]},
                ],
            }),
            ..Snapshot::default()
        }
    }

    fn ask(omitted: u64, line: &str) -> Result<(String, Vec<u64>), String> {
        let answer = explain(&snapshot(omitted), line, SystemTime::UNIX_EPOCH + Duration::from_secs(3))?;
        let ids = answer.allocations.iter().filter_map(|one| one["id"].as_u64()).collect();
        Ok((to_plain(&answer.markup, 100), ids))
    }

    #[test]
    fn a_name_a_path_an_output_and_a_number_are_explained_with_their_age() {
        let (text, ids) = ask(0, "a").unwrap();
        assert_eq!(ids, [2]);
        assert!(text.starts_with("3 s ago, while cell 7 ran:\n#2   1.00 KiB, (128,) float64 on sim:gpu:0"), "{text}");
        assert!(text.contains("born in cell 3 line 1 by `ones`") && text.contains("let go: del deep.x[0]"), "{text}");
        assert_eq!(ask(0, "deep.x").unwrap().1, [2]);
        assert_eq!(ask(0, "deep").unwrap().1, [2], "by its paths, where it is too large to be looked through");
        assert_eq!(ask(0, "Out[2]").unwrap().1, [4]);
        assert_eq!(ask(0, "#4").unwrap().1, [4]);
    }

    #[test]
    fn what_the_snapshot_does_not_list_is_said_and_what_never_was_is_a_fault() {
        let (text, ids) = ask(0, "rows").unwrap();
        assert!(ids == [2] && text.contains("1 smaller ones are not in the snapshot"), "{text}");
        assert!(ask(5, "#9").unwrap().0.contains("not in the snapshot"));
        assert!(ask(0, "#9").unwrap_err().contains("no live allocation #9"));
        assert!(ask(0, "nothing").unwrap_err().contains("there is no nothing"));
        assert!(explain(&Snapshot::default(), "", SystemTime::now()).is_err());
    }

    #[test]
    fn without_a_target_the_largest_are_listed_with_the_devices() {
        let (text, ids) = ask(30, "").unwrap();
        assert_eq!(ids, [2, 4]);
        assert!(text.contains("sim:gpu:0   here 2.00 KiB   cached 0 B   free 4.00 KiB"), "{text}");
        assert!(text.contains("a, deep.x[0]") && text.contains("and 30 more"), "{text}");
    }
}
