//! Print options, as `numpy.set_printoptions` keeps them. Plain data; whoever owns a session keeps the current ones.

/// How many digits each real number of an array shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatMode {
    /// Exactly `precision` digits.
    Fixed,
    /// As many as identify the value.
    Unique,
    /// As many as identify the value, at most `precision`.
    Maxprec,
    /// Like `Maxprec`, the same number for all elements.
    MaxprecEqual,
}

/// What stands before a number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignMode {
    /// Nothing.
    Minus,
    /// A plus sign.
    Plus,
    /// A blank.
    Space,
}

/// The options of one print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// Most digits after the point.
    pub precision: usize,
    /// More elements than this are summarised.
    pub threshold: usize,
    /// Elements shown at each end of a summarised axis.
    pub edgeitems: usize,
    /// Characters of a line.
    pub linewidth: usize,
    /// Never choose scientific notation because numbers are small.
    pub suppress: bool,
    /// How NaN is spelled.
    pub nanstr: String,
    /// How infinity is spelled.
    pub infstr: String,
    /// What stands before numbers that are not negative.
    pub sign: SignMode,
    /// How many digits real numbers show.
    pub floatmode: FloatMode,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            precision: 8,
            threshold: 1000,
            edgeitems: 3,
            linewidth: 75,
            suppress: false,
            nanstr: "nan".to_owned(),
            infstr: "inf".to_owned(),
            sign: SignMode::Minus,
            floatmode: FloatMode::Maxprec,
        }
    }
}

impl FloatMode {
    /// Reads NumPy's name of the mode.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "fixed" => Some(FloatMode::Fixed),
            "unique" => Some(FloatMode::Unique),
            "maxprec" => Some(FloatMode::Maxprec),
            "maxprec_equal" => Some(FloatMode::MaxprecEqual),
            _ => None,
        }
    }

    /// NumPy's name of the mode.
    pub fn name(self) -> &'static str {
        match self {
            FloatMode::Fixed => "fixed",
            FloatMode::Unique => "unique",
            FloatMode::Maxprec => "maxprec",
            FloatMode::MaxprecEqual => "maxprec_equal",
        }
    }
}

impl SignMode {
    /// Reads NumPy's spelling of the mode: `-`, `+` or a blank.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "-" => Some(SignMode::Minus),
            "+" => Some(SignMode::Plus),
            " " => Some(SignMode::Space),
            _ => None,
        }
    }

    /// NumPy's spelling of the mode.
    pub fn name(self) -> &'static str {
        match self {
            SignMode::Minus => "-",
            SignMode::Plus => "+",
            SignMode::Space => " ",
        }
    }
}
