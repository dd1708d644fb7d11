//! Every memory figure in every output against the ledger: text, HTML, JSON, the reply to a usage request, `memory_summary()`,
//! `cellhold top`, what is said while a cell runs, the accounts, `%free`. What is not the ledger's figure is shown nowhere.

use std::collections::{BTreeMap, BTreeSet};

use cellhold::arrays::ledger::{self, Entry};
use cellhold::arrays::readings::DeviceReading;
use cellhold::display::MimeBundle;
use cellhold::display::units::bytes;
use cellhold::repl::top::{self, Running};
use cellhold::session::{CELL_MIME, CellEvent, FREE_MIME, MEMORY_MIME};
use serde_json::{Value, json};

use super::{Bench, with_session};

/// Arrays of many sizes on two devices and in NumPy's memory, in names, lists, outputs and closures, and something cached.
const SETUP: [&str; 6] = [
    "%devices add gpu mem=256MiB; gpu mem=64MiB\n%device sim:gpu:0\nimport dpnp as np, numpy",
    "a = np.ones(1000)\nrows = [np.ones(3000 + i) for i in range(5)]\nother = np.zeros((20, 30), dtype='f4', device='sim:gpu:1')",
    "host = numpy.ones(700)\nview = rows[0][:4]\nkeep = (lambda held: lambda: held)(np.ones((7, 9)))",
    "gone = np.ones(2**18)\ndel gone",
    "a + 1",
    "rows.append(a @ a)\nempty = np.ones(0)",
];

/// The last display of a cell.
fn shown(bench: &Bench) -> MimeBundle {
    let mut displays = bench.front.events().into_iter().filter_map(|event| match event {
        CellEvent::Display { bundle, .. } => Some(bundle),
        _ => None,
    });
    displays.next_back().expect("something is shown")
}

/// Figures with a unit in a text, in their order.
fn figures(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches([',', '.', ';', ':', '(', ')'])).collect();
    let is_unit = |word: &str| ["B", "KiB", "MiB", "GiB", "TiB"].contains(&word);
    let is_figure = |pair: &&[&str]| pair[0].parse::<f64>().is_ok() && is_unit(pair[1]);
    words.windows(2).filter(is_figure).map(|pair| pair.join(" ")).collect()
}

/// HTML without its tags and styles.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        text.push(' ');
        let end = if rest[open..].starts_with("<style") { "</style>" } else { ">" };
        rest = rest[open..].find(end).map_or("", |at| &rest[open + at + end.len()..]);
    }
    text.push_str(rest);
    text.replace("&nbsp;", " ").replace("&#160;", " ").replace('\u{a0}', " ")
}

/// The sum of the entries that fit.
fn sum(entries: &[Entry], fits: impl Fn(&Entry) -> bool) -> u64 {
    entries.iter().filter(|entry| fits(entry)).map(|entry| entry.bytes).sum()
}

/// All that the ledger says about devices, as text.
fn of_devices(readings: &[DeviceReading]) -> BTreeSet<String> {
    let one = |reading: &DeviceReading| {
        let here = &reading.here;
        let known = [reading.memory.free.bytes(), reading.memory.total.bytes()];
        [here.live, here.live_blocks, here.cached, here.peak].into_iter().chain(known.into_iter().flatten())
    };
    readings.iter().flat_map(one).map(bytes).collect()
}

/// The JSON of devices and allocations against the ledger.
fn check_json(memory: &Value) {
    let entries = ledger::entries();
    let listed = memory["allocations"].as_array().unwrap();
    assert_eq!(listed.len(), entries.len());
    for one in listed {
        let entry = entries.iter().find(|entry| Some(entry.id) == one["id"].as_u64()).expect("a live allocation");
        assert_eq!(one["bytes"], entry.bytes);
        assert_eq!(one["block_bytes"], entry.block_bytes);
        assert_eq!(one["device"], entry.device.ledger_name());
        assert_eq!(one["cell"], entry.cell);
        assert_eq!(one["shape"], json!(entry.shape.as_ref().map(|shape| shape.to_vec())));
    }
    for reading in ledger::readings() {
        let found = memory["devices"].as_array().unwrap().iter().find(|device| device["filter"] == *reading.filter);
        let Some(device) = found else {
            assert_eq!(reading.here.count + reading.here.cached, 0, "{} is left out", reading.filter);
            continue;
        };
        let here = &reading.here;
        assert_eq!(
            json!([device["live"], device["live_blocks"], device["cached"], device["peak"], device["count"]]),
            json!([here.live, here.live_blocks, here.cached, here.peak, here.count])
        );
        assert_eq!(here.live, sum(&entries, |entry| entry.device.ledger_name() == &*reading.filter));
    }
}

/// Elements of an allocation's first array; 1 where it has no axes.
fn length(entry: &Entry) -> usize {
    entry.shape.as_ref().map_or(0, |shape| shape.iter().product())
}

/// Whether it is in `rows`.
fn is_row(entry: &Entry) -> bool {
    length(entry) >= 3000 || entry.shape.as_ref().is_some_and(|shape| shape.is_empty())
}

fn begin(bench: &mut Bench) {
    for cell in SETUP {
        bench.ok(cell);
    }
}

#[test]
fn mem_says_the_same_everywhere_and_it_is_the_ledgers() {
    with_session(|bench| {
        begin(bench);
        bench.front.set_width(100);
        bench.ok("%mem");
        let bundle = shown(bench);
        let (entries, readings) = (ledger::entries(), ledger::readings());
        let text = bundle.plain_text().to_owned();
        for entry in &entries {
            let row = text.lines().find(|line| line.split_whitespace().next() == Some(&format!("#{}", entry.id)));
            let row = row.unwrap_or_else(|| panic!("#{} is not in {text}", entry.id));
            assert_eq!(figures(row).first(), Some(&bytes(entry.bytes)), "{row}");
        }
        for reading in readings.iter().filter(|reading| reading.here.count > 0) {
            let at = text.find(&*reading.filter).unwrap_or_else(|| panic!("{} is not in {text}", reading.filter));
            // A narrow line goes on in the next one.
            let line: String = text[at..].split("peak").take(2).collect::<Vec<_>>().join("peak");
            let told = figures(&line);
            assert_eq!(told[0], bytes(reading.here.live), "{line}");
            assert!(told.contains(&bytes(reading.here.cached)), "{line}");
        }
        // Nothing is there that is not known: no figure of another time or from elsewhere.
        let mut known = of_devices(&readings);
        known.extend(entries.iter().map(|entry| bytes(entry.bytes)));
        known.insert(bytes(sum(&entries, |_| true)));
        // What `rows` alone keeps; `view` looks into the first of them.
        known.insert(bytes(sum(&entries, |entry| is_row(entry) && length(entry) != 3000)));
        // What the machine has free changes from one look to the next.
        let devices = bundle.data[MEMORY_MIME]["devices"].as_array().unwrap();
        known.extend(devices.iter().filter_map(|device| device["free"]["bytes"].as_u64()).map(bytes));
        let cells = bundle.data[MEMORY_MIME]["cells"].as_array().unwrap().clone();
        known.extend(cells.iter().flat_map(|cell| [&cell["live"], &cell["peak"]]).filter_map(Value::as_u64).map(bytes));
        for figure in figures(&text) {
            assert!(known.contains(&figure), "{figure} is not the ledger's: {text}\n{known:?}");
        }
        let html = text_of(bundle.text("text/html").unwrap());
        assert_eq!(figures(&html), figures(&text), "HTML and text");
        check_json(&bundle.data[MEMORY_MIME]);
        check_json(&bench.session.memory(usize::MAX));
        check_json(&bench.snapshots.memory());
        // One cell more has ended by then, and the machine, unlike the devices here, has gigabytes free.
        let lasting = |text: &str| -> Vec<String> {
            let changes = |line: &&str| line.starts_with("cells ") || line.contains(" GiB");
            text.lines().filter(|line| !changes(line)).map(str::to_owned).collect()
        };
        assert_eq!(lasting(bench.printed("print(memory_summary())").trim_end()), lasting(text.trim_end()));
        bench.ok("%mem --json");
        check_json(&serde_json::from_str(&bench.output()).expect("%mem --json is JSON"));
    });
}

#[test]
fn sums_and_details_are_the_ledgers() {
    with_session(|bench| {
        begin(bench);
        bench.front.set_width(160);
        let entries = ledger::entries();
        let mut by_cell: BTreeMap<u32, (u64, usize)> = BTreeMap::new();
        let mut by_device: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
        for entry in &entries {
            for sum in
                [by_cell.entry(entry.cell).or_default(), by_device.entry(entry.device.ledger_name()).or_default()]
            {
                sum.0 += entry.bytes;
                sum.1 += 1;
            }
        }
        let row = |text: &str, start: &str| -> Vec<String> {
            let line = text.lines().find(|line| line.trim_start().starts_with(start));
            line.unwrap_or_else(|| panic!("no {start} in {text}")).split_whitespace().map(str::to_owned).collect()
        };
        let check = |text: &str, start: &str, (sum, count): (u64, usize)| {
            let told = row(text, start).join(" ");
            assert!(told.ends_with(&format!("{} {count}", bytes(sum))), "{told}: {} in {count}", bytes(sum));
        };
        bench.ok("%mem --by cell");
        by_cell.iter().for_each(|(cell, sum)| check(&bench.output(), &format!("cell {cell}"), *sum));
        bench.ok("%mem --by device");
        by_device.iter().for_each(|(device, sum)| check(&bench.output(), device, *sum));
        bench.ok("%mem --by holder");
        check(&bench.output(), "rows", (sum(&entries, is_row), 6));
        bench.ok("%devices");
        let text = bench.output();
        for reading in ledger::readings().iter().filter(|reading| reading.filter.starts_with("sim:")) {
            let line = text.lines().find(|line| line.contains(&*reading.filter)).expect("a row of the device");
            for figure in [reading.here.live, reading.here.cached, reading.here.peak] {
                assert!(figures(line).contains(&bytes(figure)), "{} in {line}", bytes(figure));
            }
        }
        for entry in &entries {
            bench.ok(&format!("%mem #{}", entry.id));
            let bundle = shown(bench);
            let text = bundle.plain_text().to_owned();
            assert_eq!(figures(&text)[0], bytes(entry.bytes), "{text}");
            assert_eq!(figures(&text_of(bundle.text("text/html").unwrap())), figures(&text));
            let json = &bundle.data[MEMORY_MIME]["allocations"];
            let one = json.as_array().unwrap().iter().find(|one| one["id"] == entry.id).expect("what was asked about");
            // What letting go of each holder frees is what happens, which `%free -n` is checked for.
            let frees: u64 =
                one["holders"].as_array().unwrap().iter().filter_map(|holder| holder["frees"].as_u64()).sum();
            assert!(text.contains("Letting go of one") || frees >= entry.bytes, "{text}: {one}");
        }
    });
}

#[test]
fn what_is_told_while_a_cell_runs_is_the_ledgers_too() {
    with_session(|bench| {
        begin(bench);
        let entries = ledger::entries();
        let ids = |line: &str| -> Vec<u64> {
            let told = bench.snapshots.explain(line).expect("it is there");
            let text = told.bundle(100).plain_text().to_owned();
            for one in &told.allocations {
                let entry = entries.iter().find(|entry| one["id"] == entry.id).expect("it lives");
                assert_eq!(one["bytes"], entry.bytes);
                assert!(figures(&text).contains(&bytes(entry.bytes)) || told.allocations.len() > 10, "{text}");
            }
            told.allocations.iter().filter_map(|one| one["id"].as_u64()).collect()
        };
        assert_eq!(ids("").len(), entries.len());
        assert_eq!(ids("a").len(), 1);
        assert_eq!(ids("rows").len(), 6);
        assert_eq!(ids("keep").len(), 1, "through a closure");
        assert_eq!(ids("Out[5]").len(), 1);
        assert_eq!(ids("rows[1]").len(), 1);
        assert_eq!(ids(&format!("#{}", entries[0].id)), [entries[0].id]);
        assert!(bench.snapshots.explain("never").is_err());
    });
}

#[test]
fn what_watches_from_outside_tells_the_ledgers_figures() {
    with_session(|bench| {
        begin(bench);
        // What a reply to a usage request carries, and `cellhold top` shows.
        let memory = bench.snapshots.memory();
        check_json(&memory);
        let running = Running { name: "kernel-1".into(), usage: json!({"cellhold": memory}) };
        let mut entries = ledger::entries();
        let lines = top::lines(&[running], 100);
        for reading in ledger::readings().iter().filter(|reading| reading.here.count > 0 && !reading.filter.is_empty())
        {
            let at = lines.iter().position(|line| line.starts_with(&*reading.filter));
            let shown = &lines[at.unwrap_or_else(|| panic!("{} is not in {lines:#?}", reading.filter))..][..4];
            assert_eq!(figures(&shown[2]), [bytes(reading.here.live), bytes(reading.here.cached)], "{shown:#?}");
            if reading.filter.starts_with("sim:") {
                let of_device = [&reading.memory.total, &reading.memory.free].map(|amount| amount.bytes().map(bytes));
                let told = [&shown[0], &shown[3]].map(|line| figures(line).pop());
                assert_eq!(told, of_device, "{shown:#?}");
            }
        }
        assert!(lines.contains(&format!("{} allocations", entries.len())), "{lines:#?}");
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.bytes));
        let told: Vec<&String> = lines.iter().filter(|line| line.trim_start().starts_with('#')).collect();
        assert!(told.len() > 5, "{lines:#?}");
        for (line, entry) in told.into_iter().zip(&entries) {
            assert_eq!(figures(line), [bytes(entry.bytes)], "{line}");
        }
    });
}

#[test]
fn accounts_and_differences_add_up_to_the_ledger() {
    with_session(|bench| {
        begin(bench);
        let total = || sum(&ledger::entries(), |_| true);
        let before = (total(), ledger::entries().len());
        let outcome = bench.ok("%%mem\nx = np.ones(5000)\ny = x * 2 + 1\ndel x\nrows.pop(0);");
        let account = outcome.account.expect("an account");
        let kept = total() as i64 - before.0 as i64;
        assert_eq!(account["kept"], kept);
        let moved = account["allocated"].as_u64().unwrap() as i64 - account["freed"].as_u64().unwrap() as i64;
        assert_eq!(moved, kept);
        let bundle = shown(bench);
        assert_eq!(bundle.data[CELL_MIME]["allocated"], account["allocated"]);
        let text = bundle.plain_text().to_owned();
        for name in ["allocated", "freed", "peak_over_base"] {
            assert!(figures(&text).contains(&bytes(account[name].as_u64().unwrap())), "{name} in {text}");
        }
        assert_eq!(figures(&text_of(bundle.text("text/html").unwrap())), figures(&text));
        bench.ok("%mem --cell 7");
        assert!(figures(&bench.output()).contains(&bytes(sum(&ledger::entries(), |entry| entry.cell == 7))));
        let before = total();
        bench.ok("%free -n rows");
        let foretold = shown(bench).data[FREE_MIME]["released"].clone();
        bench.ok("%free rows");
        let bundle = shown(bench);
        assert_eq!(bundle.data[FREE_MIME]["released"], before - total());
        assert_eq!(foretold, before - total());
        assert!(figures(bundle.plain_text()).contains(&bytes(before - total())), "{}", bundle.plain_text());
        bench.ok("%mem --diff 7 10");
        let (old, new) = (figures(&bench.output())[0].clone(), figures(&bench.output())[1].clone());
        assert_eq!((old, new), (bytes(before), bytes(total())), "{}", bench.output());
    });
}
