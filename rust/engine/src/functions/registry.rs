//! All functions by name: the tables of the families, joined at compile time.

use super::{
    Aggregate, Entry, Family, Function, Window, aggregate as aggregates_of, control, date_arithmetic, date_time, dolt,
    encoding, full_text, hash, information, json, locks, number_text, numeric, regexp, spatial, text, text_codes,
    uuid_network, vector_distance, window as windows_of,
};
use crate::name_index::NameIndex;

/// Scalar functions by subject.
pub const SCALAR_FAMILIES: &[Family<Function>] = &[
    Family { heading: "Control and NULL", entries: control::ENTRIES },
    Family { heading: "Dates and times", entries: date_time::ENTRIES },
    Family { heading: "Dates and times", entries: date_arithmetic::ENTRIES },
    Family { heading: "Digests and compression", entries: hash::ENTRIES },
    Family { heading: "Dolt", entries: dolt::ENTRIES },
    Family { heading: "Full text", entries: full_text::ENTRIES },
    Family { heading: "Information", entries: information::ENTRIES },
    Family { heading: "JSON", entries: json::ENTRIES },
    Family { heading: "Locks and waiting", entries: locks::ENTRIES },
    Family { heading: "Numbers", entries: numeric::ENTRIES },
    Family { heading: "Numbers", entries: number_text::ENTRIES },
    Family { heading: "Regular expressions", entries: regexp::ENTRIES },
    spatial::FAMILIES[0],
    spatial::FAMILIES[1],
    spatial::FAMILIES[2],
    spatial::FAMILIES[3],
    Family { heading: "Text", entries: text::ENTRIES },
    Family { heading: "Text", entries: text_codes::ENTRIES },
    Family { heading: "Text", entries: encoding::ENTRIES },
    Family { heading: "UUIDs and addresses", entries: uuid_network::ENTRIES },
    Family { heading: "Vectors", entries: vector_distance::ENTRIES },
];

/// Aggregate functions.
pub const AGGREGATE_FAMILIES: &[Family<Aggregate>] = aggregates_of::FAMILIES;

/// Window functions.
pub const WINDOW_FAMILY: Family<Window> = Family { heading: "Window functions", entries: windows_of::ENTRIES };

/// How many names the functions of families have.
const fn count<F: Copy>(families: &[Family<F>]) -> usize {
    let (mut count, mut family) = (0, 0);
    while family < families.len() {
        let mut entry = 0;
        while entry < families[family].entries.len() {
            count += 1 + families[family].entries[entry].aliases.len();
            entry += 1;
        }
        family += 1;
    }
    count
}

/// One list of the functions of families, each under each of its names, with an index by name.
macro_rules! joined {
    ($Function:ty, $families:expr, $all:ident, $by_name:ident, $slots:literal) => {
        static $all: [$Function; count($families)] = {
            const FAMILIES: &[Family<$Function>] = $families;
            let mut all = [FAMILIES[0].entries[0].function; count(FAMILIES)];
            let (mut at, mut family) = (0, 0);
            while family < FAMILIES.len() {
                let mut number = 0;
                while number < FAMILIES[family].entries.len() {
                    let entry: &Entry<$Function> = &FAMILIES[family].entries[number];
                    all[at] = entry.function;
                    at += 1;
                    let mut alias = 0;
                    while alias < entry.aliases.len() {
                        all[at] = <$Function>::named(&entry.function, entry.aliases[alias]);
                        (at, alias) = (at + 1, alias + 1);
                    }
                    number += 1;
                }
                family += 1;
            }
            all
        };

        static $by_name: NameIndex<$slots> = {
            let mut index = NameIndex::EMPTY;
            let mut at = 0;
            while at < $all.len() {
                index.add($all[at].name, at);
                at += 1;
            }
            index
        };
    };
}

joined!(Function, SCALAR_FAMILIES, SCALARS, SCALARS_BY_NAME, 1024);
joined!(Aggregate, AGGREGATE_FAMILIES, AGGREGATES, AGGREGATES_BY_NAME, 64);
joined!(Window, &[WINDOW_FAMILY], WINDOWS, WINDOWS_BY_NAME, 32);

impl Function {
    const fn named(&self, name: &'static str) -> Function {
        Function { name, ..*self }
    }
}

impl Aggregate {
    const fn named(&self, name: &'static str) -> Aggregate {
        Aggregate { name, ..*self }
    }
}

impl Window {
    const fn named(&self, name: &'static str) -> Window {
        Window { name, ..*self }
    }
}

/// A scalar function by its name in lower case.
pub fn scalar(name: &str) -> Option<&'static Function> {
    SCALARS_BY_NAME.candidates(name).map(|at| &SCALARS[at]).find(|function| function.name == name)
}

/// An aggregate function by its name in lower case.
pub fn aggregate(name: &str) -> Option<&'static Aggregate> {
    AGGREGATES_BY_NAME.candidates(name).map(|at| &AGGREGATES[at]).find(|function| function.name == name)
}

/// A window function that is no aggregate, by its name in lower case.
pub fn window(name: &str) -> Option<&'static Window> {
    WINDOWS_BY_NAME.candidates(name).map(|at| &WINDOWS[at]).find(|function| function.name == name)
}

pub fn scalars() -> impl Iterator<Item = &'static Function> {
    SCALARS.iter()
}

pub fn aggregates() -> impl Iterator<Item = &'static Aggregate> {
    AGGREGATES.iter()
}

/// The names that a statement may call.
pub fn callable_names() -> impl Iterator<Item = &'static str> {
    let scalars = SCALARS.iter().filter(|function| function.is_callable()).map(|function| function.name);
    let aggregates = AGGREGATES.iter().filter(|function| function.is_callable()).map(|function| function.name);
    scalars.chain(aggregates).chain(WINDOWS.iter().map(|function| function.name))
}
