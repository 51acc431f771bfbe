//! [`Rational`]: an exact fraction, the value of a term of sort Real. Arithmetic that leaves 128 bits yields `None`.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// The number zero.
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    /// The fraction of two integers; `None` if the denominator is zero or the result does not fit.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let sign = denominator.signum();
        Some(Rational { numerator: sign * numerator / divisor, denominator: sign * denominator / divisor })
    }

    /// The value of a double, exactly; `None` for infinities, NaN and magnitudes beyond 128 bits.
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = (bits & ((1 << 52) - 1)) as i128;
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let mantissa = if value < 0.0 { -mantissa } else { mantissa };
        let zeros = mantissa.trailing_zeros().min(52) as i32;
        let (mantissa, exponent) = if mantissa == 0 { (0, 0) } else { (mantissa >> zeros, exponent + zeros) };
        match exponent {
            0..=72 => Rational::new(mantissa << exponent, 1),
            -125..0 => Rational::new(mantissa, 1 << -exponent),
            _ => None,
        }
    }

    /// The nearest double, as far as numerator and denominator are doubles themselves.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The numerator.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator, always positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The sum.
    pub fn add(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Rational::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The number with the other sign.
    pub fn negate(self) -> Self {
        Rational { numerator: -self.numerator, ..self }
    }

    /// The product.
    pub fn multiply(self, other: Self) -> Option<Self> {
        Rational::new(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The quotient; `None` if `other` is zero.
    pub fn divide(self, other: Self) -> Option<Self> {
        self.multiply(Rational::new(other.denominator, other.numerator)?)
    }

    /// The greatest integer that is not greater.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// Which of two is greater; `None` if the comparison leaves 128 bits.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Rational { numerator: value.into(), denominator: 1 }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_become_exact_fractions_and_come_back() {
        for value in [0.0, 1.0, -2.5, 0.1, 1e15, -123456.789, 1e-9, f64::EPSILON] {
            assert_eq!(Rational::from_f64(value).map(Rational::to_f64), Some(value));
        }
        assert_eq!(Rational::from_f64(f64::NAN), None);
        assert_eq!(Rational::from_f64(1e300), None);
    }

    #[test]
    fn arithmetic_is_exact_and_reports_overflow() {
        let third = Rational::new(-2, -6).unwrap();
        assert_eq!(third.to_string(), "1/3");
        assert_eq!(third.add(third).and_then(|sum| sum.add(third)), Some(1.into()));
        assert_eq!(third.negate().floor(), -1);
        assert_eq!(third.divide(Rational::ZERO), None);
        let huge = Rational::new(i128::MAX, 1).unwrap();
        assert_eq!(huge.add(1.into()), None);
    }
}
