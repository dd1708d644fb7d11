//! The other end of the tests of array requests: one scenario by its name. It is built with rustc against the client.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::ops::AddAssign;
use std::rc::Rc;

use cellhold::*;

/// Says that a step is done, and waits until the test has looked.
fn step(name: &str) {
    println!("at {name}");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).unwrap();
}

fn refused<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
    }
}

fn panicked(run: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

fn main() {
    let scenario = std::env::args().nth(1).unwrap();
    start();
    match scenario.as_str() {
        "expressions" => expressions(),
        "elements" => elements(),
        "in_place" => in_place(),
        "holders" => holders(),
        "frees" => frees(),
        "errors" => errors(),
        "functions" => functions(),
        "endless" => endless(),
        "billion" => billion(),
        "transfers" => transfers(),
        "many" => many(),
        "threads" => threads(),
        other => panic!("no scenario {other}"),
    }
    println!("done");
}

fn expressions() {
    let (a, b) = (get("a"), get("b"));
    assert_eq!((a.shape(), a.ndim(), a.len(), a.dtype()), (&[100, 100][..], 2, 10_000, DType::Float64));
    assert_eq!(a.nbytes(), 80_000);
    let c = (&a * 2.0 + &b - 1.0).sqrt() / (1.0 + &a);
    put("c", &c);
    put("d", (2 - &a) % 7 * -(&b));
    put("e", a.gt(0.5).logical_and(b.le(&a)));
    put("f", a.slice((1..3, ..-2)).reshape((2, -1)).t());
    put("g", a.matmul(&b));
    put("h", a.gt(&b).select(&a, 0.0).clip(0.1, 0.9));
    put("i", a.sum_axis(0));
    put("j", a.slice(-1).slice(5..=7));
    put("k", arange(5) * 2 + linspace(0.0, 1.0, 5));
    put("l", !a.lt(0.5) | a.is_nan());
    put("m", full((2, 3), 7));
    let total: f64 = a.sum().into();
    println!("sum {total:?}");
    println!("largest {} at {}", a.max(), a.argmax().item::<i64>());
    println!("{:?}", a.slice((0, ..3)).astype::<f32>());
    println!("shown {}", arange(4));
}

fn round_trip<T: Element + PartialEq + std::fmt::Debug>(values: &[T]) {
    let array = from_slice(values, values.len());
    assert_eq!(array.dtype(), T::DTYPE);
    assert_eq!(array.to_vec::<T>(), values);
}

fn elements() {
    round_trip(&[true, false, true]);
    round_trip(&[-1i8, 0, 127]);
    round_trip(&[-1i16, 300]);
    round_trip(&[i32::MIN, 1]);
    round_trip(&[i64::MAX, -1]);
    round_trip(&[255u8]);
    round_trip(&[65_535u16]);
    round_trip(&[u32::MAX]);
    round_trip(&[u64::MAX, 0]);
    round_trip(&[1.5f32, -0.0]);
    round_trip(&[[1.0f32, 2.0], [3.0, 4.0]]);
    round_trip(&[[1.0f64, 2.0], [3.0, 4.0]]);
    round_trip::<f64>(&[]);
    round_trip(&[f64::INFINITY, f64::MIN_POSITIVE]);
    // Through the window, with lengths about the sizes of its slots.
    for len in [4096, 4097, 131_071, 131_072, 131_073, 1_048_576 + 3] {
        let values: Vec<f64> = (0..len).map(|at| at as f64).collect();
        round_trip(&values);
    }
    let flags: Vec<bool> = (0..3_000_001).map(|at| at % 3 == 0).collect();
    round_trip(&flags);
    // Strided ones come in their own order.
    assert_eq!(arange(6).reshape((2, 3)).t().to_vec::<i64>(), [0, 3, 1, 4, 2, 5]);
    assert_eq!(arange(6).astype::<bool>().to_vec::<bool>(), [false, true, true, true, true, true]);
    assert_eq!(full((), 2.5).item::<f64>(), 2.5);
    assert_eq!(full(1, 3).item::<f32>(), 3.0);
    let half = full(3, 0.5).astype_dtype(DType::Float16);
    assert_eq!(half.slice(0).item::<f64>(), 0.5);
    put("numbers", &vec![1u8, 2, 3]);
    put("few", &[1.0, 2.0]);
    println!("{}", refused(arange(3).try_to_vec::<f64>()));
    println!("{}", refused(arange(3).try_item::<i64>()));
    println!("{}", refused(full(1, 1.5).try_item::<i64>()));
    println!("{}", refused(try_from_slice(&[1.0, 2.0], 3)));
}

fn in_place() {
    let mut a = get("a");
    a += 1.0;
    a *= &get("b");
    a.slice(0).assign(-1.0);
    a.slice((1, 0..2)).assign(&get("b").slice((0, 0..2)));
    // What waits for its value gets the one from before the write.
    let before = &a + 0.0;
    a -= 5;
    put("before", &before);
    println!("{}", panicked(|| get("whole").add_assign(0.5)));
    println!("{}", refused(get("whole").slice(..4).try_assign(&get("a").slice(0))));
    println!("{}", refused(get("frozen").try_assign(0.0)));
    step("written");
    println!("{}", a.slice((0, 0)).item::<f64>());
}

struct Model {
    weights: Array,
    bias: Vec<Array>,
}
holds!(Model { weights, bias });

fn holders() {
    let a = from_slice(&vec![1.0; 1000], 1000);
    step("made");
    let list = vec![a.copy(), a.copy()];
    let map = HashMap::from([("key", a.copy())]);
    let tree = BTreeMap::from([(3, Some(a.copy()))]);
    let boxed = Box::new((a.copy(), 1, Rc::new(a.copy())));
    let model = Model { weights: a.copy(), bias: vec![a.copy()] };
    let second = a.clone();
    let (closure, text) = (|x: i32| x + 1, String::from("no array"));
    name_holders!(a, list, map, tree, boxed, model, second, closure, text);
    step("named");
    let b = a;
    drop((list, map, tree, boxed, model));
    name_holders!(b, second, closure, text);
    step("moved");
    drop(second);
    drop(b);
    step("dropped");
    let sum = arange(100_000) * 2 + 1;
    name_holders!(sum);
    step("waiting");
    assert_eq!(sum.sum().item::<i64>(), 100_000 * 100_000);
    let kept = get("kept");
    name_holders!(sum, kept);
    step("kept");
}

fn frees() {
    let v = full(1000, 1.0);
    let w = vec![full(1000, 2.0), full(1000, 3.0)];
    name_holders!(v, w);
    step("named");
    println!("{}", refused(v.try_to_vec::<f64>()));
    println!("{}", panicked(|| drop(&v + 1.0)));
    println!("{}", w[1].sum().item::<f64>());
    step("freed");
    println!("{}", refused(w[0].try_to_vec::<f64>()));
    println!("{}", refused(w[1].try_to_vec::<f64>()));
    let z = full(10, 1.0);
    step("revoked");
    println!("{}", refused(z.try_to_vec::<f64>()));
    println!("{}", refused(z.try_item::<f64>()));
}

fn errors() {
    println!("{}", refused(try_get("nothing")));
    println!("{}", refused(try_get("text")));
    println!("{}", refused(try_put("not a name", &[1.0])));
    println!("{}", refused(try_put("lambda", &[1.0])));
    println!("{}", panicked(|| drop(arange(3) + arange(4))));
    println!("{}", panicked(|| drop(arange(6).reshape(4))));
    println!("{}", refused(arange(6).try_slice(9)));
    println!("{}", refused(arange(6).try_slice((0, 0))));
    println!("{}", refused(Array::try_apply("sqrt", &[&full(3, true)]).and_then(|a| a.try_apply_none())));
    println!("{}", refused(try_full(-1, 0.0, None)));
    println!("{}", refused(try_full((1_000_000_000_000usize, 1_000_000), 0.0, None)));
    println!("{}", refused(try_full(100_000_000_000usize, 0.0, None)));
    println!("{}", refused(arange(3).try_to_device("no:such:0")));
    println!("{}", refused(arange(3).try_reduce("sum", Some(&[5]), false)));
    println!("{}", refused(arange(3).try_matmul(&arange(4))));
    // The connection lives on.
    assert_eq!(get("number").item::<i64>(), 7);
    assert_eq!(get("table['k']").item::<f64>(), 2.0);
}

trait Apply {
    fn try_apply_none(&self) -> Result<Array, Error>;
}

impl Apply for Array {
    fn try_apply_none(&self) -> Result<Array, Error> {
        Array::try_apply("bitwise_and", &[self, &1.5])
    }
}

fn functions() {
    register("twice", |x: f64| 2.0 * x);
    register("blend", |x: f64, y: f64, t: f32| x + (y - x) * f64::from(t));
    register("even", |x: i64| x % 2 == 0);
    register("fails", |x: f64| if x > 1e6 { panic!("too large: {x}") } else { x });
    register("asks", |x: f64| x + get("a").sum().item::<f64>());
    register_slice("negated", |x: &[f32], out: &mut [f32]| {
        for (out, x) in out.iter_mut().zip(x) {
            *out = -x;
        }
    });
    register_whole("sorted_down", |x: &[f64]| {
        let mut all = x.to_vec();
        all.sort_by(|a, b| b.total_cmp(a));
        all
    });
    register_whole("distinct", |x: &[i64]| {
        x.iter().copied().collect::<std::collections::BTreeSet<i64>>().into_iter().collect::<Vec<i64>>()
    });
    register_whole("never", |_: &[f64]| -> Vec<f64> { panic!("not today") });
    println!("{}", refused(try_register("two words", |x: f64| x)));
    step("registered");
}

fn endless() {
    register("spin", |x: f64| {
        println!("spinning");
        loop {
            if x < 0.0 {
                return x;
            }
            std::hint::spin_loop();
        }
    });
    step("registered");
}

fn transfers() {
    // Back and forth until somebody ends it.
    let values = vec![1.0f64; 4 << 20];
    step("begun");
    loop {
        let array = from_slice(&values, values.len());
        assert_eq!(array.to_vec::<f64>().len(), values.len());
    }
}

fn billion() {
    let bytes: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let values: Vec<u64> = (0..bytes as u64 / 8).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    let began = std::time::Instant::now();
    let array = from_slice(&values, values.len());
    let there = began.elapsed();
    assert_eq!(array.nbytes(), bytes);
    let began = std::time::Instant::now();
    let back = array.to_vec::<u64>();
    let home = began.elapsed();
    assert!(back == values, "other elements came back");
    drop(back);
    let began = std::time::Instant::now();
    let copy = values.clone();
    let clone = began.elapsed();
    assert!(copy.len() == values.len());
    put("big", &array);
    println!("{} {} {}", there.as_secs_f64(), home.as_secs_f64(), clone.as_secs_f64());
    step("given");
}

fn many() {
    let mut sum = zeros(8);
    for at in 0..2000 {
        sum = &sum + at;
    }
    let rest: Vec<Array> = (0..3000).map(|at| full(4, at)).collect();
    let kept = rest.iter().step_by(1000).cloned().collect::<Vec<_>>();
    drop(rest);
    println!("{} {}", sum.slice(0).item::<f64>(), kept[2].slice(0).item::<i64>());
    step("kept");
}

fn threads() {
    let handles: Vec<_> = (0..4)
        .map(|thread| {
            std::thread::spawn(move || {
                let mut last = full(5000, thread);
                for _ in 0..50 {
                    last = last + 1;
                    drop(last.clone());
                }
                last
            })
        })
        .collect();
    for (thread, handle) in handles.into_iter().enumerate() {
        assert_eq!(handle.join().unwrap().slice(0).item::<i64>(), thread as i64 + 50);
    }
    step("joined");
}
