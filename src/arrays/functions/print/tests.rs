//! Compares prints with `cases.txt`, which `make_cases.py` writes with the real NumPy.

use half::f16;

use super::*;

struct Case<'a> {
    dtype: &'a str,
    shape: Vec<usize>,
    options: PrintOptions,
    values: &'a str,
    repr: String,
    str: String,
}

fn cases() -> Vec<Case<'static>> {
    include_str!("cases.txt")
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [dtype, shape, settings, values, repr, str] = fields[..] else { panic!("{line}") };
            Case {
                dtype,
                shape: shape.split_whitespace().map(|length| length.parse().unwrap()).collect(),
                options: options(settings),
                values,
                repr: repr.replace("\\n", "\n"),
                str: str.replace("\\n", "\n"),
            }
        })
        .collect()
}

fn options(settings: &str) -> PrintOptions {
    let mut options = PrintOptions::default();
    for setting in settings.split_whitespace() {
        let (key, value) = setting.split_once('=').unwrap();
        match key {
            "precision" => options.precision = value.parse().unwrap(),
            "threshold" => options.threshold = value.parse().unwrap(),
            "edgeitems" => options.edgeitems = value.parse().unwrap(),
            "linewidth" => options.linewidth = value.parse().unwrap(),
            "suppress" => options.suppress = value == "True",
            "floatmode" => options.floatmode = FloatMode::parse(value).unwrap(),
            "sign" => options.sign = SignMode::parse(if value == "space" { " " } else { value }).unwrap(),
            _ => panic!("{setting}"),
        }
    }
    options
}

/// Positions in the flat array of the elements that are shown.
fn shown(shape: &[usize], corners: &Corners) -> Vec<usize> {
    let mut positions = vec![0];
    for (axis, len) in shape.iter().enumerate() {
        let skipped = len - corners.shown[axis];
        positions = positions
            .iter()
            .flat_map(|start| {
                (0..corners.shown[axis]).map(move |index| {
                    let behind = corners.leading[axis].is_some_and(|leading| index >= leading);
                    start * len + index + if behind { skipped } else { 0 }
                })
            })
            .collect();
    }
    positions
}

fn printed<'a>(case: &'a Case<'_>) -> Printed<'a> {
    let corners = Corners::of(&case.shape, &case.options);
    let positions = shown(&case.shape, &corners);
    let reals = || -> Vec<f64> { case.values.split_whitespace().map(|value| value.parse().unwrap()).collect() };
    let ints = || -> Vec<i128> {
        let words: Vec<&str> = case.values.split_whitespace().collect();
        match words[..] {
            ["range", start, len] => {
                let start: i128 = start.parse().unwrap();
                (start..start + len.parse::<i128>().unwrap()).collect()
            }
            _ => words.iter().map(|value| value.parse().unwrap()).collect(),
        }
    };
    let values = match case.dtype {
        "bool" => PrintedValues::Bool(positions.iter().map(|position| ints()[*position] != 0).collect()),
        "float16" | "float32" | "float64" => {
            let all = reals();
            PrintedValues::Float(positions.iter().map(|position| all[*position]).collect(), width(case.dtype))
        }
        "complex64" | "complex128" => {
            let all = reals();
            let pairs = positions.iter().map(|position| (all[2 * position], all[2 * position + 1])).collect();
            PrintedValues::Complex(pairs, width(case.dtype))
        }
        _ => {
            let all = ints();
            PrintedValues::Int(positions.iter().map(|position| all[*position]).collect())
        }
    };
    Printed { shape: &case.shape, dtype_name: case.dtype, values, corners, words: None }
}

fn width(dtype: &str) -> FloatWidth {
    match dtype {
        "float16" => FloatWidth::Half,
        "float32" | "complex64" => FloatWidth::Single,
        _ => FloatWidth::Double,
    }
}

#[test]
fn arrays_print_as_numpy_prints_them() {
    let mut wrong = Vec::new();
    for case in cases() {
        let printed = printed(&case);
        for (ours, numpys) in
            [(printed.repr("array", &case.options), &case.repr), (printed.str(&case.options), &case.str)]
        {
            if ours != *numpys {
                wrong.push(format!("{} {:?} {:.60}\n{ours}\nNumPy:\n{numpys}", case.dtype, case.shape, case.values));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}

/// `make_cases.py` prints NumPy's checksum over the texts of all finite float16 values.
#[test]
fn every_float16_has_numpys_digits() {
    let remainder = |text: &str| text.bytes().fold(0_u64, |sum, byte| (sum * 256 + u64::from(byte)) % 1_000_003);
    let total: u64 = (0..=u16::MAX)
        .map(f16::from_bits)
        .filter(|half| half.is_finite())
        .enumerate()
        .map(|(index, half)| remainder(&float_text(half.to_f64(), FloatWidth::Half)) * (index as u64 % 97 + 1))
        .sum();
    assert_eq!(total, 1_561_950_825_478);
}

#[test]
fn numpy_scalars_name_their_type() {
    let scalar = |dtype_name, values| {
        Printed { shape: &[], dtype_name, values, corners: Corners::of(&[], &PrintOptions::default()), words: None }
            .scalar_repr()
    };
    assert_eq!(scalar("float64", PrintedValues::Float(vec![1.0], FloatWidth::Double)), "np.float64(1.0)");
    assert_eq!(scalar("float32", PrintedValues::Float(vec![1e10], FloatWidth::Single)), "np.float32(1e+10)");
    assert_eq!(scalar("bool", PrintedValues::Bool(vec![true])), "np.True_");
    assert_eq!(scalar("int8", PrintedValues::Int(vec![-3])), "np.int8(-3)");
    assert_eq!(
        scalar("complex128", PrintedValues::Complex(vec![(1.5, 2.0)], FloatWidth::Double)),
        "np.complex128(1.5+2j)"
    );
    assert_eq!(scalar("complex128", PrintedValues::Complex(vec![(0.0, 2.0)], FloatWidth::Double)), "np.complex128(2j)");
}
