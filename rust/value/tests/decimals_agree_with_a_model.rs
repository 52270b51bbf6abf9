//! Decimal arithmetic beside fastnum's D512, which has room for every exact result, and beside integers.

use fastnum::D512;
use fastnum::decimal::{Context, RoundingMode};
use proptest::prelude::*;
use value::{Decimal, Rounding};

fn number(digits_max: usize) -> impl Strategy<Value = String> {
    (any::<bool>(), proptest::collection::vec(0u8..10, 1..=digits_max), 0usize..=30).prop_map(
        |(negative, digits, scale)| {
            // The first digit is no zero, so that the text is the shortest.
            let mut text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
            text.replace_range(..1, &(digits[0] % 9 + 1).to_string());
            let digits = format!("{text:0>width$}", width = scale + 1);
            let (whole, fraction) = digits.split_at(digits.len() - scale);
            let point = if scale == 0 { "" } else { "." };
            format!("{}{whole}{point}{fraction}", if negative { "-" } else { "" })
        },
    )
}

fn ours(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn model(text: &str) -> D512 {
    D512::from_str(text, Context::default().with_rounding_mode(RoundingMode::HalfUp)).unwrap()
}

fn same(ours: Decimal, model: D512) -> Result<(), TestCaseError> {
    prop_assert_eq!(self::model(&ours.to_string()), model, "{}", ours);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_and_storage_round_trip(text in number(65)) {
        let decimal = ours(&text);
        prop_assert_eq!(decimal.to_string(), &text[..]);
        let mut stored = Vec::new();
        decimal.encode(&mut stored);
        let again = Decimal::decode(&stored).unwrap();
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn sums_products_and_order(a in number(60), b in number(32)) {
        let (x, y) = (ours(&a), ours(&b));
        prop_assert_eq!(x.cmp(&y), model(&a).partial_cmp(&model(&b)).unwrap());
        if let Some(sum) = x.checked_add(&y)
            && sum.scale() == x.scale().max(y.scale())
        {
            same(sum, model(&a) + model(&b))?;
        }
        if let Some(difference) = x.checked_sub(&y)
            && difference.scale() == x.scale().max(y.scale())
        {
            same(difference, model(&a) - model(&b))?;
        }
        if let Some(product) = x.checked_mul(&y)
            && product.scale() == x.scale() + y.scale()
        {
            same(product, model(&a) * model(&b))?;
        }
    }

    #[test]
    fn quotients_are_rounded_and_remainders_complete_them(a in number(40), b in number(24), scale in 0u8..=20) {
        let (x, y) = (ours(&a), ours(&b));
        // More than 67 digits before the point have no decimal.
        let Some(quotient) = x.checked_div(&y, scale, Rounding::HalfAwayFromZero) else { return Ok(()) };
        // |x − quotient·y| ≤ |y| / 2 in the last place; digits that do not fit 67 are given up.
        prop_assert!(quotient.scale() == u32::from(scale) || quotient.digits() == 67);
        let error = (model(&a) - model(&quotient.to_string()) * model(&b)).abs();
        let half_place = model(&b).abs() * model(&format!("0.{:0>1$}", 5, quotient.scale() as usize + 1));
        prop_assert!(error <= half_place, "{} / {} = {}", a, b, quotient);
        let whole = x.checked_div(&y, 0, Rounding::TowardZero).unwrap();
        let rest = x.checked_rem(&y).unwrap();
        same(rest, model(&a) - model(&whole.to_string()) * model(&b))?;
    }

    #[test]
    fn rounding_is_half_away_from_zero(a in number(50), scale in 0u8..=30) {
        let decimal = ours(&a);
        let rounded = decimal.round(scale);
        same(rounded, model(&a).round(i16::from(scale)))?;
        prop_assert!(decimal.truncate(scale).abs() <= decimal.abs());
        prop_assert!(decimal.floor() <= decimal && decimal <= decimal.ceil());
    }

    #[test]
    fn doubles_go_there_and_back(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        if let Some(decimal) = Decimal::from_f64(double)
            && double.abs() > 1e-60
        {
            prop_assert_eq!(decimal.to_f64(), double);
        }
    }

    #[test]
    fn any_text_and_bytes_are_read_or_refused(text in ".{0,90}", digits in "[-+]?[0-9]{0,200}[.]?[0-9]{0,200}(e[-+]?[0-9]{1,25})?", bytes in any::<Vec<u8>>()) {
        let _ = text.parse::<Decimal>();
        if let Ok(decimal) = digits.parse::<Decimal>() {
            prop_assert!(decimal.digits() <= 67);
        }
        if let Some(decimal) = Decimal::decode(&bytes) {
            prop_assert!(decimal.digits() <= 67);
        }
    }
}

#[test]
fn scales_follow_mysql() {
    let divide = |a: &str, b: &str| ours(a).divide(&ours(b), 4).map(|quotient| quotient.to_string());
    assert_eq!(divide("7", "2").as_deref(), Some("3.5000"));
    assert_eq!(divide("1", "3").as_deref(), Some("0.3333"));
    assert_eq!(divide("10.0", "3").as_deref(), Some("3.33333"));
    assert_eq!(divide("1", "0"), None);
    let with = |a: &str, b: &str, operation: fn(&Decimal, &Decimal) -> Option<Decimal>| {
        operation(&ours(a), &ours(b)).unwrap().to_string()
    };
    assert_eq!(with("1.50", "1", Decimal::checked_add), "2.50");
    assert_eq!(with("1.5", "1.5", Decimal::checked_mul), "2.25");
    assert_eq!(with("-7", "3", Decimal::checked_rem), "-1");
    assert_eq!(with("7", "2.5", Decimal::checked_rem), "2.0");
    // A chain of divisions keeps groups of nine digits until its end.
    let inner = ours("1").inner_division_scale(&ours("3"));
    let third = ours("1").checked_div(&ours("3"), inner, Rounding::TowardZero).unwrap();
    assert_eq!(third.checked_mul(&ours("3")).unwrap().round(4).to_string(), "1.0000");
}

#[test]
fn rounding_before_the_point() {
    assert_eq!(ours("1254.5").round_integer(2).map(|cut| cut.to_string()).as_deref(), Some("1300"));
    assert_eq!(ours("-1250").round_integer(2).map(|cut| cut.to_string()).as_deref(), Some("-1300"));
    assert_eq!(ours("1299").truncate_integer(2).map(|cut| cut.to_string()).as_deref(), Some("1200"));
    assert_eq!(ours("49").round_integer(2).map(|cut| cut.to_string()).as_deref(), Some("0"));
    assert_eq!(ours("50").round_integer(2).map(|cut| cut.to_string()).as_deref(), Some("100"));
    assert_eq!(ours("0.5").round_integer(4000).map(|cut| cut.to_string()).as_deref(), Some("0"));
    assert_eq!(ours("2.45").round(1).to_string(), "2.5");
    assert_eq!(ours("-2.5").round(0).to_string(), "-3");
}

/// Values that no column holds but an expression may meet.
#[test]
fn extreme_scales_do_no_harm() {
    let tiny = [ours("1e-300"), ours("1e-80"), ours("-9.99e-79"), Decimal::new(i128::MAX, 255), Decimal::new(-7, 80)];
    let large = [ours(&"9".repeat(65)), ours("1e64"), ours("-1e40"), Decimal::ZERO];
    for a in tiny.iter().chain(&large) {
        for b in tiny.iter().chain(&large) {
            let results = [
                a.checked_add(b),
                a.checked_sub(b),
                a.checked_mul(b),
                a.checked_div(b, 255, Rounding::HalfAwayFromZero),
                a.checked_rem(b),
            ];
            for result in results.into_iter().flatten() {
                assert!(result.digits() <= 67 && result.scale() <= 80, "{a} {b} {result}");
                assert_eq!(result.to_string().parse(), Ok(result));
            }
            assert_eq!(a.cmp(b), b.cmp(a).reverse());
        }
    }
    assert_eq!(ours("1e-300"), Decimal::ZERO);
    assert!(ours("1e-80") > Decimal::ZERO && ours("1e-80") < ours("1e64"));
    assert_eq!(ours("1").rescale(200), None);
}

#[test]
fn limits() {
    let nines = "9".repeat(65);
    assert_eq!(ours(&nines).to_string(), nines);
    assert!(format!("{nines}000").parse::<Decimal>().is_err());
    // What columns hold has sums of two more digits.
    let sum = ours(&nines).checked_add(&Decimal::ONE).expect("66 digits");
    assert_eq!((sum.to_string(), sum.fit(65, 0)), (format!("1{}", "0".repeat(65)), None));
    assert_eq!(ours(&nines).round_integer(1).map(|cut| cut.to_string()), Some(format!("1{}", "0".repeat(65))));
    let longest = ours(&"9".repeat(67));
    assert!(longest.checked_add(&Decimal::ONE).is_none() && longest.round_integer(1).is_none());
    let nearly = format!("{}.{}", "9".repeat(35), "9".repeat(30));
    let twice = ours(&nearly).checked_add(&ours(&nearly)).expect("66 digits").to_string();
    assert_eq!(twice, format!("1{}.{}8", "9".repeat(35), "9".repeat(29)));
    assert!(ours(&nines).checked_mul(&ours(&nines)).is_none());
    assert_eq!(ours("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(ours("-9223372036854775808").to_i64(), Some(i64::MIN));
    assert_eq!(ours("9223372036854775807.5").to_i64(), None);
    assert_eq!(ours("1e-300").to_string().trim_end_matches('0'), "0.");
    assert_eq!(ours("1.5e3").to_string(), "1500");
    assert_eq!(ours("1e60").scale(), 0);
}

/// As native Dolt prints them.
#[test]
fn zeros_keep_a_sign_that_a_product_a_remainder_or_a_rounding_gave() {
    let zero = ours("-3").checked_rem(&ours("3")).expect("a remainder");
    let text = |number: Option<Decimal>| number.expect("a number").to_string();
    assert_eq!(zero.to_string(), "-0");
    assert_eq!(ours("-0.0").to_string(), "-0.0");
    assert_eq!(text(ours("0").checked_mul(&ours("-1.5"))), "-0.0");
    assert_eq!(text(zero.checked_mul(&ours("-1"))), "0");
    assert_eq!(ours("-0.04").round(1).to_string(), "-0.0");
    assert_eq!(ours("-0.04").truncate(1).to_string(), "0.0");
    assert_eq!(text(zero.checked_add(&ours("0"))), "0");
    assert_eq!(text(zero.checked_add(&zero)), "-0");
    assert_eq!(text(zero.checked_sub(&ours("0"))), "-0");
    assert_eq!(text(ours("0").checked_sub(&zero)), "0");
    assert_eq!(text(ours("0.4").checked_sub(&ours("0.4"))), "0.0");
    assert_eq!(text(ours("0.0").divide(&ours("-3"), 4)), "0.00000");
    assert_eq!(zero.negated().to_string(), "0");
    assert_eq!(zero, ours("0.00"));
    assert!(zero > ours("-0.01") && zero < ours("0.01") && !zero.is_negative());
    let mut stored = Vec::new();
    zero.encode(&mut stored);
    assert_eq!(text(Decimal::decode(&stored)), "0");
}

/// Stored forms from the format's vectors.
#[test]
fn storage_is_dolts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/format/vectors/tree/primitives.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: ../shared not found");
        return;
    };
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let decimals = vectors["decimals"].as_array().unwrap();
    assert!(!decimals.is_empty());
    for vector in decimals {
        let text = vector["value"].as_str().unwrap();
        let scale = u8::try_from(vector["scale"].as_u64().unwrap()).unwrap();
        let mut stored = Vec::new();
        ours(text).rescale(scale).unwrap().encode(&mut stored);
        let hex: String = stored.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, vector["bytes"].as_str().unwrap(), "{text}");
        assert_eq!(Decimal::decode(&stored), Some(ours(text)));
    }
}
