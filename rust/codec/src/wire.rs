//! Structs and enums that another language reads, too: little-endian fields without gaps, and numbers with names. What is written here
//! once is written down for TypeScript by `rust/wasm`.

/// A field of a struct: a number, or bytes as they are.
pub trait WireField: Copy + Default {
    const BYTES: usize;

    /// Writes the field over `place`, which has its bytes.
    fn put(self, place: &mut [u8]);

    /// Reads the field from its bytes.
    fn take(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($Type:ty),*) => {$(
        impl WireField for $Type {
            const BYTES: usize = size_of::<$Type>();

            fn put(self, place: &mut [u8]) {
                place.copy_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(Self::default(), Self::from_le_bytes)
            }
        }
    )*};
}

number!(u8, u16, u32, u64, i32, f64);

impl WireField for [u8; 5] {
    const BYTES: usize = 5;

    fn put(self, place: &mut [u8]) {
        place.copy_from_slice(&self);
    }

    fn take(bytes: &[u8]) -> Self {
        bytes.try_into().unwrap_or_default()
    }
}

/// A struct of little-endian fields without gaps.
#[macro_export]
macro_rules! wire {
    ($(#[$doc:meta])* $Name:ident { $($(#[$field_doc:meta])* $field:ident: $Type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $Name {
            $($(#[$field_doc])* pub $field: $Type,)*
        }

        impl $Name {
            pub const BYTES: usize = 0 $(+ <$Type as $crate::WireField>::BYTES)*;
            /// The fields, and how many bytes each has.
            pub const FIELDS: &'static [(&'static str, usize)] =
                &[$((stringify!($field), <$Type as $crate::WireField>::BYTES)),*];

            #[must_use]
            pub fn to_bytes(self) -> [u8; Self::BYTES] {
                let mut bytes = [0; Self::BYTES];
                let mut at = 0;
                $(
                    let end = at + <$Type as $crate::WireField>::BYTES;
                    $crate::WireField::put(self.$field, &mut bytes[at..end]);
                    at = end;
                )*
                let _ = at;
                bytes
            }

            /// Reads the struct at the beginning of bytes; `None` where they are fewer.
            #[must_use]
            pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
                let bytes = bytes.get(..Self::BYTES)?;
                let mut at = 0;
                $(
                    let end = at + <$Type as $crate::WireField>::BYTES;
                    let $field = <$Type as $crate::WireField>::take(&bytes[at..end]);
                    at = end;
                )*
                let _ = at;
                Some(Self { $($field),* })
            }
        }
    };
}

/// An enum whose numbers count from 0, with the names that TypeScript has for them.
#[macro_export]
macro_rules! numbered {
    ($(#[$doc:meta])* $Name:ident { $($(#[$variant_doc:meta])* $Variant:ident = $js:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $Name { $($(#[$variant_doc])* $Variant,)* }

        impl $Name {
            /// The names in TypeScript, by number.
            pub const NAMES: &'static [&'static str] = &[$($js),*];

            /// The variant with this number.
            #[must_use]
            pub const fn from_number(number: u32) -> Option<Self> {
                $(if number == Self::$Variant as u32 { return Some(Self::$Variant); })*
                None
            }
        }
    };
}

#[cfg(test)]
mod tests {
    wire! {
        /// Two numbers and bytes.
        Sample {
            small: u8,
            state: [u8; 5],
            large: f64,
        }
    }

    numbered! {
        /// Two sides.
        Side {
            Left = "left",
            Right = "right",
        }
    }

    #[test]
    fn a_struct_is_read_as_it_was_written() {
        let sample = Sample { small: 7, state: *b"42000", large: 1.5 };
        let bytes = sample.to_bytes();
        assert_eq!(bytes.len(), 14);
        assert_eq!(bytes[..6], *b"\x0742000");
        assert_eq!(Sample::from_bytes(&bytes), Some(sample));
        assert_eq!(Sample::from_bytes(&bytes[..13]), None);
        assert_eq!(Sample::FIELDS, [("small", 1), ("state", 5), ("large", 8)]);
    }

    #[test]
    fn numbers_count_from_zero_in_the_order_of_names() {
        assert_eq!(Side::NAMES[Side::Right as usize], "right");
        assert_eq!((Side::from_number(0), Side::from_number(2)), (Some(Side::Left), None));
    }
}
