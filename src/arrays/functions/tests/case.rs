//! One line of a case file: a call, its arguments, and what NumPy answered.

use std::cell::RefCell;

use num_complex::Complex64;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

thread_local! {
    static ALLOC: RefCell<Alloc> = const { RefCell::new(Alloc::HOST) };
}

/// Where the arrays of the cases go from now on.
pub(super) fn place(alloc: &Alloc) {
    ALLOC.set(alloc.clone());
}

/// Where the arrays of the cases go.
pub(super) fn alloc() -> Alloc {
    ALLOC.with_borrow(Alloc::clone)
}

/// A parsed line.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) expected: String,
    args: Vec<String>,
}

impl Case {
    pub(super) fn parse(line: &str) -> Case {
        let mut fields = line.split('\t').map(str::to_owned);
        let name = fields.next().unwrap();
        let mut args: Vec<String> = fields.collect();
        let expected = args.pop().unwrap().replace("\\n", "\n");
        Case { name, expected, args }
    }

    fn word(&self, position: usize) -> (&str, &str) {
        let arg = &self.args[position];
        arg.split_once(' ').unwrap_or((arg, ""))
    }

    pub(super) fn len(&self) -> usize {
        self.args.len()
    }

    pub(super) fn is_none(&self, position: usize) -> bool {
        self.args[position] == "N"
    }

    pub(super) fn int(&self, position: usize) -> i64 {
        self.word(position).1.parse().unwrap()
    }

    pub(super) fn wide_int(&self, position: usize) -> i128 {
        self.word(position).1.parse().unwrap()
    }

    pub(super) fn is_list(&self, position: usize) -> bool {
        self.word(position).0 == "L"
    }

    pub(super) fn truth(&self, position: usize) -> bool {
        self.int(position) != 0
    }

    pub(super) fn optional_int(&self, position: usize) -> Option<i64> {
        (!self.is_none(position)).then(|| self.int(position))
    }

    pub(super) fn float(&self, position: usize) -> f64 {
        self.word(position).1.parse().unwrap()
    }

    pub(super) fn number_or_text(&self, position: usize) -> Option<Result<f64, &str>> {
        match self.word(position) {
            ("N", _) => None,
            ("S", text) => Some(Err(text)),
            (_, number) => Some(Ok(number.parse().unwrap())),
        }
    }

    pub(super) fn text(&self, position: usize) -> &str {
        self.word(position).1
    }

    pub(super) fn optional_dtype(&self, position: usize) -> Option<DType> {
        (!self.is_none(position)).then(|| DType::parse(self.text(position)).unwrap())
    }

    pub(super) fn ints(&self, position: usize) -> Vec<i64> {
        self.word(position).1.split_whitespace().map(|number| number.parse().unwrap()).collect()
    }

    pub(super) fn optional_ints(&self, position: usize) -> Option<Vec<i64>> {
        (!self.is_none(position)).then(|| self.ints(position))
    }

    pub(super) fn lengths(&self, position: usize) -> Vec<usize> {
        self.ints(position).into_iter().map(|length| length as usize).collect()
    }

    /// A Python number.
    pub(super) fn operand(&self, position: usize) -> Operand {
        Operand::Weak(match self.word(position) {
            ("I", number) => Scalar::Int(number.parse().unwrap()),
            ("F", number) => Scalar::Float(number.parse().unwrap()),
            other => panic!("{other:?} is not a number"),
        })
    }

    pub(super) fn array_or_number(&self, position: usize) -> Result<Array, Operand> {
        match self.word(position).0 {
            "A" | "R" => Ok(self.array(position)),
            _ => Err(self.operand(position)),
        }
    }

    pub(super) fn array(&self, position: usize) -> Array {
        let (kind, rest) = self.word(position);
        if kind == "R" {
            let shape = shape(rest);
            let numbers: Vec<i64> = (0..shape.iter().product::<usize>() as i64).collect();
            return Array::from_slice(&numbers, &shape, &alloc()).unwrap();
        }
        assert_eq!(kind, "A", "{}", self.args[position]);
        let mut words = rest.split(' ');
        let dtype = DType::parse(words.next().unwrap()).unwrap();
        let shape = shape(words.next().unwrap());
        let numbers: Vec<Scalar> = words
            .filter(|word| !word.is_empty())
            .map(|word| match word.parse::<i128>() {
                Ok(number) => Scalar::Int(number),
                Err(_) => Scalar::Float(word.parse().unwrap()),
            })
            .collect();
        let numbers: Vec<Scalar> = if dtype.is_complex() {
            numbers.chunks(2).map(|pair| Scalar::Complex(Complex64::new(pair[0].real(), pair[1].real()))).collect()
        } else {
            numbers
        };
        dispatch!(dtype, T => {
            let elements: Vec<T> = numbers.iter().map(|number| <T as Element>::from_scalar(*number)).collect();
            Array::from_slice(&elements, &shape, &alloc()).unwrap()
        })
    }

    /// All array arguments from `first` on.
    pub(super) fn arrays_from(&self, first: usize) -> Vec<Array> {
        (first..self.len()).map(|position| self.array(position)).collect()
    }
}

fn shape(text: &str) -> Vec<usize> {
    text.split(',').filter(|length| !length.is_empty()).map(|length| length.parse().unwrap()).collect()
}
